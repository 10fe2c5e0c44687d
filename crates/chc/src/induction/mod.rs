//! Predicates that are functions, and queries that are theorems about them.
//!
//! Clauses made of functional programs define functions by recursion on lists, numbers and trees
//! (`recognise`). With these functions as the meaning of the predicates, the clauses hold by unfolding,
//! and what is left is to prove that a query's body never holds: a theorem, by induction, with laws that
//! are found on the way (`prove`). The functions and laws are part of the model (`evidence::fold`).
//!
//! This proves what no abstraction into numbers can: that appending is associative, that reversing twice
//! changes nothing.

mod clause;
mod evaluate;
mod prove;
mod recognise;

use crate::evidence::{Outcome, prove_with};
use crate::fold::speaks_of_data;
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::fold::{Fold, Folds};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::PredId;
use alphorn_problem::{Horn, Verdict};
use alphorn_term::{Op, Store, Substitution, TermId};
use clause::{Rule, rule};
use evaluate::{Evaluator, samples};
use prove::Theory;
use recognise::{Meaning, recognise};
use rustc_hash::FxHashSet;

/// Registry entry.
pub(crate) const CARD: Card<Horn> = Card {
    name: "induction",
    about: "reads predicates as recursive functions, and proves queries impossible by induction [CJRS13]",
    proves: true,
    refutes: false,
    build: || Box::new(Induction),
};

struct Induction;

impl Engine<Horn> for Induction {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Verdict<Horn>, Stop> {
        if !speaks_of_data(horn) {
            return Err(Stop::Unsupported("there are no datatypes".to_owned()));
        }
        let mut store = horn.terms.clone();
        let mut rules = Vec::new();
        for clause in &horn.clauses {
            rules.extend(rule(horn, clause, &mut store).map_err(Stop::Unsupported)?);
        }
        let (meanings, functions) = functions(horn, &mut store, &rules, ctx)?;
        ctx.emit(Event::Remark(format!("{} recursive functions", functions.len())));
        let folds = Folds { functions, laws: Vec::new() };
        let mut theory = Theory { store, folds };
        for query in rules.iter().filter(|rule| rule.head.is_none()) {
            let goal = goal(&mut theory.store, query, &meanings);
            let text = format!("goal: {}", theory.store.show_readable(goal));
            ctx.emit(Event::Remark(text));
            if !theory.prove(goal, ctx)? {
                return Err(Stop::Stuck("a query was not proved by induction".to_owned()));
            }
        }
        let Theory { mut store, folds } = theory;
        let mut definitions = Vec::with_capacity(meanings.len());
        for (pred, meaning) in horn.pred_ids().zip(&meanings) {
            let params: Vec<TermId> =
                horn.pred_args(pred).iter().map(|&sort| store.fresh_var("x", sort)).collect();
            let body = meaning.formula(&mut store, &params);
            definitions.push(Definition { params, body });
        }
        match prove_with(horn, store, definitions, folds, ctx)? {
            Outcome::Proved(model) => Ok(Verdict::Safe(*model)),
            failed => failed.model(horn).map(Verdict::Safe),
        }
    }
}

/// The meanings of all predicates, and the recursive functions that they need.
fn functions(
    horn: &Horn,
    store: &mut Store,
    rules: &[Rule],
    ctx: &mut Ctx<'_>,
) -> Result<(Vec<Meaning>, Vec<Fold>), Stop> {
    let mut known: Vec<Option<Meaning>> = vec![None; horn.preds.len()];
    let mut functions: Vec<Fold> = Vec::new();
    while known.iter().any(Option::is_none) {
        ctx.tick(1)?;
        let own = |pred: PredId| -> Vec<&Rule> {
            let is_own = |rule: &&Rule| rule.head.as_ref().is_some_and(|(of, _)| *of == pred);
            rules.iter().filter(is_own).collect()
        };
        let is_ready = |pred: &PredId| {
            let own = own(*pred);
            let mut calls = own.iter().flat_map(|rule| &rule.calls);
            known[pred.index()].is_none()
                && calls.all(|(of, _)| of == pred || known[of.index()].is_some())
        };
        let Some(pred) = horn.pred_ids().find(is_ready) else {
            return Err(Stop::Stuck("predicates need one another".to_owned()));
        };
        let level = functions.len() as u32;
        let found = recognise(horn, store, pred, &own(pred), &known, level);
        let Some((mut meaning, fold)) = found else {
            let name = horn.pred_name(pred);
            return Err(Stop::Stuck(format!("the predicate {name} is no function")));
        };
        functions.extend(fold);
        if tells_apart(horn, store, pred, &meaning, &functions) {
            meaning = Meaning::Different;
            functions.truncate(level as usize);
        }
        known[pred.index()] = Some(meaning);
    }
    Ok((known.into_iter().flatten().collect(), functions))
}

/// Whether a relation holds of two samples if and only if they differ.
fn tells_apart(
    horn: &Horn,
    store: &mut Store,
    pred: PredId,
    meaning: &Meaning,
    functions: &[Fold],
) -> bool {
    let &[left, right] = horn.pred_args(pred) else { return false };
    if left != right || !matches!(meaning, Meaning::Call { output: None, .. }) {
        return false;
    }
    let values = samples(store, left, 3);
    let mut evaluator = Evaluator::new(functions);
    for &a in &values {
        for &b in &values {
            let call = meaning.call(store, &[a, b]);
            let expected = store.bool(a != b);
            if evaluator.value(store, call) != Some(expected) {
                return false;
            }
        }
    }
    values.len() > 1
}

/// That the body of a query does not hold, with calls in the place of their outputs.
fn goal(store: &mut Store, query: &Rule, meanings: &[Meaning]) -> TermId {
    let output = |pred: PredId| match &meanings[pred.index()] {
        Meaning::Call { output, .. } => *output,
        Meaning::Different => None,
    };
    // What no call determines is given.
    let mut made: FxHashSet<TermId> = FxHashSet::default();
    for (pred, args) in &query.calls {
        if let Some(at) = output(*pred)
            && matches!(store.op(args[at]), Op::Var(_))
        {
            made.insert(args[at]);
        }
    }
    let mut determined: FxHashSet<TermId> = FxHashSet::default();
    let mut roots: Vec<TermId> = query.guards.clone();
    roots.extend(query.calls.iter().flat_map(|(_, args)| args));
    determined.extend(store.free_vars(&roots).into_iter().filter(|var| !made.contains(var)));
    let (mut values, mut parts) = (Substitution::default(), Vec::new());
    let mut open: Vec<&(PredId, Vec<TermId>)> = query.calls.iter().collect();
    while !open.is_empty() {
        let ready = open.iter().position(|(pred, args)| {
            let inputs: Vec<TermId> = (0..args.len())
                .filter(|&at| Some(at) != output(*pred))
                .map(|at| args[at])
                .collect();
            store.free_vars(&inputs).iter().all(|var| determined.contains(var))
        });
        let (pred, args) = open.remove(ready.unwrap_or(0));
        if ready.is_none() {
            // Calls that need one another: what is missing is given.
            determined.extend(store.free_vars(args));
        }
        let meaning = &meanings[pred.index()];
        let actual = store.substitute_all(args, &values);
        match output(*pred) {
            Some(at) if matches!(store.op(args[at]), Op::Var(_)) && determined.insert(args[at]) => {
                let call = meaning.call(store, &actual);
                values.insert(args[at], call);
            }
            _ => parts.push(meaning.formula(store, &actual)),
        }
    }
    parts.extend(query.guards.iter().copied());
    let parts = store.substitute_all(&parts, &values);
    let body = store.and(&parts);
    store.not(body)
}
