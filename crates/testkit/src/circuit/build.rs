//! Circuits by hand: gates, and a counter.

use alphorn_problem::circuit::{And, Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::Bit;

/// The bits of a row of a trace: `0`, `1`, anything else for a bit that does not matter.
pub fn bits(text: &str) -> Vec<Bit> {
    let bit = |c| match c {
        '0' => Bit::Zero,
        '1' => Bit::One,
        _ => Bit::X,
    };
    text.chars().map(bit).collect()
}

/// A circuit with `inputs` inputs and `latches` latches that start with 0 and stay.
pub fn circuit(inputs: u32, latches: usize) -> Circuit {
    let mut circuit = Circuit { inputs, ..Circuit::default() };
    for index in 0..latches {
        let next = circuit.latch(index);
        circuit.latches.push(Latch { next, reset: Lit::FALSE });
    }
    circuit
}

/// Adds the conjunction of `left` and `right`.
pub fn and(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    circuit.ands.push(And { left, right });
    circuit.gate(circuit.ands.len() - 1)
}

/// Adds the disjunction of `left` and `right`.
pub fn or(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    !and(circuit, !left, !right)
}

/// Adds the exclusive disjunction of `left` and `right`.
pub fn xor(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    let both = and(circuit, left, right);
    let none = and(circuit, !left, !right);
    and(circuit, !both, !none)
}

/// Adds a literal that is true where the first `bits` latches show `value`.
pub fn shows(circuit: &mut Circuit, bits: usize, value: usize) -> Lit {
    (0..bits).fold(Lit::TRUE, |all, bit| {
        let lit = circuit.latch(bit).xor(value >> bit & 1 == 0);
        and(circuit, all, lit)
    })
}

/// A counter of `bits` bits that counts while its input is 1 and goes from `last` back to 0;
/// it is bad to reach `bad`. `idle` further latches and inputs do not matter.
pub fn counter(bits: usize, last: usize, bad: usize, idle: usize) -> Circuit {
    let mut circuit = circuit(1 + idle as u32, bits + idle);
    let at_last = shows(&mut circuit, bits, last);
    let mut carry = circuit.input(0);
    let wrap = and(&mut circuit, carry, at_last);
    for bit in 0..bits {
        let latch = circuit.latch(bit);
        let sum = xor(&mut circuit, latch, carry);
        circuit.latches[bit].next = and(&mut circuit, sum, !wrap);
        carry = and(&mut circuit, carry, latch);
    }
    for index in 0..idle {
        let (latch, input) = (circuit.latch(bits + index), circuit.input(1 + index));
        circuit.latches[bits + index].next = xor(&mut circuit, latch, input);
        circuit.latches[bits + index].reset = [Lit::TRUE, latch, input][index % 3];
    }
    let bad = shows(&mut circuit, bits, bad);
    circuit.bads.push(bad);
    circuit.validate().expect("the counter is well formed");
    circuit
}
