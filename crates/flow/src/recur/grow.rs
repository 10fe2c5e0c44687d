//! Sets that a round does not leave: the guard, strengthened until it keeps itself.
//!
//! A literal that the round does not keep gets company: either what the round needs for it (the weakest
//! precondition), or that it does not get worse, which for a literal `t >= 0` is `t(u(x)) >= t(x)`. The latter
//! is again a literal that must be kept, and so on: eventual monotony, as in Frohn, Fuhs, "Proving
//! non-termination via loop acceleration" (FMCAD 2019). Products of variables ask for their signs.

use super::chain::Move;
use super::options::comparison;
use super::solve::Premises;
use crate::settings::{
    RECUR_MAX_ADDED, RECUR_MAX_FACTORS, RECUR_MAX_FOUND, RECUR_MAX_LEAN, RECUR_MAX_LITERAL,
    RECUR_MAX_SETS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_term::{Op, Store, TermId};

/// A round of a cycle as a function.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// When it can be made, literals over the variables.
    pub(super) guard: Vec<TermId>,
    /// The variables afterwards.
    pub(super) next: Vec<TermId>,
}

impl Round {
    /// Moves one after the other.
    pub(super) fn of(flow: &Flow, store: &mut Store, moves: &[Move]) -> Round {
        let mut round = Round { guard: Vec::new(), next: flow.vars.clone() };
        for step in moves {
            let state = round.next.iter().copied();
            let map = flow.vars.iter().copied().zip(state).collect();
            for literal in store.substitute_all(&step.guard, &map) {
                if literal != TermId::TRUE && !round.guard.contains(&literal) {
                    round.guard.push(literal);
                }
            }
            round.next = store.substitute_all(&step.next, &map);
        }
        round
    }

    /// What a formula about the state afterwards says of the one before.
    pub(super) fn before(&self, flow: &Flow, store: &mut Store, formula: TermId) -> TermId {
        store.rename(formula, &flow.vars, &self.next)
    }
}

/// Sets, each of literals, that are part of the guard and that the round keeps.
pub(super) fn kept_sets(
    flow: &Flow,
    store: &mut Store,
    round: &Round,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<TermId>>, Stop> {
    let mut found = Vec::new();
    let mut stack = vec![(round.guard.clone(), 0)];
    let mut seen = 0;
    while let Some((set, added)) = stack.pop() {
        seen += 1;
        if seen > RECUR_MAX_SETS.size() || found.len() >= RECUR_MAX_FOUND.size() {
            break;
        }
        if set.contains(&TermId::FALSE) {
            continue;
        }
        let mut premises = Premises::new(store, &set);
        if !premises.are_consistent(store, ctx)? {
            continue;
        }
        let mut left = None;
        for &literal in &set {
            let needed = round.before(flow, store, literal);
            if !premises.imply(store, needed, ctx)? {
                left = Some((literal, needed));
                break;
            }
        }
        let Some((literal, needed)) = left else {
            found.push(set);
            continue;
        };
        if added >= RECUR_MAX_ADDED.size() {
            continue;
        }
        // The last one is tried first.
        let mut ways = vec![vec![needed]];
        ways.extend(no_worse(flow, store, round, literal).map(|one| vec![one]));
        ways.extend(signs(store, needed));
        for way in ways {
            let is_small =
                way.iter().all(|&one| store.dag_size(&[one]) <= RECUR_MAX_LITERAL.size());
            let is_new = way.iter().any(|one| !set.contains(one));
            if is_small && is_new {
                let mut larger = set.clone();
                larger.extend(way.into_iter().filter(|one| !set.contains(one)));
                stack.push((larger, added + 1));
            }
        }
    }
    Ok(found)
}

/// That a comparison is no further from being false after the round.
fn no_worse(flow: &Flow, store: &mut Store, round: &Round, literal: TermId) -> Option<TermId> {
    let (form, relation) = comparison(store, literal)?;
    if relation == Op::Eq {
        return None;
    }
    let sort = store.sort(store.args(positive(store, literal))[0]);
    let now = form.to_term(store, sort);
    let then = round.before(flow, store, now);
    Some(store.le(then, now))
}

/// The comparison in a literal.
fn positive(store: &Store, literal: TermId) -> TermId {
    match (store.op(literal), store.args(literal)) {
        (Op::Not, &[atom]) => atom,
        _ => literal,
    }
}

/// Signs of the variables of products in a literal, those that are tried first at the end.
fn signs(store: &mut Store, literal: TermId) -> Vec<Vec<TermId>> {
    let products: Vec<TermId> =
        store.subterms(&[literal]).into_iter().filter(|&term| is_product(store, term)).collect();
    let mut vars = store.free_vars(&products);
    vars.retain(|&var| store.sort(var).is_arithmetic());
    if vars.is_empty() || vars.len() > RECUR_MAX_FACTORS.size() {
        return Vec::new();
    }
    let mut ways = Vec::new();
    for (is_least, bound) in [(false, 0), (true, 1), (true, 0)] {
        let mut way = Vec::new();
        for &var in &vars {
            let bound = store.number(store.sort(var), &bound.into());
            way.push(if is_least { store.ge(var, bound) } else { store.le(var, bound) });
        }
        ways.push(way);
    }
    ways
}

/// Whether a term is a product of unknowns.
pub(super) fn is_product(store: &Store, term: TermId) -> bool {
    store.op(term) == Op::Mul
        && store.args(term).iter().filter(|&&arg| !store.is_literal(arg)).count() > 1
}

/// Literals without some that the others imply; those with products go first.
pub(super) fn lean(
    store: &mut Store,
    mut literals: Vec<TermId>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    if literals.len() > RECUR_MAX_LEAN.size() {
        return Ok(literals);
    }
    let mut order: Vec<(bool, usize, TermId)> = Vec::new();
    for &literal in &literals {
        let parts = store.subterms(&[literal]);
        let has_product = parts.iter().any(|&term| is_product(store, term));
        order.push((!has_product, usize::MAX - parts.len(), literal));
    }
    order.sort_unstable();
    for (_, _, literal) in order {
        let rest: Vec<TermId> = literals.iter().copied().filter(|&one| one != literal).collect();
        if Premises::new(store, &rest).imply(store, literal, ctx)? {
            literals = rest;
        }
    }
    Ok(literals)
}
