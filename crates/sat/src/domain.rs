//! Restricting a query to the variables it is about.
//!
//! A query about a circuit needs only the gates in the cone of what it mentions. Inside a domain
//! only its variables are decided and propagated, and the answer is `Sat` as soon as all of them
//! are assigned: the caller guarantees that such an assignment extends to the rest, as it does when
//! the domain is closed under the definitions of its variables. Variables outside read as both true
//! and false to propagation (`OUTSIDE`), so that their clauses look satisfied and cost nothing.
//! Most queries end without a conflict; until the first one, decisions follow the list of variables,
//! because keeping a heap would take more time than all the rest.
//!
//! Invariants: the domain changes on level 0 only; above it no variable outside is assigned; level
//! 0 is always propagated over all clauses, so that what is fixed never depends on the domain.
//!
//! The idea is that of rIC3's solver (Su, Yang, Ci, Bu, CAV 2025); there, propagation tests each
//! watch for membership, here the value array answers in the same load.

use crate::literal::{Lit, Var};
use crate::solver::{OPEN, OUTSIDE, Solver};
use crate::theory::Theory;

/// The variables to which queries are restricted, if they are.
#[derive(Default)]
pub(crate) struct Domain {
    restricted: bool,
    variables: Vec<Var>,
    /// All variables before this one are assigned, while decisions follow the list.
    cursor: usize,
    /// Whether a query had a conflict, so that decisions follow the scores.
    uses_scores: bool,
}

impl Domain {
    #[inline]
    pub(crate) fn is_restricted(&self) -> bool {
        self.restricted
    }

    /// Whether open variables of high score must be in the heap.
    #[inline]
    pub(crate) fn keeps_heap(&self) -> bool {
        !self.restricted || self.uses_scores
    }

    /// Notes that variables were unassigned.
    #[inline]
    pub(crate) fn rewind(&mut self) {
        self.cursor = 0;
    }
}

impl<T: Theory> Solver<T> {
    /// Restricts the following queries to `variables`, which must be closed under the cone of each
    /// query; the variables of assumptions and of temporary clauses are added by themselves.
    ///
    /// Costs time in proportion to this domain and the one before.
    pub fn set_domain(&mut self, variables: &[Var]) {
        self.backtrack(0);
        if self.domain.restricted {
            for index in 0..self.domain.variables.len() {
                self.change(self.domain.variables[index], OUTSIDE);
            }
        } else {
            self.domain.restricted = true;
            for index in 0..self.variables() {
                self.change(Var(index), OUTSIDE);
            }
        }
        self.domain.variables.clear();
        self.follow_list();
        for var in variables {
            self.reactivate(&[var.positive()]);
            self.include(*var);
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
            self.domain.cursor = 0;
        }
    }

    /// Lets decisions in the domain follow the scores, as far as variables have any.
    pub(crate) fn follow_scores(&mut self) {
        self.domain.uses_scores = true;
        for index in 0..self.domain.variables.len() {
            let var = self.domain.variables[index];
            if self.byte(var.positive()) == OPEN && self.evsids.is_hot(var) {
                self.evsids.push(var);
            }
        }
    }

    /// The first open variable of the list.
    pub(crate) fn next_listed(&mut self) -> Option<Var> {
        let Solver { domain, values, .. } = self;
        let rest = &domain.variables[domain.cursor..];
        let ahead = rest.iter().position(|var| values[var.positive().index()] == OPEN);
        domain.cursor += ahead.unwrap_or(rest.len());
        domain.variables.get(domain.cursor).copied()
    }

    /// Sets the byte of a variable that is not fixed.
    fn change(&mut self, var: Var, byte: i8) {
        if self.is_open(var.positive()) {
            self.values[var.positive().index()] = byte;
            self.values[var.negative().index()] = byte;
        }
    }
}
