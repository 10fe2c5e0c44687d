//! What a model says about fewer variables: implicants, projection, elimination, simplification.
//!
//! A formula and a model of it give an *implicant*: few literals that are true in the model and
//! imply the formula. An implicant and some variables give a *projection*: literals without the
//! variables, true in the model, that imply that values for the variables exist. A projection has
//! finitely many results for one implicant, so models, implicants and projections in a loop
//! eliminate quantifiers and find interpolants.
//!
//! - `oracle`: who finds models
//! - `valuation`: values of terms in a model
//! - `implicant`: justification of a formula's value; `ternary` finds what it does not need,
//!   `structure` what words of one bit hide
//! - `cone`: what matters after elimination
//! - `constraint`: arithmetic literals as polynomials compared with zero
//! - `cube`: projection of conjunctions; `arrays`, `words`, `flatten`, `reals` and `integers` are its
//!   parts
//! - `trees`: projection of datatype variables
//! - `eliminate`: quantifier elimination
//! - `separate`: interpolants
//! - `polyhedron`: what an implicant says about numbers
//! - `simplify`: smaller formulas with the same meaning

mod arrays;
mod cone;
pub(crate) mod constraint;
mod cube;
mod eliminate;
mod flatten;
mod implicant;
mod integers;
mod mentions;
mod oracle;
mod polyhedron;
mod reals;
mod separate;
mod simplify;
mod structure;
mod ternary;
mod trees;
mod valuation;
mod words;

#[cfg(test)]
mod tests;

pub use cone::Cone;
pub use cube::{Projection, project};
pub use eliminate::{Limits, Obstacle, eliminate, eliminate_all};
pub use implicant::{implicant, prime_implicant};
pub use oracle::{Oracle, Outcome};
pub use polyhedron::Polyhedron;
pub use separate::{Separation, Side, Symbol, separate, symbols_of};
pub use simplify::simplify;

pub(crate) use mentions::{Mentions, symbols};
pub(crate) use valuation::Valuation;
pub(crate) use words::{solve as solve_words, word_ends, word_terms};
