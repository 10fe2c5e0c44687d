//! A circuit's functions in a hashed and-inverter graph, and circuits made of such graphs.
//!
//! Inputs and latches are the inputs of the graph, in the order of their variables, and keep their
//! places: a circuit made of the graph has the same inputs and latches, and only gates differ. So
//! invariants mean the same before and after, and `cone` drops what nobody reads any more.
//!
//! While the graph grows, a *replacement* says for each variable which edge its readers see. It is
//! the one place where constants, equal latches and equal gates enter. Resets are evaluated in the
//! first step alone and keep reading the latches themselves.

use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit};
use alphorn_sat::aig::{Aig, Edge};

use crate::circuit::{first_gate, gate_of, latch_of, step_cone};

/// The functions of a circuit's variables.
pub(super) struct Graph {
    pub(super) aig: Aig,
    /// What the readers of each variable see.
    edges: Vec<Edge>,
}

impl Graph {
    /// The graph of a circuit; `replace` says what the readers of a variable see in place of the
    /// edge that its definition gives.
    pub(super) fn new(
        circuit: &Circuit,
        mut replace: impl FnMut(&mut Aig, u32, Edge) -> Edge,
    ) -> Graph {
        let leaves = first_gate(circuit) - 1;
        let mut graph = Graph { aig: Aig::new(), edges: vec![Edge::FALSE] };
        let inputs: Vec<Edge> = (0..leaves).map(|_| graph.aig.add_input()).collect();
        for (edge, var) in inputs.into_iter().zip(1..) {
            graph.edges.push(replace(&mut graph.aig, var, edge));
        }
        for (and, var) in circuit.ands.iter().zip(first_gate(circuit)..) {
            let edge =
                graph.aig.and(graph.edges[and.left.var() as usize].xor(and.left.is_negated()), {
                    graph.edges[and.right.var() as usize].xor(and.right.is_negated())
                });
            graph.edges.push(replace(&mut graph.aig, var, edge));
        }
        graph
    }

    /// A graph and the edges of a circuit's variables in it.
    pub(super) fn of_parts(aig: Aig, edges: Vec<Edge>) -> Graph {
        Graph { aig, edges }
    }

    /// What the readers of `lit` see.
    pub(super) fn edge(&self, lit: Lit) -> Edge {
        self.edges[lit.var() as usize].xor(lit.is_negated())
    }

    /// The resets as edges; inputs are what `input` says, and latches are themselves.
    pub(super) fn resets(
        &mut self,
        circuit: &Circuit,
        input: impl Fn(u32, Edge) -> Edge,
    ) -> Vec<Edge> {
        let roots = || circuit.latches.iter().map(|latch| latch.reset);
        let gates = first_gate(circuit);
        let leaf = |aig: &Aig, var: u32| match var {
            0 => Edge::FALSE,
            var if var <= circuit.inputs => input(var, aig.input(var - 1)),
            var => aig.input(var - 1),
        };
        if roots().all(|lit| lit.var() < gates) {
            return roots().map(|lit| leaf(&self.aig, lit.var()).xor(lit.is_negated())).collect();
        }
        let seen = step_cone(circuit, roots());
        let mut edges = vec![Edge::FALSE; seen.len()];
        for var in (0..gates).filter(|var| seen[*var as usize]) {
            edges[var as usize] = leaf(&self.aig, var);
        }
        let edge = |edges: &[Edge], lit: Lit| edges[lit.var() as usize].xor(lit.is_negated());
        for (and, var) in circuit.ands.iter().zip(gates as usize..) {
            if seen[var] {
                let (left, right) = (edge(&edges, and.left), edge(&edges, and.right));
                edges[var] = self.aig.and(left, right);
            }
        }
        roots().map(|lit| edge(&edges, lit)).collect()
    }

    /// The circuit with these resets and constraints, and else with what the readers of its
    /// literals see.
    pub(super) fn circuit(
        &self,
        circuit: &Circuit,
        resets: &[Edge],
        constraints: &[Edge],
    ) -> Circuit {
        let edges = |lits: &[Lit]| -> Vec<Edge> { lits.iter().map(|l| self.edge(*l)).collect() };
        let nexts: Vec<Edge> = circuit.latches.iter().map(|latch| self.edge(latch.next)).collect();
        let outputs = edges(&circuit.outputs);
        let bads = edges(&circuit.bads);
        let justice: Vec<Vec<Edge>> = circuit.justice.iter().map(|set| edges(set)).collect();
        let fairness = edges(&circuit.fairness);
        let others = [&nexts[..], resets, constraints, &outputs, &bads, &fairness];
        let roots: Vec<Edge> = others.concat().into_iter().chain(justice.concat()).collect();

        let mut places = vec![0u32; self.aig.len() as usize];
        let mut ands = Vec::new();
        let lit =
            |places: &[u32], edge: Edge| Lit::new(places[edge.node() as usize], edge.is_negated());
        for index in 0..self.aig.inputs() {
            places[self.aig.input(index).node() as usize] = 1 + index;
        }
        for node in self.aig.cone(&roots) {
            if let Some((left, right)) = self.aig.operands(node) {
                ands.push(And { left: lit(&places, right), right: lit(&places, left) });
                places[node as usize] = self.aig.inputs() + ands.len() as u32;
            }
        }
        let lits =
            |edges: &[Edge]| -> Vec<Lit> { edges.iter().map(|e| lit(&places, *e)).collect() };
        let mut symbols = circuit.symbols.clone();
        if constraints.len() != circuit.constraints.len() {
            symbols.entries.retain(|(kind, _, _)| *kind != b'c');
        }
        let latches = nexts
            .iter()
            .zip(resets)
            .map(|(next, reset)| Latch { next: lit(&places, *next), reset: lit(&places, *reset) });
        Circuit {
            inputs: circuit.inputs,
            latches: latches.collect(),
            ands,
            outputs: lits(&outputs),
            bads: lits(&bads),
            constraints: lits(constraints),
            justice: justice.iter().map(|set| lits(set)).collect(),
            fairness: lits(&fairness),
            symbols,
            comments: circuit.comments.clone(),
        }
    }
}

/// A graph with an input for each input and latch of the circuit.
pub(super) fn leaves(circuit: &Circuit) -> Aig {
    let mut aig = Aig::new();
    for _ in 1..first_gate(circuit) {
        aig.add_input();
    }
    aig
}

/// The first values of the latches as functions of inputs and uninitialised latches, in a graph whose
/// inputs are the circuit's inputs and latches.
pub(super) fn first_values(circuit: &Circuit, aig: &mut Aig) -> Vec<Edge> {
    let mut edges = vec![Edge::FALSE; circuit.max_var() as usize + 1];
    for var in 1..first_gate(circuit) {
        edges[var as usize] = aig.input(var - 1);
    }
    for var in circuit.reset_schedule() {
        let edge = |lit: Lit| edges[lit.var() as usize].xor(lit.is_negated());
        edges[var as usize] = match (gate_of(circuit, var), latch_of(circuit, var)) {
            (Some(and), _) => aig.and(edge(and.left), edge(and.right)),
            (None, Some(latch)) => edge(circuit.latches[latch].reset),
            (None, None) => edge(Lit::new(var, false)),
        };
    }
    (0..circuit.latches.len()).map(|index| edges[circuit.latch(index).var() as usize]).collect()
}
