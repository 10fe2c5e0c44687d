//! Steps of a circuit as clauses, after Tseitin.
//!
//! Variable 1 is the constant false, which clause 1 says. The variables of step `t` follow in
//! blocks of `width`, a circuit's variable taking the place in its block that `rank` says; then
//! come auxiliary variables, in the order in which they first occur. Auxiliary variables imply what
//! they stand for but are not implied by it, which is all that a refutation needs; gates are
//! equivalences.
//!
//! Invariant: a clause's literals are sorted by variable, no variable occurs in it twice, and
//! clauses that contain a literal and its negation are left out.

use super::cone::{cone, gate, influence};
use crate::circuit::{Circuit, Latch, Lit};
use crate::evidence::circuit::Invariant;

/// Clauses in DIMACS' signs, numbered from 1 as LRAT numbers them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    literals: Vec<i32>,
    ends: Vec<usize>,
    variables: u32,
}

impl Cnf {
    /// The clauses, in order.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        self.ends.iter().enumerate().map(|(index, &end)| {
            let start = if index == 0 { 0 } else { self.ends[index - 1] };
            &self.literals[start..end]
        })
    }

    /// The number of variables; some of the numbers may be unused.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// One variable more.
    pub(in crate::obligation) fn fresh(&mut self) -> i32 {
        self.variables += 1;
        self.variables as i32
    }

    /// Adds a clause without repetitions, or nothing if the clause is always true.
    pub(in crate::obligation) fn add(&mut self, clause: impl IntoIterator<Item = i32>) {
        let start = self.literals.len();
        self.literals.extend(clause);
        self.literals[start..].sort_unstable_by_key(|lit| (lit.unsigned_abs(), *lit));
        let mut end = start;
        for index in start..self.literals.len() {
            let lit = self.literals[index];
            if end > start && self.literals[end - 1] == lit {
                continue;
            }
            if end > start && self.literals[end - 1] == -lit {
                self.literals.truncate(start);
                return;
            }
            self.literals[end] = lit;
            end += 1;
        }
        self.literals.truncate(end);
        self.ends.push(end);
    }

    /// Adds the clauses of `gate = left ∧ right`.
    fn add_and(&mut self, gate: i32, left: i32, right: i32) {
        self.add([-gate, left]);
        self.add([-gate, right]);
        self.add([gate, -left, -right]);
    }

    /// Adds the clauses of `left = right`.
    fn add_equal(&mut self, left: i32, right: i32) {
        self.add([-left, right]);
        self.add([left, -right]);
    }
}

/// Writes steps of a circuit as clauses.
pub(super) struct Encoder<'a> {
    circuit: &'a Circuit,
    /// The position of a variable in a step, counted from 1.
    rank: &'a [u32],
    /// The number of variables of a step.
    width: u32,
    /// Scratch for `influence`.
    seen: Vec<bool>,
    cnf: Cnf,
}

impl<'a> Encoder<'a> {
    /// An encoder that numbers the variables of `steps` steps.
    pub(super) fn new(circuit: &'a Circuit, rank: &'a [u32], width: u32, steps: u32) -> Self {
        let mut cnf = Cnf { variables: 1 + steps * width, ..Cnf::default() };
        cnf.add([-1]);
        Encoder { circuit, rank, width, seen: vec![false; rank.len()], cnf }
    }

    pub(super) fn into_cnf(self) -> Cnf {
        self.cnf
    }

    /// The DIMACS literal of `lit` in step `step`.
    fn lit(&self, step: u32, lit: Lit) -> i32 {
        let rank = self.rank[lit.var() as usize];
        let var = if lit.var() == 0 { 1 } else { 1 + step * self.width + rank };
        // Outside of the cone the number would be another variable's, and a proof about it wrong.
        assert!(lit.var() == 0 || rank != 0, "literal {lit:?} is outside of the cone");
        if lit.is_negated() { -(var as i32) } else { var as i32 }
    }

    fn fresh(&mut self) -> i32 {
        self.cnf.fresh()
    }

