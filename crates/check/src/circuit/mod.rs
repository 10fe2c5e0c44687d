//! Evidence about circuits: traces are simulated, invariants evaluated or their proofs replayed.
//!
//! Everything is checked against the circuit as read. The checker decides nothing on its own: it
//! evaluates what a trace or a set of states spells out, and replays what a proof spells out.

mod certificate;
mod simulate;
mod states;
mod trace;
mod witness;

pub use certificate::{check_certificate, check_certificate_within};
pub(crate) use certificate::check_invariant;
pub use simulate::{MAX_VARIABLES, Simulation, Ternary, Value};
pub use states::MAX_WORK;
<<<<<<< HEAD
pub use trace::check_trace;
pub use witness::{beside, check_witness, induction};
=======
pub use trace::{check_trace, check_trace_within};
>>>>>>> 330b00d (check: what evidence may take is in proportion to problem and evidence, counted before it is done)
