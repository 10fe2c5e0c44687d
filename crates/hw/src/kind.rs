//! k-induction: no violation within k steps of the start, and k good steps are followed by a good one.
//!
//! The base is bounded model checking; the step asks the same of runs that begin anywhere. Where such
//! a run visits a state twice, the two states are made to differ and the question is asked again, so
//! that pairs of steps are compared only where it matters; with all states different the method is
//! complete. States are compared after simulation, because the solver knows only parts of them.
//!
//! Invariant: when the step is asked about `depth` good steps, no violation has `depth` steps or
//! fewer, which is what the certificate's base asks for with simple paths.
//!
//! After Sheeran, Singh, Stålmarck (FMCAD 2000), and Eén, Sörensson, "Temporal Induction by Incremental
//! SAT Solving" (2003).

use crate::bmc::unroll::{Start, Unrolling};
use crate::certify::unproved;
use crate::circuit::Simulation;
use crate::model::{completed, in_cone};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::{Circuit, Verdict};
use std::collections::BTreeMap;

/// The engine.
#[derive(Debug, Default)]
pub struct Kind;

impl Engine<Circuit> for Kind {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        in_cone(circuit, ctx, |circuit, ctx| {
            let mut base = Unrolling::new(circuit, Start::Reset);
            let mut step = Unrolling::new(circuit, Start::Any);
            let mut simple_path = false;
            for depth in 0.. {
                base.step(depth)?;
                if base.is_bad(depth, ctx)? {
                    let (state, inputs) = base.run(depth);
                    return Ok(Verdict::Unsafe(completed(circuit, &state, &inputs)));
                }
                base.exclude(depth);
                ctx.emit(Event::Bound { depth: depth as u64 });
                step.step(depth)?;
                if is_inductive(circuit, &mut step, depth, &mut simple_path, ctx)? {
                    let invariant = Invariant::induction(depth, simple_path);
                    return Ok(Verdict::Safe(unproved(invariant)));
                }
                step.exclude(depth);
            }
            unreachable!("depths do not end")
        })
    }
}

/// Whether `depth` good steps through different states are followed by a good one.
fn is_inductive(
    circuit: &Circuit,
    step: &mut Unrolling<'_>,
    depth: usize,
    simple_path: &mut bool,
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    while step.is_bad(depth, ctx)? {
        let (state, inputs) = step.run(depth);
        let Some((early, late)) = repetition(circuit, &state, &inputs) else { return Ok(false) };
        step.differ(early, late);
        *simple_path = true;
    }
    Ok(true)
}

/// Two steps of a run that begin in the same state.
fn repetition(circuit: &Circuit, state: &[bool], inputs: &[Vec<bool>]) -> Option<(usize, usize)> {
    let mut simulation = Simulation::new(circuit);
    for (index, value) in state.iter().enumerate() {
        simulation.set_latch(index, u64::from(*value));
    }
    let mut seen = BTreeMap::new();
    for (step, values) in inputs.iter().enumerate() {
        let row: Vec<bool> = simulation.latches().iter().map(|word| word & 1 == 1).collect();
        if let Some(early) = seen.insert(row, step) {
            return Some((early, step));
        }
        for (index, value) in values.iter().enumerate() {
            simulation.set_input(index, u64::from(*value));
        }
        simulation.settle();
        simulation.advance();
    }
    None
}
