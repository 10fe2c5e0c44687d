//! Whole numbers as factors: one that is not zero makes a product at least as large as the other factor.
//!
//! `(a - 1)·b` has a sign where `a ≥ 1` and that of `b` is known, and so has `(a + 1)·b`; and `(a - u)·b` where `a` is `u`. Signs and tangents alone come
//! nearer to that at one value after the other. It is what makes quotients unique: of two divisions by `b` with
//! equal dividends the remainders differ by `b·(q - p)`, which is less than `b` in size, so that `q` is `p`. For the
//! same reason products are compared whose monomials have a factor in common, however they were split, and
//! both their difference and their sum. Where nothing is divided all this is in the way of whoever looks for a solution, and of
//! proofs by equations; it is said beside divisions alone.
//!
//! Invariant: a lemma is an instance of the rule of signs, and the assignment violates it.

use alphorn_term::{Op, Rat, Store, TermId};

use super::{Product, add_all_signs};
use crate::linear::{Linear, number_of};
use crate::theories::kernel::Kernel;

/// With more of them, monomials are not taken apart.
const MAX_FACTORS: usize = 4;

/// Adds what the assignment violates of `(f - u)·g` and `f·(g - u)` for units `u`, for factors that are whole numbers; whether there is
/// anything.
pub(super) fn add(
    kernel: &mut Kernel,
    store: &mut Store,
    numbers: &[Rat],
    product: TermId,
    factors: &[Linear; 2],
) -> bool {
    let mut is_refined = false;
    for place in 0..2 {
        if !is_whole(store, &factors[place]) {
            continue;
        }
        // At one, at minus one, and at what the factor is.
        let own = value(kernel, store, numbers, &factors[place]);
        for unit in [Rat::ONE, -Rat::ONE, own] {
            let mut shifted = factors.clone();
            shifted[place].constant = &shifted[place].constant - &unit;
            is_refined |= add_wrong(kernel, store, numbers, product, shifted);
        }
    }
    is_refined
}

/// Adds what the assignment violates of `(a - c)·b` and `(a + c)·b` where products are `a·b` and `c·b`; whether there is
/// anything.
pub(super) fn compare(
    kernel: &mut Kernel,
    store: &mut Store,
    numbers: &[Rat],
    [one, other]: [&Product; 2],
) -> bool {
    let (left, right) = (monomial(store, one.term), monomial(store, other.term));
    if left.len().max(right.len()) > MAX_FACTORS {
        return false;
    }
    let mut is_refined = false;
    let mut common: Vec<TermId> = left.iter().copied().filter(|f| right.contains(f)).collect();
    common.dedup();
    for shared in common {
        let rest = rest(store, &left, shared);
        let minus = self::rest(store, &right, shared);
        for sign in [-Rat::ONE, Rat::ONE] {
            let mut sum = rest.clone();
            sum.add_scaled(&minus, &sign);
            if sum.is_constant() {
                continue;
            }
            let factors = [sum, Linear::atom(shared)];
            is_refined |= add_wrong(kernel, store, numbers, one.term, factors.clone());
            is_refined |= add(kernel, store, numbers, one.term, &factors);
        }
    }
    is_refined
}

/// The factors of a product that are no numbers.
fn monomial(store: &Store, term: TermId) -> Vec<TermId> {
    let args = store.args(term);
    args.iter().copied().filter(|arg| number_of(store, *arg).is_none()).collect()
}

/// The product of factors but one.
fn rest(store: &mut Store, factors: &[TermId], without: TermId) -> Linear {
    let mut rest = factors.to_vec();
    if let Some(at) = rest.iter().position(|factor| *factor == without) {
        rest.remove(at);
    }
    match rest[..] {
        [] => Linear::constant(Rat::ONE),
        [only] => Linear::of(store, only),
        _ => Linear::atom(store.mk(Op::Mul, &rest)),
    }
}

/// Whether a factor is a whole number whatever the unknowns are.
fn is_whole(store: &Store, factor: &Linear) -> bool {
    factor.is_over_integers(store)
        && factor.constant.is_integer()
        && factor.terms.iter().all(|(_, value)| value.is_integer())
}

/// Adds the signs of a product of polynomials if its value has another than its factors' values give it.
fn add_wrong(
    kernel: &mut Kernel,
    store: &mut Store,
    numbers: &[Rat],
    product: TermId,
    factors: [Linear; 2],
) -> bool {
    let whole = factors[0].times(store, &factors[1]);
    let value = |linear: &Linear| value(kernel, store, numbers, linear);
    let expected = value(&factors[0]).signum() * value(&factors[1]).signum();
    value(&whole).signum() != expected && add_all_signs(kernel, store, product, factors, &whole)
}

/// The value of a polynomial, where products that are no unknowns yet are those of their factors.
pub(super) fn value(kernel: &Kernel, store: &Store, numbers: &[Rat], linear: &Linear) -> Rat {
    let arithmetic = &kernel.theory().arithmetic;
    arithmetic.evaluate(linear, numbers, |atom| match store.op(atom) {
        Op::Mul => store.args(atom).iter().fold(Rat::ONE, |product, arg| {
            &product * &arithmetic.evaluate(&Linear::of(store, *arg), numbers, |_| Rat::ZERO)
        }),
        _ => Rat::ZERO,
    })
}
