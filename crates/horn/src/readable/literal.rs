//! Literals as facts about a polynomial, to see which one says more.
//!
//! `x <= 5` and `not (x >= 8)` speak about the same polynomial. Here such literals get one form
//! each, and implications between two of them are read off their constants. A literal about
//! something else is only compared with itself and with its negation.
//!
//! Invariant: coefficients are coprime integers; over the integers nothing is strict and constants
//! are integers; a polynomial that is zero or different from zero begins with a positive
//! coefficient. So literals that mean the same have the same form.

use alphorn_smt::Linear;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId};

/// What a literal says about numbers, so that literals can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The polynomial is at most zero, or below zero.
    Bound(Bound),
    /// The polynomial is zero.
    Equal(Linear),
    /// The polynomial is not zero.
    Different(Linear),
    /// Something else.
    Other,
    /// This truth value.
    Constant(bool),
}

/// A polynomial that is at most zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) form: Linear,
    /// Whether it is below zero.
    pub(super) is_strict: bool,
}

impl Bound {
    /// In the invariant's form; none if there are no atoms.
    fn tightened(mut self, store: &Store) -> Result<Bound, bool> {
        if self.form.is_constant() {
            let constant = &self.form.constant;
            return Err(constant.is_negative() || !self.is_strict && constant.is_zero());
        }
        self.form.scale(&self.form.primitive_factor());
        if self.form.is_over_integers(store) {
            let constant = &self.form.constant;
            let least =
                if self.is_strict { &constant.floor() + &Int::ONE } else { constant.ceil() };
            self.form.constant = Rat::from(least);
            self.is_strict = false;
        }
        Ok(self)
    }

    /// The opposite; it is about the negative of the polynomial.
    fn negated(&self, store: &Store) -> Bound {
        let opposite = Bound { form: self.form.negated(), is_strict: !self.is_strict };
        opposite.tightened(store).expect("the polynomial has atoms")
    }

    /// Whether it reads better as a strict one: `x < y` and not `x + 1 <= y`.
    fn is_strict_between_integers(&self, store: &Store) -> bool {
        let has = |sign: i32| self.form.terms.iter().any(|(_, value)| value.signum() == sign);
        self.form.constant.is_one() && self.form.is_over_integers(store) && has(1) && has(-1)
    }

    /// Whether this bound, on the same polynomial, is at least as tight as another.
    fn implies(&self, other: &Bound) -> bool {
        self.form.terms == other.form.terms
            && match self.form.constant.cmp(&other.form.constant) {
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Equal => self.is_strict || !other.is_strict,
                std::cmp::Ordering::Less => false,
            }
    }
}

/// What the polynomial is at most if it is zero, from both sides.
fn sides(form: &Linear) -> [Bound; 2] {
    [form.clone(), form.negated()].map(|form| Bound { form, is_strict: false })
}

/// That the polynomial is below zero, and that it is above.
fn beside(store: &Store, form: &Linear) -> [Bound; 2] {
    [form.clone(), form.negated()].map(|form| {
        let side = Bound { form, is_strict: true };
        side.tightened(store).expect("the polynomial has atoms")
    })
}

impl View {
    /// What a literal says.
    pub(super) fn of(store: &Store, literal: TermId) -> View {
        let (atom, negated) = match store.op(literal) {
            Op::Not => (store.args(literal)[0], true),
            _ => (literal, false),
        };
        let (op, &[left, right]) = (store.op(atom), store.args(atom)) else { return View::Other };
        match op {
            Op::Le | Op::Lt => {
                let (left, right) = if negated { (right, left) } else { (left, right) };
                let form = Linear::difference(store, left, right);
                match (Bound { form, is_strict: (op == Op::Lt) != negated }).tightened(store) {
                    Ok(bound) => View::Bound(bound),
                    Err(value) => View::Constant(value),
                }
            }
            Op::Eq if store.sort(left).is_arithmetic() => {
                View::of_equation(store, Linear::difference(store, left, right), negated)
            }
            _ => View::Other,
        }
    }

    fn of_equation(store: &Store, mut form: Linear, negated: bool) -> View {
        let Some((_, first)) = form.terms.first() else {
            return View::Constant(form.constant.is_zero() != negated);
        };
        let sign = if first.is_negative() { Rat::MINUS_ONE } else { Rat::ONE };
        form.scale(&(&form.primitive_factor() * &sign));
        if form.is_over_integers(store) && !form.constant.is_integer() {
            return View::Constant(negated);
        }
        if negated { View::Different(form) } else { View::Equal(form) }
    }

