//! What a violation needs: backwards from its last step, wire by wire.
//!
//! A conjunction that is true needs both sides; one that is false needs one side that is false. A latch
//! needs its next value in the step before. What is reached this way among the inputs and first values
//! decides the run; everything else may be anything, because simulation with unknowns evaluates each
//! wire that was reached to its value. The last step must be bad and every step must satisfy the
//! constraints; the resets that are functions must be known, whoever reads them.
//!
//! Where a false conjunction leaves a choice, a side that is needed already is taken, then one that
//! depends on fewer inputs. States are stored and gates evaluated anew, so memory stays small. On small
//! runs values are then tried one by one, since the choices above are made without looking ahead.
//!
//! The idea is the lifting of states in Eén, Mishchenko, Brayton (FMCAD 2011), along a whole run.

use super::ternary::{Ternary, TernarySimulation};
use super::word;
use crate::circuit::{Simulation, first_gate, gate_of, latch_of};
use crate::settings::SHORTEN_MAX_JUSTIFY;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Trace};
use std::collections::BinaryHeap;

/// The run with an `x` for inputs and uninitialised latches that do not matter.
pub(super) fn justify(
    circuit: &Circuit,
    bad: Lit,
    trace: Trace,
    ctx: &mut Ctx<'_>,
) -> Result<Trace, Stop> {
    let steps = trace.inputs.len() as u64;
    let work = steps.saturating_mul(1 + u64::from(circuit.max_var()));
    ctx.tick(1 + work / 16)?;
    let mut justified = needed(circuit, bad, &trace);
    if !violates(circuit, bad, &justified) {
        // The run had an x of its own that reads differently as a 0: leave it as it is.
        return Ok(trace);
    }
    let given = justified.inputs.iter().flatten().filter(|bit| **bit != Bit::X).count() as u64;
    if given.saturating_mul(work) <= SHORTEN_MAX_JUSTIFY.get() {
        ctx.tick(1 + given.saturating_mul(work) / 16)?;
        open_one_by_one(circuit, bad, &mut justified);
    }
    Ok(justified)
}

/// The run with the values that are reached backwards from the violation.
fn needed(circuit: &Circuit, bad: Lit, trace: &Trace) -> Trace {
    let mut simulation = Simulation::new(circuit);
    for (index, bit) in trace.start.iter().enumerate() {
        simulation.set_latch(index, word(*bit));
    }
    let mut states: Vec<Vec<bool>> = Vec::with_capacity(trace.inputs.len());
    for inputs in &trace.inputs {
        states.push(simulation.latches().iter().map(|word| word & 1 == 1).collect());
        set_inputs(&mut simulation, inputs);
        simulation.settle();
        simulation.advance();
    }
    let mut inputs = vec![vec![Bit::X; circuit.inputs as usize]; trace.inputs.len()];
    let mut start: Vec<Bit> = trace.start.clone();
    let mut marks = Marks::new(circuit);
    let mut wanted: Vec<Lit> = vec![bad];
    for (step, state) in states.iter().enumerate().rev() {
        for (index, value) in state.iter().enumerate() {
            simulation.set_latch(index, u64::from(*value));
        }
        set_inputs(&mut simulation, &trace.inputs[step]);
        simulation.settle();
        wanted.extend(&circuit.constraints);
        if step == 0 {
            let given = (0..circuit.latches.len()).filter(|&at| !circuit.is_uninitialised(at));
            wanted.extend(given.map(|at| circuit.latches[at].reset));
        }
        let leaves = marks.reach(circuit, &simulation, &wanted);
        wanted.clear();
        for var in leaves {
            match latch_of(circuit, var) {
                Some(latch) if step > 0 => wanted.push(circuit.latches[latch].next),
                Some(_) => {}
                None => inputs[step][var as usize - 1] = trace.inputs[step][var as usize - 1],
            }
        }
        if step == 0 {
            for (index, bit) in start.iter_mut().enumerate() {
                let var = circuit.latch(index).var() as usize;
                if circuit.is_uninitialised(index) && !marks.is_reached[var] {
                    *bit = Bit::X;
                }
            }
        }
    }
    Trace { property: trace.property, start, inputs }
}

