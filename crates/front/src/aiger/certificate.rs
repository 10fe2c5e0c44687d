//! The invariant of a circuit as a *witness circuit*, the competition's form of a certificate.
//!
//! A witness circuit W simulates the model M and has an inductive property of its own. Their common
//! inputs and latches are named `= n` in W, where n is the literal in M. A checker asks a SAT solver
//! five questions: whether W starts where M does (reset), moves as M does (transition), is bad where
//! M is (property), and whether W's own property holds at first (base) and is kept (step).
//!
//! An invariant over latches makes W out of M by adding its gates: W is bad where M is or where the
//! invariant fails. For induction over k steps W remembers the k − 1 steps before the present one in
//! latches of its own, with a flag that says which of them happened. W's property is that all steps it
//! remembers are good, satisfy the constraints and follow each other, and that the oldest is a first
//! step if there were fewer than k − 1. That this is kept is exactly k-induction.
//!
//! Simple paths have no such form: that a state is not visited twice says nothing about the inputs
//! under which it is visited, and the checker's form for that needs quantifiers.
//!
//! After Yu, Froleyks, Biere et al., "Stratified Certification for k-Induction" (FMCAD 2022), and the
//! description of the competition's checker. We differ in that the present step is the model's, so
//! that the model's inputs stay inputs, and the past is what is added.

mod builder;

use alphorn_problem::Circuit;
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use builder::Builder;

/// The most variables of a witness circuit.
const MAX_SIZE: u64 = 1 << 27;

/// The witness circuit of an invariant for a safety property of a valid circuit, or why there is none.
pub fn witness_circuit(
    model: &Circuit,
    property: usize,
    invariant: &Invariant,
) -> Result<Circuit, String> {
    let Some(&bad) = model.safety().get(property) else {
        return Err(format!("the circuit has no safety property {property}"));
    };
    let mut builder = match invariant {
        Invariant::KInductive { k, simple_path: false, lemmas } => {
            return shifted(model, bad, *k, lemmas);
        }
        Invariant::KInductive { .. } => {
            return Err("induction over simple paths has no witness circuit".into());
        }
        _ => Builder::new(model, 0)?,
    };
    let holds = match invariant {
        Invariant::Clauses(clauses) => {
            let clauses: Vec<Lit> = clauses.iter().map(|clause| builder.or(clause)).collect();
            builder.conjunction(clauses)
        }
        Invariant::States { latches, states } => {
            let latches: Vec<Lit> = latches.iter().map(|&at| model.latch(at as usize)).collect();
            builder.one_of(&latches, states)
        }
        Invariant::Aig(aig) => {
            let leaves: Vec<Lit> = (0..model.latches.len()).map(|at| model.latch(at)).collect();
            let values = builder.evaluate(aig, &[], &leaves, |_| true);
            aig.outputs.first().map_or(Lit::TRUE, |&output| at(&values, output))
        }
        Invariant::Justice { .. } => return Err("justice has no witness circuit".into()),
        Invariant::KInductive { .. } => Lit::TRUE,
    };
    let good = builder.and(!bad, holds);
    Ok(builder.finish(model, !good))
}

