//! When to begin the search again, and how much of the trail to keep.
//!
//! Focused search restarts when the LBDs of the last few dozen learned clauses are above their
//! long-term average by a margin; stable search after numbers of conflicts in the Luby sequence.
//! A restart keeps the levels whose decisions come before the next decision in the order in use,
//! because they would be decided again.
//!
//! After Audemard, Simon (CP 2012), Biere, Fröhlich (POS 2015); reluctant doubling after Knuth; trail
//! reuse after van der Tak, Ramos, Heule (2011).

use crate::options::Options;
use crate::solver::Solver;
use crate::theory::Theory;

/// An exponential moving average that starts from the first values instead of from zero.
#[derive(Clone, Copy)]
struct Average {
    value: f64,
    biased: f64,
    alpha: f64,
    weight: f64,
}

impl Average {
    fn new(window: f64) -> Average {
        Average { value: 0.0, biased: 0.0, alpha: 1.0 / window, weight: 1.0 }
    }

    fn update(&mut self, sample: f64) {
        self.biased += self.alpha * (sample - self.biased);
        self.weight *= 1.0 - self.alpha;
        self.value = self.biased / (1.0 - self.weight);
    }
}

/// The state of the two schedules.
pub(crate) struct Restarts {
    fast: Average,
    slow: Average,
    restart_at: u64,
    /// Knuth's pair for the Luby sequence.
    luby: (i64, i64),
}

impl Restarts {
    pub(crate) fn new(options: &Options) -> Restarts {
        Restarts {
            fast: Average::new(33.0),
            slow: Average::new(1e5),
            restart_at: if options.mode_stable != 0 {
                u64::from(options.restart_luby)
            } else {
                u64::from(options.restart_interval)
            },
            luby: (1, 1),
        }
    }

    /// Notes the LBD of a learned clause.
    pub(crate) fn learned(&mut self, lbd: u32) {
        self.fast.update(f64::from(lbd));
        self.slow.update(f64::from(lbd));
    }

    /// Begins the schedule of a mode.
    pub(crate) fn switch(&mut self, stable: bool, conflicts: u64, options: &Options) {
        if stable {
            self.luby = (1, 1);
            self.restart_at = conflicts + u64::from(options.restart_luby);
        } else {
            self.restart_at = conflicts + u64::from(options.restart_interval);
        }
    }

    fn next_luby(&mut self) -> u64 {
        let (u, v) = self.luby;
        self.luby = if u & -u == v { (u + 1, 1) } else { (u, 2 * v) };
        self.luby.1 as u64
    }
}

impl<T: Theory> Solver<T> {
    /// The level below which a restart must not go: that of the assumptions.
    pub(crate) fn base_level(&self) -> u32 {
        self.level().min(self.assumptions.len() as u32)
    }

    pub(crate) fn is_restarting(&self) -> bool {
        if self.options.restart == 0
            || self.stats.conflicts < self.restarts.restart_at
            || self.level() as usize <= self.assumptions.len()
        {
            return false;
        }
        let margin = 1.0 + f64::from(self.options.restart_margin) / 100.0;
        self.mode.is_stable() || self.restarts.fast.value > margin * self.restarts.slow.value
    }

    /// Goes back to the first level that would be decided differently.
    pub(crate) fn restart(&mut self) {
        self.stats.restarts += 1;
        self.phases.agreed = self.trail.len();
        let target = self.reusable_level();
        self.stats.reused_levels += u64::from(target - self.base_level());
        self.backtrack(target);
        let delay = if self.mode.is_stable() {
            self.restarts.next_luby() * u64::from(self.options.restart_luby)
        } else {
            u64::from(self.options.restart_interval)
        };
        self.restarts.restart_at = self.stats.conflicts + delay;
    }

    fn reusable_level(&mut self) -> u32 {
        let base = self.base_level();
        if self.options.restart_reuse == 0 || !self.temporary.is_empty() {
            return base;
        }
        let Some(next) = self.next_variable() else { return base };
        let uses_scores = self.uses_scores();
        let stays = |level: &crate::solver::Level| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_luby_sequence() {
        let mut restarts = Restarts::new(&Options::default());
        let first: Vec<u64> = (0..14).map(|_| restarts.next_luby()).collect();
        assert_eq!(first, [1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
