//! What labels of a formula of computation tree logic must prove: that these formulas are unsatisfiable.
//!
//! As for flows, goals are listed by the form of the evidence and by graphs alone, and each then becomes
//! assertions. Why they show what the labels say is argued in PROOFS.md, "Labels".

mod cycles;

use super::flow::{
    Edge, LevelGoal, chosen, edge, level_assertions, level_goals, level_goals_of, moved, taken,
};
use crate::evidence::flow::Choice;
use crate::evidence::temporal::{Label, Labelling};
use crate::flow::LocId;
use crate::temporal::{Ends, Fairness, Node, NodeId, Runs, Temporal};
use alphorn_term::{Store, TermId};
use cycles::{OFTEN, THEN, graph};
pub use cycles::{fairly_on_cycles, unfairly_on_cycles};

/// Something that labels must prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalGoal {
    /// A start, by position, is in the label of the whole.
    Start(usize),
    /// At a location, the states of a node's label are among those that its parts allow.
    Within(NodeId, LocId),
    /// A transition, by position, leads from the label to where it must.
    Step(NodeId, usize),
    /// A choice of the label, by position, is a step of the flow, and leads to where it must.
    Chosen(NodeId, usize),
    /// Where the label says that no step is possible, a transition is not.
    Stopped(NodeId, usize),
    /// A level does what it says.
    Level(NodeId, LevelGoal),
}

/// What labels must prove, in order; or what is wrong with their form. The nodes are those that the labels
/// are about.
pub fn temporal_goals(
    problem: &Temporal,
    nodes: &[Node],
    labelling: &Labelling,
) -> Result<Vec<TemporalGoal>, String> {
    let flow = &problem.flow;
    let mut goals = Vec::new();
    if labelling.initial.is_none() {
        goals.extend((0..flow.starts.len()).map(TemporalGoal::Start));
    }
    for (node, label) in labelling.labels.iter().enumerate() {
        let kind = &nodes[node];
        let at = |location: &usize| label.sets[*location] != TermId::FALSE;
        let within = (0..flow.locations.len()).filter(at);
        goals.extend(within.map(|at| TemporalGoal::Within(node, LocId(at as u32))));
        let is_from_label =
            |step: &usize| label.sets[flow.transitions[*step].from.index()] != TermId::FALSE;
        if let Node::Next(Runs::All, _) | Node::Until(Runs::All, ..) | Node::Weak(Runs::All, ..) =
            kind
        {
            let steps = (0..flow.transitions.len()).filter(is_from_label);
            goals.extend(steps.map(|step| TemporalGoal::Step(node, step)));
        }
        if has_choices(kind, problem.ends) {
            goals.extend((0..label.choices.len()).map(|choice| TemporalGoal::Chosen(node, choice)));
        } else if !label.choices.is_empty() {
            return Err(format!("label {node} has choices that mean nothing"));
        }
        if has_stopped(kind, problem.ends) {
            let is_stopped =
                |step: &usize| label.stopped[flow.transitions[*step].from.index()] != TermId::FALSE;
            let steps = (0..flow.transitions.len()).filter(is_stopped);
            goals.extend(steps.map(|step| TemporalGoal::Stopped(node, step)));
        }
        goals.extend(
            ranked(problem, kind, label)?.into_iter().map(|goal| TemporalGoal::Level(node, goal)),
        );
    }
    Ok(goals)
}

/// Whether steps are chosen in a label of such a node.
fn has_choices(node: &Node, ends: Ends) -> bool {
    match node {
        Node::Next(Runs::Some, _) | Node::Until(Runs::Some, ..) | Node::Weak(Runs::Some, ..) => {
            true
        }
        // That there is a step must be said where runs that end do not satisfy what is to come.
        Node::Next(Runs::All, _) | Node::Until(Runs::All, ..) => ends == Ends::Stutter,
        _ => false,
    }
}

