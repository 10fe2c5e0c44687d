//! What evidence about a flow must prove: that these formulas are unsatisfiable.
//!
//! The obligations of a piece of evidence are listed as goals, by its form and by the graph of the flow alone;
//! each then becomes assertions, whose free variables stand for any values. Engines and the checker call the
//! same functions and get the same terms: nothing depends on what else a store contains.
//!
//! That the goals of a measure show that every run ends is argued in PROOFS.md, "Flows".

mod recurrence;

use super::components::components;
use crate::evidence::flow::{Choice, Disjunctive, Level, Measure, Ranking};
use crate::flow::{Flow, LocId, Transition};
use alphorn_term::{Store, Substitution, TermId};
pub use recurrence::{RecurrenceGoal, recurrence_assertions, recurrence_goals};
use std::collections::BTreeSet;

/// A step of what is ranked: from states at `from` with `when`, to the values `next` at `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it comes from.
    pub from: LocId,
    /// Where it leads.
    pub to: LocId,
    /// What holds when it is taken.
    pub when: TermId,
    /// The values of the variables afterwards.
    pub next: Vec<TermId>,
}

/// A transition as an edge.
pub fn edge(flow: &Flow, step: &Transition) -> Edge {
    Edge { from: step.from, to: step.to, when: step.formula, next: flow.next.clone() }
}

/// A choice as an edge.
pub fn chosen(flow: &Flow, choice: &Choice) -> Edge {
    let transition = &flow.transitions[choice.transition];
    let next = choice.next.clone();
    Edge { from: transition.from, to: transition.to, when: choice.when, next }
}

/// Something that a ranking must prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankingGoal {
    /// A start, by position, gives the invariant.
    Start(usize),
    /// A transition, by position, keeps the invariants.
    Step(usize),
    /// A level does what it says.
    Level(LevelGoal),
    /// The first step away from a cut point, by position, is in the relation: the transition.
    First(usize, usize),
    /// A further step, after a cut point, keeps the relation: the transition.
    Further(usize, usize),
    /// Back at a cut point, a function has decreased.
    Covered(usize),
}

/// What a level, by position, must prove of an edge, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelGoal {
    /// The edge increases none of its functions.
    Kept(usize, usize),
    /// The edge is removed: it decreases the functions, and the last of them is not negative before it.
    Removed(usize, usize),
}

/// What a ranking must prove, in order; or what is wrong with its form.
pub fn ranking_goals(flow: &Flow, ranking: &Ranking) -> Result<Vec<RankingGoal>, String> {
    let mut goals: Vec<RankingGoal> = (0..flow.starts.len()).map(RankingGoal::Start).collect();
    goals.extend((0..flow.transitions.len()).map(RankingGoal::Step));
    let graph: Vec<(LocId, LocId)> = flow.transitions.iter().map(|t| (t.from, t.to)).collect();
    match &ranking.measure {
        Measure::Levels(levels) => {
            let all = level_goals(flow.locations.len(), &graph, levels)?;
            goals.extend(all.into_iter().map(RankingGoal::Level));
        }
        Measure::Disjunctive(union) => {
            let cuts: BTreeSet<LocId> = union.cuts.iter().copied().collect();
            let rest =
                |&&(from, to): &&(LocId, LocId)| !cuts.contains(&from) && !cuts.contains(&to);
            let rest: Vec<(LocId, LocId)> = graph.iter().filter(rest).copied().collect();
            let component = components(flow.locations.len(), &rest);
            if rest.iter().any(|(from, to)| component[from.index()] == component[to.index()]) {
                return Err("a cycle has no cut point".to_owned());
            }
            for (cut, location) in union.cuts.iter().enumerate() {
                let first = graph.iter().enumerate().filter(|(_, edge)| edge.0 == *location);
                goals.extend(first.map(|(edge, _)| RankingGoal::First(cut, edge)));
                goals.extend((0..graph.len()).map(|edge| RankingGoal::Further(cut, edge)));
                goals.push(RankingGoal::Covered(cut));
            }
        }
    }
    Ok(goals)
}

