//! Bodies that ask for a predicate at all values of a variable.
//!
//! Such a body is no body of a Horn clause; the clause gets instances of it, and the system keeps what was
//! read (`alphorn_problem::quantified` says what follows). Any instances are right. Those that matter are
//! at terms the clause speaks about: its variables first, then other terms in it, outside quantifiers.

use super::body::{NotHorn, Predicates};
use alphorn_problem::horn::{Clause, ClauseId, Head, Horn};
use alphorn_problem::quantified::Quantified;
use alphorn_term::{Op, SortId, Store, TermId, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The most terms for one variable.
const MAX_TERMS: usize = 12;
/// The most instances of one quantified part.
const MAX_INSTANCES: usize = 48;

/// A quantifier over predicates as a part of a body: `forall`, or `exists` negated.
pub(super) fn for_all(
    store: &mut Store,
    predicates: &mut Predicates,
    quantifier: TermId,
    positive: bool,
) -> Result<TermId, NotHorn> {
    let vars = store.bound_vars(quantifier).to_vec();
    let inner = store.args(quantifier)[vars.len()];
    let inner = if positive { inner } else { store.not(inner) };
    let mut stack = vec![inner];
    while let Some(term) = stack.pop() {
        if !predicates.occur(store, term) {
            continue;
        }
        match store.op(term) {
            Op::And | Op::Or => stack.extend(store.args(term)),
            _ if Predicates::is_atom(store, term) => predicates.check_atom(store, term)?,
            _ => return Err(NotHorn::Quantified(Predicates::first(store, term))),
        }
    }
    Ok(if positive { quantifier } else { store.forall(&vars, inner) })
}

/// The parts of a body that quantify over predicates.
pub(super) fn quantified_parts(store: &Store, body: TermId) -> Vec<TermId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack = vec![body];
    while let Some(term) = stack.pop() {
        if !store.has_apply(term) || !store.has_quantifier(term) || !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::And | Op::Or => stack.extend(store.args(term).iter().rev()),
            Op::Forall if Predicates::is_atom(store, Predicates::first(store, term)) => {
                found.push(term);
            }
            _ => {}
        }
    }
    found
}

/// Gives the clauses of a system, which are as read, instances of what they quantify.
pub(super) fn instantiate(horn: &mut Horn) {
    for index in 0..horn.clauses.len() {
        let clause = &horn.clauses[index];
        let parts = quantified_parts(&horn.terms, clause.body);
        if parts.is_empty() {
            continue;
        }
        let terms = spoken_of(&horn.terms, clause);
        let mut instances = BTreeMap::new();
        for part in parts {
            instances.insert(part, instances_of(&mut horn.terms, part, &terms));
        }
        let quantified = Quantified { body: horn.clauses[index].body, instances };
        let body = quantified.instantiate(&mut horn.terms).expect("instances are made to fit");
        horn.clauses[index].body = body;
        horn.quantified.insert(ClauseId(index as u32), quantified);
    }
}

/// The terms that a clause speaks about: its variables that occur, then others.
fn spoken_of(store: &Store, clause: &Clause) -> Vec<TermId> {
    let own: FxHashSet<TermId> = clause.vars.iter().copied().collect();
    let mut stack = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        stack.extend(args);
    }
    let (mut vars, mut others, mut seen) = (Vec::new(), Vec::new(), FxHashSet::default());
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || matches!(store.op(term), Op::Forall | Op::Exists) {
            continue;
        }
        stack.extend(store.args(term));
        if own.contains(&term) {
            vars.push(term);
        } else if store.sort(term) != SortId::BOOL && !store.has_quantifier(term) {
            others.push(term);
        }
    }
    vars.sort_unstable();
    others.sort_unstable();
    vars.extend(others);
    vars
}

/// Terms for the variables of a quantified part; of all combinations the first ones.
fn instances_of(store: &mut Store, part: TermId, terms: &[TermId]) -> Vec<Vec<TermId>> {
    let vars = store.bound_vars(part).to_vec();
    let mut all: Vec<Vec<TermId>> = vec![Vec::new()];
    for var in vars {
        let sort = store.sort(var);
        let fitting = terms.iter().copied().filter(|&term| store.sort(term) == sort);
        let mut choices: Vec<TermId> = fitting.take(MAX_TERMS).collect();
        if choices.is_empty() {
            let value = Value::default_of(store, sort);
            choices.extend(value.and_then(|value| store.value_term(&value)));
        }
        let more = all.iter().flat_map(|one| {
            choices.iter().map(|&choice| one.iter().copied().chain([choice]).collect())
        });
        all = more.take(MAX_INSTANCES).collect();
    }
    all
}
