//! The transform `control`: a predicate becomes one for each value of an argument that tells how far
//! a run has come.
//!
//! Systems in phases write them as a number of the state: each disjunct of a step says from which phase it
//! goes to which. Such a number is found by *values*: the constants that a term can be equal to where a
//! formula holds, over conjunctions, disjunctions and conditionals. If all heads give few values, or the
//! one before, these are all the values there are. Within a phase most of a step's disjuncts are false,
//! and other arguments have become constants or do not matter yet, which the other transforms see.
//!
//! An argument is taken if there is no way back from some value to another: then loops of the whole
//! become loops of phases, or none at all. Other finite arguments would only multiply clauses.
//!
//! The predicate before means: for some value, the argument is the value and the predicate of the
//! value holds (`finite`).

use super::change::{Applied, Change, Recipe};
use super::finite::{Parts, Split};
use super::system::{System, conjuncts, used_vars};
use crate::settings::{
    CONTROL_ALWAYS_ALLOWED, CONTROL_MAX_GROWTH, CONTROL_MAX_KEPT, CONTROL_MAX_VALUES,
};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The constants that a term can be equal to; none if that is not known.
type Values = Option<BTreeSet<TermId>>;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let uses_of = Uses::of_all(system, store);
    let mut size_before = None;
    for (pred, uses) in (0..system.preds.len() as u32).map(PredId).zip(uses_of) {
        let Some(uses) = uses else { continue };
        for at in 0..system.sorts(store, pred).len() {
            ctx.tick(1 + uses.clauses.len() as u64)?;
            let Some(values) = uses.values(store, at) else { continue };
            let steps = uses.steps(store, at, &values);
            if !has_no_way_back(&values, &steps) {
                continue;
            }
            let before = *size_before.get_or_insert_with(|| size(store, bodies(&system.clauses)));
            let after = size(store, steps.iter().map(|step| step.body));
            if after > CONTROL_ALWAYS_ALLOWED.size().max(CONTROL_MAX_GROWTH.size() * before) {
                continue;
            }
            return Ok(Some(split(system, store, pred, (at, values), steps)));
        }
    }
    Ok(None)
}

/// A clause that uses or concludes a predicate.
struct Use {
    clause: usize,
    body: TermId,
    /// The predicate's arguments in the body.
    before: Option<Vec<TermId>>,
    /// Its arguments in the head.
    after: Option<Vec<TermId>>,
}

/// What a clause becomes for a value before and one after.
struct Step {
    clause: usize,
    body: TermId,
    before: Option<TermId>,
    after: Option<TermId>,
}

/// All clauses that use or conclude a predicate.
struct Uses {
    clauses: Vec<Use>,
}

impl Uses {
    /// For each predicate its clauses, if each uses it at most once and not as an alternative.
    fn of_all(system: &System, store: &Store) -> Vec<Option<Uses>> {
        let mut all: Vec<Option<Uses>> =
            system.preds.iter().map(|_| Some(Uses { clauses: Vec::new() })).collect();
        for (clause, Clause { body, head, .. }) in system.clauses.iter().enumerate() {
            let mut atoms_of: BTreeMap<PredId, Vec<TermId>> = BTreeMap::new();
            for atom in system.atoms(store, *body) {
                if let Some(pred) = system.atom(store, atom) {
                    atoms_of.entry(pred).or_default().push(atom);
                }
            }
            if let Head::Atom(pred, _) = head {
                atoms_of.entry(*pred).or_default();
            }
            let parts: FxHashSet<TermId> = conjuncts(store, *body).into_iter().collect();
            for (pred, atoms) in atoms_of {
                let before = match atoms.as_slice() {
                    [] => None,
                    [atom] if parts.contains(atom) => Some(store.args(*atom).to_vec()),
                    _ => {
                        all[pred.index()] = None;
                        continue;
                    }
                };
                let after = match head {
                    Head::Atom(other, args) if *other == pred => Some(args.clone()),
                    _ => None,
                };
                if let Some(uses) = &mut all[pred.index()] {
                    uses.clauses.push(Use { clause, body: *body, before, after });
                }
            }
        }
        all
    }

