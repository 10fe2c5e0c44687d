//! Which engines a circuit gets, and how they share the time.
//!
//! The weights were measured on problems of the competition (`bench/notes/hw.md`).

use crate::settings::PLAN_FEW_LATCHES;
use alphorn_engine::{Card, Entry, Plan};
use alphorn_hw::engines as circuit;
use alphorn_problem::Circuit;

/// A row of a plan.
const fn share(card: &'static Card<Circuit>, weight: u32) -> Entry<Circuit> {
    Entry::share(card, weight)
}

/// Safety properties.
static SAFETY: Plan<Circuit> = Plan {
    about: "safety properties",
    rows: &[
        share(&circuit::IC3, 10),
        share(&circuit::LEAP, 3),
        share(&circuit::SIM, 1),
        share(&circuit::SLICED_SIM, 1).late(10),
        share(&circuit::SLICED_IC3, 2).late(20),
        share(&circuit::KIND, 2).late(50),
        share(&circuit::EXPLICIT, 1).late(100),
        share(&circuit::BMC, 1).late(100),
        share(&circuit::AVY, 3).late(200),
        share(&circuit::IC3_INTERNAL, 4).late(300),
    ],
};

/// Where images are computed as decision diagrams: what no small number of clauses says may be a small diagram.
static FEW_LATCHES: Plan<Circuit> = Plan {
    about: "safety properties of circuits with few latches, beside the others",
    rows: &[share(&circuit::IMC, 12).late(30)],
};

/// Where images are proofs alone.
static MANY_LATCHES: Plan<Circuit> = Plan {
    about: "safety properties of circuits with many latches, beside the others",
    rows: &[share(&circuit::IMC, 2).late(400)],
};

/// Justice properties.
static JUSTICE: Plan<Circuit> = Plan {
    about: "justice properties",
    rows: &[
        share(&circuit::RLIVE, 4),
        share(&circuit::LASSO, 2),
        share(&circuit::KLIVE, 2).late(20),
        share(&circuit::L2S, 1).late(100),
    ],
};

/// All plans for circuits.
pub static CIRCUIT_PLANS: &[&Plan<Circuit>] = &[&SAFETY, &FEW_LATCHES, &MANY_LATCHES, &JUSTICE];

/// The engines for a circuit, with their shares of the time.
pub fn plan_circuit(circuit: &Circuit) -> Vec<Entry<Circuit>> {
    let is_justice = circuit.safety().is_empty() && !circuit.justice.is_empty();
    if is_justice {
        return JUSTICE.rows.to_vec();
    }
    let has_few = circuit.latches.len() <= PLAN_FEW_LATCHES.size();
    let images = if has_few { &FEW_LATCHES } else { &MANY_LATCHES };
    SAFETY.rows.iter().chain(images.rows).copied().collect()
}