    /// The polynomial without its constant, beginning with a positive coefficient: literals can
    /// only say something about each other if it is the same.
    pub(super) fn subject(&self) -> Option<Vec<(TermId, Rat)>> {
        let terms = match self {
            View::Bound(bound) => &bound.form.terms,
            View::Equal(form) | View::Different(form) => &form.terms,
            View::Other | View::Constant(_) => return None,
        };
        let flip = terms.first().is_some_and(|(_, first)| first.is_negative());
        let sign = if flip { Rat::MINUS_ONE } else { Rat::ONE };
        Some(terms.iter().map(|(atom, value)| (*atom, value * &sign)).collect())
    }

    /// Whether the literal says at least as much as another; `View::Other` is for the caller.
    pub(super) fn implies(&self, store: &Store, other: &View) -> bool {
        match (self, other) {
            (View::Bound(mine), View::Bound(theirs)) => mine.implies(theirs),
            (View::Equal(form), View::Bound(theirs)) => {
                sides(form).iter().any(|side| side.implies(theirs))
            }
            (View::Bound(mine), View::Different(form)) => {
                beside(store, form).iter().any(|side| mine.implies(side))
            }
            (View::Equal(mine), View::Different(theirs)) => {
                mine.terms == theirs.terms && mine.constant != theirs.constant
            }
            _ => self == other && *self != View::Other,
        }
    }

    /// The opposite; nothing for `View::Other`.
    pub(super) fn negated(&self, store: &Store) -> View {
        match self {
            View::Bound(bound) => View::Bound(bound.negated(store)),
            View::Equal(form) => View::Different(form.clone()),
            View::Different(form) => View::Equal(form.clone()),
            View::Other => View::Other,
            View::Constant(value) => View::Constant(!value),
        }
    }

    /// Both together as one literal: `x <= 5` and `x >= 5` is `x = 5`.
    pub(super) fn meet(&self, other: &View) -> Option<View> {
        let (View::Bound(a), View::Bound(b)) = (self, other) else { return None };
        if a.is_strict || b.is_strict || a.form != b.form.negated() {
            return None;
        }
        let is_first = a.form.terms.first().is_some_and(|(_, value)| value.is_positive());
        Some(View::Equal(if is_first { a.form.clone() } else { b.form.clone() }))
    }

    /// Either of both as one literal: `x < 5` or `x > 5` is `not (x = 5)`.
    pub(super) fn join(&self, store: &Store, other: &View) -> Option<View> {
        match self.negated(store).meet(&other.negated(store))? {
            View::Equal(form) => Some(View::Different(form)),
            _ => None,
        }
    }

    /// The literal, written with positive numbers on both sides; nothing for `View::Other`.
    pub(super) fn literal(&self, store: &mut Store) -> Option<TermId> {
        Some(match self {
            View::Other => return None,
            View::Constant(value) => store.bool(*value),
            View::Bound(bound) => {
                let mut bound = bound.clone();
                if bound.is_strict_between_integers(store) {
                    bound = Bound { is_strict: true, ..bound };
                    bound.form.constant = Rat::ZERO;
                }
                let (left, right) = balanced(store, &bound.form);
                if bound.is_strict { store.lt(left, right) } else { store.le(left, right) }
            }
            View::Equal(form) => {
                let (left, right) = balanced(store, form);
                store.eq(left, right)
            }
            View::Different(form) => {
                let (left, right) = balanced(store, form);
                let same = store.eq(left, right);
                store.not(same)
            }
        })
    }
}

/// Terms `left` and `right` with `left - right` the polynomial: what is added on the left, what is
/// taken away on the right. The constant stands alone if all atoms are on one side.
fn balanced(store: &mut Store, form: &Linear) -> (TermId, TermId) {
    let sort = if form.is_over_integers(store) { SortId::INT } else { SortId::REAL };
    let (mut left, mut right) = (Linear::default(), Linear::default());
    for (atom, value) in &form.terms {
        match value.is_negative() {
            false => left.terms.push((*atom, value.clone())),
            true => right.terms.push((*atom, -value.clone())),
        }
    }
    let constant_on_right = match (left.is_constant(), right.is_constant()) {
        (_, true) => true,
        (true, false) => false,
        (false, false) => !form.constant.is_positive(),
    };
    match constant_on_right {
        true => right.constant = -form.constant.clone(),
        false => left.constant = form.constant.clone(),
    }
    (left.to_term(store, sort), right.to_term(store, sort))
}
