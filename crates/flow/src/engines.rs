//! The registry of engines for flows: one line per engine, and one for its name.

use alphorn_engine::Card;
use alphorn_problem::Flow;

/// All engines for flows, cheap ones first.
pub static FLOW_ENGINES: &[Card<Flow>] = &[];
