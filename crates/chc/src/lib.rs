//! Horn clauses: engines that decide them, and transforms that turn them into other problems.
//!
//! `engines` is the registry. An engine reads a system and hands out what it finds; it
//! depends on terms and problems and on nothing that checks evidence.

mod ask;
mod automata;
mod bmc;
mod cells;
mod conclude;
mod declared;
pub mod derivation;
pub mod duality;
pub mod engines;
pub mod evidence;
mod exclusion;
mod fold;
mod forward;
mod fragment;
mod graph;
mod horn_to_words;
pub mod houdini;
mod induction;
pub mod integers;
pub mod la;
mod model;
pub mod pdr;
mod plan;
pub mod readable;
mod recursion_free;
pub mod shape;
mod transform;
mod ts;
mod vacuous;
mod word_sum;

pub use ask::{ask, ask_within};
pub use conclude::{conclude, prove_horn};
pub use horn_to_words::{horn_to_words, horn_to_words_watching, queries_to_words};
pub use plan::plan;
pub use transform::{Simplified, TRANSFORMS, TransformCard, simplify, simplify_with};
