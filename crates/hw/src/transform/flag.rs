//! A latch more: circuits with a flag, and invariants without it.
//!
//! Three transforms add a flag that has one value on every run that still matters, and theirs is the
//! same way back: in the invariant the flag has that value. The flag comes after all other latches,
//! so these keep their places.

use super::facts::and;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;

/// The circuit with a flag as its last latch, whose next value is a constant until it is set, and the
/// flag's literal. Gates move by one.
pub(super) fn with_flag(circuit: &Circuit, reset: Lit) -> (Circuit, Lit) {
    let flag = Lit::new(1 + circuit.inputs + circuit.latches.len() as u32, false);
    let moved = |lit: Lit| match lit.var() < flag.var() {
        true => lit,
        false => Lit::new(lit.var() + 1, lit.is_negated()),
    };
    let all = |lits: &[Lit]| -> Vec<Lit> { lits.iter().map(|lit| moved(*lit)).collect() };
    let latches = circuit.latches.iter();
    let latches = latches.map(|l| Latch { next: moved(l.next), reset: moved(l.reset) });
    let ands = circuit.ands.iter();
    let wide = Circuit {
        inputs: circuit.inputs,
        latches: latches.chain([Latch { next: reset, reset }]).collect(),
        ands: ands.map(|a| And { left: moved(a.left), right: moved(a.right) }).collect(),
        outputs: all(&circuit.outputs),
        bads: all(&circuit.bads),
        constraints: all(&circuit.constraints),
        justice: circuit.justice.iter().map(|set| all(set)).collect(),
        fairness: all(&circuit.fairness),
        symbols: circuit.symbols.clone(),
        comments: circuit.comments.clone(),
    };
    (wide, flag)
}

/// The safety properties, to be changed.
pub(super) fn safety_mut(circuit: &mut Circuit) -> &mut Vec<Lit> {
    if circuit.safety_kind() == b'o' { &mut circuit.outputs } else { &mut circuit.bads }
}

/// The invariant of a circuit with so many inputs and, before its flag, latches, where the flag has
/// the given value.
pub(super) fn without_flag(
    invariant: Invariant,
    inputs: u32,
    latches: u32,
    value: bool,
) -> Invariant {
    let flag = Lit::new(1 + inputs + latches, !value);
    let restricted = |clauses: Vec<Vec<Lit>>| -> Vec<Vec<Lit>> {
        let open = clauses.into_iter().filter(|clause| !clause.contains(&flag));
        open.map(|clause| clause.into_iter().filter(|lit| *lit != !flag).collect()).collect()
    };
    match invariant {
        Invariant::Clauses(clauses) => Invariant::Clauses(restricted(clauses)),
        Invariant::KInductive { k, simple_path, lemmas } => {
            Invariant::KInductive { k, simple_path, lemmas: restricted(lemmas) }
        }
        justice @ Invariant::Justice { .. } => justice,
        Invariant::Aig(aig) => {
            let output = aig.outputs[0];
            let mut small = Circuit { inputs: latches, ..Circuit::default() };
            let mut images: Vec<Lit> = (0..=latches).map(|var| Lit::new(var, false)).collect();
            images.push(Lit::FALSE.xor(value));
            let image = |images: &[Lit], lit: Lit| images[lit.var() as usize].xor(lit.is_negated());
            for gate in &aig.ands {
                let (left, right) = (image(&images, gate.left), image(&images, gate.right));
                images.push(and(&mut small, left, right));
            }
            small.outputs.push(image(&images, output));
            Invariant::Aig(Box::new(small))
        }
        Invariant::States { latches: mut listed, mut states } => {
            if listed.last() == Some(&latches) {
                listed.pop();
                states.retain(|row| row.last() == Some(&value));
                for row in &mut states {
                    row.pop();
                }
            }
            Invariant::States { latches: listed, states }
        }
    }
}
