//! Which engines a Horn system gets, and how they share the time.
//!
//! No engine is best everywhere, so several run side by side; but on few cores each one more takes
//! time from the others. The shape of the system says which have something to say: folding needs
//! linear clauses, unwinding into trees pays where clauses are not, and a wide state of truth values
//! and reals is a matter for the engines that work on states. Arrays need invariants of all of their
//! elements in many programs, and none of them in those that only hand them on.
//!
//! The weights are shares, measured on problems of each shape (`bench/notes/chc.md`).

use crate::engines::HORN_ENGINES;
use crate::fold::speaks_of_data;
use crate::shape::Shape;
use alphorn_engine::Entry;
use alphorn_problem::Horn;
use alphorn_term::{Sort, SortId};

/// Shares of engines, by name, with how late they begin in milliseconds: those that seldom answer let
/// the others have that much of their time first, each divided by its weight.
type Shares = &'static [(&'static str, u32, u64)];

/// Systems without recursion.
const ACYCLIC: Shares = &[
    ("vacuous", 1, 0),
    ("recursion-free", 6, 0),
    ("image", 20, 0),
    ("forward", 1, 0),
    ("pdr", 6, 0),
    ("duality", 2, 0),
];

/// Recursive systems with several atoms in some body.
const TREES: Shares = &[
    ("vacuous", 1, 0),
    ("forward", 1, 0),
    ("pdr", 10, 0),
    ("duality", 5, 0),
    ("bmc", 2, 0),
    ("houdini", 2, 50),
];

/// Linear systems of few variables.
const NARROW: Shares = &[
    ("vacuous", 1, 0),
    ("forward", 1, 0),
    ("pdr", 10, 0),
    ("duality", 4, 0),
    ("ic3", 3, 0),
    ("bmc", 2, 0),
    ("houdini", 2, 50),
    ("kind", 3, 50),
    ("pdkind", 2, 100),
    ("tpa", 2, 200),
    ("imc", 1, 400),
];

/// Linear systems with a wide state.
const WIDE: Shares = &[
    ("vacuous", 1, 0),
    ("image", 8, 0),
    ("pdr", 20, 0),
    ("ic3", 5, 0),
    ("bmc", 3, 0),
    ("kind", 3, 50),
    ("pdkind", 5, 100),
    ("forward", 1, 100),
    ("tpa", 1, 400),
    ("imc", 1, 400),
];

/// Systems with arrays: invariants of all cells, and those of the elements that clauses name.
const ARRAYS: Shares = &[
    ("vacuous", 1, 0),
    ("recursion-free", 2, 0),
    ("pdr", 10, 0),
    ("cells", 10, 0),
    ("bmc", 4, 0),
    ("forward", 1, 100),
    ("duality", 2, 200),
    ("kind", 1, 400),
];

/// Systems over datatypes.
const DATA: Shares = &[
    ("vacuous", 1, 0),
    ("folds", 10, 0),
    ("automata", 4, 0),
    ("induction", 6, 0),
    ("forward", 2, 0),
    ("bmc", 3, 0),
    ("pdr", 4, 0),
    ("duality", 1, 400),
];

/// From how many arguments on a predicate is wide.
const WIDTH: usize = 25;

/// The engines for a system, with their shares of the time.
pub fn plan(horn: &Horn) -> Vec<Entry<Horn>> {
    let shape = Shape::of(horn);
    let width = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).max().unwrap_or(0);
    let is_array = |&sort: &SortId| matches!(horn.terms.sort_of(sort), Sort::Array(..));
    let has_arrays = horn.pred_ids().any(|pred| horn.pred_args(pred).iter().any(is_array));
    let shares = match shape {
        _ if speaks_of_data(horn) => DATA,
        _ if has_arrays => ARRAYS,
        _ if !shape.is_recursive() => ACYCLIC,
        _ if !shape.is_linear => TREES,
        _ if width < WIDTH => NARROW,
        _ => WIDE,
    };
    let entry = |&(name, weight, late): &(&str, u32, u64)| {
        let card = HORN_ENGINES.iter().find(|card| card.name == name)?;
        Some(Entry { card, weight, late })
    };
    shares.iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_engine() {
        let all = [ACYCLIC, TREES, NARROW, WIDE, DATA, ARRAYS];
        for (name, weight, _) in all.into_iter().flatten() {
            assert!(HORN_ENGINES.iter().any(|card| card.name == *name), "{name}");
            assert!(*weight > 0);
        }
    }
}
