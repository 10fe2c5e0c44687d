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
    /// The positions of its numbers; none where there are too many.
    pub(super) numbers: Vec<usize>,
    /// Values of the numbers.
    pub(super) points: Vec<Vec<Rat>>,
    /// Equations that the points have in common.
    pub(super) equations: Vec<TermId>,
}

impl Known {
    /// Finds the equations that the points have in common.
    pub(super) fn look(&mut self, store: &mut Store) {
        if self.numbers.is_empty() {
            return;
        }
        if self.points.is_empty() {
            self.equations = vec![TermId::FALSE];
            return;
        }
        let mut terms: Vec<TermId> = self.numbers.iter().map(|&at| self.params[at]).collect();
        let flat = Coordinates::new(terms.len(), 1).vanishing(store, &terms, &self.points);
        // What is a sum of others needs no products of its own.
        let last = |polynomial: &Linear| polynomial.terms.iter().map(|(atom, _)| *atom).max();
        let sums: BTreeSet<TermId> = flat.iter().filter_map(last).collect();
        let rest: Vec<usize> = (0..terms.len()).filter(|&at| !sums.contains(&terms[at])).collect();
        terms = rest.iter().map(|&at| terms[at]).collect();
        let pick = |point: &Vec<Rat>| rest.iter().map(|&at| point[at].clone()).collect();
        let points: Vec<Vec<Rat>> = self.points.iter().map(pick).collect();
        let degrees = if terms.len() <= POLYNOMIALS_CUBIC.size() { 2..=3 } else { 2..=2 };
        let mut found = Vec::new();
        for degree in degrees {
            // Of equations their multiples are more.
            if found.is_empty() {
                found = Coordinates::new(terms.len(), degree).vanishing(store, &terms, &points);
            }
        }
        found.extend(flat);
        self.equations = found.iter().map(|polynomial| equation(store, polynomial)).collect();
    }

    /// The equations for arguments.
    fn instance(&self, store: &mut Store, args: &[TermId]) -> TermId {
        let map: Substitution = self.params.iter().copied().zip(args.iter().copied()).collect();
        let whole = store.and(&self.equations);
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
            let known = &mut known[pred.index()];
            known.points.push(point);
            known.look(store);
            let uses =
                |at: &usize| system.body_preds(store, system.clauses[*at].body).contains(&pred);
            todo.extend((0..system.clauses.len()).filter(uses));
        }
    }
    Ok(())
}

/// The numbers of a head that breaks its equations where the body may be true, if the solver finds some.
fn broken(
    system: &System,
    store: &mut Store,
    known: &[Known],
    clause: &Clause,
    (pred, args): (PredId, &[TermId]),
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Rat>>, Stop> {
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
    let number = |&at: &usize| as_rational(&eval(store, args[at], &model).ok()?);
    let numbers = &known[pred.index()].numbers;
    let point: Option<Vec<Rat>> = numbers.iter().map(number).collect();
    // A model that does not break anything, as it is a model of something weaker, says nothing.
    Ok(point.filter(|point| !known[pred.index()].points.contains(point)))
}

/// Whether some equations are of products.
pub(super) fn are_curved(store: &Store, known: &[Known]) -> bool {
    known.iter().flat_map(|known| &known.equations).any(|&guess| is_curved(store, guess))
}