/// Whether states without steps count in a label of such a node.
fn has_stopped(node: &Node, ends: Ends) -> bool {
    let counts = matches!(node, Node::Next(Runs::Some, _) | Node::Weak(Runs::Some, ..));
    counts && ends == Ends::Stutter
}

/// The goals of a label's levels, by the edges that are ranked.
fn ranked(problem: &Temporal, node: &Node, label: &Label) -> Result<Vec<LevelGoal>, String> {
    let flow = &problem.flow;
    let is_fair = problem.fairness.is_some();
    let graph = graph(flow, node, label);
    let graph: Vec<(LocId, LocId)> = match is_fair {
        true => graph.iter().flat_map(|&edge| [edge; 3]).collect(),
        false => graph,
    };
    let locations = flow.locations.len();
    match node {
        Node::Until(Runs::All, ..) if is_fair => {
            level_goals_of(locations, &graph, &label.levels, fairly_on_cycles)
        }
        Node::Until(..) => level_goals(locations, &graph, &label.levels),
        Node::Weak(Runs::Some, ..) if is_fair => {
            level_goals_of(locations, &graph, &label.levels, unfairly_on_cycles)
        }
        _ if label.levels.is_empty() => Ok(Vec::new()),
        _ => Err("a label has levels that mean nothing".to_owned()),
    }
}

/// The assertions of a goal, for labels whose form fits.
pub fn temporal_assertions(
    problem: &Temporal,
    nodes: &[Node],
    labelling: &Labelling,
    goal: TemporalGoal,
    store: &mut Store,
) -> Vec<TermId> {
    let flow = &problem.flow;
    let set = |node: NodeId, at: LocId| labelling.labels[node].sets[at.index()];
    match goal {
        TemporalGoal::Start(start) => {
            let start = &flow.starts[start];
            let whole = set(labelling.labels.len() - 1, start.at);
            vec![start.formula, store.not(whole)]
        }
        TemporalGoal::Within(node, at) => {
            let allowed = within(problem, nodes, labelling, node, at, store);
            vec![set(node, at), store.not(allowed)]
        }
        TemporalGoal::Step(node, step) => {
            let step = &flow.transitions[step];
            let mut all = vec![set(node, step.from), step.formula];
            let to = match nodes[node] {
                Node::Next(_, a) => set(a, step.to),
                Node::Until(_, _, b) | Node::Weak(_, _, b) => {
                    all.push(store.not(set(b, step.from)));
                    set(node, step.to)
                }
                _ => TermId::TRUE,
            };
            let after = moved(to, &flow.vars, &flow.next, store);
            all.push(store.not(after));
            all
        }
        TemporalGoal::Chosen(node, choice) => {
            let choice = &labelling.labels[node].choices[choice];
            let transition = &flow.transitions[choice.transition];
            let mut all = vec![set(node, transition.from), choice.when];
            let to = match nodes[node] {
                Node::Next(Runs::Some, a) => set(a, transition.to),
                Node::Until(runs, _, b) | Node::Weak(runs, _, b) => {
                    all.push(store.not(set(b, transition.from)));
                    if runs == Runs::Some { set(node, transition.to) } else { TermId::TRUE }
                }
                _ => TermId::TRUE,
            };
            let step = taken(flow, choice, store);
            let after = moved(to, &flow.vars, &choice.next, store);
            let both = store.and(&[step, after]);
            all.push(store.not(both));
            all
        }
        TemporalGoal::Stopped(node, step) => {
            let step = &flow.transitions[step];
            vec![labelling.labels[node].stopped[step.from.index()], step.formula]
        }
        TemporalGoal::Level(node, goal) => level(problem, nodes, labelling, node, goal, store),
    }
}

