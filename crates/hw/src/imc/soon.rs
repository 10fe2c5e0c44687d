//! States from which something bad is near, asked about within the frames of a trace.
//!
//! A circuit is unrolled from any state, so that a literal says that one of the first so many steps is bad;
//! constraints hold up to that step. The lemmas of a trace hold in the first state, those of each level
//! in a group of their own, so that one solver answers for all frames and for all numbers of steps.

use crate::ask::ask;
use crate::frames::{Cube, Frames};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};
use alphorn_sat::{Group, Lit, Options, Solver, Var};
use std::collections::BTreeMap;

/// Variables of a step that make one tick.
const VARIABLES: u64 = 64;

/// The steps after any state, and the lemmas of that state.
pub(super) struct Soon<'a> {
    circuit: &'a Circuit,
    aig: Aig,
    encoder: Encoder,
    solver: Solver,
    /// The edge of each variable in the last step.
    edges: Vec<Edge>,
    /// The latches of the first state.
    state: Vec<Edge>,
    /// Whether the constraints hold in all steps.
    allowed: Edge,
    /// Whether one of the steps is bad.
    bad: Edge,
    /// A group of lemmas for each level, the infinite one first.
    groups: Vec<Group>,
    /// The group that a lemma was last put into.
    placed: BTreeMap<Cube, usize>,
}

impl<'a> Soon<'a> {
    /// No steps of a valid circuit.
    pub(super) fn new(circuit: &'a Circuit) -> Soon<'a> {
        let mut solver = Solver::new(Options { inprocess: 0, ..Options::default() });
        let groups = vec![solver.new_group()];
        let mut aig = Aig::new();
        let state = circuit.latches.iter().map(|_| aig.add_input()).collect();
        Soon {
            circuit,
            aig,
            encoder: Encoder::new(Encoding::PlaistedGreenbaum),
            solver,
            edges: Vec::new(),
            state,
            allowed: Edge::TRUE,
            bad: Edge::FALSE,
            groups,
            placed: BTreeMap::new(),
        }
    }

    fn edge(&self, bit: Bit) -> Edge {
        self.edges[bit.var() as usize].xor(bit.is_negated())
    }

    /// Adds a step.
    pub(super) fn extend(&mut self) {
        let state: Vec<Edge> = match self.edges.is_empty() {
            true => self.state.clone(),
            false => self.circuit.latches.iter().map(|latch| self.edge(latch.next)).collect(),
        };
        self.edges.clear();
        self.edges.push(Edge::FALSE);
        for _ in 0..self.circuit.inputs {
            let input = self.aig.add_input();
            self.edges.push(input);
        }
        self.edges.extend(state);
        for gate in &self.circuit.ands {
            let [left, right] = [gate.left, gate.right].map(|bit| self.edge(bit));
            let gate = self.aig.and(left, right);
            self.edges.push(gate);
        }
        for constraint in &self.circuit.constraints {
            let edge = self.edge(*constraint);
            self.allowed = self.aig.and(self.allowed, edge);
        }
        let bad = self.edge(self.circuit.safety()[0]);
        let bad = self.aig.and(self.allowed, bad);
        self.bad = self.aig.or(self.bad, bad);
    }

    /// Adds the lemmas of a frame that are new.
    pub(super) fn update(&mut self, frames: &Frames, level: usize) {
        while self.groups.len() <= frames.last() {
            self.groups.push(self.solver.new_group());
        }
        for at in level..=frames.last() {
            for cube in frames.level(at) {
                self.place(cube, at);
            }
        }
        for cube in frames.infinite() {
            self.place(cube, 0);
        }
    }

    fn place(&mut self, cube: &Cube, group: usize) {
        let known = self.placed.get(cube);
        if known.is_some_and(|known| *known == 0 || (group > 0 && *known >= group)) {
            return;
        }
        self.placed.insert(cube.clone(), group);
        self.exclude(cube, group);
    }

    fn exclude(&mut self, cube: &Cube, group: usize) {
        let clause: Vec<Lit> = cube.lits().iter().map(|lit| !self.first(*lit)).collect();
        let _ = self.solver.add_to_group(self.groups[group], &clause);
    }

    /// The literal in the first state of one of the circuit's, which is that of a latch.
    fn first(&mut self, lit: Lit) -> Lit {
        let index = (lit.var().0 - self.circuit.inputs - 1) as usize;
        let edge = self.state[index].xor(lit.is_negated());
        self.encoder.encode(&self.aig, edge, Polarity::Both, &mut self.solver)
    }

    /// A state of the frame, as a cube, from which one of the steps is bad.
    pub(super) fn find(&mut self, level: usize, ctx: &mut Ctx<'_>) -> Result<Option<Cube>, Stop> {
        ctx.tick(1 + u64::from(self.circuit.max_var()) / VARIABLES)?;
        let mut assumptions: Vec<Lit> =
            self.groups[level..].iter().chain(&self.groups[..1]).map(|group| group.lit()).collect();
        match self.bad {
            Edge::FALSE => return Ok(None),
            Edge::TRUE => {}
            bad => assumptions.push(self.encoder.encode(
                &self.aig,
                bad,
                Polarity::Positive,
                &mut self.solver,
            )),
        }
        if !ask(&mut self.solver, &assumptions, None, ctx)? {
            return Ok(None);
        }
        let first = self.circuit.inputs + 1;
        let value = |index: usize| {
            let known = self.encoder.known(self.state[index])?;
            let value = self.solver.value(known)?;
            Some(Var(first + index as u32).lit(value))
        };
        Ok(Some(Cube::new((0..self.state.len()).filter_map(value).collect())))
    }

    /// Lets the state lie outside of a lemma that was just learned at a level.
    pub(super) fn learned(&mut self, cube: &Cube, level: usize) {
        self.place(cube, level);
    }
}
