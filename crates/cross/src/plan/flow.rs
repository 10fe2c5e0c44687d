//! Which engines a flow gets, and how they share the time.
//!
//! Whether runs end is open in both directions, so that what ranks and what looks for runs take turns, cheap ones
//! first. The shares were measured on integer transition systems of the termination competition
//! (`bench/notes/flow.md`).

use alphorn_engine::{Entry, Plan};
use alphorn_flow::engines as flow;
use alphorn_problem::{Flow, Temporal};

/// Flows, asked whether every run ends.
static TERMINATION: Plan<Flow> = Plan {
    about: "flows, asked whether every run ends",
    rows: &[
        Entry::share(&flow::LASSO, 2),
        Entry::share(&flow::RANK, 4),
        Entry::share(&flow::RECURRENCE, 4),
        Entry::share(&flow::RANK_UNION, 2).late(200),
    ],
};

/// Flows, asked about a temporal formula.
static TEMPORAL: Plan<Temporal> = Plan {
    about: "flows, asked about a temporal formula",
    rows: &[Entry::share(&flow::LABELS, 1), Entry::share(&flow::LABELS_NOT, 1)],
};

/// All plans for flows.
pub static FLOW_PLANS: &[&Plan<Flow>] = &[&TERMINATION];

/// All plans for temporal formulas.
pub static TEMPORAL_PLANS: &[&Plan<Temporal>] = &[&TEMPORAL];

/// The engines for a flow, with their shares of the time; where runs of it show nothing, those that rank.
pub fn plan_flow(found: &Flow) -> Vec<Entry<Flow>> {
    let rows = TERMINATION.rows.iter().filter(|entry| entry.card.proves || !found.is_loose);
    rows.cloned().collect()
}

/// The engines for a temporal formula, with their shares of the time.
pub fn plan_temporal() -> Vec<Entry<Temporal>> {
    TEMPORAL.rows.to_vec()
}
