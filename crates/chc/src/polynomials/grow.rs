//! The strongest equations that all clauses keep, from below.
//!
//! Each predicate has points, and the equations that they have in common (`points`). A clause whose body may be true as far as the
//! equations of its atoms say, and whose head then breaks its own, gives a point more: so many equations less. There are no
//! more points than coordinates that are independent, so this ends, and facts that were derived before save most of
//! the questions. What the solver cannot tell is left to whoever uses the equations.
//!
//! After Reps, Sagiv, Yorsh, "Symbolic implementation of the best transformer" (VMCAI 2004).

use super::points::Coordinates;
use super::{equation, is_curved};
use crate::forward::as_rational;
use crate::settings::{
    POLYNOMIALS_CONFLICTS, POLYNOMIALS_CUBIC, POLYNOMIALS_MAX_MODELS, POLYNOMIALS_QUESTION_TICKS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::transform::System;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::{Answer, Linear, Options, Smt};
use alphorn_term::{Model, Rat, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeSet;

/// What is known of a predicate.
pub(super) struct Known {
    pub(super) params: Vec<TermId>,
    /// Its numbers, and remainders of them, as terms over the parameters; none where there are too many.
    pub(super) numbers: Vec<TermId>,
    /// What is known in each phase.
    pub(super) phases: Vec<Phase>,
    /// What holds of all of its facts anyhow.
    pub(super) facts: Vec<TermId>,
    /// How many factors products have at most.
    pub(super) degree: usize,
}

/// What is known of a predicate where a condition holds.
pub(super) struct Phase {
    pub(super) condition: TermId,
    /// Values of the numbers.
    pub(super) points: Vec<Vec<Rat>>,
    /// Equations that the points have in common.
    pub(super) equations: Vec<TermId>,
}

impl Phase {
    pub(super) fn new(condition: TermId) -> Phase {
        Phase { condition, points: Vec::new(), equations: Vec::new() }
    }
}

impl Known {
    /// Finds the equations that the points of each phase have in common.
    pub(super) fn look(&mut self, store: &mut Store) {
        for phase in 0..self.phases.len() {
            self.look_at(store, phase);
        }
    }

    /// Finds the equations that the points of a phase have in common.
    fn look_at(&mut self, store: &mut Store, phase: usize) {
        if self.numbers.is_empty() {
            return;
        }
        let phase = &mut self.phases[phase];
        if phase.points.is_empty() {
            phase.equations = vec![TermId::FALSE];
            return;
        }
        let mut terms = self.numbers.clone();
        let flat = Coordinates::new(terms.len(), 1).vanishing(store, &terms, &phase.points);
        // What is a sum of others needs no products of its own.
        let last = |polynomial: &Linear| polynomial.terms.iter().map(|(atom, _)| *atom).max();
        let sums: BTreeSet<TermId> = flat.iter().filter_map(last).collect();
        let rest: Vec<usize> = (0..terms.len()).filter(|&at| !sums.contains(&terms[at])).collect();
        terms = rest.iter().map(|&at| terms[at]).collect();
        let pick = |point: &Vec<Rat>| rest.iter().map(|&at| point[at].clone()).collect();
        let points: Vec<Vec<Rat>> = phase.points.iter().map(pick).collect();
        let most = if terms.len() <= POLYNOMIALS_CUBIC.size() { 3 } else { 2 };
        let mut found = Vec::new();
        for degree in 2..=most.min(self.degree) {
            // Of equations their multiples are more.
            if found.is_empty() {
                found = Coordinates::new(terms.len(), degree).vanishing(store, &terms, &points);
            }
        }
        found.extend(flat);
        phase.equations = found.iter().map(|polynomial| equation(store, polynomial)).collect();
    }

    /// The point of a fact with these values, and its phase; none if something has no value.
    pub(super) fn point(&self, store: &Store, values: &[Value]) -> Option<(usize, Vec<Rat>)> {
        let mut model = Model::new();
        self.params.iter().zip(values).for_each(|(&param, value)| model.set(param, value.clone()));
        let holds = |phase: &Phase| eval(store, phase.condition, &model) == Ok(Value::Bool(true));
        let phase = self.phases.iter().position(holds)?;
        let number = |&term: &TermId| as_rational(&eval(store, term, &model).ok()?);
        Some((phase, self.numbers.iter().map(number).collect::<Option<_>>()?))
    }

    /// Adds a point to a phase; whether it is new.
    fn add(&mut self, store: &mut Store, (phase, point): (usize, Vec<Rat>)) -> bool {
        let points = &mut self.phases[phase].points;
        let is_new = !points.contains(&point);
        if is_new {
            points.push(point);
            self.look_at(store, phase);
        }
        is_new
    }

    /// What is guessed: the equations of each phase, and what holds anyhow.
    pub(super) fn guesses(&self, store: &mut Store) -> Vec<TermId> {
        let mut all = self.facts.clone();
        for phase in &self.phases {
            let not = store.not(phase.condition);
            all.extend(phase.equations.iter().map(|&equation| store.or(&[not, equation])));
        }
        all
    }

    /// What is guessed, for arguments.
    fn instance(&self, store: &mut Store, args: &[TermId]) -> TermId {
        let map: Substitution = self.params.iter().copied().zip(args.iter().copied()).collect();
        let guesses = self.guesses(store);
        let whole = store.and(&guesses);
        store.substitute(whole, &map)
    }
}

/// Adds points until clauses keep the equations, as far as the solver can tell.
pub(super) fn grow(
    system: &System,
    store: &mut Store,
    known: &mut [Known],
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let heads = |clause: &Clause| match &clause.head {
        Head::Atom(pred, args) => Some((*pred, args.clone())),
        Head::False => None,
    };
    let mut todo: BTreeSet<usize> = (0..system.clauses.len()).collect();
    let mut models = 0;
    while let Some(at) = todo.pop_first() {
        let clause = &system.clauses[at];
        let Some((pred, args)) = heads(clause) else { continue };
        if known[pred.index()].numbers.is_empty() {
            continue;
        }
        while models < POLYNOMIALS_MAX_MODELS.size() {
            ctx.tick(1)?;
            let Some(point) = broken(system, store, known, clause, (pred, &args), ctx)? else {
                break;
            };
            models += 1;
            // A model that does not break anything, as it is a model of something weaker, says nothing.
            if !known[pred.index()].add(store, point) {
                break;
            }
            let uses =
                |at: &usize| system.body_preds(store, system.clauses[*at].body).contains(&pred);
            todo.extend((0..system.clauses.len()).filter(uses));
        }
    }
    Ok(())
}

/// The numbers of a head that breaks its equations where the body may be true, with their phase, if the solver finds
/// some.
fn broken(
    system: &System,
    store: &mut Store,
    known: &[Known],
    clause: &Clause,
    (pred, args): (PredId, &[TermId]),
    ctx: &mut Ctx<'_>,
) -> Result<Option<(usize, Vec<Rat>)>, Stop> {
    let kept = known[pred.index()].instance(store, args);
    let breaks = store.not(kept);
    let body = system.map_atoms(store, clause.body, |store, pred, atom| {
        let args = store.args(atom).to_vec();
        known[pred.index()].instance(store, &args)
    });
    if body == TermId::FALSE || breaks == TermId::FALSE {
        return Ok(None);
    }
    let mut smt = Smt::new(Options::default());
    smt.assert(store, body);
    smt.assert(store, breaks);
    let (most, ticks) = (POLYNOMIALS_CONFLICTS.get(), POLYNOMIALS_QUESTION_TICKS.get());
    match ctx.within(ticks, |ctx| ask_within(&mut smt, store, &[], most, ctx)) {
        Ok(Answer::Sat) => {}
        Ok(_) => return Ok(None),
        // Products may take any time; whether all of it is over is found out by asking for more.
        Err(Stop::Budget(_)) => return ctx.tick(1).map(|()| None),
        Err(stop) => return Err(stop),
    }
    let found = smt.model(store);
    let mut model = Model::new();
    for &var in &clause.vars {
        let value = found.vars.get(&var).cloned();
        let value = value.or_else(|| Value::default_of(store, store.sort(var)));
        value.into_iter().for_each(|value| model.set(var, value));
    }
    let values = args.iter().map(|&arg| eval(store, arg, &model).ok());
    let Some(values) = values.collect::<Option<Vec<Value>>>() else { return Ok(None) };
    Ok(known[pred.index()].point(store, &values))
}

/// Whether some equations are of products.
pub(super) fn are_curved(store: &Store, known: &[Known]) -> bool {
    let mut phases = known.iter().flat_map(|known| &known.phases);
    phases.any(|phase| phase.equations.iter().any(|&equation| is_curved(store, equation)))
}
