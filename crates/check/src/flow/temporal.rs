//! Labels by which a formula of computation tree logic holds or fails.

use super::form::{Terms, check_flow};
use super::ranking::check_level;
use super::recurrence::{check_choice, check_initial, check_sizes, holds};
use super::{may_move, settle};
use crate::{Refusal, work};
use alphorn_problem::evidence::temporal::{Label, Labelling, Labels};
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::LevelGoal;
use alphorn_problem::obligation::temporal::{TemporalGoal, temporal_assertions, temporal_goals};
use alphorn_problem::temporal::{Node, Temporal};
use alphorn_term::{Meter, Store, TermId};
use std::borrow::Cow;

/// Accepts labels if by them the formula holds.
pub fn check_holds(problem: &Temporal, evidence: &Labels) -> Result<(), Refusal> {
    match evidence.labelling.initial {
        None => check_labels(problem, evidence),
        Some(_) => Err(Refusal::new("the labels", "they say that the formula fails")),
    }
}

/// Accepts labels if by them the formula fails in a state in which a run may begin.
pub fn check_fails(problem: &Temporal, evidence: &Labels) -> Result<(), Refusal> {
    match evidence.labelling.initial {
        Some(_) => check_labels(problem, evidence),
        None => Err(Refusal::new("the labels", "they say that the formula holds")),
    }
}

fn check_labels(problem: &Temporal, evidence: &Labels) -> Result<(), Refusal> {
    let flow = &problem.flow;
    let Labels { labelling, proofs } = evidence;
    let meter = work::of_flow(flow, &labelling.terms, proofs, 1);
    check_flow(flow, &labelling.terms, &meter)?;
    if flow.is_loose {
        let reason = "it has runs that what it was made from need not have";
        return Err(Refusal::new("the flow", reason));
    }
    problem.validate().map_err(|reason| Refusal::new("the formula", reason))?;
    let refuse = |reason: String| Refusal::new("the labels", reason);
    let mut store = Cow::Borrowed(&labelling.terms);
    let nodes = problem.labelled(labelling.initial.is_some(), store.to_mut());
    check_form(problem, &nodes, labelling, &store, &meter).map_err(refuse)?;
    if let Some(initial) = &labelling.initial {
        let at = check_initial(flow, initial, &meter)?;
        let whole = labelling.labels[nodes.len() - 1].sets[at.index()];
        if !holds(flow, &labelling.terms, whole, &initial.values, &meter)? {
            let reason = "it is not in the label of the negated formula";
            return Err(Refusal::new("the state", reason));
        }
    }
    let goals = temporal_goals(problem, &nodes, labelling).map_err(refuse)?;
    if goals.len() != proofs.len() {
        let (given, wanted) = (proofs.len(), goals.len());
        return Err(refuse(format!("there are {given} proofs for {wanted} obligations")));
    }
    for (goal, proof) in goals.into_iter().zip(proofs) {
        let place = describe(problem, goal);
        check_goal_sizes(problem, &nodes, labelling, goal, &store, &meter)
            .map_err(|reason| Refusal::new(place.as_str(), reason))?;
        settle(&mut store, &place, proof, &meter, |store| {
            temporal_assertions(problem, &nodes, labelling, goal, store)
        })?;
    }
    Ok(())
}

/// What a goal is called in a refusal.
fn describe(problem: &Temporal, goal: TemporalGoal) -> String {
    let flow = &problem.flow;
    let name = |step| flow.transition_name(step);
    match goal {
        TemporalGoal::Start(start) => format!("the label of the formula at start {start}"),
        TemporalGoal::Within(node, at) => format!("label {node} at {}", flow.location_name(at)),
        TemporalGoal::Step(node, step) => format!("label {node} at {}", name(step)),
        TemporalGoal::Chosen(node, choice) => format!("label {node}, choice {choice}"),
        TemporalGoal::Stopped(node, step) => format!("label {node}, no {}", name(step)),
        TemporalGoal::Level(node, LevelGoal::Kept(level, edge)) => {
            format!("label {node}, level {level} at edge {edge}")
        }
        TemporalGoal::Level(node, LevelGoal::Removed(level, edge)) => {
            format!("label {node}, level {level} at the removed edge {edge}")
        }
    }
}

fn check_form(
    problem: &Temporal,
    nodes: &[Node],
    labelling: &Labelling,
    store: &Store,
    meter: &Meter,
) -> Result<(), String> {
    let flow = &problem.flow;
    if labelling.labels.len() != nodes.len() {
        return Err(format!("there are {} for {} formulas", labelling.labels.len(), nodes.len()));
    }
    let terms = Terms::over(store, flow.vars.iter().copied(), meter);
    for (position, label) in labelling.labels.iter().enumerate() {
        check_label(problem, label, &terms).map_err(|reason| format!("{position}: {reason}"))?;
    }
    Ok(())
}

fn check_label(problem: &Temporal, label: &Label, terms: &Terms<'_>) -> Result<(), String> {
    let flow = &problem.flow;
    terms.check_formulas(flow, &label.sets)?;
    terms.check_formulas(flow, &label.stopped)?;
    label.choices.iter().try_for_each(|choice| check_choice(flow, choice, terms))?;
    label.levels.iter().try_for_each(|level| check_level(flow.locations.len(), level, terms))
}

/// Counts the work of making a goal's terms, before they are made.
fn check_goal_sizes(
    problem: &Temporal,
    nodes: &[Node],
    labelling: &Labelling,
    goal: TemporalGoal,
    store: &Store,
    meter: &Meter,
) -> Result<(), String> {
    let flow = &problem.flow;
    let (node, step, chosen) = match goal {
        TemporalGoal::Step(node, step) => (node, step, None),
        TemporalGoal::Chosen(node, choice) => {
            let choice = &labelling.labels[node].choices[choice];
            (node, choice.transition, Some(choice))
        }
        TemporalGoal::Level(node, LevelGoal::Kept(_, edge) | LevelGoal::Removed(_, edge)) => {
            let edge = if problem.fairness.is_some() { edge / 3 } else { edge };
            match labelling.labels[node].choices.get(edge) {
                Some(choice) => (node, choice.transition, Some(choice)),
                None => (node, edge, None),
            }
        }
        _ => return Ok(()),
    };
    let to: LocId = flow.transitions.get(step).ok_or("there is no such transition")?.to;
    let parts = match nodes[node] {
        Node::Next(_, a) => [a, node],
        Node::Until(_, _, b) | Node::Weak(_, _, b) => [b, node],
        _ => return Ok(()),
    };
    let mut roots: Vec<TermId> =
        parts.iter().map(|&part| labelling.labels[part].sets[to.index()]).collect();
    let levels = labelling.labels[node].levels.iter().flat_map(|level| &level.functions);
    roots.extend(levels.map(|function| function[to.index()]));
    let next = chosen.map_or(&flow.next, |choice| &choice.next);
    may_move(store, &roots, &flow.vars, next, meter)?;
    match chosen {
        Some(choice) => check_sizes(flow, &labelling.labels[node].sets, choice, store, meter),
        None => Ok(()),
    }
}
