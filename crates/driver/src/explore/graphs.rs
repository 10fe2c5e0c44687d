//! Questions about the graph of all states: what stays within reach, and what leads to what.
//!
//! As with safety, a violation is a run that the checker accepts, and that there is none is only said.

use super::{Bounds, Explored, Other, reason};
use alphorn_check::accept::{AskedProperty, accept};
use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_hw::words::cone;
use alphorn_hw::words::explore::fair::{self, Loop};
use alphorn_hw::words::explore::{Graph, Limits, Scene, home};
use alphorn_problem::evidence::words::{Property, WordTrace};
use alphorn_problem::response::Response;
use alphorn_problem::{Finding, Verdict, Words};
use alphorn_term::Value;

/// The most steps that are kept for each state that may be.
const STEPS_PER_STATE: usize = 64;

fn limits(bounds: Bounds) -> Limits {
    let states = usize::try_from(bounds.max_states).unwrap_or(usize::MAX);
    Limits { states, steps: states.saturating_mul(STEPS_PER_STATE) }
}

/// Whether a home property holds.
pub(super) fn home(words: &Words, index: usize, bounds: Bounds) -> Result<Other, String> {
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut silent);
    let (small, back) = cone(&home::watched(words, index));
    let scene = Scene::new(&small, &mut ctx).map_err(reason)?;
    let graph = Graph::new(&scene, limits(bounds), &mut ctx).map_err(reason)?;
    let ways = home::ways(&scene, &graph);
    let property = Property::Home(index);
    let Some(trap) = ways.trap else {
        let remark = format!("it is within reach in {} states that matter", ways.order.len());
        return Ok(Other { property, violation: None, remark });
    };
    let trace = home::trapped(&scene, &graph, &trap, &ways.allowed);
    let Ok(Finding::Fails(trace)) = back.finding(Finding::Fails(trace), &mut ctx) else {
        return Err("a run was lost".to_owned());
    };
    let trace = WordTrace { property, ..trace };
    let remark = format!("a trap of {} states", trap.len());
    let violation = accepted(words, trace);
    let remark = match &violation {
        Ok(_) => remark,
        Err(refusal) => format!("{remark} was found, which was not checked: {refusal}"),
    };
    Ok(Other { property, violation: violation.ok(), remark })
}

fn accepted(words: &Words, trace: WordTrace) -> Result<WordTrace, String> {
    let (asked, verdict) = (AskedProperty::of(trace.property), Verdict::Unsafe(trace.clone()));
    accept(words, asked, verdict).map(|_| trace).map_err(|refusal| refusal.to_string())
}

/// Whether something leads to something else, in a system of which this was asked.
pub(super) fn respond(
    asked: &Words,
    response: &Response,
    bounds: Bounds,
) -> Result<Explored, String> {
    let unasked = response.unasked(asked);
    let inputs = &unasked.inputs;
    let constraints: Vec<_> = unasked.constraints.iter().map(|named| named.term).collect();
    if unasked.terms.free_vars(&constraints).iter().any(|var| inputs.contains(var)) {
        return Err("constraints that depend on inputs are not treated here".to_owned());
    }
    if !unasked.fairness.is_empty() {
        return Err("fairness constraints of the file are not treated here".to_owned());
    }
    let mut silent = |_: Event| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut silent);
    let (small, back) = cone(&fair::watched(&unasked, response));
    let scene = Scene::new(&small, &mut ctx).map_err(reason)?;
    let graph = Graph::new(&scene, limits(bounds), &mut ctx).map_err(reason)?;
    let answered = fair::answer(&scene, &graph, response)?;
    let remark = format!(
        "{} states are pending, {} of them left after {} rounds",
        answered.pending, answered.left, answered.rounds
    );
    let mut violation = None;
    if let Some(found) = answered.violation {
        let mut choices = found.stem.clone();
        // The second time round, it has been pending before.
        choices.extend(found.round.iter().chain(&found.round));
        let trace = scene.trace(graph.state(found.first), &choices);
        let Ok(Finding::Fails(trace)) = back.finding(Finding::Fails(trace), &mut ctx) else {
            return Err("a run was lost".to_owned());
        };
        let trace = guessing(asked, response, &found, trace);
        let trace =
            accepted(asked, trace).map_err(|refusal| format!("a run was refused: {refusal}"))?;
        violation = Some(trace);
    }
    Ok(Explored {
        states: graph.len() as u64,
        steps: graph.count_steps() as u64,
        depth: (graph.len().checked_sub(1)).map_or(0, |last| graph.run_to(last).1.len() as u64),
        bytes: 8 * scene.model.size(),
        is_complete: true,
        violations: Vec::new(),
        others: vec![Other { property: Property::Justice(0), violation, remark }],
    })
}

/// A run of a system as one of the system with the question: with when it is pending, and what is over by then.
fn guessing(asked: &Words, response: &Response, found: &Loop, mut trace: WordTrace) -> WordTrace {
    trace.property = Property::Justice(0);
    let round = found.stem.len();
    let strong = response.fair.iter().zip(&found.enabled).filter(|(fair, _)| fair.is_strong);
    let over: Vec<bool> = strong.map(|(_, is_enabled)| !is_enabled).collect();
    for (moment, inputs) in trace.inputs.iter_mut().enumerate() {
        inputs.push(Value::Bool(moment == found.pending));
        inputs.extend(over.iter().map(|is_over| Value::Bool(*is_over && moment == round)));
    }
    for states in &mut trace.states {
        states.resize(asked.states.len(), None);
    }
    trace
}
