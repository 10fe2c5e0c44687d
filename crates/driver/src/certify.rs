//! Checking evidence from a file: the checker alone, no engine.

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use alphorn_check::Refusal;
use alphorn_check::accept::{AskedProperty, Checkable, accept};
use alphorn_front::Diagnostics;
use alphorn_front::evidence as text;
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::{Circuit, Horn, Verdict, Words};

/// What became of a file of evidence.
#[derive(Debug)]
pub enum Certified {
    /// It was accepted.
    Accepted(AnyEvidence),
    /// It was read, but it does not show what it claims.
    Refused(Refusal),
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
    certify_about(opened, None, bytes)
}

/// `certify`, where evidence about any other property than `wanted`, if there is one, is refused.
pub fn certify_about(opened: &Opened, wanted: Option<Property>, bytes: &[u8]) -> Vec<Certified> {
    let asked = wanted.map(AskedProperty::of);
    macro_rules! all {
        ($problem:expr, $asked:expr, $read:expr, $wrap:path) => {{
            let (verdicts, diagnostics) = $read;
            match verdicts {
                Some(verdicts) if diagnostics.is_clean() => verdicts
                    .into_iter()
                    .map(|verdict| match accept(&**$problem, $asked(&verdict), verdict) {
                        Ok(checked) => Certified::Accepted($wrap(Box::new(checked))),
                        Err(refusal) => Certified::Refused(refusal),
                    })
                    .collect(),
                _ => vec![Certified::Unreadable(diagnostics)],
            }
        }};
    }
    match &opened.problem {
        Some(AnyProblem::Horn(horn)) => {
            all!(horn, |_: &Verdict<Horn>| (), text::read_horn(bytes, horn), AnyEvidence::Horn)
        }
        Some(AnyProblem::Circuit(circuit)) => {
            let asked =
                |verdict: &Verdict<Circuit>| asked.unwrap_or_else(|| Circuit::claimed(verdict));
            all!(circuit, asked, text::read_circuit(bytes, circuit), AnyEvidence::Circuit)
        }
        Some(AnyProblem::Words(words)) => {
            let asked = |verdict: &Verdict<Words>| asked.unwrap_or_else(|| Words::claimed(verdict));
            all!(words, asked, text::read_words(bytes, words), AnyEvidence::Words)
        }
        None => Vec::new(),
    }
}
