//! What is known after a question, until assertions change.

use crate::answer::Answer;
use alphorn_front::smtlib::general::Written;
use alphorn_problem::evidence::proof::{Proof, Rule};
use std::collections::BTreeSet;

/// The last answer, unless assertions have changed since.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// There is none.
    Fresh,
    /// Satisfiable.
    Sat(Box<Answer>),
    /// Unsatisfiable.
    Unsat(Box<Refuted>),
    /// Undecided, for this reason.
    Unknown(String),
}

/// What is known after `unsat`.
#[derive(Clone, Debug)]
pub(crate) struct Refuted {
    /// The assumptions, if there were any.
    pub(crate) assumptions: Option<Vec<Written>>,
    pub(crate) answer: Answer,
    /// Whether quantifiers were eliminated for it.
    pub(crate) has_eliminated: bool,
}

impl Refuted {
    /// The refutation of the assertions, followed by the assumptions, if there is one.
    pub(crate) fn proof(&self) -> Option<&Proof> {
        self.answer.proof()
    }
}

/// The assertions, by their numbers, that the end of a proof depends on.
pub(crate) fn used(proof: &Proof) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    let mut reached = vec![false; proof.steps.len()];
    if let Some(last) = reached.last_mut() {
        *last = true;
    }
    for (position, step) in proof.steps.iter().enumerate().rev() {
        if !reached[position] {
            continue;
        }
        match &step.rule {
            Rule::Assert(number) => {
                used.insert(*number);
            }
            Rule::Rup(hints) => hints.iter().for_each(|hint| reached[hint.0 as usize] = true),
            _ => {}
        }
    }
    used
}
