//! Satisfiability modulo theories: the five questions that Horn engines ask.
//!
//! Is this formula satisfiable; why not; in which model; what separates these parts; what does this
//! model say about fewer variables. The search is `alphorn-sat`'s; theories plug into it.
//!
//! [`Smt`] is the solver. Around it:
//!
//! - `theories`: what a theory is, the table of them, and all as the search sees them
//! - `encode`: terms as literals and clauses; `atoms`, `justify`: what literals mean, which matter
//! - `euf`, `words`, `data`, `arrays`, `arith`, `product`, `quantifiers`: the theories
//! - `model`, `proof`: models and refutations out of a search
//! - `cores`, `maximize`: minimal reasons, greatest values
//! - `fuel`: work that several solvers may do together
//! - `linear`: polynomials of degree one over terms
//! - `interpolate`: what separates the parts of a contradiction
//! - `project`: implicants, model-based projection, elimination, simplification

pub mod arith;
mod arrays;
mod atoms;
mod cores;
mod data;
mod encode;
pub mod euf;
mod fuel;
pub mod interpolate;
mod justify;
mod linear;
mod maximize;
mod model;
mod options;
mod paying;
mod product;
pub mod project;
mod proof;
pub mod quantifiers;
mod smt;
mod theories;

mod words;

pub use alphorn_sat::Answer;
pub use alphorn_sat::Budget;
pub use cores::Core;
pub use fuel::Fuel;
pub use linear::Linear;
pub use maximize::Supremum;
pub use options::Options;
pub use proof::Refutation;
pub use smt::{AssertionId, Reason, Smt};
pub use theories::TheoryStats;
