//! Which terms a query is about, in a solver that had others before.
//!
//! Terms of scopes that have ended, and of assumptions of earlier queries, stay in the tables of the
//! search. Instances for them are right and of no use, and there may be many. So a query looks only at
//! terms of the formulas in force, and of instances and witnesses that these lead to. What was stated
//! before and is about them is in the search already.
//!
//! Invariant: the terms of every formula in force are alive, so a model of those that are decides it.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;

use super::Quantifiers;
use crate::smt::Smt;

/// What was stated: of which formula, for which terms, and what follows.
pub(super) type Stated = (TermId, Vec<TermId>, TermId);

impl Quantifiers {
    /// Whether a query looks at a term.
    pub(crate) fn is_alive(&self, term: TermId) -> bool {
        self.alive.as_ref().is_none_or(|alive| alive.contains(&term))
    }

    /// Takes note of what is stated now.
    pub(super) fn note(&mut self, store: &Store, stated: Stated) {
        if let Some(alive) = &mut self.alive {
            alive.extend(store.subterms(&[stated.2]));
        }
        self.log.push(stated);
    }
}

impl Smt {
    /// Finds out which terms the formulas in force are about.
    pub(crate) fn find_alive(&mut self, store: &Store) {
        self.quantifiers.alive = None;
        if !self.has_dead || self.encoder.quantifiers.is_empty() {
            return;
        }
        let asserted = self.assertions.iter().map(|assertion| assertion.term);
        let roots: Vec<TermId> =
            asserted.chain(self.assumed.iter().map(|(_, term)| *term)).collect();
        let mut alive: FxHashSet<TermId> = store.subterms(&roots).into_iter().collect();
        // Instances bring terms for later ones, so one pass in their order is enough.
        for (quantifier, terms, conclusion) in &self.quantifiers.log {
            let is_there = |term: &TermId| {
                let is_made = matches!(store.op(*term), Op::Add | Op::Mul | Op::ToReal);
                alive.contains(term) || is_made || store.is_literal(*term)
            };
            if alive.contains(quantifier) && store.subterms(terms).iter().all(is_there) {
                alive.extend(store.subterms(&[*conclusion]));
            }
        }
        self.quantifiers.alive = Some(alive);
    }
}
