//! What one call may spend, and where that ends for the running one (`budget.rs`).

use crate::stats::Stats;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What one call of `solve` may spend; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts of this call, not of those before.
    pub conflicts: Option<u64>,
    /// Propagated literals.
    pub propagations: Option<u64>,
    /// Ticks, as the statistics count them, and those that a theory counts.
    pub ticks: Option<u64>,
}

/// The budget, and where it ends for the running call.
pub(crate) struct Limits {
    pub(crate) budget: Budget,
    conflicts: u64,
    propagations: u64,
    ticks: u64,
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        let (conflicts, propagations, ticks) = (u64::MAX, u64::MAX, u64::MAX);
        Limits { budget: Budget::default(), conflicts, propagations, ticks, interrupt: None }
    }
}

impl Limits {
    /// Begins a call, given what was spent so far, in ticks by the theory.
    pub(crate) fn start(&mut self, stats: &Stats, work: u64) {
        let end =
            |used: u64, limit: Option<u64>| limit.map_or(u64::MAX, |n| used.saturating_add(n));
        self.conflicts = end(stats.conflicts, self.budget.conflicts);
        self.propagations = end(stats.propagations, self.budget.propagations);
        self.ticks = end(stats.ticks + work, self.budget.ticks);
    }

    /// Whether the running call has spent its budget or is to end.
    #[inline]
    pub(crate) fn are_met(&self, stats: &Stats, work: u64) -> bool {
        stats.conflicts >= self.conflicts
            || stats.propagations >= self.propagations
            || stats.ticks + work >= self.ticks
            || self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
