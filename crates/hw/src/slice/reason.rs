//! What of a slice a proof about it needs.
//!
//! The clauses of an invariant of the slice are asked about in the whole circuit: that they hold in first states, that a
//! step keeps them, and that they exclude bad states. A state that the step leads to counts if the constraints hold there
//! as well, for some inputs, as in the obligations of a certificate. What is shut is assumed, first only what was needed before, and
//! all of it where that does not suffice; what a refutation then needs is needed.

use crate::ask::{ask, make_variables, same};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_sat::Solver;
use std::collections::BTreeSet;

/// Those of the shut literals that proofs of the clauses need, in the order of variables.
pub(super) fn needed(
    circuit: &Circuit,
    clauses: &[Vec<Lit>],
    shut: &BTreeSet<Lit>,
    ctx: &mut Ctx<'_>,
) -> Result<BTreeSet<Lit>, Stop> {
    let count = circuit.max_var() + 1;
    let mut reasons = Reasons { shut, needed: BTreeSet::new(), count };
    let mut first = step(circuit);
    for (index, latch) in circuit.latches.iter().enumerate() {
        if !circuit.is_uninitialised(index) {
            let (latch, reset) = (same(circuit.latch(index)), same(latch.reset));
            first.add_clause(&[!latch, reset]);
            first.add_clause(&[latch, !reset]);
        }
    }
    for clause in clauses {
        let none: Vec<Lit> = clause.iter().map(|lit| !*lit).collect();
        reasons.refute(&mut first, &none, |_| true, 1, ctx)?;
    }
    let mut later = step(circuit);
    let steps = if circuit.constraints.is_empty() { 1 } else { 2 };
    if steps == 2 {
        make_variables(&mut later, 2 * count);
        add_step(&mut later, circuit, count);
        for (index, latch) in circuit.latches.iter().enumerate() {
            let [after, next] = [shifted(circuit.latch(index), count), latch.next].map(same);
            later.add_clause(&[!after, next]);
            later.add_clause(&[after, !next]);
        }
    }
    for clause in clauses {
        let clause: Vec<_> = clause.iter().map(|lit| same(*lit)).collect();
        later.add_clause(&clause);
    }
    // Latches are shut in the first state alone.
    let is_input = |lit: &Lit| lit.var() <= circuit.inputs;
    let next = |lit: &Lit| {
        let index = (lit.var() - 1 - circuit.inputs) as usize;
        circuit.latches[index].next.xor(lit.is_negated())
    };
    for clause in clauses {
        let none: Vec<Lit> = clause.iter().map(|lit| !next(lit)).collect();
        reasons.refute(&mut later, &none, is_input, steps, ctx)?;
    }
    let mut last = step(circuit);
    for clause in clauses {
        let clause: Vec<_> = clause.iter().map(|lit| same(*lit)).collect();
        last.add_clause(&clause);
    }
    reasons.refute(&mut last, &[circuit.safety()[0]], is_input, 1, ctx)?;
    Ok(reasons.needed)
}

/// A solver that knows a step, whose variables are those of the circuit, under the constraints.
fn step(circuit: &Circuit) -> Solver {
    let mut solver = Solver::default();
    make_variables(&mut solver, circuit.max_var() + 1);
    add_step(&mut solver, circuit, 0);
    solver
}

/// The literal of a step whose variables come after `count` others.
fn shifted(lit: Lit, count: u32) -> Lit {
    Lit::new(lit.var() + count, lit.is_negated())
}

/// Adds a step whose variables come after `count` others.
fn add_step(solver: &mut Solver, circuit: &Circuit, count: u32) {
    let at = |lit: Lit| same(shifted(lit, count));
    solver.add_clause(&[at(Lit::TRUE)]);
    for (index, and) in circuit.ands.iter().enumerate() {
        let [gate, left, right] = [circuit.gate(index), and.left, and.right].map(at);
        solver.add_clause(&[!gate, left]);
        solver.add_clause(&[!gate, right]);
        solver.add_clause(&[gate, !left, !right]);
    }
    for constraint in &circuit.constraints {
        solver.add_clause(&[at(*constraint)]);
    }
}

struct Reasons<'a> {
    shut: &'a BTreeSet<Lit>,
    needed: BTreeSet<Lit>,
    /// How many variables a step has.
    count: u32,
}

impl Reasons<'_> {
    /// Notes what it needs, assumed at each of the steps, that the literals cannot be true together.
    fn refute(
        &mut self,
        solver: &mut Solver,
        lits: &[Lit],
        is_assumed: impl Fn(&Lit) -> bool,
        steps: u32,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        for known in [true, false] {
            let assumed = if known { &self.needed } else { self.shut };
            let at_steps =
                |lit: &Lit| (0..steps).map(|step| shifted(*lit, step * self.count)).collect();
            let assumed = assumed.iter().filter(|lit| is_assumed(lit));
            let assumptions: Vec<_> = (assumed.flat_map::<Vec<Lit>, _>(at_steps))
                .chain(lits.iter().copied())
                .map(same)
                .collect();
            if ask(solver, &assumptions, None, ctx)? {
                continue;
            }
            if !known {
                let failed = |lit: &&Lit| {
                    let at = |step| same(shifted(**lit, step * self.count));
                    is_assumed(lit) && (0..steps).any(|step| solver.is_failed(at(step)))
                };
                self.needed.extend(self.shut.iter().filter(failed));
            }
            return Ok(());
        }
        Err(Stop::Stuck("what was proved of a slice does not hold of it".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_engine::Stopper;
    use alphorn_problem::circuit::Latch;

    /// A latch follows an input that is shut, and the constraint excludes the states in which it is true.
    #[test]
    fn a_clause_may_be_kept_by_the_constraints_of_the_step_after() {
        let latch = Lit::new(2, false);
        let circuit = Circuit {
            inputs: 1,
            latches: vec![Latch { next: Lit::new(1, false), reset: Lit::FALSE }],
            bads: vec![latch],
            constraints: vec![!latch],
            ..Circuit::default()
        };
        let mut sink = |_| {};
        let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
        let shut = BTreeSet::from([Lit::new(1, true)]);
        let found = needed(&circuit, &[vec![!latch]], &shut, &mut ctx);
        assert!(found.expect("the clause holds").is_empty());
    }
}
