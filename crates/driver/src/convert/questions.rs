//! Questions of a problem as one system over words, a circuit, or a script.

use super::meaningless;
use crate::open::AnyProblem;
use alphorn_cross::{circuit_to_words, horn_to_words, properties_to_horn, queries_to_words};
use alphorn_front::{Diagnostic, smtlib};
use alphorn_hw::words_to_circuit;
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::words::Named;
use alphorn_problem::{Circuit, Horn, Span, Words};
use alphorn_term::TermId;
use std::sync::Arc;

pub(super) fn words(problem: &AnyProblem, more: &[Arc<Horn>]) -> Result<Words, Diagnostic> {
    match problem {
        AnyProblem::Words(words) => Ok((**words).clone()),
        AnyProblem::Circuit(circuit) => match circuit_to_words(circuit) {
            Ok((words, _)) => Ok(words),
            Err(message) => Err(meaningless(message)),
        },
        AnyProblem::Horn(horn) if more.is_empty() => match horn_to_words(horn) {
            Ok((words, _)) => Ok(words),
            Err(message) => Err(meaningless(message)),
        },
        AnyProblem::Horn(first) => {
            let questions: Vec<&Horn> = std::iter::once(first).chain(more).map(|h| &**h).collect();
            questions_to_words(&questions)
        }
        AnyProblem::C(_) => Err(meaningless("a program is converted as clauses")),
        AnyProblem::Flow(_) | AnyProblem::Temporal(_) => {
            Err(meaningless("a flow asks about infinite runs, which that format cannot ask"))
        }
        AnyProblem::Game(_) => Err(meaningless("a game has two sides, and that format has one")),
    }
}

/// Questions about the same clauses, as properties of one system.
fn questions_to_words(questions: &[&Horn]) -> Result<Words, Diagnostic> {
    let first = questions[0];
    let is_query = |clause: &&Clause| clause.head == Head::False;
    let rules = |horn: &Horn| -> Vec<Clause> {
        horn.clauses.iter().filter(|clause| !is_query(clause)).cloned().collect()
    };
    let of_first = rules(first);
    let alike = |horn: &&Horn| {
        let same_terms = horn.terms.extends(&first.terms) && first.terms.extends(&horn.terms);
        same_terms && horn.preds == first.preds && rules(horn) == of_first
    };
    if !questions.iter().all(alike) {
        let count = questions.len();
        let message =
            format!("the {count} questions of the script are not all about the same clauses");
        return Err(meaningless(message).hint("choose one of them with --property"));
    }
    let mut all = first.clone();
    all.clauses = of_first;
    let mut counts = Vec::with_capacity(questions.len());
    for horn in questions {
        let before = all.clauses.len();
        all.clauses.extend(horn.clauses.iter().filter(is_query).cloned());
        counts.push(all.clauses.len() - before);
    }
    let mut words = queries_to_words(&all).map_err(meaningless)?;
    let mut queries = std::mem::take(&mut words.bads).into_iter();
    for count in counts {
        let group: Vec<Named> = queries.by_ref().take(count).collect();
        let bad = match <[Named; 1]>::try_from(group) {
            Ok([query]) => query,
            Err(group) => {
                let terms: Vec<TermId> = group.iter().map(|query| query.term).collect();
                Named { term: words.terms.or(&terms), name: None, span: Span::NONE }
            }
        };
        words.bads.push(bad);
    }
    Ok(words)
}

pub(super) fn circuit(problem: &AnyProblem, more: &[Arc<Horn>]) -> Result<Circuit, Diagnostic> {
    match problem {
        AnyProblem::Circuit(circuit) => Ok((**circuit).clone()),
        other => match words_to_circuit(&words(other, more)?) {
            Ok((circuit, _)) => Ok(circuit),
            Err(message) => Err(meaningless(message)),
        },
    }
}

/// The problem as a script with a question for each property.
pub(super) fn script(
    problem: &AnyProblem,
    more: &[Arc<Horn>],
    requests: &[(usize, smtlib::Request)],
) -> Result<String, Diagnostic> {
    if let AnyProblem::Horn(first) = problem {
        let questions: Vec<&Horn> = std::iter::once(first).chain(more).map(|h| &**h).collect();
        return Ok(smtlib::print_questions(&questions, requests));
    }
    let system = words(problem, more)?;
    if let Some(justice) = system.justice.first() {
        let name = justice.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        let count = system.justice.len();
        let message = match count {
            1 => format!(
                "Horn clauses cannot ask for what happens infinitely often: justice 0{name}"
            ),
            _ => format!(
                "Horn clauses cannot ask for what happens infinitely often: {count} justice \
                 properties, the first one justice 0{name}"
            ),
        };
        let diagnostic = meaningless(message);
        return Err(match system.bads.len() {
            0 => diagnostic,
            _ => diagnostic.hint("choose a safety property with --property"),
        });
    }
    if system.bads.is_empty() {
        return Err(meaningless("the file states no property"));
    }
    let (horn, shared) = properties_to_horn(&system).map_err(meaningless)?;
    Ok(smtlib::print_queries(&horn, shared))
}
