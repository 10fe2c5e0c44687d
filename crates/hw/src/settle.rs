//! The last steps before an answer is checked: a plain run, or a small invariant with its proofs.
//!
//! What was found of the simplified circuit was carried back to the circuit as read. There a run is
//! shortened and gets an `x` for what does not matter; an invariant is proved, and if a smaller one is
//! wanted that is looked for afterwards, so that running out of time costs only the smaller one.

use crate::certify::{certify, prove_circuit};
use crate::minimize::{Effort, minimize};
use crate::shorten::shorten;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::circuit::{Invariant, Trace};
use alphorn_problem::{Circuit, Finding, Verdict};

/// What evidence should be like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// How hard to look for a small invariant; not at all if absent.
    pub minimize: Option<Effort>,
    /// Whether invariants without a witness circuit are no use.
    pub witness_circuit: bool,
}

/// The verdict that a finding about the circuit as read is, its evidence complete.
pub fn settle(
    original: &Circuit,
    finding: Finding<Circuit>,
    wishes: Wishes,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Circuit>, Stop> {
    let claim = match finding {
        Finding::Fails(trace) => return plain_run(original, trace, ctx).map(Verdict::Unsafe),
        Finding::Holds(claim) => claim,
    };
    let is_simple_path = matches!(claim.invariant, Invariant::KInductive { simple_path: true, .. });
    if wishes.witness_circuit && is_simple_path {
        let reason = "proved by induction over simple paths, which has no witness circuit";
        return Err(Stop::Stuck(reason.into()));
    }
    let proved = prove_circuit(original, claim, ctx)?;
    let (Invariant::Clauses(clauses), Some(effort)) = (&proved.invariant, wishes.minimize) else {
        return Ok(Verdict::Safe(proved));
    };
    let property = proved.property;
    let smaller = minimize(original, property, clauses.clone(), effort, ctx)
        .and_then(|clauses| certify(original, property, Invariant::Clauses(clauses), ctx));
    match smaller {
        Ok(certificate) => Ok(Verdict::Safe(certificate)),
        Err(Stop::Budget(_)) => Ok(Verdict::Safe(proved)),
        Err(other) => Err(other),
    }
}

/// The run without detours, or as it is when there is no time for that.
pub fn plain_run(original: &Circuit, trace: Trace, ctx: &mut Ctx<'_>) -> Result<Trace, Stop> {
    match shorten(original, trace.clone(), ctx) {
        Err(Stop::Budget(_)) => Ok(trace),
        result => result,
    }
}
