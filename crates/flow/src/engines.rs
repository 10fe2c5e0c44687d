//! The registry of engines for flows: one line per engine, and one for its name.

use alphorn_engine::Card;
use alphorn_problem::{Flow, Temporal};

/// All engines for flows, cheap ones first.
pub static FLOW_ENGINES: &[Card<Flow>] = &[];

/// All engines for temporal formulas.
pub static TEMPORAL_ENGINES: &[Card<Temporal>] = &[];
