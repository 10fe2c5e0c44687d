//! Projection of words.
//!
//! Whatever term without the variable x is put for x: if the literals stay true in the model, they imply
//! that there is a value for x. An equation with x below operators that can be undone (sums,
//! exclusive disjunctions, negations, products with odd numbers, parts of a concatenation) says what x
//! is, and nothing is lost. Else the terms that x is compared with are tried, each undone likewise, and
//! their neighbours where the comparison is strict: of several bounds the closest one stays true. Then the
//! ends of the range, which fit where there are bounds from one side only. The model's value always fits.
//!
//! There are finitely many terms and values to put for x, so there are finitely many results.
//!
//! After the invertibility conditions of Niemetz, Preiner, Reynolds, Barrett, Tinelli (CAV 2018), of
//! which we use those that need no condition.

use super::mentions::Mentions;
use super::valuation::Valuation;
use crate::settings::PROJECT_MAX_CANDIDATES;
use alphorn_term::odd::inverse;
use alphorn_term::{Bv, Int, Op, Store, Substitution, TermId, Value};
use rustc_hash::FxHashSet;

/// Replaces words by terms without them, or by their values.
pub(super) fn project_words(
    store: &mut Store,
    literals: &mut Vec<TermId>,
    variables: &[TermId],
    values: &mut Valuation,
) -> Option<()> {
    let mut open: Vec<TermId> =
        variables.iter().copied().filter(|&x| store.width_of(store.sort(x)).is_some()).collect();
    while let Some(x) = open.pop() {
        // Other variables may stand in candidates; those that remain are replaced later.
        let mut mentions = Mentions::new(&[x]);
        let (mut touched, rest): (Vec<TermId>, Vec<TermId>) =
            literals.iter().partition(|&&literal| mentions.any(store, literal));
        if touched.is_empty() {
            continue;
        }
        replace(store, &mut touched, x, values)?;
        *literals = rest;
        for literal in touched {
            if literal != TermId::TRUE && !literals.contains(&literal) {
                literals.push(literal);
            }
        }
    }
    Some(())
}

/// Replaces one word in literals that mention it.
fn replace(
    store: &mut Store,
    literals: &mut Vec<TermId>,
    x: TermId,
    values: &mut Valuation,
) -> Option<()> {
    let value = values.value(store, x)?;
    let mut best: Option<(usize, Vec<TermId>)> = None;
    let mut candidates = word_terms(store, literals, x, values);
    candidates.extend(word_ends(store, x));
    for candidate in candidates {
        // What has another value in the model may be as good, but has to be looked at.
        let map: Substitution = [(x, candidate)].into_iter().collect();
        let mut result = store.substitute_all(literals, &map);
        result.retain(|&literal| literal != TermId::TRUE);
        let is_true = values.value(store, candidate).as_ref() == Some(&value)
            || result.iter().all(|&literal| values.holds(store, literal) == Some(true));
        if !is_true {
            continue;
        }
        let size = store.dag_size(&result);
        if best.as_ref().is_none_or(|(least, _)| size < *least) {
            best = Some((size, result));
        }
    }
    *literals = match best {
        Some((_, result)) => result,
        None => {
            let value = store.value_term(&value)?;
            let map: Substitution = [(x, value)].into_iter().collect();
            let mut result = store.substitute_all(literals, &map);
            result.retain(|&literal| literal != TermId::TRUE);
            result
        }
    };
    Some(())
}

/// Terms without x that may be put for x: those that it equals, is bounded by, or differs from.
pub(crate) fn word_terms(
    store: &mut Store,
    literals: &[TermId],
    x: TermId,
    values: &mut Valuation,
) -> Vec<TermId> {
    let mut found = Vec::new();
    for &literal in literals {
        let (atom, is_negated) = match store.op(literal) {
            Op::Not => (store.args(literal)[0], true),
            _ => (literal, false),
        };
        let &[left, right] = store.args(atom) else { continue };
        let is_strict = match store.op(atom) {
            Op::Eq if store.width_of(store.sort(left)).is_some() => is_negated,
            Op::BvUle | Op::BvSle => is_negated,
            Op::BvUlt | Op::BvSlt => !is_negated,
            _ => continue,
        };
        for (side, other) in [(left, right), (right, left)] {
            let width = store.width(other);
            let mut bounds = vec![other];
            if is_strict {
                for step in [1, -1] {
                    let step = store.bv(Bv::from_int(width, &Int::from(step)));
                    bounds.push(store.mk(Op::BvAdd, &[other, step]));
                }
            }
            for bound in bounds {
                let solved = undo(store, side, x, bound, Some(values));
                found.extend(solved.filter(|_| found.len() < PROJECT_MAX_CANDIDATES.size()));
            }
        }
    }
    let mut given = FxHashSet::default();
    found.retain(|&term| given.insert(term));
    found
}

