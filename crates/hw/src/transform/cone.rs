//! Cone of influence: drop the latches, inputs and gates the properties cannot see.
//!
//! What stays keeps its order. That matters for the way back: obligations number the variables of
//! the cone in ascending order, so a refutation found for the small circuit refutes the same
//! clauses of the large one, and only the names of latches in an invariant must be translated.
//!
//! Traces get a value for everything that was dropped: zero for inputs and uninitialised latches,
//! and for other latches what their resets give.

use super::{Change, sequential_cone};
use crate::circuit::Simulation;
use alphorn_engine::{Back, Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit, Symbols};
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Invariant, Trace};

/// The transform.
pub(super) fn apply(circuit: &Circuit, _: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let (small, back) = cone(circuit);
    let is_smaller = small.max_var() < circuit.max_var();
    let count = |c: &Circuit| {
        format!("{} inputs, {} latches, {} gates", c.inputs, c.latches.len(), c.ands.len())
    };
    let about = format!("{} of {}", count(&small), count(circuit));
    Ok(is_smaller.then_some(Change { circuit: small, back, about }))
}

/// The circuit without what its properties and constraints do not depend on.
pub fn cone(circuit: &Circuit) -> (Circuit, Back<Circuit, Circuit>) {
    let kept = Kept::new(circuit);
    let small = kept.restrict(circuit);
    let (proof_map, trace_map) = (kept.clone(), kept);
    let large = circuit.clone();
    let back = Back::new(
        move |claim: CircuitClaim| {
            let invariant = proof_map.widen_invariant(claim.invariant);
            Ok(CircuitClaim { invariant, ..claim })
        },
        move |trace| Ok(trace_map.widen_trace(&large, trace)),
    );
    (small, back)
}

/// The latches that properties and constraints depend on, by position: those of the cone, in its order.
pub(crate) fn cone_latches(circuit: &Circuit) -> Vec<usize> {
    Kept::new(circuit).latches
}

/// What stays, by position in the large circuit.
#[derive(Clone)]
struct Kept {
    inputs: Vec<usize>,
    latches: Vec<usize>,
    gates: Vec<usize>,
    large_inputs: usize,
    large_latches: usize,
}

impl Kept {
    fn new(circuit: &Circuit) -> Kept {
        let seen = sequential_cone(circuit);
        let (inputs, latches) = (circuit.inputs as usize, circuit.latches.len());
        let among = |first: usize, count: usize| -> Vec<usize> {
            (0..count).filter(|index| seen[first + index]).collect()
        };
        Kept {
            inputs: among(1, inputs),
            latches: among(1 + inputs, latches),
            gates: among(1 + inputs + latches, circuit.ands.len()),
            large_inputs: inputs,
            large_latches: latches,
        }
    }

    fn restrict(&self, circuit: &Circuit) -> Circuit {
        let mut rank = vec![0u32; circuit.max_var() as usize + 1];
        let lits = (self.inputs.iter().map(|&index| circuit.input(index)))
            .chain(self.latches.iter().map(|&index| circuit.latch(index)))
            .chain(self.gates.iter().map(|&index| circuit.gate(index)));
        for (lit, position) in lits.zip(1..) {
            rank[lit.var() as usize] = position;
        }
        let lit = |lit: Lit| Lit::new(rank[lit.var() as usize], lit.is_negated());
        let all = |lits: &[Lit]| -> Vec<Lit> { lits.iter().map(|&l| lit(l)).collect() };
        let latches = self.latches.iter().map(|&index| circuit.latches[index]);
        let gates = self.gates.iter().map(|&index| circuit.ands[index]);
        let outputs_are_properties = circuit.safety_kind() == b'o';
        Circuit {
            inputs: self.inputs.len() as u32,
            latches: latches.map(|l| Latch { next: lit(l.next), reset: lit(l.reset) }).collect(),
            ands: gates.map(|a| And { left: lit(a.left), right: lit(a.right) }).collect(),
            outputs: if outputs_are_properties { all(&circuit.outputs) } else { Vec::new() },
            bads: all(&circuit.bads),
            constraints: all(&circuit.constraints),
            justice: circuit.justice.iter().map(|set| all(set)).collect(),
            fairness: if circuit.justice.is_empty() { Vec::new() } else { all(&circuit.fairness) },
            symbols: self.symbols(circuit, outputs_are_properties),
            comments: circuit.comments.clone(),
        }
    }