/// The witness circuit of induction over `k` steps, the lemmas being a part of what is good.
fn shifted(model: &Circuit, bad: Lit, k: usize, lemmas: &[Vec<Lit>]) -> Result<Circuit, String> {
    let cone = Cone::new(model, bad, lemmas);
    let past = k.saturating_sub(1);
    let step = cone.inputs.len() + cone.latches.len() + 1;
    let added = u64::try_from(past).ok().and_then(|past| past.checked_mul(step as u64));
    let gates = (past as u64 + 1).saturating_mul(model.ands.len() as u64);
    let added = added.filter(|added| added.saturating_add(gates) <= MAX_SIZE);
    let Some(added) = added else {
        return Err(format!("the witness circuit of induction over {k} steps is too large"));
    };
    let mut builder = Builder::new(model, added as usize)?;
    // Of each step, the present one first: its inputs and latches, and whether it happened.
    let mut steps: Vec<(Vec<Lit>, Vec<Lit>, Lit)> = Vec::with_capacity(past + 1);
    let inputs = (0..model.inputs as usize).map(|at| model.input(at)).collect();
    let latches = (0..model.latches.len()).map(|at| model.latch(at)).collect();
    steps.push((inputs, latches, Lit::TRUE));
    let mut next_free = model.latches.len();
    for _ in 0..past {
        let (inputs, latches, happened) = &steps[steps.len() - 1];
        let mut older = (vec![Lit::FALSE; inputs.len()], vec![Lit::FALSE; latches.len()]);
        let mut remember = |value: Lit| {
            builder.latches[next_free] = Latch { next: value, reset: Lit::FALSE };
            next_free += 1;
            Lit::new(model.inputs + next_free as u32, false)
        };
        for &input in &cone.inputs {
            older.0[input] = remember(inputs[input]);
        }
        for &latch in &cone.latches {
            older.1[latch] = remember(latches[latch]);
        }
        let flag = remember(*happened);
        steps.push((older.0, older.1, flag));
    }
    let property = chain(&mut builder, model, &cone, (bad, lemmas), &steps);
    Ok(builder.finish(model, !property))
}

/// That the steps, the latest first, are good and follow each other, as far as they happened.
fn chain(
    builder: &mut Builder,
    model: &Circuit,
    cone: &Cone,
    (bad, lemmas): (Lit, &[Vec<Lit>]),
    steps: &[(Vec<Lit>, Vec<Lit>, Lit)],
) -> Lit {
    let mut all = Vec::new();
    for (position, (inputs, latches, happened)) in steps.iter().enumerate() {
        let values = builder.evaluate(model, inputs, latches, |var| cone.has[var as usize]);
        let mut said = vec![!at(&values, bad)];
        for lemma in lemmas {
            let lits: Vec<Lit> = lemma.iter().map(|&lit| at(&values, lit)).collect();
            said.push(builder.or(&lits));
        }
        if position > 0 {
            said.extend(model.constraints.iter().map(|&constraint| at(&values, constraint)));
            let later = &steps[position - 1];
            for &latch in &cone.latches {
                let next = at(&values, model.latches[latch].next);
                said.push(builder.equal(later.1[latch], next));
            }
            all.push(builder.or(&[!*happened, later.2]));
        }
        if let Some((_, _, before)) = steps.get(position + 1) {
            let mut first = Vec::new();
            for &latch in cone.latches.iter().filter(|&&latch| !model.is_uninitialised(latch)) {
                let reset = at(&values, model.latches[latch].reset);
                first.push(builder.equal(latches[latch], reset));
            }
            let first = builder.conjunction(first);
            said.push(builder.or(&[*before, first]));
        }
        let said = builder.conjunction(said);
        all.push(builder.or(&[!*happened, said]));
    }
    builder.conjunction(all)
}

/// The value of a literal.
fn at(values: &[Lit], lit: Lit) -> Lit {
    values[lit.var() as usize].xor(lit.is_negated())
}

/// What a property, the constraints and lemmas depend on, through next values and resets.
struct Cone {
    has: Vec<bool>,
    inputs: Vec<usize>,
    latches: Vec<usize>,
}

impl Cone {
    fn new(model: &Circuit, bad: Lit, lemmas: &[Vec<Lit>]) -> Cone {
        let mut has = vec![false; model.max_var() as usize + 1];
        let first_gate = 1 + model.inputs as usize + model.latches.len();
        let mut stack = vec![bad];
        stack.extend(&model.constraints);
        stack.extend(lemmas.iter().flatten());
        while let Some(lit) = stack.pop() {
            let var = lit.var() as usize;
            if std::mem::replace(&mut has[var], true) {
                continue;
            }
            if var >= first_gate {
                let and = model.ands[var - first_gate];
                stack.extend([and.left, and.right]);
            } else if var > model.inputs as usize {
                let latch = model.latches[var - 1 - model.inputs as usize];
                stack.extend([latch.next, latch.reset]);
            }
        }
        let inputs = (0..model.inputs as usize).filter(|at| has[1 + at]).collect();
        let first_latch = 1 + model.inputs as usize;
        let latches = (0..model.latches.len()).filter(|at| has[first_latch + at]).collect();
        Cone { has, inputs, latches }
    }
}
