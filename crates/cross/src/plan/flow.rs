//! Which engines a flow gets, and how they share the time.

use alphorn_engine::{Entry, Plan};
use alphorn_flow::engines::{FLOW_ENGINES, TEMPORAL_ENGINES};
use alphorn_problem::{Flow, Temporal};

/// All plans for flows.
pub static FLOW_PLANS: &[&Plan<Flow>] = &[];

/// The engines for a flow, with their shares of the time.
pub fn plan_flow(_flow: &Flow) -> Vec<Entry<Flow>> {
    FLOW_ENGINES.iter().map(|card| Entry::share(card, 1)).collect()
}

/// The engines for a temporal formula, with their shares of the time.
pub fn plan_temporal(_problem: &Temporal) -> Vec<Entry<Temporal>> {
    TEMPORAL_ENGINES.iter().map(|card| Entry::share(card, 1)).collect()
}
