//! What runs have seen: branches both ways, cases, how often loops turn; and how far comparisons were
//! from turning out the other way.

use alphorn_problem::Span;
use alphorn_program::c::run::{Branching, State, Watcher};
use alphorn_program::c::tree::Compare;
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that a run did.
pub type Feature = u64;

/// How far a comparison was from an outcome that it did not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The comparison, by its place in the program.
    pub site: u32,
    /// The outcome that it did not have.
    pub outcome: bool,
}

/// What one run passed and how its comparisons came out.
#[derive(Debug, Default)]
pub struct Trail {
    /// How often each branch went each way, by its site.
    counts: FxHashMap<(u32, u32), u32>,
    /// The smallest distance to the outcome that a comparison did not have.
    pub distances: FxHashMap<Target, u128>,
    last: (u32, u32),
}

/// How far two numbers are from comparing as wanted.
fn distance(op: Compare, left: i128, right: i128) -> u128 {
    let apart = left.abs_diff(right);
    match op {
        Compare::Eq => apart,
        Compare::Ne => u128::from(left == right),
        Compare::Lt => {
            if left < right {
                0
            } else {
                apart.saturating_add(1)
            }
        }
        Compare::Le => {
            if left <= right {
                0
            } else {
                apart
            }
        }
        Compare::Gt => {
            if left > right {
                0
            } else {
                apart.saturating_add(1)
            }
        }
        Compare::Ge => {
            if left >= right {
                0
            } else {
                apart
            }
        }
    }
}

/// The comparison that holds where another does not.
fn opposite(op: Compare) -> Compare {
    match op {
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
        Compare::Lt => Compare::Ge,
        Compare::Le => Compare::Gt,
        Compare::Gt => Compare::Le,
        Compare::Ge => Compare::Lt,
    }
}

impl Trail {
    /// What the run did: each thing with the power of two that says how often.
    pub fn features(&self) -> impl Iterator<Item = Feature> {
        self.counts.iter().map(|(&(site, way), &count)| {
            let often = 31 - count.max(1).leading_zeros();
            u64::from(site) << 32 | u64::from(way) << 6 | u64::from(often.min(12))
        })
    }

    fn saw(&mut self, site: u32, way: u32) {
        *self.counts.entry((site, way)).or_insert(0) += 1;
        self.last = (site, way);
    }
}

impl Watcher for Trail {
    fn branch(&mut self, _: Branching, _: Span, site: u32, is_true: bool) {
        self.saw(site, u32::from(is_true));
    }

    fn switch(&mut self, _: Span, site: u32, _: i128, case: Option<usize>) {
        self.saw(site, 2 + case.map_or(0, |case| (case as u32 + 1) & 0x3f_ffff));
    }

    fn compare(&mut self, site: u32, op: Compare, left: i128, right: i128) {
        for (outcome, op) in [(true, op), (false, opposite(op))] {
            let apart = distance(op, left, right);
            let best = self.distances.entry(Target { site, outcome }).or_insert(u128::MAX);
            *best = (*best).min(apart);
        }
    }

    fn enter(&mut self, function: alphorn_program::c::FuncId, _: Span, state: &State<'_>) {
        let depth = usize::BITS - state.depth().leading_zeros();
        self.saw(u32::MAX - function.0, depth);
    }
}

/// What runs so far have passed: a run that adds to it is worth changing further.
#[derive(Debug, Default)]
pub struct Cover {
    seen: FxHashSet<Feature>,
}

impl Cover {
    /// Takes a run in; returns how much of it is new.
    pub fn add(&mut self, trail: &Trail) -> usize {
        trail.features().filter(|&feature| self.seen.insert(feature)).count()
    }
}
