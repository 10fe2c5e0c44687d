//! Equations of words as polynomials, before they become gates.
//!
//! Bits of products are hard to compare: that `a·(b + 1)` is `a·b + a` takes a search that doubles with
//! each bit. So the sides of an equation with products of unknowns are multiplied out first. Where they
//! are the same, or differ by a constant, the equation is decided; where fewer products are left than
//! there were, the equation is exchanged for the one that is left. Any other stays as it is, since
//! multiplying out makes products as well.
//!
//! Invariant: the clauses added hold in every model, by the rule `Ring` of the checker, so that nothing is
//! lost and what is refuted has a proof.

use crate::settings::RING_MAX_TERMS;
use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_problem::obligation::ring::{WordPolynomial, difference, is_ring_operator};
use alphorn_sat::Lit;
use alphorn_term::{Bv, Op, Store, TermId};
use rustc_hash::FxHashSet;

use crate::theories::encode::{Encoding, Leaf};

/// The literal of an equation that multiplying out decides or makes smaller.
pub(super) fn multiplied_out(cx: &mut Encoding<'_>, equation: TermId) -> Option<Lit> {
    let products = products(cx.store, equation).filter(|count| *count > 0)?;
    let difference = difference(cx.store, equation)?;
    let literal = Literal::of(cx.store, equation);
    if let Some(value) = difference.value() {
        let lit = cx.opaque(equation);
        let holds = value.is_zero();
        let stated = if holds { literal } else { !literal };
        cx.clause(&[lit.xor(!holds)], Leaf::Axiom(vec![stated], Rule::Ring));
        return Some(lit);
    }
    let left_over: usize = difference.terms.keys().map(|it| it.len().saturating_sub(1)).sum();
    if left_over >= products {
        return None;
    }
    let smaller = equation_of(cx.store, &difference);
    if smaller == equation || cx.store.op(smaller) != Op::Eq {
        return None;
    }
    cx.visit(smaller);
    let other = cx.lit(smaller);
    let lit = cx.opaque(equation);
    let smaller = Literal::of(cx.store, smaller);
    for (lits, terms) in
        [([!lit, other], [!literal, smaller]), ([lit, !other], [literal, !smaller])]
    {
        cx.clause(&lits, Leaf::Axiom(terms.to_vec(), Rule::Ring));
    }
    Some(lit)
}

/// How many products of unknowns the sides of an equation are made of; none if they are too large.
fn products(store: &Store, equation: TermId) -> Option<usize> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack: Vec<TermId> = store.args(equation).to_vec();
    let mut count = 0;
    while let Some(term) = stack.pop() {
        if !is_ring_operator(store, term) || !seen.insert(term) {
            continue;
        }
        if seen.len() > RING_MAX_TERMS.size() {
            return None;
        }
        let args = store.args(term);
        if store.op(term) == Op::BvMul {
            let unknown = args.iter().filter(|arg| store.bv_value(**arg).is_none()).count();
            count += unknown.saturating_sub(1);
        }
        stack.extend(args);
    }
    Some(count)
}

/// The equation that says that a polynomial is zero: what has a coefficient in the upper half, and so a
/// small one with the opposite sign, is on the right.
fn equation_of(store: &mut Store, polynomial: &WordPolynomial) -> TermId {
    let width = polynomial.width();
    let mut sides: [Option<TermId>; 2] = [None, None];
    for (factors, value) in &polynomial.terms {
        let is_right = value.is_negative();
        let value = if is_right { value.neg() } else { value.clone() };
        let factor = store.bv(value);
        let product = factors.iter().fold(None, |product, &next| match product {
            None => Some(next),
            Some(product) => Some(store.mk(Op::BvMul, &[product, next])),
        });
        let part = match product {
            None => factor,
            Some(product) => store.mk(Op::BvMul, &[factor, product]),
        };
        let side = &mut sides[usize::from(is_right)];
        *side = Some(match *side {
            None => part,
            Some(sum) => store.mk(Op::BvAdd, &[sum, part]),
        });
    }
    let zero = store.bv(Bv::from_u64(width, 0));
    let [left, right] = sides.map(|side| side.unwrap_or(zero));
    store.eq(left, right)
}
