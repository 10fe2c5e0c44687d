//! Checking evidence from a file: the checker alone, no engine.
//!
//! What comes without proofs, as the models of other solvers and witness circuits do, can be proved
//! on request; the proofs are then checked like any others.

mod broken;
mod formula;
mod hints;
mod kinds;
mod prove;
mod script;
mod tables;
mod within;
mod witness;

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::program::{self, Judged};
use alphorn_check::Refusal;
use alphorn_check::accept::{AskedProperty, Checkable, accept};
use alphorn_engine::{Limit, Stopper};
use alphorn_front::Diagnostics;
use alphorn_front::evidence as text;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::{Circuit, Horn, Problem, Verdict, Words};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use alphorn_script::{Asked, questions};
pub use formula::{certify_formula, is_formula};
pub use kinds::{KINDS, KindCard, help, table};
pub use script::{certify_script, is_other_script};
pub use within::{Unfinished, within};

/// What a caller may choose about checking.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Whether proofs are looked for where the evidence has none.
    pub prove: bool,
    /// Whether the user limits the time, so that searches need no limit of their own.
    pub has_time: bool,
    /// Ends searches soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
    /// Ends proofs of clauses likewise.
    pub stopper: Stopper,
}

impl Request {
    /// Ends the work that can end early.
    pub fn stop(&self, limit: Limit) {
        self.interrupt.store(true, Ordering::Relaxed);
        self.stopper.stop(limit);
    }
}

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

/// The property of a circuit or of a system over words with this position, counting safety first.
pub fn property_at(opened: &Opened, position: usize) -> Option<Property> {
    let (safety, justice) = match &opened.problem {
        Some(AnyProblem::Circuit(circuit)) => (circuit.safety().len(), circuit.justice.len()),
        Some(AnyProblem::Words(words)) => (words.bads.len(), words.justice.len()),
        _ => return None,
    };
    match position.checked_sub(safety) {
        None => Some(Property::Bad(position)),
        Some(index) => (index < justice).then_some(Property::Justice(index)),
    }
}

/// Checks the evidence in `bytes` against the problem of `opened`, which has one.
pub fn certify(opened: &Opened, bytes: &[u8]) -> Vec<Certified> {
    certify_about(opened, None, bytes, &Request::default())
}

/// `certify`, as requested, where evidence about any other property than `wanted`, if there is one, is
/// refused.
pub fn certify_about(
    opened: &Opened,
    wanted: Option<Property>,
    bytes: &[u8],
    request: &Request,
) -> Vec<Certified> {
    let asked = wanted.map(AskedProperty::of);
    match &opened.problem {
        Some(AnyProblem::Horn(horn)) => {
            each(text::read_horn(bytes, horn), |verdict| certify_horn(horn, verdict, request))
        }
        Some(AnyProblem::Circuit(circuit)) if prove::is_circuit(bytes) => {
            vec![prove::prove_witness(circuit, wanted, bytes, request)]
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
        Some(AnyProblem::C(_)) if witness::is_witness(bytes) => {
            witness::certify(opened, bytes, request)
        }
        Some(AnyProblem::C(program)) => {
            vec![match program::judge(program, wanted.is_some(), bytes) {
                Judged::Accepted(checked) => Certified::Accepted(AnyEvidence::C(checked)),
                Judged::Refused(refusal) => Certified::Refused(refusal),
                Judged::Unreadable(diagnostics) => Certified::Unreadable(diagnostics),
            }]
        }
        None => Vec::new(),
    }
}

/// What becomes of each piece of evidence that was read.
fn each<P: Problem>(
    (verdicts, diagnostics): (Option<Vec<Verdict<P>>>, Diagnostics),
    certify: impl FnMut(Verdict<P>) -> Certified,
) -> Vec<Certified> {
    match verdicts {
        Some(verdicts) if diagnostics.is_clean() => verdicts.into_iter().map(certify).collect(),
        _ => vec![Certified::Unreadable(diagnostics)],
    }
}

fn outcome<T>(accepted: Result<T, Refusal>, wrap: impl Fn(T) -> AnyEvidence) -> Certified {
    match accepted {
        Ok(checked) => Certified::Accepted(wrap(checked)),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// Checks a verdict about a Horn system; a model without any proof may still be evaluated, or proved.
fn certify_horn(horn: &Horn, verdict: Verdict<Horn>, request: &Request) -> Certified {
    let unproved = match &verdict {
        Verdict::Safe(model) if prove::has_no_proofs(model) => Some(model.clone()),
        _ => None,
    };
    match (accept(horn, (), verdict), unproved) {
        (Err(refusal), Some(model)) => prove::prove_model(horn, model, &refusal, request),
        (accepted, _) => outcome(accepted.map(Box::new), AnyEvidence::Horn),
    }
}
