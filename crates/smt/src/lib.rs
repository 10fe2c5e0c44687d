//! Satisfiability modulo theories: the five questions that Horn engines ask.
//!
//! Is this formula satisfiable; why not; in which model; what separates these parts; what does this
//! model say about fewer variables. The search is `alphorn-sat`'s; theories plug into it.
//!
//! [`Smt`] is the solver. Around it:
//!
//! - `arith`, `euf`, `linear`, `rows`, `datatypes`: what theories rest on, without terms of a question or literals
//! - `theories`: what a theory is, the table of them, how terms become literals, and models and proofs
//!   out of a search
//! - `quantifiers`: the theory of quantified formulas, which asks solvers of its own
//! - `ef`: exists–forall problems, for callers who state them themselves
//! - `smt`: queries, minimal reasons, greatest values; `fuel`: work that several solvers may do together
//! - `project`: implicants, model-based projection, elimination, simplification
//! - `interpolate`: what separates the parts of a contradiction

pub mod arith;
mod datatypes;
pub mod ef;
pub mod euf;
mod fuel;
pub mod interpolate;
mod linear;
mod options;
pub mod project;
pub mod quantifiers;
pub mod rows;
pub mod settings;
mod smt;
mod theories;
pub mod unconstrained;

pub use alphorn_sat::Answer;
pub use alphorn_sat::Budget;
pub use fuel::Fuel;
pub use linear::Linear;
pub use options::Options;
pub use smt::{AssertionId, Core, Reason, Smt, Supremum};
pub use theories::TheoryStats;
pub use theories::proof::Refutation;
