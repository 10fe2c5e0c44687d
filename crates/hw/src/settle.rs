//! The last steps before an answer is checked: a plain run, or a small invariant with its proofs.
//!
//! A verdict about the simplified circuit is carried back to the circuit as read. There a run is
//! shortened and gets an `x` for what does not matter; an invariant is proved, and if a smaller one is
//! wanted that is looked for afterwards, so that running out of time costs only the smaller one.

use crate::certify::{certify, conclude};
use crate::minimize::{Effort, minimize};
use crate::shorten::shorten;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::circuit::{Invariant, Trace};
use alphorn_problem::{Back, Circuit, Verdict};

/// What evidence should be like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// How hard to look for a small invariant; not at all if absent.
    pub minimize: Option<Effort>,
    /// Whether invariants without a witness circuit are no use.
    pub witness_circuit: bool,
}

/// A verdict on the simplified circuit as one on the circuit as read, its evidence complete.
pub fn settle(
    original: &Circuit,
    back: &Back<Circuit, Circuit>,
    verdict: Verdict<Circuit>,
    wishes: Wishes,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Circuit>, Stop> {
    let certificate = match back.verdict(verdict).map_err(|lost| Stop::Stuck(lost.0))? {
        Verdict::Unsafe(trace) => return plain_run(original, trace, ctx).map(Verdict::Unsafe),
        Verdict::Safe(certificate) => certificate,
    };
    let is_simple_path =
        matches!(certificate.invariant, Invariant::KInductive { simple_path: true, .. });
    if wishes.witness_circuit && is_simple_path {
        let reason = "proved by induction over simple paths, which has no witness circuit";
        return Err(Stop::Stuck(reason.into()));
    }
    let proved = conclude(original, Verdict::Safe(certificate), ctx)?;
    let (Verdict::Safe(certificate), Some(effort)) = (&proved, wishes.minimize) else {
        return Ok(proved);
    };
    let Invariant::Clauses(clauses) = &certificate.invariant else { return Ok(proved) };
    let property = certificate.property;
    let smaller = minimize(original, property, clauses.clone(), effort, ctx)
        .and_then(|clauses| certify(original, property, Invariant::Clauses(clauses), ctx));
    match smaller {
        Ok(certificate) => Ok(Verdict::Safe(certificate)),
        Err(Stop::Budget(_)) => Ok(proved),
        Err(other) => Err(other),
    }
}

/// The run without detours, or as it is when there is no time for that.
pub(crate) fn plain_run(
    original: &Circuit,
    trace: Trace,
    ctx: &mut Ctx<'_>,
) -> Result<Trace, Stop> {
    match shorten(original, trace.clone(), ctx) {
        Err(Stop::Budget(_)) => Ok(trace),
        result => result,
    }
}
