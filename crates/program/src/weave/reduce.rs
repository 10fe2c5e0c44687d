//! Which thread may run alone, since what it does next commutes with all that others can do before it does so.
//!
//! A *segment* is what a thread does from one rest to the next. If it cannot end the run nor wait, and nothing that
//! another thread can do without this one moving conflicts with it, then it is enough to let it run first: the set of this
//! thread alone is persistent. Others can do what their code reaches from where they rest, and what the threads that
//! they create can do; not what lies behind joining this thread; and no access that they make with a mutex held that
//! this thread holds. Giving back a mutex commutes with taking it, which nobody can before.
//! A thread never runs alone from a place that its circles pass, so that no other is put off for ever.
//!
//! Everything here is read off the program, by the same code for whoever proves and for the checker.
//!
//! Source: \[Lip75\]; \[God96\] §4 (persistent sets) and §7 (the proviso for circles).

use super::thread::{Thread, back_into, reached, successors, uses, vars_by_term};
use super::{DONE, NOT_YET, Places};
use crate::form::{Action, Program, ThreadOp, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A set of mutexes.
pub type Locks = BTreeSet<VarId>;

/// One use of a shared variable.
#[derive(Clone, Debug)]
struct Use {
    var: VarId,
    is_write: bool,
    /// Whether a mutex is taken or given back in the ordinary way.
    is_lock: bool,
    /// The mutexes that are held for sure.
    held: Locks,
}

/// What is known of a thread, by node.
struct Known {
    uses: Vec<Vec<Use>>,
    /// Whether the node can end the run, or wait.
    may_stop: Vec<bool>,
    /// Whether the thread does not run alone from here.
    is_wide: Vec<bool>,
    /// The thread that is joined, if it is known.
    joins: Vec<Option<usize>>,
    /// Nodes in atomic sections that circles go back to.
    circles: BTreeSet<usize>,
}

/// What is known of all threads.
pub struct Reduction<'a> {
    threads: &'a [Thread],
    known: Vec<Known>,
    futures: BTreeMap<(usize, u32, usize), Vec<Use>>,
}

impl<'a> Reduction<'a> {
    /// Looks at all threads.
    pub fn of(
        program: &Program,
        threads: &'a [Thread],
        joins: Vec<Vec<Option<usize>>>,
    ) -> Reduction<'a> {
        let of = vars_by_term(program);
        let globals: BTreeSet<VarId> = program.globals.iter().copied().collect();
        let unsafe_mutexes = made_late(threads);
        let mut known = Vec::new();
        for (thread, joins) in threads.iter().zip(joins) {
            let held = held(thread, &unsafe_mutexes);
            let mut all = Vec::new();
            let mut may_stop = Vec::new();
            for (at, node) in thread.nodes.iter().enumerate() {
                let (read, written) = uses(program, &of, &globals, node);
                let held = held[at].clone().unwrap_or_default();
                // What follows the end of a critical section is outside of it.
                let mut inside = held.clone();
                if let Some(ThreadOp::Unlock(var)) = node.op {
                    inside.remove(&var);
                }
                let mut own: Vec<Use> = Vec::new();
                for (vars, is_write) in [(read, false), (written, true)] {
                    own.extend(vars.into_iter().map(|var| Use {
                        var,
                        is_write,
                        is_lock: false,
                        held: inside.clone(),
                    }));
                }
                match node.op {
                    Some(ThreadOp::Lock(var) | ThreadOp::Unlock(var)) => {
                        own.push(Use { var, is_write: true, is_lock: true, held: held.clone() });
                    }
                    Some(ThreadOp::TryLock(var, _)) => {
                        own.push(Use { var, is_write: true, is_lock: false, held: Locks::new() });
                    }
                    _ => {}
                }
                may_stop.push(
                    node.stops
                        || match node.op {
                            Some(ThreadOp::Lock(_) | ThreadOp::Join(_)) => true,
                            Some(ThreadOp::Unlock(var)) => !held.contains(&var),
                            _ => node.steps.iter().any(|(step, is_known)| {
                                !is_known
                                    && matches!(step.action, Action::Assume(_) | Action::Relate(..))
                            }),
                        },
                );
                all.push(own);
            }
            let wide = back_into(&thread.nodes, |_| true);
            let is_wide = wide_rests(thread, &wide);
            let circles = back_into(&thread.nodes, |node| !node.is_rest && node.depth > 0);
            known.push(Known { uses: all, may_stop, is_wide, joins, circles });
        }
        Reduction { threads, known, futures: BTreeMap::new() }
    }

    /// The thread that a node joins, if that is known.
    pub fn joined(&self, thread: usize, node: usize) -> Option<usize> {
        self.known[thread].joins[node]
    }

    /// Whether a mutex is held for sure where it is given back.
    pub fn is_held(&self, thread: usize, node: usize) -> bool {
        !self.known[thread].may_stop[node]
    }

    /// Whether it is enough to let a thread run.
    pub fn runs_alone(&mut self, places: &Places, thread: usize) -> bool {
        let start = places[thread] as usize;
        if self.known[thread].is_wide[start] {
            return false;
        }
        let Some(own) = self.segment(thread, start) else { return false };
        for (other, &place) in places.iter().enumerate() {
            if other == thread || place == DONE || place == NOT_YET {
                continue;
            }
            let future = self.future(other, place, thread);
            if own.iter().any(|one| future.iter().any(|two| conflicts(one, two))) {
                return false;
            }
        }
        true
    }

    /// What a thread uses from one rest to the next, if it comes there for sure.
    fn segment(&self, thread: usize, start: usize) -> Option<Vec<Use>> {
        let nodes = &self.threads[thread].nodes;
        let known = &self.known[thread];
        let mut all = Vec::new();
        let (mut todo, mut seen) = (vec![start], BTreeSet::new());
        while let Some(at) = todo.pop() {
            if !seen.insert(at) {
                continue;
            }
            if known.may_stop[at] {
                return None;
            }
            all.extend(known.uses[at].iter().cloned());
            todo.extend(successors(&nodes[at]).into_iter().filter(|&to| !nodes[to].is_rest));
        }
        // In an atomic section there may be circles, which need not end.
        known.circles.is_disjoint(&seen).then_some(all)
    }

    /// What a thread can do from a node on while another one does not move.
    fn future(&mut self, thread: usize, from: u32, still: usize) -> Vec<Use> {
        if let Some(found) = self.futures.get(&(thread, from, still)) {
            return found.clone();
        }
        let mut all = Vec::new();
        let mut todo = vec![(thread, from as usize)];
        let mut seen = BTreeSet::new();
        while let Some((thread, at)) = todo.pop() {
            if thread == still || !seen.insert((thread, at)) {
                continue;
            }
            if self.known[thread].joins[at] == Some(still) {
                continue;
            }
            all.extend(self.known[thread].uses[at].iter().cloned());
            todo.extend(
                successors(&self.threads[thread].nodes[at]).into_iter().map(|to| (thread, to)),
            );
            if let Some(created) = self.threads[thread].creates.get(&at) {
                todo.extend(created.iter().map(|&created| (created, 0)));
            }
        }
        self.futures.insert((thread, from, still), all.clone());
        all
    }
}

