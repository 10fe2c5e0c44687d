//! Answers in lines: judged from their evidence, and told with what a later run can use of them.

use super::{Holds, Line};
use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use crate::program::{self, Judged};
use crate::speech::{clause_lines, line};
use alphorn_check::accept::{AskedProperty, Checkable, Checked, accept};
use alphorn_front::diag::Read;
use alphorn_front::evidence as read;
use alphorn_front::lemma_text::write_lemmas;
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Property};
use alphorn_problem::evidence::horn::HornModel;
use alphorn_problem::{Horn, Verdict};
use alphorn_report::answer::{Answer, Outcome};
use alphorn_term::{Op, Store, TermId};
use std::sync::Arc;

/// The longest evidence that is told, in bytes.
const MAX_EVIDENCE: usize = 1 << 24;

/// What a piece of evidence shows about a property, if the checker accepts it as an answer to that question.
/// Unlike `certify` this looks for no proof that is missing, and reads nothing but our own evidence.
pub(crate) fn judge(
    opened: &Opened,
    index: usize,
    property: Property,
    text: &str,
) -> Option<AnyEvidence> {
    let (question, bytes) = (opened.question(index), text.as_bytes());
    let asked = AskedProperty::of(property);
    Some(match question.problem.as_ref()? {
        AnyProblem::Horn(horn) => {
            AnyEvidence::Horn(accepted(&**horn, (), read::read_horn(bytes, horn))?)
        }
        AnyProblem::Circuit(circuit) => {
            AnyEvidence::Circuit(accepted(&**circuit, asked, read::read_circuit(bytes, circuit))?)
        }
        AnyProblem::Words(words) => {
            AnyEvidence::Words(accepted(&**words, asked, read::read_words(bytes, words))?)
        }
        AnyProblem::Flow(flow) => {
            AnyEvidence::Flow(accepted(&**flow, (), read::read_flow(bytes, flow))?)
        }
        AnyProblem::Temporal(problem) => {
            let found = read::read_temporal(bytes, problem);
            AnyEvidence::Temporal(accepted(&**problem, (), found)?)
        }
        AnyProblem::Game(game) => {
            AnyEvidence::Game(accepted(&**game, (), read::read_game(bytes, game))?)
        }
        AnyProblem::C(program) => match &program::judge(program, true, bytes)[..] {
            [Judged::Accepted(task, checked)] => AnyEvidence::C(Arc::clone(task), checked.clone()),
            _ => return None,
        },
    })
}

/// The one verdict that was read, if it is accepted.
fn accepted<P: Checkable>(
    problem: &P,
    asked: P::Asked,
    (verdicts, diagnostics): Read<Vec<Verdict<P>>>,
) -> Option<Box<Checked<P>>> {
    let [verdict] = <[Verdict<P>; 1]>::try_from(verdicts?).ok()?;
    diagnostics.is_clean().then(|| accept(problem, asked, verdict).ok().map(Box::new))?
}

/// The lines that an answer with its evidence, about the question of this position, is worth.
pub(crate) fn lines(
    opened: &Opened,
    index: usize,
    answer: &Answer,
    evidence: &AnyEvidence,
) -> Vec<Line> {
    let by = answer.engine.clone().unwrap_or_default();
    let question = opened.question(index);
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
    let word = match answer.verdict {
        Outcome::Safe => "safe",
        Outcome::Unsafe => "unsafe",
        Outcome::Unknown => return lines,
    };
    let text = evidence.text(&question);
    if text.len() <= MAX_EVIDENCE {
        let (answer, property) = (word.to_owned(), answer.property.clone());
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
