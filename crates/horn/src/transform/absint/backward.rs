//! The transforms `needed-intervals` and `needed-octagons`: abstract interpretation from queries.
//!
//! A fact is *needed* if it may be part of a derivation of false. Needed facts are those of another
//! system: for each clause and each atom of its body, if what the clause concludes is needed (or it
//! is a query) and its constraints hold, then the atom's fact is needed. That system is linear
//! whatever the clauses are, and is interpreted like any other; what holds of all needed facts, and is
//! proved to be inductive there, joins the body of each clause that derives such a fact.
//!
//! A predicate means: what is not needed, or what the predicate of the strengthened clauses means.
//! Suppose a body is true in that sense and what it concludes is needed. Take as few of its atoms as
//! make it true; then each of them is needed by what was proved, so it is true in the strengthened
//! sense, and so is the conclusion.
//!
//! In a disjunction only the cases with the atom count, because without it the body would not be true.
//! Other atoms are taken to be true; what `intervals` found out about them stands beside them already
//! if it came first.

use super::super::change::Applied;
use super::{Part, change, guessed, inductive, with_bodies, with_news};
use crate::transform::change::Case;
use crate::transform::system::{System, head_args};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Op, Store, TermId};

/// The transform `needed-intervals`.
pub(in crate::transform) fn needed_intervals(
    system: &System,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Applied {
    apply(system, store, false, ctx)
}

/// The transform `needed-octagons`.
pub(in crate::transform) fn needed_octagons(
    system: &System,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Applied {
    apply(system, store, true, ctx)
}

fn apply(system: &System, store: &mut Store, is_relational: bool, ctx: &mut Ctx<'_>) -> Applied {
    let needs = needs(system, store);
    let Some(facts) = inductive(&needs, store, is_relational, ctx)? else { return Ok(None) };
    // A body says as well that what the clause concludes is needed, as far as it does not yet.
    let body = |clause: &Clause| {
        let Head::Atom(pred, _) = clause.head else { return Ok(clause.body) };
        let needed = facts.on(store, pred.index(), head_args(clause));
        with_news(system, store, clause.body, &needed, ctx)
    };
    let Some(clauses) = with_bodies(system, body)? else { return Ok(None) };
    let cases = |store: &mut Store, is_needed: TermId, part: Part| {
        let is_not_needed = store.not(is_needed);
        vec![Case::new(is_not_needed, None), Case::new(TermId::TRUE, Some(part))]
    };
    Ok(Some(change(system, store, clauses, facts, cases)))
}

/// The system with clauses that only derive what some query may need, as far as bounds tell; nothing if that
/// takes too long or tells nothing.
///
/// Clauses and their variables stay what they are and bodies get stronger, so that each derivation is one of the
/// system before. Nothing is proved, and a model says nothing about the system before.
pub fn with_needed_bounds(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Horn>, Stop> {
    let mut narrowed = horn.clone();
    let (system, store) = (System::of(horn), &mut narrowed.terms);
    let needs = needs(&system, store);
    let Some(facts) = guessed(&needs, store, false, ctx)? else { return Ok(None) };
    let mut has_changed = false;
    for clause in &mut narrowed.clauses {
        let Head::Atom(pred, _) = clause.head else { continue };
        let mut parts = facts.on(store, pred.index(), head_args(clause));
        parts.push(clause.body);
        let body = store.and(&parts);
        has_changed |= body != clause.body;
        clause.body = body;
    }
    Ok(has_changed.then_some(narrowed))
}

/// The system whose facts are those that are needed.
fn needs(system: &System, store: &mut Store) -> System {
    let mut clauses = Vec::new();
    for clause in &system.clauses {
        let conclusion = match &clause.head {
            Head::Atom(pred, args) => {
                Some(store.mk(Op::Apply(system.preds[pred.index()].func), args))
            }
            Head::False => None,
        };
        for atom in system.atoms(store, clause.body) {
            let Some(pred) = system.atom(store, atom) else { continue };
            let mut parts: Vec<TermId> = conclusion.into_iter().collect();
            parts.push(with_atom(system, store, clause.body, atom));
            let (body, head) = (store.and(&parts), Head::Atom(pred, store.args(atom).to_vec()));
            clauses.push(Clause { body, head, ..clause.clone() });
        }
    }
    System::new(system.preds.clone(), clauses)
}

/// What a body says if it is true and would not be without an atom of it; no weaker than that.
fn with_atom(system: &System, store: &mut Store, body: TermId, atom: TermId) -> TermId {
    let (mut term, mut parts): (TermId, Vec<TermId>) = (body, Vec::new());
    let has_atom = |store: &Store, term: TermId| system.atoms(store, term).contains(&atom);
    // Down to the atom as long as there is one way to it.
    loop {
        let args = store.args(term).to_vec();
        let is_inner = system.is_inner(store, term);
        let (with, without): (Vec<TermId>, Vec<TermId>) =
            args.into_iter().partition(|&arg| is_inner && has_atom(store, arg));
        match (store.op(term), &with[..]) {
            (Op::And, &[only]) if is_inner => {
                parts.extend(without.iter().map(|&other| with_all(system, store, other)));
                term = only;
            }
            (Op::Or, &[only]) if is_inner => term = only,
            (Op::Or, several) if is_inner => {
                let cases: Vec<TermId> =
                    several.iter().map(|&case| with_all(system, store, case)).collect();
                parts.push(store.or(&cases));
                break;
            }
            _ => {
                parts.push(with_all(system, store, term));
                break;
            }
        }
    }
    store.and(&parts)
}

/// A body whose atoms are all true.
fn with_all(system: &System, store: &mut Store, body: TermId) -> TermId {
    system.map_atoms(store, body, |_, _, _| TermId::TRUE)
}
