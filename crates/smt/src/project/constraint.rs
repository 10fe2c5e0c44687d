//! Arithmetic literals as polynomials compared with zero.
//!
//! A constraint says that a polynomial is at most, below, equal to or different from zero, or that
//! a number divides it or does not. In *normal form* the coefficients are coprime integers, strict
//! bounds over integers are not strict, equations begin with a positive coefficient, and the
//! coefficients of a divisibility are between zero and the divisor. So equal constraints are equal
//! data, and those that are always true or false are known to be.
//!
//! As a term, a constraint has its positive summands on one side and its negative ones on the
//! other, so that few negative numbers are written.

use crate::linear::Linear;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId};

/// How a polynomial compares.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// At most zero.
    AtMost,
    /// Below zero.
    Below,
    /// Zero.
    Equal,
    /// Not zero.
    Different,
    /// A multiple of a positive number; all atoms are integers.
    Multiple(Int),
    /// No multiple of a positive number; all atoms are integers.
    NotMultiple(Int),
}

/// A polynomial that compares.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Constraint {
    /// The polynomial.
    pub(crate) form: Linear,
    /// How it compares with zero.
    pub(crate) relation: Relation,
}

impl Constraint {
    /// The constraint, as given.
    pub(crate) fn new(form: Linear, relation: Relation) -> Constraint {
        Constraint { form, relation }
    }

    /// The constraint that an arithmetic literal states.
    pub(crate) fn of(store: &Store, literal: TermId) -> Option<Constraint> {
        match (store.op(literal), store.args(literal)) {
            (Op::Not, &[atom]) => Constraint::of(store, atom).map(Constraint::negated),
            (Op::Le, &[left, right]) => {
                Some(Constraint::new(Linear::difference(store, left, right), Relation::AtMost))
            }
            (Op::Lt, &[left, right]) => {
                Some(Constraint::new(Linear::difference(store, left, right), Relation::Below))
            }
            (Op::Eq, &[left, right]) if store.sort(left).is_arithmetic() => {
                let form = Linear::difference(store, left, right);
                Some(divisibility(store, &form).unwrap_or(Constraint::new(form, Relation::Equal)))
            }
            (Op::IsInt, &[number]) => {
                let mut form = Linear::of(store, number);
                if !form.is_over_integers(store) {
                    return None;
                }
                let mut scale = form.constant.denominator();
                for (_, coefficient) in &form.terms {
                    scale = scale.lcm(&coefficient.denominator());
                }
                form.scale(&Rat::from(&scale));
                Some(Constraint::new(form, Relation::Multiple(scale)))
            }
            _ => None,
        }
    }

    /// What holds exactly if this does not.
    pub(crate) fn negated(self) -> Constraint {
        let Constraint { mut form, relation } = self;
        let relation = match relation {
            Relation::AtMost | Relation::Below => {
                form.scale(&Rat::MINUS_ONE);
                if relation == Relation::AtMost { Relation::Below } else { Relation::AtMost }
            }
            Relation::Equal => Relation::Different,
            Relation::Different => Relation::Equal,
            Relation::Multiple(divisor) => Relation::NotMultiple(divisor),
            Relation::NotMultiple(divisor) => Relation::Multiple(divisor),
        };
        Constraint { form, relation }
    }

    /// Whether the constraint holds where its polynomial has this value.
    pub(crate) fn admits(&self, value: &Rat) -> bool {
        let divides = |divisor: &Int| value.to_int().is_some_and(|v| v.is_multiple_of(divisor));
        match &self.relation {
            Relation::AtMost => !value.is_positive(),
            Relation::Below => value.is_negative(),
            Relation::Equal => value.is_zero(),
            Relation::Different => !value.is_zero(),
            Relation::Multiple(divisor) => divides(divisor),
            Relation::NotMultiple(divisor) => !divides(divisor),
        }
    }

