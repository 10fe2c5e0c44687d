//! Proofs about C programs: models of the clauses that a program stands for.
//!
//! The clauses are made anew from the tree, by the same code that made them for those who looked for the
//! model, and the model is checked as any model of Horn clauses is. What is believed beyond that is that the
//! clauses are right: `alphorn_program::c::lower` and `alphorn_program::clauses`.

use crate::horn::check_model;
use crate::refusal::Refusal;
use alphorn_program::c::evidence::ProgramProof;
use alphorn_program::c::lower::lower;
use alphorn_program::c::property::Task;
use alphorn_program::clauses::clauses;

/// Whether a proof shows that no run violates what is asked about.
pub fn check_proof(task: &Task, proof: &ProgramProof) -> Result<(), Refusal> {
    let lowered = lower(task, proof.numbers).map_err(|untreated| {
        let what = untreated.first().map_or("", |one| one.what.as_str());
        Refusal::new("program", format!("it has no clauses of this kind, as it has {what}"))
    })?;
    check_model(&clauses(&lowered.program).horn, &proof.model).map(|_| ())
}
