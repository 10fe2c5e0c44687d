//! Unit propagation that can lose clauses and get them back.
//!
//! Two literals of a clause are watched, of a unit clause its only one. What follows from the clauses
//! alone stays assigned from one question to the next; what a question assumes comes after it on the
//! trail.
//!
//! Invariant, once the trail is propagated: if a watched literal is false the other one is true, and
//! the literal of a unit clause is true. When the trail is cut, a clause can lose only a true watched
//! literal while the other stays false, so that it suffices to look at the clauses that watch what
//! was cut off.

use super::clauses::{Clauses, Number};
use super::{Failure, Limits};
use crate::literal::Lit;
use std::sync::atomic::Ordering;

/// Stands for no clause.
const NONE: Number = Number::MAX;
/// How much work is done between looks at the flag.
const PERIOD: u64 = 1 << 14;

pub(super) struct Propagation {
    /// Whether a literal is true, by its index.
    is_true: Vec<bool>,
    trail: Vec<Lit>,
    /// By variable: its place on the trail, and the clause it follows by.
    places: Vec<u32>,
    reasons: Vec<Number>,
    watches: Vec<Vec<Number>>,
    /// Clauses that are needed, which are propagated first once there are any.
    is_needed: Vec<bool>,
    needed_first: bool,
    needed_head: usize,
    head: usize,
    /// The question in which a variable was last assumed.
    assumed: Vec<u32>,
    question: u32,
    /// The walk in which a variable was last seen.
    seen: Vec<u32>,
    walk: u32,
    spent: u64,
    looked: u64,
    /// How many hints were found.
    hints: u64,
    limits: Limits,
}

impl Propagation {
    pub(super) fn new(variables: usize, limits: &Limits) -> Propagation {
        Propagation {
            is_true: vec![false; 2 * variables],
            trail: Vec::new(),
            places: vec![0; variables],
            reasons: vec![NONE; variables],
            watches: vec![Vec::new(); 2 * variables],
            is_needed: Vec::new(),
            needed_first: false,
            needed_head: 0,
            head: 0,
            assumed: vec![0; variables],
            question: 0,
            seen: vec![0; variables],
            walk: 0,
            spent: 0,
            looked: 0,
            hints: 0,
            limits: limits.clone(),
        }
    }

