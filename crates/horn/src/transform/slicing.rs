//! The transform `slicing`: arguments that no query depends on are removed.
//!
//! An argument matters if some body looks at it: an atom there has something else than a variable
//! in its place, or a variable that a constraint, another argument of the body, or an argument of the
//! head that matters mentions. What matters is a least fixed point, found by following heads
//! backwards. The other arguments are dropped from all atoms. In a derivation their values are read
//! off the facts: that is why the variable may occur once in the body only.

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::constants::narrower;
use super::system::{System, used_vars};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

type Place = (PredId, usize);

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    if system.is_one_large_formula(store) {
        return Ok(None);
    }
    let matters = matters(system, store);
    if matters.iter().flatten().all(|&matters| matters) {
        return Ok(None);
    }
    let kept_of: Vec<Vec<usize>> = matters
        .iter()
        .map(|matters| (0..matters.len()).filter(|&at| matters[at]).collect())
        .collect();
    let mut preds: Vec<Pred> = Vec::with_capacity(system.preds.len());
    let (mut meanings, mut keys) = (Vec::new(), Vec::new());
    for (at, pred) in system.preds.iter().enumerate() {
        let (id, kept) = (PredId(at as u32), &kept_of[at]);
        preds.push(narrower(store, pred, kept));
        let params = system.params(store, id);
        let part = Some((id, kept.iter().map(|&at| params[at]).collect()));
        let case = Case::new(TermId::TRUE, part);
        keys.push((kept.len() < params.len()).then(|| kept.clone()));
        meanings.push(Some(Meaning { params, cases: vec![case] }));
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        let keep = |pred: PredId, args: &[TermId]| -> Vec<TermId> {
            kept_of[pred.index()].iter().map(|&at| args[at]).collect()
        };
        let body = system.map_atoms(store, clause.body, |store, pred, atom| {
            let args = keep(pred, store.args(atom));
            store.mk(Op::Apply(preds[pred.index()].func), &args)
        });
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => Head::Atom(*pred, keep(*pred, args)),
        };
        let mut changed = Clause { body, head, ..clause.clone() };
        changed.vars = used_vars(store, &changed);
        clauses.push((changed, Recipe::same(at)));
    }
    Ok(Some(Change::new(preds, clauses, meanings, keys)))
}

/// Which arguments of which predicates matter.
fn matters(system: &System, store: &Store) -> Vec<Vec<bool>> {
    let mut matters: Vec<Vec<bool>> = (0..system.preds.len() as u32)
        .map(|pred| vec![false; system.sorts(store, PredId(pred)).len()])
        .collect();
    let mut todo: Vec<Place> = Vec::new();
    // For each clause, where its variables stand in the body's atoms.
    let mut places: Vec<FxHashMap<TermId, Vec<Place>>> = Vec::with_capacity(system.clauses.len());
    for clause in &system.clauses {
        let (mut standing, used) =
            (FxHashMap::<TermId, Vec<Place>>::default(), looked_at(system, store, clause));
        for atom in system.atoms(store, clause.body) {
            let Some(pred) = system.atom(store, atom) else { continue };
            for (at, &arg) in store.args(atom).iter().enumerate() {
                match store.op(arg) {
                    Op::Var(_) => standing.entry(arg).or_default().push((pred, at)),
                    _ => todo.push((pred, at)),
                }
            }
        }
        for (var, places) in &standing {
            if places.len() > 1 || used.contains(var) {
                todo.extend(places);
            }
        }
        places.push(standing);
    }
    let clauses_of = system.clauses_of();
    while let Some((pred, at)) = todo.pop() {
        if std::mem::replace(&mut matters[pred.index()][at], true) {
            continue;
        }
        for &clause in &clauses_of[pred.index()] {
            let Head::Atom(_, args) = &system.clauses[clause].head else { continue };
            for var in store.free_vars(&[args[at]]) {
                todo.extend(places[clause].get(&var).into_iter().flatten());
            }
        }
    }
    matters
}

/// The variables that constraints, or terms in arguments of the body's atoms, mention.
fn looked_at(system: &System, store: &Store, clause: &Clause) -> FxHashSet<TermId> {
    let mut roots: Vec<TermId> = Vec::new();
    for part in system.parts(store, clause.body) {
        if system.atom(store, part).is_some() {
            let args = store.args(part).iter().copied();
            roots.extend(args.filter(|&arg| !matches!(store.op(arg), Op::Var(_))));
        } else if !system.is_inner(store, part) {
            roots.push(part);
        }
    }
    store.free_vars(&roots).into_iter().collect()
}
