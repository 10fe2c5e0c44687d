//! Satisfiability modulo theories: the five questions that Horn engines ask.
//!
//! Is this formula satisfiable; why not; in which model; what separates these parts; what does this
//! model say about fewer variables. The search is `alphorn-sat`'s; theories plug into it.
//!
//! [`Smt`] is the solver. Around it:
//!
//! - `encode`, `define`: terms as literals and clauses
//! - `theory`, `atoms`, `combine`, `product`: what the literals mean, and how theories agree
//! - `refine`: what else operators mean, told to the search on demand
//! - `words`: bits of words as literals
//! - `arrays`: reads and writes
//! - `model`, `proof`: models and refutations out of a search
//! - `cores`, `maximize`: minimal reasons, greatest values
//! - `quantifiers`: instances and witnesses of quantified formulas
//! - `fuel`: work that several solvers may do together
//! - `linear`: polynomials of degree one over terms
//! - `arith`: bounds on linear forms over rationals and integers (simplex, cuts, certificates)
//! - `euf`: congruence closure with explanations
//! - `interpolate`: what separates the parts of a contradiction
//! - `project`: implicants, model-based projection, elimination, simplification

pub mod arith;
mod arrays;
mod atoms;
mod combine;
mod cores;
mod data;
mod define;
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
mod refine;
mod smt;
mod theory;
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
pub use theory::TheoryStats;
