//! Fronts of circuits with parameters: what is asked, and the search, whose points are checked as they come.

use crate::open::{AnyProblem, Opened};
use crate::run::{CannotRun, property_named};
use alphorn_audit::parameters::{chosen, circuit_of, latch_name};
use alphorn_check::Refusal;
use alphorn_check::accept::{Checked, accept};
use alphorn_check::parameters::AskedFront;
use alphorn_engine::{Ctx, Event, Stop, Stopper};
use alphorn_front::{Code, Diagnostic, Diagnostics, costs, evidence};
use alphorn_hw::pareto::{Found, search};
use alphorn_problem::evidence::front::{Front, Monotony, Point};
use alphorn_problem::{Circuit, Span, Verdict};

pub use alphorn_audit::parameters::{answered, certify_front, checked_text, point_text, raised};
pub use alphorn_front::evidence::is_front;
pub use alphorn_hw::pareto::Effort;
pub use alphorn_problem::parameters::Parametric;

/// What is asked about the parameters of a file.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Patterns of the parameters' names; if there is none, the parameters are what the costs name.
    pub params: Vec<String>,
    /// The safety property, by position or name; the first if it is not said.
    pub property: Option<String>,
}

/// Why a question cannot be asked.
#[derive(Debug)]
pub enum Unasked {
    /// Something about the model.
    Model(Box<Diagnostic>),
    /// Something about the file of costs.
    Costs(Diagnostics),
}

/// The question about a file that was opened, with a file of costs.
pub fn question(opened: &Opened, wish: &Wish, text: &[u8]) -> Result<Parametric, Unasked> {
    let about = |message: String| Diagnostic::error(Code::CostName, Span::NONE, message);
    let model = |message: String| Unasked::Model(Box::new(about(message)));
    let Some(problem) = &opened.problem else { return Err(model("there is no model".into())) };
    if !matches!(problem, AnyProblem::Circuit(_) | AnyProblem::Words(_)) {
        let hint = "fronts are looked for of circuits (AIGER) and systems over words (BTOR2)";
        let message = "this kind of problem has no parameters";
        return Err(Unasked::Model(Box::new(
            Diagnostic::unsupported(Code::PropertyUntreated, Span::NONE, message).hint(hint),
        )));
    }
    let circuit = circuit_of(problem).map_err(|reason| {
        let code = Code::PropertyUntreated;
        Unasked::Model(Box::new(Diagnostic::unsupported(code, Span::NONE, reason)))
    })?;
    let property = match &wish.property {
        None => 0,
        Some(name) => property_named(opened, name).map_err(|why| match why {
            CannotRun::Request(why) | CannotRun::Unsupported(why) => model(why),
            CannotRun::Untreated(_) => model("the model is not treated".into()),
        })?,
    };
    if property >= circuit.safety().len() {
        return Err(model(format!("there is no safety property {property}")));
    }
    let params = match wish.params.is_empty() {
        true => candidates(&circuit),
        false => chosen(&circuit, &wish.params).map_err(|wrong| Unasked::Model(Box::new(wrong)))?,
    };
    let names: Vec<String> = params.iter().map(|latch| latch_name(&circuit, *latch)).collect();
    let (read, diagnostics) = costs::read(text, &names);
    let Some(costs) = read else { return Err(Unasked::Costs(diagnostics)) };
    let mut asked = Parametric { circuit, property, params, costs };
    if wish.params.is_empty() {
        let is_named = |at: &usize| asked.costs.iter().any(|cost| cost.weights[*at] > 0);
        let named: Vec<usize> = (0..asked.params.len()).filter(is_named).collect();
        asked.params = named.iter().map(|at| asked.params[*at]).collect();
        for cost in &mut asked.costs {
            cost.weights = named.iter().map(|at| cost.weights[*at]).collect();
        }
    }
    if asked.params.is_empty() {
        let hint = "a parameter is a latch whose next value and reset are the latch itself";
        let message = "there are no parameters".to_owned();
        return Err(Unasked::Model(Box::new(about(message).hint(hint))));
    }
    asked.validate().map_err(model)?;
    Ok(asked)
}

/// The latches that can be parameters.
fn candidates(circuit: &Circuit) -> Vec<usize> {
    let keeps = |latch: &usize| {
        circuit.is_uninitialised(*latch) && circuit.latches[*latch].next == circuit.latch(*latch)
    };
    (0..circuit.latches.len()).filter(keeps).collect()
}

/// What a search tells, each once it is checked.
#[derive(Clone, Debug)]
pub enum Told {
    /// Whether monotony is proved, asserted, or not used.
    Monotony(Monotony),
    /// A valid valuation, in place of the last one if that was not optimal.
    Valid(Point),
    /// The last valuation is optimal.
    Optimal,
}

/// Why there is no whole front.
#[derive(Clone, Debug)]
pub enum Unfinished {
    /// The search stopped, for this reason.
    Stopped(String),
    /// Evidence was refused: a fault of ours.
    Refused(Refusal),
}

/// Looks for the front. Points are told when they were accepted by the checker, and the front is accepted as
/// a whole.
pub fn front(
    problem: &Parametric,
    is_monotone: bool,
    stopper: &Stopper,
    tell: &mut dyn FnMut(Told),
) -> Result<(Checked<Parametric>, Effort), Unfinished> {
    let mut ignore = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, stopper.clone(), 0, &mut ignore);
    let mut refused = None;
    let mut hear = |found: Found| match found {
        Found::Monotony(monotony) => tell(Told::Monotony(monotony)),
        Found::Optimal if refused.is_none() => tell(Told::Optimal),
        Found::Optimal | Found::Failed => {}
        Found::Valid(point) => match points(problem, vec![point.clone()]) {
            Ok(_) => tell(Told::Valid(point)),
            Err(refusal) => {
                refused.get_or_insert(refusal);
            }
        },
    };
    let result = search(problem, is_monotone, &mut ctx, &mut hear);
    if let Some(refusal) = refused {
        return Err(Unfinished::Refused(refusal));
    }
    let (front, effort) = result.map_err(|stop| Unfinished::Stopped(reason(stop)))?;
    let asked = AskedFront { is_whole: true, is_monotone };
    let is_empty = front.points.is_empty();
    let verdict = if is_empty { Verdict::Unsafe(front) } else { Verdict::Safe(front) };
    let checked = accept(problem, asked, verdict).map_err(Unfinished::Refused)?;
    Ok((checked, effort))
}

/// Valid valuations, none of which undercuts another, checked.
pub fn points(problem: &Parametric, points: Vec<Point>) -> Result<Checked<Parametric>, Refusal> {
    let asked = AskedFront { is_whole: false, is_monotone: false };
    let (failed, monotony) = (Vec::new(), Monotony::Unused);
    let front = Front { points, failed, monotony, coverage: None };
    accept(problem, asked, Verdict::Safe(front))
}

/// Checked evidence as the text of a file.
pub fn text(problem: &Parametric, checked: &Checked<Parametric>) -> String {
    evidence::print_front(problem, checked.verdict())
}

fn reason(stop: Stop) -> String {
    match stop {
        Stop::Budget(limit) => limit.describe().to_owned(),
        Stop::Unsupported(reason) | Stop::Stuck(reason) | Stop::Unproved { reason, .. } => reason,
    }
}
