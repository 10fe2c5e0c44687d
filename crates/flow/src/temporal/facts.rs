//! What always holds at the locations: as much of the atoms of flow and formula as is kept by all transitions.
//!
//! Houdini's method: all candidates are assumed, and those are dropped that a start or a transition breaks,
//! until none is.

use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::Flow;
use alphorn_problem::obligation::flow::moved;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, TermId, Value, eval};
use std::collections::BTreeSet;

/// The most candidates.
const MAX_CANDIDATES: usize = 80;

/// What always holds at each location, over the flow's variables.
pub(super) fn facts(
    flow: &Flow,
    store: &mut Store,
    atoms: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let candidates = candidates(flow, store, atoms);
    let mut held: Vec<Option<Vec<TermId>>> = vec![None; flow.locations.len()];
    // What is not reached has everything; starts and transitions take away.
    let mut work: Vec<usize> = Vec::new();
    for start in &flow.starts {
        let at = start.at.index();
        let list = held[at].get_or_insert_with(|| candidates.clone()).clone();
        let kept = kept(store, &[start.formula], &list, &list, ctx)?;
        held[at] = Some(kept);
        work.push(at);
    }
    while let Some(at) = work.pop() {
        for step in flow.transitions.iter().filter(|step| step.from.index() == at) {
            ctx.tick(1)?;
            let mut before = held[at].clone().unwrap_or_default();
            before.push(step.formula);
            let to = step.to.index();
            let list = held[to].clone().unwrap_or_else(|| candidates.clone());
            let after: Vec<TermId> = list
                .iter()
                .map(|&candidate| moved(candidate, &flow.vars, &flow.next, store))
                .collect();
            if !is_possible(store, &before, ctx)? {
                continue;
            }
            let kept = kept(store, &before, &list, &after, ctx)?;
            if held[to].as_ref().is_none_or(|old| old.len() != kept.len()) {
                held[to] = Some(kept);
                if !work.contains(&to) {
                    work.push(to);
                }
            }
        }
    }
    Ok(held.into_iter().map(|list| list.map_or(TermId::FALSE, |list| store.and(&list))).collect())
}

fn is_possible(store: &mut Store, all: &[TermId], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    let mut smt = Smt::new(Options::default());
    for &one in all {
        smt.assert(store, one);
    }
    Ok(ask(&mut smt, store, &[], ctx)? != Answer::Unsat)
}

/// Those of a list whose versions afterwards follow.
fn kept(
    store: &mut Store,
    before: &[TermId],
    list: &[TermId],
    after: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let mut smt = Smt::new(Options::default());
    for &one in before {
        smt.assert(store, one);
    }
    let mut left: Vec<(TermId, TermId)> = list.iter().copied().zip(after.iter().copied()).collect();
    loop {
        let all: Vec<TermId> = left.iter().map(|&(_, after)| after).collect();
        let all = store.and(&all);
        let broken = store.not(all);
        match ask(&mut smt, store, &[broken], ctx)? {
            Answer::Unsat => break,
            Answer::Unknown => return Ok(Vec::new()),
            Answer::Sat => {
                let model = smt.model(store);
                let count = left.len();
                left.retain(|&(_, after)| {
                    eval(store, after, &model).is_ok_and(|value| value == Value::Bool(true))
                });
                if left.len() == count {
                    return Ok(Vec::new());
                }
            }
        }
    }
    Ok(left.into_iter().map(|(one, _)| one).collect())
}

/// Atoms over the variables and their negations, and values that are assigned.
fn candidates(flow: &Flow, store: &mut Store, atoms: &[TermId]) -> Vec<TermId> {
    let own: BTreeSet<TermId> = flow.vars.iter().copied().collect();
    let roots: Vec<TermId> =
        atoms.iter().copied().chain(flow.transitions.iter().map(|step| step.formula)).collect();
    let back: Vec<(TermId, TermId)> =
        flow.next.iter().copied().zip(flow.vars.iter().copied()).collect();
    let (next, vars): (Vec<TermId>, Vec<TermId>) = back.into_iter().unzip();
    let mut found: Vec<TermId> = Vec::new();
    for root in roots {
        for term in store.subterms(&[root]) {
            let is_atom = store.sort(term) == SortId::BOOL
                && !matches!(
                    store.op(term),
                    Op::And | Op::Or | Op::Not | Op::Ite | Op::True | Op::False
                );
            if !is_atom {
                continue;
            }
            let term = moved(term, &next, &vars, store);
            if store.is_literal(term) || !store.free_vars(&[term]).iter().all(|v| own.contains(v)) {
                continue;
            }
            found.push(term);
            found.push(store.not(term));
            if store.op(term) == Op::Eq && store.sort(store.args(term)[0]).is_arithmetic() {
                let (a, b) = (store.args(term)[0], store.args(term)[1]);
                found.extend([store.le(a, b), store.ge(a, b)]);
            }
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|&term| !store.is_literal(term) && seen.insert(term));
    found.truncate(MAX_CANDIDATES);
    found
}
