//! Interpolation-based model checking: reachable states, over-approximated by interpolants.
//!
//! For a bound k, a set of states R is asked for a run of one step into a run of at most k steps that
//! ends badly. If there is none, the interpolant between the first step and the others contains all
//! successors of R and no state that is bad within k steps; it is the next R. When an interpolant lies
//! within the union of the sets before it, that union is an invariant. When there is a run from an
//! interpolant, it may begin in a state that is not reachable, and all begins again with a
//! larger bound; a run from the resets is a counterexample.
//!
//! One solver has the steps for all bounds and sets. Sets are assumed by their literals, so what was
//! learned about the steps alone serves all of them.
//!
//! Where resets read inputs, the first state is tied to the first inputs, which no set of states can
//! say: there the reset states are asked about once more without the tie.
//!
//! After McMillan, "Interpolation and SAT-Based Model Checking" (CAV 2003). A bad state counts at each
//! of the k steps, not at the last alone, so that the invariant excludes bad states by itself.

use crate::bmc::unroll::{Start, Unrolling};
use crate::certify::unproved;
use crate::circuit::Simulation;
use crate::interpolation::sets::{Excluded, graph, reset_states, resets_read_inputs, simplify, to_circuit};
use crate::interpolation::steps::{Cutting, Steps};
use crate::model::{completed, in_cone};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::{Circuit, Verdict};
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge, Polarity};
use alphorn_sat::interpolate::Policy;

/// The engine.
#[derive(Debug, Default)]
pub struct Imc;

impl Engine<Circuit> for Imc {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        in_cone(circuit, ctx, |circuit, ctx| {
            let mut first = Unrolling::new(circuit, Start::Reset);
            first.step(0)?;
            if first.is_bad(0, ctx)? {
                let (state, inputs) = first.run(0);
                return Ok(Verdict::Unsafe(completed(circuit, &state, &inputs)));
            }
            ctx.emit(Event::Bound { depth: 0 });
            Run::new(circuit).run(ctx)
        })
    }
}

/// What a traversal from the resets comes to.
enum Traversal {
    /// An invariant.
    Closed(Aig, Edge),
    /// A run from a set that may not be reachable.
    Open,
    /// A run from the resets.
    Bad,
}

/// The state of a run.
struct Run<'a> {
    circuit: &'a Circuit,
    steps: Steps<'a>,
    /// Whether one of the steps from the second on is bad.
    bad: Edge,
    /// Whether the constraints hold in all steps from the second on.
    allowed: Edge,
    is_tied: bool,
}

