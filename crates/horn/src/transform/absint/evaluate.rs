//! What a state says about a term: the interval of a numeric one, the truth value of a formula.
//!
//! Terms are read a few levels deep; what lies deeper may be anything, so that terms with much
//! sharing cost no more than others. Quotients and remainders are treated for positive literal
//! divisors, products as products of intervals.

use super::bound::Interval;
use super::state::{Relation, State, decided, is_integral};
use crate::settings::ABSINT_DEPTH;
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, SortId, Store, TermId};

/// Whether a term is a number.
pub(super) fn is_numeric(store: &Store, term: TermId) -> bool {
    matches!(store.sort(term), SortId::INT | SortId::REAL)
}

/// The polynomial and the relation of a comparison of numbers.
pub(super) fn comparison(store: &Store, formula: TermId) -> Option<(Linear, Relation)> {
    let &[left, right] = store.args(formula) else { return None };
    let relation = match store.op(formula) {
        Op::Le => Relation::AtMost,
        Op::Lt => Relation::Below,
        Op::Eq if is_numeric(store, left) => Relation::Zero,
        _ => return None,
    };
    Some((Linear::difference(store, left, right), relation))
}

/// The ranges of a polynomial's terms.
pub(super) fn ranges(store: &Store, state: &State, form: &Linear) -> Vec<Interval> {
    form.terms.iter().map(|(term, _)| range_at(store, state, *term, ABSINT_DEPTH.size())).collect()
}

/// Whether a state decides a comparison of a polynomial with zero.
pub(super) fn compared(
    store: &Store,
    state: &State,
    form: &Linear,
    relation: Relation,
) -> Option<bool> {
    compared_at(store, state, form, relation, ABSINT_DEPTH.size())
}

fn compared_at(
    store: &Store,
    state: &State,
    form: &Linear,
    relation: Relation,
    depth: usize,
) -> Option<bool> {
    let ranges: Vec<Interval> =
        form.terms.iter().map(|(term, _)| range_at(store, state, *term, depth)).collect();
    let (up, down) = (state.upper(form, &ranges), state.upper(&form.negated(), &ranges));
    decided(&up, &down, relation)
}

/// The interval of a numeric term.
fn range_at(store: &Store, state: &State, term: TermId, depth: usize) -> Interval {
    let mut range = state.range(term);
    if depth > 0 && !matches!(store.op(term), Op::Var(_)) {
        range = range.meet(&computed(store, state, term, depth - 1));
    }
    if is_integral(store, term) { range.integers() } else { range }
}

/// The interval that a term's arguments give it.
fn computed(store: &Store, state: &State, term: TermId, depth: usize) -> Interval {
    let args = store.args(term);
    let range = |term: TermId| range_at(store, state, term, depth);
    match (store.op(term), args) {
        (Op::Ite, &[condition, then, otherwise]) => {
            match truth_at(store, state, condition, depth) {
                Some(true) => range(then),
                Some(false) => range(otherwise),
                None => range(then).join(&range(otherwise)),
            }
        }
        (Op::IntDiv, &[number, divisor]) => match positive(store, divisor) {
            Some(divisor) => range(number).quotients(&divisor),
            None => Interval::TOP,
        },
        (Op::Mod, &[number, divisor]) => match positive(store, divisor) {
            Some(divisor) => range(number).remainders(&divisor),
            None => Interval::TOP,
        },
        (Op::Abs, &[number]) => range(number).sizes(),
        (Op::ToInt, &[number]) => range(number).floors(),
        (Op::Add | Op::ToReal | Op::IntVal(_) | Op::RealVal(_), _) => {
            sum(store, state, term, depth)
        }
        (Op::Mul, &[first, _]) if store.is_literal(first) => sum(store, state, term, depth),
        (Op::Mul, factors) => {
            let ranges = factors.iter().map(|&factor| range(factor));
            ranges.reduce(|left, right| left.product(&right)).unwrap_or(Interval::TOP)
        }
        _ => Interval::TOP,
    }
}

fn sum(store: &Store, state: &State, term: TermId, depth: usize) -> Interval {
    let form = Linear::of(store, term);
    let mut sum = Interval::point(&form.constant);
    for (atom, factor) in &form.terms {
        let range =
            if *atom == term { Interval::TOP } else { range_at(store, state, *atom, depth) };
        sum = sum.plus(&range.times(factor));
    }
    sum
}

/// The value of a literal that is a positive integer.
pub(super) fn positive(store: &Store, term: TermId) -> Option<Int> {
    store.int_value(term).filter(|value| value.is_positive()).cloned()
}

/// The truth value of a formula without predicates, if the state decides it.
pub(super) fn truth(store: &Store, state: &State, formula: TermId) -> Option<bool> {
    truth_at(store, state, formula, ABSINT_DEPTH.size())
}

fn truth_at(store: &Store, state: &State, formula: TermId, depth: usize) -> Option<bool> {
    let known = state.truths.get(&formula).copied();
    if known.is_some() || depth == 0 {
        return known;
    }
    let args = store.args(formula);
    let truth = |formula: TermId| truth_at(store, state, formula, depth - 1);
    match store.op(formula) {
        Op::True => Some(true),
        Op::False => Some(false),
        Op::Not => truth(args[0]).map(|value| !value),
        op @ (Op::And | Op::Or) => {
            let end = op == Op::Or;
            let mut result = Some(!end);
            for &arg in args {
                match truth(arg) {
                    Some(value) if value == end => return Some(end),
                    Some(_) => {}
                    None => result = None,
                }
            }
            result
        }
        Op::Ite => match truth(args[0]) {
            Some(true) => truth(args[1]),
            Some(false) => truth(args[2]),
            None => truth(args[1]).filter(|&value| truth(args[2]) == Some(value)),
        },
        Op::Eq if store.sort(args[0]) == SortId::BOOL => Some(truth(args[0])? == truth(args[1])?),
        _ => {
            let (form, relation) = comparison(store, formula)?;
            compared_at(store, state, &form, relation, depth - 1)
        }
    }
}
