//! Predicates that are functions, and queries that are theorems about them.
//!
//! Clauses made of functional programs define functions by recursion on lists, numbers and trees
//! (`meanings`). With these functions as the meaning of the predicates, the clauses hold by unfolding,
//! and what is left is to prove that a query's body never holds: a theorem, by induction, with laws that
//! are found on the way. The functions and laws are part of the model (`evidence::fold`).
//!
//! This proves what no abstraction into numbers can: that appending is associative, that reversing twice
//! changes nothing.
//!
//! - `clause`: clauses with their equations solved
//! - `meanings`, `recognize`, `branches`, `guesses`: predicates as functions
//! - `counters`: numbers that are counted down, as lengths
//! - `wishes`, `sums`: what queries ask of predicates that are no functions
//! - `evaluate`: values of terms, and samples
//! - `prove`: induction; `generalize`, `explore`: laws to try

mod branches;
mod clause;
mod counters;
mod evaluate;
mod explore;
mod generalize;
mod guesses;
mod meanings;
mod prove;
mod recognize;
mod sums;
mod wishes;

use crate::fold::speaks_of_data;
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::fold::Folds;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::horn::PredId;
use alphorn_problem::{Finding, Horn};
use alphorn_term::{Op, Store, Substitution, TermId};
use clause::{Rule, rule};
use meanings::{bad, meanings};
use prove::Theory;
use recognize::Meaning;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use wishes::Wish;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "induction",
    about: "reads predicates as recursive functions, and proves queries impossible by induction [CJRS13]",
    proves: true,
    refutes: false,
    build: || Box::new(Induction),
};

struct Induction;

impl Engine<Horn> for Induction {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        if !speaks_of_data(horn) {
            return Err(Stop::Unsupported("there are no datatypes".to_owned()));
        }
        let mut store = horn.terms.clone();
        let mut rules = Vec::new();
        for clause in &horn.clauses {
            rules.extend(rule(horn, clause, &mut store).map_err(Stop::Unsupported)?);
        }
        let mut theory = Theory { store, folds: Folds::default(), failed: BTreeSet::new() };
        let mut meanings = meanings(horn, &mut theory, &rules, ctx)?;
        let count = theory.folds.functions.len();
        ctx.emit(Event::Remark(format!("{count} recursive functions")));
        let bad = bad(horn, &rules);
        let is_query = |rule: &&Rule| rule.head.as_ref().is_none_or(|(pred, _)| bad.contains(pred));
        for query in rules.iter().filter(is_query) {
            let goal = goal(&mut theory.store, query, |pred| &meanings[pred.index()]);
            let Some(goal) = goal else {
                return Err(Stop::Stuck("a number that is counted is no length".to_owned()));
            };
            let text = format!("goal: {}", theory.store.show_readable(goal));
            ctx.emit(Event::Remark(text));
            if theory.is_wrong(goal, ctx)? {
                let wish = Wish::of(&mut theory.store, horn, query, &meanings);
                let is_granted = match &wish {
                    Some(wish) => theory.grant(horn, &rules, wish, &mut meanings, ctx)?,
                    None => false,
                };
                if is_granted {
                    continue;
                }
                return Err(Stop::Stuck("samples refute what a query was read as".to_owned()));
            }
            if !theory.prove(goal, ctx)? {
                return Err(Stop::Stuck("a query was not proved by induction".to_owned()));
            }
        }
        let Theory { mut store, folds, .. } = theory;
        let needed = needed(&rules, &meanings, is_query);
        let mut definitions = Vec::with_capacity(meanings.len());
        for (pred, meaning) in horn.pred_ids().zip(&meanings) {
            let params: Vec<TermId> =
                horn.pred_args(pred).iter().map(|&sort| store.fresh_var("x", sort)).collect();
            // A predicate that no goal is about may hold of everything, and its clauses hold whatever it computes.
            let body = match needed.contains(&pred) || bad.contains(&pred) {
                true => meaning.formula(&mut store, &params),
                false => None,
            };
            let body = body.unwrap_or(TermId::TRUE);
            definitions.push(Definition { params, body });
        }
        Ok(Finding::Holds(HornClaim { folds, ..HornClaim::of(store, definitions) }))
    }
}

/// The predicates whose meanings the goals need: those of queries, and those that these call to compute.
fn needed(
    rules: &[Rule],
    meanings: &[Meaning],
    is_query: impl Fn(&&Rule) -> bool,
) -> BTreeSet<PredId> {
    let queries = rules.iter().filter(is_query).flat_map(|rule| &rule.calls);
    let mut open: Vec<PredId> = queries.map(|(pred, _)| *pred).collect();
    let mut found = BTreeSet::new();
    while let Some(pred) = open.pop() {
        if meanings[pred.index()].is_true() || !found.insert(pred) {
            continue;
        }
        let own = |rule: &&Rule| rule.head.as_ref().is_some_and(|(of, _)| *of == pred);
        let calls = rules.iter().filter(own).flat_map(|rule| &rule.calls);
        open.extend(calls.map(|(pred, _)| *pred));
    }
    found
}

/// That the body of a query does not hold, with calls in the place of their outputs; nothing if a call is about what it
/// has no meaning for.
fn goal<'m>(
    store: &mut Store,
    query: &Rule,
    meaning: impl Fn(PredId) -> &'m Meaning,
) -> Option<TermId> {
    let output = |pred: PredId| meaning(pred).output();
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
        let meaning = meaning(*pred);
        let actual = store.substitute_all(args, &values);
        let call = meaning.call(store, &actual)?;
        match output(*pred) {
            Some(at) if matches!(store.op(args[at]), Op::Var(_)) && determined.insert(args[at]) => {
                values.insert(args[at], call);
            }
            Some(at) => parts.push(store.eq(actual[at], call)),
            None => parts.push(call),
        }
    }
    parts.extend(query.guards.iter().copied());
    let parts = store.substitute_all(&parts, &values);
    let body = store.and(&parts);
    Some(store.not(body))
}
