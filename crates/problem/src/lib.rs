//! What can be asked and what can be answered: problems, verdicts and evidence, as plain data.
//!
//! Readers make problems, engines make evidence, the checker compares the two, reports print
//! both; none of them sees the others. This crate is the vocabulary they share.

pub mod circuit;
pub mod derived;
pub mod evidence;
pub mod flow;
pub mod game;
pub mod hint;
pub mod horn;
pub mod lemma;
pub mod matching;
pub mod monitor;
pub mod obligation;
pub mod parameters;
pub mod quantified;
pub mod response;
pub mod script;
pub mod span;
pub mod temporal;
pub mod verdict;
pub mod violation;
pub mod words;

pub use circuit::Circuit;
pub use derived::Derived;
pub use flow::Flow;
pub use game::Game;
pub use horn::Horn;
pub use matching::Matching;
pub use parameters::Parametric;
pub use script::Question;
pub use span::Span;
pub use temporal::Temporal;
pub use verdict::{Finding, Problem, Verdict};
pub use violation::Violation;
pub use words::Words;
