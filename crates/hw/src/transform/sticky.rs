//! Stuck on error: a violation is remembered for ever.
//!
//! A flag goes up after a bad step and stays up; a state is bad if the flag is up or the property is
//! violated. Violations of length n become violations of every length from n on, which lets bounded
//! search skip depths, and makes the bad states closed under steps.
//!
//! Way back: the invariant where the flag is down. It is kept by a step because it excludes bad steps, the
//! only ones that raise the flag. A run ends with its first bad step.

use super::Change;
use super::facts::{and, completed_with};
use super::flag::{safety_mut, with_flag, without_flag};
use crate::circuit::Simulation;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Certificate, Property, Trace};
use alphorn_problem::{Back, Circuit};

/// The transform.
pub(super) fn apply(circuit: &Circuit, _: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let ([bad], true) = (circuit.safety(), circuit.justice.is_empty()) else { return Ok(None) };
    let bad = *bad;
    let (mut stuck, flag) = with_flag(circuit, Lit::FALSE);
    let moved = safety_mut(&mut stuck)[0];
    let seen = !and(&mut stuck, !flag, !moved);
    stuck.latches[circuit.latches.len()].next = seen;
    safety_mut(&mut stuck)[0] = seen;
    let (inputs, latches) = (circuit.inputs, circuit.latches.len() as u32);
    let before = circuit.clone();
    let back = Back::new(
        move |certificate: Certificate| {
            let invariant = without_flag(certificate.invariant, inputs, latches, false);
            Ok(Certificate { invariant, ..certificate })
        },
        move |mut trace: Trace| {
            trace.start.truncate(latches as usize);
            Ok(until_bad(&before, bad, completed_with(&before, &[], &trace)))
        },
    );
    let about = "violations are remembered".to_owned();
    Ok(Some(Change { circuit: stuck, back, about }))
}

/// The run up to its first bad step.
pub(super) fn until_bad(circuit: &Circuit, bad: Lit, mut trace: Trace) -> Trace {
    if !matches!(trace.property, Property::Bad(_)) {
        return trace;
    }
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
