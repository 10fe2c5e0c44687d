//! The gate: the only place where a verdict becomes a checked one.
//!
//! A `Checked` verdict cannot be made anywhere else, so a function that wants one (and everything
//! that talks to users does) cannot be given an answer whose evidence was not checked against
//! the problem as read, nor one to another question: what was asked is a value, evidence about
//! something else is refused, and the checked verdict keeps what it answers.

use crate::parameters::{self, AskedFront};
use crate::refusal::{Refusal, RefusalKind};
use crate::{circuit, flow, game, horn, matching, program, script, words};
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::{
    Circuit, Derived, Flow, Game, Horn, Matching, Parametric, Problem, Question, Temporal, Verdict,
    Violation, Words,
};
use alphorn_program::c::property::Task;
use std::fmt::Debug;

/// A verdict whose evidence has been checked, and the question that it answers.
#[derive(Clone, Debug)]
pub struct Checked<P: Checkable> {
    asked: P::Asked,
    verdict: Verdict<P>,
}

impl<P: Checkable> Checked<P> {
    /// The verdict.
    pub fn verdict(&self) -> &Verdict<P> {
        &self.verdict
    }

    /// What it is the answer to.
    pub fn asked(&self) -> &P::Asked {
        &self.asked
    }
}

/// A kind of problem whose evidence we can check.
pub trait Checkable: Problem {
    /// What can be asked about such a problem.
    type Asked: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// The question that evidence says it answers.
    fn claimed(verdict: &Verdict<Self>) -> Self::Asked;
    /// Whether `proof` shows that nothing bad can happen.
    fn check_proof(&self, asked: &Self::Asked, proof: &Self::Proof) -> Result<(), Refusal>;
    /// Whether `trace` shows that something bad can happen.
    fn check_trace(&self, asked: &Self::Asked, trace: &Self::Trace) -> Result<(), Refusal>;
    /// `check_proof` for a caller who lets the problem's store grow; a problem whose proofs make
    /// terms makes them there instead of copying it.
    fn check_proof_growing(
        &mut self,
        asked: &Self::Asked,
        proof: &Self::Proof,
    ) -> Result<(), Refusal> {
        self.check_proof(asked, proof)
    }
}

/// Checks a verdict's evidence against the problem, and against what was asked about it.
pub fn accept<P: Checkable>(
    problem: &P,
    asked: P::Asked,
    verdict: Verdict<P>,
) -> Result<Checked<P>, Refusal> {
    match &verdict {
        Verdict::Safe(proof) => problem.check_proof(&asked, proof)?,
        Verdict::Unsafe(trace) => problem.check_trace(&asked, trace)?,
    }
    Ok(Checked { asked, verdict })
}

/// `accept` for a caller who lets the problem's store grow, and so does not pay for its size.
/// Nothing else about the problem changes: terms are only added to a store.
pub fn accept_growing<P: Checkable>(
    problem: &mut P,
    asked: P::Asked,
    verdict: Verdict<P>,
) -> Result<Checked<P>, Refusal> {
    match &verdict {
        Verdict::Safe(proof) => problem.check_proof_growing(&asked, proof)?,
        Verdict::Unsafe(trace) => problem.check_trace(&asked, trace)?,
    }
    Ok(Checked { asked, verdict })
}

/// A question about a property of a circuit or of a system over words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedProperty {
    /// The property.
    pub property: Property,
    /// The most steps that a run may take to be an answer; any number if there is none.
    pub bound: Option<u64>,
}

impl AskedProperty {
    /// Whether the property holds, in any number of steps.
    pub fn of(property: Property) -> AskedProperty {
        AskedProperty { property, bound: None }
    }

    fn is_about(&self, property: Property) -> Result<(), Refusal> {
        if self.property == property {
            return Ok(());
        }
        let (found, asked) = (name(property), name(self.property));
        let reason = format!("the evidence is about {found}, and {asked} was asked about");
        Err(Refusal::beside(RefusalKind::OtherProperty, reason))
    }

