//! Checks explanations of runs by simulating them twice: as they are, and with values flipped.
//!
//! A set of flips *avoids* a violation if the run with these values flipped, and all that follows from
//! them, satisfies the constraints in every step and violates the property in none. A latch is a *root* of an
//! observation if, flipped at the source step, it makes the watched literal another one at the step of the
//! observation; where glitches are named, a gate sees the fault on one side alone.

use super::simulate::{Simulation, well_formed};
use super::trace::check_trace;
use crate::Refusal;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};
use alphorn_problem::evidence::flips::{Flip, Glitch, Observation, Side};
use alphorn_problem::violation::{OF_HOMES, OF_JUSTICE};

/// A latch that was seen to explain an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    latch: usize,
    glitches: Vec<Glitch>,
}

impl Root {
    /// The latch, by its position.
    pub fn latch(&self) -> usize {
        self.latch
    }

    /// The glitches that it takes.
    pub fn glitches(&self) -> &[Glitch] {
        &self.glitches
    }
}

/// Accepts `flips`, each once and in order, if they avoid the violation that `trace` is; an `x` of the
/// trace is 0.
pub fn check_avoided(circuit: &Circuit, trace: &Trace, flips: &[Flip]) -> Result<(), Refusal> {
    check_trace(circuit, trace)?;
    match trace.property {
        Property::Bad(index) => check_flips(circuit, trace, circuit.safety()[index], flips),
        Property::Justice(_) => Err(Refusal::new("property", OF_JUSTICE)),
        Property::Home(_) => Err(Refusal::new("property", OF_HOMES)),
    }
}

/// `check_avoided` for a run that was accepted, which violates the property where `bad` is true.
pub(super) fn check_flips(
    circuit: &Circuit,
    trace: &Trace,
    bad: Lit,
    flips: &[Flip],
) -> Result<(), Refusal> {
    let last_latch = circuit.inputs + circuit.latches.len() as u32;
    for (index, flip) in flips.iter().enumerate() {
        let place = || format!("flip {index}");
        if flip.var == 0 || flip.var > last_latch || flip.step >= trace.inputs.len() {
            return Err(Refusal::new(place(), "there is no such input, latch or step"));
        }
        if index > 0 && flips[index - 1] >= *flip {
            return Err(Refusal::new(place(), "it comes twice, or not in order"));
        }
    }
    let mut simulation =
        Simulation::<bool>::new(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let mut rest = flips.iter().peekable();
    for (step, inputs) in trace.inputs.iter().enumerate() {
        // Flips ascend by their steps, and in a step inputs come before latches.
        set(&mut simulation, circuit.input(0).var(), inputs);
        while let Some(flip) = rest.next_if(|flip| flip.step == step && flip.var <= circuit.inputs)
        {
            simulation.set(flip.var, simulation.value(Lit::new(flip.var, true)));
        }
        if step == 0 {
            set(&mut simulation, circuit.latch(0).var(), &trace.start);
            // What has a reset follows from the inputs.
            simulation.reset();
        }
        while let Some(flip) = rest.next_if(|flip| flip.step == step) {
            simulation.set(flip.var, simulation.value(Lit::new(flip.var, true)));
        }
        simulation.settle();
        let mut constraints = circuit.constraints.iter();
        if constraints.any(|constraint| !simulation.value(*constraint)) {
            return Err(Refusal::new(format!("step {step}"), "a constraint does not hold"));
        }
        if simulation.value(bad) {
            return Err(Refusal::new(format!("step {step}"), "the property is violated"));
        }
        simulation.advance();
    }
    Ok(())
}

/// Puts the values of a row, from a variable on.
fn set(simulation: &mut Simulation<'_, bool>, first: u32, row: &[Bit]) {
    for (var, bit) in (first..).zip(row) {
        simulation.set(var, *bit == Bit::One);
    }
}

/// Accepts that the latch with this position, flipped at the source, and with these glitches, in order,
/// explains what was observed.
pub fn check_root(
    circuit: &Circuit,
    observation: &Observation,
    latch: usize,
    glitches: &[Glitch],
) -> Result<Root, Refusal> {
    let Observation { start, inputs, watched, at, source } = observation;
    well_formed(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let is_fit = start.len() == circuit.latches.len()
        && inputs.iter().all(|row| row.len() == circuit.inputs as usize)
        && watched.var() <= circuit.max_var();
    if !is_fit || latch >= circuit.latches.len() {
        return Err(Refusal::new("observation", "it does not fit the circuit"));
    }
    if source > at || *at >= inputs.len() {
        return Err(Refusal::new("observation", "its steps are not those of the run"));
    }
    if glitches.windows(2).any(|pair| (pair[0].step, pair[0].gate) >= (pair[1].step, pair[1].gate))
    {
        return Err(Refusal::new("glitches", "they are not in order"));
    }
    let first_latch = 1 + circuit.inputs as usize;
    let first_gate = first_latch + circuit.latches.len();
    let mut good = vec![false; circuit.max_var() as usize + 1];
    good[first_latch..first_gate].copy_from_slice(start);
    let mut bad = good.clone();
    let mut glitches_left = glitches.iter().peekable();
    for (step, row) in inputs.iter().enumerate().take(at + 1) {
        good[1..first_latch].copy_from_slice(row);
        bad[1..first_latch].copy_from_slice(row);
        if step == *source {
            bad[first_latch + latch] = !bad[first_latch + latch];
        }
        for (var, and) in (first_gate..).zip(&circuit.ands) {
            let read = |values: &[bool], lit: Lit| values[lit.var() as usize] != lit.is_negated();
            let here = |glitch: &&Glitch| glitch.step == step && glitch.gate as usize == var;
            let side = glitches_left.next_if(here).map(|glitch| glitch.side);
            let left = if side == Some(Side::Right) { &good } else { &bad };
            let right = if side == Some(Side::Left) { &good } else { &bad };
            let faulty = read(left, and.left) && read(right, and.right);
            let fine = read(&good, and.left) && read(&good, and.right);
            (good[var], bad[var]) = (fine, faulty);
        }
        if step == *at {
            break;
        }
        for values in [&mut good, &mut bad] {
            let read = |lit: Lit| values[lit.var() as usize] != lit.is_negated();
            let next: Vec<bool> = circuit.latches.iter().map(|latch| read(latch.next)).collect();
            values[first_latch..first_gate].copy_from_slice(&next);
        }
    }
    if glitches_left.next().is_some() {
        return Err(Refusal::new("glitches", "one is at no gate or step of the run"));
    }
    match good[watched.var() as usize] == bad[watched.var() as usize] {
        true => {
            Err(Refusal::new(format!("step {at}"), "the flip does not change what was observed"))
        }
        false => Ok(Root { latch, glitches: glitches.to_vec() }),
    }
}
