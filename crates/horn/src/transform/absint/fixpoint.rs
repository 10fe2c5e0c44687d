//! The least fixed point of a system, over-approximated.
//!
//! Predicates wait in an order in which, recursion aside, what derives comes before what is derived.
//! A predicate's value grows to cover what its clauses derive; after a few times it is widened, first
//! to thresholds that the clauses mention and then to anything. When nothing grows, the values are a
//! post-fixed point, and a few descending passes win back some of what widening lost.
//!
//! Sources: Cousot and Cousot, "Abstract interpretation" (1977); Bourdoncle, "Efficient chaotic
//! iteration strategies with widenings" (1993), of which only the order is taken.

use super::evaluate::{comparison, is_numeric};
use super::interpret::{Interpreter, joined_parts};
use super::partition::{self, Key};
use super::state::State;
use crate::settings::{
    ABSINT_CLAUSE_STEPS, ABSINT_DESCENTS, ABSINT_MAX_DIMENSIONS, ABSINT_MAX_THRESHOLDS,
    ABSINT_PATIENCE, ABSINT_STEPS, ABSINT_THRESHOLD_ROUNDS,
};
use crate::transform::system::{System, head_args};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::Head;
use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// Steps for the price of a tick.
const STEPS_PER_TICK: u64 = 16;

/// What holds of the facts of predicates.
pub(super) struct Values {
    /// For each predicate, how its facts are told apart.
    pub keys: Vec<Key>,
    /// For each predicate and each part of its facts, what holds of them; none if there are none.
    pub values: Vec<Vec<Option<State>>>,
}

/// For each predicate, how its facts come in parts and what holds of them, none if there are none;
/// nothing if that takes too long.
pub(super) fn values(
    system: &System,
    store: &mut Store,
    params: &[Vec<TermId>],
    is_relational: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Values>, Stop> {
    let dimensions = if is_relational {
        dimensions(system, store, params)
    } else {
        vec![Vec::new(); system.preds.len()]
    };
    let thresholds = thresholds(system, store);
    let keys = partition::keys(system, store, params, ctx)?;
    let store: &Store = store;
    let mut interpreter = Interpreter::new(system, store, params, dimensions, keys);
    let (clauses_of, users) = (system.clauses_of(), users(system, store));
    let order = order(&users);
    let mut rank = vec![0; system.preds.len()];
    order.iter().enumerate().for_each(|(at, &pred)| rank[pred] = at);
    let most = ABSINT_STEPS.get() + ABSINT_CLAUSE_STEPS.get() * system.clauses.len() as u64;
    interpreter.patience = most / 2;
    let mut waiting: BTreeSet<usize> = (0..order.len()).collect();
    let mut growths = vec![0; system.preds.len()];
    let derived = |interpreter: &mut Interpreter<'_>, pred: usize, ctx: &mut Ctx<'_>| {
        let before = interpreter.steps;
        let mut found = vec![None; interpreter.keys[pred].parts()];
        for &clause in &clauses_of[pred] {
            found = joined_parts(&found, &interpreter.derived(&system.clauses[clause]));
        }
        ctx.tick(1 + (interpreter.steps - before) / STEPS_PER_TICK).map(|()| found)
    };
    while let Some(at) = waiting.pop_first() {
        let pred = order[at];
        let found = derived(&mut interpreter, pred, ctx)?;
        if interpreter.steps > most {
            return Ok(None);
        }
        let (mut has_grown, mut is_larger) = (false, false);
        for (part, found) in found.into_iter().enumerate() {
            let before = &interpreter.values[pred][part];
            let value = match (before, found) {
                (_, None) => continue,
                (Some(value), Some(found)) if found.is_within(value) => continue,
                (None, Some(found)) => found,
                (Some(value), Some(found)) => {
                    let joined = value.join(&found);
                    is_larger = true;
                    match growths[pred] {
                        count if count < ABSINT_PATIENCE.size() => joined,
                        count
                            if count < ABSINT_PATIENCE.size() + ABSINT_THRESHOLD_ROUNDS.size() =>
                        {
                            value.widened(&joined, &thresholds)
                        }
                        _ => value.widened(&joined, &[]),
                    }
                }
            };
            interpreter.values[pred][part] = Some(value);
            has_grown = true;
        }
        growths[pred] += usize::from(is_larger);
        if !has_grown {
            continue;
        }
        waiting.extend(users[pred].iter().map(|&user| rank[user]));
    }
    for _ in 0..ABSINT_DESCENTS.size() {
        for &pred in &order {
            if interpreter.steps > most {
                break;
            }
            interpreter.values[pred] = derived(&mut interpreter, pred, ctx)?;
        }
    }
    Ok(Some(Values { keys: interpreter.keys, values: interpreter.values }))
}

/// For each predicate, those that some clause derives from it.
fn users(system: &System, store: &Store) -> Vec<Vec<usize>> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); system.preds.len()];
    for clause in &system.clauses {
        let Head::Atom(head, _) = clause.head else { continue };
        for pred in system.body_preds(store, clause.body) {
            users[pred.index()].push(head.index());
        }
    }
    for users in &mut users {
        users.sort_unstable();
        users.dedup();
    }
    users
}

