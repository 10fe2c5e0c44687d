//! Lassos: a stem and a cycle that a derivation goes along, as a flow of its own.

use super::{Question, Role};
use crate::rank::steps::Steps;
use alphorn_engine::Stop;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::flow::{Start, Transition};
use alphorn_problem::obligation::flow::moved;
use alphorn_problem::{Flow, Span};
use alphorn_term::{Store, Substitution, TermId};

/// A start, the transitions to the cut point, and those back to it.
type Lasso = (usize, Vec<usize>, Vec<usize>);

pub(super) fn lasso(question: &Question, derivation: &Derivation) -> Result<Lasso, Stop> {
    let (mut start, mut stem, mut cycle) = (None, Vec::new(), Vec::new());
    let mut at = derivation.steps.last();
    while let Some(step) = at {
        match question.roles.get(step.clause.index()) {
            Some(Role::Start(position)) => start = Some(*position),
            Some(Role::Before(edge)) => stem.push(*edge),
            Some(Role::After(edge)) => cycle.push(*edge),
            Some(Role::Back) | None => {}
        }
        at = step.premises.first().and_then(|&premise| derivation.steps.get(premise));
    }
    stem.reverse();
    cycle.reverse();
    let start = start.ok_or_else(|| Stop::Stuck("a derivation has no beginning".to_owned()))?;
    Ok((start, stem, cycle))
}

/// A lasso as a flow of one location, and what is known there.
pub(super) fn lasso_flow(
    steps: &Steps<'_>,
    start: usize,
    stem: &[usize],
    cycle: &[usize],
) -> (Flow, TermId) {
    let flow = steps.flow;
    let mut store = steps.store.clone();
    let first = &flow.starts[start];
    // Way back from what the stem ends in, which the flow's own variables stand for.
    let (inputs, formula) = {
        let mut inputs = first.inputs.clone();
        let begin = match stem.is_empty() {
            true => flow.vars.clone(),
            false => copies(&mut store, &flow.vars, &mut inputs),
        };
        let mut parts = vec![moved(first.formula, &flow.vars, &begin, &mut store)];
        along(steps, stem, &begin, &flow.vars, &mut store, &mut inputs, &mut parts);
        (inputs, store.and(&parts))
    };
    let (mut open, mut parts) = (Vec::new(), Vec::new());
    along(steps, cycle, &flow.vars, &flow.next, &mut store, &mut open, &mut parts);
    let round = store.and(&parts);
    let at = cycle.first().map_or(first.at, |&edge| flow.transitions[edge].from);
    let invariant = store.and(&steps.invariants[at.index()]);
    let mut small =
        Flow { terms: store, vars: flow.vars.clone(), next: flow.next.clone(), ..Flow::default() };
    let here = small.add_location(flow.location_name(at), Span::NONE);
    small.starts.push(Start { at: here, formula, inputs, span: Span::NONE });
    small.transitions.push(Transition {
        from: here,
        to: here,
        formula: round,
        inputs: open,
        name: None,
        span: Span::NONE,
    });
    (small, invariant)
}

pub(super) fn copies(store: &mut Store, vars: &[TermId], inputs: &mut Vec<TermId>) -> Vec<TermId> {
    let copy = |&var: &TermId| {
        let name = store.var_name(var).unwrap_or("v").to_owned();
        let sort = store.sort(var);
        store.fresh_var(&name, sort)
    };
    let copies: Vec<TermId> = vars.iter().map(copy).collect();
    inputs.extend(&copies);
    copies
}

/// The formulas of transitions one after the other, with invariants between them.
fn along(
    steps: &Steps<'_>,
    edges: &[usize],
    begin: &[TermId],
    end: &[TermId],
    store: &mut Store,
    inputs: &mut Vec<TermId>,
    parts: &mut Vec<TermId>,
) {
    let flow = steps.flow;
    let mut at = begin.to_vec();
    for (position, &edge) in edges.iter().enumerate() {
        let step = &flow.transitions[edge];
        let after = match position + 1 == edges.len() {
            true => end.to_vec(),
            false => copies(store, &flow.vars, inputs),
        };
        let chosen = copies(store, &step.inputs, inputs);
        let mut map: Substitution = flow.vars.iter().copied().zip(at.iter().copied()).collect();
        map.extend(flow.next.iter().copied().zip(after.iter().copied()));
        map.extend(step.inputs.iter().copied().zip(chosen));
        let known = store.and(&steps.invariants[step.from.index()]);
        parts.push(store.substitute(known, &map));
        parts.push(store.substitute(step.formula, &map));
        at = after;
    }
}
