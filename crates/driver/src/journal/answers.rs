//! Answers in lines: judged from their evidence, and told with what a later run can use of them.

use super::speech::{clause_lines, line};
use super::{Holds, Line};
use crate::certify::{Certified, Request, certify_about};
use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::run::Decision;
use alphorn_front::lemma_text::write_lemmas;
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Property};
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::{Horn, Verdict};
use alphorn_report::answer::Outcome;
use alphorn_term::{Op, Store, TermId};

/// The longest evidence that is told, in bytes.
const MAX_EVIDENCE: usize = 1 << 24;

/// What a piece of evidence shows about a property, if the checker accepts it as an answer to that question.
pub(crate) fn judge(
    opened: &Opened,
    index: usize,
    property: Property,
    text: &str,
) -> Option<AnyEvidence> {
    let question = opened.question(index);
    // Programs refuse evidence about another question only where one is asked.
    let judged = certify_about(&question, Some(property), text.as_bytes(), &Request::default());
    let [Certified::Accepted(evidence)] = <[Certified; 1]>::try_from(judged).ok()? else {
        return None;
    };
    Some(evidence)
}

/// The lines that a decision is worth.
pub(crate) fn lines(opened: &Opened, decision: &Decision) -> Vec<Line> {
    let Some(evidence) = &decision.evidence else { return Vec::new() };
    let by = decision.answer.engine.clone().unwrap_or_default();
    let question = opened.question(decision.index);
    let mut lines = match (evidence, &question.problem) {
        (AnyEvidence::Horn(checked), Some(AnyProblem::Horn(horn))) => match checked.verdict() {
            Verdict::Safe(model) => model_lines(horn, model, &by),
            Verdict::Unsafe(_) => Vec::new(),
        },
        (AnyEvidence::Circuit(checked), Some(AnyProblem::Circuit(circuit))) => {
            match checked.verdict() {
                Verdict::Safe(Certificate { invariant: Invariant::Clauses(clauses), .. }) => {
                    clause_lines(circuit, clauses, &by)
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    };
    let answer = match decision.answer.verdict {
        Outcome::Safe => "safe",
        Outcome::Unsafe => "unsafe",
        Outcome::Unknown => return lines,
    };
    let text = evidence.text(&question);
    if text.len() <= MAX_EVIDENCE {
        let (answer, property) = (answer.to_owned(), decision.answer.property.clone());
        lines.push(Line::Answer { answer, property, by, evidence: text });
    }
    lines
}

/// The conjuncts of a model, which another version of the problem may keep.
fn model_lines(horn: &Horn, model: &HornModel, by: &str) -> Vec<Line> {
    let mut lemmas = Vec::new();
    for (pred, definition) in horn.pred_ids().zip(&model.preds) {
        for part in conjuncts(&model.terms, definition.body) {
            lemmas.push((pred, definition.params.clone(), part));
        }
    }
    let texts = write_lemmas(horn, &model.terms, &lemmas);
    texts.into_iter().map(|text| line(text, by, Holds::Always)).collect()
}

/// The parts of a conjunction that say something.
fn conjuncts(store: &Store, formula: TermId) -> Vec<TermId> {
    match store.op(formula) {
        Op::And => store.args(formula).to_vec(),
        _ if formula == TermId::TRUE => Vec::new(),
        _ => vec![formula],
    }
}
