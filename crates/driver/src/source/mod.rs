//! Answers about a C program in the words of its source.
//!
//! A model of a program's clauses becomes invariants at loops and contracts of functions, over the names that
//! are in scope there (`annotate`); a run becomes the lines it passes with the values it leaves (`story`).
//! From these come the source as people see it (`show`), a witness for other tools (`witness`), and a test
//! that fails (`test`). Nothing here is believed: the evidence was checked before.

mod annotate;
mod lanes;
mod lines;
mod show;
mod story;
mod test;
mod witness;

use crate::evidence::AnyEvidence;
use alphorn_problem::Verdict;
use alphorn_program::c::DataModel;
use alphorn_program::c::evidence::{Numbers, ProgramProof, Run};
use alphorn_program::c::lower::{Assumption, lower};
use alphorn_program::c::property::Task;
use std::sync::Arc;

pub use alphorn_front::c::harness::Harness;
pub use annotate::{Annotation, Kind, annotations};
pub use lines::Lines;
pub use show::{acsl, run_lanes, show, source_lines};
pub use story::{Line, Story, story};
pub use test::{Confirmed, confirm, test};
pub use witness::{Origin, witness};

/// The program that evidence is about, and what the evidence is.
pub(crate) fn about(evidence: &AnyEvidence) -> Option<(Arc<Task>, &Verdict<Task>)> {
    let AnyEvidence::C(task, checked) = evidence else { return None };
    Some((Arc::clone(task), checked.verdict()))
}

/// The run that violates a property, if evidence about a program is one.
pub(crate) fn run_of(evidence: &AnyEvidence) -> Option<(Arc<Task>, &Run)> {
    match about(evidence)? {
        (task, Verdict::Unsafe(run)) => Some((task, run)),
        _ => None,
    }
}

/// The proof, if it is one.
pub(crate) fn proof_of(evidence: &AnyEvidence) -> Option<(Arc<Task>, &ProgramProof)> {
    match about(evidence)? {
        (task, Verdict::Safe(proof)) => Some((task, proof)),
        _ => None,
    }
}

/// What an answer about a program takes for granted, in words.
pub fn assumptions(task: &Task) -> Vec<String> {
    let lowered = lower(task, Numbers::Integers).or_else(|_| lower(task, Numbers::Words));
    let list = match lowered {
        Ok(lowered) => lowered.assumptions,
        // A run was found in a program that has no clauses.
        Err(_) => vec![Assumption::DataModel(task.unit.types.model)],
    };
    let words = |assumption: &Assumption| match assumption {
        Assumption::DataModel(DataModel::Ilp32) => "long and pointers have 32 bits".to_owned(),
        Assumption::DataModel(DataModel::Lp64) => "long and pointers have 64 bits".to_owned(),
        Assumption::SignedWraps => "signed arithmetic wraps around".to_owned(),
        Assumption::MallocSucceeds => "allocation succeeds".to_owned(),
        Assumption::Interleaved => {
            "threads are interleaved, and see writes at once (sequential consistency)".to_owned()
        }
        Assumption::Unknown { name, .. } => {
            format!("{name} returns anything, and may change what it can reach")
        }
    };
    list.iter().map(words).collect()
}
