//! Evidence about circuits: traces are simulated, invariants evaluated or their proofs replayed.
//!
//! Everything is checked against the circuit as read. The checker decides nothing on its own: it
//! evaluates what a trace or a set of states spells out, and replays what a proof spells out.

mod avoidance;
mod certificate;
mod flips;
mod simulate;
mod states;
mod trace;
mod witness;

pub use avoidance::{AskedSets, check_avoidance};
pub(crate) use avoidance::{has_no_sets, has_sets};
pub(crate) use certificate::check_proved;
pub use certificate::{check_certificate, check_certificate_within};
pub use flips::{Root, check_avoided, check_root};
pub use simulate::{MAX_VARIABLES, Simulation, Ternary, Value};
pub use states::MAX_WORK;
pub use trace::{check_trace, check_trace_within};
pub use witness::{beside, check_witness, induction};
