//! Definitions that list finitely many facts.
//!
//! A definition is read as a table when it is false, or a disjunction of conjunctions each of which
//! gives every parameter a value: `p = v` where `v` has no variables, or a Boolean parameter
//! itself or its negation. Such a table means exactly what the definition means, so evaluation can
//! look facts up instead of evaluating a formula as long as the table.

use alphorn_problem::evidence::horn::Definition;
use alphorn_term::eval::bound::{self, Tables};
use alphorn_term::{Meter, Model, Op, SortId, Store, TermId, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

/// The facts of a definition, if it lists them; `model` has the background functions.
pub(super) fn facts(
    store: &Store,
    definition: &Definition,
    model: &Model,
    (tables, meter): (&Tables, &Meter),
) -> Option<BTreeSet<Vec<Value>>> {
    let mut facts = BTreeSet::new();
    let mut stack = vec![definition.body];
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        meter.spend(8 + store.args(term).len() as u64).ok()?;
        match store.op(term) {
            Op::False => {}
            Op::Or => stack.extend(store.args(term)),
            _ => {
                if let Some(fact) = fact(store, &definition.params, term, model, (tables, meter))? {
                    facts.insert(fact);
                }
            }
        }
    }
    Some(facts)
}

/// The one fact that a conjunction describes: none inside if it contradicts itself, none at all if
/// it describes more than one fact or cannot be read.
fn fact(
    store: &Store,
    params: &[TermId],
    conjunction: TermId,
    model: &Model,
    (tables, meter): (&Tables, &Meter),
) -> Option<Option<Vec<Value>>> {
    let mut values: BTreeMap<TermId, Value> = BTreeMap::new();
    let mut is_possible = true;
    let mut stack = vec![conjunction];
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        meter.spend(8 + store.args(term).len() as u64).ok()?;
        if store.op(term) == Op::And {
            stack.extend(store.args(term));
            continue;
        }
        let (param, value) = assignment(store, term, model, (tables, meter))?;
        match values.get(&param) {
            Some(other) => is_possible &= *other == value,
            None => _ = values.insert(param, value),
        }
    }
    let fact: Option<Vec<Value>> = params.iter().map(|param| values.remove(param)).collect();
    // What is left over was assigned to something that is not a parameter.
    let fact = fact.filter(|_| values.is_empty())?;
    Some(is_possible.then_some(fact))
}

/// The variable that a conjunct gives a value, and the value.
fn assignment(
    store: &Store,
    term: TermId,
    model: &Model,
    (tables, meter): (&Tables, &Meter),
) -> Option<(TermId, Value)> {
    let is_var = |term| matches!(store.op(term), Op::Var(_));
    let (param, value) = match (store.op(term), store.args(term)) {
        (Op::Var(_), _) if store.sort(term) == SortId::BOOL => {
            return Some((term, Value::Bool(true)));
        }
        (Op::Not, &[param]) if is_var(param) => return Some((param, Value::Bool(false))),
        (Op::Eq, &[param, value]) if is_var(param) && store.is_ground(value) => (param, value),
        (Op::Eq, &[value, param]) if is_var(param) && store.is_ground(value) => (param, value),
        _ => return None,
    };
    bound::evaluation(store, &[value], model, tables, meter).ok()?;
    Some((param, eval(store, value, model).ok()?))
}
