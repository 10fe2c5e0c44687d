//! Evidence of a front, in the form that is checked.

use crate::certify::{prove_circuit, refute};
use crate::circuit::influence;
use crate::model::completed;
use crate::shorten::{Ternary, TernarySimulation};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{
    Bit, CircuitClaim, Invariant, Lrat, LratStep, Property, Trace,
};
use alphorn_problem::evidence::front::{Front, Monotony, Point};
use alphorn_problem::obligation::circuit::Obligation;
use alphorn_problem::obligation::front::{Excluded, coverage};
use alphorn_problem::parameters::Parametric;

/// A valid valuation with its proof; the clauses hold for good.
pub(super) fn point(
    problem: &Parametric,
    valuation: Vec<bool>,
    clauses: Vec<Vec<Lit>>,
    ctx: &mut Ctx<'_>,
) -> Result<Point, Stop> {
    let claim = CircuitClaim { property: problem.property, invariant: Invariant::Clauses(clauses) };
    let certificate = ctx.apart(|ctx| prove_circuit(&problem.at(&valuation), claim, ctx))?;
    Ok(Point { valuation, certificate })
}

/// A run at a valuation, with an `x` for parameters whose values do not matter: of those that are low, if
/// what lies below is excluded anyway. What a reset reads stays: the start of a run is known.
pub(super) fn opened(
    problem: &Parametric,
    selected: &Circuit,
    valuation: &[bool],
    trace: Trace,
    is_monotone: bool,
) -> Trace {
    // What the property does not depend on has the values that it has at the valuation, too.
    let known = |row: &Vec<Bit>| -> Vec<bool> { row.iter().map(|bit| *bit == Bit::One).collect() };
    let mut state = known(&trace.start);
    for (&latch, &raised) in problem.params.iter().zip(valuation) {
        state[latch] = raised;
    }
    let inputs: Vec<Vec<bool>> = trace.inputs.iter().map(known).collect();
    let mut trace = completed(selected, &state, &inputs);
    let is_read = read_by_resets(selected);
    for (&latch, &raised) in problem.params.iter().zip(valuation) {
        if raised && is_monotone || is_read[selected.latch(latch).var() as usize] {
            continue;
        }
        let before = std::mem::replace(&mut trace.start[latch], Bit::X);
        if !is_violation(selected, &trace) {
            trace.start[latch] = before;
        }
    }
    trace.property = Property::Bad(problem.property);
    trace
}

/// Marks the variables that the resets of other latches depend on.
fn read_by_resets(circuit: &Circuit) -> Vec<bool> {
    let has_reset = |index: &usize| !circuit.is_uninitialised(*index);
    let resets = (0..circuit.latches.len()).filter(has_reset);
    let resets = resets.map(|index| circuit.latches[index].reset);
    influence(circuit, resets, |index| [Some(circuit.latches[index].reset), None])
}

/// Whether a run violates the first property whatever the unknown values are.
fn is_violation(circuit: &Circuit, trace: &Trace) -> bool {
    let mut simulation = TernarySimulation::new(circuit, trace);
    let mut last = Ternary::Unknown;
    while simulation.advance() {
        let holds = |constraint: &Lit| simulation.value(*constraint) == Ternary::One;
        if !circuit.constraints.iter().all(holds) {
            return false;
        }
        last = simulation.value(circuit.safety()[0]);
    }
    last == Ternary::One
}

/// The whole front, with the runs that it needs.
pub(super) fn front(
    problem: &Parametric,
    points: Vec<Point>,
    failed: Vec<Trace>,
    monotony: Monotony,
    ctx: &mut Ctx<'_>,
) -> Result<Front, Stop> {
    let is_monotone = monotony != Monotony::Unused;
    let prices: Vec<Vec<u64>> =
        points.iter().map(|point| problem.price(&point.valuation)).collect();
    let mut prove = |failed: &[Trace]| {
        let excluded = failed.iter().map(|trace| Excluded::by(problem, trace, is_monotone));
        let excluded: Vec<Excluded> = excluded.collect();
        let cnf = coverage(problem, &excluded, &prices).map_err(Stop::Unsupported)?;
        refute(&Obligation { name: "coverage".into(), cnf }, 0, ctx)
    };
    let needed = needed(&prove(&failed)?, failed.len());
    let kept = failed.into_iter().zip(needed).filter(|(_, needed)| *needed);
    let failed: Vec<Trace> = kept.map(|(trace, _)| trace).collect();
    let coverage = Some(prove(&failed)?);
    // Without runs, monotony is not needed.
    let monotony = if failed.is_empty() { Monotony::Unused } else { monotony };
    Ok(Front { points, failed, monotony, coverage })
}

/// Which of the first `count` clauses a proof uses.
fn needed(proof: &Lrat, count: usize) -> Vec<bool> {
    let mut needed = vec![false; count];
    for step in &proof.steps {
        let LratStep::Add { hints, .. } = step else { continue };
        for hint in hints {
            if let Some(is_needed) = needed.get_mut(hint.unsigned_abs() as usize - 1) {
                *is_needed = true;
            }
        }
    }
    needed
}
