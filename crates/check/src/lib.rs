//! The independent checker: it replays and evaluates, and has no way to search.
//!
//! Nothing here can reach a solver: the crate depends on `term`, `problem` and `program` alone.

pub mod accept;
pub mod circuit;
pub mod cnf;
pub mod flow;
pub mod game;
pub mod horn;
pub mod lrat;
pub mod matching;
pub mod parameters;
pub mod program;
pub mod proof;
pub mod refusal;
pub mod script;
pub mod words;
pub mod work;

pub use refusal::{Refusal, RefusalKind};