    /// The normal form, or the truth value that the constraint always has.
    pub(crate) fn normal(mut self, store: &Store) -> Result<Constraint, bool> {
        if self.form.is_constant() {
            return Err(self.admits(&self.form.constant));
        }
        if let Relation::Multiple(divisor) | Relation::NotMultiple(divisor) = &self.relation {
            let (divisor, is_positive) =
                (divisor.clone(), matches!(self.relation, Relation::Multiple(_)));
            return normal_divisibility(self.form, divisor, is_positive);
        }
        self.form.scale(&self.form.primitive_factor());
        let is_equation = matches!(self.relation, Relation::Equal | Relation::Different);
        if is_equation && self.form.terms[0].1.is_negative() {
            self.form.scale(&Rat::MINUS_ONE);
        }
        if !self.form.is_over_integers(store) {
            return Ok(self);
        }
        match self.relation {
            Relation::AtMost => self.form.constant = Rat::from(self.form.constant.ceil()),
            Relation::Below => {
                self.form.constant = Rat::from(self.form.constant.floor() + Int::ONE);
                self.relation = Relation::AtMost;
            }
            _ if !self.form.constant.is_integer() => {
                return Err(self.relation == Relation::Different);
            }
            _ => {}
        }
        Ok(self)
    }

    /// The literal that states the constraint in normal form, or the truth value that it always has.
    pub(crate) fn literal(self, store: &mut Store) -> TermId {
        match self.normal(store) {
            Ok(constraint) => constraint.to_term(store),
            Err(truth) => store.bool(truth),
        }
    }

    /// The literal that states the constraint, which is in normal form.
    pub(crate) fn to_term(&self, store: &mut Store) -> TermId {
        let is_integral = self.form.is_over_integers(store);
        let sort = if is_integral { SortId::INT } else { SortId::REAL };
        if let Relation::Multiple(divisor) | Relation::NotMultiple(divisor) = &self.relation {
            let mut form = self.form.clone();
            let rest = (-form.constant.numerator()).rem_euclid(divisor).unwrap_or(Int::ZERO);
            form.constant = Rat::ZERO;
            let number = form.to_term(store, SortId::INT);
            let (divisor, rest) = (store.int(divisor.clone()), store.int(rest));
            let remainder = store.mk(Op::Mod, &[number, divisor]);
            let same = store.eq(remainder, rest);
            let is_positive = matches!(self.relation, Relation::Multiple(_));
            return if is_positive { same } else { store.not(same) };
        }
        let (mut left, mut right) = (Linear::default(), Linear::default());
        for (atom, coefficient) in &self.form.terms {
            if coefficient.is_positive() {
                left.terms.push((*atom, coefficient.clone()));
            } else {
                right.terms.push((*atom, -coefficient));
            }
        }
        match self.relation {
            Relation::Equal | Relation::Different => self.equation(store, sort, left, right),
            _ => self.comparison(store, sort, is_integral, left, right),
        }
    }

    /// The side without a constant stands first.
    fn equation(
        &self,
        store: &mut Store,
        sort: SortId,
        mut left: Linear,
        mut right: Linear,
    ) -> TermId {
        if self.form.constant.is_positive() && !right.is_constant() {
            left.constant = self.form.constant.clone();
            std::mem::swap(&mut left, &mut right);
        } else {
            right.constant = -&self.form.constant;
        }
        let (left, right) = (left.to_term(store, sort), right.to_term(store, sort));
        let same = store.eq(left, right);
        if self.relation == Relation::Equal { same } else { store.not(same) }
    }

    /// The constant goes where it is positive, if there is a choice.
    fn comparison(
        &self,
        store: &mut Store,
        sort: SortId,
        is_integral: bool,
        mut left: Linear,
        mut right: Linear,
    ) -> TermId {
        let mut constant = self.form.constant.clone();
        let mut is_strict = self.relation == Relation::Below;
        // Over integers, x <= -1 reads better as x < 0, and x + 1 <= y as x < y.
        if is_integral && constant.is_one() && !left.is_constant() {
            (constant, is_strict) = (Rat::ZERO, true);
        }
        let on_the_left =
            if left.is_constant() { true } else { !right.is_constant() && constant.is_positive() };
        if on_the_left {
            left.constant = constant;
        } else {
            right.constant = -constant;
        }
        let (left, right) = (left.to_term(store, sort), right.to_term(store, sort));
        if is_strict { store.lt(left, right) } else { store.le(left, right) }
    }
}

