//! The gate: the only place where a verdict becomes a checked one.
//!
//! A `Checked` verdict cannot be made anywhere else, so a function that wants one (and everything
//! that talks to users does) cannot be given an answer whose evidence was not checked against
//! the problem as read.

use crate::Refusal;
use crate::{circuit, horn, words};
use alphorn_problem::{Circuit, Horn, Problem, Verdict, Words};

/// A verdict whose evidence has been checked.
#[derive(Clone, Debug)]
pub struct Checked<P: Problem> {
    verdict: Verdict<P>,
}

impl<P: Problem> Checked<P> {
    /// The verdict.
    pub fn verdict(&self) -> &Verdict<P> {
        &self.verdict
    }
}

/// A kind of problem whose evidence we can check.
pub trait Checkable: Problem {
    /// Whether `proof` shows that nothing bad can happen.
    fn check_proof(&self, proof: &Self::Proof) -> Result<(), Refusal>;
    /// Whether `trace` shows that something bad can happen.
    fn check_trace(&self, trace: &Self::Trace) -> Result<(), Refusal>;
}

/// Checks a verdict's evidence against the problem.
pub fn accept<P: Checkable>(problem: &P, verdict: Verdict<P>) -> Result<Checked<P>, Refusal> {
    match &verdict {
        Verdict::Safe(proof) => problem.check_proof(proof)?,
        Verdict::Unsafe(trace) => problem.check_trace(trace)?,
    }
    Ok(Checked { verdict })
}

impl Checkable for Horn {
    fn check_proof(&self, proof: &Self::Proof) -> Result<(), Refusal> {
        horn::check_model(self, proof).map(|_| ())
    }
    fn check_trace(&self, trace: &Self::Trace) -> Result<(), Refusal> {
        horn::check_derivation(self, trace)
    }
}

impl Checkable for Circuit {
    fn check_proof(&self, proof: &Self::Proof) -> Result<(), Refusal> {
        circuit::check_certificate(self, proof)
    }
    fn check_trace(&self, trace: &Self::Trace) -> Result<(), Refusal> {
        circuit::check_trace(self, trace)
    }
}

impl Checkable for Words {
    fn check_proof(&self, proof: &Self::Proof) -> Result<(), Refusal> {
        words::check_certificate(self, proof)
    }
    fn check_trace(&self, trace: &Self::Trace) -> Result<(), Refusal> {
        words::check_trace(self, trace)
    }
}
