//! The way back from a simplified formula: models extend, and variables return.
//!
//! When a variable is taken out, the clauses removed with it are kept on a stack, each with the
//! literal of the variable in it. A model is extended by going down the stack: where a clause is
//! not satisfied, its literal is made true. When the user mentions the variable again, its clauses
//! are added back, and with them, in turn, the variables taken out later that they mention.
//!
//! Invariant: for each variable taken out, every model of what is left satisfies all resolvents of
//! its clauses, so that at most one of its two literals is asked for.
//!
//! After Järvisalo, Biere (SAT 2010); restoring after Fazekas, Biere, Scholl (SAT 2019).

use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::state::OPEN;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Gives values to the variables that were taken out.
    pub(crate) fn extend_model(&mut self) {
        if !self.domain.is_restricted() {
            self.simplifier.stack.extend_model(&self.values);
        }
    }

    /// Brings back all variables of `literals`.
    pub(crate) fn restore_all(&mut self, literals: &[Lit]) {
        for lit in literals {
            self.restore(lit.var());
        }
    }

    fn restore(&mut self, var: Var) {
        if self.simplifier.is_active(var) {
            return;
        }
        self.stats.restored += 1;
        self.simplifier.set_active(var, true);
        if self.byte(var.positive()) == OPEN {
            self.evsids.push(var);
            self.vmtf.unassign(var);
        }
        for (clause, id) in self.simplifier.stack.take(var) {
            self.restore_all(&clause);
            self.insert(&clause, id);
        }
    }
}
