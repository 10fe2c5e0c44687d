//! The way back: what is found of a transformed problem as something about the original.
//!
//! Every transform returns the new problem together with a `Back`. There is no other road from an
//! engine's finding to the user's file, so a transform that forgets something shows up as
//! a claim that is not proved. Claims travel without proofs, which are made once, at the end. Ways back
//! compose (`Back::after`), and they may fail: a failure loses the verdict, never the truth.

use crate::{Ctx, Stop};
use alphorn_problem::{Finding, Problem};

/// Why a finding could not be carried back; a fault of a transform, reported as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost(pub String);

impl From<Lost> for Stop {
    fn from(Lost(why): Lost) -> Stop {
        Stop::Stuck(why)
    }
}

type Carry<A, B> = Box<dyn Fn(A, &mut Ctx<'_>) -> Result<B, Stop> + Send + Sync>;

/// Carries what is found of the problem of type `S` back to the problem of type `P`.
pub struct Back<P: Problem, S: Problem> {
    claim: Carry<S::Claim, P::Claim>,
    trace: Carry<S::Trace, P::Trace>,
}

impl<P: Problem> Back<P, P> {
    /// The way back of a transform that changed nothing.
    pub fn identity() -> Back<P, P> {
        Back { claim: Box::new(|claim, _| Ok(claim)), trace: Box::new(|trace, _| Ok(trace)) }
    }
}

impl<P: Problem, S: Problem> Back<P, S> {
    /// A way back, from how it carries claims and traces, which takes no search.
    pub fn new(
        claim: impl Fn(S::Claim) -> Result<P::Claim, Lost> + Send + Sync + 'static,
        trace: impl Fn(S::Trace) -> Result<P::Trace, Lost> + Send + Sync + 'static,
    ) -> Back<P, S> {
        Back::searching(move |c, _| Ok(claim(c)?), move |t, _| Ok(trace(t)?))
    }

    /// A way back that may search, within the budget of whoever goes it.
    pub fn searching(
        claim: impl Fn(S::Claim, &mut Ctx<'_>) -> Result<P::Claim, Stop> + Send + Sync + 'static,
        trace: impl Fn(S::Trace, &mut Ctx<'_>) -> Result<P::Trace, Stop> + Send + Sync + 'static,
    ) -> Back<P, S> {
        Back { claim: Box::new(claim), trace: Box::new(trace) }
    }

    /// A claim about the new problem, as one about the original.
    pub fn claim(&self, claim: S::Claim, ctx: &mut Ctx<'_>) -> Result<P::Claim, Stop> {
        (self.claim)(claim, ctx)
    }

    /// A trace of the new problem, as one of the original.
    pub fn trace(&self, trace: S::Trace, ctx: &mut Ctx<'_>) -> Result<P::Trace, Stop> {
        (self.trace)(trace, ctx)
    }

    /// What was found of the new problem, as something about the original.
    pub fn finding(&self, finding: Finding<S>, ctx: &mut Ctx<'_>) -> Result<Finding<P>, Stop> {
        Ok(match finding {
            Finding::Holds(claim) => Finding::Holds(self.claim(claim, ctx)?),
            Finding::Fails(trace) => Finding::Fails(self.trace(trace, ctx)?),
        })
    }

    /// The way back through a second transform and then this one.
    pub fn after<T: Problem>(self, second: Back<S, T>) -> Back<P, T> {
        let Back { claim, trace } = self;
        let Back { claim: second_claim, trace: second_trace } = second;
        Back::searching(
            move |c, ctx| claim(second_claim(c, ctx)?, ctx),
            move |t, ctx| trace(second_trace(t, ctx)?, ctx),
        )
    }
}