    /// A run of one step has the inputs of two moments.
    fn is_within(&self, inputs: usize) -> Result<(), Refusal> {
        let steps = inputs.saturating_sub(1) as u64;
        match self.bound {
            Some(bound) if steps > bound => {
                let reason = format!("the run has {steps} steps, and {bound} were asked about");
                Err(Refusal::beside(RefusalKind::BeyondBound, reason))
            }
            _ => Ok(()),
        }
    }
}

fn name(property: Property) -> String {
    match property {
        Property::Bad(index) => format!("safety property {index}"),
        Property::Justice(index) => format!("justice property {index}"),
        Property::Home(index) => format!("home property {index}"),
    }
}

/// A system asks one question: whether it is satisfiable.
impl Checkable for Horn {
    type Asked = ();
    fn claimed(_: &Verdict<Horn>) {}
    fn check_proof(&self, (): &(), proof: &Self::Proof) -> Result<(), Refusal> {
        horn::check_model(self, proof).map(|_| ())
    }
    fn check_trace(&self, (): &(), trace: &Self::Trace) -> Result<(), Refusal> {
        horn::check_derivation(self, trace)
    }
}

/// Safe is that the derivation has no choices, unsafe what avoids it.
impl Checkable for Derived {
    type Asked = ();
    fn claimed(_: &Verdict<Derived>) {}
    fn check_proof(&self, (): &(), (): &()) -> Result<(), Refusal> {
        horn::check_no_choices(self)
    }
    fn check_trace(&self, (): &(), trace: &Self::Trace) -> Result<(), Refusal> {
        horn::check_choices(self, trace)
    }
}

/// The properties that are asked about are part of the task.
impl Checkable for Task {
    type Asked = ();
    fn claimed(_: &Verdict<Task>) {}
    fn check_proof(&self, (): &(), proof: &Self::Proof) -> Result<(), Refusal> {
        program::check_proof(self, proof)
    }
    fn check_trace(&self, (): &(), trace: &Self::Trace) -> Result<(), Refusal> {
        program::check_run(self, trace)
    }
}

/// A flow asks one question: whether every run ends.
impl Checkable for Flow {
    type Asked = ();
    fn claimed(_: &Verdict<Flow>) {}
    fn check_proof(&self, (): &(), proof: &Self::Proof) -> Result<(), Refusal> {
        flow::check_termination(self, proof)
    }
    fn check_trace(&self, (): &(), trace: &Self::Trace) -> Result<(), Refusal> {
        flow::check_recurrence(self, trace)
    }
}

/// A game asks one question: who wins it.
impl Checkable for Game {
    type Asked = ();
    fn claimed(_: &Verdict<Game>) {}
    fn check_proof(&self, (): &(), proof: &Self::Proof) -> Result<(), Refusal> {
        game::check_controller(self, proof)
    }
    fn check_trace(&self, (): &(), trace: &Self::Trace) -> Result<(), Refusal> {
        game::check_spoiler(self, trace)
    }
}

/// The formula is part of the problem.
impl Checkable for Temporal {
    type Asked = ();
    fn claimed(_: &Verdict<Temporal>) {}
    fn check_proof(&self, (): &(), proof: &Self::Proof) -> Result<(), Refusal> {
        flow::check_holds(self, proof)
    }
    fn check_trace(&self, (): &(), trace: &Self::Trace) -> Result<(), Refusal> {
        flow::check_fails(self, trace)
    }
}

/// What can be asked about matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedMatches {
    /// Whether there is one.
    Any,
    /// Which there are.
    All,
}

impl Checkable for Matching {
    type Asked = AskedMatches;
    fn claimed(verdict: &Verdict<Matching>) -> AskedMatches {
        match verdict {
            Verdict::Safe(all) if !all.matches.is_empty() => AskedMatches::All,
            _ => AskedMatches::Any,
        }
    }
    fn check_proof(&self, asked: &AskedMatches, proof: &Self::Proof) -> Result<(), Refusal> {
        if *asked == AskedMatches::Any && !proof.matches.is_empty() {
            let reason = "the evidence has matches, and whether there is none was asked";
            return Err(Refusal::beside(RefusalKind::OtherProperty, reason));
        }
        matching::check_all(self, proof)
    }
    fn check_trace(&self, asked: &AskedMatches, trace: &Self::Trace) -> Result<(), Refusal> {
        if *asked == AskedMatches::All {
            let reason = "the evidence is one match, and all were asked for";
            return Err(Refusal::beside(RefusalKind::OtherProperty, reason));
        }
        matching::check_match(self, trace)
    }
}

