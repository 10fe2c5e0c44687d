//! A circuit over several steps, as a graph without repetition and as clauses.
//!
//! Each step adds the circuit's gates to one and-inverter graph, where latches are the next literals of
//! the step before, and in the first step their resets, or inputs if any state may be the first. The
//! graph folds constants and shares what is equal, across steps too, so that the circuit shrinks near
//! its resets; only what is asked of the solver is encoded, in the polarity in which it is asked.
//!
//! Of earlier steps only the graph is left, and what runs are read off: a step costs memory for what it
//! adds to the graph, not for each variable of the circuit. The solver does not simplify the whole
//! formula between conflicts: it grows with every step, and each step is a small question.
//!
//! Lemmas, clauses that hold in all reachable states, are assumed in every step from where they are
//! learned. Runs that begin anywhere assume them in a group of clauses, so that one can tell whether a
//! proof needs them; runs from a reset satisfy them anyhow.
//!
//! Steps may be *passed*, so that one question is about all of them: a run is bad if one of them is, and
//! constraints need to hold up to the first of these only.
//!
//! Invariant: `edges` has the edge of each variable in the last step.
//!
//! After Eén, Sörensson, "Temporal Induction by Incremental SAT Solving" (2003), and the `bmc3` of ABC.

use crate::ask::{ask, ask_within};
use crate::circuit::{gate_of, latch_of};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};
use alphorn_sat::{Group, Lit, Options, Solver};
use std::collections::VecDeque;

/// Variables of a step that make one tick.
const VARIABLES: u64 = 64;
/// The most nodes of the graph, and how many a step counts beyond its variables.
const MAX_NODES: usize = 1 << 27;
const STEP_NODES: usize = 16;

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
    /// The edge of each variable in the last step.
    edges: Vec<Edge>,
    /// For each step the number of its first input in the graph.
    inputs: Vec<u32>,
    /// The edges of the latches before each step; of the first step alone where runs begin in a reset
    /// state.
    states: Vec<Vec<Edge>>,
    /// Clauses over latches that hold in all reachable states.
    lemmas: Vec<Vec<Bit>>,
    /// Where runs begin anywhere, the lemmas in the solver.
    group: Option<Group>,
    /// Whether the last answer that no run is bad needed lemmas.
    needs_lemmas: bool,
    /// Whether each of the steps that were passed is bad, and whether one of them is.
    passed: VecDeque<Edge>,
    any_passed: Edge,
}

