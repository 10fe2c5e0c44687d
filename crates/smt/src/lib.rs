//! Satisfiability modulo theories: the five questions that Horn engines ask.
//!
//! Is this formula satisfiable; why not; in which model; what separates these parts; what does this
//! model say about fewer variables. The search is `alphorn-sat`'s; theories plug into it.
//!
//! - `linear`: polynomials of degree one over terms
//! - `arith`: bounds on linear forms over rationals and integers (simplex, cuts, certificates)
//! - `euf`: congruence closure with explanations
//! - `project`: implicants, model-based projection, elimination, simplification

pub mod arith;
pub mod euf;
mod linear;
pub mod project;

pub use linear::Linear;