    fn symbols(&self, circuit: &Circuit, outputs: bool) -> Symbols {
        let moved = |kept: &[usize], index: u32| {
            kept.binary_search(&(index as usize)).ok().map(|index| index as u32)
        };
        let entries = circuit.symbols.entries.iter().filter_map(|(kind, index, name)| {
            let index = match kind {
                b'i' => moved(&self.inputs, *index)?,
                b'l' => moved(&self.latches, *index)?,
                b'o' if !outputs => return None,
                b'f' if circuit.justice.is_empty() => return None,
                _ => *index,
            };
            Some((*kind, index, name.clone()))
        });
        Symbols { entries: entries.collect() }
    }

    /// The invariant of the small circuit as one of the large circuit.
    fn widen_invariant(&self, invariant: Invariant) -> Invariant {
        match invariant {
            Invariant::States { latches, states } => {
                let latches = latches.into_iter().map(|l| self.latches[l as usize] as u32);
                Invariant::States { latches: latches.collect(), states }
            }
            Invariant::Clauses(clauses) => Invariant::Clauses(self.widen_clauses(clauses)),
            Invariant::KInductive { k, simple_path, lemmas } => {
                Invariant::KInductive { k, simple_path, lemmas: self.widen_clauses(lemmas) }
            }
            Invariant::Aig(aig) => {
                let shift = (self.large_latches - self.latches.len()) as u32;
                let widen = |lit: Lit| match lit.var() {
                    0 => lit,
                    var if var <= aig.inputs => {
                        let latch = self.latches[var as usize - 1] as u32;
                        Lit::new(1 + latch, lit.is_negated())
                    }
                    var => Lit::new(var + shift, lit.is_negated()),
                };
                let gate = |and: &And| And { left: widen(and.left), right: widen(and.right) };
                Invariant::Aig(Box::new(Circuit {
                    inputs: self.large_latches as u32,
                    ands: aig.ands.iter().map(gate).collect(),
                    outputs: aig.outputs.iter().map(|&lit| widen(lit)).collect(),
                    ..Circuit::default()
                }))
            }
            other @ Invariant::Justice { .. } => other,
        }
    }

    fn widen_clauses(&self, clauses: Vec<Vec<Lit>>) -> Vec<Vec<Lit>> {
        let widen = |lit: Lit| {
            let latch = self.latches[lit.var() as usize - 1 - self.inputs.len()];
            Lit::new((1 + self.large_inputs + latch) as u32, lit.is_negated())
        };
        clauses.into_iter().map(|clause| clause.into_iter().map(widen).collect()).collect()
    }

    /// The run of the small circuit as one of the large circuit.
    fn widen_trace(&self, large: &Circuit, mut trace: Trace) -> Trace {
        let dropped_function = (0..self.large_latches).any(|index| {
            self.latches.binary_search(&index).is_err()
                && large.latches[index].reset.var() != 0
                && !large.is_uninitialised(index)
        });
        if dropped_function {
            // A reset that was dropped may read what was left open; any value will do for it.
            let first = trace.inputs.first_mut().into_iter().flatten();
            for bit in trace.start.iter_mut().chain(first).filter(|bit| **bit == Bit::X) {
                *bit = Bit::Zero;
            }
        }
        let mut inputs = Vec::with_capacity(trace.inputs.len());
        for small in &trace.inputs {
            let mut step = vec![Bit::Zero; self.large_inputs];
            for (&index, &bit) in self.inputs.iter().zip(small) {
                step[index] = bit;
            }
            inputs.push(step);
        }
        let mut simulation = Simulation::new(large);
        for (index, bit) in inputs.first().into_iter().flatten().enumerate() {
            simulation.set_input(index, u64::from(*bit == Bit::One));
        }
        for (&index, &bit) in self.latches.iter().zip(&trace.start) {
            simulation.set_latch(index, u64::from(bit == Bit::One));
        }
        simulation.reset();
        let bit = |word: &u64| if word & 1 == 1 { Bit::One } else { Bit::Zero };
        let mut start: Vec<Bit> = simulation.latches().iter().map(bit).collect();
        for (&index, &bit) in self.latches.iter().zip(&trace.start) {
            start[index] = bit;
        }
        Trace { property: trace.property, start, inputs }
    }
}