    /// Steps `0..=last` of a run on which the constraints hold and so does `claim` of each step;
    /// `used` are latches that other clauses mention in any step.
    ///
    /// The last step comes first, so that each step knows which latches the next one needs.
    pub(super) fn run(
        &mut self,
        last: u32,
        from_reset: bool,
        used: &[Lit],
        claim: impl Fn(u32) -> Option<Lit>,
    ) {
        let circuit = self.circuit;
        let mut needed: Vec<Lit> = used.to_vec();
        for step in (0..=last).rev() {
            let asserted = circuit.constraints.iter().copied().chain(claim(step));
            needed.extend(asserted.clone());
            let first = step == 0 && from_reset;
            let through = |latch: &Latch| [first.then_some(latch.reset), None];
            let cone = influence(circuit, &mut self.seen, needed.drain(..), through);
            for lit in asserted {
                self.cnf.add([self.lit(step, lit)]);
            }
            needed.extend(used);
            for var in cone.into_iter().filter(|var| *var > circuit.inputs) {
                let output = Lit::new(var, false);
                if let Some(and) = gate(circuit, var) {
                    let [left, right] = [and.left, and.right].map(|lit| self.lit(step, lit));
                    self.cnf.add_and(self.lit(step, output), left, right);
                    continue;
                }
                let latch = circuit.latches[(var - circuit.inputs - 1) as usize];
                if step > 0 {
                    self.cnf.add_equal(self.lit(step, output), self.lit(step - 1, latch.next));
                    needed.push(latch.next);
                } else if first {
                    // An uninitialised latch equals itself, which gives no clause.
                    self.cnf.add_equal(self.lit(0, output), self.lit(0, latch.reset));
                }
            }
        }
    }

    /// The states of two steps differ in one of `latches`.
    pub(super) fn differ(&mut self, early: u32, late: u32, latches: &[Lit]) {
        let mut some = Vec::with_capacity(latches.len());
        for &latch in latches {
            let (a, b) = (self.lit(early, latch), self.lit(late, latch));
            let here = self.fresh();
            self.cnf.add([-here, a, b]);
            self.cnf.add([-here, -a, -b]);
            some.push(here);
        }
        self.cnf.add(some);
    }

    /// The invariant holds in the state of `step`, or does not; of an induction, its lemmas.
    pub(super) fn invariant(&mut self, step: u32, invariant: &Invariant, holds: bool) {
        match invariant {
            Invariant::Clauses(clauses) | Invariant::KInductive { lemmas: clauses, .. }
                if holds =>
            {
                for clause in clauses {
                    let literals: Vec<i32> = clause.iter().map(|l| self.lit(step, *l)).collect();
                    self.cnf.add(literals);
                }
            }
            Invariant::Clauses(clauses) | Invariant::KInductive { lemmas: clauses, .. } => {
                let mut some = Vec::with_capacity(clauses.len());
                for clause in clauses {
                    let violated = self.fresh();
                    for &lit in clause {
                        self.cnf.add([-violated, -self.lit(step, lit)]);
                    }
                    some.push(violated);
                }
                self.cnf.add(some);
            }
            Invariant::Aig(aig) => {
                let output = self.combinational(step, aig);
                self.cnf.add([if holds { output } else { -output }]);
            }
            Invariant::States { .. } | Invariant::Justice { .. } => {}
        }
    }

    /// The output of `aig`, whose inputs are the latches in `step`.
    fn combinational(&mut self, step: u32, aig: &Circuit) -> i32 {
        let mut literal = vec![1; aig.max_var() as usize + 1];
        let signed = |literal: &[i32], lit: Lit| {
            let positive = literal[lit.var() as usize];
            if lit.is_negated() { -positive } else { positive }
        };
        for var in cone(aig, aig.outputs.iter().copied()) {
            literal[var as usize] = match gate(aig, var) {
                None => self.lit(step, self.circuit.latch(var as usize - 1)),
                Some(and) => {
                    let output = self.fresh();
                    let [left, right] = [and.left, and.right].map(|lit| signed(&literal, lit));
                    self.cnf.add_and(output, left, right);
                    output
                }
            };
        }
        signed(&literal, aig.outputs[0])
    }
}
