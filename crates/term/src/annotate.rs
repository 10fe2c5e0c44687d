//! The table of a store in which hints about quantifiers are (`annotation.rs`): adding, finding, carrying along.

use crate::annotation::Annotations;
use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;
use crate::subst::Substitution;
use std::sync::Arc;

impl Store {
    /// Adds hints to a quantified formula; without effect on other terms.
    pub fn annotate(&mut self, quantifier: TermId, annotations: Annotations) {
        if annotations.is_empty() || !matches!(self.op(quantifier), Op::Forall | Op::Exists) {
            return;
        }
        let vars = self.bound_vars(quantifier).to_vec();
        let fits = |set: &Vec<TermId>| {
            let mentioned = self.free_vars(set);
            vars.iter().all(|var| mentioned.contains(var))
                && !set.iter().any(|term| self.has_quantifier(*term))
        };
        let patterns: Vec<Vec<TermId>> = annotations.patterns.into_iter().filter(fits).collect();
        let own = Arc::make_mut(&mut self.annotations).entry(quantifier).or_default();
        for pattern in patterns {
            if !own.patterns.contains(&pattern) {
                own.patterns.push(pattern);
            }
        }
        for term in annotations.no_patterns {
            if !own.no_patterns.contains(&term) {
                own.no_patterns.push(term);
            }
        }
        own.weight = own.weight.or(annotations.weight);
        own.qid = own.qid.take().or(annotations.qid);
        own.skolemid = own.skolemid.take().or(annotations.skolemid);
    }

    /// The hints about a quantified formula.
    pub fn annotations(&self, quantifier: TermId) -> Option<&Annotations> {
        self.annotations.get(&quantifier)
    }

    /// Whether there are hints about any quantified formula.
    pub fn has_annotations(&self) -> bool {
        !self.annotations.is_empty()
    }

    /// The terms that hints about quantifiers in `roots` mention.
    pub fn annotated_terms(&self, roots: &[TermId]) -> Vec<TermId> {
        if self.annotations.is_empty() {
            return Vec::new();
        }
        let all = self.subterms(roots);
        all.iter().filter_map(|term| self.annotations.get(term)).flat_map(|a| a.terms()).collect()
    }

    /// Gives a quantifier the hints of another one of which it is the image under `map`.
    pub(crate) fn carry_annotations(&mut self, from: TermId, to: TermId, map: &Substitution) {
        if from == to {
            return;
        }
        let Some(annotations) = self.annotations.get(&from).cloned() else { return };
        let terms = self.substitute_all(&annotations.terms(), map);
        self.annotate(to, annotations.with_terms(&terms));
    }
}
