//! Which engines a Horn system gets, and how they share the time.
//!
//! No engine is best everywhere, so several run side by side; but on few cores each one more takes
//! time from the others. The shape of the system says which have something to say: folding needs
//! linear clauses, unwinding into trees pays where clauses are not, and a wide state of truth values
//! and reals is a matter for the engines that work on states.
//!
//! The weights are shares, measured on problems of each shape (`bench/notes/chc.md`).

use crate::engines::HORN_ENGINES;
use crate::shape::Shape;
use alphorn_engine::Entry;
use alphorn_problem::Horn;

/// Shares of engines, by name.
type Shares = &'static [(&'static str, u32)];

/// Systems without recursion.
const ACYCLIC: Shares =
    &[("vacuous", 1), ("recursion-free", 6), ("forward", 1), ("pdr", 6), ("duality", 2)];

/// Recursive systems with several atoms in some body.
const TREES: Shares = &[("vacuous", 1), ("forward", 1), ("pdr", 10), ("duality", 5)];

/// Linear systems of few variables.
const NARROW: Shares = &[
    ("vacuous", 1),
    ("forward", 1),
    ("pdr", 10),
    ("duality", 4),
    ("ic3", 3),
    ("kind", 3),
    ("tpa", 2),
    ("pdkind", 2),
    ("bmc", 2),
    ("imc", 1),
];

/// Linear systems with a wide state.
const WIDE: Shares = &[
    ("vacuous", 1),
    ("pdr", 10),
    ("ic3", 5),
    ("pdkind", 5),
    ("kind", 3),
    ("bmc", 3),
    ("forward", 1),
    ("tpa", 1),
    ("imc", 1),
];

/// From how many arguments on a predicate is wide.
const WIDTH: usize = 25;

/// The engines for a system, with their shares of the time.
pub fn plan(horn: &Horn) -> Vec<Entry<Horn>> {
    let shape = Shape::of(horn);
    let width = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).max().unwrap_or(0);
    let shares = match shape {
        _ if !shape.is_recursive() => ACYCLIC,
        _ if !shape.is_linear => TREES,
        _ if width < WIDTH => NARROW,
        _ => WIDE,
    };
    let entry = |&(name, weight): &(&str, u32)| {
        let card = HORN_ENGINES.iter().find(|card| card.name == name)?;
        Some(Entry { card, weight })
    };
    shares.iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_engine() {
        for (name, weight) in [ACYCLIC, TREES, NARROW, WIDE].into_iter().flatten() {
            assert!(HORN_ENGINES.iter().any(|card| card.name == *name), "{name}");
            assert!(*weight > 0);
        }
    }
}
