//! The transform `reachability`: what no facts reach, and what no query needs, is removed.
//!
//! A predicate that no clause can conclude, whatever its constraints, means false; its atoms in
//! bodies are false. A predicate that no query depends on means true, and the clauses that conclude
//! it hold because of that. Constraints are not looked at (`graph` says the same about what this
//! leaves open).

use super::change::{Applied, Change, Meaning, Recipe};
use super::system::System;
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    let derivable = derivable(system, store);
    // Which predicates matter is asked of the bodies without those that are false.
    let mut left: Vec<(Clause, Recipe)> = Vec::new();
    for (at, clause) in system.clauses.iter().enumerate() {
        let body = system.map_atoms(store, clause.body, |_, pred, atom| {
            if derivable[pred.index()] { atom } else { TermId::FALSE }
        });
        if body != TermId::FALSE {
            left.push((Clause { body, ..clause.clone() }, Recipe::same(at)));
        }
    }
    let relevant = relevant(system, store, &left);
    if derivable.iter().zip(&relevant).all(|(derivable, relevant)| *derivable && *relevant) {
        return Ok(None);
    }
    let mut preds = Vec::new();
    let (mut place, mut meanings) = (FxHashMap::default(), Vec::new());
    for pred in (0..system.preds.len() as u32).map(PredId) {
        meanings.push(Some(if !derivable[pred.index()] {
            Meaning::constant(system, store, pred, false)
        } else if !relevant[pred.index()] {
            Meaning::constant(system, store, pred, true)
        } else {
            let changed = PredId(preds.len() as u32);
            place.insert(pred, changed);
            preds.push(system.preds[pred.index()].clone());
            Meaning::same(system, store, pred, changed)
        }));
    }
    let mut clauses = Vec::new();
    for (mut clause, recipe) in left {
        if let Head::Atom(pred, _) = &mut clause.head {
            let Some(&changed) = place.get(pred) else { continue };
            *pred = changed;
        }
        clauses.push((clause, recipe));
    }
    Ok(Some(Change::new(preds, clauses, meanings, vec![None; system.preds.len()])))
}

/// The predicates that some clause may conclude, by position.
fn derivable(system: &System, store: &Store) -> Vec<bool> {
    let mut derivable = vec![false; system.preds.len()];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); system.preds.len()];
    for (at, clause) in system.clauses.iter().enumerate() {
        for pred in system.body_preds(store, clause.body) {
            waiting[pred.index()].push(at);
        }
    }
    let mut todo: Vec<usize> = (0..system.clauses.len()).collect();
    while let Some(at) = todo.pop() {
        let clause = &system.clauses[at];
        if let Head::Atom(pred, _) = clause.head
            && !derivable[pred.index()]
            && can_hold(system, store, clause.body, &derivable)
        {
            derivable[pred.index()] = true;
            todo.extend(&waiting[pred.index()]);
        }
    }
    derivable
}

/// Whether a body can hold when exactly the flagged predicates can have facts.
fn can_hold(system: &System, store: &Store, body: TermId, derivable: &[bool]) -> bool {
    let mut known: FxHashMap<TermId, bool> = FxHashMap::default();
    for part in system.parts(store, body) {
        let args = store.args(part);
        let can = match system.atom(store, part) {
            Some(pred) => derivable[pred.index()],
            None if !system.is_inner(store, part) => part != TermId::FALSE,
            None if store.op(part) == Op::And => args.iter().all(|arg| known[arg]),
            None => args.iter().any(|arg| known[arg]),
        };
        known.insert(part, can);
    }
    known[&body]
}

/// The predicates that some query depends on, by position.
fn relevant(system: &System, store: &Store, clauses: &[(Clause, Recipe)]) -> Vec<bool> {
    let mut needs: Vec<Vec<PredId>> = vec![Vec::new(); system.preds.len()];
    let mut stack: Vec<PredId> = Vec::new();
    for (clause, _) in clauses {
        let preds = system.body_preds(store, clause.body);
        match clause.head {
            Head::Atom(pred, _) => needs[pred.index()].extend(preds),
            Head::False => stack.extend(preds),
        }
    }
    let mut relevant = vec![false; system.preds.len()];
    while let Some(pred) = stack.pop() {
        if !std::mem::replace(&mut relevant[pred.index()], true) {
            stack.extend(&needs[pred.index()]);
        }
    }
    relevant
}
