//! Formulas that exclude each other in form: a conjunct of one contradicts one of the other.
//!
//! `x` and `not x` contradict each other, and so do `x = 1` and `x = 2`. That is how programs choose
//! between transitions, and it is cheap to see.

use crate::transform::conjuncts;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the conjuncts of a formula say in a form that can be contradicted.
#[derive(Clone, Default)]
pub struct Said {
    /// Formulas that hold, and formulas that do not.
    is_true: FxHashSet<TermId>,
    is_false: FxHashSet<TermId>,
    /// Terms that equal literals.
    values: FxHashMap<TermId, TermId>,
}

impl Said {
    /// What a formula says; none if it contradicts itself.
    pub fn by(store: &Store, formula: TermId) -> Option<Said> {
        let mut said = Said::default();
        for part in conjuncts(store, formula) {
            if said.contradicts(store, part) {
                return None;
            }
            match store.op(part) {
                Op::Not => said.is_false.insert(store.args(part)[0]),
                _ => said.is_true.insert(part),
            };
            said.values.extend(value(store, part));
        }
        Some(said)
    }

    /// Whether what is said and a conjunct contradict each other.
    pub fn contradicts(&self, store: &Store, part: TermId) -> bool {
        let is_other = |(term, value): (TermId, TermId)| {
            self.values.get(&term).is_some_and(|other| *other != value)
        };
        match store.op(part) {
            Op::False => true,
            Op::Not => self.is_true.contains(&store.args(part)[0]),
            _ => self.is_false.contains(&part) || value(store, part).is_some_and(is_other),
        }
    }

    /// Whether the conjuncts of two formulas contradict each other.
    pub fn excludes(&self, other: &Said) -> bool {
        let has_other_value = |(term, value): (&TermId, &TermId)| {
            other.values.get(term).is_some_and(|other| other != value)
        };
        self.values.iter().any(has_other_value)
            || self.is_false.iter().any(|part| other.is_true.contains(part))
            || other.is_false.iter().any(|part| self.is_true.contains(part))
    }
}

/// The term that a conjunct says equals a literal, and the literal.
fn value(store: &Store, part: TermId) -> Option<(TermId, TermId)> {
    let (Op::Eq, &[left, right]) = (store.op(part), store.args(part)) else { return None };
    match (store.is_literal(left), store.is_literal(right)) {
        (false, true) => Some((left, right)),
        (true, false) => Some((right, left)),
        _ => None,
    }
}
