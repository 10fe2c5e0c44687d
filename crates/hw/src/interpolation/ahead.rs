//! One step from a set of states, and then a bad step within a bound: the question of `imc` and `igr`.
//!
//! The first step is a partition of its own, the others together are the second. The bound grows, and
//! the sets change; both are assumed, so that one solver serves all questions. Constraints hold in the
//! first step, and in the others up to the bad one.

use super::learn::learn;
use super::steps::{Cutting, Steps};
use crate::model::{completed, until_bad};
use crate::settings::{INTERPOLATION_LEARNED, INTERPOLATION_LEARNED_LATCHES};
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

    /// A set between a step from `first` and what is bad within the bound, as clauses that are learned from cores; none
    /// if the two share too many latches, or it takes too many clauses. It must be known that there is such a set.
    pub(crate) fn learned(
        &mut self,
        first: Edge,
        bound: usize,
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Edge>, Stop> {
        if INTERPOLATION_LEARNED.get() == 0 {
            return Ok(None);
        }
        let excludes = self.bad[bound - 1];
        let read = self.steps.aig().support(&[excludes]);
        let mut shared = self.steps.latches_at(1);
        shared.retain(|(_, latch)| {
            let input = self.steps.aig().support(&[*latch]);
            input.first().is_some_and(|input| read.contains(input))
        });
        if shared.len() > INTERPOLATION_LEARNED_LATCHES.size() {
            return Ok(None);
        }
        let mut implies = Vec::new();
        for (index, latch) in &shared {
            let next = self.steps.edge(self.circuit.latches[*index].next, 0);
            implies.push(self.steps.aig().equals(*latch, next));
        }
        implies.push(self.steps.set(sets, first, 0));
        for constraint in &self.circuit.constraints {
            implies.push(self.steps.edge(*constraint, 0));
        }
        let implies = self.steps.aig().and_n(implies);
        let latches: Vec<Edge> = shared.iter().map(|(_, latch)| *latch).collect();
        let most = INTERPOLATION_LEARNED.size();
        let clauses = learn(self.steps.aig(), implies, excludes, &latches, most, ctx)?;
        let Some(clauses) = clauses else { return Ok(None) };
        let mut set = Edge::TRUE;
        for clause in clauses {
            let state = |lit: &Edge| {
                let at = latches.iter().position(|latch| latch.node() == lit.node())?;
                let is_negated = latches[at].is_negated() != lit.is_negated();
                Some(sets.input(shared[at].0 as u32).xor(is_negated))
            };
            let lits: Vec<Edge> = clause.iter().filter_map(state).collect();
            let clause = sets.or_n(lits);
            set = sets.and(set, clause);
        }
        Ok(Some(set))
    }

    /// The run of the last answer, up to its first bad step.
    pub(crate) fn counterexample(&self) -> Trace {
        let (state, inputs) = self.steps.run();
        until_bad(self.circuit, completed(self.circuit, &state, &inputs))
    }
}
