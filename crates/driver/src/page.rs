//! What the page of a run says about a decision: the clauses in the file's own words, what shows
//! the verdict, and what the engines said.

use crate::evidence::{AnyEvidence, told};
use crate::invariant::lines;
use crate::open::{AnyProblem, Opened};
use crate::source::{run_lanes, source_lines};
use crate::waveform::waveform;
use alphorn_front::evidence as text;
use alphorn_problem::evidence::horn::{Derivation, HornModel};
use alphorn_problem::horn::{Clause, ClauseId, Head};
use alphorn_problem::{Horn, Verdict};
use alphorn_report::Answer;
use alphorn_report::html::{ClauseText, Predicate, Section, Step};
use alphorn_report::timeline::Timeline;

/// The problem in numbers.
fn problem(opened: &Opened) -> String {
    let counted = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    };
    let flow_parts = |flow: &alphorn_problem::Flow| {
        vec![
            "flow".to_owned(),
            counted(flow.locations.len(), "location"),
            counted(flow.transitions.len(), "transition"),
            counted(flow.vars.len(), "variable"),
        ]
    };
    let parts = match &opened.problem {
        Some(AnyProblem::Horn(horn)) => vec![
            "Horn clauses".to_owned(),
            counted(horn.preds.len(), "predicate"),
            counted(horn.clauses.len(), "clause"),
        ],
        Some(AnyProblem::Circuit(circuit)) => vec![
            "circuit".to_owned(),
            counted(circuit.latches.len(), "latch").replace("latchs", "latches"),
            counted(circuit.ands.len(), "gate"),
        ],
        Some(AnyProblem::Words(words)) => {
            vec!["transition system".to_owned(), counted(words.states.len(), "state variable")]
        }
        Some(AnyProblem::C(program)) => {
            let defined = program.unit.functions.iter().filter(|f| f.body.is_some()).count();
            vec!["C program".to_owned(), counted(defined, "function")]
        }
        Some(AnyProblem::Flow(flow)) => flow_parts(flow),
        Some(AnyProblem::Temporal(problem)) => flow_parts(&problem.flow),
        Some(AnyProblem::Game(game)) => {
            let (controls, others) = (game.controls().len(), game.others().len());
            let latches = counted(game.circuit().latches.len(), "latch");
            let parts = [format!("{controls} controllable"), format!("{others} other inputs")];
            [&["safety game".to_owned()][..], &parts, &[latches]].concat()
        }
        None => Vec::new(),
    };
    parts.join(", ")
}

/// What the page says about an answer; `opened` is the file as if it had only that question.
pub fn section(
    opened: &Opened,
    answer: Answer,
    evidence: Option<&AnyEvidence>,
    timeline: Timeline,
) -> Section {
    let mut section = Section {
        problem: problem(opened),
        answer,
        timeline,
        functions: Vec::new(),
        predicates: Vec::new(),
        derivation: Vec::new(),
        invariant: Vec::new(),
        source: evidence.map_or(Vec::new(), |evidence| source_lines(opened, evidence)),
        lanes: evidence.and_then(|evidence| run_lanes(opened, evidence)),
        waveform: evidence.and_then(|evidence| waveform(opened, evidence)),
        explanation: Vec::new(),
        flow: evidence.and_then(|evidence| told(opened, evidence)),
        files: Vec::new(),
        check: None,
    };
    if section.flow.is_none() {
        section.invariant =
            evidence.and_then(|evidence| lines(opened, evidence)).unwrap_or_default();
    }
    let Some(AnyProblem::Horn(horn)) = &opened.problem else { return section };
    let verdict = match evidence {
        Some(AnyEvidence::Horn(checked)) => Some(checked.verdict()),
        _ => None,
    };
    let (model, derivation) = match verdict {
        Some(Verdict::Safe(model)) => (Some(model), None),
        Some(Verdict::Unsafe(derivation)) => (None, Some(derivation)),
        None => (None, None),
    };
    section.predicates = predicates(opened, horn, model, derivation);
    if let Some(model) = model {
        section.functions = text::print_folds(model).into_iter().collect();
        section.functions.extend(text::print_functions(model));
    }
    if let Some(derivation) = derivation.filter(|derivation| derivation.refuted.is_none()) {
        section.derivation = steps(opened, horn, derivation);
    }
    section
}

/// The steps of a derivation, with their clauses and the names of what they conclude.
fn steps(opened: &Opened, horn: &Horn, derivation: &Derivation) -> Vec<Step> {
    let lines = text::tree_lines(horn, derivation, &opened.bytes);
    let arguments = text::named_arguments(horn, derivation);
    let step = |(line, arguments): (text::TreeLine, Vec<String>)| {
        let clause = derivation.steps[line.step].clause.0;
        Step { line, clause, arguments }
    };
    lines.into_iter().zip(arguments).map(step).collect()
}

/// The predicates, and false, with their clauses.
fn predicates(
    opened: &Opened,
    horn: &Horn,
    model: Option<&HornModel>,
    derivation: Option<&Derivation>,
) -> Vec<Predicate> {
    let definitions = model.map(|model| text::print_definitions(horn, model));
    let mut all: Vec<Predicate> = (horn.pred_ids())
        .map(|pred| Predicate {
            name: horn.pred_name(pred).to_owned(),
            definition: definitions.as_ref().map(|list| list[pred.index()].clone()),
            clauses: Vec::new(),
        })
        .collect();
    let mut falsity = Predicate { name: "false".to_owned(), ..Predicate::default() };
    for (id, clause) in horn.clauses() {
        let is_used =
            derivation.is_some_and(|derivation| derivation.steps.iter().any(|step| uses(step, id)));
        let text = clause_text(opened, horn, id, clause, is_used);
        match &clause.head {
            Head::Atom(pred, _) => all[pred.index()].clauses.push(text),
            Head::False => falsity.clauses.push(text),
        }
    }
    all.push(falsity);
    all
}

/// Whether a step takes a clause.
fn uses(step: &alphorn_problem::evidence::horn::Step, id: ClauseId) -> bool {
    let members = step.progression.iter().flat_map(|progression| &progression.members);
    step.clause == id || members.into_iter().any(|member| member.clause == id)
}

/// What a clause is called: its number, its name, and the line where it stands.
pub(crate) fn clause_title(opened: &Opened, id: ClauseId, clause: &Clause) -> String {
    let (start, end) = (clause.span.start as usize, clause.span.end as usize);
    let name = clause.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
    let place = match opened.bytes.get(start..end).filter(|bytes| !bytes.is_empty()) {
        Some(_) => {
            let breaks = opened.bytes[..start].iter().filter(|byte| **byte == b'\n').count();
            format!(" (line {})", breaks + 1)
        }
        None => String::new(),
    };
    format!("clause {}{name}{place}", id.0)
}

/// A clause as the file has it, or as we would write it if it has no place there.
fn clause_text(
    opened: &Opened,
    horn: &Horn,
    id: ClauseId,
    clause: &Clause,
    is_used: bool,
) -> ClauseText {
    let (start, end) = (clause.span.start as usize, clause.span.end as usize);
    let source = opened.bytes.get(start..end).filter(|bytes| !bytes.is_empty());
    let text = match source {
        Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        None => horn.terms.show(clause.body),
    };
    ClauseText { id: id.0, title: clause_title(opened, id, clause), text, is_used }
}
