//! Splits over the order of numbers: below or above an integer, and less, equal or greater.
//!
//! Both rules compare canonical forms, so the literals may be written in any way that says the
//! same.

use super::constraint::{Constraint, Relation};
use super::context::Context;
use super::polynomial::Polynomial;
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::Rat;

/// `t <= k` or `t >= k + 1`, where `t` is an integer.
pub(super) fn branch(context: &Context, clause: &[Literal]) -> Result<(), String> {
    let terms = context.terms();
    let &[first, second] = clause else {
        return Err("the clause does not have two literals".to_owned());
    };
    let below = Constraint::of(terms, first)?
        .filter(|line| matches!(line.relation, Relation::AtMost | Relation::Less));
    let below = below.map(|line| line.rounded(terms)).transpose()?;
    let Some(below) = below.flatten() else {
        return Err("the first literal does not bound a sum of integers".to_owned());
    };
    // p <= 0 or 1 - p <= 0, for the integer p.
    let mut above = Polynomial::constant(Rat::from(1i64));
    above.add(terms.meter, &below.polynomial, &Rat::from(-1i64))?;
    if Constraint::new(Relation::AtMost, above).is_said_by(terms, second)? {
        Ok(())
    } else {
        Err("the second literal does not begin where the first one ends".to_owned())
    }
}

/// `a = b` or `a < b` or `b < a`.
pub(super) fn trichotomy(context: &Context, clause: &[Literal]) -> Result<(), String> {
    let terms = context.terms();
    let &[equation, first, second] = clause else {
        return Err("the clause does not have three literals".to_owned());
    };
    let difference = match Constraint::of(terms, equation)? {
        Some(Constraint { relation: Relation::Equal, polynomial }) => polynomial,
        _ => return Err("the first literal is not an equation of numbers".to_owned()),
    };
    let greater = Constraint::new(Relation::Less, difference.negated(terms.meter)?);
    let less = Constraint::new(Relation::Less, difference);
    let says = |constraint: &Constraint, literal| constraint.is_said_by(terms, literal);
    if says(&less, first)? && says(&greater, second)?
        || says(&greater, first)? && says(&less, second)?
    {
        Ok(())
    } else {
        Err("the other two literals are not less than and greater than".to_owned())
    }
}
