//! How long a call may search.
//!
//! Limits are counts, so that a run is the same on every machine; the flag lets another thread end
//! a call, and is read about once per conflict.

use crate::solver::Solver;
use crate::state::Budget;
use crate::theory::Theory;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl<T: Theory> Solver<T> {
    /// Limits each of the following calls of `solve`.
    pub fn set_budget(&mut self, budget: Budget) {
        self.limits.budget = budget;
    }

    /// What each call of `solve` may spend.
    pub fn budget(&self) -> Budget {
        self.limits.budget
    }

    /// Ends calls of `solve` soon after `flag` becomes true.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.limits.interrupt = Some(flag);
    }

    pub(crate) fn start_budget(&mut self) {
        self.limits.start(&self.stats, self.theory.work());
        self.theory.allow(self.limits.budget.ticks.unwrap_or(u64::MAX));
    }

    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.limits.are_met(&self.stats, self.theory.work())
    }
}
