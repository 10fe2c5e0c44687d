//! The predicates of the abstraction: formulas over the parameters of a relation symbol.
//!
//! Interpolants are conjunctions; each conjunct is a predicate of its own, so that the abstraction keeps
//! those that hold. A predicate that was behind a contradiction or another predicate is *relevant*; those that
//! are least relevant, and on which nothing rests, are forgotten when there are too many.

use crate::la::system::{Pred, conjuncts};
use crate::settings::{CEGAR_LARGEST_SIMPLIFIED, CEGAR_MAX_PREDICATES};
use alphorn_smt::project::simplify;
use alphorn_term::{Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A predicate, by its number.
pub(super) type PredicateId = u32;

/// A predicate of the abstraction.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    /// The formula over its parameters.
    pub(super) formula: TermId,
    /// How often something followed from it.
    pub(super) relevance: u64,
}

/// The predicates of all relation symbols.
#[derive(Default)]
pub(super) struct Predicates {
    all: Vec<Predicate>,
    by_formula: FxHashMap<(Pred, TermId), PredicateId>,
    /// Those in use, by relation symbol, ascending.
    of: Vec<Vec<PredicateId>>,
}

impl Predicates {
    /// No predicates for so many relation symbols.
    pub(super) fn new(preds: usize) -> Predicates {
        Predicates { of: vec![Vec::new(); preds], ..Predicates::default() }
    }

    /// A predicate.
    pub(super) fn at(&self, id: PredicateId) -> &Predicate {
        &self.all[id as usize]
    }

    /// The predicates of a relation symbol.
    pub(super) fn of(&self, pred: Pred) -> &[PredicateId] {
        &self.of[pred]
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.of.iter().map(Vec::len).sum()
    }

    /// The formulas of predicates.
    pub(super) fn formulas(&self, ids: &[PredicateId]) -> Vec<TermId> {
        ids.iter().map(|&id| self.at(id).formula).collect()
    }

    /// Notes that something followed from a predicate.
    pub(super) fn note(&mut self, id: PredicateId) {
        self.all[id as usize].relevance += 1;
    }

    /// Adds the conjuncts of a formula over a symbol's parameters; those that are new.
    pub(super) fn add(
        &mut self,
        store: &mut Store,
        pred: Pred,
        formula: TermId,
    ) -> Vec<PredicateId> {
        let mut formula = formula;
        if store.dag_size(&[formula]) <= CEGAR_LARGEST_SIMPLIFIED.size() {
            formula = simplify(store, formula, &[], None);
        }
        let mut new = Vec::new();
        for part in conjuncts(store, formula) {
            if part == TermId::TRUE || part == TermId::FALSE {
                continue;
            }
            let next = self.all.len() as PredicateId;
            let id = *self.by_formula.entry((pred, part)).or_insert(next);
            if id == next {
                self.all.push(Predicate { formula: part, relevance: 0 });
            }
            if let Err(place) = self.of[pred].binary_search(&id) {
                self.of[pred].insert(place, id);
                new.push(id);
            }
        }
        new
    }

    /// Forgets the least relevant predicates of symbols that have too many, but for those in use; whether
    /// there were some.
    pub(super) fn forget(&mut self, in_use: &FxHashSet<PredicateId>) -> bool {
        let most = CEGAR_MAX_PREDICATES.size();
        let mut has_forgotten = false;
        for ids in &mut self.of {
            if ids.len() <= most {
                continue;
            }
            let mut idle: Vec<PredicateId> =
                ids.iter().copied().filter(|id| !in_use.contains(id)).collect();
            idle.sort_by_key(|&id| (self.all[id as usize].relevance, id));
            idle.truncate(ids.len() - most);
            let gone: FxHashSet<PredicateId> = idle.into_iter().collect();
            has_forgotten = has_forgotten || !gone.is_empty();
            ids.retain(|id| !gone.contains(id));
        }
        has_forgotten
    }
}
