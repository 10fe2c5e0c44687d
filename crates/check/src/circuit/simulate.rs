//! Evaluates a circuit: one pattern, 64 patterns at a time, or one pattern with unknowns.
//!
//! One evaluator serves all three, because an and-inverter graph needs only conjunction and
//! negation: `bool` is one pattern, `u64` has a pattern per bit, and `Ternary` stands for every
//! pattern that fills in its unknowns. Gates come after their fan-ins, so one pass settles them.
//! Resets are evaluated in an order that is computed once: a latch's reset after the latches it
//! reads.
//!
//! Invariant: a ternary value that is known is the value under every way to fill in the unknowns.

use std::ops::{BitAnd, Not};

use alphorn_problem::circuit::{Circuit, Lit};

/// The largest number of variables of a circuit that evidence is checked for.
///
/// Inputs cost a file nothing, so that without a bound a line of text could ask for gigabytes.
pub const MAX_VARIABLES: usize = 1 << 28;

/// What a wire can carry.
pub trait Value: Copy + PartialEq + BitAnd<Output = Self> + Not<Output = Self> {
    /// False, in every pattern.
    const FALSE: Self;
}

impl Value for bool {
    const FALSE: bool = false;
}

impl Value for u64 {
    const FALSE: u64 = 0;
}

/// A truth value or the lack of knowledge of it, in Kleene's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ternary {
    /// False whatever the unknowns are.
    Zero,
    /// Perhaps false, perhaps true.
    Unknown,
    /// True whatever the unknowns are.
    One,
}

impl BitAnd for Ternary {
    type Output = Ternary;
    fn bitand(self, other: Ternary) -> Ternary {
        self.min(other)
    }
}

impl Not for Ternary {
    type Output = Ternary;
    fn not(self) -> Ternary {
        match self {
            Ternary::Zero => Ternary::One,
            Ternary::Unknown => Ternary::Unknown,
            Ternary::One => Ternary::Zero,
        }
    }
}

impl Value for Ternary {
    const FALSE: Ternary = Ternary::Zero;
}

/// A circuit with a value on every wire; all are false at first.
pub struct Simulation<'a, V> {
    circuit: &'a Circuit,
    /// By variable.
    values: Vec<V>,
    /// Scratch for the next state.
    state: Vec<V>,
    /// The latches that have a reset, and the gates those read, each after what it reads.
    resets: Vec<u32>,
}

impl<'a, V: Value> Simulation<'a, V> {
    /// A simulation of `circuit`, or why the circuit is malformed.
    pub fn new(circuit: &'a Circuit) -> Result<Self, String> {
        well_formed(circuit)?;
        let values = vec![V::FALSE; circuit.max_var() as usize + 1];
        let resets = reset_schedule(circuit)?;
        Ok(Simulation { circuit, values, state: Vec::with_capacity(circuit.latches.len()), resets })
    }

    /// The value of `lit`, as of when it was last set, reset or settled.
    pub fn value(&self, lit: Lit) -> V {
        let value = self.values[lit.var() as usize];
        if lit.is_negated() { !value } else { value }
    }

    /// Sets an input or a latch, by its variable.
    pub fn set(&mut self, var: u32, value: V) {
        debug_assert!(0 < var && var <= self.circuit.inputs + self.circuit.latches.len() as u32);
        self.values[var as usize] = value;
    }

    /// Gives the latches that have a reset its value under the inputs and uninitialised latches.
    pub fn reset(&mut self) {
        let circuit = self.circuit;
        let first_gate = first_gate(circuit);
        for index in 0..self.resets.len() {
            let var = self.resets[index];
            if var >= first_gate {
                self.settle_gate(var, first_gate);
            } else {
                let latch = circuit.latches[(var - circuit.inputs - 1) as usize];
                self.values[var as usize] = self.value(latch.reset);
            }
        }
    }

    /// Evaluates all gates under the inputs and latches.
    pub fn settle(&mut self) {
        let first_gate = first_gate(self.circuit);
        (first_gate..=self.circuit.max_var()).for_each(|var| self.settle_gate(var, first_gate));
    }

    /// Evaluates the gates among `vars`, which are in ascending order.
    pub fn settle_only(&mut self, vars: &[u32]) {
        let first_gate = first_gate(self.circuit);
        let start = vars.partition_point(|var| *var < first_gate);
        vars[start..].iter().for_each(|var| self.settle_gate(*var, first_gate));
    }

    fn settle_gate(&mut self, var: u32, first_gate: u32) {
        let and = self.circuit.ands[(var - first_gate) as usize];
        self.values[var as usize] = self.value(and.left) & self.value(and.right);
    }

    /// Moves every latch to its next value; the gates must be settled.
    pub fn advance(&mut self) {
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        state.extend(self.circuit.latches.iter().map(|latch| self.value(latch.next)));
        let first_latch = 1 + self.circuit.inputs as usize;
        self.values[first_latch..first_latch + state.len()].copy_from_slice(&state);
        self.state = state;
    }

    /// The values of the latches.
    pub fn state(&self) -> &[V] {
        let first_latch = 1 + self.circuit.inputs as usize;
        &self.values[first_latch..first_latch + self.circuit.latches.len()]
    }
}

/// The variable of the first gate.
fn first_gate(circuit: &Circuit) -> u32 {
    1 + circuit.inputs + circuit.latches.len() as u32
}

/// Checks all that evaluating a circuit relies on.
pub(super) fn well_formed(circuit: &Circuit) -> Result<(), String> {
    let variables = circuit.latches.len().saturating_add(circuit.ands.len());
    if variables.saturating_add(circuit.inputs as usize) > MAX_VARIABLES {
        return Err(format!("the circuit has more than {MAX_VARIABLES} variables"));
    }
    circuit.validate()
}

/// The latches that have a reset, and the gates those read, each after what it reads.
fn reset_schedule(circuit: &Circuit) -> Result<Vec<u32>, String> {
    let first_gate = first_gate(circuit);
    let mut seen = vec![false; circuit.max_var() as usize + 1];
    let mut schedule = Vec::with_capacity(circuit.latches.len());
    let mut stack = Vec::new();
    for index in circuit.reset_order()? {
        if circuit.is_uninitialised(index) {
            continue;
        }
        let start = schedule.len();
        stack.push(circuit.latches[index].reset.var());
        while let Some(var) = stack.pop() {
            if var >= first_gate && !std::mem::replace(&mut seen[var as usize], true) {
                schedule.push(var);
                let and = circuit.ands[(var - first_gate) as usize];
                stack.extend([and.left.var(), and.right.var()]);
            }
        }
        // Gates are numbered after their fan-ins, and the latches they read come earlier in the
        // order of resets.
        schedule[start..].sort_unstable();
        schedule.push(circuit.latch(index).var());
    }
    Ok(schedule)
}
