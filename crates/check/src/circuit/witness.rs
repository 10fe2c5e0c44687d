//! Checks witness circuits, the hardware competition's certificates.
//!
//! A witness circuit W has inputs and latches in common with the model M, named `= n` after the
//! literal in M, and a property of its own. It is put beside M: what is common has M's values, and W's
//! other inputs and latches are added to M together with W's gates. The circuit that this gives is bad
//! where M is, where W is, or where a constraint of W fails; and it must be good by induction over one
//! step. Code: `beside`, and for the induction `circuit::certificate`.
//!
//! Why it is right: every run of M is one of the circuit, whatever W is. Its inputs are those of M and
//! some that are free; its latches are those of M, which start and move as they do in M, and some whose
//! first and next values are functions that do not depend on themselves (`Circuit::validate`); its
//! constraints are those of M. So if nothing bad happens in the circuit, M's bad literal is never true.
//!
//! It also suffices for W to be accepted by the competition's checker, whose five questions (reset,
//! transition, property, base, step) together make the induction go through.
//!
//! After Yu, Froleyks, Biere, Heljanko, "Stratified Certification for k-Induction" (FMCAD 2022).

use super::certificate::check_invariant;
use super::simulate::well_formed;
use crate::{Refusal, work};
use alphorn_problem::circuit::{And, Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::{Invariant, Lrat};
use alphorn_problem::obligation::circuit::MAX_SIZE;

/// What must be shown of the circuit that `beside` makes, for its only property.
pub fn induction() -> Invariant {
    Invariant::induction(1, false)
}

/// Accepts a witness circuit for a safety property of `model` if `proofs` refute the obligations of
/// `induction` for the circuit that `beside` makes.
pub fn check_witness(
    model: &Circuit,
    property: usize,
    witness: &Circuit,
    proofs: &[Lrat],
) -> Result<(), Refusal> {
    well_formed(model).map_err(|reason| Refusal::new("circuit", reason))?;
    let both = beside(model, property, witness)
        .map_err(|reason| Refusal::new("witness circuit", reason))?;
    let meter = work::of_proofs(&both, proofs);
    check_invariant(&both, 0, &induction(), proofs, &meter)
}

/// The circuit of a valid model and a witness circuit beside it, or why there is none.
pub fn beside(model: &Circuit, property: usize, witness: &Circuit) -> Result<Circuit, String> {
    let Some(&bad) = model.safety().get(property) else {
        return Err(format!("the circuit has no safety property {property}"));
    };
    well_formed(witness)?;
    let own_bad = match *witness.safety() {
        [own] => own,
        _ => return Err(format!("it has {} properties, not one", witness.safety().len())),
    };
    let size = u64::from(model.max_var()) + u64::from(witness.max_var());
    let size = size + 2 + witness.constraints.len() as u64;
    if size > u64::from(MAX_SIZE) {
        return Err(format!("it has, with the model, more than {MAX_SIZE} variables"));
    }
    let shared = shared(model, witness)?;
    let is_own = |slot: &&Option<Lit>| slot.is_none();
    let (inputs, latches) = shared.split_at(witness.inputs as usize);
    let own_inputs = inputs.iter().filter(is_own).count() as u32;
    let own_latches = latches.iter().filter(is_own).count() as u32;

    let model_latch = 1 + model.inputs;
    let model_gate = model_latch + model.latches.len() as u32;
    let of_model = |lit: Lit| {
        let moved = match lit.var() {
            var if var < model_latch => var,
            var if var < model_gate => var + own_inputs,
            var => var + own_inputs + own_latches,
        };
        Lit::new(moved, lit.is_negated())
    };
    // Where W's variables are: what is common, then its own inputs, latches and gates, in order.
    let mut places: Vec<Lit> = Vec::with_capacity(1 + witness.max_var() as usize);
    places.push(Lit::FALSE);
    let mut next_input = model_latch;
    let mut next_latch = model_gate + own_inputs;
    for (position, slot) in shared.iter().enumerate() {
        let next = if position < inputs.len() { &mut next_input } else { &mut next_latch };
        places.push(match slot {
            Some(lit) => of_model(*lit),
            None => {
                *next += 1;
                Lit::new(*next - 1, false)
            }
        });
    }
    let first = next_latch + model.ands.len() as u32;
    places.extend((first..).take(witness.ands.len()).map(|var| Lit::new(var, false)));
    let of_witness = |lit: Lit| places[lit.var() as usize].xor(lit.is_negated());

    let latch = |place: &dyn Fn(Lit) -> Lit, latch: &Latch| Latch {
        next: place(latch.next),
        reset: place(latch.reset),
    };
    let gate = |place: &dyn Fn(Lit) -> Lit, and: &And| And {
        left: place(and.left),
        right: place(and.right),
    };
    let added = witness.latches.iter().zip(latches).filter(|(_, slot)| slot.is_none());
    let mut both = Circuit {
        inputs: model.inputs + own_inputs,
        latches: (model.latches.iter().map(|l| latch(&of_model, l)))
            .chain(added.map(|(l, _)| latch(&of_witness, l)))
            .collect(),
        ands: (model.ands.iter().map(|and| gate(&of_model, and)))
            .chain(witness.ands.iter().map(|and| gate(&of_witness, and)))
            .collect(),
        constraints: model.constraints.iter().map(|&lit| of_model(lit)).collect(),
        ..Circuit::default()
    };
    let mut good = !of_model(bad);
    let also = witness.constraints.iter().map(|&lit| of_witness(lit));
    for lit in std::iter::once(!of_witness(own_bad)).chain(also) {
        let (left, right) = (good.max(lit), good.min(lit));
        both.ands.push(And { left, right });
        good = both.gate(both.ands.len() - 1);
    }
    both.bads.push(!good);
    Ok(both)
}

/// For each input and then each latch of the witness circuit the literal of the model that it stands
/// for, if it stands for one. Without any name what has the same position is common.
fn shared(model: &Circuit, witness: &Circuit) -> Result<Vec<Option<Lit>>, String> {
    let inputs = witness.inputs as usize;
    let mut shared = vec![None; inputs + witness.latches.len()];
    let mut is_named = false;
    for (kind, index, name) in &witness.symbols.entries {
        let Some(number) = name.strip_prefix("= ") else { continue };
        let index = *index as usize;
        let (place, first, count) = match kind {
            b'i' if index < inputs => (index, 1, model.inputs),
            b'l' if index < witness.latches.len() => {
                (inputs + index, 1 + model.inputs, model.latches.len() as u32)
            }
            _ => continue,
        };
        let lit = number.trim().parse().map(Lit).ok();
        let is_there = |lit: &Lit| (first..first + count).contains(&lit.var());
        let Some(lit) = lit.filter(is_there) else {
            let what = if *kind == b'i' { "an input" } else { "a latch" };
            return Err(format!("the name `= {number}` does not stand for {what} of the model"));
        };
        shared[place] = Some(lit);
        is_named = true;
    }
    if !is_named {
        let (own_inputs, own_latches) = shared.split_at_mut(inputs);
        let common = (0..model.inputs as usize).map(|at| model.input(at));
        own_inputs.iter_mut().zip(common).for_each(|(slot, lit)| *slot = Some(lit));
        let common = (0..model.latches.len()).map(|at| model.latch(at));
        own_latches.iter_mut().zip(common).for_each(|(slot, lit)| *slot = Some(lit));
    }
    Ok(shared)
}
