//! What a conversion leaves behind: nothing that an answer depends on, and nothing in silence.

use super::Target;
use super::comments::Comments;
use crate::format::Format;
use crate::open::{AnyProblem, Opened};
use crate::program::Encoding;
use alphorn_front::smtlib::Request;
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::{Circuit, Span, Words};
use alphorn_term::Sort;

/// A warning for each kind of thing in `problem`, read from `opened`, that has no place in the target.
pub(super) fn warnings(
    opened: &Opened,
    problem: &AnyProblem,
    target: Target,
    comments: &Comments,
) -> Vec<Diagnostic> {
    let mut lost: Vec<String> = Vec::new();
    match problem {
        AnyProblem::Horn(_) => horn(opened, target, &mut lost),
        AnyProblem::Circuit(found) => circuit(found, target, &mut lost),
        AnyProblem::Words(found) => words(found, target, &mut lost),
        AnyProblem::C(_) | AnyProblem::Flow(_) | AnyProblem::Temporal(_) => {}
        AnyProblem::Game(_) => {}
    }
    if comments.others > 0 {
        lost.push(counted(comments.others, "comment", "beside or between lines"));
    }
    let place = target.name();
    let warning = |what: String| {
        let message = format!("not kept, as {place} cannot say it: {what}");
        Diagnostic::warning(Code::ConvertLost, Span::NONE, message)
    };
    lost.into_iter().map(warning).collect()
}

fn counted(count: usize, noun: &str, which: &str) -> String {
    format!("{count} {noun}{} {which}", if count == 1 { "" } else { "s" })
}

fn horn(opened: &Opened, target: Target, lost: &mut Vec<String>) {
    let is_loose = match &opened.problem {
        Some(AnyProblem::Horn(horn)) => horn.allows_more,
        Some(AnyProblem::C(program)) => {
            program.encoding.is_some_and(|encoding| encoding != Encoding::Product)
        }
        _ => false,
    };
    if is_loose {
        let what =
            "that the clauses allow more than what is read, so that a derivation is no violation";
        lost.push(what.to_owned());
    }
    let is_script = target == Target::SmtLib;
    if target == Target::SvLib {
        return;
    }
    if target == Target::Prolog {
        lost.push("names with other characters than letters and digits".to_owned());
    } else if !is_script {
        lost.push("the names of predicates, variables and clauses".to_owned());
    }
    let is_kept = |request: &Request| is_script && !matches!(request, Request::Unsupported(_));
    let requests = opened.requests.iter().filter(|(_, request)| !is_kept(request)).count();
    if requests > 0 {
        lost.push(counted(requests, "request", "for other things than answers"));
    }
    let is_info = |part: &[u8]| part == b"(set-info";
    if opened.format == Some(Format::SmtLib) && opened.bytes.windows(9).any(is_info) {
        lost.push("what the script says with set-info".to_owned());
    }
}

fn circuit(circuit: &Circuit, target: Target, lost: &mut Vec<String>) {
    let named = |kinds: &[u8]| {
        let entries = circuit.symbols.entries.iter();
        entries.filter(|(kind, ..)| kinds.contains(kind)).count()
    };
    match target {
        Target::AigerBinary | Target::AigerText => {}
        Target::Btor2 => {
            let changes = |name: &String| name.contains(|c: char| c.is_whitespace());
            let entries = circuit.symbols.entries.iter();
            let changed = entries.filter(|(_, _, name)| changes(name)).count();
            if changed > 0 {
                lost.push(format!("the blanks in {changed} of the names"));
            }
        }
        Target::SmtLib | Target::Prolog | Target::SvLib | Target::Its | Target::T2 => {
            let outputs = if circuit.safety_kind() == b'o' { 0 } else { circuit.outputs.len() };
            safety_alone(outputs, circuit.fairness.len(), named(b"c"), lost);
        }
    }
}

fn words(words: &Words, target: Target, lost: &mut Vec<String>) {
    match target {
        Target::Btor2 => {}
        Target::AigerBinary | Target::AigerText => {
            let is_array = |sort| matches!(words.terms.sort_of(sort), Sort::Array(..));
            let sorts = words.outputs.iter().map(|output| words.terms.sort(output.term));
            let arrays = sorts.filter(|sort| is_array(*sort)).count();
            if arrays > 0 {
                lost.push(counted(arrays, "output", "that is an array"));
            }
        }
        Target::SmtLib | Target::Prolog | Target::SvLib | Target::Its | Target::T2 => {
            let named = words.constraints.iter().filter(|c| c.name.is_some()).count();
            safety_alone(words.outputs.len(), words.fairness.len(), named, lost);
        }
    }
}

/// What clauses for safety properties leave out.
fn safety_alone(outputs: usize, fairness: usize, named: usize, lost: &mut Vec<String>) {
    if outputs > 0 {
        lost.push(counted(outputs, "output", "that no property mentions"));
    }
    if fairness > 0 {
        lost.push(counted(fairness, "fairness constraint", "on which no safety property depends"));
    }
    if named > 0 {
        lost.push(format!("the names of {named} of the constraints"));
    }
}
