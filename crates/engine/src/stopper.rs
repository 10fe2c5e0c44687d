//! The flag that ends runs, and why it was raised.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// What made a run end before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The tick budget.
    Ticks,
    /// The time.
    Time,
    /// The memory.
    Memory,
    /// Nothing: another engine answered first.
    Answered,
    /// Nothing: the user interrupted.
    Interrupted,
    /// Nothing: the depth was searched that the user asked for.
    Bound,
}

impl Limit {
    /// The limit in words: "out of …".
    pub fn describe(self) -> &'static str {
        match self {
            Limit::Ticks => "out of ticks",
            Limit::Time => "out of time",
            Limit::Memory => "out of memory",
            Limit::Answered => "another engine answered first",
            Limit::Interrupted => "interrupted",
            Limit::Bound => "came to the bound",
        }
    }
}

/// A flag that asks running engines to stop, and says why. The first reason stays.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<AtomicU8>);

impl Stopper {
    /// A flag that is not raised.
    pub fn new() -> Stopper {
        Stopper::default()
    }

    /// Raises the flag for a reason, unless it is up for another one.
    pub fn stop(&self, limit: Limit) {
        let code = match limit {
            Limit::Ticks => 1,
            Limit::Time => 2,
            Limit::Memory => 3,
            Limit::Answered => 4,
            Limit::Interrupted => 5,
            Limit::Bound => 6,
        };
        // Losing the race means somebody else's reason stays: either is true.
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the flag is raised, if it is.
    pub fn reason(&self) -> Option<Limit> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Limit::Ticks),
            2 => Some(Limit::Time),
            3 => Some(Limit::Memory),
            4 => Some(Limit::Answered),
            5 => Some(Limit::Interrupted),
            _ => Some(Limit::Bound),
        }
    }
}
