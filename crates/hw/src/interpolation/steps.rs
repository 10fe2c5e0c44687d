//! A circuit over several steps, cut into partitions, in a solver that records proofs.
//!
//! Step `j` leads from state `j` to state `j + 1`. States at which the unrolling is cut have
//! variables of their own, and a latch of such a state is tied to its next function in the partition
//! of the step before; other states are functions of what came before, so that equal parts of
//! several steps are shared. An interpolant at a cut speaks about the latches of the state there.
//!
//! Latches of cut states are made when somebody asks for them, and then tied to the step before, which
//! makes the latches of its state, and so on: only what matters is encoded.
//!
//! Steps are added at the end, or at the beginning: a *backward* unrolling numbers its steps from the
//! last one, and the latches of its earliest state are free until there is a step before. Its earliest
//! state can be made the first one by a literal that is for this state alone, so that steps can still be
//! added.
//!
//! Invariants: a node of the graph belongs to one partition, that of the steps whose inputs and first
//! state it reads, and its clauses are there; constants are never encoded, so that no variable but
//! those of latches at cuts occurs in two partitions; the start is a literal that implies the resets
//! of all latches of state 0 that were made.

use crate::ask::ask;
use crate::circuit::{gate_of, latch_of};
use crate::settings::{INTERPOLATION_HINTS, INTERPOLATION_LATE, INTERPOLATION_TRIM};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Partition, Polarity};
use alphorn_sat::{Lit, Options, Solver, Var};
use rustc_hash::FxHashMap;

/// Variables of a step that make one tick.
const VARIABLES: u64 = 64;

/// Which states are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cutting {
    /// State 0 and state 1 only: partition 0 is the first step, partition 1 all others.
    First,
    /// All states: partition `j` is step `j`.
    All,
    /// All states, and steps are added at the beginning: partition `j` is step `j`, counted from the
    /// last step.
    Backward,
}

/// Steps of a circuit in partitions.
pub(crate) struct Steps<'a> {
    circuit: &'a Circuit,
    pub(super) cutting: Cutting,
    aig: Aig,
    encoder: Encoder,
    pub(super) solver: Solver,
    /// For each step the edge of each variable, if it was asked for.
    edges: Vec<Vec<Option<Edge>>>,
    /// Latches of cut states that are not tied, as (state, latch).
    untied: Vec<(usize, usize)>,
    /// The latch that a variable at a cut is, and whether it is its negation.
    pub(super) latches: FxHashMap<Var, (usize, bool)>,
    /// If true, the first state is a reset state.
    start: Lit,
    /// The step whose state is the first one, if it is known which one that is.
    first: Option<usize>,
    /// Latches that are tied to their resets where a step before can still come, as (state, latch).
    begun: Vec<(usize, usize)>,
}

