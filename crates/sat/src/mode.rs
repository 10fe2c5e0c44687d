//! Focused and stable search by turns.
//!
//! Focused search restarts often and follows recent conflicts, which suits refutations; stable
//! search restarts rarely and keeps its phases, which suits models. The first focused phase lasts a
//! number of conflicts; the ticks it took, times the square of the number of rounds, are the length
//! of all later phases, so that both modes get the same share of time.
//!
//! After Oh (SAT 2015) and CaDiCaL (Biere, 2018).

use crate::options::Options;
use crate::solver::Solver;
use crate::theory::Theory;

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
}

impl<T: Theory> Solver<T> {
    pub(crate) fn is_switching(&self) -> bool {
        self.options.mode_switch != 0
            && !self.domain.is_restricted()
            && if self.mode.unit == 0 {
                self.stats.conflicts >= self.mode.ends_at_conflicts
            } else {
                self.stats.ticks >= self.mode.ends_at_ticks
            }
    }

    /// Changes the mode.
    pub(crate) fn switch_mode(&mut self) {
        let ticks = self.stats.ticks;
        let base = self.base_level();
        self.backtrack(base);
        let mode = &mut self.mode;
        if mode.unit == 0 {
            mode.unit = (ticks - mode.began_at_ticks).max(1);
        }
        mode.phases += 1;
        let round = mode.phases / 2 + 1;
        mode.ends_at_ticks = ticks + mode.unit.saturating_mul(round * round);
        mode.stable = !mode.stable;
        self.restarts.switch(mode.stable, self.stats.conflicts, &self.options);
        self.stats.switched += 1;
    }
}
