//! Explanations: what would have avoided a violation, and which latch was at fault.
//!
//! Whatever is said was accepted by the checker: every set of flips avoids the violation in a simulation of its
//! own, and a refutation shows that no other does; every choice of a derivation that matters has a refutation of the
//! derivation with another value; every root changes what was observed. What is known beyond that is said as such.

mod horn;
mod observation;
mod run;

pub use alphorn_audit::explain::Changed;
pub use alphorn_front::evidence::is_explanation;
pub use observation::{read_observation, roots};

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use alphorn_audit::explain::Explained;
use alphorn_check::Refusal;
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_problem::Verdict;
use serde_json::{Value, json};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Whether inputs may be flipped.
    pub inputs: bool,
    /// Whether latches and states may be flipped.
    pub latches: bool,
    /// The most sets.
    pub most: usize,
}

/// An explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// What was found, in a sentence.
    pub summary: String,
    /// How many changes each set has; none if there is no set.
    pub size: Option<usize>,
    /// The sets, each of which avoids the violation; or roots, one by one.
    pub sets: Vec<Vec<Changed>>,
    /// For each set what else is to be said about it, if anything.
    pub remarks: Vec<String>,
    /// What is known besides, and how: a sentence each.
    pub known: Vec<String>,
    /// The text of the evidence that was accepted, if there is any.
    pub evidence: Option<String>,
}

/// Why there is no explanation.
#[derive(Clone, Debug)]
pub enum Unexplained {
    /// It is not treated.
    Unsupported(String),
    /// The search stopped.
    Stopped(String),
    /// What was found is not right: a fault of ours.
    Refused(Refusal),
}

impl From<Stop> for Unexplained {
    fn from(stop: Stop) -> Unexplained {
        match stop {
            Stop::Unsupported(reason) => Unexplained::Unsupported(reason),
            Stop::Budget(limit) => Unexplained::Stopped(limit.describe().to_owned()),
            Stop::Stuck(reason) | Stop::Unproved { reason, .. } => Unexplained::Stopped(reason),
        }
    }
}

impl From<Refusal> for Unexplained {
    fn from(refusal: Refusal) -> Unexplained {
        Unexplained::Refused(refusal)
    }
}

/// Explains a violation that was accepted for the file.
pub fn explain(
    opened: &Opened,
    evidence: &AnyEvidence,
    wish: Wish,
    stopper: &Stopper,
) -> Result<Explanation, Unexplained> {
    let mut ignore = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, stopper.clone(), 0, &mut ignore);
    let unsupported = |reason: &str| Err(Unexplained::Unsupported(reason.to_owned()));
    match (&opened.problem, evidence) {
        (Some(AnyProblem::Circuit(circuit)), AnyEvidence::Circuit(checked)) => {
            match checked.verdict() {
                Verdict::Unsafe(trace) => run::of_circuit(circuit, trace, wish, &mut ctx),
                Verdict::Safe(_) => unsupported(NO_VIOLATION),
            }
        }
        (Some(AnyProblem::Words(words)), AnyEvidence::Words(checked)) => match checked.verdict() {
            Verdict::Unsafe(trace) => run::of_words(words, trace, wish, &mut ctx),
            Verdict::Safe(_) => unsupported(NO_VIOLATION),
        },
        (Some(AnyProblem::Horn(system)), AnyEvidence::Horn(checked)) => match checked.verdict() {
            Verdict::Unsafe(derivation) => horn::explain(system, derivation, wish.most, &mut ctx),
            Verdict::Safe(_) => unsupported(NO_VIOLATION),
        },
        _ => {
            unsupported("violations of circuits, systems over words and Horn clauses are explained")
        }
    }
}

const NO_VIOLATION: &str = "the evidence shows no violation, so there is nothing to explain";

impl Explanation {
    /// What was checked, with its evidence.
    fn of(explained: Explained, evidence: String) -> Explanation {
        let Explained { summary, size, sets, known } = explained;
        Explanation { summary, size, sets, remarks: Vec::new(), known, evidence: Some(evidence) }
    }

    /// The explanation as lines of text, the first of which is the summary.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.summary.clone()];
        for (at, set) in self.sets.iter().enumerate() {
            let changes: Vec<String> = set.iter().map(Changed::to_string).collect();
            let remark = self.remarks.get(at).filter(|remark| !remark.is_empty());
            let remark = remark.map_or(String::new(), |remark| format!("  ({remark})"));
            lines.push(format!("{}{remark}", changes.join(", ")));
        }
        lines.extend(self.known.iter().cloned());
        lines
    }

    /// The explanation as fields of an object.
    pub fn fields(&self) -> Value {
        let change = |changed: &Changed| {
            json!({
                "step": changed.step,
                "kind": changed.kind,
                "name": changed.name,
                "from": changed.from,
                "to": changed.to,
            })
        };
        let set = |set: &Vec<Changed>| set.iter().map(change).collect::<Vec<Value>>();
        json!({
            "summary": self.summary,
            "size": self.size,
            "sets": self.sets.iter().map(set).collect::<Vec<_>>(),
            "remarks": self.remarks,
            "known": self.known,
        })
    }
}
