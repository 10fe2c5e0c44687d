//! Where in a file a violation is.

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::source::Lines;
use alphorn_problem::{Span, Verdict};

/// Line and column, from 1, of what evidence shows to be violated: the statement of a program, or the query of
/// a Horn system.
pub fn place(opened: &Opened, evidence: &AnyEvidence) -> Option<(u32, u32)> {
    let span = match (evidence, &opened.problem) {
        (AnyEvidence::C(_, checked), _) => match checked.verdict() {
            Verdict::Unsafe(run) => run.violation.span,
            Verdict::Safe(_) => return None,
        },
        (AnyEvidence::Horn(checked), Some(AnyProblem::Horn(horn))) => match checked.verdict() {
            Verdict::Unsafe(derivation) => horn.clause(derivation.steps.last()?.clause).span,
            Verdict::Safe(_) => return None,
        },
        _ => return None,
    };
    (span != Span::NONE).then(|| Lines::of(&opened.bytes).place(span.start))
}
