//! The solver as somebody who finds models for projection and elimination.

use alphorn_sat::Answer;
use alphorn_term::{Store, TermId};

use super::Smt;
use crate::project::{Oracle, Outcome};

impl Oracle for Smt {
    fn check(&mut self, store: &mut Store, formulas: &[TermId]) -> Outcome {
        match Smt::check(self, store, formulas) {
            Answer::Sat => Outcome::Sat(Box::new(self.model(store))),
            Answer::Unsat => Outcome::Unsat,
            Answer::Unknown => Outcome::Unknown,
        }
    }

    fn core(&self) -> Option<Vec<TermId>> {
        Some(self.failed())
    }
}
