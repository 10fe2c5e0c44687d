//! The bad copy of a run as clauses: what follows where a latch may have the wrong value.
//!
//! What does not depend on the fault is a constant, so that only the part of the run that it reaches has
//! clauses.

use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_sat::{Lit, Options, Solver};

/// The steps of a run so far.
pub(super) struct Faulty<'a> {
    circuit: &'a Circuit,
    pub(super) solver: Solver,
    /// A literal that is true.
    truth: Lit,
    /// By variable: its value in the last step.
    values: Vec<Lit>,
}

impl<'a> Faulty<'a> {
    pub(super) fn new(circuit: &'a Circuit) -> Faulty<'a> {
        let mut solver = Solver::new(Options::default());
        let truth = solver.new_var().positive();
        solver.add_clause(&[truth]);
        let values = vec![!truth; circuit.max_var() as usize + 1];
        Faulty { circuit, solver, truth, values }
    }

    fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    /// Whether a literal does not depend on the fault.
    pub(super) fn is_constant(&self, lit: Lit) -> bool {
        lit.var() == self.truth.var()
    }

    /// What a literal is in the last step.
    pub(super) fn value(&self, lit: Bit) -> Lit {
        self.values[lit.var() as usize].xor(lit.is_negated())
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

    /// Has at most one of the literals be true.
    pub(super) fn at_most_one(&mut self, lits: &[Lit]) {
        let mut before: Option<Lit> = None;
        for &lit in lits {
            let so_far = self.solver.new_var().positive();
            self.solver.add_clause(&[!lit, so_far]);
            if let Some(before) = before {
                self.solver.add_clause(&[!before, so_far]);
                self.solver.add_clause(&[!before, !lit]);
            }
            before = Some(so_far);
        }
    }
}
