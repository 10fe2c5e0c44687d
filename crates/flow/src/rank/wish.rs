//! Invariants on demand: halfspaces that would give a component a rank.
//!
//! When there is no level, the linear program is solved with wishes: at each transition an affine form over
//! the variables before the step, which is taken to be not negative whenever the transition is taken. The
//! cheapest wishes are put to engines for Horn systems. A model joins the invariants. A derivation
//! is a run, and at each of its states the wishes of the transition that is taken there are not negative:
//! so the next wishes will be others. A conditional rank after Cook et al., "Proving conditional termination"
//! (CAV 2008); the search for what is true enough to be worth proving after Larraz et al., "Proving
//! termination of imperative programs using Max-SMT" (FMCAD 2013), with samples in the place of soft clauses.

mod program;

use super::level::{Coefficients, affine_term};
use super::lp::Unknown;
use super::steps::{Outcome, Steps};
use crate::ask::ask_horn;
use crate::horn::as_horn;
use crate::rank::seed::moved;
use crate::settings::{RANK_MAX_WISHES, RANK_WISH_TICKS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::transform::conjuncts;
use alphorn_problem::evidence::horn::{Derivation, HornClaim};
use alphorn_problem::flow::LocId;
use alphorn_problem::horn::{Clause, Head, Horn, PredId};
use alphorn_problem::lemma::FlowLemma;
use alphorn_problem::{Finding, Flow};
use alphorn_term::{Int, Op, Rat, SortId, TermId, Value};
use program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// States in which transitions were taken, by transition.
pub(super) type Samples = BTreeMap<usize, Vec<Vec<Rat>>>;

/// What is wished for: that a form is not negative when a transition is taken.
#[derive(Clone, Debug, PartialEq)]
struct Wish {
    transition: usize,
    form: TermId,
}

/// An affine form with unknown coefficients and what it costs.
struct Form {
    /// For each variable and the constant, the parts above and below zero; nothing if it is not wished for.
    parts: Vec<[Unknown; 2]>,
}

/// What is wished for: forms by which functions decrease, by which one is not negative, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Decrease,
    Bound,
    Both,
}

/// Finds invariants by which a component may get a rank; whether there is something new.
pub(super) fn fulfil(
    steps: &mut Steps<'_>,
    edges: &[usize],
    samples: &mut Samples,
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    steps.split(Vec::new());
    for mode in [Mode::Decrease, Mode::Bound, Mode::Both] {
        let mut tried: Vec<Vec<Wish>> = Vec::new();
        for _ in 0..RANK_MAX_WISHES.get() {
            let Some(wishes) = cheapest(steps, edges, mode, samples, ctx)? else { break };
            if wishes.is_empty() || tried.contains(&wishes) {
                break;
            }
            let (horn, asked) = question(steps, &wishes);
            match ask_horn(&horn, RANK_WISH_TICKS.get() / 3, ctx)? {
                Some(Finding::Holds(claim)) => {
                    if join(steps, claim, ctx) {
                        return Ok(true);
                    }
                    break;
                }
                Some(Finding::Fails(derivation)) => {
                    if !learn(steps.flow, &asked, &derivation, samples) {
                        break;
                    }
                }
                // Nobody knows; wishes that cost more may be easier, but they are not looked for.
                None => return Ok(false),
            }
            tried.push(wishes);
        }
    }
    Ok(false)
}

/// The flow as clauses, with a query for each wish, and the transitions that the queries are about.
fn question(steps: &Steps<'_>, wishes: &[Wish]) -> (Horn, Vec<usize>) {
    let flow = steps.flow;
    let mut horn = as_horn(flow);
    let mut asked = Vec::new();
    for wish in wishes {
        let step = &flow.transitions[wish.transition];
        let Some(form) = copied(steps, wish.form, &mut horn) else { continue };
        let zero = horn.terms.number(horn.terms.sort(form), &Int::ZERO);
        let fails = horn.terms.lt(form, zero);
        let func = horn.pred(PredId(step.from.0)).func;
        let from = horn.terms.mk(Op::Apply(func), &flow.vars);
        let body = horn.terms.and(&[from, step.formula, fails]);
        let vars = [&flow.vars[..], &flow.next, &step.inputs].concat();
        horn.clauses.push(Clause { vars, body, head: Head::False, name: None, span: step.span });
        asked.push(wish.transition);
    }
    (horn, asked)
}

fn copied(steps: &Steps<'_>, form: TermId, horn: &mut Horn) -> Option<TermId> {
    moved(&steps.store, form, &mut horn.terms, &steps.flow.vars)
}

