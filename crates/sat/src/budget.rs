//! How long a call may search.
//!
//! Limits are counts, so that a run is the same on every machine; the flag lets another thread end
//! a call, and is read about once per conflict.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::solver::Solver;
use crate::theory::Theory;

/// What one call of `solve` may spend; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts.
    pub conflicts: Option<u64>,
    /// Propagated literals.
    pub propagations: Option<u64>,
    /// Ticks, as the statistics count them, and those that a theory counts.
    pub ticks: Option<u64>,
}

/// The budget, and where it ends for the running call.
pub(crate) struct Limits {
    budget: Budget,
    conflicts: u64,
    propagations: u64,
    ticks: u64,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        let (conflicts, propagations, ticks) = (u64::MAX, u64::MAX, u64::MAX);
        Limits { budget: Budget::default(), conflicts, propagations, ticks, interrupt: None }
    }
}

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
        let end =
            |used: u64, limit: Option<u64>| limit.map_or(u64::MAX, |n| used.saturating_add(n));
        let Solver { limits, stats, .. } = self;
        limits.conflicts = end(stats.conflicts, limits.budget.conflicts);
        limits.propagations = end(stats.propagations, limits.budget.propagations);
        limits.ticks = end(stats.ticks + self.theory.work(), limits.budget.ticks);
        self.theory.allow(limits.budget.ticks.unwrap_or(u64::MAX));
    }

    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        let Solver { limits, stats, .. } = self;
        stats.conflicts >= limits.conflicts
            || stats.propagations >= limits.propagations
            || stats.ticks + self.theory.work() >= limits.ticks
            || limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
