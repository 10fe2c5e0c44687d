//! Restricting a query to the variables it is about.
//!
//! A query about a circuit needs only the gates in the cone of what it mentions. Inside a domain
//! only its variables are decided and propagated, and the answer is `Sat` as soon as all of them
//! are assigned: the caller guarantees that such an assignment extends to the rest, as it does when
//! the domain is closed under the definitions of its variables. Variables outside read as both true
//! and false to propagation (`OUTSIDE`), so that their clauses look satisfied and cost nothing.
//! What every query needs, as the variables of lemmas, is kept in all domains and costs nothing when
//! the domain changes. Most queries end without a conflict; until the first one, decisions follow the list of variables,
//! because keeping a heap would take more time than all the rest.
//!
//! Invariants: the domain changes on level 0 only; above it no variable outside is assigned; level
//! 0 is always propagated over all clauses, so that what is fixed never depends on the domain.
//!
//! The idea is that of rIC3's solver (Su, Yang, Ci, Bu, CAV 2025); there, propagation tests each
//! watch for membership, here the value array answers in the same load.

use crate::literal::{Lit, Var};
use crate::solver::Solver;
use crate::state::{OPEN, OUTSIDE};
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Restricts the following queries to `variables`, which must be closed under the cone of each
    /// query; the variables of assumptions and of temporary clauses are added by themselves.
    ///
    /// Costs time in proportion to this domain and the one before. If this one is part of that one and
    /// not much smaller, that one stays, and with it the trail.
    pub fn set_domain(&mut self, variables: &[Var]) {
        if self.domain.restricted && self.is_close(variables) {
            return;
        }
        self.backtrack(0);
        if self.domain.restricted {
            let Solver { domain, values, .. } = self;
            for var in &domain.variables {
                let index = var.positive().index();
                // What is fixed keeps its value.
                if values[index] == OPEN {
                    values[index] = OUTSIDE;
                    values[index + 1] = OUTSIDE;
                }
            }
        } else {
            self.domain.restricted = true;
            for index in 0..self.variables() {
                self.change(Var(index), OUTSIDE);
            }
            for index in 0..self.domain.kept.len() {
                self.change(self.domain.kept[index], OPEN);
            }
        }
        self.domain.variables.clear();
        self.follow_list();
        if self.stats.inprocessings > 0 {
            for var in variables {
                self.reactivate(&[var.positive()]);
                self.include(*var);
            }
            return;
        }
        let Solver { domain, values, .. } = self;
        for &var in variables {
            let index = var.positive().index();
            if values[index] == OUTSIDE {
                values[index] = OPEN;
                values[index + 1] = OPEN;
                domain.variables.push(var);
            }
        }
    }

    /// Whether the domain contains the variables and little else, apart from what is kept.
    fn is_close(&self, variables: &[Var]) -> bool {
        2 * self.domain.variables.len() <= 3 * variables.len()
            && self.stats.inprocessings == 0
            && variables.iter().all(|var| self.byte(var.positive()) != OUTSIDE)
    }

    /// Adds variables to the domains of all following queries, until the restriction is lifted.
    pub fn keep_in_domain(&mut self, variables: &[Var]) {
        for &var in variables {
            self.reactivate(&[var.positive()]);
            self.keep(var);
        }
    }

    fn keep(&mut self, var: Var) {
        if self.domain.is_kept.len() <= var.index() {
            self.domain.is_kept.resize(self.assigned.len(), false);
        }
        if std::mem::replace(&mut self.domain.is_kept[var.index()], true) {
            return;
        }
        self.domain.kept.push(var);
        if self.byte(var.positive()) == OUTSIDE {
            self.backtrack(0);
            self.change(var, OPEN);
            if let Some(partner) = self.simplifier.stack.partner(var) {
                self.reactivate(&[partner.positive()]);
                self.keep(partner);
            }
        } else {
            self.domain.variables.retain(|other| *other != var);
        }
    }

    /// Lets the following queries range over all variables again.
    pub fn clear_domain(&mut self) {
        if !self.domain.restricted {
            return;
        }
        self.backtrack(0);
        self.domain.restricted = false;
        self.domain.variables.clear();
        for var in self.domain.kept.drain(..) {
            self.domain.is_kept[var.index()] = false;
        }
        self.domain.uses_scores = false;
        for index in 0..self.variables() {
            let var = Var(index);
            self.change(var, OPEN);
            if self.byte(var.positive()) == OPEN {
                self.evsids.push(var);
                self.vmtf.unassign(var);
            }
        }
    }

    /// Adds the variables of `literals` to the domain.
    pub(crate) fn include_all(&mut self, literals: &[Lit]) {
        if !self.domain.restricted {
            return;
        }
        for lit in literals {
            if self.byte(*lit) == OUTSIDE {
                self.backtrack(0);
                self.include(lit.var());
            }
        }
    }

    fn include(&mut self, var: Var) {
        if self.byte(var.positive()) == OUTSIDE {
            self.change(var, OPEN);
            self.domain.variables.push(var);
            // What defined the variable may be said of its partner.
            if let Some(partner) = self.simplifier.stack.partner(var) {
                self.reactivate(&[partner.positive()]);
                self.include(partner);
            }
        }
    }

    /// Lets decisions follow the list of variables until the first conflict.
    pub(crate) fn follow_list(&mut self) {
        if self.domain.restricted {
            self.evsids.clear();
            self.domain.uses_scores = false;
            self.domain.rewind();
        }
    }

    /// Lets decisions in the domain follow the scores, as far as variables have any.
    pub(crate) fn follow_scores(&mut self) {
        self.domain.uses_scores = true;
        let Solver { domain, evsids, values, .. } = self;
        for &var in domain.variables.iter().chain(&domain.kept) {
            if values[var.positive().index()] == OPEN && evsids.is_hot(var) {
                evsids.push(var);
            }
        }
    }

    /// The first open variable of the lists.
    pub(crate) fn next_listed(&mut self) -> Option<Var> {
        let Solver { domain, values, .. } = self;
        let first = |list: &[Var], cursor: &mut usize| {
            let rest = &list[*cursor..];
            let ahead = rest.iter().position(|var| values[var.positive().index()] == OPEN);
            *cursor += ahead.unwrap_or(rest.len());
            list.get(*cursor).copied()
        };
        first(&domain.variables, &mut domain.cursor)
            .or_else(|| first(&domain.kept, &mut domain.kept_cursor))
    }

    /// Sets the byte of a variable that is not fixed.
    fn change(&mut self, var: Var, byte: i8) {
        if self.is_open(var.positive()) {
            self.values[var.positive().index()] = byte;
            self.values[var.negative().index()] = byte;
        }
    }
}