impl<'a> Unrolling<'a> {
    /// No steps of a valid circuit.
    pub(crate) fn new(circuit: &'a Circuit, start: Start) -> Unrolling<'a> {
        // Literals that stand for others of their level are of later steps, and tie clauses to where they were learned.
        let options = Options { inprocess: 0, minimize_shrink: 0, ..Options::default() };
        Unrolling {
            circuit,
            start,
            aig: Aig::new(),
            encoder: Encoder::new(Encoding::PlaistedGreenbaum),
            solver: Solver::new(options),
            edges: Vec::new(),
            inputs: Vec::new(),
            states: Vec::new(),
            lemmas: Vec::new(),
            group: None,
            needs_lemmas: false,
            passed: VecDeque::new(),
            any_passed: Edge::FALSE,
        }
    }

    /// Adds the step number `step`, with the constraints, if there is room for it.
    pub(crate) fn step(&mut self, step: usize) -> Result<(), Stop> {
        debug_assert_eq!(step, self.inputs.len(), "steps come one by one");
        let added = self.circuit.max_var() as usize + STEP_NODES;
        if self.aig.len() as usize + added > MAX_NODES || step > MAX_NODES / STEP_NODES {
            return Err(Stop::Stuck(format!("there is no room for more than {step} steps")));
        }
        let state: Vec<Edge> = match step {
            0 => Vec::new(),
            _ => self.circuit.latches.iter().map(|latch| self.edge(latch.next)).collect(),
        };
        self.inputs.push(self.aig.inputs());
        self.edges.clear();
        self.edges.push(Edge::FALSE);
        for _ in 0..self.circuit.inputs {
            let input = self.aig.add_input();
            self.edges.push(input);
        }
        match step {
            0 => self.first_state(),
            _ => self.edges.extend(&state),
        }
        if step == 0 || self.start == Start::Any {
            self.states.push(self.edges[1 + self.circuit.inputs as usize..].to_vec());
        }
        for gate in &self.circuit.ands {
            let [left, right] = [gate.left, gate.right].map(|bit| self.edge(bit));
            let gate = self.aig.and(left, right);
            self.edges.push(gate);
        }
        for constraint in &self.circuit.constraints {
            let edge = self.edge(*constraint);
            let edge = self.aig.or(edge, self.any_passed);
            self.encoder.assert(&self.aig, edge, &mut self.solver);
        }
        for index in 0..self.lemmas.len() {
            let edges = self.last_edges(&self.lemmas[index]);
            self.assume(&edges);
        }
        Ok(())
    }

    /// Assumes further clauses over latches, which hold in all reachable states: in all steps to come
    /// and in the last one, and where the states before earlier steps are known also there.
    pub(crate) fn learn(&mut self, lemmas: &[Vec<Bit>]) {
        if self.start == Start::Any && self.group.is_none() && !lemmas.is_empty() {
            self.group = Some(self.solver.new_group());
        }
        for lemma in lemmas {
            if self.start == Start::Any {
                (0..self.inputs.len()).for_each(|step| self.assume_in(step, lemma));
            } else if !self.inputs.is_empty() {
                let edges = self.last_edges(lemma);
                self.assume(&edges);
            }
            self.lemmas.push(lemma.clone());
        }
    }

    /// The edges of literals in the last step.
    fn last_edges(&self, bits: &[Bit]) -> Vec<Edge> {
        bits.iter().map(|bit| self.edge(*bit)).collect()
    }

    /// Adds the clause of these edges.
    fn assume(&mut self, edges: &[Edge]) {
        let Some(clause) = self.disjunction(edges) else { return };
        match self.group {
            Some(group) => {
                self.solver.add_to_group(group, &clause);
            }
            None => self.solver.add_clause(&clause),
        }
    }

    /// The solver's literals for a disjunction of edges, unless it is true.
    fn disjunction(&mut self, edges: &[Edge]) -> Option<Vec<Lit>> {
        if edges.contains(&Edge::TRUE) {
            return None;
        }
        let open: Vec<(Edge, Polarity)> = (edges.iter().filter(|edge| **edge != Edge::FALSE))
            .map(|edge| (*edge, Polarity::Positive))
            .collect();
        self.encoder.encode_all(&self.aig, &open, &mut self.solver);
        let known = |(edge, _): &(Edge, Polarity)| self.encoder.known(*edge);
        Some(open.iter().filter_map(known).collect())
    }

    /// Replaces the lemmas of runs that begin anywhere by these, which are on trial: they are assumed
    /// in the first step only.
    pub(crate) fn try_lemmas(&mut self, lemmas: &[Vec<Bit>]) {
        debug_assert_eq!(self.start, Start::Any, "the lemmas are in a group");
        self.forget_lemmas();
        self.group = Some(self.solver.new_group());
        lemmas.iter().for_each(|lemma| self.assume_in(0, lemma));
    }

    /// Ends the trial of lemmas with these, which hold in all steps from here on.
    pub(crate) fn keep_lemmas(&mut self, lemmas: &[Vec<Bit>]) {
        self.forget_lemmas();
        for step in 0..self.inputs.len() {
            lemmas.iter().for_each(|lemma| self.assume_in(step, lemma));
        }
    }

    fn forget_lemmas(&mut self) {
        if let Some(group) = self.group.take() {
            self.solver.release_group(group);
        }
    }

    /// Assumes a clause over latches before a step whose state is known.
    fn assume_in(&mut self, step: usize, lemma: &[Bit]) {
        let first = 1 + self.circuit.inputs;
        let state = &self.states[step];
        let edge = |bit: &Bit| state[(bit.var() - first) as usize].xor(bit.is_negated());
        let edges: Vec<Edge> = lemma.iter().map(edge).collect();
        self.assume(&edges);
    }

    /// Whether some run violates a clause over latches in its last step.
    pub(crate) fn violates(&mut self, clause: &[Bit], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let edges: Vec<Edge> = clause.iter().map(|bit| !self.edge(*bit)).collect();
        if edges.contains(&Edge::FALSE) {
            return Ok(false);
        }
        let mut assumptions: Vec<Lit> = self.group.iter().map(|group| group.lit()).collect();
        for edge in edges.into_iter().filter(|edge| *edge != Edge::TRUE) {
            let lit = self.encoder.encode(&self.aig, edge, Polarity::Positive, &mut self.solver);
            assumptions.push(lit);
        }
        ask(&mut self.solver, &assumptions, None, ctx)
    }

    /// Adds the edges of the latches in the first step.
    fn first_state(&mut self) {
        let circuit = self.circuit;
        let mut known: Vec<Option<Edge>> = self.edges.iter().copied().map(Some).collect();
        known.resize(circuit.max_var() as usize + 1, None);
        for index in 0..circuit.latches.len() {
            if self.start == Start::Any || circuit.is_uninitialised(index) {
                known[circuit.latch(index).var() as usize] = Some(self.aig.add_input());
            }
        }
        for index in 0..circuit.latches.len() {
            let edge = self.first_edge(circuit.latch(index), &mut known);
            self.edges.push(edge);
        }
    }

    /// The edge of a literal in the first step, where resets may read gates and other latches.
    fn first_edge(&mut self, bit: Bit, known: &mut [Option<Edge>]) -> Edge {
        let edge = |known: &[Option<Edge>], bit: Bit| {
            known[bit.var() as usize].map(|edge| edge.xor(bit.is_negated()))
        };
        let mut stack = vec![bit.var()];
        while let Some(&var) = stack.last() {
            if known[var as usize].is_some() {
                stack.pop();
                continue;
            }
            let operands = match (gate_of(self.circuit, var), latch_of(self.circuit, var)) {
                (Some(gate), _) => [gate.left, gate.right],
                (None, Some(latch)) => [self.circuit.latches[latch].reset, Bit::TRUE],
                (None, None) => unreachable!("inputs are known"),
            };
            match operands.map(|bit| edge(known, bit)) {
                [Some(left), Some(right)] => known[var as usize] = Some(self.aig.and(left, right)),
                edges => {
                    let missing = operands.iter().zip(edges).filter(|(_, edge)| edge.is_none());
                    stack.extend(missing.map(|(bit, _)| bit.var()));
                }
            }
        }
        edge(known, bit).expect("the walk ends with it")
    }

    /// The edge of a literal in the last step.
    fn edge(&self, bit: Bit) -> Edge {
        self.edges[bit.var() as usize].xor(bit.is_negated())
    }

    /// Whether some run is bad in its step `step`, the last one.
    pub(crate) fn is_bad(&mut self, step: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        debug_assert_eq!(step + 1, self.inputs.len(), "only the last step is asked about");
        let edge = self.edge(self.circuit.safety()[0]);
        ctx.tick(1 + self.circuit.max_var() as u64 / VARIABLES)?;
        self.needs_lemmas = false;
        if edge == Edge::FALSE {
            return Ok(false);
        }
        let bad = self.encoder.encode(&self.aig, edge, Polarity::Positive, &mut self.solver);
        let Some(group) = self.group else { return ask(&mut self.solver, &[bad], None, ctx) };
        let is_bad = ask(&mut self.solver, &[group.lit(), bad], None, ctx)?;
        self.needs_lemmas = !is_bad && self.solver.is_failed(group.lit());
        Ok(is_bad)
    }

    /// Whether the last answer that no run that begins anywhere is bad needed lemmas.
    pub(crate) fn needs_lemmas(&self) -> bool {
        self.needs_lemmas
    }

    /// Whether some run is bad in the last step or in one of those that were passed, of which `first`
    /// alone may be asked about, if `ticks` of the solver suffice to find out; asked again, the search
    /// goes on.
    pub(crate) fn is_bad_within(
        &mut self,
        first: bool,
        ticks: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<bool>, Stop> {
        let last = self.edge(self.circuit.safety()[0]);
        let edge = match self.passed.front() {
            Some(edge) if first => *edge,
            _ => self.aig.or(self.any_passed, last),
        };
        ctx.tick(1 + self.circuit.max_var() as u64 / VARIABLES)?;
        if edge == Edge::FALSE {
            return Ok(Some(false));
        }
        let bad = self.encoder.encode(&self.aig, edge, Polarity::Positive, &mut self.solver);
        ask_within(&mut self.solver, &[bad], ticks, ctx)
    }

    /// Whether there is a run of all steps.
    pub(crate) fn has_run(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        ask(&mut self.solver, &[], None, ctx)
    }

    /// Goes past the last step: it becomes one of those that are asked about together.
    pub(crate) fn pass(&mut self) {
        let last = self.edge(self.circuit.safety()[0]);
        self.passed.push_back(last);
        self.any_passed = self.aig.or(self.any_passed, last);
    }

    /// Lets the first of the steps that were passed be good from here on.
    pub(crate) fn exclude_first(&mut self) {
        if let Some(edge) = self.passed.pop_front() {
            self.encoder.assert(&self.aig, !edge, &mut self.solver);
        }
        self.any_passed = self.aig.or_n(self.passed.iter().copied());
    }

    /// Lets the last step, number `step`, be good from here on, and those that were passed.
    pub(crate) fn exclude(&mut self, step: usize) {
        debug_assert_eq!(step + 1, self.inputs.len(), "only the last step is excluded");
        while !self.passed.is_empty() {
            self.exclude_first();
        }
        let edge = self.edge(self.circuit.safety()[0]);
        self.encoder.assert(&self.aig, !edge, &mut self.solver);
    }

    /// How many nodes the graph has.
    pub(crate) fn nodes(&self) -> usize {
        self.aig.len() as usize
    }

    /// Whether no run is as long as the steps.
    pub(crate) fn is_over(&self) -> bool {
        self.solver.is_contradictory()
    }

    /// Lets the states before two steps differ from here on; runs begin anywhere.
    pub(crate) fn differ(&mut self, early: usize, late: usize) {
        let pairs: Vec<(Edge, Edge)> =
            self.states[early].iter().copied().zip(self.states[late].iter().copied()).collect();
        let differences: Vec<Edge> =
            pairs.into_iter().map(|(early, late)| self.aig.xor(early, late)).collect();
        let differ = self.aig.or_n(differences);
        self.encoder.assert(&self.aig, differ, &mut self.solver);
    }

    /// The first state and the inputs of the run that was found, up to `step`; what does not matter
    /// is false.
    pub(crate) fn run(&self, step: usize) -> (Vec<bool>, Vec<Vec<bool>>) {
        let value = |edge: Edge| {
            let lit = self.encoder.known(edge);
            lit.and_then(|lit| self.solver.value(lit)) == Some(true)
        };
        let state = self.states[0].iter().map(|edge| value(*edge));
        let inputs = |step: usize| {
            let first = self.inputs[step];
            (first..first + self.circuit.inputs).map(|input| value(self.aig.input(input))).collect()
        };
        (state.collect(), (0..=step).map(inputs).collect())
    }
}
