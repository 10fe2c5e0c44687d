//! The engine `rank`: levels of affine and nested ranks, one component after the other.
//!
//! Each component of the graph gets a level that removes some of its transitions (`level`), and what is left
//! is ranked in turn, until there are no cycles. Invariants come first from abstract interpretation of the
//! flow as Horn clauses (`seed`).
//!
//! When there is no level, functions by cases are tried (`cases`), and invariants are asked for that would
//! help: by which parts of guards are never true (`doubt`), or functions decrease and are bounded (`wish`).
//! The engine `rank-union` is beside it, because it ranks lassos by the same means (`union`).
//!
//! - `lp`: linear programs
//! - `steps`: what is known of the transitions; `level`: the search for one level
//! - `seed`: invariants to begin with; `lemmas`: those that others tell
//! - `ask`: questions to engines for Horn systems

mod cases;
mod doubt;
mod lemmas;
mod level;
mod lp;
mod seed;
mod steps;
pub mod union;
mod wish;

use crate::settings::{RANK_MAX_DEPTH, RANK_WISH_TICKS};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::flow::{Level, Measure, Ranking};
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::on_cycles;
use alphorn_problem::{Finding, Flow};
use alphorn_term::{Int, SortId, Store};
use std::collections::{BTreeMap, VecDeque};
use steps::Steps;
use wish::Samples;

/// The engine's card.
pub const CARD: Card<Flow> = Card {
    name: "rank",
    about: "affine and nested ranks, level by level, by linear programming (Bradley05, Leike14)",
    proves: true,
    refutes: false,
    build: || Box::new(Rank),
};

struct Rank;

impl Engine<Flow> for Rank {
    fn run(&mut self, flow: &Flow, ctx: &mut Ctx<'_>) -> Result<Finding<Flow>, Stop> {
        ranked(flow, on_cycles, ctx).map(Finding::Holds)
    }
}

/// What is said with the invariants there are.
fn ranking(mut steps: Steps<'_>, measure: Measure) -> Ranking {
    let invariants = steps.invariant_formulas();
    Ranking { terms: steps.store, invariants, measure }
}

/// Which of some edges of a graph still matter.
pub(crate) type Still = fn(usize, &[(LocId, LocId)], &[usize]) -> Vec<usize>;

/// Ranks of a flow, where only transitions that `still` leaves can be taken for ever.
pub(crate) fn ranked(flow: &Flow, still: Still, ctx: &mut Ctx<'_>) -> Result<Ranking, Stop> {
    let mut steps = Steps::new(flow);
    seed::add(&mut steps, ctx)?;
    let all: Vec<usize> = (0..flow.transitions.len()).collect();
    let levels = levels(&mut steps, &all, still, ctx)?;
    Ok(ranking(steps, Measure::Levels(levels)))
}

/// Levels after which no cycle of these transitions is left.
fn levels(
    steps: &mut Steps<'_>,
    present: &[usize],
    still: Still,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Level>, Stop> {
    let graph: Vec<(LocId, LocId)> =
        steps.flow.transitions.iter().map(|t| (t.from, t.to)).collect();
    let present = still(steps.flow.locations.len(), &graph, present);
    let mut ways = Vec::new();
    for component in components(steps.flow, &present) {
        let most = RANK_MAX_DEPTH.get() as usize;
        let level = one_level(steps, &component, most, ctx)?;
        let left: Vec<usize> =
            component.iter().copied().filter(|edge| !level.removed.contains(edge)).collect();
        let mut way = VecDeque::from([level]);
        way.extend(levels(steps, &left, still, ctx)?);
        ways.push(way);
    }
    Ok(side_by_side(&mut steps.store, ways))
}

/// A level that removes transitions of a component, by the first template that has one.
fn one_level(
    steps: &mut Steps<'_>,
    edges: &[usize],
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Level, Stop> {
    let mut samples = Samples::new();
    loop {
        for depth in 1..=most {
            if let Some(level) = level::find(steps, edges, depth, ctx)? {
                return Ok(level);
            }
        }
        if let Some(level) = cases::find(steps, edges, 1, ctx)? {
            return Ok(level);
        }
        let is_told = lemmas::take(steps, ctx)?;
        if is_told {
            continue;
        }
        let most = RANK_WISH_TICKS.get();
        let ask = |ctx: &mut Ctx<'_>| {
            let is_settled = doubt::settle(steps, edges, ctx)?;
            Ok::<bool, Stop>(is_settled || wish::fulfil(steps, edges, &mut samples, ctx)?)
        };
        match ctx.within(most, ask) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                // The share may be spent, or the whole.
                ctx.tick(1)?;
                break;
            }
        }
    }
    if let Some(level) = cases::find(steps, edges, 2, ctx)? {
        return Ok(level);
    }
    let names: Vec<String> = edges.iter().map(|&edge| steps.flow.transition_name(edge)).collect();
    let text = format!("no rank was found for {}", names.join(", "));
    ctx.emit(Event::Remark(text.clone()));
    Err(Stop::Stuck(text))
}

/// The components of some transitions that have cycles, each with its transitions.
fn components(flow: &Flow, present: &[usize]) -> Vec<Vec<usize>> {
    let graph: Vec<(LocId, LocId)> = flow.transitions.iter().map(|t| (t.from, t.to)).collect();
    let inside = on_cycles(flow.locations.len(), &graph, present);
    // Two of them are in one component if they are joined by locations, since those outside are gone.
    let mut root: Vec<usize> = (0..flow.locations.len()).collect();
    fn find(root: &mut [usize], mut at: usize) -> usize {
        while root[at] != at {
            root[at] = root[root[at]];
            at = root[at];
        }
        at
    }
    for &edge in &inside {
        let (from, to) = graph[edge];
        let (left, right) = (find(&mut root, from.index()), find(&mut root, to.index()));
        root[left.max(right)] = left.min(right);
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in inside {
        let at = find(&mut root, graph[edge].0.index());
        parts.entry(at).or_default().push(edge);
    }
    parts.into_values().collect()
}

/// Levels of different components at once, where they have the same form.
fn side_by_side(store: &mut Store, mut ways: Vec<VecDeque<Level>>) -> Vec<Level> {
    let zeros = [SortId::INT, SortId::REAL].map(|sort| store.number(sort, &Int::ZERO));
    let mut result: Vec<Level> = Vec::new();
    while ways.iter().any(|way| !way.is_empty()) {
        let begin = result.len();
        for next in ways.iter_mut().filter_map(VecDeque::pop_front) {
            let has_form = |level: &&mut Level| {
                level.least == next.least && level.functions.len() == next.functions.len()
            };
            let Some(level) = result[begin..].iter_mut().find(has_form) else {
                result.push(next);
                continue;
            };
            for (function, other) in level.functions.iter_mut().zip(next.functions) {
                for (term, other) in function.iter_mut().zip(other) {
                    if !zeros.contains(&other) {
                        *term = other;
                    }
                }
            }
            level.removed.extend(next.removed);
            level.removed.sort_unstable();
        }
    }
    result
}
