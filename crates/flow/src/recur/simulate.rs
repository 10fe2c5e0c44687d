//! Long runs with values: they come back to where they were, or far into the sets that others find.
//!
//! What an edge leaves open is chosen at random among terms that the next guards suggest, and small numbers.

use super::Search;
use super::chain::{Chain, extend};
use super::edges::Edge;
use super::evidence::Candidate;
use super::lasso::{Walk, close, relevant_on};
use super::options::terms_of;
use super::solve::value;
use crate::settings::{RECUR_MAX_RUNS, RECUR_RUN_TRIES};
use alphorn_engine::{Ctx, Rng, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Path, Recurrence};
use alphorn_problem::flow::LocId;
use alphorn_problem::obligation::flow::on_cycles;
use alphorn_term::eval::Program;
use alphorn_term::{Model, Sort, Store, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The largest numbers that runs go on with, in bits.
const MAX_BITS: usize = 256;
/// Ticks of a step.
const STEP: u64 = 10;

/// A run with values.
pub(super) struct Run {
    pub(super) path: Path,
    /// Where it passes: one more than there are steps.
    pub(super) places: Vec<LocId>,
}

/// Runs of at most so many steps from the ends of stems; or the recurrence that one of them is.
pub(super) fn simulate(
    search: &mut Search<'_>,
    steps: usize,
    ctx: &mut Ctx<'_>,
) -> Result<(Vec<Run>, Option<Recurrence>), Stop> {
    let Search { flow, store, edges, stems, .. } = search;
    let graph: Vec<(LocId, LocId)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let all: Vec<usize> = (0..edges.len()).collect();
    let inside = on_cycles(flow.locations.len(), &graph, &all);
    let used = relevant_on(flow, store, edges, &inside);
    let mut made: Vec<Made> = Vec::new();
    for step in 0..edges.len() {
        made.push(Made::new(flow, store, edges, step));
    }
    let mut rng = ctx.rng(0x7265_6375);
    let mut runs = Vec::new();
    let count = stems.all.len();
    for number in 0..count.min(RECUR_MAX_RUNS.size()) {
        // Short stems and long ones.
        let stem = &stems.all[number * count / count.min(RECUR_MAX_RUNS.size())];
        let Some(path) = stem.chain.path(flow, store, edges, stem.start, &stem.model) else {
            continue;
        };
        let mut run = Run { path, places: stem.places.clone() };
        let mut taken: Vec<(usize, Vec<Value>)> = Vec::new();
        let begin = run.path.steps.len();
        let mut seen: BTreeMap<(LocId, Vec<Value>), usize> = BTreeMap::new();
        for further in 0..=steps {
            ctx.tick(STEP)?;
            let at = run.places[run.places.len() - 1];
            let state: Vec<Value> = run.path.last().to_vec();
            let counted = flow.vars.iter().zip(&state).filter(|(var, _)| used.contains(var));
            let key = (at, counted.map(|(_, value)| value.clone()).collect());
            if let Some(before) = seen.insert(key, further) {
                let walk = Walk {
                    steps: taken[before..].to_vec(),
                    states: (before..further).map(|one| state_at(&run.path, begin + one)).collect(),
                };
                let mut path = run.path.clone();
                path.steps.truncate(begin + before);
                if let Some(found) = close(flow, store, edges, Some(walk), path, ctx)? {
                    return Ok((runs, Some(found)));
                }
                break;
            }
            let Some((step, chosen)) = go_on(store, edges, &mut made, at, &state, &mut rng) else {
                break;
            };
            if extend(flow, store, &edges[step], &chosen, &mut run.path).is_none() {
                break;
            }
            run.places.push(edges[step].to);
            taken.push((step, chosen));
        }
        runs.push(run);
    }
    Ok((runs, None))
}

/// The state after so many steps.
pub(super) fn state_at(path: &Path, position: usize) -> Vec<Value> {
    match position.checked_sub(1) {
        None => path.first.values.clone(),
        Some(before) => path.steps[before].values.clone(),
    }
}

/// An edge and values for what it leaves open.
fn go_on(
    store: &Store,
    edges: &[Edge],
    made: &mut [Made],
    at: LocId,
    state: &[Value],
    rng: &mut Rng,
) -> Option<(usize, Vec<Value>)> {
    let is_large = |value: &Value| match value {
        Value::Int(number) => number.bit_len() > MAX_BITS,
        Value::Real(number) => number.bit_len() > MAX_BITS as u64,
        _ => false,
    };
    if state.iter().any(is_large) {
        return None;
    }
    let mut out: Vec<usize> = (0..edges.len()).filter(|&step| edges[step].from == at).collect();
    while !out.is_empty() {
        let step = out.swap_remove(rng.below(out.len() as u64) as usize);
        for _ in 0..RECUR_RUN_TRIES.size() {
            let Some(chosen) = made[step].choose(store, &edges[step], state, rng) else { break };
            if made[step].can_go(store, state, &chosen) {
                return Some((step, chosen));
            }
            if chosen.is_empty() {
                break;
            }
        }
    }
    None
}

/// An edge made ready to be taken often.
struct Made {
    guard: Program,
    vars: Vec<TermId>,
    /// For each open variable the terms that may be chosen, over the variables and open ones before it.
    options: Vec<Vec<TermId>>,
}

impl Made {
    fn new(flow: &Flow, store: &mut Store, edges: &[Edge], step: usize) -> Made {
        let edge = &edges[step];
        let mut options: Vec<Vec<TermId>> = vec![Vec::new(); edge.open.len()];
        if !edge.open.is_empty() {
            let after: Vec<usize> =
                (0..edges.len()).filter(|&next| edges[next].from == edge.to).collect();
            let ways = after.iter().map(|&next| vec![step, next]).chain([vec![step]]);
            for way in ways.collect::<Vec<_>>() {
                let chain = Chain::of(flow, store, edges, &way);
                let found = terms_of(flow, store, edge, &chain.steps[0].1, &chain.conditions);
                for (all, more) in options.iter_mut().zip(found) {
                    all.extend(more);
                    let mut seen = BTreeSet::new();
                    all.retain(|&term| seen.insert(term));
                }
            }
        }
        let guard = store.and(&edge.guard);
        let inputs: Vec<TermId> = flow.vars.iter().chain(&edge.open).copied().collect();
        let guard = Program::new(store, &inputs, &[guard]);
        Made { guard, vars: flow.vars.clone(), options }
    }

    /// Values for what is open.
    fn choose(
        &self,
        store: &Store,
        edge: &Edge,
        state: &[Value],
        rng: &mut Rng,
    ) -> Option<Vec<Value>> {
        let mut chosen = Vec::with_capacity(edge.open.len());
        if edge.open.is_empty() {
            return Some(chosen);
        }
        let mut model = Model::new();
        for (&var, value) in self.vars.iter().zip(state) {
            model.set(var, value.clone());
        }
        for (&var, options) in edge.open.iter().zip(&self.options) {
            let pick = rng.below(options.len() as u64 + 1) as usize;
            let drawn = match options.get(pick) {
                Some(&term) => value(store, term, &model)?,
                None => match store.sort_of(store.sort(var)) {
                    Sort::Int => Value::Int((rng.below(7) as i64 - 3).into()),
                    Sort::Real => Value::Real((rng.below(7) as i64 - 3).into()),
                    Sort::Bool => Value::Bool(rng.below(2) == 0),
                    _ => Value::default_of(store, store.sort(var))?,
                },
            };
            model.set(var, drawn.clone());
            chosen.push(drawn);
        }
        Some(chosen)
    }

    fn can_go(&mut self, store: &Store, state: &[Value], chosen: &[Value]) -> bool {
        let inputs: Vec<Value> = state.iter().chain(chosen).cloned().collect();
        self.guard.run(store, &inputs, &Model::new());
        self.guard.holds(0) == Ok(true)
    }
}

/// The first state of some runs that is in a candidate's sets: the path to it.
pub(super) fn find_in(
    flow: &Flow,
    store: &Store,
    runs: &[Run],
    candidate: &Candidate,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Path>, Stop> {
    let mut sets: Vec<Option<Program>> = Vec::new();
    for &set in &candidate.sets {
        let is_any = set != TermId::FALSE;
        sets.push(is_any.then(|| Program::new(store, &flow.vars, &[set])));
    }
    for run in runs {
        for (position, place) in run.places.iter().enumerate() {
            let Some(program) = &mut sets[place.index()] else { continue };
            ctx.tick(1)?;
            program.run(store, &state_at(&run.path, position), &Model::new());
            if program.holds(0) == Ok(true) {
                let mut path = run.path.clone();
                path.steps.truncate(position);
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}
