//! Focused and stable search by turns.
//!
//! Focused search restarts often and follows recent conflicts, which suits refutations; stable
//! search restarts rarely and keeps its phases, which suits models. The first focused phase lasts a
//! number of conflicts; the ticks it took, times the square of the number of rounds, are the length
//! of all later phases, so that both modes get the same share of time.
//!
//! After Oh (SAT 2015) and CaDiCaL (Biere, 2018).

use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    pub(crate) fn is_switching(&self) -> bool {
        self.options.mode_switch != 0
            && !self.domain.is_restricted()
            && self.mode.is_over(&self.stats)
    }

    /// Changes the mode.
    pub(crate) fn switch_mode(&mut self) {
        let base = self.base_level();
        self.backtrack(base);
        self.mode.switch(self.stats.ticks);
        self.restarts.switch(self.mode.is_stable(), self.stats.conflicts, &self.options);
        self.stats.switched += 1;
    }
}
