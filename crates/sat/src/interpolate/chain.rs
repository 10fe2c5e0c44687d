//! Resolution chains out of hints.
//!
//! The negation of a derived clause is propagated through its hints until one is false. Read
//! backwards along the trail, the reasons of what led there are resolved one by one; hints that did
//! not matter drop out, and the result may be shorter than the clause. Propagation normally takes
//! the hints in their order; it can also take them by partition, the smallest first, until nothing
//! follows any more, which keeps derivations inside partitions.
//!
//! Unit clauses can be made part of a trail that stays, with the clauses that imply them as reasons,
//! so that chains reach through them to what they follow from.
//!
//! We propagate through the hints of the clause only, where Gurfinkel and Vizel propagate through
//! all active clauses: that needs no watches and is linear in the proof, but finds no derivation
//! that the solver did not.

use super::store::Store;
use crate::literal::{Lit, Var};

/// Stands for the reason of a literal of the negated clause.
pub(super) const NO_REASON: u32 = u32::MAX;

/// One resolution chain: `start` resolved with a clause at each step, on a literal of the resolvent
/// whose negation the clause has.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) start: usize,
    pub(super) steps: Vec<(Lit, usize)>,
    /// What is left.
    pub(super) literals: Vec<Lit>,
}

/// A trail of literals and their reasons.
pub(super) struct Propagation {
    /// For each literal the propagation that made it true last.
    stamps: Vec<u32>,
    clock: u32,
    reasons: Vec<u32>,
    positions: Vec<u32>,
    trail: Vec<Lit>,
    /// For each literal whether it is true for good.
    is_fixed: Vec<bool>,
    fixed_reasons: Vec<u32>,
    fixed_positions: Vec<u32>,
    fixed: u32,
    /// For each variable the chain that met it last.
    met: Vec<u32>,
    chains: u32,
    order: Vec<usize>,
}

/// What propagation makes of a clause.
enum Status {
    True,
    Open,
    Unit(Lit),
    False,
}

impl Propagation {
    pub(super) fn new(variables: u32) -> Propagation {
        let variables = variables as usize;
        Propagation {
            stamps: vec![0; 2 * variables],
            clock: 0,
            reasons: vec![NO_REASON; variables],
            positions: vec![0; variables],
            trail: Vec::new(),
            is_fixed: vec![false; 2 * variables],
            fixed_reasons: vec![NO_REASON; variables],
            fixed_positions: vec![0; variables],
            fixed: 0,
            met: vec![0; variables],
            chains: 0,
            order: Vec::new(),
        }
    }

    /// Whether the running propagation assigned the variable.
    #[inline]
    fn is_assigned(&self, var: Var) -> bool {
        self.stamps[var.positive().index()] == self.clock
            || self.stamps[var.negative().index()] == self.clock
    }

    #[inline]
    fn is_true(&self, lit: Lit) -> bool {
        self.stamps[lit.index()] == self.clock
            || (self.is_fixed[lit.index()] && self.stamps[(!lit).index()] != self.clock)
    }

    /// The clause that implies the true literal of the variable, unless it is of the negated clause.
    pub(super) fn reason(&self, var: Var) -> Option<usize> {
        let reasons = if self.is_assigned(var) { &self.reasons } else { &self.fixed_reasons };
        let reason = reasons[var.index()];
        (reason != NO_REASON).then_some(reason as usize)
    }

    pub(super) fn set_reason(&mut self, var: Var, reason: usize) {
        let is_assigned = self.is_assigned(var);
        let reasons = if is_assigned { &mut self.reasons } else { &mut self.fixed_reasons };
        reasons[var.index()] = reason as u32;
    }

    /// The place of the variable on the trail; what is fixed comes first.
    pub(super) fn position(&self, var: Var) -> u32 {
        match self.is_assigned(var) {
            true => self.fixed + self.positions[var.index()],
            false => self.fixed_positions[var.index()],
        }
    }

