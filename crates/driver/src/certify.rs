//! Checking evidence from a file: the checker alone, no engine.

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use alphorn_check::Refusal;
use alphorn_check::accept::accept;
use alphorn_front::Diagnostics;
use alphorn_front::evidence as text;

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

/// Checks the evidence in `bytes` against the problem of `opened`, which has one.
pub fn certify(opened: &Opened, bytes: &[u8]) -> Vec<Certified> {
    macro_rules! all {
        ($problem:expr, $read:expr, $wrap:path) => {{
            let (verdicts, diagnostics) = $read;
            match verdicts {
                Some(verdicts) if diagnostics.is_clean() => verdicts
                    .into_iter()
                    .map(|verdict| match accept(&**$problem, verdict) {
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
            all!(horn, text::read_horn(bytes, horn), AnyEvidence::Horn)
        }
        Some(AnyProblem::Circuit(circuit)) => {
            all!(circuit, text::read_circuit(bytes, circuit), AnyEvidence::Circuit)
        }
        Some(AnyProblem::Words(words)) => {
            all!(words, text::read_words(bytes, words), AnyEvidence::Words)
        }
        None => Vec::new(),
    }
}
