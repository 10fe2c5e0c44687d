//! Select one property: the problem with that property as its only one.
//!
//! Nothing else changes, so that variables, and with them invariants and proofs, mean the same;
//! the way back only says which property it was. Fairness restricts infinite runs and goes with
//! the justice properties.
//!
//! The caller knows that the property exists; all five functions panic if it does not.

use crate::circuit::Simulation;
use alphorn_engine::Back;
use alphorn_problem::circuit::{And, Lit, Symbols};
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Property, Trace};
use alphorn_problem::evidence::words::{WordClaim, WordTrace};
use alphorn_problem::{Circuit, Words};

/// The circuit whose only property is safety property `index`, by its position in
/// `Circuit::safety`.
pub fn select_circuit(circuit: &Circuit, index: usize) -> (Circuit, Back<Circuit, Circuit>) {
    let mut selected = bare_circuit(circuit);
    selected.bads = vec![circuit.safety()[index]];
    if let Some(name) = circuit.symbols.name(circuit.safety_kind(), index) {
        selected.symbols.entries.push((b'b', 0, name.to_owned()));
    }
    let back = Back::new(
        move |claim: CircuitClaim| Ok(CircuitClaim { property: index, ..claim }),
        move |trace: Trace| Ok(Trace { property: Property::Bad(index), ..trace }),
    );
    (selected, back)
}

/// The circuit whose only property is violated where any of the listed safety properties is. Its
/// further gates come last, so that latches, and with them invariants and runs, mean the same.
pub fn select_any(circuit: &Circuit, indices: &[usize]) -> Circuit {
    let mut selected = bare_circuit(circuit);
    let none = indices.iter().map(|index| !circuit.safety()[*index]).reduce(|left, right| {
        selected.ands.push(And { left, right });
        selected.gate(selected.ands.len() - 1)
    });
    selected.bads = vec![none.map_or(Lit::FALSE, |none| !none)];
    selected
}

/// The listed safety properties that a run of the circuit violates, each with the run up to its first
/// violation; what the run leaves open is 0.
pub fn violations(circuit: &Circuit, indices: &[usize], trace: &Trace) -> Vec<(usize, Trace)> {
    let mut simulation = Simulation::new(circuit);
    let is_one = |bit: &Bit| u64::from(*bit == Bit::One);
    for (index, bit) in trace.start.iter().enumerate() {
        simulation.set_latch(index, is_one(bit));
    }
    let known = |bits: &[Bit]| -> Vec<Bit> {
        bits.iter().map(|bit| if *bit == Bit::One { Bit::One } else { Bit::Zero }).collect()
    };
    let inputs: Vec<Vec<Bit>> = trace.inputs.iter().map(|step| known(step)).collect();
    let mut open: Vec<usize> = indices.to_vec();
    let mut found = Vec::new();
    for (step, values) in inputs.iter().enumerate() {
        for (index, bit) in values.iter().enumerate() {
            simulation.set_input(index, is_one(bit));
        }
        simulation.settle();
        open.retain(|&index| {
            let is_bad = simulation.value(circuit.safety()[index]) & 1 == 1;
            if is_bad {
                let inputs = inputs[..=step].to_vec();
                let property = Property::Bad(index);
                found.push((index, Trace { property, start: known(&trace.start), inputs }));
            }
            !is_bad
        });
        simulation.advance();
    }
    found
}

/// The circuit whose only property is justice property `index`.
pub fn select_circuit_justice(
    circuit: &Circuit,
    index: usize,
) -> (Circuit, Back<Circuit, Circuit>) {
    let mut selected = bare_circuit(circuit);
    selected.justice = vec![circuit.justice[index].clone()];
    selected.fairness = circuit.fairness.clone();
    if let Some(name) = circuit.symbols.name(b'j', index) {
        selected.symbols.entries.push((b'j', 0, name.to_owned()));
    }
    let back = Back::new(
        move |claim: CircuitClaim| Ok(CircuitClaim { property: index, ..claim }),
        move |trace: Trace| Ok(Trace { property: Property::Justice(index), ..trace }),
    );
    (selected, back)
}

/// The system whose only property is safety property `index`.
pub fn select_words(system: &Words, index: usize) -> (Words, Back<Words, Words>) {
    let selected = Words { bads: vec![system.bads[index].clone()], ..bare_words(system) };
    let back = Back::new(
        move |claim: WordClaim| Ok(WordClaim { property: index, ..claim }),
        move |trace: WordTrace| Ok(WordTrace { property: Property::Bad(index), ..trace }),
    );
    (selected, back)
}

/// The system whose only property is justice property `index`.
pub fn select_words_justice(system: &Words, index: usize) -> (Words, Back<Words, Words>) {
    let (justice, fairness) = (vec![system.justice[index].clone()], system.fairness.clone());
    let selected = Words { justice, fairness, ..bare_words(system) };
    let back = Back::new(
        move |claim: WordClaim| Ok(WordClaim { property: index, ..claim }),
        move |trace: WordTrace| Ok(WordTrace { property: Property::Justice(index), ..trace }),
    );
    (selected, back)
}

/// The system whose only property is home property `index`.
pub fn select_words_home(system: &Words, index: usize) -> (Words, Back<Words, Words>) {
    let selected = Words { homes: vec![system.homes[index].clone()], ..bare_words(system) };
    let back = Back::new(
        move |claim: WordClaim| Ok(WordClaim { property: index, ..claim }),
        move |trace: WordTrace| Ok(WordTrace { property: Property::Home(index), ..trace }),
    );
    (selected, back)
}

/// The circuit without outputs and properties.
fn bare_circuit(circuit: &Circuit) -> Circuit {
    let kept = |entry: &&(u8, u32, String)| matches!(entry.0, b'i' | b'l' | b'c');
    let entries = circuit.symbols.entries.iter().filter(kept).cloned().collect();
    Circuit {
        inputs: circuit.inputs,
        latches: circuit.latches.clone(),
        ands: circuit.ands.clone(),
        constraints: circuit.constraints.clone(),
        symbols: Symbols { entries },
        ..Circuit::default()
    }
}

/// The system without outputs and properties.
fn bare_words(system: &Words) -> Words {
    Words {
        terms: system.terms.clone(),
        inputs: system.inputs.clone(),
        states: system.states.clone(),
        constraints: system.constraints.clone(),
        ..Words::default()
    }
}
