//! Literals of arithmetic as comparisons of a polynomial with zero.
//!
//! `a <= b` is `a - b <= 0`; `not (a <= b)` is `b - a < 0`. Over the integers a comparison can be
//! made tighter without losing a solution: *tightening* makes `p < 0` into `p + 1 <= 0`, *rounding*
//! (Chvátal and Gomory) divides by the greatest common divisor of the coefficients and rounds the
//! constant. The *canonical* form of a comparison has the same solutions, and two comparisons with
//! the same canonical form are the same comparison, however they were written.

use super::context::Terms;
use super::polynomial::Polynomial;
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Exhausted, Op, Rat};

/// How a polynomial compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Different,
    AtMost,
    Less,
}

/// A polynomial compared with zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) relation: Relation,
    pub(super) polynomial: Polynomial,
}

impl Constraint {
    pub(super) fn new(relation: Relation, polynomial: Polynomial) -> Constraint {
        Constraint { relation, polynomial }
    }

    /// What a literal says, if it compares numbers.
    pub(super) fn of(terms: Terms<'_>, literal: Literal) -> Result<Option<Constraint>, Exhausted> {
        let store = terms.store;
        let (op, &[left, right]) = (store.op(literal.atom), store.args(literal.atom)) else {
            return Ok(None);
        };
        if !store.sort(left).is_arithmetic() {
            return Ok(None);
        }
        let (relation, swapped) = match (op, literal.negated) {
            (Op::Le, false) => (Relation::AtMost, false),
            (Op::Le, true) => (Relation::Less, true),
            (Op::Lt, false) => (Relation::Less, false),
            (Op::Lt, true) => (Relation::AtMost, true),
            (Op::Eq, false) => (Relation::Equal, false),
            (Op::Eq, true) => (Relation::Different, false),
            _ => return Ok(None),
        };
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        Ok(Some(Constraint::new(relation, Polynomial::difference(terms, left, right)?)))
    }

    /// `p < 0` as `p + 1 <= 0` where `p` has integer values; anything else as it is.
    pub(super) fn tightened(mut self, terms: Terms<'_>) -> Constraint {
        if self.relation == Relation::Less && self.polynomial.is_integral(terms) {
            self.polynomial.constant += &Rat::from(1i64);
            self.relation = Relation::AtMost;
        }
        self
    }

    /// The comparison divided and rounded; none if an atom is not an integer or there is none.
    ///
    /// An equation without integer solutions becomes `1 <= 0`.
    pub(super) fn rounded(&self, terms: Terms<'_>) -> Result<Option<Constraint>, Exhausted> {
        if !self.polynomial.is_over_integers(terms) {
            return Ok(None);
        }
        let Some(factor) = self.polynomial.primitive_factor(terms.meter)? else { return Ok(None) };
        let mut polynomial = self.polynomial.scaled(terms.meter, &factor)?;
        let constant = &mut polynomial.constant;
        let relation = match self.relation {
            // s + c <= 0 is s <= -c, and s is an integer: s <= -ceil(c).
            Relation::AtMost => {
                *constant = Rat::from(constant.ceil());
                Relation::AtMost
            }
            // s + c < 0 is s < -c, so s <= -floor(c) - 1.
            Relation::Less => {
                *constant = Rat::from(constant.floor()) + Rat::from(1i64);
                Relation::AtMost
            }
            Relation::Equal if !constant.is_integer() => {
                polynomial = Polynomial::constant(Rat::from(1i64));
                Relation::AtMost
            }
            other => other,
        };
        Ok(Some(Constraint { relation, polynomial }))
    }

    /// Whether no values satisfy the comparison, as its polynomial is a constant.
    pub(super) fn is_contradiction(&self) -> bool {
        let constant = &self.polynomial.constant;
        self.polynomial.is_constant()
            && match self.relation {
                Relation::Equal => !constant.is_zero(),
                Relation::Different => constant.is_zero(),
                Relation::AtMost => constant.is_positive(),
                Relation::Less => !constant.is_negative(),
            }
    }

    /// The form that all ways to write this comparison have in common.
    pub(super) fn canonical(&self, terms: Terms<'_>) -> Result<Constraint, Exhausted> {
        let is_equation = matches!(self.relation, Relation::Equal | Relation::Different);
        let mut result = match self.rounded(terms)? {
            Some(rounded) if !rounded.polynomial.is_constant() => rounded,
            _ => Constraint::new(self.relation, self.polynomial.copied(terms.meter)?),
        };
        let Some(leading) = result.polynomial.leading() else { return Ok(result) };
        // Rounded inequalities are primitive already; scaling would make them fractions.
        let factor = match is_equation {
            true => leading.recip(),
            false if self.polynomial.is_over_integers(terms) => None,
            false => leading.abs().recip(),
        };
        if let Some(factor) = factor {
            result.polynomial = result.polynomial.scaled(terms.meter, &factor)?;
        }
        Ok(result)
    }

    /// Whether a literal says this.
    pub(super) fn is_said_by(&self, terms: Terms<'_>, literal: Literal) -> Result<bool, Exhausted> {
        match Constraint::of(terms, literal)? {
            Some(said) => Ok(said.canonical(terms)? == self.canonical(terms)?),
            None => Ok(false),
        }
    }
}

/// The comparison that is true where `literal` is false.
pub(super) fn negation(terms: Terms<'_>, literal: Literal) -> Result<Constraint, String> {
    let constraint = Constraint::of(terms, !literal)?
        .ok_or_else(|| format!("{} does not compare numbers", shown(terms, literal)))?;
    match constraint.relation {
        Relation::Different => {
            Err(format!("the negation of {} is no inequality", shown(terms, literal)))
        }
        _ => Ok(constraint),
    }
}

/// A literal in a message; large ones are not written out.
pub(super) fn shown(terms: Terms<'_>, literal: Literal) -> String {
    let Some(text) = terms.shown(literal.atom) else { return "a literal".to_owned() };
    if literal.negated { format!("(not {text})") } else { text }
}
