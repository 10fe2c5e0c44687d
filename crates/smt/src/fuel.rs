//! Work that several solvers may do together.
//!
//! A budget limits one query. Interpolation asks many, of solvers that it makes as it goes, and how
//! many depends on what they answer; fuel is a number of ticks that all of them draw on, so it
//! ends when that is used up, whoever used it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Ticks that are shared: copies draw on the same ones.
#[derive(Clone, Debug)]
pub struct Fuel(Arc<AtomicU64>);

impl Fuel {
    /// So many ticks.
    pub fn new(ticks: u64) -> Fuel {
        Fuel(Arc::new(AtomicU64::new(ticks)))
    }

    /// The ticks left.
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes off ticks that were used.
    pub(crate) fn take(&self, ticks: u64) {
        self.0.store(self.left().saturating_sub(ticks), Ordering::Relaxed);
    }
}
