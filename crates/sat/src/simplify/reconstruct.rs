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
use crate::proof::ClauseId;
use crate::solver::{FALSE, OPEN, Solver, TRUE};
use crate::theory::Theory;

struct Entry {
    /// The literal to make true if the clause is not satisfied.
    witness: Lit,
    start: u32,
    end: u32,
    id: ClauseId,
    /// Whether the variable came back.
    is_void: bool,
}

/// The clauses that went with variables.
#[derive(Default)]
pub(crate) struct Stack {
    entries: Vec<Entry>,
    literals: Vec<Lit>,
    /// For each variable taken out, the first and one past the last of its entries.
    ranges: Vec<(u32, u32)>,
    /// For each variable that was ever replaced, by which it was.
    partners: Vec<Option<Var>>,
    /// The extended model, empty if there is none or none is needed.
    model: Vec<i8>,
}

impl Stack {
    /// Keeps a clause that goes with the variable of `witness`.
    pub(crate) fn push(&mut self, witness: Lit, literals: &[Lit], id: ClauseId) {
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        let end = self.literals.len() as u32;
        let index = self.entries.len() as u32;
        self.entries.push(Entry { witness, start, end, id, is_void: false });
        let var = witness.var().index();
        if self.ranges.len() <= var {
            self.ranges.resize(var + 1, (0, 0));
        }
        match &mut self.ranges[var] {
            (first, end) if *first == *end => (*first, *end) = (index, index + 1),
            (_, end) => *end = index + 1,
        }
    }

    /// The numbers of the clauses kept here.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ClauseId> {
        self.entries.iter().filter(|entry| !entry.is_void).map(|entry| entry.id)
    }

    /// Notes that `var` was replaced by `by`.
    pub(crate) fn pair(&mut self, var: Var, by: Var) {
        if self.partners.len() <= var.index() {
            self.partners.resize(var.index() + 1, None);
        }
        self.partners[var.index()] = Some(by);
    }

    /// By which variable `var` was last replaced: clauses about the one may mention the other.
    pub(crate) fn partner(&self, var: Var) -> Option<Var> {
        self.partners.get(var.index()).copied().flatten()
    }

    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        self.model.get(lit.index()).map(|value| *value == TRUE)
    }

    pub(crate) fn forget_model(&mut self) {
        self.model.clear();
    }

    fn literals(&self, entry: &Entry) -> &[Lit] {
        &self.literals[entry.start as usize..entry.end as usize]
    }

    /// Voids the entries of `var` and returns their clauses.
    fn take(&mut self, var: Var) -> Vec<(Vec<Lit>, ClauseId)> {
        let Some(range) = self.ranges.get_mut(var.index()) else { return Vec::new() };
        let (first, end) = std::mem::take(range);
        let mut clauses = Vec::new();
        for index in first as usize..end as usize {
            let entry = &self.entries[index];
            clauses.push((self.literals(entry).to_vec(), entry.id));
            self.entries[index].is_void = true;
        }
        while self.entries.last().is_some_and(|entry| entry.is_void) {
            let entry = self.entries.pop().expect("the last entry was just seen");
            self.literals.truncate(entry.start as usize);
        }
        clauses
    }
}

impl<T: Theory> Solver<T> {
    /// Gives values to the variables that were taken out.
    pub(crate) fn extend_model(&mut self) {
        if self.simplifier.stack.entries.is_empty() || self.domain.is_restricted() {
            return;
        }
        let stack = &mut self.simplifier.stack;
        let mut model = std::mem::take(&mut stack.model);
        model.clear();
        model.extend_from_slice(&self.values);
        for pair in model.chunks_exact_mut(2) {
            if pair[0] == OPEN {
                (pair[0], pair[1]) = (FALSE, TRUE);
            }
        }
        for entry in stack.entries.iter().rev().filter(|entry| !entry.is_void) {
            if stack.literals(entry).iter().all(|lit| model[lit.index()] == FALSE) {
                model[entry.witness.index()] = TRUE;
                model[(!entry.witness).index()] = FALSE;
            }
        }
        stack.model = model;
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
