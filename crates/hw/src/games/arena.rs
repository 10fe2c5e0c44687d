//! A game as functions of its latches and inputs: what engines for games play on.
//!
//! The graph has an input for each latch that matters to an error, then for each input of the environment, then
//! for each controllable input, in the order of the game. A *good* step is one that shows no error and leads to
//! a good state; where a constraint fails the step is good whatever it leads to, for the game is over.
//!
//! Invariant: only latches that errors and constraints depend on, through any number of steps, are there.

use crate::circuit::influence;
use alphorn_problem::Game;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Node, Polarity};
use alphorn_sat::{Lit, Solver};

/// A literal of a latch: its place among the latches that matter, and whether it is true.
pub(super) type State = (u32, bool);

/// The functions of a game.
pub(super) struct Arena {
    pub(super) aig: Aig,
    /// The latches that matter, by their positions in the game.
    pub(super) latches: Vec<usize>,
    /// How many inputs the environment has.
    pub(super) others: usize,
    /// How many controllable inputs there are.
    pub(super) controls: usize,
    /// The next value of each latch that matters.
    pub(super) next: Vec<Edge>,
    /// Whether a safety property is violated.
    pub(super) bad: Edge,
    /// Whether all constraints hold.
    pub(super) holds: Edge,
    /// The first values of the latches that matter, where they are not open.
    pub(super) first: Vec<Option<bool>>,
}

impl Arena {
    pub(super) fn new(game: &Game) -> Arena {
        let circuit = game.circuit();
        let roots = circuit.safety().iter().chain(&circuit.constraints).copied();
        let seen = influence(circuit, roots, |latch| [Some(circuit.latches[latch].next), None]);
        let matters = |index: &usize| seen[circuit.latch(*index).var() as usize];
        let latches: Vec<usize> = (0..circuit.latches.len()).filter(matters).collect();
        let (others, controls) = (game.others(), game.controls());
        let mut aig = Aig::new();
        let mut edges = vec![Edge::FALSE; circuit.max_var() as usize + 1];
        let places = (latches.iter().map(|latch| circuit.latch(*latch)))
            .chain(others.iter().chain(&controls).map(|input| circuit.input(*input)));
        for place in places {
            edges[place.var() as usize] = aig.add_input();
        }
        let first_gate = circuit.gate(0).var() as usize;
        for (and, var) in circuit.ands.iter().zip(first_gate..) {
            if seen[var] {
                let at = |lit: Bit| edges[lit.var() as usize].xor(lit.is_negated());
                edges[var] = aig.and(at(and.left), at(and.right));
            }
        }
        let at = |lit: &Bit| edges[lit.var() as usize].xor(lit.is_negated());
        let next = latches.iter().map(|latch| at(&circuit.latches[*latch].next)).collect();
        let bad = aig.or_n(circuit.safety().iter().map(at));
        let holds = aig.and_n(circuit.constraints.iter().map(at));
        let first = |latch: &usize| match circuit.latches[*latch].reset {
            Bit::FALSE => Some(false),
            Bit::TRUE => Some(true),
            _ => None,
        };
        let first = latches.iter().map(first).collect();
        let (others, controls) = (others.len(), controls.len());
        Arena { aig, latches, others, controls, next, bad, holds, first }
    }

    /// A graph whose inputs are the latches that matter.
    pub(super) fn of_latches(&self) -> Aig {
        let mut aig = Aig::new();
        for _ in &self.latches {
            aig.add_input();
        }
        aig
    }

    /// The edge of a latch that matters.
    pub(super) fn latch(&self, index: usize) -> Edge {
        self.aig.input(index as u32)
    }

    /// The number of the graph's input that is this input of the environment.
    pub(super) fn other(&self, index: usize) -> u32 {
        (self.latches.len() + index) as u32
    }

    /// The number of the graph's input that is this controllable input.
    pub(super) fn control(&self, index: usize) -> u32 {
        (self.latches.len() + self.others + index) as u32
    }

    /// The gates of the game that read no controllable input, each after those it reads.
    pub(super) fn gates_of_others(&self) -> Vec<Edge> {
        let mut roots = self.next.clone();
        roots.extend([self.bad, self.holds]);
        let mut reads_control = vec![false; self.aig.len() as usize];
        let mut gates = Vec::new();
        for node in self.aig.cone(&roots) {
            let is_control = match self.aig.node(node) {
                Node::False => false,
                Node::Input(input) => input >= self.control(0),
                Node::And(left, right) => {
                    let reads = [left, right].map(|edge| reads_control[edge.node() as usize]);
                    if !reads[0] && !reads[1] {
                        gates.push(Edge::new(node, false));
                    }
                    reads[0] || reads[1]
                }
            };
            reads_control[node as usize] = is_control;
        }
        gates
    }

    /// Whether some first state is in the cube.
    pub(super) fn is_first(&self, cube: &[State]) -> bool {
        cube.iter().all(|(latch, value)| self.first[*latch as usize] != Some(!value))
    }
}

/// One step of the game in a solver.
pub(super) struct Step {
    pub(super) solver: Solver,
    pub(super) latches: Vec<Lit>,
    pub(super) others: Vec<Lit>,
    pub(super) controls: Vec<Lit>,
    pub(super) next: Vec<Lit>,
    pub(super) bad: Lit,
    pub(super) holds: Lit,
}

impl Step {
    pub(super) fn new(arena: &Arena) -> Step {
        let mut solver = Solver::default();
        let mut encoder = Encoder::new(Encoding::Tseitin);
        let count = arena.latches.len() + arena.others + arena.controls;
        let lits: Vec<Lit> = (0..count).map(|_| solver.new_var().positive()).collect();
        for (index, lit) in lits.iter().enumerate() {
            encoder.bind(arena.aig.input(index as u32), *lit);
        }
        let mut roots: Vec<(Edge, Polarity)> =
            arena.next.iter().map(|edge| (*edge, Polarity::Both)).collect();
        roots.extend([(arena.bad, Polarity::Both), (arena.holds, Polarity::Both)]);
        encoder.encode_all(&arena.aig, &roots, &mut solver);
        let known = |edge: Edge| encoder.known(edge).expect("roots are encoded");
        let (latches, inputs) = lits.split_at(arena.latches.len());
        let (others, controls) = inputs.split_at(arena.others);
        Step {
            latches: latches.to_vec(),
            others: others.to_vec(),
            controls: controls.to_vec(),
            next: arena.next.iter().map(|edge| known(*edge)).collect(),
            bad: known(arena.bad),
            holds: known(arena.holds),
            solver,
        }
    }

    /// The clause that says that a state is outside of the cube, over literals of its latches.
    pub(super) fn outside(cube: &[State], lits: &[Lit]) -> Vec<Lit> {
        cube.iter().map(|(latch, value)| lits[*latch as usize].xor(*value)).collect()
    }

    /// The literals that say that a state is in the cube.
    pub(super) fn inside(cube: &[State], lits: &[Lit]) -> Vec<Lit> {
        cube.iter().map(|(latch, value)| lits[*latch as usize].xor(!*value)).collect()
    }
}

/// The literals as they are in the solver's model.
pub(super) fn in_model(solver: &Solver, lits: &[Lit]) -> Vec<Lit> {
    lits.iter().map(|lit| lit.xor(solver.value(*lit) != Some(true))).collect()
}
