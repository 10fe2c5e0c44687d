//! Problems of one kind seen as problems of another.
//!
//! A Horn system over words is a transition system, that a circuit, and a circuit is a Horn system. Each
//! way has a file: the translation with its way back, and, where engines go it, a view that a run makes once
//! (`alphorn_engine::view`). `engines` has the roads: engines for one kind of problem behind a view of
//! another. `plan` says which engines a problem gets. No other crate below the driver sees both Horn
//! engines and circuit engines.

mod blind;
pub mod c_horn;
mod c_schedule;
mod circuit_to_words;
pub mod engines;
mod horn_bits;
mod horn_to_words;
pub mod integers;
mod joined;
mod lifted;
mod parametric;
pub mod plan;
mod ranged;
pub mod runs;
pub mod settings;
pub mod shadow;
mod steady;
mod unwrapped;
mod watch;
mod words_horn;
mod words_to_horn;

pub use alphorn_program::program_to_flow;
pub use circuit_to_words::circuit_to_words;
pub use horn_to_words::{horn_to_words, horn_to_words_watching, queries_to_words};
pub use words_to_horn::{circuit_to_horn, properties_to_horn, words_to_horn};