/// What the label of a node may have at a location, by its parts and by what is chosen.
fn within(
    problem: &Temporal,
    nodes: &[Node],
    labelling: &Labelling,
    node: NodeId,
    at: LocId,
    store: &mut Store,
) -> TermId {
    let set = |node: NodeId| labelling.labels[node].sets[at.index()];
    let label = &labelling.labels[node];
    let from = |choice: &&Choice| problem.flow.transitions[choice.transition].from == at;
    let mut goes: Vec<TermId> = label.choices.iter().filter(from).map(|one| one.when).collect();
    let stopped = match (has_stopped(&nodes[node], problem.ends), &problem.fairness) {
        (false, _) => TermId::FALSE,
        (true, None) => label.stopped[at.index()],
        // The last state repeats: that must be fair.
        (true, Some(fairness)) => {
            let seldom = store.not(fairness.often[at.index()]);
            let fair = store.or(&[seldom, fairness.then[at.index()]]);
            store.and(&[label.stopped[at.index()], fair])
        }
    };
    let is_stutter = problem.ends == Ends::Stutter;
    match &nodes[node] {
        Node::Atom(formulas) => formulas[at.index()],
        Node::And(a, b) => store.and(&[set(*a), set(*b)]),
        Node::Or(a, b) => store.or(&[set(*a), set(*b)]),
        Node::Next(Runs::All, a) if is_stutter => {
            goes.push(set(*a));
            store.or(&goes)
        }
        Node::Next(Runs::All, _) => TermId::TRUE,
        Node::Next(Runs::Some, a) => {
            let stays = store.and(&[stopped, set(*a)]);
            goes.push(stays);
            store.or(&goes)
        }
        Node::Weak(Runs::All, a, b) => store.or(&[set(*a), set(*b)]),
        Node::Until(Runs::All, a, b) if is_stutter => {
            let goes = store.or(&goes);
            let on = store.and(&[set(*a), goes]);
            store.or(&[set(*b), on])
        }
        Node::Until(Runs::All, a, b) => store.or(&[set(*a), set(*b)]),
        Node::Until(Runs::Some, a, b) | Node::Weak(Runs::Some, a, b) => {
            goes.push(stopped);
            let goes = store.or(&goes);
            let on = store.and(&[set(*a), goes]);
            store.or(&[set(*b), on])
        }
    }
}

/// The assertions of a level's goal: its edge begins in the label, before what is to come, and does not lead there.
fn level(
    problem: &Temporal,
    nodes: &[Node],
    labelling: &Labelling,
    node: NodeId,
    goal: LevelGoal,
    store: &mut Store,
) -> Vec<TermId> {
    let flow = &problem.flow;
    let label = &labelling.labels[node];
    let (LevelGoal::Kept(_, position) | LevelGoal::Removed(_, position)) = goal;
    let step = if problem.fairness.is_some() { position / 3 } else { position };
    let edge: Edge = match nodes[node] {
        Node::Until(Runs::Some, ..) | Node::Weak(Runs::Some, ..) => {
            chosen(flow, &label.choices[step])
        }
        _ => edge(flow, &flow.transitions[step]),
    };
    let mut all = vec![label.sets[edge.from.index()]];
    if let Node::Until(_, _, b) | Node::Weak(_, _, b) = nodes[node] {
        let before = &labelling.labels[b].sets;
        all.push(store.not(before[edge.from.index()]));
        let after = moved(before[edge.to.index()], &flow.vars, &edge.next, store);
        all.push(store.not(after));
    }
    if let Some(fairness) = &problem.fairness {
        all.extend(condition(fairness, position % 3, edge.from, store));
    }
    all.extend(level_assertions(&flow.vars, &label.levels, goal, &edge, store));
    all
}

/// What holds where an edge of this kind begins.
fn condition(fairness: &Fairness, kind: usize, from: LocId, store: &mut Store) -> Vec<TermId> {
    let (often, then) = (fairness.often[from.index()], fairness.then[from.index()]);
    match kind {
        THEN => vec![then],
        OFTEN => vec![often, store.not(then)],
        _ => vec![store.not(often), store.not(then)],
    }
}
