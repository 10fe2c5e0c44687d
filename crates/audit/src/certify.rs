//! Evidence from a file, checked against the problem that another file states.
//!
//! Nothing is looked for: what comes without proofs is accepted where evaluation suffices, and is left
//! undecided elsewhere. Whoever has solvers may find the proofs, and bring them here then (`driver::certify`).

use crate::evidence::AnyEvidence;
use crate::explain;
use crate::open::{AnyProblem, Opened};
use crate::parameters;
use crate::program::{self, Judged};
use alphorn_check::Refusal;
use alphorn_check::accept::{AskedProperty, Checkable, accept};
use alphorn_front::Diagnostics;
use alphorn_front::evidence as text;
use alphorn_front::witness::is_witness;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::horn::{ClauseProof, HornModel};
use alphorn_problem::{Circuit, Horn, Problem, Verdict, Words};
use std::fmt;

/// What accepted evidence shows about a formula or a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The answer, as solvers word it.
    pub verdict: &'static str,
    /// What sort of evidence it is, with its size.
    pub detail: String,
    /// What was checked of it, in a phrase.
    pub checked: String,
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {} (checked: {})", self.verdict, self.detail, self.checked)
    }
}

/// What became of a file of evidence.
#[derive(Debug)]
pub enum Certified {
    /// It was accepted.
    Accepted(AnyEvidence),
    /// It was accepted, about a formula or a script.
    Answered(Answered),
    /// It was read, but it does not show what it claims.
    Refused(Refusal),
    /// It was read, and whether it is right was not found out, for this reason.
    Unproved(String),
    /// It could not be read.
    Unreadable(Diagnostics),
}

/// The property of a circuit or of a system over words with this position, counting safety first, or the question
/// about a program.
pub fn property_at(opened: &Opened, position: usize) -> Option<Property> {
    let (safety, justice, homes) = match &opened.problem {
        Some(AnyProblem::Circuit(circuit)) => (circuit.safety().len(), circuit.justice.len(), 0),
        Some(AnyProblem::Words(words)) => {
            (words.bads.len(), words.justice.len(), words.homes.len())
        }
        Some(AnyProblem::C(program)) => (program.tasks.len(), 0, 0),
        _ => return None,
    };
    let Some(index) = position.checked_sub(safety) else { return Some(Property::Bad(position)) };
    match index.checked_sub(justice) {
        None => Some(Property::Justice(index)),
        Some(index) => (index < homes).then_some(Property::Home(index)),
    }
}

/// Checks the evidence in `bytes` against the problem of `opened`; evidence about any other property than
/// `wanted`, if there is one, is refused.
pub fn certify(opened: &Opened, wanted: Option<Property>, bytes: &[u8]) -> Vec<Certified> {
    let asked = wanted.map(AskedProperty::of);
    let unproved = |what: &str| vec![Certified::Unproved(what.to_owned())];
    match &opened.problem {
        Some(problem) if text::is_front(bytes) => {
            vec![parameters::certify(problem, wanted, bytes)]
        }
        Some(problem) if text::is_explanation(bytes) => {
            vec![explain::certify(problem, wanted, bytes)]
        }
        Some(AnyProblem::Horn(horn)) => {
            each(text::read_horn(bytes, horn), |verdict| certify_horn(horn, verdict))
        }
        Some(AnyProblem::Circuit(_)) if is_circuit(bytes) => {
            unproved("a witness circuit comes without proofs; alphorn check --prove looks for them")
        }
        Some(AnyProblem::Circuit(circuit)) => each(text::read_circuit(bytes, circuit), |verdict| {
            let asked = asked.unwrap_or_else(|| Circuit::claimed(&verdict));
            outcome(accept(&**circuit, asked, verdict).map(Box::new), AnyEvidence::Circuit)
        }),
        Some(AnyProblem::Words(words)) => each(text::read_words(bytes, words), |verdict| {
            let asked = asked.unwrap_or_else(|| Words::claimed(&verdict));
            outcome(accept(&**words, asked, verdict).map(Box::new), AnyEvidence::Words)
        }),
        Some(AnyProblem::Flow(flow)) => each(text::read_flow(bytes, flow), |verdict| {
            outcome(accept(&**flow, (), verdict).map(Box::new), AnyEvidence::Flow)
        }),
        Some(AnyProblem::Temporal(problem)) => {
            each(text::read_temporal(bytes, problem), |verdict| {
                outcome(accept(&**problem, (), verdict).map(Box::new), AnyEvidence::Temporal)
            })
        }
        Some(AnyProblem::Game(game)) => each(text::read_game(bytes, game), |verdict| {
            outcome(accept(&**game, (), verdict).map(Box::new), AnyEvidence::Game)
        }),
        Some(AnyProblem::C(_)) if is_witness(bytes) => {
            unproved("a verifier's witness comes without proofs; alphorn check looks for them")
        }
        Some(AnyProblem::C(program)) => {
            let judged = program::judge(program, wanted.is_some(), bytes).into_iter();
            let certified = judged.map(|judged| match judged {
                Judged::Accepted(task, checked) => {
                    Certified::Accepted(AnyEvidence::C(task, checked))
                }
                Judged::Refused(refusal) => Certified::Refused(refusal),
                Judged::Unreadable(diagnostics) => Certified::Unreadable(diagnostics),
            });
            certified.collect()
        }
        None => Vec::new(),
    }
}

/// What becomes of each piece of evidence that was read.
pub fn each<P: Problem>(
    (verdicts, diagnostics): (Option<Vec<Verdict<P>>>, Diagnostics),
    certify: impl FnMut(Verdict<P>) -> Certified,
) -> Vec<Certified> {
    match verdicts {
        Some(verdicts) if diagnostics.is_clean() => verdicts.into_iter().map(certify).collect(),
        _ => vec![Certified::Unreadable(diagnostics)],
    }
}

/// What became of evidence that was accepted or refused.
pub fn outcome<T>(accepted: Result<T, Refusal>, wrap: impl Fn(T) -> AnyEvidence) -> Certified {
    match accepted {
        Ok(checked) => Certified::Accepted(wrap(checked)),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// Whether a model says of no clause why it holds.
pub fn has_no_proofs(model: &HornModel) -> bool {
    model.proofs.iter().all(|proof| matches!(proof, ClauseProof::Evaluate))
}

/// Whether a file is a circuit, and so a witness circuit.
pub fn is_circuit(bytes: &[u8]) -> bool {
    bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ")
}

/// Checks a verdict about a Horn system; a model without any proof may still be evaluated.
fn certify_horn(horn: &Horn, verdict: Verdict<Horn>) -> Certified {
    let is_unproved = matches!(&verdict, Verdict::Safe(model) if has_no_proofs(model));
    match accept(horn, (), verdict) {
        Err(refusal) if is_unproved => {
            let reason = "the model comes without proofs, and evaluating it does not suffice";
            let hint = "alphorn check --prove looks for them";
            Certified::Unproved(format!("{reason} ({refusal}); {hint}"))
        }
        accepted => outcome(accepted.map(Box::new), AnyEvidence::Horn),
    }
}
