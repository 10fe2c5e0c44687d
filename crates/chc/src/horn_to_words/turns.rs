//! Which clauses can fire in the same turn: those whose bodies exclude each other.
//!
//! Bodies exclude each other if a conjunct of one contradicts one of the other in form: `x` and
//! `not x`, or `x = 1` and `x = 2`. That is how programs choose between clauses, and it is cheap to
//! see. Each clause takes the first turn in which it disturbs nobody (greedy colouring).

use alphorn_term::{Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most pairs of bodies that are compared.
const MOST_PAIRS: usize = 4_000_000;

/// What the conjuncts of a body say in a form that can be contradicted.
struct Facts {
    literals: FxHashSet<TermId>,
    values: FxHashMap<TermId, TermId>,
}

/// A turn for each of these conditions, such that those of one turn exclude each other, and how many
/// turns there are.
pub(super) fn turns(store: &Store, bodies: &[TermId]) -> (Vec<usize>, usize) {
    let facts: Vec<Facts> = bodies.iter().map(|&body| facts(store, body)).collect();
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut turns = Vec::with_capacity(bodies.len());
    let mut compared = 0;
    for (at, fact) in facts.iter().enumerate() {
        let mut fits = |turn: &Vec<usize>| {
            turn.iter().all(|&other| {
                compared += 1;
                compared <= MOST_PAIRS && excludes(store, &facts[other], fact)
            })
        };
        let turn = members.iter().position(&mut fits).unwrap_or(members.len());
        if turn == members.len() {
            members.push(Vec::new());
        }
        members[turn].push(at);
        turns.push(turn);
    }
    (turns, members.len())
}

fn facts(store: &Store, body: TermId) -> Facts {
    let mut facts = Facts { literals: FxHashSet::default(), values: FxHashMap::default() };
    for part in crate::transform::conjuncts(store, body) {
        facts.literals.insert(part);
        if let (Op::Eq, &[left, right]) = (store.op(part), store.args(part)) {
            for (term, value) in [(left, right), (right, left)] {
                if store.is_literal(value) {
                    facts.values.insert(term, value);
                }
            }
        }
    }
    facts
}

fn excludes(store: &Store, one: &Facts, other: &Facts) -> bool {
    let has_other_value = |(term, value): (&TermId, &TermId)| {
        other.values.get(term).is_some_and(|other_value| other_value != value)
    };
    let is_denied = |one: &Facts, other: &Facts| {
        let denied = |&part: &TermId| {
            store.op(part) == Op::Not && other.literals.contains(&store.args(part)[0])
        };
        one.literals.iter().any(denied)
    };
    one.values.iter().any(has_other_value) || is_denied(one, other) || is_denied(other, one)
}