/// What levels must prove of edges between `locations` many locations, in order, so that no run goes on for
/// ever; or what is wrong with them.
pub fn level_goals(
    locations: usize,
    graph: &[(LocId, LocId)],
    levels: &[Level],
) -> Result<Vec<LevelGoal>, String> {
    level_goals_of(locations, graph, levels, on_cycles)
}

/// `level_goals`, where `still` says which of the edges that are left matter: whoever takes none of them again
/// and again need not be shown to end.
pub fn level_goals_of(
    locations: usize,
    graph: &[(LocId, LocId)],
    levels: &[Level],
    still: impl Fn(usize, &[(LocId, LocId)], &[usize]) -> Vec<usize>,
) -> Result<Vec<LevelGoal>, String> {
    let mut goals = Vec::new();
    let mut present: Vec<usize> = (0..graph.len()).collect();
    for (position, level) in levels.iter().enumerate() {
        present = still(locations, graph, &present);
        let removed: BTreeSet<usize> = level.removed.iter().copied().collect();
        if removed.is_empty() {
            return Err(format!("level {position} removes nothing"));
        }
        if !removed.iter().all(|edge| present.binary_search(edge).is_ok()) {
            return Err(format!("level {position} removes what is on no cycle"));
        }
        goals.extend(present.iter().map(|&edge| match removed.contains(&edge) {
            true => LevelGoal::Removed(position, edge),
            false => LevelGoal::Kept(position, edge),
        }));
        present.retain(|edge| !removed.contains(edge));
    }
    let left = still(locations, graph, &present);
    match left.is_empty() {
        true => Ok(goals),
        false => Err(format!("{} transitions are left on cycles by the levels", left.len())),
    }
}

/// Those of some edges that lie on a cycle of them, in order.
pub fn on_cycles(locations: usize, graph: &[(LocId, LocId)], present: &[usize]) -> Vec<usize> {
    let edges: Vec<(LocId, LocId)> = present.iter().map(|&edge| graph[edge]).collect();
    let component = components(locations, &edges);
    let is_inside = |edge: &&usize| {
        let (from, to) = graph[**edge];
        component[from.index()] == component[to.index()]
    };
    present.iter().filter(is_inside).copied().collect()
}

/// The assertions of a goal of a ranking, whose form fits the flow.
pub fn ranking_assertions(
    flow: &Flow,
    ranking: &Ranking,
    goal: RankingGoal,
    store: &mut Store,
) -> Vec<TermId> {
    let invariant = |location: LocId| ranking.invariants[location.index()];
    match (goal, &ranking.measure) {
        (RankingGoal::Start(start), _) => {
            let start = &flow.starts[start];
            vec![start.formula, store.not(invariant(start.at))]
        }
        (RankingGoal::Step(step), _) => {
            let step = &flow.transitions[step];
            let after = moved(invariant(step.to), &flow.vars, &flow.next, store);
            vec![invariant(step.from), step.formula, store.not(after)]
        }
        (RankingGoal::Level(goal), Measure::Levels(levels)) => {
            let (LevelGoal::Kept(_, edge) | LevelGoal::Removed(_, edge)) = goal;
            let step = &flow.transitions[edge];
            let edge =
                Edge { from: step.from, to: step.to, when: step.formula, next: flow.next.clone() };
            let mut all = vec![invariant(step.from)];
            all.extend(level_assertions(&flow.vars, levels, goal, &edge, store));
            all
        }
        (goal, Measure::Disjunctive(union)) => of_union(flow, ranking, union, goal, store),
        // Goals of levels come from levels alone.
        (_, Measure::Levels(_)) => vec![TermId::TRUE],
    }
}

