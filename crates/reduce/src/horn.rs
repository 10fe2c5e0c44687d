//! Horn systems made smaller: fewer clauses, predicates and arguments, then simpler bodies and heads.

use crate::chunks::{chunks, without};
use crate::search::Reduce;
use crate::terms::{self, Change};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Op, Store, TermId};
use std::ops::Range;

/// What makes a Horn system smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Clauses go.
    Clauses(Range<usize>),
    /// All clauses with a predicate go.
    Without(PredId),
    /// A predicate holds of everything: nothing derives it, and bodies do not ask for it.
    True(PredId),
    /// Predicates that no clause has are not declared.
    Unused,
    /// A predicate that no clause has is not declared; others stay.
    Undeclared(PredId),
    /// A predicate has an argument less.
    Argument(PredId, usize),
    /// Clauses have no names.
    Names,
    /// A body has a smaller part.
    Body(usize, Change),
    /// An argument of a head has a smaller part.
    Head(usize, usize, Change),
    /// Variables that a clause does not use go.
    Vars(usize),
}

impl Reduce for Horn {
    type Step = Step;

    fn steps(&self) -> Vec<Step> {
        let mut all: Vec<Step> = chunks(self.clauses.len()).map(Step::Clauses).collect();
        all.extend(self.pred_ids().map(Step::Without));
        all.extend(self.pred_ids().map(Step::True));
        all.push(Step::Unused);
        all.extend(self.pred_ids().map(Step::Undeclared));
        for pred in self.pred_ids() {
            all.extend((0..self.pred_args(pred).len()).map(|at| Step::Argument(pred, at)));
        }
        all.push(Step::Names);
        for (at, clause) in self.clauses.iter().enumerate() {
            let changes = terms::changes(&self.terms, clause.body);
            all.extend(changes.into_iter().map(|change| Step::Body(at, change)));
        }
        for (at, clause) in self.clauses.iter().enumerate() {
            let Head::Atom(_, args) = &clause.head else { continue };
            for (place, &arg) in args.iter().enumerate() {
                let changes = terms::changes(&self.terms, arg);
                all.extend(changes.into_iter().map(|change| Step::Head(at, place, change)));
            }
        }
        all.extend((0..self.clauses.len()).map(Step::Vars));
        all
    }

    fn after(&self, step: &Step) -> Option<Horn> {
        // Instances of what was read belong to clauses by their positions.
        if !self.quantified.is_empty() {
            return None;
        }
        let mut small = self.clone();
        match step {
            Step::Clauses(range) => small.clauses = without(&self.clauses, range),
            Step::Without(pred) => small.clauses.retain(|clause| !has(self, clause, *pred)),
            Step::True(pred) => make_true(&mut small, *pred),
            Step::Unused => small = used(self)?,
            Step::Undeclared(pred) => small = undeclared(self, *pred)?,
            Step::Argument(pred, at) => small = shortened(self, *pred, *at),
            Step::Names => small.clauses.iter_mut().for_each(|clause| clause.name = None),
            Step::Body(at, change) => {
                let clause = &mut small.clauses[*at];
                clause.body = terms::changed(&mut small.terms, clause.body, change)?;
            }
            Step::Head(at, place, change) => {
                let Head::Atom(_, args) = &mut small.clauses[*at].head else { return None };
                args[*place] = terms::changed(&mut small.terms, args[*place], change)?;
            }
            Step::Vars(at) => {
                let used = self.terms.free_vars(&terms_of(&self.clauses[*at]));
                small.clauses[*at].vars.retain(|var| used.contains(var));
            }
        }
        (differs(self, &small) && small.validate().is_ok()).then_some(small)
    }
}

/// Whether a step did anything.
fn differs(one: &Horn, other: &Horn) -> bool {
    one.clauses != other.clauses || one.preds != other.preds
}

/// Whether a clause has a predicate.
fn has(horn: &Horn, clause: &Clause, pred: PredId) -> bool {
    let is_head = matches!(&clause.head, Head::Atom(head, _) if *head == pred);
    is_head || horn.atoms(clause.body).iter().any(|atom| horn.atom(*atom) == Some(pred))
}

/// Makes a predicate hold of everything.
fn make_true(horn: &mut Horn, pred: PredId) {
    let func = horn.pred(pred).func;
    horn.clauses.retain(|clause| !matches!(&clause.head, Head::Atom(head, _) if *head == pred));
    for clause in &mut horn.clauses {
        clause.body = terms::mapped(&mut horn.terms, clause.body, |store, term, _| {
            (store.op(term) == Op::Apply(func)).then_some(TermId::TRUE)
        });
    }
}

/// The system with the predicates that its clauses have, if there are others.
fn used(horn: &Horn) -> Option<Horn> {
    let is_used = |pred: &PredId| horn.clauses.iter().any(|clause| has(horn, clause, *pred));
    let kept: Vec<PredId> = horn.pred_ids().filter(is_used).collect();
    (kept.len() < horn.preds.len()).then(|| declared(horn, &kept, |_, func| func))
}

/// The system without a predicate, if its clauses do not have it.
fn undeclared(horn: &Horn, pred: PredId) -> Option<Horn> {
    let is_used = horn.clauses.iter().any(|clause| has(horn, clause, pred));
    let kept: Vec<PredId> = horn.pred_ids().filter(|other| *other != pred).collect();
    (!is_used).then(|| declared(horn, &kept, |_, func| func))
}

/// The system over some of its predicates, whose functions may be others.
fn declared(
    horn: &Horn,
    kept: &[PredId],
    mut function: impl FnMut(&mut Store, alphorn_term::FuncId) -> alphorn_term::FuncId,
) -> Horn {
    let mut small = Horn::new(horn.terms.clone());
    small.every_sort = horn.every_sort;
    small.clauses = horn.clauses.clone();
    let mut numbers = vec![None; horn.preds.len()];
    for &pred in kept {
        let func = function(&mut small.terms, horn.pred(pred).func);
        numbers[pred.index()] = Some(small.add_pred(func, horn.pred(pred).span));
    }
    for clause in &mut small.clauses {
        if let Head::Atom(pred, _) = &mut clause.head
            && let Some(number) = numbers[pred.index()]
        {
            *pred = number;
        }
    }
    small
}

/// The system with one argument of a predicate left out.
fn shortened(horn: &Horn, pred: PredId, at: usize) -> Horn {
    let (before, mut now) = (horn.pred(pred).func, horn.pred(pred).func);
    let all: Vec<PredId> = horn.pred_ids().collect();
    let mut small = declared(horn, &all, |store, func| {
        if func != before {
            return func;
        }
        let mut args = store.func(func).args.clone();
        args.remove(at);
        let name = store.name(store.func(func).name).to_owned();
        let result = store.func(func).result;
        now = store.declare(&name, &args, result);
        now
    });
    for clause in &mut small.clauses {
        if let Head::Atom(head, args) = &mut clause.head
            && *head == pred
        {
            args.remove(at);
        }
        clause.body = terms::mapped(&mut small.terms, clause.body, |store, term, args| {
            let is_atom = store.op(term) == Op::Apply(before);
            is_atom.then(|| store.mk(Op::Apply(now), &without(args, &(at..at + 1))))
        });
    }
    small
}

fn terms_of(clause: &Clause) -> Vec<TermId> {
    let mut terms = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        terms.extend(args);
    }
    terms
}