/// The predicates, users after what they use where there is no recursion.
fn order(users: &[Vec<usize>]) -> VecDeque<usize> {
    let (mut order, mut seen) = (VecDeque::new(), vec![false; users.len()]);
    for root in (0..users.len()).rev() {
        let mut stack = vec![(root, false)];
        while let Some((pred, is_ready)) = stack.pop() {
            if is_ready {
                order.push_front(pred);
            } else if !std::mem::replace(&mut seen[pred], true) {
                stack.push((pred, true));
                stack.extend(users[pred].iter().filter(|&&user| !seen[user]).map(|&u| (u, false)));
            }
        }
    }
    order
}

/// The numbers at which widening stops: those that constraints and heads mention, and their
/// neighbours.
fn thresholds(system: &System, store: &Store) -> Vec<Rat> {
    let mut numbers: BTreeSet<Rat> = BTreeSet::new();
    numbers.insert(Rat::ZERO);
    for clause in &system.clauses {
        let mut roots = vec![clause.body];
        roots.extend(head_args(clause));
        for term in store.subterms(&roots) {
            if let Some((mut form, _)) = comparison(store, term) {
                form.scale(&form.primitive_factor());
                numbers.insert(form.constant.abs());
            }
        }
        for &arg in head_args(clause) {
            numbers.extend(store.number_value(arg).map(|value| value.abs()));
        }
    }
    let mut found: BTreeSet<Rat> = BTreeSet::new();
    for number in numbers.into_iter().take(ABSINT_MAX_THRESHOLDS.size() / 6) {
        for value in [number.clone(), -number] {
            found.extend([&value - &Rat::ONE, value.clone(), &value + &Rat::ONE]);
        }
    }
    found.into_iter().collect()
}

/// For each predicate, the parameters that octagons are over: all numeric ones if they are few, or
/// else those that constraints most often relate to others.
fn dimensions(system: &System, store: &Store, params: &[Vec<TermId>]) -> Vec<Vec<TermId>> {
    let mut related: FxHashMap<TermId, usize> = FxHashMap::default();
    for clause in &system.clauses {
        let mut counts: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut count = |form: &Linear| {
            for (term, _) in form.terms.iter().filter(|_| form.terms.len() > 1) {
                *counts.entry(*term).or_default() += 1;
            }
        };
        for term in store.subterms(&[clause.body]) {
            if let Some((form, _)) = comparison(store, term) {
                count(&form);
            }
        }
        let mut standing: FxHashSet<(TermId, TermId)> = FxHashSet::default();
        let mut stand = |pred: usize, args: &[TermId]| {
            for (&param, &arg) in params[pred].iter().zip(args) {
                let vars =
                    if is_numeric(store, arg) { Linear::of(store, arg).terms } else { Vec::new() };
                standing.extend(vars.into_iter().map(|(term, _)| (param, term)));
            }
        };
        if let Head::Atom(head, args) = &clause.head {
            stand(head.index(), args);
        }
        for atom in system.atoms(store, clause.body) {
            if let Some(pred) = system.atom(store, atom) {
                stand(pred.index(), store.args(atom));
            }
        }
        for (param, term) in standing {
            if matches!(store.op(term), Op::Var(_)) {
                *related.entry(param).or_default() += counts.get(&term).copied().unwrap_or(0);
            }
        }
    }
    let chosen = |params: &Vec<TermId>| {
        let mut numeric: Vec<TermId> =
            params.iter().copied().filter(|&param| is_numeric(store, param)).collect();
        if numeric.len() > ABSINT_MAX_DIMENSIONS.size() {
            numeric.sort_by_key(|param| std::cmp::Reverse(related.get(param).copied()));
            numeric.truncate(ABSINT_MAX_DIMENSIONS.size());
        }
        if numeric.len() < 2 { Vec::new() } else { numeric }
    };
    params.iter().map(chosen).collect()
}
