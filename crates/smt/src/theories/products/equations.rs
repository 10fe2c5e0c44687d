//! Equations times a factor: where `a = t` holds and `a·b` is known, `a·b` is `t·b`, multiplied out.
//!
//! Signs and tangents alone never see that `e·(f·g)` and `(e·f)·g` are the same where `f·g` and `e·f` have names:
//! they come nearer to it at one value after the other. Equations are the forms whose bounds meet in the
//! assignment, and what they are multiplied with is the other factor of a product of one of their unknowns. Products
//! that are new have a degree of at most `MAX_DEGREE`, so that this comes to an end.
//!
//! A step of the Gröbner walk of Buchberger, on demand. Invariant: a lemma is an instance of the rule of signs.

use alphorn_term::{Op, Rat, Store, TermId};

use super::{Product, add_signs_of};
use crate::arith::Var as Form;
use crate::linear::Linear;
use crate::theories::Theories;
use crate::theories::kernel::Kernel;

/// The most factors of a product that is made.
pub(super) const MAX_DEGREE: usize = 3;

/// The most equations that are multiplied in a query: what they do not decide soon, they make harder.
pub(super) const MAX_MULTIPLES: usize = 8;

/// With more products, equations are not multiplied.
pub(super) const MAX_PRODUCTS: usize = 8;

/// The most unknowns of an equation that is multiplied.
pub(super) const MAX_WIDTH: usize = 8;

/// The equations of an assignment: forms of several unknowns whose bounds meet.
pub(super) fn fixed(theories: &Theories) -> Vec<Linear> {
    let arithmetic = &theories.arithmetic;
    let simplex = &arithmetic.simplex;
    let mut found = Vec::new();
    for form in (0..simplex.vars()).map(|at| Form(at as u32)) {
        let (Some(low), Some(high)) = (simplex.lower(form), simplex.upper(form)) else { continue };
        let Some(terms) = arithmetic.forms.get(&form) else { continue };
        if low != high || !(2..=MAX_WIDTH).contains(&terms.len()) {
            continue;
        }
        let mut equation = Linear { constant: -low.value.clone(), ..Linear::default() };
        let is_whole = terms.iter().all(|(unknown, factor)| {
            let atom = arithmetic.unknowns.get(unknown);
            atom.map(|&atom| equation.add_scaled(&Linear::atom(atom), factor)).is_some()
        });
        if is_whole {
            found.push(equation);
        }
    }
    found
}

/// Adds what equations are, times the other factors of products of their unknowns, where the assignment has it wrong; whether
/// there is anything.
pub(super) fn multiply(
    kernel: &mut Kernel,
    store: &mut Store,
    numbers: &[Rat],
    equations: &[Linear],
) -> bool {
    let terms = kernel.theory().products.at_hand();
    if terms.len() > MAX_PRODUCTS {
        return false;
    }
    let mut is_refined = false;
    let mut left = kernel.theory().products.multiples;
    for equation in equations {
        for (unknown, _) in &equation.terms {
            let multiples = terms.iter().flat_map(|product| {
                others(product, *unknown).into_iter().map(|other| (product.term, other))
            });
            for (product, other) in multiples {
                if left == 0 {
                    kernel.theory_mut().products.multiples = 0;
                    return is_refined;
                }
                if degree(store, equation) + degree(store, &other) > MAX_DEGREE {
                    continue;
                }
                let whole = equation.times(store, &other);
                let theory = kernel.theory();
                let is_known = whole
                    .terms
                    .iter()
                    .all(|(atom, _)| theory.arithmetic.numbers.contains_key(atom));
                let value = theory.arithmetic.evaluate(&whole, numbers, |_| Rat::ZERO);
                if is_known && value.is_zero() {
                    continue;
                }
                let factors = [equation.clone(), other];
                if add_signs_of(kernel, store, product, factors, &whole, &[false]) {
                    is_refined = true;
                    left -= 1;
                }
            }
        }
    }
    kernel.theory_mut().products.multiples = left;
    is_refined
}

/// The factors that an unknown is multiplied with in a product.
fn others(product: &Product, unknown: TermId) -> Vec<Linear> {
    let unknown = Linear::atom(unknown);
    let sides = [(&product.left, &product.right), (&product.right, &product.left)];
    let found = sides.into_iter().filter(|(side, _)| **side == unknown);
    found.map(|(_, other)| other.clone()).collect()
}

/// The most factors of a summand.
pub(super) fn degree(store: &Store, linear: &Linear) -> usize {
    let of = |atom: TermId| match store.op(atom) {
        Op::Mul => store.args(atom).len(),
        _ => 1,
    };
    linear.terms.iter().map(|(atom, _)| of(*atom)).max().unwrap_or(0)
}