fn set_inputs(simulation: &mut Simulation<'_>, inputs: &[Bit]) {
    for (index, bit) in inputs.iter().enumerate() {
        simulation.set_input(index, word(*bit));
    }
}

/// Which wires are needed in a step.
struct Marks {
    is_reached: Vec<bool>,
    /// About how many inputs and latches each wire depends on within a step, inputs counting more.
    cost: Vec<u32>,
}

impl Marks {
    fn new(circuit: &Circuit) -> Marks {
        let mut cost = vec![1u32; circuit.max_var() as usize + 1];
        cost[0] = 0;
        cost[1..=circuit.inputs as usize].fill(4);
        for (var, and) in (first_gate(circuit) as usize..).zip(&circuit.ands) {
            let sides = [and.left, and.right].map(|side| cost[side.var() as usize]);
            cost[var] = sides[0].saturating_add(sides[1]);
        }
        Marks { is_reached: vec![false; circuit.max_var() as usize + 1], cost }
    }

    /// The inputs and latches that give the wanted wires their values.
    fn reach(
        &mut self,
        circuit: &Circuit,
        simulation: &Simulation<'_>,
        wanted: &[Lit],
    ) -> Vec<u32> {
        self.is_reached.fill(false);
        let mut leaves = Vec::new();
        // From the top down, so that what is needed anyway is known when there is a choice.
        let mut heap = BinaryHeap::new();
        let push = |heap: &mut BinaryHeap<u32>, reached: &mut [bool], var: u32| {
            if var != 0 && !std::mem::replace(&mut reached[var as usize], true) {
                heap.push(var);
            }
        };
        wanted.iter().for_each(|lit| push(&mut heap, &mut self.is_reached, lit.var()));
        while let Some(var) = heap.pop() {
            let Some(and) = gate_of(circuit, var) else {
                leaves.push(var);
                continue;
            };
            let value = |lit: Lit| simulation.value(lit) & 1 == 1;
            let sides = [and.left, and.right];
            if sides.iter().all(|side| value(*side)) {
                sides.iter().for_each(|side| push(&mut heap, &mut self.is_reached, side.var()));
                continue;
            }
            let false_sides = sides.iter().filter(|side| !value(**side)).map(|side| side.var());
            let key = |var: &u32| {
                let is_new = *var != 0 && !self.is_reached[*var as usize];
                (is_new, self.cost[*var as usize])
            };
            if let Some(side) = false_sides.min_by_key(key) {
                push(&mut heap, &mut self.is_reached, side);
            }
        }
        leaves
    }
}

/// Whether simulation with unknowns shows that the run violates the property.
fn violates(circuit: &Circuit, bad: Lit, trace: &Trace) -> bool {
    let mut simulation = TernarySimulation::new(circuit, trace);
    let is_one =
        |simulation: &TernarySimulation<'_>, lit: Lit| simulation.value(lit) == Ternary::One;
    let mut is_bad = false;
    let mut is_first = true;
    while simulation.advance() {
        if !circuit.constraints.iter().all(|&lit| is_one(&simulation, lit)) {
            return false;
        }
        if std::mem::take(&mut is_first) {
            let known = |index: usize| {
                let (latch, reset) = (circuit.latch(index), circuit.latches[index].reset);
                let value = simulation.value(reset);
                latch == reset || value != Ternary::Unknown && value == simulation.value(latch)
            };
            if !(0..circuit.latches.len()).all(known) {
                return false;
            }
        }
        is_bad = is_one(&simulation, bad);
    }
    is_bad
}

/// Opens values one by one as long as the violation is seen.
fn open_one_by_one(circuit: &Circuit, bad: Lit, trace: &mut Trace) {
    for index in 0..trace.start.len() {
        let bit = trace.start[index];
        if bit != Bit::X && circuit.is_uninitialised(index) {
            trace.start[index] = Bit::X;
            if !violates(circuit, bad, trace) {
                trace.start[index] = bit;
            }
        }
    }
    for step in 0..trace.inputs.len() {
        for index in 0..circuit.inputs as usize {
            let bit = std::mem::replace(&mut trace.inputs[step][index], Bit::X);
            if bit != Bit::X && !violates(circuit, bad, trace) {
                trace.inputs[step][index] = bit;
            }
        }
    }
}
