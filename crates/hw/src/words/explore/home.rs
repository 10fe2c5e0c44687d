//! Home properties: from every reachable state, can one with the formula be reached?
//!
//! The graph is gone through backwards from the states with the formula, which gives each state that is met a step
//! that brings it closer. If all are met, these steps show it. Otherwise a component that no step leaves is a trap: a
//! run into it, and its states, show that from there the formula is out of reach.

use super::super::roles::Choice;
use super::graph::{Graph, Limits};
use super::{Scene, cone};
use crate::checkable::words_checkable;
use crate::settings::{EXPLORE_MAX_STATES, EXPLORE_MAX_STEPS};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::words::{
    ClaimedInvariant, Homing, Property, Rows, WordClaim, WordTrace,
};
use alphorn_problem::words::Named;
use alphorn_problem::{Finding, Span, Words};
use alphorn_term::Value;

/// Decides the first home property of a system.
pub fn decide_home(system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
    let (small, uncone) = cone(system);
    let watched = watched(&small, 0);
    let scene = Scene::new(&watched, ctx)?;
    let limits = Limits { states: EXPLORE_MAX_STATES.size(), steps: EXPLORE_MAX_STEPS.size() };
    let graph = Graph::new(&scene, limits, ctx)?;
    let finding = uncone.finding(finding(&scene, &graph, ctx)?, ctx)?;
    if let Finding::Holds(claim) = &finding {
        words_checkable(system, claim)?;
    }
    Ok(finding)
}

/// The system with a home property as something to watch for, and whether a state counts at all.
pub fn watched(system: &Words, index: usize) -> Words {
    let mut watched = Words { bads: vec![system.homes[index].clone()], ..system.clone() };
    (watched.homes, watched.justice) = (Vec::new(), Vec::new());
    if !watched.constraints.is_empty() {
        let term = watched.terms.bool(true);
        watched.bads.push(Named { term, name: None, span: Span::NONE });
    }
    watched
}

/// What the graph of a watched system says.
pub struct Ways {
    /// The states from which the formula is within reach, each behind the one that its step leads to, with the
    /// choice of that step.
    pub order: Vec<(u32, u32)>,
    /// A smallest component without way out that counts and has no state with the formula, if there is one.
    pub trap: Option<Vec<u32>>,
    /// For each state a choice that is allowed in it, if there is one.
    pub allowed: Vec<Option<u32>>,
}

/// Looks at the graph of a watched system.
pub fn ways(scene: &Scene<'_>, graph: &Graph) -> Ways {
    let count = graph.len();
    let is_free = scene.model.properties() == 1;
    let mut allowed: Vec<Option<u32>> = vec![is_free.then_some(0); count];
    let (mut order, mut is_met) = (Vec::with_capacity(count), vec![false; count]);
    for state in 0..count {
        for mark in graph.marks(state) {
            match mark.property {
                0 if !is_met[state] => {
                    is_met[state] = true;
                    order.push((state as u32, mark.choice));
                }
                1 => allowed[state] = Some(mark.choice),
                _ => {}
            }
        }
    }
    let backwards = graph.backwards();
    let mut next = 0;
    while let Some(&(state, _)) = order.get(next) {
        next += 1;
        for step in backwards.steps(state as usize) {
            if !std::mem::replace(&mut is_met[step.to as usize], true) {
                order.push((step.to, step.choice));
            }
        }
    }
    let counts = |state: usize| !is_met[state] && allowed[state].is_some();
    if (0..count).all(|state| !counts(state)) {
        return Ways { order, trap: None, allowed };
    }
    let within: Vec<bool> = (0..count).map(counts).collect();
    let components = graph.components(&within);
    let mut number = vec![u32::MAX; count];
    for (at, component) in components.iter().enumerate() {
        component.iter().for_each(|state| number[*state as usize] = at as u32);
    }
    let is_left = |at: usize, state: u32| {
        let mut steps = graph.steps(state as usize).iter().map(|step| step.to as usize);
        // A step to a state that does not count is none.
        steps.any(|to| within[to] && number[to] != at as u32)
    };
    let closed = components
        .into_iter()
        .enumerate()
        .filter(|(at, component)| !component.iter().any(|state| is_left(*at, *state)));
    let least = |component: &Vec<u32>| (component.len(), component.iter().min().copied());
    let trap = closed.map(|(_, component)| component).min_by_key(least);
    Ways { order, trap, allowed }
}

fn finding(scene: &Scene<'_>, graph: &Graph, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
    if scene.machine.choices.iter().any(|choice| !matches!(choice, Choice::Input(_))) {
        return Err(Stop::Unsupported("a state that may have any value is not treated".into()));
    }
    let ways = ways(scene, graph);
    ctx.tick(graph.len() as u64)?;
    let row = |state: u32| scene.values(graph.state(state as usize));
    let vars = scene.machine.states.clone();
    let Some(trap) = ways.trap else {
        let mut states: Vec<Vec<Value>> = Vec::with_capacity(graph.len());
        let mut inputs = Vec::with_capacity(graph.len());
        let mut is_listed = vec![false; graph.len()];
        for (state, choice) in ways.order {
            states.push(row(state));
            inputs.push(Some(scene.inputs(choice as usize)));
            is_listed[state as usize] = true;
        }
        // What no run may go through is listed without a way.
        for state in (0..graph.len()).filter(|state| !is_listed[*state]) {
            states.push(row(state as u32));
            inputs.push(None);
        }
        let invariant = ClaimedInvariant::Home(Homing { rows: Rows { vars, states }, inputs });
        return Ok(Finding::Holds(WordClaim { property: 0, invariant }));
    };
    Ok(Finding::Fails(trapped(scene, graph, &trap, &ways.allowed)))
}

/// The run into a trap, with its states.
pub fn trapped(
    scene: &Scene<'_>,
    graph: &Graph,
    trap: &[u32],
    allowed: &[Option<u32>],
) -> WordTrace {
    let entry = trap.iter().copied().min().unwrap_or(0) as usize;
    let (first, mut choices) = graph.run_to(entry);
    choices.push(allowed[entry].unwrap_or(0) as usize);
    let mut trace = scene.trace(graph.state(first), &choices);
    // States that do not count, and are a step away, are listed with the others.
    let mut listed: Vec<u32> = trap.to_vec();
    listed.extend(trap.iter().flat_map(|state| graph.steps(*state as usize)).map(|step| step.to));
    listed.sort_unstable();
    listed.dedup();
    let states = listed.iter().map(|state| scene.values(graph.state(*state as usize))).collect();
    trace.property = Property::Home(0);
    trace.trap = Some(Rows { vars: scene.machine.states.clone(), states });
    trace
}
