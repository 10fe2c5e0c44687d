//! Sets that a round does not leave: the guard, strengthened until it keeps itself.
//!
//! A literal that the round does not keep gets company: either what the round needs for it (the weakest
//! precondition), or that it does not get worse, which for a literal `t >= 0` is `t(u(x)) >= t(x)`. The latter
//! is again a literal that must be kept, and so on: eventual monotony, as in Frohn, Fuhs, "Proving
//! non-termination via loop acceleration" (FMCAD 2019). Products of variables ask for their signs.

use super::chain::Move;
use super::options::comparison;
use super::solve::Premises;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_term::{Op, Store, TermId};

/// The most sets that are looked at for one round, and strengthenings of one set.
const MAX_SETS: usize = 48;
const MAX_ADDED: usize = 5;
/// The most sets that are handed out.
const MAX_FOUND: usize = 4;
/// The largest literal, in different terms.
const MAX_SIZE: usize = 120;

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
        if seen > MAX_SETS || found.len() >= MAX_FOUND {
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
        if added >= MAX_ADDED {
            continue;
        }
        // The last one is tried first.
        let mut ways = vec![vec![needed]];
        ways.extend(no_worse(flow, store, round, literal).map(|one| vec![one]));
        ways.extend(signs(store, needed));
        for way in ways {
            let is_small = way.iter().all(|&one| store.dag_size(&[one]) <= MAX_SIZE);
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

/// Signs of the factors of products in a literal.
fn signs(store: &mut Store, literal: TermId) -> Vec<Vec<TermId>> {
    let products = store.subterms(&[literal]).into_iter();
    let products: Vec<TermId> = products
        .filter(|&term| store.op(term) == Op::Mul)
        .filter(|&term| store.args(term).iter().filter(|&&arg| !store.is_literal(arg)).count() > 1)
        .collect();
    let mut factors: Vec<TermId> = Vec::new();
    for product in products {
        for &factor in store.args(product) {
            if !store.is_literal(factor) && !factors.contains(&factor) {
                factors.push(factor);
            }
        }
    }
    if factors.is_empty() || factors.len() > 4 {
        return Vec::new();
    }
    let mut ways = Vec::new();
    for least in [1, 0] {
        let mut way = Vec::new();
        for &factor in &factors {
            let bound = store.number(store.sort(factor), &least.into());
            way.push(store.ge(factor, bound));
        }
        ways.push(way);
    }
    ways
}
