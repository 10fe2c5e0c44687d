//! What a solver remembers, in parts that know nothing of each other or of the solver.
//!
//! A technique is a file of methods on [`Solver`](crate::Solver) beside this folder; what it keeps between
//! two calls of them is a file here.

mod assignment;
mod definitions;
mod domain;
mod evsids;
mod groups;
mod limits;
mod mode;
mod phases;
mod reductions;
mod removed;
mod restarts;
mod scratch;
mod simplifier;
mod vmtf;

pub use groups::Group;
pub use limits::Budget;

pub(crate) use assignment::{Assigned, FALSE, IN_ORDER, Level, OPEN, OUTSIDE, Reason, TRUE};
pub(crate) use definitions::Definitions;
pub(crate) use domain::Domain;
pub(crate) use evsids::Evsids;
pub(crate) use groups::{Groups, NONE};
pub(crate) use limits::Limits;
pub(crate) use mode::Mode;
pub(crate) use phases::Phases;
pub(crate) use reductions::Reductions;
pub(crate) use restarts::Restarts;
pub(crate) use scratch::Scratch;
pub(crate) use simplifier::Simplifier;
pub(crate) use vmtf::Vmtf;
