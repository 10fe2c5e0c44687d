//! What of a slice a proof about it needs.
//!
//! The clauses of an invariant of the slice are asked about in the whole circuit: that they hold in first states, that a
//! step keeps them, and that they exclude bad states. What is shut is assumed, first only what was needed before, and
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
    let mut reasons = Reasons { shut, needed: BTreeSet::new() };
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
        reasons.refute(&mut first, &none, |_| true, ctx)?;
    }
    let mut later = step(circuit);
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
        reasons.refute(&mut later, &none, is_input, ctx)?;
    }
    reasons.refute(&mut later, &[circuit.safety()[0]], is_input, ctx)?;
    Ok(reasons.needed)
}

/// A solver that knows a step, whose variables are those of the circuit, under the constraints.
fn step(circuit: &Circuit) -> Solver {
    let mut solver = Solver::default();
    make_variables(&mut solver, circuit.max_var() + 1);
    solver.add_clause(&[same(Lit::TRUE)]);
    for (index, and) in circuit.ands.iter().enumerate() {
        let [gate, left, right] = [circuit.gate(index), and.left, and.right].map(same);
        solver.add_clause(&[!gate, left]);
        solver.add_clause(&[!gate, right]);
        solver.add_clause(&[gate, !left, !right]);
    }
    for constraint in &circuit.constraints {
        solver.add_clause(&[same(*constraint)]);
    }
    solver
}

struct Reasons<'a> {
    shut: &'a BTreeSet<Lit>,
    needed: BTreeSet<Lit>,
}

impl Reasons<'_> {
    /// Notes what it needs that the literals cannot be true together.
    fn refute(
        &mut self,
        solver: &mut Solver,
        lits: &[Lit],
        is_assumed: impl Fn(&Lit) -> bool,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        for known in [true, false] {
            let assumed = if known { &self.needed } else { self.shut };
            let assumptions: Vec<_> = (assumed.iter().filter(|lit| is_assumed(lit)))
                .chain(lits)
                .map(|lit| same(*lit))
                .collect();
            if ask(solver, &assumptions, None, ctx)? {
                continue;
            }
            if !known {
                let failed = |lit: &&Lit| is_assumed(lit) && solver.is_failed(same(**lit));
                self.needed.extend(self.shut.iter().filter(failed));
            }
            return Ok(());
        }
        Err(Stop::Stuck("what was proved of a slice does not hold of it".into()))
    }
}
