//! What is known about a predicate, as formulas over its parameters.
//!
//! Equations come first, then bounds of single arguments, then those of sums and differences that do
//! not follow from what is there already. What holds in one part of the facts only is said under the
//! condition that the key has the part's value.

use super::bound::{Bound, Interval};
use super::octagon::{Octagon, Signed};
use super::partition::Key;
use super::state::{State, is_integral};
use alphorn_smt::Linear;
use alphorn_term::{Rat, SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// Formulas that hold of a predicate's facts; `false` if it has none.
pub(super) fn facts(
    store: &mut Store,
    params: &[TermId],
    key: &Key,
    parts: &[Option<State>],
) -> Vec<TermId> {
    let whole = parts.iter().flatten().cloned().reduce(|left, right| left.join(&right));
    let Some(whole) = whole else { return vec![TermId::FALSE] };
    let mut found = said(store, params, &whole);
    let Some(at) = key.at else { return found };
    let of_all: FxHashSet<TermId> = found.iter().copied().collect();
    for (part, &value) in parts.iter().zip(&key.values) {
        let is_here = store.eq(params[at], value);
        let elsewhere = store.not(is_here);
        let Some(part) = part else {
            found.push(elsewhere);
            continue;
        };
        for fact in said(store, params, part) {
            if fact != is_here && !of_all.contains(&fact) {
                found.push(store.or(&[elsewhere, fact]));
            }
        }
    }
    found
}

/// What a state says about parameters.
fn said(store: &mut Store, params: &[TermId], state: &State) -> Vec<TermId> {
    let mut found = Vec::new();
    for &param in params {
        if let Some(&value) = state.truths.get(&param) {
            found.push(if value { param } else { store.not(param) });
        }
        if let Some(range) = state.ranges.get(&param) {
            bounds(store, param, range, &mut found);
        }
    }
    relations(store, state, &mut found);
    found
}

/// What an interval says.
fn bounds(store: &mut Store, param: TermId, range: &Interval, found: &mut Vec<TermId>) {
    let number = |store: &mut Store, value: &Rat| {
        if is_integral(store, param) {
            store.int(value.numerator())
        } else {
            store.real(value.clone())
        }
    };
    if let Some(value) = range.value() {
        let value = number(store, value);
        found.push(store.eq(param, value));
        return;
    }
    if let Some(down) = &range.down {
        let value = number(store, &-&down.value);
        found.push(if down.is_strict { store.lt(value, param) } else { store.le(value, param) });
    }
    if let Some(up) = &range.up {
        let value = number(store, &up.value);
        found.push(if up.is_strict { store.lt(param, value) } else { store.le(param, value) });
    }
}

/// What an octagon says beyond the intervals.
fn relations(store: &mut Store, state: &State, found: &mut Vec<TermId>) {
    let dimensions = &state.dimensions;
    let mut kept = Octagon::top(dimensions.iter().map(|&term| is_integral(store, term)).collect());
    for (at, &term) in dimensions.iter().enumerate() {
        // Values are not empty, and neither is what follows from a part of them.
        let _ = kept.restrict(at, &state.range(term));
    }
    let sums = state.octagon.sums();
    let is_equation = |first: Signed, second: Signed, bound: &Bound| {
        let other = state.octagon.bound(first.negated(), second.negated());
        other.as_ref().is_some_and(|other| (&other.value + &bound.value).is_zero())
    };
    for are_equations in [true, false] {
        for &(first, second, bound) in &sums {
            if is_equation(first, second, bound) != are_equations {
                continue;
            }
            let is_news = matches!(kept.add(first, second, bound.clone()), Ok(true));
            if !is_news {
                continue;
            }
            if are_equations {
                let _ = kept.add(first.negated(), second.negated(), bound.times_minus_one());
            }
            found.push(relation(store, state, first, second, bound, are_equations));
        }
    }
}

/// The formula for the bound of a sum.
fn relation(
    store: &mut Store,
    state: &State,
    first: Signed,
    second: Signed,
    bound: &Bound,
    is_equation: bool,
) -> TermId {
    let terms = [first, second].map(|signed| state.dimensions[signed.dimension()]);
    let is_over_integers = terms.iter().all(|&term| is_integral(store, term));
    let sort = if is_over_integers { SortId::INT } else { SortId::REAL };
    let (mut left, mut right) = (Linear::default(), Linear::constant(bound.value.clone()));
    for (signed, term) in [first, second].into_iter().zip(terms) {
        let side = if signed.is_negative() { &mut right } else { &mut left };
        side.add_scaled(&Linear::atom(term), &Rat::ONE);
    }
    let (left, right) = (left.to_term(store, sort), right.to_term(store, sort));
    match (is_equation, bound.is_strict) {
        (true, _) => store.eq(left, right),
        (false, true) => store.lt(left, right),
        (false, false) => store.le(left, right),
    }
}
