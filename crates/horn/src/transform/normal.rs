//! The transform `normal-form`: each clause by itself, as small as cheap means make it.
//!
//! The constraints among the conjuncts of a body are simplified together, and the disjunctions of
//! atoms are left alone. A clause is dropped if its body is false or its head is one of its atoms.
//! Variables that do not occur are dropped; any values will do for them in a derivation.

use super::change::{Applied, Change, Recipe};
use super::system::{System, conjuncts, used_vars};
use crate::settings::{NORMAL_MAX_ALONE, NORMAL_MAX_JUNCTIONS, NORMAL_MAX_TOGETHER};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head};
use alphorn_smt::project::simplify;
use alphorn_term::{Op, Store, TermId};

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let mut clauses = Vec::with_capacity(system.clauses.len());
    let mut has_changed = false;
    for (at, clause) in system.clauses.iter().enumerate() {
        ctx.tick(1)?;
        let body = normal_body(system, store, clause.body);
        if body == TermId::FALSE || is_trivial(system, store, clause, body) {
            has_changed = true;
            continue;
        }
        let mut changed = Clause { body, ..clause.clone() };
        changed.vars = used_vars(store, &changed);
        has_changed |= changed != *clause;
        clauses.push((changed, Recipe::same(at)));
    }
    Ok(has_changed.then(|| Change::of_clauses(system, store, clauses)))
}

/// A body with its constraints simplified.
fn normal_body(system: &System, store: &mut Store, body: TermId) -> TermId {
    let parts = conjuncts(store, body);
    let (constraints, mut atoms): (Vec<TermId>, Vec<TermId>) =
        parts.into_iter().partition(|&part| system.is_constraint(store, part));
    if constraints.is_empty() {
        return store.and(&atoms);
    }
    let subterms = store.subterms(&constraints);
    let size = subterms.len();
    let is_junction = |&&term: &&TermId| matches!(store.op(term), Op::And | Op::Or | Op::Ite);
    let junctions = subterms.iter().filter(is_junction).count();
    let mut simpler = Vec::with_capacity(constraints.len());
    if size <= NORMAL_MAX_TOGETHER.size() && junctions <= NORMAL_MAX_JUNCTIONS.size() {
        let whole = store.and(&constraints);
        let whole = simplify(store, whole, &[], None);
        simpler.extend(conjuncts(store, whole));
    } else {
        for &constraint in &constraints {
            let is_small = store.dag_size(&[constraint]) <= NORMAL_MAX_ALONE.size();
            let part = if is_small { simplify(store, constraint, &[], None) } else { constraint };
            simpler.extend(conjuncts(store, part));
        }
    }
    // Another form of the same size is no change worth a round.
    atoms.extend(if store.dag_size(&simpler) < size { simpler } else { constraints });
    if atoms.contains(&TermId::FALSE) {
        return TermId::FALSE;
    }
    store.and(&atoms)
}

/// Whether the head is among the body's conjuncts.
fn is_trivial(system: &System, store: &mut Store, clause: &Clause, body: TermId) -> bool {
    let Head::Atom(pred, args) = &clause.head else { return false };
    let func = system.preds[pred.index()].func;
    let head = store.mk(Op::Apply(func), args);
    body == head || conjuncts(store, body).contains(&head)
}