impl<'a> Steps<'a> {
    /// No steps of a valid circuit.
    pub(crate) fn new(circuit: &'a Circuit, cutting: Cutting) -> Steps<'a> {
        let proof = if INTERPOLATION_HINTS.get() == 0 { 2 } else { 1 };
        let mut options =
            Options { proof, proof_trim: INTERPOLATION_TRIM.short(), ..Options::default() };
        if cutting == Cutting::Backward {
            // Simplification seldom pays before questions are hard.
            options.inprocess_first = INTERPOLATION_LATE.short();
        }
        let mut solver = Solver::new(options);
        let start = solver.new_var().positive();
        solver.freeze(start.var());
        Steps {
            circuit,
            cutting,
            aig: Aig::new(),
            encoder: Encoder::new(Encoding::PlaistedGreenbaum),
            solver,
            edges: Vec::new(),
            untied: Vec::new(),
            latches: FxHashMap::default(),
            start,
            first: (cutting != Cutting::Backward).then_some(0),
            begun: Vec::new(),
        }
    }

    /// How many steps there are.
    pub(crate) fn count(&self) -> usize {
        self.edges.len()
    }

    /// Adds a step.
    pub(crate) fn extend(&mut self) {
        let mut edges = vec![None; self.circuit.max_var() as usize + 1];
        edges[0] = Some(Edge::FALSE);
        self.edges.push(edges);
        if self.cutting == Cutting::Backward {
            self.first = None;
            self.untied.append(&mut self.begun);
        }
    }

    /// The partition of a step.
    pub(crate) fn partition(&self, step: usize) -> u32 {
        match self.cutting {
            Cutting::First => u32::from(step > 0),
            Cutting::All | Cutting::Backward => step as u32,
        }
    }

    /// The step before a step, if there is one.
    fn before(&self, step: usize) -> Option<usize> {
        match self.cutting {
            Cutting::First | Cutting::All => step.checked_sub(1),
            Cutting::Backward => Some(step + 1).filter(|before| *before < self.count()),
        }
    }

    /// Lets the earliest state be the first one, until a step is added before it.
    pub(crate) fn begin(&mut self) {
        let earliest = Some(self.count() - 1);
        if self.first != earliest {
            self.first = earliest;
            self.start = self.fresh();
        }
    }

    fn is_cut(&self, state: usize) -> bool {
        match self.cutting {
            Cutting::First => state <= 1,
            Cutting::All | Cutting::Backward => true,
        }
    }

    /// The literal that says that the first state is a reset state.
    pub(crate) fn start(&self) -> Lit {
        self.start
    }

    /// The graph.
    pub(crate) fn aig(&mut self) -> &mut Aig {
        &mut self.aig
    }

    /// The literal of an edge over a step, which is not constant, for use in the polarity.
    pub(crate) fn literal(&mut self, edge: Edge, polarity: Polarity, step: usize) -> Lit {
        self.settle();
        self.encode(edge, polarity, step)
    }

    fn encode(&mut self, edge: Edge, polarity: Polarity, step: usize) -> Lit {
        debug_assert!(!edge.is_constant(), "constants belong to no partition");
        let partition = self.partition(step);
        let mut sink = Partition(&mut self.solver, partition);
        self.encoder.encode(&self.aig, edge, polarity, &mut sink)
    }

    /// Makes an edge over a step true from here on.
    pub(crate) fn assert(&mut self, edge: Edge, step: usize) {
        self.settle();
        let partition = self.partition(step);
        if edge.is_constant() {
            if edge == Edge::FALSE {
                self.solver.add_clause_in(&[], partition);
            }
            return;
        }
        let mut sink = Partition(&mut self.solver, partition);
        self.encoder.assert(&self.aig, edge, &mut sink);
    }

    /// Adds a clause over a step.
    pub(crate) fn add_clause(&mut self, clause: &[Lit], step: usize) {
        let partition = self.partition(step);
        self.solver.add_clause_in(clause, partition);
    }

    /// A variable that no clause mentions.
    pub(crate) fn fresh(&mut self) -> Lit {
        let var = self.solver.new_var();
        self.solver.freeze(var);
        var.positive()
    }

    /// The edge of a set of states, a function of latches, at a state that is cut.
    pub(crate) fn set(&mut self, sets: &Aig, set: Edge, state: usize) -> Edge {
        let support = sets.support(&[set]);
        let mut inputs: FxHashMap<u32, Edge> = FxHashMap::default();
        for index in support {
            inputs.insert(index, self.latch(index as usize, state));
        }
        self.aig.import(sets, &[set], |_, index| inputs[&index])[0]
    }

    /// The edge of a latch at a state that is cut.
    pub(crate) fn latch(&mut self, index: usize, state: usize) -> Edge {
        self.edge(self.circuit.latch(index), state)
    }

    /// The latches of a state that were asked for, with their edges.
    pub(crate) fn latches_at(&self, state: usize) -> Vec<(usize, Edge)> {
        let edge = |index: usize| self.edges[state][self.circuit.latch(index).var() as usize];
        let latches = 0..self.circuit.latches.len();
        latches.filter_map(|index| edge(index).map(|edge| (index, edge))).collect()
    }

    /// The edge of a literal at a step.
    pub(crate) fn edge(&mut self, bit: Bit, step: usize) -> Edge {
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
            } else if let Some(index) = latch_of(self.circuit, var).filter(|_| !self.is_cut(step)) {
                match self.known(self.circuit.latches[index].next, step - 1, &mut stack) {
                    Some(edge) => edge,
                    None => continue,
                }
            } else {
                let edge = self.aig.add_input();
                if let Some(index) = latch_of(self.circuit, var) {
                    self.untied.push((step, index));
                }
                edge
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

    /// Ties the latches that were asked for to what they depend on.
    ///
    /// Early states come first, so that a latch gets its literal before anybody encodes what reads it.
    fn settle(&mut self) {
        let (mut found, mut free) = (Vec::new(), Vec::new());
        while let Some((state, index)) = self.untied.pop() {
            let latch = self.circuit.latches[index];
            let before = self.before(state);
            match before {
                _ if self.first == Some(state) => self.edge(latch.reset, state),
                None => {
                    free.push((state, index));
                    continue;
                }
                Some(before) => self.edge(latch.next, before),
            };
            found.push((state, before, index));
        }
        found.sort_unstable();
        for (state, before, index) in found {
            match before {
                _ if self.first == Some(state) => {
                    self.tie_to_reset(index, state);
                    if self.cutting == Cutting::Backward {
                        self.begun.push((state, index));
                    }
                }
                None => {}
                Some(before) => self.tie(index, before, state),
            }
        }
        self.untied = free;
    }

    fn tie_to_reset(&mut self, index: usize, state: usize) {
        if self.circuit.is_uninitialised(index) {
            return;
        }
        let latch = self.latch(index, state);
        let reset = self.edge(self.circuit.latches[index].reset, state);
        let start = self.start;
        let latch = self.encode(latch, Polarity::Both, state);
        if reset.is_constant() {
            self.add_clause(&[!start, latch.xor(reset == Edge::FALSE)], state);
        } else {
            let reset = self.encode(reset, Polarity::Both, state);
            self.add_clause(&[!start, !latch, reset], state);
            self.add_clause(&[!start, latch, !reset], state);
        }
    }

    /// Ties the latch of the state after a step to its next function.
    fn tie(&mut self, index: usize, step: usize, state: usize) {
        let latch = self.latch(index, state);
        let next = self.edge(self.circuit.latches[index].next, step);
        if next.is_constant() {
            let latch = self.shared(latch, index, state);
            self.add_clause(&[latch.xor(next == Edge::FALSE)], step);
            return;
        }
        let is_known = self.encoder.known(latch).is_some();
        let next_lit = self.encode(next, Polarity::Both, step);
        let is_plain = self.aig.operands(next.node()).is_some();
        if !is_known && is_plain && !self.latches.contains_key(&next_lit.var()) {
            // The variable of the next function is that of the latch; others that have the same
            // function are tied, or their equality would be lost in interpolants.
            self.encoder.bind(latch, next_lit);
            let _ = self.shared(latch, index, state);
            return;
        }
        let latch = self.shared(latch, index, state);
        self.add_clause(&[!latch, next_lit], step);
        self.add_clause(&[latch, !next_lit], step);
    }

    /// The literal of a latch at a cut, whose variable is noted.
    fn shared(&mut self, latch: Edge, index: usize, state: usize) -> Lit {
        let lit = self.encode(latch, Polarity::Both, state);
        self.latches.insert(lit.var(), (index, lit.is_negated()));
        lit
    }

    /// Whether there is a model under the assumptions.
    pub(crate) fn ask(&mut self, assumptions: &[Lit], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.settle();
        ctx.tick(1 + u64::from(self.circuit.max_var()) / VARIABLES)?;
        ask(&mut self.solver, assumptions, None, ctx)
    }

    /// The value of an edge in the last answer, if it was asked for.
    fn value(&self, edge: Edge) -> Option<bool> {
        self.solver.value(self.encoder.known(edge)?)
    }

    /// The first state and the inputs of the run that was found, over all steps; what does not matter
    /// is false.
    pub(crate) fn run(&self) -> (Vec<bool>, Vec<Vec<bool>>) {
        let value = |bit: Bit, step: usize| {
            let edge = self.edges[step][bit.var() as usize];
            edge.and_then(|edge| self.value(edge)) == Some(true)
        };
        let circuit = self.circuit;
        let mut order: Vec<usize> = (0..self.count()).collect();
        if self.cutting == Cutting::Backward {
            order.reverse();
        }
        let state = (0..circuit.latches.len()).map(|index| value(circuit.latch(index), order[0]));
        let inputs = |step: &usize| {
            (0..circuit.inputs as usize).map(|index| value(circuit.input(index), *step)).collect()
        };
        (state.collect(), order.iter().map(inputs).collect())
    }
}