    /// The values of an argument in all facts, if they are several and few.
    fn values(&self, store: &Store, at: usize) -> Option<Vec<TermId>> {
        let mut all = BTreeSet::new();
        for Use { body, before, after, .. } in &self.clauses {
            let Some(after) = after else { continue };
            let before = before.as_ref().map(|args| args[at]);
            all.extend(values_of(store, *body, after[at], before)?);
            if all.len() > CONTROL_MAX_VALUES.size() {
                return None;
            }
        }
        let is_number = |&value: &TermId| store.sort(value) != SortId::BOOL;
        (all.len() > 1 && all.iter().all(is_number)).then(|| all.into_iter().collect())
    }

    /// What the clauses become for each pair of values of an argument.
    fn steps(&self, store: &mut Store, at: usize, values: &[TermId]) -> Vec<Step> {
        let mut steps = Vec::new();
        for Use { clause, body, before, after } in &self.clauses {
            let befores: Vec<Option<TermId>> = match before {
                Some(_) => values.iter().copied().map(Some).collect(),
                None => vec![None],
            };
            for value in befores {
                let mut body = *body;
                let mut map = Substitution::default();
                if let (Some(args), Some(value)) = (before, value) {
                    if matches!(store.op(args[at]), Op::Var(_)) {
                        map.insert(args[at], value);
                        body = substituted(store, body, &map);
                    }
                    // The head and other atoms may have the variable, too.
                    let equation = store.eq(args[at], value);
                    body = store.and(&[body, equation]);
                }
                if body == TermId::FALSE {
                    continue;
                }
                let Some(args) = after else {
                    steps.push(Step { clause: *clause, body, before: value, after: None });
                    continue;
                };
                let head = store.substitute(args[at], &map);
                let afters = values_of(store, body, head, None);
                for after in afters.unwrap_or_else(|| values.iter().copied().collect()) {
                    let equation = store.eq(head, after);
                    let body = store.and(&[body, equation]);
                    if body != TermId::FALSE {
                        let after = Some(after);
                        steps.push(Step { clause: *clause, body, before: value, after });
                    }
                }
            }
        }
        steps
    }
}

/// A body with values for variables, except in its atoms, which are taken from the clause.
fn substituted(store: &mut Store, body: TermId, map: &Substitution) -> TermId {
    let parts = conjuncts(store, body);
    let mut result = Vec::with_capacity(parts.len());
    for part in parts {
        let is_atom = matches!(store.op(part), Op::Apply(_));
        result.push(if is_atom { part } else { store.substitute(part, map) });
    }
    store.and(&result)
}

/// The constants that a term can be equal to where a formula holds; `before` stands for a term whose
/// values need not be told.
fn values_of(store: &Store, formula: TermId, term: TermId, before: Option<TermId>) -> Values {
    if let Some(values) = leaves(store, term, before) {
        return Some(values);
    }
    let mut known: FxHashMap<TermId, Values> = FxHashMap::default();
    let mut stack = vec![(formula, false)];
    while let Some((part, is_ready)) = stack.pop() {
        let args = store.args(part);
        let inner: &[TermId] = match store.op(part) {
            Op::And | Op::Or => args,
            Op::Ite => &args[1..],
            _ => &[],
        };
        if known.contains_key(&part) {
            continue;
        }
        if !is_ready && !inner.is_empty() {
            stack.push((part, true));
            stack.extend(inner.iter().map(|&arg| (arg, false)));
            continue;
        }
        let of_inner = inner.iter().map(|arg| &known[arg]);
        let values = match store.op(part) {
            Op::False => Some(BTreeSet::new()),
            Op::And => of_inner.flatten().cloned().reduce(|all, more| &all & &more),
            Op::Or | Op::Ite => of_inner
                .cloned()
                .reduce(|all, more| {
                    Some(&all? | &more?).filter(|all| all.len() <= CONTROL_MAX_KEPT.size())
                })
                .flatten(),
            Op::Eq if args[0] == term => leaves(store, args[1], before),
            Op::Eq if args[1] == term => leaves(store, args[0], before),
            _ => None,
        };
        known.insert(part, values);
    }
    known.remove(&formula).flatten()
}

