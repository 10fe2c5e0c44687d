//! The registry of Horn engines: one line per engine.

use alphorn_engine::Card;
use alphorn_problem::Horn;

/// All engines for Horn systems, cheap ones first.
pub static HORN_ENGINES: &[Card<Horn>] = &[
    crate::vacuous::CARD,
    crate::recursion_free::CARD,
    crate::forward::CARD,
    crate::houdini::CARD,
    crate::fold::CARD,
    crate::automata::CARD,
    crate::induction::CARD,
    crate::pdr::CARD,
    crate::ts::ic3::CARD,
    crate::ts::tpa::CARD,
    crate::duality::CARD,
    crate::bmc::CARD,
    crate::cells::CARD,
    crate::ts::image::CARD,
    crate::ts::kind::CARD,
    crate::ts::pdkind::CARD,
    crate::ts::imc::CARD,
    crate::la::CARD,
];

/// Presets of engines, for comparison: found by name, and no part of the default portfolio.
pub static HORN_VARIANTS: &[Card<Horn>] = &[
    crate::pdr::UNGUIDED,
    crate::pdr::SEPARATING,
    crate::bmc::FORWARD,
    crate::bmc::BACKWARD,
    crate::cells::PAIRS,
    crate::duality::LOCAL,
    crate::duality::MARK1,
    crate::duality::MARK2,
    crate::duality::MARK3,
    crate::duality::MARK4,
    crate::duality::MARK5,
    crate::la::MARK1,
];
