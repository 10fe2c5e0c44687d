//! From words to bits: circuit engines on transition systems over words and arrays.
//!
//! `problem::obligation::blast` makes the circuit; here is what is chosen before (`follow`: which
//! states are worth latches), what comes after (`carry`: the way back; `view`: a system as a circuit), and what happens to arrays that are too large to be written out (`cells`).

mod carry;
mod cells;
mod follow;
mod view;

pub use carry::{justice_to_circuit, property_to_circuit, words_to_circuit};
pub use cells::Memory;
pub use follow::follow;
pub use view::WORDS_AS_BITS;
