//! Flows: what is asked about their runs, and the way from what engines find to verdicts.

use crate::config::Config;
use crate::prepare::{Prepared, entries};
use crate::program::{Wishes, complaints};
use crate::registry::choose_transforms;
use alphorn_cross::plan::{plan_flow, plan_temporal};
use alphorn_engine::{Ctx, Stop};
use alphorn_flow::engines::{FLOW_ENGINES, TEMPORAL_ENGINES};
use alphorn_flow::prove::{conclude, conclude_temporal};
use alphorn_flow::transform::{FLOW_TRANSFORMS, FlowTransform, simplify};
use alphorn_front::ctl::{read_condition, read_formula};
use alphorn_front::evidence::read_question;
use alphorn_front::{Code, Diagnostic};
pub use alphorn_problem::temporal::{Ends, Said};
use alphorn_problem::temporal::{Fairness, Temporal};
use alphorn_problem::{Finding, Flow, Span};
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::lower::lower;
use alphorn_program::c::property::Task;
use alphorn_program::program_to_flow;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
}

/// A temporal formula, as it is asked about.
#[derive(Clone, Debug, Default)]
pub struct TemporalWish {
    /// The formula, and the conditions of fairness.
    pub said: Said,
    /// What it means that a run ends; as the format has it if nothing is said.
    pub ends: Option<Ends>,
}

/// What evidence says it is about, if it is about runs of a flow.
pub fn asked_by(evidence: &[u8]) -> Option<Result<Asked, Box<Diagnostic>>> {
    let text = evidence.trim_ascii_start();
    if text.starts_with(b"(termination") || text.starts_with(b"(recurrence") {
        return Some(Ok(Asked::Termination));
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
    let flow = program_to_flow(&lowered.program).map_err(|one| complaints(&[one]))?;
    let is_loose = flow.is_loose || !lowered.loose.is_empty();
    Ok(Flow { is_loose, ..flow })
}

/// That a question about runs cannot be asked of a file of this kind.
pub(crate) fn not_a_flow(what: &str) -> Diagnostic {
    let message = format!("infinite runs of {what} are not treated");
    Diagnostic::unsupported(Code::PropertyUntreated, Span::NONE, message)
}

/// A flow, ready for engines that ask whether every run ends.
pub(crate) fn prepare_flow(flow: &Arc<Flow>, config: &Config) -> Result<Prepared<Flow>, String> {
    let begun = Instant::now();
    let chosen = choose_transforms(FLOW_TRANSFORMS, &config.with, &config.without)?;
    let (small, back) = simplify(flow, &chosen);
    let entries = match config.engines.is_empty() {
        true => plan_flow(&small),
        false => entries(FLOW_ENGINES, &[], config)?,
    };
    let original = Arc::clone(flow);
    let conclude = move |finding: Finding<Flow>, ctx: &mut Ctx<'_>| -> Result<_, Stop> {
        if original.is_loose && matches!(finding, Finding::Fails(_)) {
            let reason = "a run was found that the program need not have";
            return Err(Stop::Unsupported(reason.to_owned()));
        }
        let finding = back.finding(finding, ctx)?;
        Ok(conclude(&original, finding, ctx)?.into())
    };
    Ok(Prepared {
        small: Arc::new(small),
        conclude: Box::new(conclude),
        entries,
        origins: None,
        hints: Vec::new(),
        speech: None,
        time: begun.elapsed(),
    })
}

/// A flow with a temporal formula, ready for engines.
pub(crate) fn prepare_temporal(
    problem: &Arc<Temporal>,
    config: &Config,
) -> Result<Prepared<Temporal>, String> {
    // A temporal formula may speak of whatever a transform would take away, so that there are none.
    choose_transforms::<FlowTransform>(&[], &config.with, &config.without)?;
    let entries = match config.engines.is_empty() {
        true => plan_temporal(),
        false => entries(TEMPORAL_ENGINES, &[], config)?,
    };
    let original = Arc::clone(problem);
    let conclude = move |finding: Finding<Temporal>, ctx: &mut Ctx<'_>| -> Result<_, Stop> {
        Ok(conclude_temporal(&original, finding, ctx)?.into())
    };
    Ok(Prepared {
        small: Arc::clone(problem),
        conclude: Box::new(conclude),
        entries,
        origins: None,
        hints: Vec::new(),
        speech: None,
        time: Duration::ZERO,
    })
}
