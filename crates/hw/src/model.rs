//! What the engines share about the circuit they are given: its cone, and runs that are completed.
//!
//! An engine decides the first property of a circuit reduced to what that property depends on; the
//! finding is carried back. Solvers know only a part of a run, the part that mattered to them, and
//! simulation fills in the rest: inputs and uninitialised latches nobody asked about are 0, other
//! latches start with what their resets give.

use crate::circuit::{Simulation, first_bad};
use crate::select::select_circuit;
use crate::transform::{cone, cone_latches};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};
use alphorn_problem::{Circuit, Finding};

/// Decides the first property of a circuit by deciding that of its cone.
pub(crate) fn in_cone(
    circuit: &Circuit,
    ctx: &mut Ctx<'_>,
    decide: impl FnOnce(&Circuit, &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop>,
) -> Result<Finding<Circuit>, Stop> {
    in_named_cone(circuit, ctx, |circuit, _, ctx| decide(circuit, ctx))
}

/// Decides the first property of a circuit by deciding that of its cone, knowing for each latch of
/// the cone its variable in the circuit.
pub(crate) fn in_named_cone(
    circuit: &Circuit,
    ctx: &mut Ctx<'_>,
    decide: impl FnOnce(&Circuit, &[u32], &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop>,
) -> Result<Finding<Circuit>, Stop> {
    first_bad(circuit)?;
    let (selected, unselect) = select_circuit(circuit, 0);
    let (small, uncone) = cone(&selected);
    let latches = cone_latches(&selected);
    let names: Vec<u32> = latches.into_iter().map(|index| circuit.latch(index).var()).collect();
    let finding = decide(&small, &names, ctx)?;
    unselect.after(uncone).finding(finding, ctx)
}

/// The run that begins with `state`, as far as resets leave it open, under `inputs`.
pub(crate) fn completed(circuit: &Circuit, state: &[bool], inputs: &[Vec<bool>]) -> Trace {
    let mut simulation = Simulation::new(circuit);
    for (index, value) in state.iter().enumerate() {
        simulation.set_latch(index, u64::from(*value));
    }
    for (index, value) in inputs.first().into_iter().flatten().enumerate() {
        simulation.set_input(index, u64::from(*value));
    }
    simulation.reset();
    let bit = |value: bool| if value { Bit::One } else { Bit::Zero };
    Trace {
        property: Property::Bad(0),
        start: simulation.latches().iter().map(|word| bit(word & 1 == 1)).collect(),
        inputs: inputs.iter().map(|step| step.iter().map(|value| bit(*value)).collect()).collect(),
    }
}

/// The run up to its first violation of the first property, if it is a run of a safety property.
pub(crate) fn until_bad(circuit: &Circuit, mut trace: Trace) -> Trace {
    if !matches!(trace.property, Property::Bad(_)) {
        return trace;
    }
    let bad = circuit.safety()[0];
    let mut simulation = Simulation::new(circuit);
    let word = |bit: &Bit| u64::from(*bit == Bit::One);
    for (index, bit) in trace.start.iter().enumerate() {
        simulation.set_latch(index, word(bit));
    }
    let is_bad = |step: &Vec<Bit>| {
        for (index, bit) in step.iter().enumerate() {
            simulation.set_input(index, word(bit));
        }
        simulation.settle();
        let is_bad = simulation.value(bad) & 1 == 1;
        simulation.advance();
        is_bad
    };
    if let Some(step) = trace.inputs.iter().position(is_bad) {
        trace.inputs.truncate(step + 1);
    }
    trace
}
