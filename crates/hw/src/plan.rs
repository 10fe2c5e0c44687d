//! Which engines a circuit gets, and how they share the time.
//!
//! No engine is best everywhere, so several run side by side; but on few cores each one more takes
//! time from the others. The weights are shares, measured on problems of the competition
//! (`bench/notes/hw.md`).

use crate::engines::CIRCUIT_ENGINES;
use alphorn_engine::Entry;
use alphorn_problem::Circuit;

/// Shares of engines, by name, with how late they begin in milliseconds: those that seldom answer let
/// the others have that much of their time first, each divided by its weight.
type Shares = &'static [(&'static str, u32, u64)];

/// Safety properties.
const SAFETY: Shares = &[
    ("ic3", 10, 0),
    ("leap", 3, 0),
    ("sim", 1, 0),
    ("kind", 2, 50),
    ("explicit", 1, 100),
    ("bmc", 1, 100),
    ("avy", 3, 200),
    ("ic3-internal", 4, 300),
    ("imc", 2, 400),
];

/// Justice properties.
const JUSTICE: Shares = &[("rlive", 4, 0), ("lasso", 2, 0), ("klive", 2, 20), ("l2s", 1, 100)];

/// The engines for a circuit, with their shares of the time.
pub fn plan_circuit(circuit: &Circuit) -> Vec<Entry<Circuit>> {
    let shares =
        if circuit.safety().is_empty() && !circuit.justice.is_empty() { JUSTICE } else { SAFETY };
    let entry = |&(name, weight, late): &(&str, u32, u64)| {
        let card = CIRCUIT_ENGINES.iter().find(|card| card.name == name)?;
        Some(Entry { card, weight, late })
    };
    shares.iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_engine() {
        for (name, weight, _) in SAFETY.iter().chain(JUSTICE) {
            assert!(CIRCUIT_ENGINES.iter().any(|card| card.name == *name), "{name}");
            assert!(*weight > 0);
        }
    }
}
