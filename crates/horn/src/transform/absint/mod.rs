//! The transforms `intervals` and `octagons`: abstract interpretation, whose facts strengthen
//! clauses.
//!
//! The facts that a predicate can have are over-approximated by bounds of its arguments, and for
//! `octagons` by bounds of sums and differences of two of them (`fixpoint`). What comes of it is
//! proved to be inductive (`justify`), and joins each atom of a body as a conjunct, unless the body
//! says it already. A predicate of which false is proved has no facts.
//!
//! A model of the strengthened clauses, together with the facts, is a model of the clauses before:
//! that is what predicates mean. Derivations stay as they are, since a strengthened body implies the
//! body before.
//!
//! The transforms `needed-intervals` and `needed-octagons` do the same from the other end (`backward`).
//!
//! - `bound`: bounds and intervals
//! - `octagon`: bounds of sums and differences
//! - `state`: what is known in a clause, narrowed by linear constraints
//! - `evaluate`, `items`, `narrow`, `interpret`: terms, formulas, comparisons and clauses over states
//! - `partition`: facts told apart by an argument that is a flag or a location
//! - `fixpoint`: values for all predicates
//! - `facts`, `justify`: formulas out of values, and their proof
//! - `backward`: what facts are needed for a query

mod backward;
mod bound;
mod evaluate;
mod facts;
mod fixpoint;
mod interpret;
mod items;
mod justify;
mod narrow;
mod octagon;
mod partition;
mod state;

pub use backward::with_needed_bounds;
pub(super) use backward::{needed_intervals, needed_octagons};

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::System;
use crate::ask::ask_within;
use crate::settings::{ABSINT_CONFLICTS, ABSINT_MAX_QUESTIONS};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, PredId};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, Substitution, TermId, Value, eval};
use fixpoint::Values;
pub(super) use justify::Facts;
use rustc_hash::{FxHashMap, FxHashSet};

/// The transform `intervals`.
pub(super) fn intervals(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    apply(system, store, false, ctx)
}

/// The transform `octagons`.
pub(super) fn octagons(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    apply(system, store, true, ctx)
}

fn apply(system: &System, store: &mut Store, is_relational: bool, ctx: &mut Ctx<'_>) -> Applied {
    let Some(facts) = inductive(system, store, is_relational, ctx)? else { return Ok(None) };
    let body = |clause: &Clause| strengthened(system, store, clause, &facts, ctx);
    let Some(clauses) = with_bodies(system, body)? else { return Ok(None) };
    let cases = |_: &mut Store, condition: TermId, part: Part| {
        let is_possible = condition != TermId::FALSE;
        is_possible.then(|| Case::new(condition, Some(part))).into_iter().collect()
    };
    Ok(Some(change(system, store, clauses, facts, cases)))
}

/// A predicate of the changed system and its arguments.
type Part = (PredId, Vec<TermId>);

/// The change to clauses with other bodies; `cases` says what a predicate means, by the conjunction of its
/// facts and the predicate of the changed system.
fn change(
    system: &System,
    store: &mut Store,
    clauses: Vec<(Clause, Recipe)>,
    facts: Facts,
    cases: impl Fn(&mut Store, TermId, Part) -> Vec<Case>,
) -> Change {
    let mut meanings = Vec::with_capacity(system.preds.len());
    for (at, (params, facts)) in facts.params.into_iter().zip(&facts.facts).enumerate() {
        let condition = store.and(facts);
        let cases = cases(store, condition, (PredId(at as u32), params.clone()));
        meanings.push(Some(Meaning { params, cases }));
    }
    let keys = vec![None; system.preds.len()];
    Change::new(system.preds.clone(), clauses, meanings, keys)
}

