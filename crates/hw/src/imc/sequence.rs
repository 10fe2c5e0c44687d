//! Interpolation sequences: one refutation of a bounded run, cut at every step.
//!
//! Each length has one question, whether a run of so many steps ends badly. If there is none, its
//! refutation is cut after every step, and the interpolants are a sequence of sets: each one contains the
//! successors of the one before, and the last excludes bad states. The set of a level is the intersection
//! of what all lengths said of it; it holds the states reachable in exactly so many steps, and is assumed
//! at its step from then on, so that the next refutation says only what must be added. When the set of
//! a level lies within the union of those before it, that union is an invariant.
//!
//! Invariant: the set of level 0 are the reset states; for all levels, the successors of a set lie in the
//! next one; no set contains a bad state.
//!
//! After Vizel, Grumberg, "Interpolation-Sequence Based Model Checking" (FMCAD 2009). That sets are assumed
//! at their steps is from Avy (Vizel, Gurfinkel, CAV 2014).

use crate::circuit::resets::{graph, reset_states, resets_read_inputs};
use crate::interpolation::first::{first_step, untied};
use crate::interpolation::proofs::Quest;
use crate::interpolation::sets::{Excluded, simplify, to_circuit};
use crate::interpolation::steps::{Cutting, Steps};
use crate::model::{completed, in_cone};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::{Circuit, Finding};
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge, Polarity};

/// Interpolation by sequences, one refutation for each length.
#[derive(Debug, Default)]
pub struct Sequences;

impl Engine<Circuit> for Sequences {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        in_cone(circuit, ctx, |circuit, ctx| match first_step(circuit, ctx)? {
            Some(finding) => Ok(finding),
            None => Run::new(circuit)?.run(ctx),
        })
    }
}

/// The state of a run.
struct Run<'a> {
    circuit: &'a Circuit,
    steps: Steps<'a>,
    sets: Aig,
    /// The set of each level.
    levels: Vec<Edge>,
}

impl<'a> Run<'a> {
    fn new(circuit: &'a Circuit) -> Result<Run<'a>, Stop> {
        let mut sets = graph(circuit);
        let levels = vec![reset_states(circuit, &mut sets)?];
        let mut run = Run { circuit, steps: Steps::new(circuit, Cutting::All), sets, levels };
        run.add_step(0);
        Ok(run)
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        for length in 1.. {
            self.add_step(length);
            self.levels.push(Edge::TRUE);
            let bad = self.steps.edge(self.circuit.safety()[0], length);
            if bad == Edge::FALSE {
                return Ok(self.safe(Edge::TRUE));
            }
            if let Some(run) = self.exclude(length, bad, ctx)? {
                return Ok(run);
            }
            ctx.emit(Event::Bound { depth: length as u64 });
            if let Some(union) = self.closed(ctx)? {
                return Ok(self.safe(union));
            }
        }
        unreachable!("lengths do not end")
    }

    /// Adds a step, with its constraints.
    fn add_step(&mut self, step: usize) {
        self.steps.extend();
        for constraint in &self.circuit.constraints {
            let edge = self.steps.edge(*constraint, step);
            self.steps.assert(edge, step);
        }
    }

    /// Lets the sets exclude runs of a length that end badly; returns one if there is one.
    fn exclude(
        &mut self,
        length: usize,
        bad: Edge,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Finding<Circuit>>, Stop> {
        let ends: Vec<Lit> = match bad {
            Edge::TRUE => Vec::new(),
            bad => vec![self.steps.literal(bad, Polarity::Positive, length)],
        };
        let mut begins = vec![self.steps.start()];
        if self.steps.ask(&[&begins[..], &ends].concat(), ctx)? {
            let (state, inputs) = self.steps.run();
            return Ok(Some(Finding::Fails(completed(self.circuit, &state, &inputs))));
        }
        if resets_read_inputs(self.circuit) {
            begins = untied(&mut self.steps, &self.sets, self.levels[0], 0, &ends, ctx)?;
        }
        let first = begins.iter().map(|lit| (*lit, 0));
        let assumptions: Vec<(Lit, usize)> =
            first.chain(ends.iter().map(|lit| (*lit, length))).collect();
        let (sequence, _) =
            self.steps.sequence(&assumptions, Quest::default(), &mut self.sets, ctx)?;
        let mut size = 0;
        for (set, level) in sequence.into_iter().zip(1..) {
            let set = simplify(&mut self.sets, set, ctx)?;
            if set == Edge::TRUE {
                continue;
            }
            size += self.sets.size(&[set]);
            self.levels[level] = self.sets.and(self.levels[level], set);
            let edge = self.steps.set(&self.sets, set, level);
            self.steps.assert(edge, level);
        }
        ctx.emit(Event::Remark(format!("length {length}: sets of {size} gates")));
        Ok(None)
    }

    /// The union of the sets before one that lies within it.
    fn closed(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Edge>, Stop> {
        let mut excluded = Excluded::new();
        let mut union = Edge::FALSE;
        for level in 1..self.levels.len() {
            excluded.add(&self.sets, self.levels[level - 1]);
            union = self.sets.or(union, self.levels[level - 1]);
            if excluded.contain(&self.sets, self.levels[level], ctx)? {
                return Ok(Some(union));
            }
        }
        Ok(None)
    }

    fn safe(&self, set: Edge) -> Finding<Circuit> {
        let invariant = Invariant::Aig(Box::new(to_circuit(&self.sets, set)));
        Finding::Holds(CircuitClaim::of(invariant))
    }
}