    /// Fixes a literal that `reason` implies, unless its negation is fixed.
    pub(super) fn fix(&mut self, lit: Lit, reason: usize) {
        if !self.is_fixed[lit.index()] && !self.is_fixed[(!lit).index()] {
            self.is_fixed[lit.index()] = true;
            self.fixed_reasons[lit.var().index()] = reason as u32;
            self.fixed_positions[lit.var().index()] = self.fixed;
            self.fixed += 1;
        }
    }

    /// The reason of a literal that is fixed.
    pub(super) fn fixed_reason(&self, lit: Lit) -> Option<usize> {
        self.is_fixed[lit.index()].then(|| self.fixed_reasons[lit.var().index()] as usize)
    }

    /// Whether a unit clause's negation alone, with what is fixed, made a clause false.
    pub(super) fn is_immediate(&self) -> bool {
        self.trail.len() <= 1
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        self.stamps[lit.index()] = self.clock;
        self.reasons[lit.var().index()] = reason;
        self.positions[lit.var().index()] = self.trail.len() as u32;
        self.trail.push(lit);
    }

    fn status(&self, literals: &[Lit]) -> Status {
        let mut open = None;
        for lit in literals {
            if self.is_true(*lit) {
                return Status::True;
            }
            if !self.is_true(!*lit) && open != Some(*lit) {
                if open.is_some() {
                    return Status::Open;
                }
                open = Some(*lit);
            }
        }
        open.map_or(Status::False, Status::Unit)
    }

    /// Refutes the negation of a clause by its hints; returns the one that is false in the end.
    pub(super) fn refute(
        &mut self,
        store: &Store,
        literals: &[Lit],
        hints: &[usize],
        by_color: bool,
    ) -> Option<usize> {
        self.clock += 1;
        self.trail.clear();
        for lit in literals {
            // Fixed literals of the clause stay in it rather than be resolved away.
            if !self.is_assigned(lit.var()) {
                self.assign(!*lit, NO_REASON);
            }
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend_from_slice(hints);
        if by_color {
            order.sort_by_key(|hint| store.color(*hint));
        }
        let conflict = self.propagate(store, &mut order, by_color);
        self.order = order;
        conflict
    }

    /// Goes through the clauses until one is false; what is used up leaves `order`.
    fn propagate(
        &mut self,
        store: &Store,
        order: &mut Vec<usize>,
        by_color: bool,
    ) -> Option<usize> {
        let mut limit = order.first().map_or(0, |hint| store.color(*hint));
        loop {
            let mut progress = false;
            let mut conflict = None;
            let mut next_limit = u32::MAX;
            order.retain(|hint| {
                if conflict.is_some() {
                    return true;
                }
                if by_color && store.color(*hint) > limit {
                    next_limit = next_limit.min(store.color(*hint));
                    return true;
                }
                match self.status(store.literals(*hint)) {
                    Status::True => return false,
                    Status::Open => return true,
                    Status::Unit(lit) => self.assign(lit, *hint as u32),
                    Status::False => conflict = Some(*hint),
                }
                progress = true;
                false
            });
            if conflict.is_some() {
                return conflict;
            }
            if !progress {
                if next_limit == u32::MAX {
                    return None;
                }
                limit = next_limit;
            }
        }
    }

    /// The chain from the false clause to a part of the clause whose negation was propagated.
    pub(super) fn chain(&mut self, store: &Store, conflict: usize, chain: &mut Chain) {
        chain.start = conflict;
        chain.steps.clear();
        chain.literals.clear();
        self.chains += 1;
        let mark = self.chains;
        for lit in store.literals(conflict) {
            self.met[lit.var().index()] = mark;
        }
        for lit in self.trail.iter().rev() {
            let var = lit.var();
            if self.met[var.index()] != mark {
                continue;
            }
            let reason = self.reasons[var.index()];
            if reason == NO_REASON {
                chain.literals.push(!*lit);
                continue;
            }
            chain.steps.push((!*lit, reason as usize));
            for other in store.literals(reason as usize) {
                self.met[other.var().index()] = mark;
            }
        }
    }
}