/// Facts that hold whatever a system derives, proved to be inductive; nothing if that takes too long.
pub(super) fn inductive(
    system: &System,
    store: &mut Store,
    is_relational: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Facts>, Stop> {
    let Some(mut facts) = guessed(system, store, is_relational, ctx)? else { return Ok(None) };
    facts.justify(system, store, ctx)?;
    Ok(Some(facts))
}

/// Facts that should hold whatever a system derives; nothing if that takes too long.
fn guessed(
    system: &System,
    store: &mut Store,
    is_relational: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Facts>, Stop> {
    if system.preds.is_empty() {
        return Ok(None);
    }
    let params: Vec<Vec<TermId>> =
        (0..system.preds.len() as u32).map(|pred| system.params(store, PredId(pred))).collect();
    let mut values = None;
    if is_relational {
        values = fixpoint::values(system, store, &params, true, ctx)?;
    }
    if values.is_none() {
        values = fixpoint::values(system, store, &params, false, ctx)?;
    }
    let Some(Values { keys, values }) = values else { return Ok(None) };
    let mut found = Vec::with_capacity(params.len());
    for (pred, params) in params.iter().enumerate() {
        found.push(facts::facts(store, params, &keys[pred], &values[pred]));
    }
    Ok(Some(Facts { params, facts: found }))
}

/// What octagons say of the facts of each predicate of a system, whose terms a store has; nothing if that takes
/// too long.
pub fn octagon_facts(
    horn: &Horn,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<PredFacts>, Stop> {
    let found = inductive(&System::of(horn), store, true, ctx)?;
    let of_pred = |(params, facts)| PredFacts { params, facts };
    let all = found.into_iter().flat_map(|found| found.params.into_iter().zip(found.facts));
    Ok(all.map(of_pred).collect())
}

/// Formulas that hold of all facts of a predicate.
pub struct PredFacts {
    /// Variables for its arguments.
    pub params: Vec<TermId>,
    /// The formulas.
    pub facts: Vec<TermId>,
}

/// The clauses with the bodies that `body` gives them; none if all stay as they are.
fn with_bodies(
    system: &System,
    mut body: impl FnMut(&Clause) -> Result<TermId, Stop>,
) -> Result<Option<Vec<(Clause, Recipe)>>, Stop> {
    let mut clauses = Vec::with_capacity(system.clauses.len());
    let mut has_changed = false;
    for (at, clause) in system.clauses.iter().enumerate() {
        let body = body(clause)?;
        has_changed |= body != clause.body;
        clauses.push((Clause { body, ..clause.clone() }, Recipe::same(at)));
    }
    Ok(has_changed.then_some(clauses))
}

/// A body in which each atom comes with those facts about it that the body does not say already.
fn strengthened(
    system: &System,
    store: &mut Store,
    clause: &Clause,
    facts: &Facts,
    ctx: &mut Ctx<'_>,
) -> Result<TermId, Stop> {
    let atoms = system.atoms(store, clause.body);
    let said: FxHashSet<TermId> = system.parts(store, clause.body).into_iter().collect();
    let mut open: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for &atom in &atoms {
        let Some(pred) = system.atom(store, atom) else { continue };
        let args = store.args(atom).to_vec();
        let mut facts = facts.on(store, pred.index(), &args);
        facts.retain(|fact| *fact != TermId::TRUE && !said.contains(fact));
        open.insert(atom, facts);
    }
    if open.values().all(Vec::is_empty) {
        return Ok(clause.body);
    }
    let markers: Substitution =
        atoms.iter().map(|&atom| (atom, store.fresh_var("holds", SortId::BOOL))).collect();
    let body = system.map_atoms(store, clause.body, |_, _, atom| markers[&atom]);
    let mut smt = Smt::new(Options::default());
    smt.assert(store, body);
    let mut questions = ABSINT_MAX_QUESTIONS.size();
    for atom in &atoms {
        if let Some(facts) = open.get_mut(atom) {
            *facts = news(store, &mut smt, markers[atom], facts, &mut questions, ctx)?;
        }
    }
    Ok(system.map_atoms(store, clause.body, |store, _, atom| {
        let mut parts = vec![atom];
        parts.extend(&open[&atom]);
        store.and(&parts)
    }))
}

/// A body and those facts that it does not imply.
fn with_news(
    system: &System,
    store: &mut Store,
    body: TermId,
    facts: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<TermId, Stop> {
    let said: FxHashSet<TermId> = system.parts(store, body).into_iter().collect();
    let mut open = facts.to_vec();
    open.retain(|fact| *fact != TermId::TRUE && !said.contains(fact));
    if open.is_empty() {
        return Ok(body);
    }
    let mut smt = Smt::new(Options::default());
    let plain = system.map_atoms(store, body, |store, _, _| store.fresh_var("holds", SortId::BOOL));
    smt.assert(store, plain);
    let mut questions = ABSINT_MAX_QUESTIONS.size();
    let mut parts = vec![body];
    parts.extend(news(store, &mut smt, TermId::TRUE, &open, &mut questions, ctx)?);
    Ok(store.and(&parts))
}

/// The facts about an atom that the body, which holds by the atom, does not imply.
fn news(
    store: &mut Store,
    smt: &mut Smt,
    marker: TermId,
    facts: &[TermId],
    questions: &mut usize,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let (mut found, mut open) = (Vec::new(), facts.to_vec());
    while !open.is_empty() && *questions > 0 {
        *questions -= 1;
        let all = store.and(&open);
        let goal = justify::goal(store, smt, all);
        match ask_within(smt, store, &[marker, goal], ABSINT_CONFLICTS.get(), ctx)? {
            Answer::Unsat => return Ok(found),
            Answer::Unknown => break,
            Answer::Sat => {
                let model = smt.model(store);
                let before = open.len();
                open.retain(|&fact| {
                    let holds = eval(store, fact, &model) == Ok(Value::Bool(true));
                    if !holds {
                        found.push(fact);
                    }
                    holds
                });
                if open.len() == before {
                    break;
                }
            }
        }
    }
    found.extend(open);
    Ok(found)
}
