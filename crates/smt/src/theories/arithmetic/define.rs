//! The defining properties of operators on numbers that are no sums.
//!
//! A conditional is one of its branches; a quotient and a remainder make up the dividend; an absolute
//! value is the number or its opposite; the integer part is at most one below. Each property is a
//! clause that `check` knows as an axiom (PROOFS.md, "Connectives" and "Arithmetic").
//!
//! Division by something that is no constant says the same with a product, whose meaning is left
//! to the linearisation of products; division by zero is whatever a function of the dividend is
//! (`quotients`).

use alphorn_sat::Lit;
use alphorn_term::{Int, Op, Rat, SortId, TermId};

use super::encode::at_most_zero;
use super::steps;
use crate::linear::{Linear, number_of};
use crate::theories::encode::{Encoding, Leaf};

/// Adds the defining properties of a term; whether it has any here.
pub(super) fn define(cx: &mut Encoding<'_>, term: TermId) -> bool {
    let args = cx.store.args(term).to_vec();
    match cx.store.op(term) {
        Op::Ite if cx.theory().equality.tokens.contains(&term) => return false,
        Op::Ite if cx.store.sort(term).is_arithmetic() => define_conditional(cx, term, &args),
        Op::IntDiv | Op::Mod => define_division(cx, term, &args),
        Op::RealDiv => define_quotient(cx, term, &args),
        Op::Abs => {
            let x = Linear::of(cx.store, args[0]);
            let mut below = Linear::atom(term);
            below.add_scaled(&x, &-Rat::ONE);
            let mut above = Linear::atom(term);
            above.add_scaled(&x, &Rat::ONE);
            let negative = at_most_zero(cx, &x, true, None);
            equal_if(cx, !negative, &below, Leaf::Of(term, steps::axiom));
            equal_if(cx, negative, &above, Leaf::Of(term, steps::axiom));
        }
        Op::ToInt => {
            let mut low = Linear::atom(term);
            low.add_scaled(&Linear::of(cx.store, args[0]), &-Rat::ONE);
            let mut high = low.clone();
            high.scale(&-Rat::ONE);
            high.constant = &high.constant - &Rat::ONE;
            let low = at_most_zero(cx, &low, false, None);
            let high = at_most_zero(cx, &high, true, None);
            cx.clause(&[low], Leaf::Of(term, steps::axiom));
            cx.clause(&[high], Leaf::Of(term, steps::axiom));
        }
        Op::IsInt => {
            let floor = cx.store.mk(Op::ToInt, &[args[0]]);
            let floor_real = cx.store.mk(Op::ToReal, &[floor]);
            let equation = cx.store.eq(args[0], floor_real);
            let same = cx.sub_literal(equation);
            let whole = cx.encoder.literals[&term];
            cx.clause(&[!whole, same], Leaf::Of(term, steps::axiom));
            cx.clause(&[whole, !same], Leaf::Of(term, steps::axiom));
        }
        _ => return false,
    }
    true
}

/// If `condition`, the polynomial is zero: two clauses.
pub(crate) fn equal_if(cx: &mut Encoding<'_>, condition: Lit, linear: &Linear, leaf: Leaf) {
    let mut opposite = linear.clone();
    opposite.scale(&-Rat::ONE);
    for side in [linear, &opposite] {
        let lit = at_most_zero(cx, side, false, None);
        cx.clause(&[!condition, lit], leaf.clone());
    }
}

fn define_conditional(cx: &mut Encoding<'_>, term: TermId, args: &[TermId]) {
    let condition = cx.sub_literal(args[0]);
    for (condition, branch) in [(condition, args[1]), (!condition, args[2])] {
        let mut linear = Linear::atom(term);
        linear.add_scaled(&Linear::of(cx.store, branch), &-Rat::ONE);
        equal_if(cx, condition, &linear, Leaf::Conditional(term));
    }
}

fn define_division(cx: &mut Encoding<'_>, term: TermId, args: &[TermId]) {
    let divisor = number_of(cx.store, args[1]);
    if divisor.as_ref().is_some_and(Rat::is_zero) {
        // Nothing is known but that it is a function.
        unsettled(cx, term);
        return;
    }
    let quotient = cx.store.mk(Op::IntDiv, args);
    let remainder = cx.store.mk(Op::Mod, args);
    let product = cx.store.mk(Op::Mul, &[args[1], quotient]);
    let mut whole = Linear::of(cx.store, args[0]);
    whole.add_scaled(&Linear::of(cx.store, product), &-Rat::ONE);
    whole.add_scaled(&Linear::of(cx.store, remainder), &-Rat::ONE);
    let mut negative = Linear::of(cx.store, remainder);
    negative.scale(&-Rat::ONE);
    let not_negative = at_most_zero(cx, &negative, false, None);
    let leaf = Leaf::Of(term, steps::axiom);
    let truth = cx.encoder.truth;
    if let Some(divisor) = divisor {
        equal_if(cx, truth, &whole, leaf.clone());
        cx.clause(&[not_negative], leaf.clone());
        let mut small = Linear::of(cx.store, remainder);
        small.constant = &small.constant - &divisor.abs();
        let small = at_most_zero(cx, &small, true, None);
        cx.clause(&[small], leaf);
        return;
    }
    unsettled(cx, term);
    let sort = cx.store.sort(args[1]);
    let zero = cx.store.number(sort, &Int::ZERO);
    let equation = cx.store.eq(args[1], zero);
    let is_zero = cx.sub_literal(equation);
    equal_if(cx, !is_zero, &whole, leaf.clone());
    cx.clause(&[is_zero, not_negative], leaf.clone());
    for sign in [Rat::ONE, -Rat::ONE] {
        // Where sign * divisor is positive, the remainder is below it.
        let mut divisor = Linear::of(cx.store, args[1]);
        divisor.scale(&sign);
        let not_positive = at_most_zero(cx, &divisor, false, None);
        let mut small = Linear::of(cx.store, remainder);
        small.add_scaled(&divisor, &-Rat::ONE);
        let small = at_most_zero(cx, &small, true, None);
        cx.clause(&[not_positive, small], leaf.clone());
    }
}

fn define_quotient(cx: &mut Encoding<'_>, term: TermId, args: &[TermId]) {
    let divisor = number_of(cx.store, args[1]);
    let product = cx.store.mk(Op::Mul, &[args[1], term]);
    let mut whole = Linear::of(cx.store, args[0]);
    whole.add_scaled(&Linear::of(cx.store, product), &-Rat::ONE);
    let leaf = Leaf::Of(term, steps::axiom);
    let truth = cx.encoder.truth;
    match divisor {
        Some(divisor) if divisor.is_zero() => unsettled(cx, term),
        Some(_) => equal_if(cx, truth, &whole, leaf),
        None => {
            unsettled(cx, term);
            let zero = cx.store.number(SortId::REAL, &Int::ZERO);
            let equation = cx.store.eq(args[1], zero);
            let is_zero = cx.sub_literal(equation);
            equal_if(cx, !is_zero, &whole, leaf);
        }
    }
}

/// Notes a division whose divisor may be zero (`quotients`).
fn unsettled(cx: &mut Encoding<'_>, term: TermId) {
    cx.theory_mut().mark_unclear();
    cx.theory_mut().arithmetic.quotients.push(term);
}
