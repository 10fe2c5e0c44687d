//! Where a thread need not rest, since what it does there commutes with all that others can do.
//!
//! What a thread does from one rest to the next is a *step*. A step moves *both* ways if all it shares is used by others
//! only with a mutex that is held here, too, or when they are not there; taking a mutex moves to the right, giving
//! one back that is held to the left. Steps to the right followed by steps to the left are one step, with a step that does
//! not move before those to the left. So a thread rests where it does something that does not move, and where it takes a
//! mutex after something that does not move or that moves to the left only; elsewhere it does not.
//!
//! Nothing here is believed: whoever checks a proof finds the rests anew, from the program.
//!
//! Source: \[Lip75\]; \[FQ03\] for the order of movers. What is done where a run ends, or goes round for ever, is in `thread`.

use super::reduce::{Locks, held, made_late};
use super::thread::{Thread, settle_rests, successors, uses, vars_by_term};
use crate::clauses::calls::mentioned;
use crate::form::{Program, ThreadOp, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// One thread among others, for the question who can be there at once.
pub struct Among<'a> {
    /// What it does.
    pub thread: &'a Thread,
    /// Whether there may be several of it.
    pub is_many: bool,
    /// The threads that its nodes create, by node.
    pub creates: &'a BTreeMap<usize, usize>,
    /// The threads that its nodes join for sure, by node.
    pub joins: &'a [Option<usize>],
}

/// How a step moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moves {
    Both,
    Right,
    Left,
    Not,
}

/// A use of something shared.
struct Use {
    node: usize,
    is_write: bool,
    held: Locks,
}