impl<'a> Run<'a> {
    fn new(circuit: &'a Circuit) -> Run<'a> {
        let mut steps = Steps::new(circuit, Cutting::First);
        steps.extend();
        for constraint in &circuit.constraints {
            let edge = steps.edge(*constraint, 0);
            steps.assert(edge, 0);
        }
        let is_tied = resets_read_inputs(circuit);
        Run { circuit, steps, bad: Edge::FALSE, allowed: Edge::TRUE, is_tied }
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        for bound in 1.. {
            self.extend(bound);
            match self.traverse(bound, ctx)? {
                Traversal::Closed(sets, set) => {
                    let invariant = Invariant::Aig(Box::new(to_circuit(&sets, set)));
                    return Ok(Verdict::Safe(unproved(invariant)));
                }
                Traversal::Open => ctx.emit(Event::Bound { depth: bound as u64 }),
                Traversal::Bad => return Ok(Verdict::Unsafe(self.counterexample())),
            }
        }
        unreachable!("bounds do not end")
    }

    /// Lets the step number `bound` be bad as well.
    fn extend(&mut self, bound: usize) {
        self.steps.extend();
        for constraint in &self.circuit.constraints {
            let edge = self.steps.edge(*constraint, bound);
            self.allowed = self.steps.aig().and(self.allowed, edge);
        }
        let bad = self.steps.edge(self.circuit.safety()[0], bound);
        let allowed = self.allowed;
        let bad = self.steps.aig().and(allowed, bad);
        let earlier = self.bad;
        self.bad = self.steps.aig().or(earlier, bad);
    }

    /// Follows the sets of states from the resets until the end is known for this bound.
    fn traverse(&mut self, bound: usize, ctx: &mut Ctx<'_>) -> Result<Traversal, Stop> {
        let mut sets = graph(self.circuit);
        let start = reset_states(self.circuit, &mut sets)?;
        if self.bad == Edge::FALSE {
            // No step is bad, whatever its state is.
            return Ok(Traversal::Closed(sets, Edge::TRUE));
        }
        let bad = self.steps.literal(self.bad, Polarity::Positive, 1);
        let begin = self.steps.start();
        let Some(mut image) = self.image(begin, bad, &mut sets, ctx)? else {
            return Ok(Traversal::Bad);
        };
        if self.is_tied {
            let from = self.set(&sets, start);
            let Some(untied) = self.image(from, bad, &mut sets, ctx)? else {
                let reason = "no set of states shows whether the property holds: \
                              the first state is tied to the first inputs";
                return Err(Stop::Stuck(reason.into()));
            };
            image = untied;
        }
        let mut excluded = Excluded::new();
        excluded.add(&sets, start);
        let mut union = start;
        for round in 1.. {
            if excluded.contain(&sets, image, ctx)? {
                return Ok(Traversal::Closed(sets, union));
            }
            let size = sets.size(&[image]);
            ctx.emit(Event::Remark(format!("bound {bound}, set {round}: {size} gates")));
            excluded.add(&sets, image);
            union = sets.or(union, image);
            let from = self.set(&sets, image);
            match self.image(from, bad, &mut sets, ctx)? {
                Some(next) => image = next,
                None => return Ok(Traversal::Open),
            }
        }
        unreachable!("rounds do not end")
    }

    /// The literal of a set at the first state.
    fn set(&mut self, sets: &Aig, set: Edge) -> Lit {
        let edge = self.steps.set(sets, set, 0);
        if edge.is_constant() {
            // A literal that is free, or false.
            let lit = self.steps.fresh();
            if edge == Edge::FALSE {
                self.steps.add_clause(&[!lit], 0);
            }
            return lit;
        }
        self.steps.literal(edge, Polarity::Positive, 0)
    }

    /// A set that contains what follows on a set, given by its literal, and nothing that is bad soon;
    /// none if something is.
    fn image(
        &mut self,
        from: Lit,
        bad: Lit,
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Edge>, Stop> {
        if self.steps.ask(&[from, bad], ctx)? {
            return Ok(None);
        }
        let assumptions = [(from, 0), (bad, 1)];
        let set = self.steps.interpolant(&assumptions, Policy::McMillan, sets, ctx)?;
        let before = sets.size(&[set]);
        let set = simplify(sets, set, ctx)?;
        ctx.emit(Event::Remark(format!("{before} → {} gates", sets.size(&[set]))));
        Ok(Some(set))
    }

    /// The run of the last answer, up to its first bad step.
    fn counterexample(&self) -> alphorn_problem::evidence::circuit::Trace {
        let (state, mut inputs) = self.steps.run();
        let mut simulation = Simulation::new(self.circuit);
        for (index, value) in state.iter().enumerate() {
            simulation.set_latch(index, u64::from(*value));
        }
        let bad = self.circuit.safety()[0];
        for step in 0..inputs.len() {
            for (index, value) in inputs[step].iter().enumerate() {
                simulation.set_input(index, u64::from(*value));
            }
            if step == 0 {
                simulation.reset();
            }
            simulation.settle();
            if simulation.value(bad) & 1 == 1 {
                inputs.truncate(step + 1);
                break;
            }
            simulation.advance();
        }
        completed(self.circuit, &state, &inputs)
    }
}
