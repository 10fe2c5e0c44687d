//! The transform `merging`: all clauses of a predicate become one, with a disjunction as its body.
//!
//! The head's arguments are variables of their own, and each disjunct says what they are. Variables
//! of different clauses may be the same, because one disjunct at a time matters. Engines that take
//! large blocks get one transition per predicate; queries are merged too. In a derivation the clause
//! is found whose disjunct holds for the values.

use super::change::{Applied, Change, Instance, Recipe, Values};
use super::system::{System, head_args};
use alphorn_engine::Ctx;
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashSet;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    let mut groups: Vec<(Option<PredId>, Vec<usize>)> = Vec::new();
    for (pred, clauses) in system.clauses_of().into_iter().enumerate() {
        groups.push((Some(PredId(pred as u32)), clauses));
    }
    let queries = (0..system.clauses.len()).filter(|&at| system.clauses[at].head == Head::False);
    groups.push((None, queries.collect()));
    if groups.iter().all(|(_, clauses)| clauses.len() <= 1) {
        return Ok(None);
    }
    let mut clauses = Vec::new();
    for (pred, members) in groups {
        match members[..] {
            [] => {}
            [at] => clauses.push((system.clauses[at].clone(), Recipe::same(at))),
            _ => clauses.push(merged(system, store, pred, &members)),
        }
    }
    Ok(Some(Change::of_clauses(system, store, clauses)))
}

/// One clause for several with the same head.
fn merged(
    system: &System,
    store: &mut Store,
    pred: Option<PredId>,
    members: &[usize],
) -> (Clause, Recipe) {
    let params = pred.map_or(Vec::new(), |pred| system.params(store, pred));
    let mut vars = params.clone();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let (mut ways, mut instances) = (Vec::new(), Vec::new());
    for &at in members {
        let clause = &system.clauses[at];
        vars.extend(clause.vars.iter().copied().filter(|&var| seen.insert(var)));
        let pairs = params.iter().zip(head_args(clause));
        let equations: Vec<TermId> = pairs.map(|(&param, &arg)| store.eq(param, arg)).collect();
        let condition = store.and(&equations);
        ways.push(store.and(&[clause.body, condition]));
        instances.push(Instance { condition, ..Instance::root(at, Values::Same) });
    }
    let head = pred.map_or(Head::False, |pred| Head::Atom(pred, params));
    let body = store.or(&ways);
    (Clause { vars, body, head, name: None, span: Span::NONE }, Recipe::of(instances))
}
