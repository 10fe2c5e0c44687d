//! From words to bits: transition systems over words and small arrays as circuits.
//!
//! `aig` builds gates, `word` knows arithmetic, `shape` says how values look as bits, `blast`
//! translates terms, `words_to_circuit` whole systems with the way back, and `engine` runs circuit
//! engines on word-level systems.

pub mod aig;
pub mod blast;
mod engine;
pub mod shape;
pub mod word;
mod words_to_circuit;

pub use engine::Bits;
pub use words_to_circuit::words_to_circuit;
