//! What people say about a quantifier beside its meaning: patterns, a weight, names.
//!
//! SMT-LIB's annotations `:pattern`, `:no-pattern`, `:weight`, `:qid` and `:skolemid` tell a solver
//! where to look for instances and what to call them. They are kept in a table beside the terms, by
//! the quantified formula: two formulas that differ in them alone are one term, with the patterns
//! of both. Substitution and rebuilding carry them along; whoever makes a quantifier in another way
//! loses them, which loses hints and never a meaning.
//!
//! Invariant: a pattern is quantifier-free, and each mentions all variables of its quantifier.

use crate::id::TermId;

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
