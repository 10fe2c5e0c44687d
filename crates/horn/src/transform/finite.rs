//! The transforms `finite-arguments` and `truth-arguments`: a predicate becomes one for each value of
//! an argument.
//!
//! `finite-arguments` takes arguments that are literals in all heads, as a program counter is: there
//! is a predicate for each of these literals. An atom of a body with a literal in this place becomes
//! the atom of its value, and any other a disjunction over the values; there may be few of those.
//!
//! `truth-arguments` takes arguments of sort Bool, whatever heads say: a clause whose head has a
//! formula there becomes two. It makes more clauses, so it has a limit of its own.
//!
//! The predicate before means: for some value, the argument is the value and the predicate of the
//! value holds.

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::System;
use crate::settings::{FINITE_VALUES_MAX_DISJUNCTS, FINITE_VALUES_MAX_VALUES};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// An argument by which a predicate is split: its position and its values.
pub(super) type Split = Option<(usize, Vec<TermId>)>;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    let clauses_of = system.clauses_of();
    let splits: Vec<Split> = (0..system.preds.len())
        .map(|pred| {
            let arity = system.sorts(store, PredId(pred as u32)).len();
            (0..arity).find_map(|at| {
                let values = literals(system, store, &clauses_of[pred], at)?;
                Some((at, values))
            })
        })
        .collect();
    let splits = with_few_disjuncts(system, store, splits);
    Ok(splits.iter().any(Option::is_some).then(|| split(system, store, &splits)))
}

pub(super) fn apply_to_truth_values(
    system: &System,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    let splits: Vec<Split> = (0..system.preds.len())
        .map(|pred| {
            let sorts = system.sorts(store, PredId(pred as u32));
            let at = sorts.iter().position(|&sort| sort == SortId::BOOL)?;
            Some((at, vec![TermId::FALSE, TermId::TRUE]))
        })
        .collect();
    let splits = with_few_disjuncts(system, store, splits);
    Ok(splits.iter().any(Option::is_some).then(|| split(system, store, &splits)))
}

/// The literals that an argument is in all heads of these clauses, if it is one in each and there
/// are several.
fn literals(system: &System, store: &Store, clauses: &[usize], at: usize) -> Option<Vec<TermId>> {
    let mut values = Vec::new();
    for &clause in clauses {
        let Head::Atom(_, args) = &system.clauses[clause].head else { return None };
        if !store.is_literal(args[at]) {
            return None;
        }
        if !values.contains(&args[at]) {
            values.push(args[at]);
        }
        if values.len() > FINITE_VALUES_MAX_VALUES.size() {
            return None;
        }
    }
    values.sort_unstable();
    (values.len() > 1).then_some(values)
}

/// The splits that do not make many disjuncts.
fn with_few_disjuncts(system: &System, store: &Store, mut splits: Vec<Split>) -> Vec<Split> {
    let mut disjuncts = vec![0; splits.len()];
    for clause in &system.clauses {
        for atom in system.atoms(store, clause.body) {
            let Some(pred) = system.atom(store, atom) else { continue };
            if let Some((at, values)) = &splits[pred.index()]
                && !store.is_literal(store.args(atom)[*at])
            {
                disjuncts[pred.index()] += values.len();
            }
        }
        if let Head::Atom(pred, args) = &clause.head
            && let Some((at, values)) = &splits[pred.index()]
            && !store.is_literal(args[*at])
        {
            disjuncts[pred.index()] += values.len();
        }
    }
    for (split, disjuncts) in splits.iter_mut().zip(disjuncts) {
        if disjuncts > FINITE_VALUES_MAX_DISJUNCTS.size() {
            *split = None;
        }
    }
    splits
}

/// The predicates of the changed system.
pub(super) struct Parts {
    pub(super) preds: Vec<Pred>,
    /// For each predicate before, the one that stands for it, or the one for each value.
    place: Vec<FxHashMap<Option<TermId>, PredId>>,
    pub(super) meanings: Vec<Option<Meaning>>,
}