/// The nodes of each thread where it rests for no reason but others that it commutes with; none if accesses are
/// not of the form that this takes for granted.
pub fn needless(program: &Program, threads: &[Among<'_>]) -> Vec<BTreeSet<usize>> {
    let of = vars_by_term(program);
    let globals: BTreeSet<VarId> = program.globals.iter().copied().collect();
    let none = vec![BTreeSet::new(); threads.len()];
    let plain: Vec<Thread> = threads.iter().map(|one| one.thread.clone()).collect();
    let excluded = made_late(&plain);
    // Whether somebody holds these is seen by more than who waits for them.
    let mut looked_at = excluded.clone();
    for node in plain.iter().flat_map(|thread| &thread.nodes) {
        if let Some(ThreadOp::TryLock(mutex, _)) = node.op {
            looked_at.insert(mutex);
        }
    }
    let mut all: BTreeMap<VarId, Vec<(usize, Use)>> = BTreeMap::new();
    for (number, one) in threads.iter().enumerate() {
        let held = held(one.thread, &excluded);
        for (at, node) in one.thread.nodes.iter().enumerate() {
            let (read, mut written) = uses(program, &of, &globals, node);
            let mut read = read;
            if let Some(access) = &node.access {
                let terms: Vec<_> =
                    access.selectors.iter().copied().chain([access.guard]).collect();
                if !mentioned(&program.terms, &of, &terms).is_disjoint(&globals) {
                    return none;
                }
                let to = if access.is_write { &mut written } else { &mut read };
                to.extend(access.vars.iter().copied());
            }
            let mut inside = held[at].clone().unwrap_or_default();
            if let Some(ThreadOp::Unlock(var)) = node.op {
                inside.remove(&var);
            }
            for (vars, is_write) in [(read, false), (written, true)] {
                for var in vars {
                    let one = Use { node: at, is_write, held: inside.clone() };
                    all.entry(var).or_default().push((number, one));
                }
            }
        }
    }
    let first = First::of(threads);
    let conflicts = conflicting(&all, threads, &first);
    let mut found = Vec::new();
    for (number, one) in threads.iter().enumerate() {
        let held = held(one.thread, &excluded);
        found.push(of_thread(program, one.thread, &held, &looked_at, &conflicts[number]));
    }
    found
}

/// The nodes of each thread that use something which others may use at the same time.
fn conflicting(
    all: &BTreeMap<VarId, Vec<(usize, Use)>>,
    threads: &[Among<'_>],
    first: &First,
) -> Vec<BTreeSet<usize>> {
    let mut found = vec![BTreeSet::new(); threads.len()];
    for uses in all.values() {
        for (one, mine) in uses {
            let meets = uses.iter().any(|(two, other)| {
                (one != two || threads[*one].is_many)
                    && (mine.is_write || other.is_write)
                    && mine.held.is_disjoint(&other.held)
                    && first.may_meet(*one, mine.node, *two)
                    && first.may_meet(*two, other.node, *one)
            });
            if meets {
                found[*one].insert(mine.node);
            }
        }
    }
    found
}

/// Which threads are there while the first is at a node.
pub struct First {
    /// Those that may have been created.
    created: Vec<BTreeSet<usize>>,
    /// Those that have ended for sure.
    joined: Vec<Option<BTreeSet<usize>>>,
}

impl First {
    /// Looks at what the first thread creates and joins.
    pub fn of(threads: &[Among<'_>]) -> First {
        let nodes = &threads[0].thread.nodes;
        let mut created = vec![BTreeSet::new(); nodes.len()];
        let mut todo = vec![(0, BTreeSet::new())];
        let mut is_seen = vec![false; nodes.len()];
        while let Some((at, given)) = todo.pop() {
            let before = created[at].len();
            created[at].extend(given);
            if std::mem::replace(&mut is_seen[at], true) && created[at].len() == before {
                continue;
            }
            let mut after: BTreeSet<usize> = created[at].clone();
            if let Some(&one) = threads[0].creates.get(&at) {
                add_created(threads, one, &mut after);
            }
            todo.extend(successors(&nodes[at]).into_iter().map(|to| (to, after.clone())));
        }
        let mut joined: Vec<Option<BTreeSet<usize>>> = vec![None; nodes.len()];
        let mut todo = vec![(0, BTreeSet::new())];
        while let Some((at, given)) = todo.pop() {
            let met: BTreeSet<usize> = match &joined[at] {
                Some(before) => before.intersection(&given).copied().collect(),
                None => given,
            };
            if joined[at].as_ref() == Some(&met) {
                continue;
            }
            joined[at] = Some(met.clone());
            let mut after = met;
            after.extend(threads[0].joins[at].filter(|&other| !threads[other].is_many));
            todo.extend(successors(&nodes[at]).into_iter().map(|to| (to, after.clone())));
        }
        First { created, joined }
    }

    /// Whether no other thread is there while the first is at a node.
    pub fn is_alone(&self, node: usize) -> bool {
        match &self.joined[node] {
            Some(ended) => self.created[node].is_subset(ended),
            None => true,
        }
    }

    /// Whether a thread at a node and another one may be there at once.
    fn may_meet(&self, one: usize, node: usize, other: usize) -> bool {
        if one != 0 {
            return true;
        }
        let has_ended = self.joined[node].as_ref().is_some_and(|ended| ended.contains(&other));
        self.created[node].contains(&other) && !has_ended
    }
}

/// Adds a thread and all that it creates.
fn add_created(threads: &[Among<'_>], one: usize, all: &mut BTreeSet<usize>) {
    let mut todo = vec![one];
    while let Some(one) = todo.pop() {
        if all.insert(one) {
            todo.extend(threads[one].creates.values().copied());
        }
    }
}

/// The needless rests of one thread.
fn of_thread(
    program: &Program,
    thread: &Thread,
    held: &[Option<Locks>],
    looked_at: &Locks,
    conflicts: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let moves: Vec<Moves> = (0..thread.nodes.len())
        .map(|at| match (&thread.nodes[at].op, conflicts.contains(&at)) {
            (_, true) => Moves::Not,
            _ if thread.nodes[at].depth > 0 => Moves::Not,
            (None, _) => Moves::Both,
            (Some(ThreadOp::Lock(mutex)), _) if !looked_at.contains(mutex) => Moves::Right,
            (Some(ThreadOp::Unlock(mutex)), _)
                if !looked_at.contains(mutex)
                    && held[at].as_ref().is_some_and(|held| held.contains(mutex)) =>
            {
                Moves::Left
            }
            _ => Moves::Not,
        })
        .collect();
    let mut needless = BTreeSet::new();
    let visible = (1..thread.nodes.len()).filter(|&at| {
        let node = &thread.nodes[at];
        node.is_rest && node.is_visible
    });
    for at in visible {
        if step(thread, &moves, at) != Moves::Not {
            needless.insert(at);
        }
    }
    // Taking a mutex is no part of a step in which something does not move to the right.
    loop {
        let mut changed = thread.clone();
        needless.iter().for_each(|&at| changed.nodes[at].is_rest = false);
        settle_rests(program, &mut changed.nodes, &|_| false);
        let late = late(&changed, &moves);
        let wrong: Vec<usize> = (needless.iter().copied())
            .filter(|&at| late[at] && step(thread, &moves, at) == Moves::Right)
            .collect();
        if wrong.is_empty() {
            return needless;
        }
        wrong.iter().for_each(|at| {
            needless.remove(at);
        });
    }
}

/// How what a thread does from a rest to the next moves.
fn step(thread: &Thread, moves: &[Moves], start: usize) -> Moves {
    let mut all = Moves::Both;
    let (mut todo, mut seen) = (vec![start], BTreeSet::new());
    while let Some(at) = todo.pop() {
        if !seen.insert(at) {
            continue;
        }
        all = match (all, moves[at]) {
            (Moves::Both, other) | (other, Moves::Both) => other,
            (one, other) if one == other => one,
            _ => Moves::Not,
        };
        let next = successors(&thread.nodes[at]).into_iter();
        todo.extend(next.filter(|&to| !thread.nodes[to].is_rest));
    }
    all
}

/// Whether something before a node, since the last rest, does not move to the right.
fn late(thread: &Thread, moves: &[Moves]) -> Vec<bool> {
    let mut late = vec![false; thread.nodes.len()];
    let mut todo: Vec<usize> = (0..thread.nodes.len()).collect();
    while let Some(at) = todo.pop() {
        let after = matches!(moves[at], Moves::Left | Moves::Not)
            || (late[at] && !thread.nodes[at].is_rest);
        for to in successors(&thread.nodes[at]) {
            if after && !late[to] {
                late[to] = true;
                todo.push(to);
            }
        }
    }
    late
}
