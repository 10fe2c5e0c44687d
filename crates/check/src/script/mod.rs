//! Checks evidence about questions of scripts: refutations by replaying, models by evaluating and
//! replaying.
//!
//! A refutation is about the formulas as they were read. A model is one interpretation, made here of
//! what the evidence says (`problem::obligation::script`); that each formula is true in it is evaluated,
//! or its negation in the interpretation is refuted, or it defines a function by recursion that
//! ends (`definitions`, `guards`). `PROOFS.md` says what is accepted.

mod definitions;
mod guards;
mod model;
mod numbers;

pub use model::check_model;

use crate::proof::{refute, replay};
use crate::{Refusal, work};
use alphorn_problem::Question;
use alphorn_problem::evidence::proof::Proof;
use std::borrow::Cow;

/// Accepts a proof if it shows that the formulas contradict each other.
pub fn check_refutation(question: &Question, proof: &Proof) -> Result<(), Refusal> {
    refute(&question.terms, &question.formulas, proof)
}

/// `check_refutation` that makes the terms it needs in the question's own store.
pub fn check_refutation_growing(question: &mut Question, proof: &Proof) -> Result<(), Refusal> {
    let meter = work::of_refutation(&question.terms, &question.formulas, proof);
    let mut terms = Cow::Owned(std::mem::take(&mut question.terms));
    let result = replay(&mut terms, &question.formulas, proof, &meter);
    question.terms = terms.into_owned();
    result
}