fn of_union(
    flow: &Flow,
    ranking: &Ranking,
    union: &Disjunctive,
    goal: RankingGoal,
    store: &mut Store,
) -> Vec<TermId> {
    let (vars, saved) = (&flow.vars, &union.saved);
    match goal {
        RankingGoal::First(cut, edge) => {
            let step = &flow.transitions[edge];
            let relation = union.relations[cut][step.to.index()];
            let mut map: Substitution =
                vars.iter().copied().zip(flow.next.iter().copied()).collect();
            map.extend(saved.iter().copied().zip(vars.iter().copied()));
            let after = store.substitute(relation, &map);
            vec![ranking.invariants[step.from.index()], step.formula, store.not(after)]
        }
        RankingGoal::Further(cut, edge) => {
            let step = &flow.transitions[edge];
            let relation = |location: LocId| union.relations[cut][location.index()];
            let after = moved(relation(step.to), vars, &flow.next, store);
            let before = [relation(step.from), ranking.invariants[step.from.index()]];
            vec![before[0], before[1], step.formula, store.not(after)]
        }
        RankingGoal::Covered(cut) => {
            let at = union.cuts[cut];
            let mut all = vec![union.relations[cut][at.index()], ranking.invariants[at.index()]];
            all.push(moved(ranking.invariants[at.index()], vars, saved, store));
            for (&function, &least) in union.functions.iter().zip(&union.least) {
                let before = moved(function, vars, saved, store);
                let decreases = decreases(before, function, least, store);
                let bounded = is_not_negative(before, store);
                let both = store.and(&[decreases, bounded]);
                all.push(store.not(both));
            }
            all
        }
        // The others have nothing to do with the union.
        RankingGoal::Start(_) | RankingGoal::Step(_) | RankingGoal::Level(_) => vec![TermId::TRUE],
    }
}

/// The assertions of a goal of levels about an edge, besides what holds where the edge begins.
pub fn level_assertions(
    vars: &[TermId],
    levels: &[Level],
    goal: LevelGoal,
    edge: &Edge,
    store: &mut Store,
) -> Vec<TermId> {
    let (LevelGoal::Kept(level, _) | LevelGoal::Removed(level, _)) = goal;
    let level = &levels[level];
    let mut parts = Vec::new();
    let mut outer: Option<TermId> = None;
    for function in &level.functions {
        let before = function[edge.from.index()];
        let after = moved(function[edge.to.index()], vars, &edge.next, store);
        parts.push(match goal {
            LevelGoal::Kept(..) => store.ge(before, after),
            LevelGoal::Removed(..) => {
                let credit = outer.map_or(before, |outer| store.add(&[before, outer]));
                decreases(credit, after, level.least, store)
            }
        });
        outer = Some(before);
    }
    if let (LevelGoal::Removed(..), Some(last)) = (goal, outer) {
        parts.push(is_not_negative(last, store));
    }
    let all = store.and(&parts);
    vec![edge.when, store.not(all)]
}

/// The formula of a choice's transition with what is chosen put in.
pub fn taken(flow: &Flow, choice: &Choice, store: &mut Store) -> TermId {
    let transition = &flow.transitions[choice.transition];
    let mut map: Substitution =
        flow.next.iter().copied().zip(choice.next.iter().copied()).collect();
    map.extend(transition.inputs.iter().copied().zip(choice.inputs.iter().copied()));
    store.substitute(transition.formula, &map)
}

/// A term over `from` with terms in their place.
pub fn moved(term: TermId, from: &[TermId], to: &[TermId], store: &mut Store) -> TermId {
    let map: Substitution = from.iter().copied().zip(to.iter().copied()).collect();
    store.substitute(term, &map)
}

fn decreases(before: TermId, after: TermId, least: TermId, store: &mut Store) -> TermId {
    let enough = store.add(&[after, least]);
    store.ge(before, enough)
}

fn is_not_negative(term: TermId, store: &mut Store) -> TermId {
    let zero = store.number(store.sort(term), &0.into());
    store.ge(term, zero)
}
