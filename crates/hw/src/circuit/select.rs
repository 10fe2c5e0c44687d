//! Select one property: the circuit with that property as its only one.
//!
//! Nothing else changes, so that variables and with them certificates mean the same; the way back
//! only says which property it was. Fairness restricts infinite runs and goes with the justice
//! properties.

use alphorn_problem::circuit::Symbols;
use alphorn_problem::evidence::circuit::{Certificate, Property, Trace};
use alphorn_problem::{Back, Circuit, Lost};

/// The circuit whose only property is the safety property `index`; `None` if there is none.
pub fn select_property(
    circuit: &Circuit,
    index: usize,
) -> Option<(Circuit, Back<Circuit, Circuit>)> {
    let bad = *circuit.safety().get(index)?;
    let mut selected = bare(circuit);
    selected.bads = vec![bad];
    name_property(circuit, circuit.safety_kind(), index, b'b', &mut selected);
    let back = Back::new(
        move |certificate: Certificate| Ok(Certificate { property: index, ..certificate }),
        move |trace: Trace| Ok(Trace { property: Property::Bad(index), ..trace }),
    );
    Some((selected, back))
}

/// The circuit whose only property is the justice property `index`; `None` if there is none.
pub fn select_justice(
    circuit: &Circuit,
    index: usize,
) -> Option<(Circuit, Back<Circuit, Circuit>)> {
    let justice = circuit.justice.get(index)?.clone();
    let mut selected = bare(circuit);
    selected.justice = vec![justice];
    selected.fairness = circuit.fairness.clone();
    name_property(circuit, b'j', index, b'j', &mut selected);
    let back = Back::new(
        |_| Err(Lost("certificates speak about safety properties only".into())),
        move |trace: Trace| Ok(Trace { property: Property::Justice(index), ..trace }),
    );
    Some((selected, back))
}

/// The circuit without outputs and properties.
fn bare(circuit: &Circuit) -> Circuit {
    let kept = |entry: &&(u8, u32, String)| matches!(entry.0, b'i' | b'l' | b'c');
    Circuit {
        inputs: circuit.inputs,
        latches: circuit.latches.clone(),
        ands: circuit.ands.clone(),
        constraints: circuit.constraints.clone(),
        symbols: Symbols {
            entries: circuit.symbols.entries.iter().filter(kept).cloned().collect(),
        },
        ..Circuit::default()
    }
}

fn name_property(circuit: &Circuit, kind: u8, index: usize, new: u8, selected: &mut Circuit) {
    if let Some(name) = circuit.symbols.name(kind, index) {
        selected.symbols.entries.push((new, 0, name.to_owned()));
    }
}
