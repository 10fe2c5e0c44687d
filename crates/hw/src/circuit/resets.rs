//! The states in which runs begin, as a set: a graph whose input number `i` is latch `i`.
//!
//! Where a reset reads inputs these are quantified one by one, each by the union of the two cases.

use super::influence;
use crate::settings::INTERPOLATION_MAX_NODES;
use alphorn_engine::Stop;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_sat::aig::{Aig, Edge};

/// A graph with an input for each latch.
pub(crate) fn graph(circuit: &Circuit) -> Aig {
    let mut aig = Aig::new();
    for _ in &circuit.latches {
        aig.add_input();
    }
    aig
}

/// Whether first states depend on inputs, which then have to be quantified.
pub(crate) fn resets_read_inputs(circuit: &Circuit) -> bool {
    let resets = circuit.latches.iter().map(|latch| latch.reset);
    let seen = influence(circuit, resets, |_| [None, None]);
    (1..=circuit.inputs as usize).any(|var| seen[var])
}

/// Why an engine stops where no set of states will do.
pub(crate) fn tied() -> Stop {
    let reason = "no set of states shows whether the property holds: \
                  the first state is tied to the first inputs";
    Stop::Stuck(reason.into())
}

/// The states in which a run can begin.
///
/// Where resets read inputs, these must satisfy the constraints of the first step as well, as long as that
/// does not make the set too large; otherwise constraints are not counted.
pub(crate) fn reset_states(circuit: &Circuit, sets: &mut Aig) -> Result<Edge, Stop> {
    let mut states = Err(Stop::Unsupported("the resets read too many inputs".into()));
    if resets_read_inputs(circuit) && !circuit.constraints.is_empty() {
        states = quantified(circuit, true, sets);
    }
    states.or_else(|_| quantified(circuit, false, sets))
}

/// The reset states, with inputs quantified one by one.
fn quantified(circuit: &Circuit, has_constraints: bool, sets: &mut Aig) -> Result<Edge, Stop> {
    let mut aig = graph(circuit);
    let mut edges = vec![Edge::FALSE; circuit.max_var() as usize + 1];
    for index in 0..circuit.latches.len() {
        edges[circuit.latch(index).var() as usize] = aig.input(index as u32);
    }
    if circuit.latches.iter().any(|latch| latch.reset.var() != 0) {
        for index in 0..circuit.inputs as usize {
            edges[circuit.input(index).var() as usize] = aig.add_input();
        }
        for (index, gate) in circuit.ands.iter().enumerate() {
            let operand = |bit: Bit| edges[bit.var() as usize].xor(bit.is_negated());
            let (left, right) = (operand(gate.left), operand(gate.right));
            edges[circuit.gate(index).var() as usize] = aig.and(left, right);
        }
    }
    let edge = |bit: Bit| edges[bit.var() as usize].xor(bit.is_negated());
    let mut parts = Vec::new();
    for (index, latch) in circuit.latches.iter().enumerate() {
        parts.push(aig.equals(aig.input(index as u32), edge(latch.reset)));
    }
    if has_constraints {
        parts.extend(circuit.constraints.iter().map(|constraint| edge(*constraint)));
    }
    let mut set = aig.and_n(parts);
    let latches = circuit.latches.len() as u32;
    while let Some(input) = aig.support(&[set]).last().copied().filter(|input| *input >= latches) {
        if aig.size(&[set]) > INTERPOLATION_MAX_NODES.size() {
            return Err(Stop::Unsupported("the resets read too many inputs".into()));
        }
        let [low, high] = [Edge::FALSE, Edge::TRUE]
            .map(|value| aig.substitute(&[set], |index| (index == input).then_some(value))[0]);
        set = aig.or(low, high);
    }
    Ok(sets.import(&aig, &[set], |sets, index| sets.input(index))[0])
}
