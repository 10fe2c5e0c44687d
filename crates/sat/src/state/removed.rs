//! The clauses that went with variables taken out of the formula (`simplify/reconstruct.rs`).

use super::assignment::{FALSE, OPEN, TRUE};
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;

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
    pub(crate) fn take(&mut self, var: Var) -> Vec<(Vec<Lit>, ClauseId)> {
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

    /// Extends an assignment, bytes by literal, to the variables that were taken out.
    pub(crate) fn extend_model(&mut self, values: &[i8]) {
        if self.entries.is_empty() {
            return;
        }
        let mut model = std::mem::take(&mut self.model);
        model.clear();
        model.extend_from_slice(values);
        for pair in model.chunks_exact_mut(2) {
            if pair[0] == OPEN {
                (pair[0], pair[1]) = (FALSE, TRUE);
            }
        }
        for entry in self.entries.iter().rev().filter(|entry| !entry.is_void) {
            if self.literals(entry).iter().all(|lit| model[lit.index()] == FALSE) {
                model[entry.witness.index()] = TRUE;
                model[(!entry.witness).index()] = FALSE;
            }
        }
        self.model = model;
    }
}
