//! Arithmetic literals as inequalities, one form for each.
//!
//! Projection, substitution and splitting give the same inequality in many ways. Lemmas that are
//! compared, counted and put together by their parts need one: coprime integers in front of the
//! variables, the first of them positive, all variables on one side and the number on the other,
//! nothing strict over the integers.

use super::rules::holds;
use alphorn_smt::Linear;
use alphorn_term::{Int, Model, Op, Rat, SortId, Store, TermId};

/// A polynomial that is not positive, or negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inequality {
    /// The polynomial.
    pub(super) form: Linear,
    /// Whether it is negative.
    pub(super) is_strict: bool,
}

impl Inequality {
    /// The inequality that a literal states, if it states one.
    pub(super) fn of(store: &Store, literal: TermId) -> Option<Inequality> {
        let (atom, negated) = match store.op(literal) {
            Op::Not => (store.args(literal)[0], true),
            _ => (literal, false),
        };
        let (is_strict, &[left, right]) = (
            match store.op(atom) {
                Op::Le => Some(false),
                Op::Lt => Some(true),
                _ => None,
            }?,
            store.args(atom),
        ) else {
            return None;
        };
        let (form, is_strict) = if negated {
            (Linear::difference(store, right, left), !is_strict)
        } else {
            (Linear::difference(store, left, right), is_strict)
        };
        Some(Inequality { form, is_strict }.tightened(store))
    }

    /// With coprime coefficients, and without a strict relation or a fraction over the integers.
    pub(super) fn tightened(mut self, store: &Store) -> Inequality {
        self.form.scale(&self.form.primitive_factor());
        if self.form.is_over_integers(store) {
            let constant = &self.form.constant;
            let bound =
                if self.is_strict { &constant.floor() + &Int::ONE } else { constant.ceil() };
            self.form.constant = Rat::from(bound);
            self.is_strict = false;
        }
        self
    }

    /// The literal that states it.
    pub(super) fn to_literal(&self, store: &mut Store) -> TermId {
        let Some((first, coefficient)) = self.form.terms.first() else {
            let constant = &self.form.constant;
            return store.bool(constant.is_negative() || !self.is_strict && constant.is_zero());
        };
        let sort = if self.form.is_over_integers(store) { SortId::INT } else { SortId::REAL };
        let is_upward = coefficient.is_positive();
        debug_assert!(store.sort(*first).is_arithmetic(), "polynomials are of numbers");
        let mut left = if is_upward { self.form.clone() } else { self.form.negated() };
        let right = Linear::constant(-&left.constant);
        left.constant = Rat::ZERO;
        let (left, right) = (left.to_term(store, sort), right.to_term(store, sort));
        match (is_upward, self.is_strict) {
            (true, false) => store.le(left, right),
            (true, true) => store.lt(left, right),
            (false, false) => store.le(right, left),
            (false, true) => store.lt(right, left),
        }
    }
}

/// Literals that are true in a model, with inequalities in one form. Disequalities become the
/// inequality that the model has.
pub(crate) fn normal(store: &mut Store, literals: &[TermId], model: &Model) -> Vec<TermId> {
    let mut result = Vec::with_capacity(literals.len());
    for &literal in literals {
        let mut literal = literal;
        if let (Op::Not, &[atom]) = (store.op(literal), store.args(literal))
            && let (Op::Eq, &[left, right]) = (store.op(atom), store.args(atom))
            && store.sort(left).is_arithmetic()
        {
            let below = store.lt(left, right);
            literal = if holds(store, below, model) { below } else { store.lt(right, left) };
        }
        match Inequality::of(store, literal) {
            Some(inequality) => result.push(inequality.to_literal(store)),
            None => result.push(literal),
        }
    }
    result.retain(|&literal| literal != TermId::TRUE);
    result.sort_unstable();
    result.dedup();
    result
}

/// Equations of numbers as two inequalities each, so that each can be left out.
pub(crate) fn split_equations(store: &mut Store, literals: &[TermId]) -> Vec<TermId> {
    let mut result = Vec::with_capacity(literals.len());
    for &literal in literals {
        match (store.op(literal), store.args(literal)) {
            (Op::Eq, &[left, right]) if store.sort(left).is_arithmetic() => {
                for (left, right) in [(left, right), (right, left)] {
                    let form = Linear::difference(store, left, right);
                    let inequality = Inequality { form, is_strict: false }.tightened(store);
                    result.push(inequality.to_literal(store));
                }
            }
            _ => result.push(literal),
        }
    }
    result
}
