//! Which mode of search is on, and when it ends (`mode.rs` beside this folder).

use crate::options::Options;
use crate::stats::Stats;

/// Which mode, and when it ends.
pub(crate) struct Mode {
    stable: bool,
    phases: u64,
    /// Ticks of the first phase; 0 while it lasts.
    unit: u64,
    ends_at_conflicts: u64,
    ends_at_ticks: u64,
    began_at_ticks: u64,
}

impl Mode {
    pub(crate) fn new(options: &Options) -> Mode {
        Mode {
            stable: options.mode_stable != 0,
            phases: 0,
            unit: 0,
            ends_at_conflicts: u64::from(options.mode_interval),
            ends_at_ticks: u64::MAX,
            began_at_ticks: 0,
        }
    }

    #[inline]
    pub(crate) fn is_stable(&self) -> bool {
        self.stable
    }

    /// Whether it has lasted long enough.
    pub(crate) fn is_over(&self, stats: &Stats) -> bool {
        if self.unit == 0 {
            stats.conflicts >= self.ends_at_conflicts
        } else {
            stats.ticks >= self.ends_at_ticks
        }
    }

    /// Begins the other one.
    pub(crate) fn switch(&mut self, ticks: u64) {
        if self.unit == 0 {
            self.unit = (ticks - self.began_at_ticks).max(1);
        }
        self.phases += 1;
        let round = self.phases / 2 + 1;
        self.ends_at_ticks = ticks + self.unit.saturating_mul(round * round);
        self.stable = !self.stable;
    }
}