/// Reads `(mod t n) = r`, given as a polynomial that is zero.
fn divisibility(store: &Store, form: &Linear) -> Option<Constraint> {
    let [(atom, coefficient)] = form.terms.as_slice() else { return None };
    let (Op::Mod, &[number, divisor]) = (store.op(*atom), store.args(*atom)) else { return None };
    let divisor = store.int_value(divisor).filter(|divisor| !divisor.is_zero())?.abs();
    let rest = -form.constant.checked_div(coefficient)?;
    if !rest.is_integer() || rest.is_negative() || rest >= Rat::from(&divisor) {
        // No remainder is this number: the equation one = zero.
        return Some(Constraint::new(Linear::constant(Rat::ONE), Relation::Equal));
    }
    let mut form = Linear::of(store, number);
    form.constant = &form.constant - &rest;
    Some(Constraint::new(form, Relation::Multiple(divisor)))
}

/// The normal form of a divisibility or its negation.
fn normal_divisibility(
    mut form: Linear,
    divisor: Int,
    is_positive: bool,
) -> Result<Constraint, bool> {
    let reduce = |value: &Rat, divisor: &Int| {
        Rat::from(value.numerator().rem_euclid(divisor).unwrap_or(Int::ZERO))
    };
    let mut common = divisor.clone();
    for (_, coefficient) in &mut form.terms {
        *coefficient = reduce(coefficient, &divisor);
        common = common.gcd(&coefficient.numerator());
    }
    form.terms.retain(|(_, coefficient)| !coefficient.is_zero());
    form.constant = reduce(&form.constant, &divisor);
    if !form.constant.numerator().is_multiple_of(&common) {
        return Err(!is_positive);
    }
    let divisor = divisor.div_exact(&common).unwrap_or(Int::ONE);
    if divisor.is_one() {
        return Err(is_positive);
    }
    if let Some(inverse) = Rat::from(common).recip() {
        form.scale(&inverse);
    }
    // A unit in front becomes one: 2*x + 1 is a multiple of 3 if x + 2 is.
    if let Some(inverse) = inverse(&form.terms[0].1.numerator(), &divisor) {
        form.scale(&Rat::from(inverse));
        form.terms.iter_mut().for_each(|(_, value)| *value = reduce(value, &divisor));
        form.constant = reduce(&form.constant, &divisor);
    }
    // There are two remainders by two.
    if !is_positive && divisor == Int::from(2) {
        form.constant = &Rat::ONE - &form.constant;
        return Ok(Constraint::new(form, Relation::Multiple(divisor)));
    }
    let relation =
        if is_positive { Relation::Multiple(divisor) } else { Relation::NotMultiple(divisor) };
    Ok(Constraint::new(form, relation))
}

/// The number that times `value` leaves one by `modulus`, if they are coprime.
fn inverse(value: &Int, modulus: &Int) -> Option<Int> {
    let (common, factor, _) = bezout(value, modulus);
    if common.is_one() { factor.rem_euclid(modulus) } else { None }
}

/// The greatest common divisor of two positive numbers, as a sum of multiples of them.
pub(crate) fn bezout(left: &Int, right: &Int) -> (Int, Int, Int) {
    let (mut old, mut new) = (left.clone(), right.clone());
    let (mut old_left, mut new_left) = (Int::ONE, Int::ZERO);
    let (mut old_right, mut new_right) = (Int::ZERO, Int::ONE);
    while let Some((quotient, rest)) = old.div_rem_euclid(&new) {
        (old, new) = (new, rest);
        let left = &old_left - &(&quotient * &new_left);
        (old_left, new_left) = (new_left, left);
        let right = &old_right - &(&quotient * &new_right);
        (old_right, new_right) = (new_right, right);
    }
    (old, old_left, old_right)
}
