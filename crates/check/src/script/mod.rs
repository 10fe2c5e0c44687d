//! Checks evidence about questions of scripts: refutations by replaying, models by evaluating and
//! replaying.
//!
//! A refutation is about the formulas as they were read. A model is one interpretation, made here of
//! what the evidence says (`problem::obligation::script`); that each formula is true in it is evaluated,
//! or its negation in the interpretation is refuted. `PROOFS.md` says what is accepted.

mod model;
mod numbers;

pub use model::check_model;

use crate::Refusal;
use crate::proof::refute;
use alphorn_problem::Question;
use alphorn_problem::evidence::proof::Proof;

/// Accepts a proof if it shows that the formulas contradict each other.
pub fn check_refutation(question: &Question, proof: &Proof) -> Result<(), Refusal> {
    refute(&question.terms, &question.formulas, proof)
}