/// The formulas are the question: the assertions in force and the assumptions.
impl Checkable for Question {
    type Asked = ();
    fn claimed(_: &Verdict<Question>) {}
    fn check_proof(&self, (): &(), proof: &Self::Proof) -> Result<(), Refusal> {
        script::check_refutation(self, proof)
    }
    fn check_trace(&self, (): &(), trace: &Self::Trace) -> Result<(), Refusal> {
        script::check_model(self, trace)
    }
    fn check_proof_growing(&mut self, (): &(), proof: &Self::Proof) -> Result<(), Refusal> {
        script::check_refutation_growing(self, proof)
    }
}

impl Checkable for Circuit {
    type Asked = AskedProperty;
    fn claimed(verdict: &Verdict<Circuit>) -> AskedProperty {
        AskedProperty::of(match verdict {
            Verdict::Safe(certificate) => certificate.holds(),
            Verdict::Unsafe(trace) => trace.property,
        })
    }
    fn check_proof(&self, asked: &AskedProperty, proof: &Self::Proof) -> Result<(), Refusal> {
        asked.is_about(proof.holds())?;
        circuit::check_certificate(self, proof)
    }
    fn check_trace(&self, asked: &AskedProperty, trace: &Self::Trace) -> Result<(), Refusal> {
        asked.is_about(trace.property)?;
        asked.is_within(trace.inputs.len())?;
        circuit::check_trace(self, trace)
    }
}

impl Checkable for Words {
    type Asked = AskedProperty;
    fn claimed(verdict: &Verdict<Words>) -> AskedProperty {
        AskedProperty::of(match verdict {
            Verdict::Safe(certificate) => certificate.holds(),
            Verdict::Unsafe(trace) => trace.property,
        })
    }
    fn check_proof(&self, asked: &AskedProperty, proof: &Self::Proof) -> Result<(), Refusal> {
        asked.is_about(proof.holds())?;
        words::check_certificate(self, proof)
    }
    fn check_trace(&self, asked: &AskedProperty, trace: &Self::Trace) -> Result<(), Refusal> {
        asked.is_about(trace.property)?;
        asked.is_within(trace.inputs.len())?;
        words::check_trace(self, trace)
    }
}

/// Safe is that nothing avoids the violation, up to some size; unsafe is what does.
impl Checkable for Violation {
    type Asked = circuit::AskedSets;
    fn claimed(verdict: &Verdict<Violation>) -> circuit::AskedSets {
        match verdict {
            Verdict::Safe(own) | Verdict::Unsafe(own) => circuit::AskedSets::claimed(own),
        }
    }
    fn check_proof(&self, asked: &Self::Asked, proof: &Self::Proof) -> Result<(), Refusal> {
        circuit::has_no_sets(proof)?;
        circuit::check_avoidance(self, *asked, proof)
    }
    fn check_trace(&self, asked: &Self::Asked, trace: &Self::Trace) -> Result<(), Refusal> {
        circuit::has_sets(trace)?;
        circuit::check_avoidance(self, *asked, trace)
    }
}

/// Safe is a front with points, unsafe that no valuation is valid.
impl Checkable for Parametric {
    type Asked = AskedFront;
    fn claimed(verdict: &Verdict<Parametric>) -> AskedFront {
        match verdict {
            Verdict::Safe(front) | Verdict::Unsafe(front) => AskedFront::claimed(front),
        }
    }
    fn check_proof(&self, asked: &AskedFront, front: &Self::Proof) -> Result<(), Refusal> {
        parameters::has_points(front)?;
        parameters::check_front(self, *asked, front)
    }
    fn check_trace(&self, asked: &AskedFront, front: &Self::Trace) -> Result<(), Refusal> {
        parameters::has_no_points(front)?;
        parameters::check_front(self, *asked, front)
    }
}
