//! Arguments of a disjunction that others cover or complete, and common conjuncts.
//!
//! Stated for disjunctions of cubes; conjunctions of clauses are treated dually, by the same code
//! on negated literals. A cube that implies another one goes. Two cubes that differ in one literal,
//! which is negated in one of them, become the cube without it. A literal of all cubes is put
//! before the disjunction.

use super::facts::Facts;
use super::normal::{is_literal, negation};
use crate::settings::SIMPLIFY_MAX_CUBES;
use alphorn_term::{Op, Store, TermId};

/// The operator of cubes in a disjunction, or of clauses in a conjunction.
fn inner(op: Op) -> Op {
    if op == Op::Or { Op::And } else { Op::Or }
}

/// The literals of a cube, if it is one.
fn literals_of(store: &Store, op: Op, arg: TermId) -> Option<Vec<TermId>> {
    let literals = if store.op(arg) == inner(op) { store.args(arg).to_vec() } else { vec![arg] };
    literals.iter().all(|&literal| is_literal(store, literal)).then_some(literals)
}

/// Drops cubes that others cover and joins those that complete each other.
pub(super) fn merge_cubes(store: &mut Store, op: Op, args: Vec<TermId>) -> Vec<TermId> {
    if args.len() < 2 || args.len() > SIMPLIFY_MAX_CUBES.size() {
        return args;
    }
    let mut cubes: Vec<TermId> = args;
    loop {
        cubes = drop_covered(store, op, cubes);
        match join(store, op, &cubes) {
            Some((first, second, joined)) => {
                cubes[first] = joined;
                cubes.remove(second);
            }
            None => return cubes,
        }
    }
}

/// Drops the cubes that imply another one.
fn drop_covered(store: &mut Store, op: Op, cubes: Vec<TermId>) -> Vec<TermId> {
    let literals: Vec<Option<Vec<TermId>>> =
        cubes.iter().map(|&cube| literals_of(store, op, cube)).collect();
    let mut is_kept = vec![true; cubes.len()];
    for (place, mine) in literals.iter().enumerate() {
        let Some(mine) = mine else { continue };
        if mine.len() == 1 {
            continue;
        }
        // A clause is the negation of a cube, and what it covers covers it.
        let mut facts = Facts::default();
        for &literal in mine {
            let fact = if op == Op::Or { literal } else { negation(store, literal) };
            facts.assume(store, fact);
        }
        let holds = Some(op == Op::Or);
        for (other, theirs) in literals.iter().enumerate() {
            let Some(theirs) = theirs else { continue };
            let is_candidate = other != place && is_kept[other];
            if is_candidate && theirs.iter().all(|&l| facts.decide(store, l) == holds) {
                is_kept[place] = false;
                break;
            }
        }
    }
    let kept = cubes.into_iter().zip(is_kept);
    kept.filter(|(_, is_kept)| *is_kept).map(|(cube, _)| cube).collect()
}

/// Two cubes that differ in the sign of one literal, and the cube without it.
fn join(store: &mut Store, op: Op, cubes: &[TermId]) -> Option<(usize, usize, TermId)> {
    let literals: Vec<Option<Vec<TermId>>> =
        cubes.iter().map(|&cube| literals_of(store, op, cube)).collect();
    for (first, mine) in literals.iter().enumerate() {
        let Some(mine) = mine else { continue };
        for (second, theirs) in literals.iter().enumerate().skip(first + 1) {
            let Some(theirs) = theirs else { continue };
            if mine.len() != theirs.len() {
                continue;
            }
            let mut own = mine.iter().filter(|literal| !theirs.contains(literal));
            let mut foreign = theirs.iter().filter(|literal| !mine.contains(literal));
            let (Some(&left), None) = (own.next(), own.next()) else { continue };
            let (Some(&right), None) = (foreign.next(), foreign.next()) else { continue };
            if negation(store, left) == right {
                let rest: Vec<TermId> = mine.iter().copied().filter(|&l| l != left).collect();
                return Some((first, second, store.mk(inner(op), &rest)));
            }
        }
    }
    None
}

/// Puts what all arguments have in common before the rest.
pub(super) fn factor(store: &mut Store, op: Op, args: Vec<TermId>) -> Vec<TermId> {
    let parts = |store: &Store, arg: TermId| {
        if store.op(arg) == inner(op) { store.args(arg).to_vec() } else { vec![arg] }
    };
    let (Some(&first), true) = (args.first(), args.len() > 1) else { return args };
    let mut common = parts(store, first);
    for &arg in &args[1..] {
        let theirs = parts(store, arg);
        common.retain(|literal| theirs.contains(literal));
    }
    if common.is_empty() {
        return args;
    }
    let mut rests = Vec::with_capacity(args.len());
    for &arg in &args {
        let mut rest = parts(store, arg);
        rest.retain(|literal| !common.contains(literal));
        rests.push(store.mk(inner(op), &rest));
    }
    let rest = store.mk(op, &rests);
    common.push(rest);
    vec![store.mk(inner(op), &common)]
}
