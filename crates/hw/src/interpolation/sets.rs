//! Sets of states as and-inverter graphs whose input number `i` is latch `i`.
//!
//! Interpolants come as such graphs and are unions of them in the end. `Excluded` answers whether a set
//! lies within the union of those it was told.

use crate::ask::ask;
use crate::circuit::{gate_of, latch_of};
use crate::settings::{
    INTERPOLATION_MAX_SWEPT, INTERPOLATION_SWEEP_CONFLICTS, INTERPOLATION_SWEEP_FAILURES,
    INTERPOLATION_SWEEP_TICKS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Lit as Bit};
use alphorn_sat::Solver;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Node, Polarity, SweepLimits};
use rustc_hash::FxHashMap;

/// Gates over latches alone as sets of states; those that were asked for are remembered.
#[derive(Default)]
pub(crate) struct Functions {
    edges: FxHashMap<u32, Edge>,
}

impl Functions {
    /// The edge of a literal that depends on no input, always of the same graph.
    pub(crate) fn edge(&mut self, circuit: &Circuit, sets: &mut Aig, bit: Bit) -> Edge {
        let mut stack = vec![bit.var()];
        while let Some(&var) = stack.last() {
            if self.edges.contains_key(&var) {
                stack.pop();
                continue;
            }
            let edge = if let Some(gate) = gate_of(circuit, var) {
                let operands = [gate.left, gate.right];
                let known = operands.map(|bit| self.edges.get(&bit.var()).copied());
                let [Some(left), Some(right)] = known else {
                    let missing = operands.iter().zip(known).filter(|(_, edge)| edge.is_none());
                    stack.extend(missing.map(|(bit, _)| bit.var()));
                    continue;
                };
                sets.and(left.xor(gate.left.is_negated()), right.xor(gate.right.is_negated()))
            } else {
                latch_of(circuit, var).map_or(Edge::FALSE, |index| sets.input(index as u32))
            };
            self.edges.insert(var, edge);
            stack.pop();
        }
        self.edges[&bit.var()].xor(bit.is_negated())
    }
}

/// An equal set that is smaller, if sweeping finds one; `sets` may grow by it. Very large sets are
/// left alone.
pub(crate) fn simplify(sets: &mut Aig, set: Edge, ctx: &mut Ctx<'_>) -> Result<Edge, Stop> {
    if sets.size(&[set]) > INTERPOLATION_MAX_SWEPT.size() {
        return Ok(set);
    }
    let limits = SweepLimits {
        conflicts: INTERPOLATION_SWEEP_CONFLICTS.get(),
        failures: INTERPOLATION_SWEEP_FAILURES.short(),
        ticks: INTERPOLATION_SWEEP_TICKS.get(),
    };
    let (swept, roots, ticks) = sets.sweep(&[set], &limits);
    ctx.tick(1 + ticks / 64)?;
    Ok(sets.import(&swept, &roots, |sets, index| sets.input(index))[0])
}

/// A set as a circuit of its own, for a certificate.
pub(crate) fn to_circuit(sets: &Aig, set: Edge) -> Circuit {
    let cone = sets.cone(&[set]);
    let mut numbers = vec![0u32; cone.last().map_or(0, |node| *node as usize + 1)];
    let bit =
        |numbers: &[u32], edge: Edge| Bit::new(numbers[edge.node() as usize], edge.is_negated());
    let mut ands = Vec::new();
    for node in cone {
        match sets.node(node) {
            Node::False => {}
            Node::Input(index) => numbers[node as usize] = 1 + index,
            Node::And(left, right) => {
                let (left, right) = (bit(&numbers, left), bit(&numbers, right));
                ands.push(And { left: left.max(right), right: left.min(right) });
                numbers[node as usize] = sets.inputs() + ands.len() as u32;
            }
        }
    }
    let outputs = vec![bit(&numbers, set)];
    Circuit { inputs: sets.inputs(), ands, outputs, ..Circuit::default() }
}

/// Sets whose complement is in a solver.
pub(crate) struct Excluded {
    solver: Solver,
    encoder: Encoder,
}

impl Excluded {
    /// No sets.
    pub(crate) fn new() -> Excluded {
        let encoder = Encoder::new(Encoding::PlaistedGreenbaum);
        Excluded { solver: Solver::default(), encoder }
    }

    /// Adds a set to the union.
    pub(crate) fn add(&mut self, sets: &Aig, set: Edge) {
        self.encoder.assert(sets, !set, &mut self.solver);
    }

    /// Whether the set lies within the union; all sets must be of one graph.
    pub(crate) fn contain(
        &mut self,
        sets: &Aig,
        set: Edge,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let lit = self.encoder.encode(sets, set, Polarity::Positive, &mut self.solver);
        Ok(!ask(&mut self.solver, &[lit], None, ctx)?)
    }
}
