//! Facts of a predicate told apart by one argument: a flag such as "this is the first step", or the
//! location of a program.
//!
//! An argument is a *key* if every clause that concludes the predicate gives it a literal, by the
//! clause's own constraints, or hands on that of an atom of the same predicate. Then it has few values
//! in all facts, and what holds of the facts can be computed for each value by itself. Bounds that a
//! loop establishes after its first step only are lost otherwise.

use super::interpret::Interpreter;
use super::state::State;
use crate::settings::ABSINT_MAX_VALUES;
use crate::transform::system::{System, conjuncts};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{SortId, Store, TermId};
use std::collections::BTreeSet;

/// How the facts of a predicate are told apart; all in one part without a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Key {
    /// The position of the argument by whose values facts are told apart.
    pub at: Option<usize>,
    /// Its values, which are literals.
    pub values: Vec<TermId>,
}

impl Key {
    /// How many parts there are.
    pub fn parts(&self) -> usize {
        if self.at.is_some() { self.values.len() } else { 1 }
    }
}

/// For each predicate, the key with most values.
pub(super) fn keys(
    system: &System,
    store: &mut Store,
    params: &[Vec<TermId>],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Key>, Stop> {
    let mut found: Vec<Vec<Option<BTreeSet<TermId>>>> =
        params.iter().map(|params| vec![Some(BTreeSet::new()); params.len()]).collect();
    for clause in &system.clauses {
        ctx.tick(1)?;
        let Head::Atom(head, args) = &clause.head else { continue };
        let derived = by_itself(system, store, params, clause);
        let Some(state) = derived else { continue };
        for (at, values) in found[head.index()].iter_mut().enumerate() {
            let literal = literal(store, &state, params[head.index()][at]);
            match (literal, values.as_mut()) {
                (Some(literal), Some(values)) if values.len() <= ABSINT_MAX_VALUES.size() => {
                    values.insert(literal);
                }
                (None, Some(_)) if hands_on(system, store, clause, args[at], at) => {}
                _ => *values = None,
            }
        }
    }
    let key = |found: Vec<Option<BTreeSet<TermId>>>| {
        let mut best = Key::default();
        for (at, values) in found.into_iter().enumerate() {
            let Some(values) = values else { continue };
            if (2..=ABSINT_MAX_VALUES.size()).contains(&values.len())
                && values.len() > best.values.len()
            {
                best = Key { at: Some(at), values: values.into_iter().collect() };
            }
        }
        best
    };
    Ok(found.into_iter().map(key).collect())
}

/// What a clause says about its head's parameters if anything may be a fact.
fn by_itself(
    system: &System,
    store: &Store,
    params: &[Vec<TermId>],
    clause: &Clause,
) -> Option<State> {
    let dimensions = vec![Vec::new(); params.len()];
    let keys = vec![Key::default(); params.len()];
    let mut interpreter = Interpreter::new(system, store, params, dimensions, keys);
    interpreter.values = vec![vec![Some(State::default())]; params.len()];
    interpreter.derived(clause).pop().flatten()
}

/// The literal that a parameter is.
fn literal(store: &mut Store, state: &State, param: TermId) -> Option<TermId> {
    match store.sort(param) {
        SortId::BOOL => state.truths.get(&param).map(|&value| store.bool(value)),
        SortId::INT => {
            let value = state.ranges.get(&param)?.value()?.numerator();
            Some(store.int(value))
        }
        _ => None,
    }
}

/// Whether an argument of the head stands at the same place in an atom of the same predicate, among
/// the body's conjuncts.
fn hands_on(system: &System, store: &Store, clause: &Clause, arg: TermId, at: usize) -> bool {
    let Head::Atom(head, _) = clause.head else { return false };
    let is_same =
        |&part: &TermId| system.atom(store, part) == Some(head) && store.args(part)[at] == arg;
    conjuncts(store, clause.body).iter().any(is_same)
}
