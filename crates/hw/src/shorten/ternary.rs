//! Simulation with unknowns: every wire is 0, 1 or not known.
//!
//! A wire carries two bits, whether it can be 0 and whether it can be 1; an unknown can be both. A
//! conjunction can be 1 if both sides can, and 0 if one can.

use crate::circuit::first_gate;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Bit, Trace};

/// A value that may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ternary {
    /// False.
    Zero,
    /// True.
    One,
    /// Either.
    Unknown,
}

impl Ternary {
    fn not(self) -> Ternary {
        match self {
            Ternary::Zero => Ternary::One,
            Ternary::One => Ternary::Zero,
            Ternary::Unknown => Ternary::Unknown,
        }
    }

    fn and(self, other: Ternary) -> Ternary {
        match (self, other) {
            (Ternary::Zero, _) | (_, Ternary::Zero) => Ternary::Zero,
            (Ternary::One, Ternary::One) => Ternary::One,
            _ => Ternary::Unknown,
        }
    }

    fn of(bit: Bit) -> Ternary {
        match bit {
            Bit::Zero => Ternary::Zero,
            Bit::One => Ternary::One,
            Bit::X => Ternary::Unknown,
        }
    }
}

/// A run of a circuit, simulated step by step.
pub struct TernarySimulation<'a> {
    circuit: &'a Circuit,
    trace: &'a Trace,
    values: Vec<Ternary>,
    next: Vec<Ternary>,
    /// How many steps have been settled.
    step: usize,
}

impl<'a> TernarySimulation<'a> {
    /// The beginning of a run; its shape must fit the circuit.
    pub fn new(circuit: &'a Circuit, trace: &'a Trace) -> TernarySimulation<'a> {
        let mut values = vec![Ternary::Zero; circuit.max_var() as usize + 1];
        for (index, bit) in trace.start.iter().enumerate() {
            values[circuit.latch(index).var() as usize] = Ternary::of(*bit);
        }
        let next = Vec::with_capacity(circuit.latches.len());
        TernarySimulation { circuit, trace, values, next, step: 0 }
    }

    /// Settles the next step of the run; false when there is none.
    pub fn advance(&mut self) -> bool {
        let Some(inputs) = self.trace.inputs.get(self.step) else { return false };
        if self.step > 0 {
            let mut next = std::mem::take(&mut self.next);
            next.clear();
            next.extend(self.circuit.latches.iter().map(|latch| self.value(latch.next)));
            let first = 1 + self.circuit.inputs as usize;
            self.values[first..first + next.len()].copy_from_slice(&next);
            self.next = next;
        }
        for (value, bit) in self.values[1..].iter_mut().zip(inputs) {
            *value = Ternary::of(*bit);
        }
        for (var, and) in (first_gate(self.circuit) as usize..).zip(&self.circuit.ands) {
            self.values[var] = self.value(and.left).and(self.value(and.right));
        }
        self.step += 1;
        true
    }

    /// The value of a literal in the step that was settled last.
    pub fn value(&self, lit: Lit) -> Ternary {
        let value = self.values[lit.var() as usize];
        if lit.is_negated() { value.not() } else { value }
    }
}
