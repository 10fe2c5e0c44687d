//! When the search next begins again: averages of LBDs, and the Luby sequence (`restart.rs`).

use crate::options::Options;

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

/// Averages over the last few dozen learned clauses, and over all of a mode.
struct Averages {
    fast: Average,
    slow: Average,
}

impl Averages {
    fn new() -> Averages {
        Averages { fast: Average::new(33.0), slow: Average::new(1e5) }
    }
}

/// The state of the two schedules.
pub(crate) struct Restarts {
    /// Of the mode in use, and of the other one.
    averages: [Averages; 2],
    restart_at: u64,
    /// Knuth's pair for the Luby sequence.
    luby: (i64, i64),
}

impl Restarts {
    pub(crate) fn new(options: &Options) -> Restarts {
        Restarts {
            averages: [Averages::new(), Averages::new()],
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
        self.averages[0].fast.update(f64::from(lbd));
        self.averages[0].slow.update(f64::from(lbd));
    }

    /// Begins the schedule of a mode.
    pub(crate) fn switch(&mut self, stable: bool, conflicts: u64, options: &Options) {
        self.averages.swap(0, 1);
        if stable {
            self.luby = (1, 1);
            self.restart_at = conflicts + u64::from(options.restart_luby);
        } else {
            self.restart_at = conflicts + u64::from(options.restart_interval);
        }
    }

    /// Whether enough conflicts have passed for another one.
    pub(crate) fn is_due(&self, conflicts: u64) -> bool {
        conflicts >= self.restart_at
    }

    /// Whether the last clauses are worse than all of them by a factor.
    pub(crate) fn is_getting_worse(&self, margin: f64) -> bool {
        let Averages { fast, slow } = &self.averages[0];
        fast.value > margin * slow.value
    }

    /// Says how long the search goes on before the next one.
    pub(crate) fn plan_next(&mut self, is_stable: bool, conflicts: u64, options: &Options) {
        let delay = if is_stable {
            self.next_luby() * u64::from(options.restart_luby)
        } else {
            u64::from(options.restart_interval)
        };
        self.restart_at = conflicts + delay;
    }

    fn next_luby(&mut self) -> u64 {
        let (u, v) = self.luby;
        self.luby = if u & -u == v { (u + 1, 1) } else { (u, 2 * v) };
        self.luby.1 as u64
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
