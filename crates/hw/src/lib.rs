//! Transforms and engines for circuits and word-level transition systems.
//!
//! `circuit` and `words` hold what stays within a representation, the other modules the ways
//! between representations, each with its way back. `engines` is the registry.

mod ask;
mod avy;
pub mod bits;
mod bmc;
pub mod certify;
pub mod checkable;
pub mod circuit;
mod circuit_to_words;
pub mod engines;
mod frames;
mod ic3;
mod igr;
mod imc;
mod interpolation;
mod kind;
mod lemmas;
mod live;
mod luby;
pub mod minimize;
mod model;
mod plan;
mod prove_words;
pub mod select;
pub mod settle;
pub mod shorten;
pub mod transform;
pub mod words;
mod words_to_horn;

pub use avy::Avy;
pub use bits::{justice_to_circuit, property_to_circuit, words_to_circuit};
pub use bmc::{Bmc, Leap};
pub use circuit_to_words::circuit_to_words;
pub use ic3::{Generalization, Ic3, Outcome, Question, Settings};
pub use igr::Igr;
pub use imc::{Imc, Sequences};
pub use kind::Kind;
pub use live::{Counting, Loops, Shoals};
pub use plan::plan_circuit;
pub use prove_words::{prove_words, proved_on_bits};
pub use words_to_horn::{circuit_to_horn, properties_to_horn, words_to_horn};
