//! Random circuits that are small enough for brute force.

use super::build::{and, circuit};
use crate::Rng;
use alphorn_problem::circuit::{And, Circuit, Latch, Lit};

/// How large random circuits are at most.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The most inputs.
    pub inputs: u32,
    /// The most latches.
    pub latches: usize,
    /// The most gates; there is one at least.
    pub gates: usize,
}

impl Size {
    /// For oracles that look at all paths.
    pub const SMALL: Size = Size { inputs: 4, latches: 4, gates: 12 };
    /// For oracles that look at all states.
    pub const MEDIUM: Size = Size { inputs: 4, latches: 5, gates: 14 };
}

/// A literal of the variables up to `max`, or a constant.
pub fn lit(rng: &mut Rng, max: u32) -> Lit {
    Lit(rng.below(2 * (max + 1)))
}

/// A valid circuit of medium size with one bad state, sometimes constraints and reset functions.
pub fn random_circuit(rng: &mut Rng) -> Circuit {
    circuit_of(rng, Size::MEDIUM)
}

/// A valid circuit of a size with one bad state, sometimes constraints and reset functions.
pub fn circuit_of(rng: &mut Rng, size: Size) -> Circuit {
    loop {
        let inputs = rng.below(size.inputs + 1);
        let latches = rng.below(size.latches + 1);
        let gates = 1 + rng.below(size.gates);
        let circuit = attempt(rng, inputs, latches, gates);
        if circuit.validate().is_ok() {
            return circuit;
        }
    }
}

/// A valid circuit with exactly so many inputs, latches and gates, otherwise like the others.
pub fn circuit_with(rng: &mut Rng, inputs: u32, latches: usize, gates: usize) -> Circuit {
    loop {
        let circuit = attempt(rng, inputs, latches, gates);
        if circuit.validate().is_ok() {
            return circuit;
        }
    }
}

/// A circuit whose resets may depend on each other.
fn attempt(rng: &mut Rng, inputs: u32, latches: usize, gates: usize) -> Circuit {
    let mut circuit = circuit(inputs, latches);
    for _ in 0..gates {
        let max = circuit.max_var();
        let (left, right) = (lit(rng, max), lit(rng, max));
        and(&mut circuit, left, right);
    }
    let max = circuit.max_var();
    for index in 0..circuit.latches.len() {
        circuit.latches[index].next = lit(rng, max);
        circuit.latches[index].reset = match rng.below(8) {
            0 => lit(rng, max),
            1 => circuit.latch(index),
            constant => Lit(constant as u32 & 1),
        };
    }
    circuit.bads.push(lit(rng, max));
    for _ in 0..rng.pick(&[0, 0, 1, 2]) {
        circuit.constraints.push(lit(rng, max));
    }
    circuit
}

/// The circuit with copies of some of its latches, and with some readers that read the copies; a
/// copy may be the opposite.
pub fn with_copies(rng: &mut Rng, circuit: &Circuit) -> Circuit {
    let old = circuit.latches.len();
    let originals: Vec<(usize, bool)> = (0..rng.below(3))
        .filter(|_| old > 0)
        .map(|_| (rng.below(old), rng.below(2) == 1))
        .collect();
    let originals: Vec<(usize, bool)> = originals
        .into_iter()
        .filter(|(index, _)| circuit.latches[*index].reset.var() == 0)
        .collect();
    let first_gate = 1 + circuit.inputs + old as u32;
    let shift = originals.len() as u32;
    let moved = |lit: Lit| match lit.var() < first_gate {
        true => lit,
        false => Lit::new(lit.var() + shift, lit.is_negated()),
    };
    let mut read = |lit: Lit| {
        let copies = originals.iter().enumerate();
        let mut copies = copies.filter(|(_, (index, _))| circuit.latch(*index).var() == lit.var());
        match copies.next_back() {
            Some((copy, (_, opposite))) if rng.below(2) == 1 => {
                Lit::new(first_gate + copy as u32, lit.is_negated() != *opposite)
            }
            _ => moved(lit),
        }
    };
    let mut large = circuit.clone();
    for gate in &mut large.ands {
        *gate = And { left: read(gate.left), right: read(gate.right) };
    }
    for latch in &mut large.latches {
        *latch = Latch { next: read(latch.next), reset: moved(latch.reset) };
    }
    for lit in large.bads.iter_mut().chain(&mut large.constraints) {
        *lit = read(*lit);
    }
    for (index, opposite) in originals {
        let latch = circuit.latches[index];
        let (next, reset) = (moved(latch.next).xor(opposite), latch.reset.xor(opposite));
        large.latches.push(Latch { next, reset });
    }
    large.validate().expect("copies are well formed");
    large
}
