//! Verdicts, which cannot be built without evidence.

use crate::circuit::Circuit;
use crate::evidence::{circuit, horn, proof, script, words};
use crate::horn::Horn;
use crate::script::Question;
use crate::words::Words;
use std::fmt::Debug;

/// A kind of problem: what proves it and what refutes it.
pub trait Problem: Clone + Debug + Send + Sync + 'static {
    /// Evidence that nothing bad can happen.
    type Proof: Clone + Debug + Send + 'static;
    /// Evidence that something bad can happen.
    type Trace: Clone + Debug + Send + 'static;
}

impl Problem for Horn {
    type Proof = horn::HornModel;
    type Trace = horn::Derivation;
}

impl Problem for Circuit {
    type Proof = circuit::Certificate;
    type Trace = circuit::Trace;
}

impl Problem for Words {
    type Proof = words::WordCertificate;
    type Trace = words::WordTrace;
}

impl Problem for Question {
    type Proof = proof::Proof;
    type Trace = script::ScriptModel;
}

/// What was decided, with the evidence for it.
#[derive(Clone, Debug)]
pub enum Verdict<P: Problem> {
    /// Nothing bad can happen.
    Safe(P::Proof),
    /// Something bad can happen, as the trace shows.
    Unsafe(P::Trace),
}
