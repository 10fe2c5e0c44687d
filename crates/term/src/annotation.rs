//! What people say about a quantifier beside its meaning: patterns, a weight, names.
//!
//! SMT-LIB's annotations `:pattern`, `:no-pattern`, `:weight`, `:qid` and `:skolemid` tell a solver
//! where to look for instances and what to call them. They are kept in a table beside the terms, by
//! the quantified formula: two formulas that differ in them alone are one term, with the patterns
//! of both. Substitution and rebuilding carry them along; whoever makes a quantifier in another way
//! loses them, which loses hints and never a meaning.
//!
//! Invariant: a pattern is quantifier-free, and each mentions all variables of its quantifier.

use crate::op::Op;
use crate::store::{Store, TermId};
use crate::subst::Substitution;
use std::sync::Arc;

/// Hints about the instances of a quantified formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Sets of terms; an instance is looked for where all of one set are there.
    pub patterns: Vec<Vec<TermId>>,
    /// Terms that are not to be looked for.
    pub no_patterns: Vec<TermId>,
    /// How much further an instance is from the formulas given; 1 if nothing is said.
    pub weight: Option<u32>,
    /// A name for the formula.
    pub qid: Option<String>,
    /// A name for its witnesses.
    pub skolemid: Option<String>,
}

impl Annotations {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Annotations::default()
    }

    /// All terms that are mentioned.
    pub fn terms(&self) -> Vec<TermId> {
        self.patterns.iter().flatten().chain(&self.no_patterns).copied().collect()
    }

    /// The same about other terms, which are given in the order of `terms`.
    pub fn with_terms(&self, terms: &[TermId]) -> Annotations {
        let mut terms = terms.iter().copied();
        let patterns = self.patterns.iter().map(|set| terms.by_ref().take(set.len()).collect());
        let patterns = patterns.collect();
        Annotations { patterns, no_patterns: terms.collect(), ..self.clone() }
    }
}

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
