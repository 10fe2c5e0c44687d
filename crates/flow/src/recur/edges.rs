//! Transitions cut into edges: a conjunction of literals each, whose equations say what the next values are.
//!
//! What an edge leaves open are variables of the successor and inputs that no equation determines; whoever
//! takes the edge chooses them. A disequation of numbers becomes one of the two orders, so that a guard is a
//! convex set where it speaks about numbers.
//!
//! Invariant: an edge with any choice for what is open, in a state where its guard holds, is a step of its
//! transition.

use super::solve::find_model;
use crate::equation::determined;
use crate::settings::RECUR_MAX_CUBES;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_problem::flow::LocId;
use alphorn_smt::project::implicant;
use alphorn_term::parts::conjuncts;
use alphorn_term::{Model, Op, SortId, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeSet;

/// A part of a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The transition, by its position.
    pub(crate) transition: usize,
    /// Where it comes from.
    pub(crate) from: LocId,
    /// Where it leads.
    pub(crate) to: LocId,
    /// When it can be taken: literals over the variables and what is open.
    pub(crate) guard: Vec<TermId>,
    /// The variables afterwards, over the variables and what is open.
    pub(crate) next: Vec<TermId>,
    /// The inputs, over the variables and what is open.
    pub(crate) inputs: Vec<TermId>,
    /// The successors and inputs that are open.
    pub(crate) open: Vec<TermId>,
}

/// The edges of all transitions that can be taken at all; and whether there are no others.
pub(crate) fn edges(
    flow: &Flow,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<(Vec<Edge>, bool), Stop> {
    let (mut found, mut are_all) = (Vec::new(), true);
    for (position, transition) in flow.transitions.iter().enumerate() {
        let parts = conjuncts(store, &[transition.formula]);
        if parts.iter().all(|&part| is_plain(store, part)) {
            ctx.tick(1)?;
            if !parts.contains(&TermId::FALSE) {
                found.push(solved(flow, store, position, parts));
            }
            continue;
        }
        let mut formulas = vec![transition.formula];
        let mut left = RECUR_MAX_CUBES.size();
        loop {
            let Some(model) = find_model(store, &formulas, ctx)? else { break };
            let Some(cube) = cube(store, transition.formula, &model) else { break };
            if left == 0 {
                are_all = false;
                break;
            }
            left -= 1;
            found.push(solved(flow, store, position, cube.clone()));
            let cube = store.and(&cube);
            let other = store.not(cube);
            if other == TermId::FALSE {
                break;
            }
            formulas.push(other);
        }
    }
    Ok((found, are_all))
}

/// Whether a formula is a literal without cases.
fn is_plain(store: &Store, formula: TermId) -> bool {
    let (atom, is_negated) = match (store.op(formula), store.args(formula)) {
        (Op::Not, &[atom]) => (atom, true),
        _ => (formula, false),
    };
    let has_cases = match (store.op(atom), store.args(atom)) {
        (Op::Not | Op::And | Op::Or | Op::Distinct, _) => true,
        (Op::Eq, &[left, _]) if store.sort(left) == SortId::BOOL => true,
        (Op::Eq, &[left, _]) => is_negated && store.sort(left).is_arithmetic(),
        _ => false,
    };
    !has_cases && store.subterms(&[atom]).iter().all(|&term| store.op(term) != Op::Ite)
}

/// Literals that hold in a model and imply a formula; numbers that differ are in an order.
pub(super) fn cube(store: &mut Store, formula: TermId, model: &Model) -> Option<Vec<TermId>> {
    let literals = implicant(store, &[formula], model)?;
    let mut cube = Vec::with_capacity(literals.len());
    for literal in literals {
        cube.push(ordered(store, literal, model).unwrap_or(literal));
    }
    Some(cube)
}

/// The order of two numbers that differ.
fn ordered(store: &mut Store, literal: TermId, model: &Model) -> Option<TermId> {
    let (Op::Not, &[atom]) = (store.op(literal), store.args(literal)) else { return None };
    let (Op::Eq, &[left, right]) = (store.op(atom), store.args(atom)) else { return None };
    if !store.sort(left).is_arithmetic() {
        return None;
    }
    let less = store.lt(left, right);
    match eval(store, less, model) {
        Ok(Value::Bool(true)) => Some(less),
        Ok(_) => Some(store.lt(right, left)),
        Err(_) => None,
    }
}

/// The edge that literals are, after their equations have been solved.
pub(super) fn solved(
    flow: &Flow,
    store: &mut Store,
    position: usize,
    mut guard: Vec<TermId>,
) -> Edge {
    let transition = &flow.transitions[position];
    let unknowns: Vec<TermId> = flow.next.iter().chain(&transition.inputs).copied().collect();
    let mut left: BTreeSet<TermId> = unknowns.iter().copied().collect();
    let mut terms = unknowns.clone();
    while let Some((at, var, term)) = equation(store, &guard, &left) {
        guard.swap_remove(at);
        left.remove(&var);
        let map = Substitution::from_iter([(var, term)]);
        terms = store.substitute_all(&terms, &map);
        guard = store.substitute_all(&guard, &map);
        guard.retain(|&literal| literal != TermId::TRUE);
    }
    guard.sort_unstable();
    guard.dedup();
    let inputs = terms.split_off(flow.next.len());
    let open = unknowns.into_iter().filter(|var| left.contains(var)).collect();
    let (from, to) = (transition.from, transition.to);
    Edge { transition: position, from, to, guard, next: terms, inputs, open }
}

/// A literal that determines one of some variables: its place, the variable and the term.
fn equation(
    store: &mut Store,
    guard: &[TermId],
    left: &BTreeSet<TermId>,
) -> Option<(usize, TermId, TermId)> {
    for (at, &literal) in guard.iter().enumerate() {
        if let Some((var, term)) = determined(store, literal, left) {
            return Some((at, var, term));
        }
    }
    None
}
