//! The invariant that cubes nobody reaches are: clauses over latches, or a graph if there are gates in them.

use super::question::Reduced;
use crate::ask::bit;
use crate::circuit::first_gate;
use crate::circuit::resets::graph;
use crate::frames::Cube;
use crate::interpolation::sets::{Functions, to_circuit};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_sat::aig::Edge;

impl Reduced<'_> {
    /// The clauses that say that none of the cubes is reached, about the circuit that was asked about.
    pub(super) fn clauses(&self, cubes: &[Cube]) -> Vec<Vec<Lit>> {
        let clause = |cube: &Cube| {
            let clause: Vec<Lit> = cube.negation().into_iter().map(bit).collect();
            self.widen(&clause)
        };
        cubes.iter().map(clause).collect()
    }

    /// The same as an invariant of that circuit.
    pub(crate) fn invariant(&self, cubes: &[Cube]) -> Invariant {
        invariant(self.large(), self.clauses(cubes))
    }
}

/// The invariant that clauses over latches, and gates over latches, are.
pub(crate) fn invariant(circuit: &Circuit, clauses: Vec<Vec<Lit>>) -> Invariant {
    let first = first_gate(circuit);
    if !clauses.iter().flatten().any(|lit| lit.var() >= first) {
        return Invariant::Clauses(clauses);
    }
    let (mut sets, mut functions) = (graph(circuit), Functions::default());
    let mut parts = Vec::with_capacity(clauses.len());
    for clause in &clauses {
        let lits = clause.iter().map(|lit| functions.edge(circuit, &mut sets, *lit));
        let lits: Vec<Edge> = lits.collect();
        parts.push(sets.or_n(lits));
    }
    let all = sets.and_n(parts);
    Invariant::Aig(Box::new(to_circuit(&sets, all)))
}
