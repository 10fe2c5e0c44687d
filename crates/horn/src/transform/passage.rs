//! How what is said of predicates passes the transforms, in both directions: as hints.
//!
//! Forward goes what users and earlier runs say of the predicates as read (`forward`), back goes what engines
//! learned of the predicates that are left (`backward`), so that it can be said to others and later. What
//! cannot be said on the other side is lost.

use super::{Chain, Link, backward, forward};
use alphorn_problem::Span;
use alphorn_problem::hint::{Hint, HintKind};
use alphorn_problem::horn::PredId;
use alphorn_problem::lemma::HornLemma;
use alphorn_term::Store;
use std::sync::Arc;

/// The most predicates that one lemma is carried back to.
const MAX_CARRIED: usize = 64;

/// The way of single lemmas through the transforms.
#[derive(Clone, Default)]
pub struct Passage {
    pub(super) chain: Option<Arc<Chain>>,
}

impl Passage {
    /// What is said of the predicates of the original, said of those that are left, as far as that can be.
    pub fn forward(&self, hint: &HornLemma) -> Vec<HornLemma> {
        self.chain.as_ref().map_or_else(|| vec![hint.clone()], |chain| chain.hint(hint))
    }

    /// What lemmas about the predicates that are left say of those of the original, each as far as it can
    /// be said.
    pub fn back(&self, lemmas: &[HornLemma]) -> Vec<Vec<HornLemma>> {
        match &self.chain {
            None => lemmas.iter().map(|lemma| vec![lemma.clone()]).collect(),
            Some(chain) => chain.lemmas_back(lemmas),
        }
    }
}

impl Chain {
    /// A hint about a predicate of the first system, about those of the last one.
    fn hint(&self, hint: &HornLemma) -> Vec<HornLemma> {
        let (Some(kind), Some(first)) = (hint.hint, self.links.first()) else { return Vec::new() };
        if hint.pred.index() >= first.before.preds.len() {
            return Vec::new();
        }
        let mut store = self.store.clone();
        let params = first.before.formal_params(&mut store, hint.pred);
        let Some(term) = hint.read(&mut store, &params) else { return Vec::new() };
        let mut hints = vec![Hint { pred: hint.pred, params, term, kind, span: Span::NONE }];
        for Link { change, .. } in &self.links {
            let mut carried = Vec::new();
            for hint in &hints {
                if let Some(Some(meaning)) = change.meanings.get(hint.pred.index()) {
                    carried.extend(forward::carry(&mut store, meaning, hint));
                }
            }
            hints = carried;
        }
        let travels =
            |hint: &Hint| HornLemma::of_hint(&store, hint.pred, &hint.params, hint.term, hint.kind);
        hints.iter().filter_map(travels).collect()
    }

    /// Lemmas about predicates of the last system, about those of the first one.
    fn lemmas_back(&self, lemmas: &[HornLemma]) -> Vec<Vec<HornLemma>> {
        let Some(last) = self.links.last() else { return vec![Vec::new(); lemmas.len()] };
        let mut store = self.store.clone();
        lemmas.iter().map(|lemma| self.lemma_back(last, lemma, &mut store)).collect()
    }

    fn lemma_back(&self, last: &Link, lemma: &HornLemma, store: &mut Store) -> Vec<HornLemma> {
        let system = &last.change.system;
        if lemma.pred.index() >= system.preds.len() || !lemma.is_formula() {
            return Vec::new();
        }
        let params = system.formal_params(store, lemma.pred);
        let Some(term) = lemma.read(store, &params) else { return Vec::new() };
        let (kind, span) = (HintKind::Formula, Span::NONE);
        let mut hints = vec![Hint { pred: lemma.pred, params, term, kind, span }];
        for Link { change, .. } in self.links.iter().rev() {
            let mut carried = Vec::new();
            for (pred, meaning) in change.meanings.iter().enumerate() {
                let Some(meaning) = meaning else { continue };
                let pred = PredId(u32::try_from(pred).expect("predicates have small numbers"));
                for hint in hints.iter().take(MAX_CARRIED) {
                    carried.extend(backward::carry(store, pred, meaning, hint));
                }
            }
            hints = carried;
        }
        let travels =
            |hint: &Hint| HornLemma::of_hint(store, hint.pred, &hint.params, hint.term, hint.kind);
        hints.iter().filter_map(travels).collect()
    }
}