/// The ends of the range of a word.
pub(crate) fn word_ends(store: &mut Store, x: TermId) -> [TermId; 4] {
    let width = store.width(x);
    let signed = Bv::min_signed(width);
    [Bv::from_u64(width, 0), Bv::ones(width), signed.clone(), signed.not()].map(|end| store.bv(end))
}

/// The variable, of those given, that an equation of words determines, and the term that it is.
pub(crate) fn solve(
    store: &mut Store,
    left: TermId,
    right: TermId,
    variables: &FxHashSet<TermId>,
) -> Option<(TermId, TermId)> {
    for (side, other) in [(left, right), (right, left)] {
        for x in on_the_way(store, side, variables) {
            if let Some(term) = undo(store, side, x, other, None) {
                return Some((x, term));
            }
        }
    }
    None
}

/// The variables that operators which can be undone lead to.
fn on_the_way(store: &Store, side: TermId, variables: &FxHashSet<TermId>) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![side];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if variables.contains(&term) {
            found.push(term);
        }
        if can_be_undone(store, term) {
            stack.extend(store.args(term).iter().rev());
        }
    }
    found
}

/// Whether the value of a term, with its other arguments, determines each argument.
fn can_be_undone(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::BvAdd | Op::BvSub | Op::BvXor | Op::BvNot | Op::BvNeg | Op::Concat => true,
        Op::ZeroExtend(_) | Op::SignExtend(_) => true,
        Op::BvMul => store.args(term).iter().any(|&arg| odd(store, arg).is_some()),
        _ => false,
    }
}

fn odd(store: &Store, term: TermId) -> Option<&Bv> {
    store.bv_value(term).filter(|value| value.bit(0))
}

/// The term that x is where `side` is `value`; none if `value`, or more than one argument on the
/// way, mentions x, or some operator on the way cannot be undone.
///
/// Where only a part of x is determined, the rest is the model's, if there is one.
fn undo(
    store: &mut Store,
    side: TermId,
    x: TermId,
    value: TermId,
    mut values: Option<&mut Valuation>,
) -> Option<TermId> {
    let mut mentions = Mentions::new(&[x]);
    if mentions.any(store, value) {
        return None;
    }
    let (mut side, mut value) = (side, value);
    while side != x {
        let args = store.args(side).to_vec();
        let mut places = (0..args.len()).filter(|&place| mentions.any(store, args[place]));
        let (place, None) = (places.next()?, places.next()) else { return None };
        let other = args.get(1 - place.min(1)).copied();
        value = match (store.op(side), other) {
            (Op::BvNot | Op::BvNeg, _) => store.mk(store.op(side), &[value]),
            (Op::BvAdd, Some(other)) => store.mk(Op::BvSub, &[value, other]),
            (Op::BvXor, Some(other)) => store.mk(Op::BvXor, &[value, other]),
            (Op::BvSub, Some(other)) if place == 0 => store.mk(Op::BvAdd, &[value, other]),
            (Op::BvSub, Some(other)) => store.mk(Op::BvSub, &[other, value]),
            (Op::BvMul, Some(other)) => {
                let inverse = inverse(odd(store, other)?);
                let inverse = store.bv(inverse);
                store.mk(Op::BvMul, &[value, inverse])
            }
            (Op::Concat, Some(other)) => {
                let (own, low) = (store.width(args[place]), store.width(other));
                let from = if place == 0 { low } else { 0 };
                store.mk(Op::Extract(from + own - 1, from), &[value])
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_), _) => {
                let own = store.width(args[0]);
                store.mk(Op::Extract(own - 1, 0), &[value])
            }
            (Op::Extract(high, low), _) => {
                let values = values.as_deref_mut()?;
                widen(store, args[0], (high, low), value, values)?
            }
            _ => return None,
        };
        side = args[place];
    }
    Some(value)
}

/// The model's value of a word with a part replaced.
fn widen(
    store: &mut Store,
    word: TermId,
    (high, low): (u32, u32),
    part: TermId,
    values: &mut Valuation,
) -> Option<TermId> {
    let Value::Bv(whole) = values.value(store, word)? else { return None };
    let mut result = part;
    if high + 1 < whole.width() {
        let above = store.bv(whole.extract(whole.width() - 1, high + 1));
        result = store.mk(Op::Concat, &[above, result]);
    }
    if low > 0 {
        let below = store.bv(whole.extract(low - 1, 0));
        result = store.mk(Op::Concat, &[result, below]);
    }
    Some(result)
}
