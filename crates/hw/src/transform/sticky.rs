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
use crate::model::until_bad;
use alphorn_engine::{Back, Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{CircuitClaim, Trace};

/// The transform.
pub(super) fn apply(circuit: &Circuit, _: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let ([_], true) = (circuit.safety(), circuit.justice.is_empty()) else { return Ok(None) };
    let (mut stuck, flag) = with_flag(circuit, Lit::FALSE);
    let moved = safety_mut(&mut stuck)[0];
    let seen = !and(&mut stuck, !flag, !moved);
    stuck.latches[circuit.latches.len()].next = seen;
    safety_mut(&mut stuck)[0] = seen;
    let (inputs, latches) = (circuit.inputs, circuit.latches.len() as u32);
    let before = circuit.clone();
    let back = Back::new(
        move |claim: CircuitClaim| {
            let invariant = without_flag(claim.invariant, inputs, latches, false);
            Ok(CircuitClaim { invariant, ..claim })
        },
        move |mut trace: Trace| {
            trace.start.truncate(latches as usize);
            Ok(until_bad(&before, completed_with(&before, &[], &trace)))
        },
    );
    let about = "violations are remembered".to_owned();
    Ok(Some(Change { circuit: stuck, back, about }))
}