/// Adds what a model says of the locations to the invariants, and tells the other engines; whether it is
/// something new.
pub(super) fn join(steps: &mut Steps<'_>, claim: HornClaim, ctx: &mut Ctx<'_>) -> bool {
    let (flow, mut store) = (steps.flow, claim.terms);
    let mut is_new = false;
    for (at, definition) in claim.preds.into_iter().enumerate().take(flow.locations.len()) {
        let map = definition.params.iter().copied().zip(flow.vars.iter().copied()).collect();
        let fact = store.substitute(definition.body, &map);
        for part in conjuncts(&store, fact) {
            let pred = PredId(at as u32);
            let Some(lemma) = FlowLemma::new(&store, pred, &flow.vars, part) else { continue };
            let Some(part) = lemma.read(&mut steps.store, &flow.vars) else { continue };
            if !steps.invariants[at].contains(&part) && part != TermId::TRUE {
                is_new = true;
                steps.strengthen(LocId(at as u32), part);
                ctx.publish::<Flow>(lemma);
            }
        }
    }
    is_new
}

/// Takes the states of a derivation as samples; whether there are any. Clauses are the starts, the
/// transitions, and queries about some.
fn learn(flow: &Flow, asked: &[usize], derivation: &Derivation, samples: &mut Samples) -> bool {
    let mut is_new = false;
    for step in &derivation.steps {
        let Some(number) = step.clause.index().checked_sub(flow.starts.len()) else { continue };
        let transition = match number.checked_sub(flow.transitions.len()) {
            None => number,
            Some(query) => match asked.get(query) {
                Some(&transition) => transition,
                None => continue,
            },
        };
        let Some(values) = step.values.get(..flow.vars.len()) else { continue };
        let state: Vec<Rat> = values.iter().map(number_of).collect();
        let known = samples.entry(transition).or_default();
        if !known.contains(&state) {
            known.push(state);
            is_new = true;
        }
    }
    is_new
}

/// A value as a number: truth values are 0 and 1, and what is neither is never looked at.
fn number_of(value: &Value) -> Rat {
    match value {
        Value::Int(value) => Rat::from(value.clone()),
        Value::Real(value) => value.clone(),
        Value::Bool(true) => Rat::ONE,
        _ => Rat::ZERO,
    }
}

/// The cheapest wishes, over all transitions that might be removed.
fn cheapest(
    steps: &mut Steps<'_>,
    edges: &[usize],
    mode: Mode,
    samples: &Samples,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Wish>>, Stop> {
    let mut best: Option<(Rat, Vec<Wish>)> = None;
    for &removed in edges {
        let limit = best.as_ref().map(|(cost, _)| cost.clone());
        let program = Program::new(steps, edges, removed, mode);
        let found = wishes_for(steps, edges, removed, program, samples, limit.as_ref(), ctx)?;
        let Some(found) = found else { continue };
        if best.as_ref().is_none_or(|(cost, _)| found.0 < *cost) {
            best = Some(found);
        }
    }
    Ok(best.map(|(_, wishes)| wishes))
}

/// The wishes by which a transition can be removed, and what they cost: less than the limit.
fn wishes_for(
    steps: &mut Steps<'_>,
    edges: &[usize],
    removed: usize,
    mut program: Program,
    samples: &Samples,
    limit: Option<&Rat>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<(Rat, Vec<Wish>)>, Stop> {
    program.obey(samples);
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    loop {
        program.grow(steps, removed);
        if !program.lp.minimize(&program.cost.clone(), ctx)? {
            return Ok(None);
        }
        let cost = program.lp.value(&program.cost);
        if limit.is_some_and(|limit| cost >= *limit) {
            return Ok(None);
        }
        let forms: Vec<(usize, Vec<Rat>)> =
            program.forms.iter().map(|(edge, form)| (*edge, program.coefficients(form))).collect();
        let function: Coefficients =
            program.function.iter().map(|(&at, all)| (at, program.lp.values(all))).collect();
        let level = super::level::level_of(steps, &[function], vec![removed]);
        let mut wishes = Vec::new();
        for (transition, coefficients) in forms {
            if coefficients.iter().all(Rat::is_zero) {
                continue;
            }
            let scale = coefficients.iter().fold(Int::ONE, |all, one| all.lcm(&one.denominator()));
            let scaled: Vec<Rat> =
                coefficients.iter().map(|value| value * &Rat::from(&scale)).collect();
            let mut of_real = scaled.iter().zip(&steps.flow.vars);
            let is_real = of_real
                .any(|(value, &var)| !value.is_zero() && steps.store.sort(var) == SortId::REAL);
            let sort = if is_real { SortId::REAL } else { SortId::INT };
            let form = affine_term(&mut steps.store, &steps.flow.vars, &scaled, sort);
            wishes.push(Wish { transition, form });
        }
        // The wishes must do what they are for.
        let mut is_done = true;
        for &edge in edges {
            let mut parts = vec![super::level::violation(steps, &level, edge)];
            for wish in wishes.iter().filter(|wish| wish.transition == edge) {
                let zero = steps.store.number(steps.store.sort(wish.form), &Int::ZERO);
                parts.push(steps.store.ge(wish.form, zero));
            }
            let wrong = steps.store.and(&parts);
            match steps.refute(edge, wrong, ctx)? {
                Outcome::Holds => {}
                Outcome::Refuted => is_done = false,
                Outcome::Unknown if seen.insert(edge) => is_done = false,
                Outcome::Unknown => return Ok(None),
            }
        }
        if is_done {
            return Ok(Some((cost, wishes)));
        }
    }
}