    /// Counts work.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), Failure> {
        self.spent += work as u64;
        if self.spent - self.looked < PERIOD {
            return Ok(());
        }
        self.looked = self.spent;
        let is_over = self.limits.ticks.is_some_and(|most| self.spent > most);
        if is_over || self.limits.interrupt.load(Ordering::Relaxed) {
            return Err(Failure::Limit);
        }
        Ok(())
    }

    pub(super) fn holds(&self, lit: Lit) -> bool {
        self.is_true[lit.index()]
    }

    pub(super) fn trail_length(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn is_needed(&self, clause: Number) -> bool {
        self.is_needed.get(clause as usize).copied().unwrap_or(false)
    }

    pub(super) fn need(&mut self, clause: Number) {
        let index = clause as usize;
        if self.is_needed.len() <= index {
            self.is_needed.resize(index + 1, false);
        }
        self.is_needed[index] = true;
    }

    /// From now on the clauses that are needed are propagated first.
    pub(super) fn prefer_needed(&mut self) {
        self.needed_first = true;
        self.needed_head = self.head;
    }

    /// Whether a literal is true because of the clause.
    pub(super) fn is_reason(&self, clauses: &Clauses, clause: Number) -> bool {
        self.place_of(clauses, clause).is_some()
    }

    /// Where on the trail the literal is that follows by the clause.
    pub(super) fn place_of(&self, clauses: &Clauses, clause: Number) -> Option<usize> {
        let follows = |lit: &&Lit| self.holds(**lit) && self.reasons[lit.var().index()] == clause;
        let lit = clauses.literals(clause).iter().take(2).find(follows)?;
        Some(self.places[lit.var().index()] as usize)
    }

    fn assign(&mut self, lit: Lit, reason: Number) {
        self.is_true[lit.index()] = true;
        self.places[lit.var().index()] = self.trail.len() as u32;
        self.reasons[lit.var().index()] = reason;
        self.trail.push(lit);
    }

    /// How good a literal is to watch.
    fn rank(&self, lit: Lit) -> (u8, u32) {
        match (self.holds(lit), self.holds(!lit)) {
            (true, _) => (2, 0),
            (_, true) => (0, self.places[lit.var().index()]),
            _ => (1, 0),
        }
    }

    /// Watches a clause, and assigns its literal if it is unit; returns it if it is false.
    pub(super) fn attach(
        &mut self,
        clauses: &mut Clauses,
        clause: Number,
    ) -> Result<Option<Number>, Failure> {
        if clauses.is_tautology(clause) {
            return Ok(None);
        }
        let literals = clauses.literals_mut(clause);
        self.spend(1 + literals.len())?;
        for place in 0..literals.len().min(2) {
            let rank = |at: &usize| self.rank(literals[*at]);
            let best = (place..literals.len()).max_by_key(rank).expect("there are that many");
            literals.swap(place, best);
        }
        for lit in literals.iter().take(2) {
            self.watches[lit.index()].push(clause);
        }
        let Some(&first) = literals.first() else { return Ok(Some(clause)) };
        let is_open = |lit: &Lit| !self.holds(!*lit);
        match literals.get(1).is_some_and(is_open) {
            false if self.holds(!first) => return Ok(Some(clause)),
            false if !self.holds(first) => self.assign(first, clause),
            _ => {}
        }
        Ok(None)
    }

    /// Watches a clause no more. The latest are looked at first, as backward they go first.
    pub(super) fn detach(&mut self, clauses: &Clauses, clause: Number) -> Result<(), Failure> {
        if clauses.is_tautology(clause) {
            return Ok(());
        }
        for lit in clauses.literals(clause).iter().take(2) {
            let list = &mut self.watches[lit.index()];
            let before = list.len();
            if let Some(at) = list.iter().rposition(|other| *other == clause) {
                list.swap_remove(at);
                self.spend(before - at)?;
            }
        }
        Ok(())
    }

    /// Takes back a question's assignments.
    pub(super) fn undo(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.is_true[lit.index()] = false;
        }
        self.head = self.head.min(length);
        self.needed_head = self.needed_head.min(length);
    }

    /// Takes back what follows from the clauses, from a place on; what still follows by a clause that
    /// watches it is assigned again.
    pub(super) fn cut(&mut self, clauses: &mut Clauses, length: usize) -> Result<(), Failure> {
        let lost: Vec<Lit> = self.trail[length..].to_vec();
        self.undo(length);
        for lit in lost {
            let list = std::mem::take(&mut self.watches[lit.index()]);
            self.spend(1 + list.len())?;
            for &clause in &list {
                if !self.holds(lit) && !self.holds(!lit) {
                    self.regain(clauses, lit, clause)?;
                }
            }
            self.watches[lit.index()].extend(list);
        }
        Ok(())
    }

    /// Finds a clause that watches the open literal `lit` another watch beside it, or assigns `lit`.
    fn regain(&mut self, clauses: &mut Clauses, lit: Lit, clause: Number) -> Result<(), Failure> {
        let literals = clauses.literals_mut(clause);
        if literals.len() == 1 {
            self.assign(lit, clause);
            return Ok(());
        }
        let other = usize::from(literals[0] == lit);
        let watched = literals[other];
        if !self.holds(!watched) {
            return Ok(());
        }
        self.spend(literals.len())?;
        match (2..literals.len()).find(|&at| !self.holds(!literals[at])) {
            Some(at) => {
                literals.swap(other, at);
                let list = &mut self.watches[watched.index()];
                let looked = list.len();
                list.retain(|number| *number != clause);
                self.watches[literals[other].index()].push(clause);
                self.spend(looked)?;
            }
            None => self.assign(lit, clause),
        }
        Ok(())
    }

    /// Propagates; returns a clause that is false, if one is met.
    pub(super) fn settle(&mut self, clauses: &mut Clauses) -> Result<Option<Number>, Failure> {
        loop {
            let (lit, needed) = if self.needed_first && self.needed_head < self.trail.len() {
                self.needed_head += 1;
                (self.trail[self.needed_head - 1], Some(true))
            } else if self.head < self.trail.len() {
                self.head += 1;
                (self.trail[self.head - 1], self.needed_first.then_some(false))
            } else {
                self.needed_head = self.trail.len();
                return Ok(None);
            };
            if let Some(conflict) = self.visit(clauses, !lit, needed)? {
                return Ok(Some(conflict));
            }
        }
    }

    /// Looks at the clauses that watch a literal that is false; all, or those that are needed or not.
    fn visit(
        &mut self,
        clauses: &mut Clauses,
        lit: Lit,
        needed: Option<bool>,
    ) -> Result<Option<Number>, Failure> {
        let mut list = std::mem::take(&mut self.watches[lit.index()]);
        let (mut kept, mut conflict, mut work) = (0, None, list.len());
        for at in 0..list.len() {
            let clause = list[at];
            list[kept] = clause;
            kept += 1;
            if conflict.is_some() || needed.is_some_and(|wanted| self.is_needed(clause) != wanted) {
                continue;
            }
            let literals = clauses.literals_mut(clause);
            if literals.len() == 1 {
                conflict = Some(clause);
                continue;
            }
            let place = usize::from(literals[1] == lit);
            let other = literals[1 - place];
            if self.is_true[other.index()] {
                continue;
            }
            let open = (2..literals.len()).find(|&at| !self.is_true[(!literals[at]).index()]);
            work += open.unwrap_or(literals.len());
            match open {
                Some(open) => {
                    literals.swap(place, open);
                    self.watches[literals[place].index()].push(clause);
                    kept -= 1;
                }
                None if self.is_true[(!other).index()] => conflict = Some(clause),
                None => self.assign(other, clause),
            }
        }
        list.truncate(kept);
        // A clause never comes to watch a false literal, so nothing was added meanwhile.
        self.watches[lit.index()] = list;
        self.spend(work)?;
        Ok(conflict)
    }

    /// Begins a question: nothing is assumed.
    pub(super) fn ask(&mut self) {
        self.question += 1;
    }

    pub(super) fn is_assumed(&self, lit: Lit) -> bool {
        self.assumed[lit.var().index()] == self.question
    }

    /// Makes `lit` true for this question; returns the clause by which it is false already.
    pub(super) fn assume(&mut self, lit: Lit) -> Option<Number> {
        self.assumed[lit.var().index()] = self.question;
        if self.holds(!lit) {
            return Some(self.reasons[lit.var().index()]);
        }
        if !self.holds(lit) {
            self.assign(lit, NONE);
        }
        None
    }

    /// Assumes no more what a part of a question did.
    pub(super) fn withdraw(&mut self, lit: Lit) {
        self.assumed[lit.var().index()] = 0;
    }

    /// The clauses by which `conflict` is false, in the order of propagation, and itself last.
    pub(super) fn chain(
        &mut self,
        clauses: &Clauses,
        conflict: Number,
    ) -> Result<Vec<Number>, Failure> {
        self.walk += 1;
        let mut found: Vec<(u32, Number)> = Vec::new();
        let mut stack: Vec<Number> = vec![conflict];
        while let Some(clause) = stack.pop() {
            self.spend(clauses.literals(clause).len())?;
            for lit in clauses.literals(clause) {
                let var = lit.var().index();
                if std::mem::replace(&mut self.seen[var], self.walk) == self.walk {
                    continue;
                }
                let reason = self.reasons[var];
                if self.assumed[var] != self.question && reason != NONE && self.holds(!*lit) {
                    found.push((self.places[var], reason));
                    stack.push(reason);
                }
            }
        }
        found.sort_unstable();
        let mut chain: Vec<Number> = found.into_iter().map(|(_, clause)| clause).collect();
        chain.push(conflict);
        self.hints += chain.len() as u64;
        match self.limits.hints.is_some_and(|most| self.hints > most) {
            true => Err(Failure::Limit),
            false => Ok(chain),
        }
    }
}
