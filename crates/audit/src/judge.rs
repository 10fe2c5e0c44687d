//! A file of evidence and the file that it is about: what is said of them, and how a program that is asked
//! about them ends.
//!
//! Everything that leaves here as accepted was accepted by `check` for the problem as read from the file.

use crate::certify::{Certified, certify, property_at};
use crate::flow::asked_by;
use crate::format::Format;
use crate::formula::{certify_formula, is_formula, read_formula};
use crate::matching::{certify_matches, is_matches, open_template};
use crate::open::{AnyProblem, Opened, open_asking};
use crate::program::Wishes;
use alphorn_front::{Diagnostic, Diagnostics, Severity};
use alphorn_problem::evidence::circuit::Property;
use alphorn_report::Exit;
use std::sync::Arc;

/// Evidence, and what it is about.
#[derive(Clone, Debug, Default)]
pub struct Case<'c> {
    /// The name of the problem's file.
    pub file: &'c str,
    /// Its content, not compressed.
    pub problem: Vec<u8>,
    /// The format of the problem; from the name, then the content, if it is not said.
    pub format: Option<Format>,
    /// What is asked where the file is a program.
    pub wishes: Wishes,
    /// The property or question that the evidence must be about, by position.
    pub property: Option<usize>,
    /// The template that the evidence is about, where it is about one: its file and content.
    pub template: Option<(&'c str, Vec<u8>)>,
    /// The name of the file of evidence.
    pub evidence_file: &'c str,
    /// Its content, not compressed.
    pub evidence: Vec<u8>,
}

/// Something that is said of a case.
#[derive(Clone, Debug)]
pub enum Said {
    /// What a reader noticed, in which file with which content.
    Noticed(String, Arc<Vec<u8>>, Vec<Diagnostic>),
    /// Whether a piece of evidence is accepted, unless that was not found out, and what it shows or why not.
    Judged(Option<bool>, String),
    /// That the question is wrong.
    Wrong(String),
}

/// All that is said of a case, and how a program ends that says it.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// What is said, in order.
    pub said: Vec<Said>,
    /// As the exit codes of `alphorn check`.
    pub exit: Exit,
}

/// Judges evidence without any solver.
pub fn judge(case: Case<'_>) -> Judgement {
    let mut said = Vec::new();
    let exit = judged(case, &mut said).unwrap_or_else(|exit| exit);
    Judgement { said, exit }
}

fn judged(case: Case<'_>, said: &mut Vec<Said>) -> Result<Exit, Exit> {
    let Case { file, problem, format, mut wishes, property, template, evidence_file, evidence } =
        case;
    let evidence = Arc::new(evidence);
    let mut noticed = |file: &str, bytes: &Arc<Vec<u8>>, list: Vec<Diagnostic>| {
        said.push(Said::Noticed(file.to_owned(), Arc::clone(bytes), list));
    };
    if format.is_none() && is_formula(file, &problem) {
        let (cnf, diagnostics) = read_formula(&problem);
        let exit = exit_after(&diagnostics);
        noticed(file, &Arc::new(problem), diagnostics.list);
        let cnf = cnf.ok_or(exit)?;
        let without_hints =
            "a proof in DRAT does not say why its clauses follow; alphorn check finds that out";
        let drat = |_: &_, _: &[_], _| Err(Certified::Unproved(without_hints.to_owned()));
        let certified = certify_formula(&cnf, &evidence, &drat);
        return Ok(tell(said, evidence_file, &evidence, certified, None));
    }
    if let Some((template_file, text)) = template {
        let opened = open_template(file, problem, format, &text);
        noticed(file, &opened.circuit.bytes, opened.circuit.diagnostics.list.clone());
        if let Some(exit) = exit_of(&opened.circuit) {
            return Err(exit);
        }
        noticed(template_file, &Arc::new(text), opened.diagnostics.list.clone());
        let matching = opened.problem.ok_or_else(|| exit_after(&opened.diagnostics))?;
        let certified = certify_matches(&matching, &evidence);
        return Ok(tell(said, evidence_file, &evidence, certified, None));
    }
    if is_matches(&evidence) {
        let why = "the evidence is about a template; say which with --template";
        said.push(Said::Wrong(why.to_owned()));
        return Err(Exit::Usage);
    }
    match asked_by(&evidence) {
        Some(Ok(asked)) => wishes.asked = asked,
        Some(Err(diagnostic)) => {
            noticed(evidence_file, &evidence, vec![*diagnostic]);
            return Err(Exit::Input);
        }
        None => {}
    }
    let opened = open_asking(file, problem, format, &wishes);
    noticed(file, &opened.bytes, opened.diagnostics.list.clone());
    if let Some(exit) = exit_of(&opened) {
        return Err(exit);
    }
    let (opened, wanted) = choose(opened, property).map_err(|why| {
        said.push(Said::Wrong(why));
        Exit::Usage
    })?;
    let mut exit = Exit::Safe;
    for certified in certify(&opened, wanted, &evidence) {
        exit = exit.max(tell(said, evidence_file, &evidence, certified, Some(&opened)));
    }
    Ok(exit)
}

