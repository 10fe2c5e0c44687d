//! When learned clauses are next forgotten (`reduce.rs`).

use crate::options::Options;

/// When to reduce next.
pub(crate) struct Reductions {
    pub(crate) reduce_at: u64,
    /// How many learned clauses the last reduction between queries has left.
    pub(crate) left: usize,
}

impl Reductions {
    pub(crate) fn new(options: &Options) -> Reductions {
        Reductions { reduce_at: u64::from(options.reduce_interval), left: 0 }
    }
}
