//! Equations of words as polynomials modulo 2ⁿ.
//!
//! The sides are multiplied out (`problem::obligation::ring`). Equal polynomials have equal values, those
//! that differ by a constant other than zero never have, and equations whose differences are the same up
//! to the sign say the same.

use super::context::Context;
use alphorn_problem::evidence::proof::Literal;
use alphorn_problem::obligation::ring::{WordPolynomial, difference_within};

/// The ticks of a unit of work on polynomials, which are lists in ordered maps.
const TICKS: u64 = 16;

/// The clause is an equation that always or never holds, or two that say the same.
pub(super) fn ring(context: &Context, clause: &[Literal]) -> Result<(), String> {
    let of = |literal: &Literal| -> Result<WordPolynomial, String> {
        let terms = context.terms();
        let before = terms.meter.spent();
        let found = difference_within(terms.store, literal.atom, terms.meter);
        // One polynomial is limited by itself; what it took is counted as what it is before the next.
        let work = terms.meter.spent() - before;
        terms.meter.spend(work.saturating_mul(TICKS - 1))?;
        found.ok_or_else(|| "a literal is no equation of words, or too large".to_owned())
    };
    match clause {
        [only] => match (of(only)?.value(), only.negated) {
            (Some(value), negated) if value.is_zero() != negated => Ok(()),
            (Some(_), _) => Err("the equation is the other way round".to_owned()),
            (None, _) => Err("the sides are different polynomials".to_owned()),
        },
        [one, other] if one.negated != other.negated => {
            let (one, other) = (of(one)?, of(other)?);
            match one == other || one == other.negated() {
                true => Ok(()),
                false => Err("the equations are different".to_owned()),
            }
        }
        [_, _] => Err("one literal must be negated and the other not".to_owned()),
        _ => Err("the clause does not have one or two literals".to_owned()),
    }
}
