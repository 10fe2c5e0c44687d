//! Evaluates a circuit on 64 patterns at a time.
//!
//! A wire carries a word, one bit per pattern. Gates come after their fan-ins, so one pass
//! settles them. Resets are evaluated in an order computed once: each latch, and each gate that a
//! reset reads, after what it reads.

use super::{first_gate, gate_of, latch_of};
use alphorn_problem::circuit::{Circuit, Lit};

/// A circuit with a word on every wire; all are 0 at first.
pub struct Simulation<'a> {
    circuit: &'a Circuit,
    values: Vec<u64>,
    state: Vec<u64>,
    resets: Vec<u32>,
}

impl<'a> Simulation<'a> {
    /// A simulation of a valid circuit.
    pub fn new(circuit: &'a Circuit) -> Simulation<'a> {
        Simulation {
            circuit,
            values: vec![0; circuit.max_var() as usize + 1],
            state: Vec::with_capacity(circuit.latches.len()),
            resets: circuit.reset_schedule(),
        }
    }

    /// The word on `lit`, as of when it was last set, reset or settled.
    #[inline]
    pub fn value(&self, lit: Lit) -> u64 {
        self.values[lit.var() as usize] ^ 0u64.wrapping_sub(u64::from(lit.0 & 1))
    }

    /// Puts a word on input `index`.
    pub fn set_input(&mut self, index: usize, word: u64) {
        self.values[1 + index] = word;
    }

    /// The words on the inputs.
    pub fn inputs(&self) -> &[u64] {
        &self.values[1..=self.circuit.inputs as usize]
    }

    /// Puts a word on latch `index`.
    pub fn set_latch(&mut self, index: usize, word: u64) {
        self.values[1 + self.circuit.inputs as usize + index] = word;
    }

    /// The words on the latches.
    pub fn latches(&self) -> &[u64] {
        let first = 1 + self.circuit.inputs as usize;
        &self.values[first..first + self.circuit.latches.len()]
    }

    /// The words on the latches, to be changed.
    pub fn latches_mut(&mut self) -> &mut [u64] {
        let first = 1 + self.circuit.inputs as usize;
        &mut self.values[first..first + self.circuit.latches.len()]
    }

    /// Gives the latches that have a reset its value under the inputs and uninitialised latches.
    pub fn reset(&mut self) {
        for index in 0..self.resets.len() {
            let var = self.resets[index];
            let word = match (gate_of(self.circuit, var), latch_of(self.circuit, var)) {
                (Some(and), _) => self.value(and.left) & self.value(and.right),
                (None, Some(latch)) => self.value(self.circuit.latches[latch].reset),
                (None, None) => unreachable!("the schedule has gates and latches only"),
            };
            self.values[var as usize] = word;
        }
    }

    /// Evaluates all gates under the inputs and latches.
    pub fn settle(&mut self) {
        let gates = first_gate(self.circuit) as usize..;
        for (var, and) in gates.zip(&self.circuit.ands) {
            self.values[var] = self.value(and.left) & self.value(and.right);
        }
    }

    /// The patterns in which all constraints hold; the gates must be settled.
    pub fn allowed(&self) -> u64 {
        self.circuit.constraints.iter().fold(!0, |word, &lit| word & self.value(lit))
    }

    /// Moves every latch to its next value; the gates must be settled.
    pub fn advance(&mut self) {
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        state.extend(self.circuit.latches.iter().map(|latch| self.value(latch.next)));
        self.latches_mut().copy_from_slice(&state);
        self.state = state;
    }
}
