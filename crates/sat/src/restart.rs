//! When to begin the search again, and how much of the trail to keep.
//!
//! Focused search restarts when the LBDs of the last few dozen learned clauses are above their
//! long-term average by a margin; stable search after numbers of conflicts in the Luby sequence.
//! Each mode has its own averages: clauses of stable search have smaller LBDs, beside which focused search
//! would hardly ever seem to get worse.
//! A restart keeps the levels whose decisions come before the next decision in the order in use,
//! because they would be decided again.
//!
//! After Audemard, Simon (CP 2012), Biere, Fröhlich (POS 2015); reluctant doubling after Knuth; trail
//! reuse after van der Tak, Ramos, Heule (2011).

use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// The level below which a restart must not go: that of the assumptions.
    pub(crate) fn base_level(&self) -> u32 {
        self.level().min(self.assumptions.len() as u32)
    }

    pub(crate) fn is_restarting(&self) -> bool {
        if self.options.restart == 0
            || !self.restarts.is_due(self.stats.conflicts)
            || self.level() as usize <= self.assumptions.len()
        {
            return false;
        }
        let margin = 1.0 + f64::from(self.options.restart_margin) / 100.0;
        self.mode.is_stable() || self.restarts.is_getting_worse(margin)
    }

    /// Goes back to the first level that would be decided differently.
    pub(crate) fn restart(&mut self) {
        self.stats.restarts += 1;
        self.phases.agreed = self.trail.len();
        let target = self.reusable_level();
        self.stats.reused_levels += u64::from(target - self.base_level());
        self.backtrack(target);
        self.restarts.plan_next(self.mode.is_stable(), self.stats.conflicts, &self.options);
    }

    fn reusable_level(&mut self) -> u32 {
        let base = self.base_level();
        if self.options.restart_reuse == 0 || !self.temporary.is_empty() {
            return base;
        }
        let Some(next) = self.next_variable() else { return base };
        let uses_scores = self.uses_scores();
        let stays = |level: &crate::state::Level| {
            let var = level.decision.var();
            if uses_scores {
                self.evsids.precedes(var, next)
            } else {
                self.vmtf.stamp(var) > self.vmtf.stamp(next)
            }
        };
        let decisions = &self.levels[base as usize + 1..];
        base + decisions.iter().take_while(|level| stays(level)).count() as u32
    }
}
