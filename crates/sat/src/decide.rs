//! What to decide next: assumptions, then the temporary clause, then a variable.
//!
//! Assumption `i` is decided on level `i + 1`, which is empty if it is true already, so that the
//! levels of two calls with a common prefix of assumptions coincide. The temporary clause needs no
//! activation literal: on the level after the assumptions one of its literals is decided, unless
//! one is true. Clauses learned do not depend on it, because it is never a reason; and it is
//! violated only if all its literals are false under the assumptions alone.
//!
//! Variables come from the heap of scores while the search is stable or restricted to a domain, and
//! from the move-to-front list while it is focused.
//!
//! The treatment of the temporary clause is that of CaDiCaL's `constrain` (Froleyks, Biere, FMCAD
//! 2021).

use crate::analyze::SEEN;
use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::state::OPEN;
use crate::theory::Theory;

/// What deciding came to.
pub(crate) enum Decision {
    /// A literal was decided.
    Made,
    /// An assumption is false.
    FailedAssumption(Lit),
    /// All literals of the temporary clause are false.
    FailedTemporary,
    /// Nothing is left to decide.
    Complete,
}

impl<T: Theory> Solver<T> {
    /// Makes the next decision.
    pub(crate) fn decide_next(&mut self) -> Decision {
        while (self.level() as usize) < self.assumptions.len() {
            let lit = self.assumptions[self.level() as usize];
            if self.is_true(lit) {
                self.push_level(Lit::NONE);
            } else if self.is_false(lit) {
                return Decision::FailedAssumption(lit);
            } else {
                self.decide(lit);
                return Decision::Made;
            }
        }
        if self.level() as usize == self.assumptions.len()
            && !self.temporary.is_empty()
            && let Some(decision) = self.decide_temporary()
        {
            return decision;
        }
        if T::ACTIVE {
            if let Some(lit) = self.theory_decision() {
                let lit = self.next_hot().unwrap_or(lit);
                self.decide(lit);
                return Decision::Made;
            }
            if self.theory.is_enough() {
                return Decision::Complete;
            }
        }
        if self.is_justifying() {
            let hot = if self.domain.keeps_heap() { self.next_scored() } else { None };
            let hot = hot.map(|var| self.phases.choose(var, false));
            let Some(lit) = hot.or_else(|| self.next_justifying()) else {
                return Decision::Complete;
            };
            self.decide(lit);
            return Decision::Made;
        }
        match self.next_variable() {
            Some(var) => {
                let lit = self.phases.choose(var, self.mode.is_stable());
                self.decide(lit);
                Decision::Made
            }
            None => Decision::Complete,
        }
    }

    /// Decides a literal of the temporary clause, unless it is satisfied.
    fn decide_temporary(&mut self) -> Option<Decision> {
        let mut choice: Option<Lit> = None;
        for &lit in &self.temporary {
            if self.is_true(lit) {
                return None;
            }
            if !self.is_false(lit)
                && choice.is_none_or(|best| self.evsids.precedes(lit.var(), best.var()))
            {
                choice = Some(lit);
            }
        }
        let Some(lit) = choice else { return Some(Decision::FailedTemporary) };
        self.decide(lit);
        Some(Decision::Made)
    }

    /// Whether decisions come from the heap of scores.
    pub(crate) fn uses_scores(&self) -> bool {
        self.mode.is_stable() || self.domain.is_restricted() || self.options.decide_vmtf == 0
    }

    /// The variable to decide next, if one is open; it stays in its order.
    pub(crate) fn next_variable(&mut self) -> Option<Var> {
        if !self.uses_scores() {
            let Solver { vmtf, values, simplifier, .. } = self;
            return vmtf
                .next(|var| values[var.positive().index()] == OPEN && simplifier.is_active(var));
        }
        if !self.domain.keeps_heap() {
            return self.next_listed();
        }
        let scored = self.next_scored();
        if scored.is_none() && self.domain.is_restricted() { self.next_listed() } else { scored }
    }

    /// What to decide if conflicts of this query are to guide the choice and not the theory.
    fn next_hot(&mut self) -> Option<Lit> {
        let var = self.next_variable()?;
        let is_hot =
            if self.uses_scores() { self.evsids.is_hot(var) } else { self.vmtf.is_hot(var) };
        is_hot.then(|| self.phases.choose(var, self.mode.is_stable()))
    }

    /// The open variable of the heap with the largest score.
    fn next_scored(&mut self) -> Option<Var> {
        while let Some(var) = self.evsids.top() {
            if self.byte(var.positive()) == OPEN && self.simplifier.is_active(var) {
                return Some(var);
            }
            self.evsids.pop();
        }
        None
    }

    /// Moves the variables of a conflict forward in the order in use.
    pub(crate) fn bump_analyzed(&mut self) {
        if self.uses_scores() {
            if self.options.decide_reasons != 0 && !self.domain.is_restricted() {
                self.mark_reasons();
            }
            for var in &self.scratch.marked {
                self.evsids.bump(*var);
            }
            self.evsids.decay(self.options.decide_decay);
        } else {
            let Solver { scratch, vmtf, values, .. } = self;
            scratch.marked.sort_unstable_by_key(|var| vmtf.stamp(*var));
            for var in &scratch.marked {
                vmtf.bump(*var, values[var.positive().index()] == OPEN);
            }
        }
    }

    /// Adds the literals of the reasons of the learned clause to those to be bumped.
    fn mark_reasons(&mut self) {
        let Solver { scratch, arena, assigned, .. } = self;
        for index in 0..scratch.clause.len() {
            let var = scratch.clause[index].var();
            let Some(reason) = assigned[var.index()].reason.as_clause() else { continue };
            for lit in arena.literals(reason) {
                let var = lit.var();
                if scratch.marks[var.index()] & SEEN == 0 && assigned[var.index()].level > 0 {
                    scratch.marks[var.index()] |= SEEN;
                    scratch.marked.push(var);
                }
            }
        }
    }
}
