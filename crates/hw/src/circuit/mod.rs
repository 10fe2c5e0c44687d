//! Circuits: simulation, and what engines and transforms ask of them.
//!
//! An engine decides the *first* safety property of the circuit it is given; `select::select_circuit`
//! makes a circuit whose first and only property is the wanted one. Fairness does not matter to
//! safety properties, and justice properties are not decided here.

mod guide;
pub(crate) mod patterns;
pub(crate) mod resets;
mod round;
mod simulate;
mod table;

pub use patterns::transpose;
pub(crate) use round::Round;
pub use simulate::Simulation;
pub use table::StateTable;

use alphorn_engine::Stop;
use alphorn_problem::circuit::{And, Circuit, Lit};

/// The literal of the first safety property, or why an engine cannot treat the circuit.
pub(crate) fn first_bad(circuit: &Circuit) -> Result<Lit, Stop> {
    circuit.validate().map_err(Stop::Unsupported)?;
    match circuit.safety() {
        [bad, ..] => Ok(*bad),
        [] if circuit.justice.is_empty() => {
            Err(Stop::Unsupported("the circuit has no property".into()))
        }
        [] => Err(Stop::Unsupported("the circuit has only justice properties".into())),
    }
}

/// The variable of the first gate.
pub(crate) fn first_gate(circuit: &Circuit) -> u32 {
    1 + circuit.inputs + circuit.latches.len() as u32
}

/// The gate that defines `var`, if one does.
pub(crate) fn gate_of(circuit: &Circuit, var: u32) -> Option<And> {
    let index = var.checked_sub(first_gate(circuit))?;
    circuit.ands.get(index as usize).copied()
}

/// The position of the latch that `var` is, if it is one.
pub(crate) fn latch_of(circuit: &Circuit, var: u32) -> Option<usize> {
    let index = var.checked_sub(1 + circuit.inputs)? as usize;
    (index < circuit.latches.len()).then_some(index)
}

/// Marks the variables that `roots` depend on; `through` says on what a latch depends.
pub(crate) fn influence(
    circuit: &Circuit,
    roots: impl IntoIterator<Item = Lit>,
    through: impl Fn(usize) -> [Option<Lit>; 2],
) -> Vec<bool> {
    let mut seen = vec![false; circuit.max_var() as usize + 1];
    let mut stack: Vec<u32> = roots.into_iter().map(Lit::var).collect();
    while let Some(var) = stack.pop() {
        if std::mem::replace(&mut seen[var as usize], true) {
            continue;
        }
        if let Some(and) = gate_of(circuit, var) {
            stack.extend([and.left.var(), and.right.var()]);
        } else if let Some(index) = latch_of(circuit, var) {
            stack.extend(through(index).into_iter().flatten().map(Lit::var));
        }
    }
    seen
}

/// Marks the variables that `roots` depend on within one step.
pub fn step_cone(circuit: &Circuit, roots: impl IntoIterator<Item = Lit>) -> Vec<bool> {
    influence(circuit, roots, |_| [None, None])
}