/// Says what became of a piece of evidence.
fn tell(
    said: &mut Vec<Said>,
    file: &str,
    bytes: &Arc<Vec<u8>>,
    certified: Certified,
    opened: Option<&Opened>,
) -> Exit {
    let (accepted, detail) = describe(&certified, opened);
    let exit = match certified {
        Certified::Accepted(_) | Certified::Answered(_) => Exit::Safe,
        Certified::Refused(_) => Exit::Refused,
        Certified::Unproved(_) => Exit::Unknown,
        Certified::Unreadable(diagnostics) => {
            let exit = exit_after(&diagnostics);
            said.push(Said::Noticed(file.to_owned(), Arc::clone(bytes), diagnostics.list));
            return exit;
        }
    };
    said.push(Said::Judged(accepted, detail));
    exit
}

/// Whether evidence is accepted, if that was found out, and what it shows or why not.
pub fn describe(certified: &Certified, opened: Option<&Opened>) -> (Option<bool>, String) {
    match (certified, opened) {
        (Certified::Accepted(evidence), Some(opened)) => {
            let summary = evidence.summary(opened);
            let verdict = evidence.question().human(evidence.outcome());
            // Labels say themselves what they are about, so that has to be told.
            let about = evidence.property().or_else(|| opened.formula());
            let about = about.map_or(String::new(), |what| format!("{what}: "));
            let (detail, checked) = (summary.detail, summary.checked);
            (Some(true), format!("{about}{verdict}  {detail} (checked: {checked})"))
        }
        (Certified::Accepted(_), None) => (Some(true), String::new()),
        (Certified::Answered(answered), _) => (Some(true), answered.to_string()),
        (Certified::Refused(refusal), _) => (Some(false), refusal.to_string()),
        (Certified::Unproved(reason), _) => (None, reason.clone()),
        (Certified::Unreadable(_), _) => (None, "the evidence cannot be read".to_owned()),
    }
}

/// The question that is meant, and the property if it is one of several; or why there is none.
pub fn choose(opened: Opened, at: Option<usize>) -> Result<(Opened, Option<Property>), String> {
    let questions = 1 + opened.more.len();
    let wanted = at.and_then(|position| property_at(&opened, position));
    let is_program = matches!(opened.problem, Some(AnyProblem::C(_)));
    match at {
        Some(position) if is_program && wanted.is_some() => Ok((opened.question(position), wanted)),
        Some(position) if is_program => Err(format!("the program is asked no question {position}")),
        Some(property) if property < questions => Ok((opened.question(property), wanted)),
        Some(property) if questions > 1 || wanted.is_none() => {
            let what = if wanted.is_none() && questions == 1 { "property" } else { "question" };
            Err(format!("the file has no {what} {property}"))
        }
        None if questions > 1 => {
            Err(format!("the script asks {questions} questions; choose with --property"))
        }
        _ => Ok((opened, wanted)),
    }
}

/// How a program ends when a file could not be opened as a problem.
pub fn exit_of(opened: &Opened) -> Option<Exit> {
    match opened.diagnostics.worst() {
        Some(Severity::Error) => Some(Exit::Input),
        Some(Severity::Unsupported) => Some(Exit::Unsupported),
        _ if opened.problem.is_none() => Some(Exit::Input),
        _ => None,
    }
}

/// How a program ends after these diagnostics about a file that could not be read.
pub fn exit_after(diagnostics: &Diagnostics) -> Exit {
    match diagnostics.worst() {
        Some(Severity::Unsupported) => Exit::Unsupported,
        _ => Exit::Input,
    }
}