impl Parts {
    pub(super) fn of(system: &System, store: &mut Store, splits: &[Split]) -> Parts {
        let mut parts = Parts { preds: Vec::new(), place: Vec::new(), meanings: Vec::new() };
        for (index, pred) in system.preds.iter().enumerate() {
            let id = PredId(index as u32);
            let mut place = FxHashMap::default();
            let next = |parts: &Parts| PredId(parts.preds.len() as u32);
            let Some((at, values)) = &splits[index] else {
                place.insert(None, next(&parts));
                parts.meanings.push(Some(Meaning::same(system, store, id, next(&parts))));
                parts.preds.push(pred.clone());
                parts.place.push(place);
                continue;
            };
            let params = system.params(store, id);
            let mut rest = params.clone();
            rest.remove(*at);
            let mut sorts = system.sorts(store, id);
            sorts.remove(*at);
            let mut cases = Vec::with_capacity(values.len());
            for &value in values {
                let condition = store.eq(params[*at], value);
                cases.push(Case::new(condition, Some((next(&parts), rest.clone()))));
                place.insert(Some(value), next(&parts));
                let name = store.name(store.func(pred.func).name);
                let name = format!("{name}@{}", store.show(value));
                let func = store.declare(&name, &sorts, SortId::BOOL);
                parts.preds.push(Pred { func, span: pred.span });
            }
            parts.meanings.push(Some(Meaning { params, cases }));
            parts.place.push(place);
        }
        parts
    }

    /// The atom of a predicate's part.
    pub(super) fn atom(&self, store: &mut Store, pred: PredId, args: &[TermId]) -> TermId {
        store.mk(Op::Apply(self.preds[pred.index()].func), args)
    }

    /// The part of a predicate for a value, or the one that stands for it if it is not split.
    pub(super) fn part(&self, pred: PredId, value: Option<TermId>) -> PredId {
        self.place[pred.index()][&value]
    }
}

fn split(system: &System, store: &mut Store, splits: &[Split]) -> Change {
    let parts = Parts::of(system, store, splits);
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (index, clause) in system.clauses.iter().enumerate() {
        let body = system.map_atoms(store, clause.body, |store, pred, atom| {
            let Some((at, values)) = &splits[pred.index()] else { return atom };
            let (place, mut args) = (&parts.place[pred.index()], store.args(atom).to_vec());
            let chosen = args.remove(*at);
            if store.is_literal(chosen) {
                let Some(&part) = place.get(&Some(chosen)) else { return TermId::FALSE };
                return parts.atom(store, part, &args);
            }
            let mut ways = Vec::with_capacity(values.len());
            for &value in values {
                let condition = store.eq(chosen, value);
                let atom = parts.atom(store, place[&Some(value)], &args);
                ways.push(store.and(&[condition, atom]));
            }
            store.or(&ways)
        });
        for (condition, head) in heads(store, splits, &parts, &clause.head) {
            let body = store.and(&[body, condition]);
            clauses.push((Clause { body, head, ..clause.clone() }, Recipe::same(index)));
        }
    }
    Change::new(parts.preds, clauses, parts.meanings, vec![None; system.preds.len()])
}

/// The heads that a clause has in the changed system, with the condition for each.
fn heads(store: &mut Store, splits: &[Split], parts: &Parts, head: &Head) -> Vec<(TermId, Head)> {
    let Head::Atom(pred, args) = head else { return vec![(TermId::TRUE, Head::False)] };
    let place = &parts.place[pred.index()];
    let Some((at, values)) = &splits[pred.index()] else {
        return vec![(TermId::TRUE, Head::Atom(place[&None], args.clone()))];
    };
    let mut rest = args.clone();
    let chosen = rest.remove(*at);
    let mut heads = Vec::new();
    for &value in values {
        let condition = store.eq(chosen, value);
        if condition != TermId::FALSE {
            heads.push((condition, Head::Atom(place[&Some(value)], rest.clone())));
        }
    }
    heads
}
