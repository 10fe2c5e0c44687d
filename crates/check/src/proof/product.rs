//! The sign of a product: where two polynomials have known signs, so has their product.
//!
//! The product is multiplied out. Its atoms are products of atoms, as the constructors make them, so
//! the rule is what connects a product of unknowns, otherwise opaque, with its factors. Tangent
//! planes and the like are instances: `(a - u)·(b - v)` for numbers `u` and `v`.

use super::constraint::{Constraint, Relation};
use super::context::{Context, Terms};
use super::polynomial::Polynomial;
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Exhausted, Op, SortId, Store, TermId};

/// The most products of two atoms that are multiplied out.
const MAX_PRODUCTS: usize = 1 << 16;

/// The ticks of making the product of two atoms.
const PRODUCT: u64 = 16;

/// The sign of a polynomial: positive or not, and strictly so or not.
#[derive(Clone, Copy)]
struct Sign {
    is_positive: bool,
    is_strict: bool,
}

/// The clause says that the product of the terms `left` and `right` has the sign that the signs of
/// both give it.
pub(super) fn product(
    context: &mut Context,
    clause: &[Literal],
    left: TermId,
    right: TermId,
) -> Result<(), String> {
    for term in [left, right] {
        context.known(term)?;
        if !context.store().sort(term).is_arithmetic() {
            return Err("a factor is not a number".to_owned());
        }
    }
    let &[first, second, third] = clause else {
        return Err("the clause does not have three literals".to_owned());
    };
    let [left, right] = [left, right].map(|term| Polynomial::of(context.terms(), term));
    let (left, right) = (left?, right?);
    if left.terms.len().saturating_mul(right.terms.len()) > MAX_PRODUCTS {
        return Err("the product is too large".to_owned());
    }
    let signs = [(first, &left), (second, &right)]
        .map(|(literal, polynomial)| assumed_sign(context.terms(), literal, polynomial));
    let [first, second] = signs;
    let (Some(first), Some(second)) = (first?, second?) else {
        return Err("the first two literals are not about the signs of the factors".to_owned());
    };
    let whole = multiply(context, &left, &right)?;
    let is_positive = first.is_positive == second.is_positive;
    let relation = match first.is_strict && second.is_strict {
        true => Relation::Less,
        false => Relation::AtMost,
    };
    let negative = if is_positive { whole.negated(context.meter())? } else { whole };
    if Constraint::new(relation, negative).is_said_by(context.terms(), third)? {
        Ok(())
    } else {
        Err("the third literal is not the sign of the product".to_owned())
    }
}

/// The sign that a polynomial has where the literal is false.
fn assumed_sign(
    terms: Terms<'_>,
    literal: Literal,
    polynomial: &Polynomial,
) -> Result<Option<Sign>, Exhausted> {
    for is_positive in [true, false] {
        // What is not at most zero is positive; what is not below zero is zero or positive.
        let meter = terms.meter;
        let negative =
            if is_positive { polynomial.copied(meter)? } else { polynomial.negated(meter)? };
        for (relation, is_strict) in [(Relation::AtMost, true), (Relation::Less, false)] {
            if Constraint::new(relation, negative.copied(meter)?).is_said_by(terms, literal)? {
                return Ok(Some(Sign { is_positive, is_strict }));
            }
        }
    }
    Ok(None)
}

/// The product, multiplied out.
fn multiply(
    context: &mut Context,
    left: &Polynomial,
    right: &Polynomial,
) -> Result<Polynomial, Exhausted> {
    let meter = context.meter();
    let mut whole = right.scaled(meter, &left.constant)?;
    whole.add(meter, left, &right.constant)?;
    // The product of the constants came in twice.
    whole.constant = &left.constant * &right.constant;
    for (&a, factor) in &left.terms {
        for (&b, other) in &right.terms {
            context.spend(PRODUCT)?;
            let atom = multiply_atoms(context.make(), a, b);
            let factor = Polynomial::product(meter, factor, other)?;
            whole.add_term(context.terms(), atom, &factor)?;
        }
    }
    Ok(whole)
}

fn multiply_atoms(store: &mut Store, a: TermId, b: TermId) -> TermId {
    let is_mixed = store.sort(a) != store.sort(b);
    let [a, b] = [a, b].map(|atom| match is_mixed && store.sort(atom) == SortId::INT {
        true => store.mk(Op::ToReal, &[atom]),
        false => atom,
    });
    store.mk(Op::Mul, &[a, b])
}