/// The constants that a term is a choice of.
fn leaves(store: &Store, term: TermId, before: Option<TermId>) -> Values {
    let (mut values, mut stack) = (BTreeSet::new(), vec![term]);
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(term) = stack.pop() {
        match store.op(term) {
            _ if Some(term) == before || !seen.insert(term) => {}
            _ if store.is_literal(term) => {
                values.insert(term);
            }
            Op::Ite if values.len() <= CONTROL_MAX_VALUES.size() => {
                stack.extend(&store.args(term)[1..])
            }
            _ => return None,
        }
    }
    Some(values)
}

/// Whether steps lead from some value to another but not from there to the first.
fn has_no_way_back(values: &[TermId], steps: &[Step]) -> bool {
    let place = |value: TermId| values.iter().position(|&other| other == value);
    let count = values.len();
    let mut leads = vec![vec![false; count]; count];
    for step in steps {
        let (Some(before), Some(after)) = (step.before, step.after) else { continue };
        if let (Some(before), Some(after)) = (place(before), place(after)) {
            leads[before][after] = true;
        }
    }
    for through in 0..count {
        for from in 0..count {
            for to in 0..count {
                leads[from][to] |= leads[from][through] && leads[through][to];
            }
        }
    }
    (0..count).any(|from| (0..count).any(|to| leads[from][to] && !leads[to][from]))
}

/// The size of all bodies together.
fn size(store: &Store, bodies: impl Iterator<Item = TermId>) -> usize {
    bodies.map(|body| store.dag_size(&[body])).sum()
}

fn bodies(clauses: &[Clause]) -> impl Iterator<Item = TermId> + '_ {
    clauses.iter().map(|clause| clause.body)
}

fn split(
    system: &System,
    store: &mut Store,
    pred: PredId,
    by: (usize, Vec<TermId>),
    steps: Vec<Step>,
) -> Change {
    let at = by.0;
    let mut splits: Vec<Split> = vec![None; system.preds.len()];
    splits[pred.index()] = Some(by);
    let parts = Parts::of(system, store, &splits);
    let mut clauses = Vec::with_capacity(system.clauses.len() + steps.len());
    let is_step: BTreeSet<usize> = steps.iter().map(|step| step.clause).collect();
    for (index, clause) in system.clauses.iter().enumerate() {
        let uses = system.body_preds(store, clause.body).contains(&pred);
        let concludes = matches!(&clause.head, Head::Atom(other, _) if *other == pred);
        if is_step.contains(&index) || uses || concludes {
            continue;
        }
        let head = moved(&parts, &clause.head);
        clauses.push((Clause { head, ..clause.clone() }, Recipe::same(index)));
    }
    for Step { clause: index, body, before, after } in steps {
        let clause = &system.clauses[index];
        let body = system.map_atoms(store, body, |store, other, atom| {
            let Some(value) = before.filter(|_| other == pred) else { return atom };
            let mut args = store.args(atom).to_vec();
            args.remove(at);
            parts.atom(store, parts.part(pred, Some(value)), &args)
        });
        let head = match (&clause.head, after) {
            (Head::Atom(_, args), Some(value)) => {
                let mut args = args.clone();
                args.remove(at);
                Head::Atom(parts.part(pred, Some(value)), args)
            }
            _ => moved(&parts, &clause.head),
        };
        let mut clause = Clause { body, head, ..clause.clone() };
        clause.vars = used_vars(store, &clause);
        clauses.push((clause, Recipe::same(index)));
    }
    Change::new(parts.preds, clauses, parts.meanings, vec![None; system.preds.len()])
}

/// A head with another predicate.
fn moved(parts: &Parts, head: &Head) -> Head {
    match head {
        Head::Atom(pred, args) => Head::Atom(parts.part(*pred, None), args.clone()),
        Head::False => Head::False,
    }
}
