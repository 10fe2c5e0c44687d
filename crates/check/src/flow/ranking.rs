//! Ranks by which every run of a flow ends.

use super::form::{Terms, check_copies, check_flow};
use super::{may_move, settle};
use crate::{Refusal, work};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Disjunctive, Level, Measure, Ranking, Termination};
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::{
    LevelGoal, RankingGoal, ranking_assertions, ranking_goals,
};
use alphorn_term::{Meter, SortId, Store, TermId};
use std::borrow::Cow;

/// Accepts ranks if by them every run of the flow ends.
pub fn check_termination(flow: &Flow, evidence: &Termination) -> Result<(), Refusal> {
    let Termination { ranking, proofs } = evidence;
    let meter = work::of_flow(flow, &ranking.terms, proofs, 0);
    check_flow(flow, &ranking.terms, &meter)?;
    check_form(flow, ranking, &meter).map_err(|reason| Refusal::new("the ranks", reason))?;
    let goals = ranking_goals(flow, ranking).map_err(|reason| Refusal::new("the ranks", reason))?;
    if goals.len() != proofs.len() {
        let reason = format!("there are {} proofs for {} obligations", proofs.len(), goals.len());
        return Err(Refusal::new("the ranks", reason));
    }
    let mut store = Cow::Borrowed(&ranking.terms);
    for (goal, proof) in goals.into_iter().zip(proofs) {
        let place = describe(flow, goal);
        check_sizes(flow, ranking, goal, &store, &meter)
            .map_err(|reason| Refusal::new(place.as_str(), reason))?;
        settle(&mut store, &place, proof, &meter, |store| {
            ranking_assertions(flow, ranking, goal, store)
        })?;
    }
    Ok(())
}

/// What a goal is called in a refusal.
fn describe(flow: &Flow, goal: RankingGoal) -> String {
    let name = |transition| flow.transition_name(transition);
    match goal {
        RankingGoal::Start(start) => format!("the invariant at start {start}"),
        RankingGoal::Step(step) => format!("the invariants at {}", name(step)),
        RankingGoal::Level(LevelGoal::Kept(level, step)) => {
            format!("level {level} at {}", name(step))
        }
        RankingGoal::Level(LevelGoal::Removed(level, step)) => {
            format!("level {level} at the removed {}", name(step))
        }
        RankingGoal::First(cut, step) => format!("cut point {cut}, first {}", name(step)),
        RankingGoal::Further(cut, step) => format!("cut point {cut}, further {}", name(step)),
        RankingGoal::Covered(cut) => format!("cut point {cut}, back again"),
    }
}

fn check_form(flow: &Flow, ranking: &Ranking, meter: &Meter) -> Result<(), String> {
    let terms = Terms::over(&ranking.terms, flow.vars.iter().copied(), meter);
    terms.check_formulas(flow, &ranking.invariants)?;
    match &ranking.measure {
        Measure::Levels(levels) => {
            levels.iter().try_for_each(|level| check_level(flow.locations.len(), level, &terms))
        }
        Measure::Disjunctive(union) => check_union(flow, ranking, union, &terms, meter),
    }
}

/// Whether a level has a number for each of so many locations and a positive least decrease.
pub(super) fn check_level(
    locations: usize,
    level: &Level,
    terms: &Terms<'_>,
) -> Result<(), String> {
    let sort = terms.check_least(level.least)?;
    if level.functions.is_empty() {
        return Err("a level has no function".to_owned());
    }
    for function in &level.functions {
        if function.len() != locations {
            return Err("a function has not one number for each location".to_owned());
        }
        function.iter().try_for_each(|&number| terms.check(number, sort))?;
    }
    match level.removed.is_sorted_by(|one, other| one < other) {
        true => Ok(()),
        false => Err("the removed transitions are not in order".to_owned()),
    }
}

fn check_union(
    flow: &Flow,
    ranking: &Ranking,
    union: &Disjunctive,
    terms: &Terms<'_>,
    meter: &Meter,
) -> Result<(), String> {
    check_copies(flow, &ranking.terms, &union.saved)?;
    let is_there = |cut: &LocId| cut.index() < flow.locations.len();
    if !union.cuts.iter().all(is_there) || !union.cuts.is_sorted_by(|one, other| one < other) {
        return Err("the cut points are not locations in order".to_owned());
    }
    if union.relations.len() != union.cuts.len() {
        return Err("there is not one relation for each cut point".to_owned());
    }
    let both = flow.vars.iter().chain(&union.saved).copied();
    let both = Terms::over(&ranking.terms, both, meter);
    union.relations.iter().try_for_each(|relation| both.check_formulas(flow, relation))?;
    if union.functions.len() != union.least.len() {
        return Err("there is not one least decrease for each function".to_owned());
    }
    union.functions.iter().zip(&union.least).try_for_each(|(&function, &least)| {
        let sort: SortId = terms.check_least(least)?;
        terms.check(function, sort)
    })
}

/// Counts the work of making a goal's terms, before they are made.
fn check_sizes(
    flow: &Flow,
    ranking: &Ranking,
    goal: RankingGoal,
    store: &Store,
    meter: &Meter,
) -> Result<(), String> {
    let (mut roots, mut to): (Vec<TermId>, &[TermId]) = (Vec::new(), &flow.next);
    match (goal, &ranking.measure) {
        (RankingGoal::Step(step), _) => {
            roots.push(ranking.invariants[flow.transitions[step].to.index()]);
        }
        (RankingGoal::Level(goal), Measure::Levels(levels)) => {
            let (LevelGoal::Kept(level, step) | LevelGoal::Removed(level, step)) = goal;
            let at = flow.transitions[step].to.index();
            roots.extend(levels[level].functions.iter().map(|function| function[at]));
        }
        (
            RankingGoal::First(cut, step) | RankingGoal::Further(cut, step),
            Measure::Disjunctive(union),
        ) => {
            roots.push(union.relations[cut][flow.transitions[step].to.index()]);
        }
        (RankingGoal::Covered(cut), Measure::Disjunctive(union)) => {
            roots.extend(&union.functions);
            roots.push(ranking.invariants[union.cuts[cut].index()]);
            to = &union.saved;
        }
        _ => {}
    }
    may_move(store, &roots, &flow.vars, to, meter)
}
