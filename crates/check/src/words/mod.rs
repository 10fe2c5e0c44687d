//! Evidence about word-level transition systems: traces and lists of states are evaluated,
//! formulas come with proofs that are replayed.
//!
//! Everything is checked against the system as read. A term that cannot be evaluated (a division
//! by zero that nobody chose a value for, a quantifier over too many values) refuses the evidence.

mod certificate;
mod domains;
mod home;
mod states;
mod system;
mod trace;

pub use certificate::{check_certificate, check_certificate_within};
pub use states::MAX_WORK;
pub use trace::{check_trace, check_trace_within};
