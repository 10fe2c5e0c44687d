//! A run as clauses, in which values may be flipped.
//!
//! What does not depend on a flip is a constant, so that only the part of the run that flips reach has
//! clauses.

use crate::circuit::{first_gate, gate_of, latch_of, reset_schedule};
use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_problem::evidence::circuit::{self, Trace};
use alphorn_problem::evidence::flips::Flip;
use alphorn_sat::{Lit, Options, Solver};

/// The steps of a run so far.
pub(super) struct Flipped<'a> {
    circuit: &'a Circuit,
    /// By variable: whether it matters.
    seen: &'a [bool],
    pub(super) solver: Solver,
    /// A literal that is true.
    truth: Lit,
    /// By variable: its value in the last step.
    values: Vec<Lit>,
}

impl<'a> Flipped<'a> {
    pub(super) fn new(circuit: &'a Circuit, seen: &'a [bool]) -> Flipped<'a> {
        let mut solver = Solver::new(Options::default());
        let truth = solver.new_var().positive();
        solver.add_clause(&[truth]);
        let values = vec![!truth; circuit.max_var() as usize + 1];
        Flipped { circuit, seen, solver, truth, values }
    }

    fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    /// Whether a literal does not depend on flips.
    pub(super) fn is_constant(&self, lit: Lit) -> bool {
        lit.var() == self.truth.var()
    }

    /// What a literal is in the last step.
    pub(super) fn value(&self, lit: Bit) -> Lit {
        self.values[lit.var() as usize].xor(lit.is_negated())
    }

    /// Adds a step of a run, in which `control` says by which literal an input or a latch is inverted.
    pub(super) fn step(
        &mut self,
        trace: &Trace,
        step: usize,
        control: &mut impl FnMut(&mut Flipped<'a>, u32) -> Option<Lit>,
    ) {
        let circuit = self.circuit;
        let nexts: Vec<Lit> = circuit.latches.iter().map(|latch| self.value(latch.next)).collect();
        for (index, bit) in trace.inputs[step].iter().enumerate() {
            let value = self.constant(*bit == circuit::Bit::One);
            self.put(circuit.input(index).var(), value, control);
        }
        let first_latch = 1 + circuit.inputs as usize;
        if step == 0 {
            for (index, bit) in trace.start.iter().enumerate() {
                self.values[first_latch + index] = self.constant(*bit == circuit::Bit::One);
            }
            self.reset();
        } else {
            self.values[first_latch..first_latch + nexts.len()].copy_from_slice(&nexts);
        }
        for index in 0..circuit.latches.len() {
            let var = circuit.latch(index).var();
            let value = self.values[var as usize];
            self.put(var, value, control);
        }
        for var in first_gate(circuit)..=circuit.max_var() {
            self.gate(var);
        }
    }

    /// Begins a step of the bad copy of a run, whose good copy has these values: latches have what the step
    /// before gives them; in the first one they differ where the controls say so.
    pub(super) fn follow(&mut self, good: &[bool], controls: Option<&Vec<Lit>>) {
        let circuit = self.circuit;
        let nexts: Vec<Lit> = circuit.latches.iter().map(|latch| self.value(latch.next)).collect();
        let first_latch = 1 + circuit.inputs as usize;
        for (var, value) in good.iter().enumerate().take(first_latch) {
            self.values[var] = self.constant(*value);
        }
        for (index, next) in nexts.into_iter().enumerate() {
            let fine = self.constant(good[first_latch + index]);
            self.values[first_latch + index] = match controls {
                Some(controls) => self.xor(fine, controls[index]),
                None => next,
            };
        }
    }

    /// Gives a gate its value in the last step.
    pub(super) fn set(&mut self, var: u32, value: Lit) {
        self.values[var as usize] = value;
    }

    fn put(
        &mut self,
        var: u32,
        value: Lit,
        control: &mut impl FnMut(&mut Flipped<'a>, u32) -> Option<Lit>,
    ) {
        self.values[var as usize] = match control(self, var) {
            Some(flip) => self.xor(value, flip),
            None => value,
        };
    }

    /// Gives latches with reset functions their first values.
    fn reset(&mut self) {
        let circuit = self.circuit;
        for var in reset_schedule(circuit) {
            match latch_of(circuit, var) {
                Some(latch) => {
                    self.values[var as usize] = self.value(circuit.latches[latch].reset);
                }
                None => self.gate(var),
            }
        }
    }

    fn gate(&mut self, var: u32) {
        if !self.seen[var as usize] {
            return;
        }
        let Some(and) = gate_of(self.circuit, var) else { return };
        let (left, right) = (self.value(and.left), self.value(and.right));
        self.values[var as usize] = self.and(left, right);
    }

    /// The conjunction.
    pub(super) fn and(&mut self, left: Lit, right: Lit) -> Lit {
        for (one, other) in [(left, right), (right, left)] {
            if one == !self.truth || one == !other {
                return !self.truth;
            }
            if one == self.truth || one == other {
                return other;
            }
        }
        let both = self.solver.new_var().positive();
        self.solver.add_clause(&[!both, left]);
        self.solver.add_clause(&[!both, right]);
        self.solver.add_clause(&[both, !left, !right]);
        both
    }

    /// The difference.
    pub(super) fn xor(&mut self, left: Lit, right: Lit) -> Lit {
        for (one, other) in [(left, right), (right, left)] {
            if self.is_constant(one) {
                return other.xor(one == self.truth);
            }
        }
        let either = self.and(!left, !right);
        let both = self.and(left, right);
        self.and(!either, !both)
    }

    /// Has a literal be true in the last step.
    pub(super) fn require(&mut self, lit: Bit) {
        let value = self.value(lit);
        self.solver.add_clause(&[value]);
    }

    /// What is true if one of the controls is.
    pub(super) fn some(&mut self, group: &[(Flip, Lit)]) -> Lit {
        if let [(_, only)] = group {
            return *only;
        }
        let some = self.solver.new_var().positive();
        for (_, lit) in group {
            self.solver.add_clause(&[!*lit, some]);
        }
        some
    }

    /// At each position `n` up to `most`, what is true if more than `n` of the literals are.
    ///
    /// After Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints" (CP 2005).
    pub(super) fn counts(&mut self, lits: &[Lit], most: usize) -> Vec<Lit> {
        let mut counts: Vec<Lit> = Vec::new();
        for &lit in lits {
            let mut after = Vec::with_capacity(counts.len() + 1);
            for at in 0..=counts.len().min(most) {
                let more = self.solver.new_var().positive();
                if let Some(before) = counts.get(at) {
                    self.solver.add_clause(&[!*before, more]);
                }
                match at.checked_sub(1).map(|below| counts[below]) {
                    None => self.solver.add_clause(&[!lit, more]),
                    Some(below) => self.solver.add_clause(&[!lit, !below, more]),
                }
                after.push(more);
            }
            counts = after;
        }
        counts
    }
}
