//! Checks explanations of runs by simulating them twice: as they are, and with values flipped.
//!
//! A set of flips *avoids* a violation if the run with these values flipped, and all that follows from
//! them, satisfies the constraints in every step and violates the property in none. A latch is a *root* of an
//! observation if, flipped at the source step, it makes the watched literal another one at the step of the
//! observation; where glitches are named, a gate sees the fault on one side alone.
//!
//! Whether a single flip avoids a violation can be evaluated for all of them, 64 at a time.

use super::simulate::{Simulation, well_formed};
use super::trace::check_trace;
use crate::{Refusal, work};
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};
use alphorn_problem::evidence::flips::{Flip, Glitch, Observation, Side};

/// Flips that were seen to avoid a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Avoided {
    flips: Vec<Flip>,
}

impl Avoided {
    /// The flips, ascending.
    pub fn flips(&self) -> &[Flip] {
        &self.flips
    }
}

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

/// The literal of the violation of a run that was accepted.
fn violated(circuit: &Circuit, trace: &Trace) -> Result<Lit, Refusal> {
    check_trace(circuit, trace)?;
    match trace.property {
        Property::Bad(index) => Ok(circuit.safety()[index]),
        Property::Justice(_) | Property::Home(_) => {
            Err(Refusal::new("property", "runs that violate justice are not explained"))
        }
    }
}

/// Accepts `flips`, each once and in order, if they avoid the violation that `trace` is; an `x` of the
/// trace is 0.
pub fn check_avoided(circuit: &Circuit, trace: &Trace, flips: &[Flip]) -> Result<Avoided, Refusal> {
    let bad = violated(circuit, trace)?;
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
    let flipped = |step: usize| {
        let flips = flips.iter().filter(move |flip| flip.step == step);
        flips.map(|flip| flip.var)
    };
    for (step, inputs) in trace.inputs.iter().enumerate() {
        set_inputs(circuit, &mut simulation, inputs);
        for var in flipped(step).filter(|var| *var <= circuit.inputs) {
            let value = simulation.value(Lit::new(var, true));
            simulation.set(var, value);
        }
        if step == 0 {
            start(circuit, &mut simulation, &trace.start);
        }
        for var in flipped(step).filter(|var| *var > circuit.inputs) {
            let value = simulation.value(Lit::new(var, true));
            simulation.set(var, value);
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
    Ok(Avoided { flips: flips.to_vec() })
}

/// Puts the inputs of a step into all patterns.
fn set_inputs<V: super::Value>(circuit: &Circuit, simulation: &mut Simulation<V>, row: &[Bit]) {
    for (index, bit) in row.iter().enumerate() {
        simulation.set(circuit.input(index).var(), value(*bit));
    }
}

/// Puts the first values of the latches into all patterns; resets follow from the inputs.
fn start<V: super::Value>(circuit: &Circuit, simulation: &mut Simulation<V>, row: &[Bit]) {
    for (index, bit) in row.iter().enumerate() {
        simulation.set(circuit.latch(index).var(), value(*bit));
    }
    simulation.reset();
}

fn value<V: super::Value>(bit: Bit) -> V {
    if bit == Bit::One { !V::FALSE } else { V::FALSE }
}

/// Accepts that no single flip avoids the violation that `trace` is, by evaluating each.
pub fn check_no_single(circuit: &Circuit, trace: &Trace) -> Result<(), Refusal> {
    let bad = violated(circuit, trace)?;
    let signals = circuit.inputs as usize + circuit.latches.len();
    let all = signals.saturating_mul(trace.inputs.len());
    let passes = all.div_ceil(64).saturating_mul(trace.inputs.len()) as u64;
    work::of_trace(circuit, trace)
        .spend(passes.saturating_mul(u64::from(circuit.max_var()) + 1))
        .map_err(|exhausted| Refusal::too_large("single flips", exhausted))?;
    let mut simulation =
        Simulation::<u64>::new(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    for first in (0..all).step_by(64) {
        let batch: Vec<Flip> = (first..all.min(first + 64))
            .map(|number| Flip { step: number / signals, var: 1 + (number % signals) as u32 })
            .collect();
        let avoiding = avoiding(circuit, trace, bad, &mut simulation, &batch);
        if let Some(flip) = batch.get(avoiding.trailing_zeros() as usize) {
            let reason = format!("variable {} flipped at step {} avoids it", flip.var, flip.step);
            return Err(Refusal::new("single flips", reason));
        }
    }
    Ok(())
}

/// The patterns in which the violation is avoided, where pattern `i` has flip `i` of the batch.
fn avoiding(
    circuit: &Circuit,
    trace: &Trace,
    bad: Lit,
    simulation: &mut Simulation<u64>,
    batch: &[Flip],
) -> u64 {
    let mut avoiding = if batch.len() == 64 { !0 } else { (1 << batch.len()) - 1 };
    let flipped = |step: usize, is_input: bool| {
        let here = batch.iter().enumerate().filter(move |(_, flip)| flip.step == step);
        here.filter(move |(_, flip)| (flip.var <= circuit.inputs) == is_input)
    };
    for (step, inputs) in trace.inputs.iter().enumerate() {
        set_inputs(circuit, simulation, inputs);
        for (pattern, flip) in flipped(step, true) {
            simulation.set(flip.var, simulation.value(Lit::new(flip.var, false)) ^ 1 << pattern);
        }
        if step == 0 {
            start(circuit, simulation, &trace.start);
        }
        for (pattern, flip) in flipped(step, false) {
            simulation.set(flip.var, simulation.value(Lit::new(flip.var, false)) ^ 1 << pattern);
        }
        simulation.settle();
        for constraint in &circuit.constraints {
            avoiding &= simulation.value(*constraint);
        }
        avoiding &= !simulation.value(bad);
        simulation.advance();
    }
    avoiding
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
