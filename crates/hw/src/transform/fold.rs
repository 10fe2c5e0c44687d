//! Constraint folding: constraints become a flag that stays down once they were violated.
//!
//! The flag begins with 1 and keeps its value while the constraints hold; a state is bad if the flag
//! is up, the constraints hold and the property is violated. So engines that do not know
//! constraints, or do not like them, see a circuit without any.
//!
//! Way back: on the runs that count the flag is up, so the invariant where it is up is one of the circuit
//! with constraints. Each obligation of it, under the constraints, is the one of the folded circuit
//! where the flag is up and stays up.

use super::Change;
use super::facts::and;
use super::flag::{safety_mut, with_flag, without_flag};
use alphorn_engine::{Back, Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{CircuitClaim, Trace};

/// The transform.
pub(super) fn apply(circuit: &Circuit, _: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    if circuit.constraints.is_empty() || !circuit.justice.is_empty() {
        return Ok(None);
    }
    let (mut folded, flag) = with_flag(circuit, Lit::TRUE);
    let constraints = std::mem::take(&mut folded.constraints);
    folded.symbols.entries.retain(|(kind, _, _)| *kind != b'c');
    let up = constraints.iter().fold(flag, |up, lit| and(&mut folded, up, *lit));
    folded.latches[circuit.latches.len()].next = up;
    for index in 0..circuit.safety().len() {
        let bad = safety_mut(&mut folded)[index];
        safety_mut(&mut folded)[index] = and(&mut folded, bad, up);
    }
    let (inputs, latches) = (circuit.inputs, circuit.latches.len() as u32);
    let back = Back::new(
        move |claim: CircuitClaim| {
            let invariant = without_flag(claim.invariant, inputs, latches, true);
            Ok(CircuitClaim { invariant, ..claim })
        },
        move |mut trace: Trace| {
            trace.start.truncate(latches as usize);
            Ok(trace)
        },
    );
    let about = format!("{} constraints became a latch", constraints.len());
    Ok(Some(Change { circuit: folded, back, about }))
}
