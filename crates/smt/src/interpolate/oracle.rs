//! Models from the solver, for projection.
//!
//! Questions are assumptions of one solver without assertions, so that what it learned about one
//! question helps with the next.

use alphorn_sat::Budget;
use alphorn_term::{Store, TermId};

use crate::options::Options;
use crate::project::{Oracle, Outcome};
use crate::smt::{Answer as Found, Smt};

/// Finds models by a solver of its own.
pub struct Models {
    smt: Smt,
}

impl Models {
    /// Asks a solver, each query within the budget.
    pub fn new(budget: Budget) -> Models {
        let mut smt = Smt::new(Options::default());
        smt.set_budget(budget);
        Models { smt }
    }
}

impl Oracle for Models {
    fn check(&mut self, store: &mut Store, formulas: &[TermId]) -> Outcome {
        match self.smt.check(store, formulas) {
            Found::Sat => Outcome::Sat(Box::new(self.smt.model(store))),
            Found::Unsat => Outcome::Unsat,
            Found::Unknown => Outcome::Unknown,
        }
    }
}
