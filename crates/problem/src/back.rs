//! The way back: evidence about a transformed problem as evidence about the original.
//!
//! Every transform returns the new problem together with a `Back`. There is no other road from an
//! engine's evidence to the user's file, so a transform that forgets something shows up as
//! evidence that does not check. Ways back compose (`Back::after`), and they may fail: a failure
//! loses the verdict, never the truth.

use crate::verdict::{Problem, Verdict};

/// Why evidence could not be carried back; a fault of a transform, reported as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost(pub String);

type Carry<A, B> = Box<dyn Fn(A) -> Result<B, Lost> + Send + Sync>;

/// Carries evidence about the problem of type `S` back to the problem of type `P`.
pub struct Back<P: Problem, S: Problem> {
    proof: Carry<S::Proof, P::Proof>,
    trace: Carry<S::Trace, P::Trace>,
}

impl<P: Problem> Back<P, P> {
    /// The way back of a transform that changed nothing.
    pub fn identity() -> Back<P, P> {
        Back { proof: Box::new(Ok), trace: Box::new(Ok) }
    }
}

impl<P: Problem, S: Problem> Back<P, S> {
    /// A way back, from how it carries proofs and traces.
    pub fn new(
        proof: impl Fn(S::Proof) -> Result<P::Proof, Lost> + Send + Sync + 'static,
        trace: impl Fn(S::Trace) -> Result<P::Trace, Lost> + Send + Sync + 'static,
    ) -> Back<P, S> {
        Back { proof: Box::new(proof), trace: Box::new(trace) }
    }

    /// A proof of the new problem, as one of the original.
    pub fn proof(&self, proof: S::Proof) -> Result<P::Proof, Lost> {
        (self.proof)(proof)
    }

    /// A trace of the new problem, as one of the original.
    pub fn trace(&self, trace: S::Trace) -> Result<P::Trace, Lost> {
        (self.trace)(trace)
    }

    /// A verdict on the new problem, as one on the original.
    pub fn verdict(&self, verdict: Verdict<S>) -> Result<Verdict<P>, Lost> {
        Ok(match verdict {
            Verdict::Safe(proof) => Verdict::Safe(self.proof(proof)?),
            Verdict::Unsafe(trace) => Verdict::Unsafe(self.trace(trace)?),
        })
    }

    /// The way back through a second transform and then this one.
    pub fn after<T: Problem>(self, second: Back<S, T>) -> Back<P, T> {
        let Back { proof, trace } = self;
        let Back { proof: second_proof, trace: second_trace } = second;
        Back::new(move |p| proof(second_proof(p)?), move |t| trace(second_trace(t)?))
    }
}
