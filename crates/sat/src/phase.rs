//! Which value a decided variable is given.
//!
//! In this order: the value the user asked for; while stable, the value in the *target*, the
//! largest assignment without conflict since phases were last reset; the value the variable had
//! last; the initial value. Now and then the saved values are *rephased*: set to the initial values,
//! their opposites, the best assignment so far, the negation of what they are, or random ones.
//!
//! After Pipatsrisawat, Darwiche (SAT 2007), Biere, Fleury (2020).

use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Keeps the assignment as target and best if it is the largest without conflict so far.
    pub(crate) fn update_target(&mut self) {
        self.phases.update_target(&self.trail);
    }

    pub(crate) fn is_rephasing(&self) -> bool {
        self.options.phase_rephase != 0
            && !self.domain.is_restricted()
            && self.phases.is_due(self.stats.conflicts)
    }

    /// Resets the saved phases.
    pub(crate) fn rephase(&mut self) {
        let base = self.base_level();
        self.backtrack(base);
        let interval = u64::from(self.options.phase_interval);
        self.phases.rephase(&mut self.random, self.stats.conflicts, interval);
        self.stats.rephased += 1;
    }
}
