//! Simplification between conflicts, and which variables it has taken out of the formula.
//!
//! Rounds come at growing intervals of conflicts, on level 0, and only in queries without a domain:
//! small incremental queries never see one. Each technique has its file, its switch and its share
//! of the ticks that the search has spent. A variable that was eliminated or replaced comes back
//! when the user mentions it again, so that simplification is invisible from outside; freezing a
//! variable spares the detour.
//!
//! After Järvisalo, Heule, Biere, "Inprocessing Rules" (IJCAR 2012).

mod dense;
mod eliminate;
mod equivalence;
mod forward;
mod gates;
mod occurrences;
mod probe;
mod reconstruct;
mod root;
mod subsume;
mod vivify;

use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::theory::Theory;

/// Ticks per clause that eliminating variables from a whole formula takes, roughly.
const PASS: u64 = 20;

impl<T: Theory> Solver<T> {
    /// Keeps simplification from taking the variable out; undone by as many calls of `melt`.
    pub fn freeze(&mut self, var: Var) {
        self.reactivate(&[var.positive()]);
        self.simplifier.frozen[var.index()] += 1;
    }

    /// Undoes one `freeze`.
    pub fn melt(&mut self, var: Var) {
        let count = &mut self.simplifier.frozen[var.index()];
        *count = count.saturating_sub(1);
    }

    /// Brings back the variables of `literals` that were taken out of the formula.
    #[inline]
    pub(crate) fn reactivate(&mut self, literals: &[Lit]) {
        if self.simplifier.inactive_count > 0 {
            self.restore_all(literals);
        }
    }

    pub(crate) fn is_simplifying(&self) -> bool {
        self.options.inprocess != 0
            && !self.domain.is_restricted()
            && self.stats.conflicts >= self.simplifier.due_at
    }

    /// One round of simplification.
    pub(crate) fn inprocess(&mut self) {
        self.stats.inprocessings += 1;
        self.phases.agreed = 0;
        self.backtrack(0);
        self.settle_trace();
        self.trim_trace_if_due();
        let (ticks, propagations) = (self.stats.ticks, self.stats.propagations);
        let effort = ticks - self.simplifier.searched;
        let saves = std::mem::replace(&mut self.phases.saves, false);
        self.clean();
        if self.options.probe != 0 {
            self.probe(effort / 20);
        }
        if self.options.subsume_forward != 0 {
            self.subsume_forward(effort / 10 + 20_000);
        }
        if self.options.vivify != 0 {
            self.vivify(effort / 1000 * u64::from(self.options.vivify_effort));
        }
        // A theory may be told of any variable, so none is taken out.
        if !T::ACTIVE {
            if self.options.equivalence != 0 {
                self.substitute();
            }
            if self.options.eliminate != 0 || self.options.subsume != 0 {
                // Less than one pass over the formula leaves most variables where they are.
                let pass = PASS * self.irredundant.len() as u64;
                self.simplify_densely(effort / 5 + pass);
            }
        }
        self.clean();
        self.phases.saves = saves;
        self.stats.simplify_ticks += self.stats.ticks - ticks;
        (self.stats.ticks, self.stats.propagations) = (ticks, propagations);
        self.simplifier.searched = ticks;
        let interval = u64::from(self.options.inprocess_interval);
        let rounds = self.stats.inprocessings + 1;
        self.simplifier.due_at = self.stats.conflicts + interval * rounds;
    }

    /// Notes that a clause of the formula goes or gets shorter, so that its variables are worth trying again.
    pub(crate) fn touch(&mut self, clause: ClauseRef) {
        if !self.arena.is_learned(clause) {
            for lit in self.arena.literals(clause) {
                self.simplifier.touched[lit.var().index()] = true;
            }
        }
    }

    /// Whether a variable may be taken out of the formula: open, unfrozen and in no use.
    pub(crate) fn may_be_taken_out(&self, var: Var) -> bool {
        self.is_open(var.positive())
            && self.simplifier.is_active(var)
            && self.simplifier.frozen[var.index()] == 0
            && !self.groups.is_activation(var)
    }

    /// Freezes the variables of the running query, or melts them.
    pub(crate) fn hold_query(&mut self, hold: bool) {
        for index in 0..self.assumptions.len() + self.temporary.len() {
            let lit = match index.checked_sub(self.assumptions.len()) {
                None => self.assumptions[index],
                Some(index) => self.temporary[index],
            };
            let count = &mut self.simplifier.frozen[lit.var().index()];
            *count = if hold { *count + 1 } else { count.saturating_sub(1) };
        }
    }
}
