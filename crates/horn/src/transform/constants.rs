//! The transform `constants`: arguments that are always the same constant, or always equal to
//! another argument of their predicate, are removed.
//!
//! Which ones are is a greatest fixed point. Each argument has a *label*; arguments with one label
//! are equal in all facts, and a literal as a label is their value. A clause is read under the labels
//! of its body's atoms and its equations, which tell the labels of its head's arguments; labels only
//! ever get finer, so this ends. Atoms under disjunctions tell nothing. A predicate that no clause
//! labels in the end has no facts: it means false, which what was found about the others relies on.
//!
//! Bodies get the equations back where an atom loses arguments, and so do definitions.

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::{System, conjuncts};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known about an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Label {
    /// It is this literal.
    Constant(TermId),
    /// It equals the argument at this position, the first with this label.
    Class(usize),
}

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let labels = labels(system, store, ctx)?;
    let is_kept = |label: &Label, at: usize| *label == Label::Class(at);
    let loses = |labels: &Vec<Label>| (0..labels.len()).any(|at| !is_kept(&labels[at], at));
    if !labels.iter().flatten().any(loses) {
        return Ok(None);
    }
    let mut preds: Vec<Pred> = Vec::with_capacity(system.preds.len());
    let (mut meanings, mut kept_of) = (Vec::new(), Vec::new());
    for (at, pred) in system.preds.iter().enumerate() {
        let id = PredId(at as u32);
        let Some(labels) = &labels[at] else {
            preds.push(pred.clone());
            meanings.push(Some(Meaning::constant(system, store, id, false)));
            kept_of.push((0..system.sorts(store, id).len()).collect());
            continue;
        };
        let kept: Vec<usize> = (0..labels.len()).filter(|&i| is_kept(&labels[i], i)).collect();
        preds.push(narrower(store, pred, &kept));
        let params = system.params(store, id);
        let condition = equations(store, labels, &params);
        let part = Some((id, kept.iter().map(|&i| params[i]).collect()));
        meanings.push(Some(Meaning { params, cases: vec![Case::new(condition, part)] }));
        kept_of.push(kept);
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        let body = system.map_atoms(store, clause.body, |store, pred, atom| {
            let Some(labels) = &labels[pred.index()] else { return TermId::FALSE };
            let args = store.args(atom).to_vec();
            let condition = equations(store, labels, &args);
            let kept: Vec<TermId> = kept_of[pred.index()].iter().map(|&i| args[i]).collect();
            let atom = store.mk(Op::Apply(preds[pred.index()].func), &kept);
            store.and(&[atom, condition])
        });
        let mut head = clause.head.clone();
        if let Head::Atom(pred, args) = &mut head {
            *args = kept_of[pred.index()].iter().map(|&i| args[i]).collect();
        }
        clauses.push((Clause { body, head, ..clause.clone() }, Recipe::same(at)));
    }
    Ok(Some(Change::new(preds, clauses, meanings, vec![None; system.preds.len()])))
}

/// The predicate with some of its arguments: itself if with all of them.
pub(super) fn narrower(store: &mut Store, pred: &Pred, kept: &[usize]) -> Pred {
    let func = store.func(pred.func);
    if kept.len() == func.args.len() {
        return pred.clone();
    }
    let sorts: Vec<SortId> = kept.iter().map(|&at| func.args[at]).collect();
    let name = store.name(func.name).to_owned();
    Pred { func: store.declare(&name, &sorts, SortId::BOOL), span: pred.span }
}

/// What labels say about arguments.
fn equations(store: &mut Store, labels: &[Label], args: &[TermId]) -> TermId {
    let mut parts = Vec::new();
    for (at, label) in labels.iter().enumerate() {
        match *label {
            Label::Constant(value) => parts.push(store.eq(args[at], value)),
            Label::Class(first) if first != at => parts.push(store.eq(args[at], args[first])),
            Label::Class(_) => {}
        }
    }
    store.and(&parts)
}