/// Whether two uses by different threads do not commute, the first being next.
fn conflicts(one: &Use, two: &Use) -> bool {
    if one.var != two.var || !(one.is_write || two.is_write) {
        return false;
    }
    // The mutex is held and given back: whoever wants to take it waits.
    if one.is_lock && two.is_lock {
        return false;
    }
    one.held.is_disjoint(&two.held)
}

/// Mutexes that are made anew when other threads may be there: holding one excludes nobody.
pub fn made_late(threads: &[Thread]) -> Locks {
    let mut late = Locks::new();
    for (number, thread) in threads.iter().enumerate() {
        let after = match number {
            0 => reached(&thread.nodes, thread.creates.keys().copied().collect()),
            _ => (0..thread.nodes.len()).collect(),
        };
        for at in after {
            for (step, _) in &thread.nodes[at].steps {
                if let Action::Assign(pairs) = &step.action {
                    late.extend(pairs.iter().map(|pair| pair.0));
                }
            }
        }
    }
    late
}

/// The mutexes that are held for sure where a node begins; none for nodes that are not reached.
pub fn held(thread: &Thread, excluded: &Locks) -> Vec<Option<Locks>> {
    let mut held: Vec<Option<Locks>> = vec![None; thread.nodes.len()];
    let mut todo = vec![(0, Locks::new())];
    while let Some((at, locks)) = todo.pop() {
        let met = match &held[at] {
            Some(before) => before.intersection(&locks).copied().collect(),
            None => locks,
        };
        if held[at].as_ref() == Some(&met) {
            continue;
        }
        held[at] = Some(met.clone());
        let mut after = met;
        match thread.nodes[at].op {
            Some(ThreadOp::Lock(mutex)) if !excluded.contains(&mutex) => {
                after.insert(mutex);
            }
            Some(ThreadOp::Unlock(mutex)) => {
                after.remove(&mutex);
            }
            _ => {}
        }
        for (step, _) in &thread.nodes[at].steps {
            if let Action::Assign(pairs) = &step.action {
                pairs.iter().for_each(|pair| {
                    after.remove(&pair.0);
                });
            }
        }
        todo.extend(successors(&thread.nodes[at]).into_iter().map(|to| (to, after.clone())));
    }
    held
}

/// The rests that a circle comes to first after what it goes back to: each circle has one.
fn wide_rests(thread: &Thread, back: &BTreeSet<usize>) -> Vec<bool> {
    let mut is_wide = vec![false; thread.nodes.len()];
    let mut todo: Vec<usize> = back.iter().copied().collect();
    let mut seen = BTreeSet::new();
    while let Some(at) = todo.pop() {
        if !seen.insert(at) {
            continue;
        }
        if thread.nodes[at].is_rest {
            is_wide[at] = true;
        } else {
            todo.extend(successors(&thread.nodes[at]));
        }
    }
    is_wide
}
