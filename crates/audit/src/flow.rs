//! Flows: what is asked about their runs.

use crate::program::{Wishes, complaints};
use alphorn_front::ctl::{read_condition, read_formula};
use alphorn_front::evidence::{is_game_evidence, read_question};
use alphorn_front::{Code, Diagnostic};
pub use alphorn_problem::temporal::{Ends, Said};
use alphorn_problem::temporal::{Fairness, Temporal};
use alphorn_problem::{Flow, Span};
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::lower::lower;
use alphorn_program::c::property::Task;
use alphorn_program::program_to_flow;

pub use alphorn_front::response::ResponseWish;

/// What is asked about a file's runs.
#[derive(Clone, Debug, Default)]
pub enum Asked {
    /// Whether something bad can happen.
    #[default]
    Safety,
    /// Whether every run ends.
    Termination,
    /// Whether a temporal formula holds.
    Temporal(TemporalWish),
    /// Whether something leads to something else, on fair runs.
    Response(ResponseWish),
    /// Whether the inputs that are controllable can keep errors from showing.
    Synthesis,
}

/// A temporal formula, as it is asked about.
#[derive(Clone, Debug, Default)]
pub struct TemporalWish {
    /// The formula, and the conditions of fairness.
    pub said: Said,
    /// What it means that a run ends; as the format has it if nothing is said.
    pub ends: Option<Ends>,
}

/// What evidence says it is about, if it is about runs of a flow or about a game.
pub fn asked_by(evidence: &[u8]) -> Option<Result<Asked, Box<Diagnostic>>> {
    let text = evidence.trim_ascii_start();
    if text.starts_with(b"(termination") || text.starts_with(b"(recurrence") {
        return Some(Ok(Asked::Termination));
    }
    if is_game_evidence(evidence) {
        return Some(Ok(Asked::Synthesis));
    }
    let asked = |(said, ends)| Asked::Temporal(TemporalWish { said, ends: Some(ends) });
    read_question(evidence).map(|found| found.map(asked))
}

/// What a flow is asked with these wishes: the problem of a temporal formula, or none if the question is
/// whether every run ends.
pub(crate) fn temporal(
    flow: &Flow,
    wishes: &Wishes,
    by_format: Ends,
) -> Result<Option<Temporal>, Box<Diagnostic>> {
    let Asked::Temporal(wish) = &wishes.asked else { return Ok(None) };
    if flow.is_loose {
        let message = "this is not treated: the program has fewer runs than what stands for it, so that \
                       nothing temporal can be shown";
        let code = Code::PropertyUntreated;
        return Err(Box::new(Diagnostic::unsupported(code, Span::NONE, message)));
    }
    let mut flow = flow.clone();
    // The formula is no part of the file, so that its places mean nothing there.
    let about = |which: &str, text: &str, found: Box<Diagnostic>| {
        let Span { start, .. } = found.span;
        let rest = text.get(start as usize..).unwrap_or_default();
        let place = match rest.is_empty() {
            true => "at its end".to_owned(),
            false => format!("at `{}`", rest.chars().take(20).collect::<String>()),
        };
        let message = format!("{which}, {place}: {}", found.message);
        Box::new(Diagnostic { span: Span::NONE, message, ..*found })
    };
    let formula = &wish.said.formula;
    let nodes = read_formula(formula, &mut flow)
        .map_err(|found| about("the temporal formula", formula, found))?;
    let fairness = match &wish.said.fairness {
        None => None,
        Some((often, then)) => {
            let mut read = |text: &str| {
                read_condition(text, &mut flow)
                    .map_err(|found| about("the condition of fairness", text, found))
            };
            Some(Fairness { often: read(often)?, then: read(then)? })
        }
    };
    let ends = wish.ends.unwrap_or(by_format);
    Ok(Some(Temporal { flow, nodes, ends, fairness, said: wish.said.clone() }))
}

/// The flow whose runs are those of a C program that does nothing undefined; or what of it is not treated.
///
/// Where the program is lowered with more runs than it has, the flow says so, and nothing but that all of
/// them end can be shown.
pub(crate) fn of_program(task: &Task) -> Result<Flow, Vec<Diagnostic>> {
    let lowered = match lower(task, Numbers::Integers) {
        Err(untreated) if untreated.iter().all(|one| one.needs_words) => {
            lower(task, Numbers::Words)
        }
        result => result,
    };
    let lowered = lowered.map_err(|untreated| complaints(&untreated))?;
    if lowered.is_woven {
        return Err(vec![not_a_flow("programs with threads")]);
    }
    let flow = program_to_flow(&lowered.program).map_err(|one| complaints(&[one]))?;
    let is_loose = flow.is_loose || !lowered.loose.is_empty();
    Ok(Flow { is_loose, ..flow })
}

/// That a question about runs cannot be asked of a file of this kind.
pub(crate) fn not_a_flow(what: &str) -> Diagnostic {
    let message = format!("infinite runs of {what} are not treated");
    Diagnostic::unsupported(Code::PropertyUntreated, Span::NONE, message)
}
