//! A circuit over several steps, as a graph without repetition and as clauses.
//!
//! A literal of the circuit at a step becomes an edge of one and-inverter graph when it is asked for:
//! gates become conjunctions, latches become their next literals one step earlier, and at step 0
//! their resets, or inputs if any state may be the first. The graph folds constants and shares what
//! is equal, across steps too, so that the circuit shrinks near its resets; only what is asked of the
//! solver is encoded, in the polarity in which it is asked.
//!
//! Invariant: an edge is computed after everything it depends on; the walk has a stack of its own
//! because cones are deep.

use crate::ask::{SCALE, ask};
use crate::circuit::{gate_of, latch_of};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};
use alphorn_sat::{Answer, Budget, Solver};

/// Variables of a step that make one tick.
const VARIABLES: u64 = 64;
/// The most edges of variables that are kept, and how many a step counts beyond its variables.
const MOST_EDGES: usize = 1 << 27;
const STEP_EDGES: usize = 16;

/// Where runs begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// In a reset state.
    Reset,
    /// In any state.
    Any,
}

/// Steps of a circuit, in a solver.
pub(crate) struct Unrolling<'a> {
    circuit: &'a Circuit,
    start: Start,
    aig: Aig,
    encoder: Encoder,
    solver: Solver,
    /// For each step the edge of each variable, if it was asked for.
    edges: Vec<Vec<Option<Edge>>>,
}

impl<'a> Unrolling<'a> {
    /// No steps of a valid circuit.
    pub(crate) fn new(circuit: &'a Circuit, start: Start) -> Unrolling<'a> {
        Unrolling {
            circuit,
            start,
            aig: Aig::new(),
            encoder: Encoder::new(Encoding::PlaistedGreenbaum),
            solver: Solver::default(),
            edges: Vec::new(),
        }
    }

    /// Adds the step number `step`, with the constraints, if there is room for it.
    pub(crate) fn step(&mut self, step: usize) -> Result<(), Stop> {
        debug_assert_eq!(step, self.edges.len(), "steps come one by one");
        if step > MOST_EDGES / (self.circuit.max_var() as usize + STEP_EDGES) {
            return Err(Stop::Stuck(format!("there is no room for more than {step} steps")));
        }
        let mut edges = vec![None; self.circuit.max_var() as usize + 1];
        edges[0] = Some(Edge::FALSE);
        self.edges.push(edges);
        for constraint in &self.circuit.constraints {
            let edge = self.edge(*constraint, step);
            self.encoder.assert(&self.aig, edge, &mut self.solver);
        }
        Ok(())
    }

    /// Whether some run is bad in its step `step`, the last one.
    pub(crate) fn is_bad(&mut self, step: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let edge = self.edge(self.circuit.safety()[0], step);
        ctx.tick(1 + self.circuit.max_var() as u64 / VARIABLES)?;
        if edge == Edge::FALSE {
            return Ok(false);
        }
        let bad = self.encoder.encode(&self.aig, edge, Polarity::Positive, &mut self.solver);
        ask(&mut self.solver, &[bad], None, ctx)
    }

    /// Whether some run is bad in its step `step`, the last one, if `ticks` of the solver suffice to
    /// find out; asked again, the search goes on.
    pub(crate) fn is_bad_within(
        &mut self,
        step: usize,
        ticks: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<bool>, Stop> {
        let edge = self.edge(self.circuit.safety()[0], step);
        ctx.tick(1 + self.circuit.max_var() as u64 / VARIABLES)?;
        if edge == Edge::FALSE {
            return Ok(Some(false));
        }
        let bad = self.encoder.encode(&self.aig, edge, Polarity::Positive, &mut self.solver);
        self.solver.set_budget(Budget { ticks: Some(ticks), ..Budget::default() });
        let before = self.solver.stats().ticks;
        let answer = self.solver.solve(&[bad]);
        ctx.tick(1 + (self.solver.stats().ticks - before) / SCALE)?;
        Ok(match answer {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown => None,
        })
    }

    /// Lets the step be good from here on.
    pub(crate) fn exclude(&mut self, step: usize) {
        let edge = self.edge(self.circuit.safety()[0], step);
        self.encoder.assert(&self.aig, !edge, &mut self.solver);
    }

    /// Whether no run is as long as the steps.
    pub(crate) fn is_over(&self) -> bool {
        self.solver.is_contradictory()
    }

    /// Lets the states before two steps differ from here on.
    pub(crate) fn differ(&mut self, early: usize, late: usize) {
        let mut differences = Vec::with_capacity(self.circuit.latches.len());
        for index in 0..self.circuit.latches.len() {
            let latch = self.circuit.latch(index);
            let (early, late) = (self.edge(latch, early), self.edge(latch, late));
            differences.push(self.aig.xor(early, late));
        }
        let differ = self.aig.or_n(differences);
        self.encoder.assert(&self.aig, differ, &mut self.solver);
    }

    /// The first state and the inputs of the run that was found, up to `step`; what does not matter
    /// is false.
    pub(crate) fn run(&self, step: usize) -> (Vec<bool>, Vec<Vec<bool>>) {
        let value = |bit: Bit, step: usize| {
            let edge = self.edges[step][bit.var() as usize];
            let lit = edge.and_then(|edge| self.encoder.known(edge));
            lit.and_then(|lit| self.solver.value(lit)) == Some(true)
        };
        let circuit = self.circuit;
        let state = (0..circuit.latches.len()).map(|index| value(circuit.latch(index), 0));
        let inputs = |step| {
            (0..circuit.inputs as usize).map(|index| value(circuit.input(index), step)).collect()
        };
        (state.collect(), (0..=step).map(inputs).collect())
    }

    /// The edge of a literal at a step.
    fn edge(&mut self, bit: Bit, step: usize) -> Edge {
        let mut stack = vec![(bit.var(), step)];
        while let Some(&(var, step)) = stack.last() {
            if self.edges[step][var as usize].is_some() {
                stack.pop();
                continue;
            }
            let edge = if let Some(gate) = gate_of(self.circuit, var) {
                let operands = [gate.left, gate.right].map(|bit| self.known(bit, step, &mut stack));
                let [Some(left), Some(right)] = operands else { continue };
                self.aig.and(left, right)
            } else if let Some(index) = latch_of(self.circuit, var) {
                let latch = self.circuit.latches[index];
                let source = match (step.checked_sub(1), self.start) {
                    (Some(before), _) => Some((latch.next, before)),
                    (None, Start::Reset) if !self.circuit.is_uninitialised(index) => {
                        Some((latch.reset, 0))
                    }
                    (None, _) => None,
                };
                match source {
                    None => self.aig.add_input(),
                    Some((bit, step)) => match self.known(bit, step, &mut stack) {
                        Some(edge) => edge,
                        None => continue,
                    },
                }
            } else {
                self.aig.add_input()
            };
            self.edges[step][var as usize] = Some(edge);
            stack.pop();
        }
        self.edges[step][bit.var() as usize].expect("the walk ends with it").xor(bit.is_negated())
    }

    /// The edge of a literal at a step, which is put on the stack if it is not known.
    fn known(&self, bit: Bit, step: usize, stack: &mut Vec<(u32, usize)>) -> Option<Edge> {
        let edge = self.edges[step][bit.var() as usize];
        if edge.is_none() {
            stack.push((bit.var(), step));
        }
        edge.map(|edge| edge.xor(bit.is_negated()))
    }
}
