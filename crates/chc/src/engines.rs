//! The registry of Horn engines: one line per engine, and one for its name.

use alphorn_engine::Card;
use alphorn_problem::Horn;

pub use crate::accel::ABMC;
pub use crate::automata::CARD as AUTOMATA;
pub use crate::bmc::CARD as BMC;
pub use crate::cegar::CARD as CEGAR;
pub use crate::cells::CARD as CELLS;
pub use crate::duality::CARD as DUALITY;
pub use crate::enumerate::CARD as ENUMERATE;
pub use crate::fold::CARD as FOLDS;
pub use crate::forward::CARD as FORWARD;
pub use crate::heaps::CARD as HEAPS;
pub use crate::houdini::CARD as HOUDINI;
pub use crate::induction::CARD as INDUCTION;
pub use crate::la::CARD as LA;
pub use crate::pdr::CARD as PDR;
pub use crate::polyhedra::CARD as POLYHEDRA;
pub use crate::polynomials::CARD as POLYNOMIALS;
pub use crate::samples::CARD as SAMPLES;
pub use crate::sld::CARD as SLD;
pub use crate::ts::ic3::CARD as IC3;
pub use crate::ts::image::CARD as IMAGE;
pub use crate::ts::imc::CARD as IMC;
pub use crate::ts::kind::CARD as KIND;
pub use crate::ts::pdkind::CARD as PDKIND;
pub use crate::ts::tpa::CARD as TPA;
pub use crate::vacuous::CARD as VACUOUS;
pub use crate::wqo::CARD as WQO;
pub use crate::wqo::iic::CARD as IIC;
pub use crate::wqo::karp_miller::CARD as KARP_MILLER;
pub use crate::zones::CARD as ZONES;
pub use alphorn_horn::recursion_free::CARD as RECURSION_FREE;

/// All engines for Horn systems, cheap ones first.
pub static HORN_ENGINES: &[Card<Horn>] = &[
    VACUOUS,
    RECURSION_FREE,
    FORWARD,
    HOUDINI,
    FOLDS,
    AUTOMATA,
    INDUCTION,
    POLYHEDRA,
    POLYNOMIALS,
    SAMPLES,
    PDR,
    WQO,
    IIC,
    KARP_MILLER,
    ZONES,
    IC3,
    TPA,
    DUALITY,
    CEGAR,
    BMC,
    ABMC,
    SLD,
    ENUMERATE,
    CELLS,
    HEAPS,
    IMAGE,
    KIND,
    PDKIND,
    IMC,
    LA,
];

/// Presets of engines, for comparison: found by name, and no part of the default portfolio.
pub static HORN_VARIANTS: &[Card<Horn>] = &[
    crate::pdr::UNGUIDED,
    crate::pdr::SEPARATING,
    crate::bmc::FORWARD,
    crate::bmc::BACKWARD,
    crate::cegar::ACCELERATED,
    crate::cegar::DISJUNCTIVE,
    crate::cegar::GLOBAL,
    crate::cegar::PATH,
    crate::cegar::PLAIN,
    crate::cells::CEGAR,
    crate::cells::PAIRS,
    crate::duality::LOCAL,
    crate::duality::WHOLE,
    crate::duality::MARK1,
    crate::duality::MARK2,
    crate::duality::MARK3,
    crate::duality::MARK4,
    crate::duality::MARK5,
    crate::duality::MARK6,
    crate::duality::MARK7,
    crate::la::MARK1,
    crate::la::MARK2,
    crate::la::MARK3,
    crate::la::MARK4,
    crate::la::MARK5,
    crate::la::MARK6,
    crate::la::MARK7,
];
