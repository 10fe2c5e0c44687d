//! k-induction: no violation within k steps of the start, and k good steps are followed by a good one.
//!
//! The base is bounded model checking; the step asks the same of runs that begin anywhere. Where such
//! a run visits a state twice, the two states are made to differ and the question is asked again, so
//! that pairs of steps are compared only where it matters; with all states different the method is
//! complete. What other engines have proved is assumed in every step, after a trial of whether it is
//! inductive (`lemmas`): it excludes states that no run reaches. States are compared after simulation, because the solver knows only parts of them.
//!
//! Invariant: when the step is asked about `depth` good steps, no violation has `depth` steps or
//! fewer, which is what the certificate's base asks for with simple paths.
//!
//! After Sheeran, Singh, Stålmarck (FMCAD 2000), and Eén, Sörensson, "Temporal Induction by Incremental
//! SAT Solving" (2003).

use crate::bmc::unroll::{Start, Unrolling};
use crate::circuit::Simulation;
use crate::lemmas::Lemmas;
use crate::model::{completed, in_named_cone};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::{Circuit, Finding};
use std::collections::BTreeMap;

/// k-induction with simple paths on demand.
#[derive(Debug, Default)]
pub struct Kind;

impl Engine<Circuit> for Kind {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        in_named_cone(circuit, ctx, |circuit, names, ctx| {
            let mut lemmas = Lemmas::new(circuit, names);
            let mut base = Unrolling::new(circuit, Start::Reset);
            let mut induction = Induction::new(circuit);
            for depth in 0.. {
                let news = lemmas.take_news(ctx)?;
                base.learn(news);
                induction.step.learn(news);
                base.step(depth)?;
                if base.is_bad(depth, ctx)? {
                    let (state, inputs) = base.run(depth);
                    return Ok(Finding::Fails(completed(circuit, &state, &inputs)));
                }
                base.exclude(depth);
                ctx.emit(Event::Bound { depth: depth as u64 });
                if let Some(invariant) = induction.try_depth(depth, &lemmas, ctx)? {
                    return Ok(Finding::Holds(CircuitClaim::of(invariant)));
                }
            }
            unreachable!("depths do not end")
        })
    }
}

/// An induction for a circuit of which it is known that no run is bad, so that only its step is asked;
/// what is told about bounds goes on from `bound`.
pub(crate) fn induction(
    circuit: &Circuit,
    lemmas: &Lemmas<'_>,
    bound: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Invariant, Stop> {
    let mut induction = Induction::new(circuit);
    induction.step.learn(lemmas.kept());
    for depth in 0.. {
        ctx.emit(Event::Bound { depth: (bound + depth) as u64 });
        if let Some(invariant) = induction.try_depth(depth, lemmas, ctx)? {
            return Ok(invariant);
        }
    }
    unreachable!("depths do not end")
}

/// The step of an induction, tried for more and more good steps.
struct Induction<'a> {
    circuit: &'a Circuit,
    step: Unrolling<'a>,
    /// Whether some states were made to differ.
    simple_path: bool,
}

impl<'a> Induction<'a> {
    fn new(circuit: &'a Circuit) -> Induction<'a> {
        Induction { circuit, step: Unrolling::new(circuit, Start::Any), simple_path: false }
    }

    /// The induction over `depth` good steps, if these, through different states in which the lemmas
    /// hold, are followed by a good one. Depths are tried in order.
    fn try_depth(
        &mut self,
        depth: usize,
        lemmas: &Lemmas<'_>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Invariant>, Stop> {
        self.step.step(depth)?;
        while self.step.is_bad(depth, ctx)? {
            let (state, inputs) = self.step.run(depth);
            let Some((early, late)) = repetition(self.circuit, &state, &inputs) else {
                self.step.exclude(depth);
                return Ok(None);
            };
            self.step.differ(early, late);
            self.simple_path = true;
        }
        // Some transforms can carry back an induction only if it has no lemmas.
        let lemmas = if self.step.needs_lemmas() { lemmas.kept().to_vec() } else { Vec::new() };
        Ok(Some(Invariant::KInductive { k: depth, simple_path: self.simple_path, lemmas }))
    }
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