/// The labels of all predicates' arguments; none for predicates without facts.
fn labels(
    system: &System,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Option<Vec<Label>>>, Stop> {
    let mut found: Vec<Option<Vec<Label>>> = vec![None; system.preds.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); system.preds.len()];
    for (at, clause) in system.clauses.iter().enumerate() {
        for pred in system.body_preds(store, clause.body) {
            users[pred.index()].push(at);
        }
    }
    let mut is_waiting = vec![true; system.clauses.len()];
    let mut todo: Vec<usize> = (0..system.clauses.len()).rev().collect();
    while let Some(at) = todo.pop() {
        is_waiting[at] = false;
        ctx.tick(1)?;
        let Head::Atom(pred, args) = &system.clauses[at].head else { continue };
        let Some(values) = head_values(system, store, &system.clauses[at], args, &found) else {
            continue;
        };
        let joined = join(store, found[pred.index()].as_deref(), &values);
        if found[pred.index()].as_ref() != Some(&joined) {
            found[pred.index()] = Some(joined);
            for &user in &users[pred.index()] {
                if !std::mem::replace(&mut is_waiting[user], true) {
                    todo.push(user);
                }
            }
        }
    }
    Ok(found)
}

/// The labels that say what both the labels so far and these values say.
fn join(store: &Store, before: Option<&[Label]>, values: &[TermId]) -> Vec<Label> {
    let mut first: FxHashMap<(Option<Label>, TermId), usize> = FxHashMap::default();
    let mut labels = Vec::with_capacity(values.len());
    for (at, &value) in values.iter().enumerate() {
        let old = before.map(|labels| labels[at]);
        let is_constant =
            store.is_literal(value) && old.is_none_or(|label| label == Label::Constant(value));
        labels.push(if is_constant {
            Label::Constant(value)
        } else {
            Label::Class(*first.entry((old, value)).or_insert(at))
        });
    }
    labels
}

/// Representatives of the head's arguments: equal ones are equal, and literals where values are
/// known. None if the body needs facts that there are none of so far, or contradicts itself.
fn head_values(
    system: &System,
    store: &mut Store,
    clause: &Clause,
    args: &[TermId],
    found: &[Option<Vec<Label>>],
) -> Option<Vec<TermId>> {
    let mut classes = Classes::default();
    for part in conjuncts(store, clause.body) {
        let args = store.args(part).to_vec();
        match (system.atom(store, part), store.op(part)) {
            (Some(pred), _) => {
                let labels = found[pred.index()].as_ref()?;
                for (&arg, label) in args.iter().zip(labels) {
                    let other = match *label {
                        Label::Constant(value) => value,
                        Label::Class(first) => args[first],
                    };
                    classes.join(store, arg, other)?;
                }
            }
            (None, Op::Eq) => classes.join(store, args[0], args[1])?,
            (None, Op::Var(_)) => classes.join(store, part, TermId::TRUE)?,
            (None, Op::Not) => classes.join(store, args[0], TermId::FALSE)?,
            _ => {}
        }
    }
    let mut map = Substitution::default();
    let mut vars: FxHashSet<TermId> = FxHashSet::default();
    vars.extend(store.free_vars(args));
    for &var in &vars {
        let value = classes.find(var);
        if value != var && (store.is_literal(value) || matches!(store.op(value), Op::Var(_))) {
            map.insert(var, value);
        }
    }
    let values = args.iter().map(|&arg| {
        let class = classes.find(arg);
        if class != arg {
            return class;
        }
        let value = store.substitute(arg, &map);
        classes.find(value)
    });
    Some(values.collect())
}

/// Terms that are equal, with a literal or else a variable to stand for them.
#[derive(Default)]
struct Classes {
    parent: FxHashMap<TermId, TermId>,
}

impl Classes {
    fn find(&self, mut term: TermId) -> TermId {
        while let Some(&up) = self.parent.get(&term) {
            term = up;
        }
        term
    }

    /// Makes two terms equal; none if they are different literals.
    fn join(&mut self, store: &Store, left: TermId, right: TermId) -> Option<()> {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return Some(());
        }
        let rank = |term: TermId| match store.op(term) {
            _ if store.is_literal(term) => 0,
            Op::Var(_) => 1,
            _ => 2,
        };
        if (rank(left), rank(right)) == (0, 0) {
            return None;
        }
        let (low, high) =
            if (rank(left), left) <= (rank(right), right) { (left, right) } else { (right, left) };
        self.parent.insert(high, low);
        Some(())
    }
}
