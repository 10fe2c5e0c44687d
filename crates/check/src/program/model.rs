//! Proofs about C programs: models of the clauses that a program stands for.
//!
//! The clauses are made anew from the tree, by the same code that made them for those who looked for the
//! model, and the model is checked as any model of Horn clauses is. What is believed beyond that is that the
//! clauses are right: `alphorn_program::c::lower` and `alphorn_program::clauses`.

use crate::horn::check_model;
use crate::refusal::Refusal;
use alphorn_program::c::evidence::{ProgramProof, clauses_of};
use alphorn_program::c::property::Task;

/// Whether a proof shows that no run violates what is asked about.
pub fn check_proof(task: &Task, proof: &ProgramProof) -> Result<(), Refusal> {
    let (_, made) = clauses_of(task, proof.encoding).map_err(|untreated| {
        let what = untreated.first().map_or("", |one| one.what.as_str());
        Refusal::new("program", format!("it has no clauses of this kind, as it has {what}"))
    })?;
    check_model(&made.horn, &proof.model).map(|_| ())
}
