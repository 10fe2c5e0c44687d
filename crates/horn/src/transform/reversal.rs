//! The transform `reversal`: predicates that occur once per derivation path are derived from the
//! queries down instead of from the facts up.
//!
//! Take predicates such that every clause that uses one of them concludes one of them or false, and
//! uses just one. Their part of a derivation is a path from a fact to a query. Let `P'` mean that `P`
//! does not hold: then `Q(c) ∧ φ → P(h)` is the same as `P'(h) ∧ φ → Q'(c)`, a fact of `P` becomes a
//! query, and a query a fact. For a linear system this is the system read backwards. For predicates
//! that say "fails inside" beside others that say "returns" it lifts assertions: what can fail is
//! reached from the entry, with summaries of returning calls beside it, and only the last call along
//! the path fails (Lal, Qadeer, FMCAD 2014; theirs is a transform of programs). `truth-arguments`
//! makes such predicates of error flags.

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::{System, conjuncts};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{Op, SortId, Store, TermId};

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    let on_path = on_path(system, store);
    if !on_path.contains(&true) {
        return Ok(None);
    }
    let mut preds: Vec<Pred> = Vec::with_capacity(system.preds.len());
    let mut meanings = Vec::with_capacity(system.preds.len());
    for (at, pred) in system.preds.iter().enumerate() {
        let id = PredId(at as u32);
        let mut meaning = Meaning::same(system, store, id, id);
        if on_path[at] {
            let name = format!("{}@backward", store.name(store.func(pred.func).name));
            let sorts = system.sorts(store, id);
            preds.push(Pred { func: store.declare(&name, &sorts, SortId::BOOL), span: pred.span });
            meaning.cases.iter_mut().for_each(|case: &mut Case| case.is_negated = true);
        } else {
            preds.push(pred.clone());
        }
        meanings.push(Some(meaning));
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        let used = path_atoms(system, store, clause.body, &on_path).first().copied();
        let concludes = match &clause.head {
            Head::Atom(pred, args) if on_path[pred.index()] => Some((*pred, args.clone())),
            _ => None,
        };
        if used.is_none() && concludes.is_none() {
            clauses.push((clause.clone(), Recipe::same(at)));
            continue;
        }
        // The atom is a conjunct, so that it is true wherever else it occurs.
        let rest = system.map_atoms(store, clause.body, |_, _, atom| {
            if Some(atom) == used { TermId::TRUE } else { atom }
        });
        let mut parts = conjuncts(store, rest);
        if let Some((pred, args)) = concludes {
            parts.push(store.mk(Op::Apply(preds[pred.index()].func), &args));
        }
        let head = match used.and_then(|atom| Some((system.atom(store, atom)?, atom))) {
            Some((pred, atom)) => Head::Atom(pred, store.args(atom).to_vec()),
            None => Head::False,
        };
        let reversed = Clause { body: store.and(&parts), head, ..clause.clone() };
        clauses.push((reversed, Recipe { is_reversed: true, ..Recipe::same(at) }));
    }
    Ok(Some(Change::new(preds, clauses, meanings, vec![None; system.preds.len()])))
}

/// The atoms of flagged predicates in a body.
fn path_atoms(system: &System, store: &Store, body: TermId, flags: &[bool]) -> Vec<TermId> {
    let mut atoms = system.atoms(store, body);
    atoms.retain(|&atom| system.atom(store, atom).is_some_and(|pred| flags[pred.index()]));
    atoms
}

/// Predicates that occur once per path. There may be several such sets; where two predicates stand in
/// one body, the one that is used more often is left out.
fn on_path(system: &System, store: &Store) -> Vec<bool> {
    let mut uses = vec![0usize; system.preds.len()];
    for clause in &system.clauses {
        for atom in system.atoms(store, clause.body) {
            if let Some(pred) = system.atom(store, atom) {
                uses[pred.index()] += 1;
            }
        }
    }
    let mut flags = vec![true; system.preds.len()];
    loop {
        let before = flags.clone();
        for clause in &system.clauses {
            let atoms = path_atoms(system, store, clause.body, &flags);
            let preds = atoms.iter().filter_map(|&atom| system.atom(store, atom));
            let mut preds: Vec<usize> = preds.map(PredId::index).collect();
            let is_outside = match clause.head {
                Head::Atom(pred, _) => !flags[pred.index()],
                Head::False => false,
            };
            let parts = conjuncts(store, clause.body);
            if is_outside || atoms.iter().any(|atom| !parts.contains(atom)) {
                preds.iter().for_each(|&pred| flags[pred] = false);
                continue;
            }
            preds.sort_by_key(|&pred| uses[pred]);
            let is_twice = preds.len() > 1 && uses[preds[0]] == uses[preds[1]];
            preds.iter().skip(usize::from(!is_twice)).for_each(|&pred| {
                flags[pred] &= preds.len() == 1;
            });
        }
        if flags == before {
            return flags;
        }
    }
}
