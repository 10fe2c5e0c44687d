//! The registry of engines for flows: one line per engine, and one for its name.

use alphorn_engine::Card;
use alphorn_problem::{Flow, Temporal};

pub use crate::rank::CARD as RANK;
pub use crate::rank::union::CARD as RANK_UNION;
pub use crate::recur::LASSO;
pub use crate::recur::RECURRENCE;
pub use crate::temporal::FAILS as LABELS_NOT;
pub use crate::temporal::HOLDS as LABELS;

/// All engines for flows, cheap ones first.
pub static FLOW_ENGINES: &[Card<Flow>] = &[LASSO, RANK, RECURRENCE, RANK_UNION];

/// All engines for temporal formulas.
pub static TEMPORAL_ENGINES: &[Card<Temporal>] = &[LABELS, LABELS_NOT];
