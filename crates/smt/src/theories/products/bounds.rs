//! Bounds times a factor: where `a ≥ t` holds and `a·b` is known, `a·b ≥ t·b` for a `b` that is not negative, multiplied out.
//!
//! Signs and tangents are about the factors of one product. What two factors have to do with each other, `a ≥ 3·b`, is in a bound
//! of a form of both, and that `a·a ≥ 9·b·b` is its product with `a`, and with `b`. Taken are forms of several unknowns that are at
//! one of their bounds in the assignment; they are multiplied with the factors of products of their unknowns. Products that
//! are new have a degree of at most `MAX_DEGREE`, and how many bounds are multiplied in a query is limited.
//!
//! Invariant: a lemma is an instance of the rule of signs, and the assignment violates it. After Cimatti et al., Incremental
//! linearization (TOCL 2018), §4.

use alphorn_term::{Rat, Store, TermId};
use std::collections::BTreeSet;

use super::equations::{MAX_DEGREE, MAX_PRODUCTS, MAX_WIDTH, degree};
use super::{Product, add_sign, units};
use crate::arith::Var as Form;
use crate::linear::Linear;
use crate::theories::Theories;
use crate::theories::kernel::Kernel;

/// Polynomials that are not negative in an assignment because of a bound that it is at, and whether the bound is strict.
pub(super) fn reached(theories: &Theories) -> Vec<(Linear, bool)> {
    let arithmetic = &theories.arithmetic;
    let simplex = &arithmetic.simplex;
    let mut found = Vec::new();
    for form in (0..simplex.vars()).map(|at| Form(at as u32)) {
        let (low, high) = (simplex.lower(form), simplex.upper(form));
        if low == high {
            continue;
        }
        let Some(terms) = arithmetic.forms.get(&form) else { continue };
        if !(2..=MAX_WIDTH).contains(&terms.len()) {
            continue;
        }
        for (bound, sign) in [(low, Rat::ONE), (high, Rat::MINUS_ONE)] {
            let Some(bound) = bound.filter(|bound| *bound == simplex.value(form)) else { continue };
            let mut distance = Linear::constant(-(&bound.value * &sign));
            let is_whole = terms.iter().all(|(unknown, factor)| {
                let atom = arithmetic.unknowns.get(unknown);
                atom.map(|&atom| distance.add_scaled(&Linear::atom(atom), &(factor * &sign)))
                    .is_some()
            });
            if is_whole {
                found.push((distance, !bound.epsilon.is_zero()));
            }
        }
    }
    found
}

/// Adds what bounds are, times factors of products of their unknowns, where the assignment has it wrong; whether there is
/// anything.
pub(super) fn multiply(
    kernel: &mut Kernel,
    store: &mut Store,
    numbers: &[Rat],
    bounds: &[(Linear, bool)],
) -> bool {
    let terms = kernel.theory().products.at_hand();
    if terms.len() > MAX_PRODUCTS {
        return false;
    }
    let mut is_refined = false;
    for (bound, is_strict) in bounds {
        for (product, factor) in factors(&terms, bound) {
            if kernel.theory().products.bounds == 0 {
                return is_refined;
            }
            if degree(store, bound) + degree(store, &factor) > MAX_DEGREE {
                continue;
            }
            let whole = bound.times(store, &factor);
            let value = |linear| units::value(kernel, store, numbers, linear);
            let (sign, distance) = (value(&factor).signum(), value(bound).signum());
            // The assignment is at the bound, up to the infinitesimal of a strict one.
            if sign == 0 || distance < 0 || value(&whole).signum() * sign >= 0 {
                continue;
            }
            let sign = Rat::from(sign);
            let factors = [(bound.clone(), Rat::ONE), (factor, sign)];
            if add_sign(kernel, store, product, factors, &whole, *is_strict) {
                is_refined = true;
                kernel.theory_mut().products.bounds -= 1;
            }
        }
    }
    is_refined
}

/// The factors of products that an unknown of a bound is a factor of, each once, with a product that it is from.
fn factors(terms: &[Product], bound: &Linear) -> Vec<(TermId, Linear)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let is_in = |factor: &Linear| match &factor.terms[..] {
        [(atom, _)] => bound.terms.iter().any(|(other, _)| other == atom),
        _ => false,
    };
    for product in terms {
        if !is_in(&product.left) && !is_in(&product.right) {
            continue;
        }
        for factor in [&product.left, &product.right] {
            if seen.insert(factor.clone()) {
                found.push((product.term, factor.clone()));
            }
        }
    }
    found
}
