//! Networks of timed automata: TChecker's text (`tchecker`), UPPAAL's XML (`uppaal`), and the Horn clauses that they
//! stand for.
//!
//! A reader makes a `network`, whose guards and new values are terms over its state (`value`); `encode` says
//! what clauses it is. Time is real, clocks start at 0, and a state is reachable if moves and the passing of time lead
//! to it. Nothing about time is left for others to know: a model and a derivation are what they are for any Horn
//! system, and the argument `now` of a derivation's facts has the times of a run.

mod encode;
mod network;
mod tchecker;
pub mod uppaal;
mod value;

pub use encode::Encoding;
pub use tchecker::{begins, read};
