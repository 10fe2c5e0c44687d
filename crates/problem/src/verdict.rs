//! Findings, which are said, and verdicts, which cannot be built without evidence.
//!
//! An engine *finds* that nothing bad can happen, and claims an invariant for a reason; or it finds a
//! run that shows the contrary. A claim is not evidence: it travels back to the problem as read, and
//! there it is proved, once. Engines that have proofs at hand may leave them in the claim as hints.

use crate::circuit::Circuit;
use crate::derived::Derived;
use crate::evidence::{
    circuit, flips, flow, front, game, horn, matching, proof, script, temporal, words,
};
use crate::flow::Flow;
use crate::game::Game;
use crate::horn::Horn;
use crate::lemma::{FlowLemma, HornLemma, LatchClause};
use crate::matching::Matching;
use crate::parameters::Parametric;
use crate::script::Question;
use crate::temporal::Temporal;
use crate::violation::Violation;
use crate::words::Words;
use std::fmt::Debug;

/// A kind of problem: what proves it and what refutes it.
pub trait Problem: Clone + Debug + Send + Sync + 'static {
    /// Why nothing bad can happen, said and not proved.
    type Claim: Clone + Debug + Send + 'static;
    /// What engines that work on one problem may tell each other.
    type Lemma: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// Evidence that nothing bad can happen.
    type Proof: Clone + Debug + Send + 'static;
    /// Evidence that something bad can happen.
    type Trace: Clone + Debug + Send + 'static;
}

impl Problem for Horn {
    type Claim = horn::HornClaim;
    type Lemma = HornLemma;
    type Proof = horn::HornModel;
    type Trace = horn::Derivation;
}

impl Problem for Derived {
    type Claim = ();
    type Lemma = ();
    type Proof = ();
    type Trace = horn::ChangedChoices;
}

impl Problem for Circuit {
    type Claim = circuit::CircuitClaim;
    type Lemma = LatchClause;
    type Proof = circuit::Certificate;
    type Trace = circuit::Trace;
}

impl Problem for Parametric {
    type Claim = front::Front;
    type Lemma = ();
    type Proof = front::Front;
    type Trace = front::Front;
}

impl Problem for Violation {
    type Claim = flips::Avoidance;
    type Lemma = ();
    type Proof = flips::Avoidance;
    type Trace = flips::Avoidance;
}

impl Problem for Words {
    type Claim = words::WordClaim;
    type Lemma = ();
    type Proof = words::WordCertificate;
    type Trace = words::WordTrace;
}

impl Problem for Game {
    type Claim = game::ControllerClaim;
    type Lemma = LatchClause;
    type Proof = game::Controller;
    type Trace = game::Spoiler;
}

impl Problem for Flow {
    type Claim = flow::Ranking;
    type Lemma = FlowLemma;
    type Proof = flow::Termination;
    type Trace = flow::Recurrence;
}

impl Problem for Temporal {
    type Claim = temporal::Labelling;
    type Lemma = FlowLemma;
    type Proof = temporal::Labels;
    type Trace = temporal::Labels;
}

impl Problem for Matching {
    type Claim = matching::AllMatches;
    type Lemma = ();
    type Proof = matching::AllMatches;
    type Trace = matching::Match;
}

impl Problem for Question {
    type Claim = proof::Proof;
    type Lemma = ();
    type Proof = proof::Proof;
    type Trace = script::ScriptModel;
}

/// What an engine has found.
#[derive(Clone, Debug)]
pub enum Finding<P: Problem> {
    /// Nothing bad can happen, for a reason that is still to be proved.
    Holds(P::Claim),
    /// Something bad can happen, as the trace shows.
    Fails(P::Trace),
}

/// What was decided, with the evidence for it.
#[derive(Clone, Debug)]
pub enum Verdict<P: Problem> {
    /// Nothing bad can happen.
    Safe(P::Proof),
    /// Something bad can happen, as the trace shows.
    Unsafe(P::Trace),
}
