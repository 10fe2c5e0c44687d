//! One step from a set of states, and then a bad step within a bound: the question of `imc` and `igr`.
//!
//! The first step is a partition of its own, the others together are the second. The bound grows, and
//! the sets change; both are assumed, so that one solver serves all questions. Constraints hold in the
//! first step, and in the others up to the bad one.

use super::steps::{Cutting, Steps};
use crate::model::{completed, until_bad};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::evidence::circuit::Trace;
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge, Polarity};

/// The steps, and what is bad within how many of them.
pub(crate) struct Ahead<'a> {
    circuit: &'a Circuit,
    steps: Steps<'a>,
    /// For each bound from 1 on, whether one of the steps after the first, so many, is bad.
    bad: Vec<Edge>,
    /// Whether the constraints hold in all steps after the first.
    allowed: Edge,
}

impl<'a> Ahead<'a> {
    /// The first step alone.
    pub(crate) fn new(circuit: &'a Circuit) -> Ahead<'a> {
        let mut steps = Steps::new(circuit, Cutting::First);
        steps.extend();
        for constraint in &circuit.constraints {
            let edge = steps.edge(*constraint, 0);
            steps.assert(edge, 0);
        }
        Ahead { circuit, steps, bad: Vec::new(), allowed: Edge::TRUE }
    }

    /// The circuit.
    pub(crate) fn circuit(&self) -> &'a Circuit {
        self.circuit
    }

    /// The literal that says that the first state is a reset state.
    pub(crate) fn start(&self) -> Lit {
        self.steps.start()
    }

    /// The literal that says that a step after the first, up to `bound`, is bad; none if no state is.
    pub(crate) fn bad(&mut self, bound: usize) -> Option<Lit> {
        while self.bad.len() < bound {
            self.steps.extend();
            let step = self.steps.count() - 1;
            for constraint in &self.circuit.constraints {
                let edge = self.steps.edge(*constraint, step);
                self.allowed = self.steps.aig().and(self.allowed, edge);
            }
            let bad = self.steps.edge(self.circuit.safety()[0], step);
            let bad = self.steps.aig().and(self.allowed, bad);
            let earlier = self.bad.last().copied().unwrap_or(Edge::FALSE);
            self.bad.push(self.steps.aig().or(earlier, bad));
        }
        let bad = self.bad[bound - 1];
        (bad != Edge::FALSE).then(|| self.literal(bad, 1))
    }

    /// The literal that says that the first state, or the one after it, is in a set.
    pub(crate) fn set(&mut self, sets: &Aig, set: Edge, state: usize) -> Lit {
        let edge = self.steps.set(sets, set, state);
        self.literal(edge, state)
    }

    fn literal(&mut self, edge: Edge, step: usize) -> Lit {
        if !edge.is_constant() {
            return self.steps.literal(edge, Polarity::Positive, step);
        }
        let lit = self.steps.fresh();
        if edge == Edge::FALSE {
            self.steps.add_clause(&[!lit], step);
        }
        lit
    }

    /// Whether there is a run under assumptions about the first state and about the one after it.
    pub(crate) fn ask(
        &mut self,
        first: &[Lit],
        later: &[Lit],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.steps.ask(&[first, later].concat(), ctx)
    }

    /// The interpolant of the last answer, which had these assumptions.
    pub(crate) fn interpolant(
        &self,
        first: &[Lit],
        later: &[Lit],
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<Edge, Stop> {
        let first = first.iter().map(|lit| (*lit, 0));
        let assumptions: Vec<(Lit, usize)> =
            first.chain(later.iter().map(|lit| (*lit, 1))).collect();
        self.steps.interpolant(&assumptions, sets, ctx)
    }

    /// The run of the last answer, up to its first bad step.
    pub(crate) fn counterexample(&self) -> Trace {
        let (state, inputs) = self.steps.run();
        until_bad(self.circuit, completed(self.circuit, &state, &inputs))
    }
}
