//! Transforms and engines for circuits and word-level transition systems.
//!
//! `circuit` and `words` hold what stays within a representation, the other modules the ways
//! between representations, each with its way back. `engines` is the registry.

mod ask;
mod avy;
mod bdd;
pub mod bits;
mod bmc;
mod cases;
pub mod certify;
pub mod checkable;
pub mod circuit;
pub mod engines;
pub mod explain;
pub mod explore;
mod frames;
pub mod games;
mod ic3;
mod igr;
mod imc;
mod interpolation;
mod kind;
mod lemmas;
mod live;
mod luby;
pub mod matching;
pub mod minimize;
mod model;
pub mod pareto;
pub mod predicates;
mod prove_words;
pub mod select;
pub mod settings;
pub mod settle;
pub mod shorten;
mod slice;
pub mod transform;
pub mod words;

pub use avy::Avy;
pub use bits::{justice_to_circuit, property_to_circuit, words_to_circuit};
pub use bmc::{Bmc, Leap};
pub use ic3::{Generalization, Ic3, Outcome, Question, Settings};
pub use igr::Igr;
pub use imc::{Clauses, Imc, Sequences};
pub use kind::Kind;
pub use live::{Counting, CountingAnew, LOOPS, Shoals};
pub use prove_words::{prove_words, proved_on_bits};
pub use slice::{SLICE, Sliced};
