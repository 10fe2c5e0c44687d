//! The registry of Horn engines: one line per engine.

use alphorn_engine::Card;
use alphorn_problem::Horn;

/// All engines for Horn systems, cheap ones first.
pub static HORN_ENGINES: &[Card<Horn>] = &[
    crate::vacuous::CARD,
    crate::recursion_free::CARD,
    crate::forward::CARD,
    crate::pdr::CARD,
    crate::ts::bmc::CARD,
    crate::ts::kind::CARD,
    crate::ts::pdkind::CARD,
    crate::ts::imc::CARD,
];
