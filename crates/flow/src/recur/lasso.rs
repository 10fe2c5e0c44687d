//! Runs that come back to where they were: in a stem, in a round of a cycle, or in simulation.
//!
//! Only variables count that a guard on the way round depends on, in this round or a later one. The set is the
//! states of the round, and the choices are those that were made.

use super::Search;
use super::chain::{Chain, Move};
use super::edges::Edge;
use super::evidence::Candidate;
use super::solve::{find_model, values};
use crate::settings::RECUR_MAX_BACK;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Path, Recurrence};
use alphorn_term::{Model, Store, TermId, Value};
use std::collections::BTreeSet;

/// A stem whose end can be a state that it passed before.
pub(super) fn in_stems(
    search: &mut Search<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Recurrence>, Stop> {
    let Search { flow, store, edges, stems, .. } = search;
    for stem in &stems.all {
        let (end, last) = (stem.end(), stem.chain.steps.len());
        let before =
            (0..last).rev().filter(|&place| stem.places[place] == end).take(RECUR_MAX_BACK.size());
        for place in before {
            let steps: Vec<usize> = stem.chain.steps[place..].iter().map(|step| step.0).collect();
            let used = relevant_on(flow, store, edges, &steps);
            let mut formulas = stem.chain.conditions.clone();
            for at in positions(flow, &used) {
                let (then, now) = (stem.chain.states[place][at], stem.chain.states[last][at]);
                formulas.push(store.eq(then, now));
            }
            let Some(model) = find_model(store, &formulas, ctx)? else { continue };
            let mut short = stem.chain.clone();
            short.steps.truncate(place);
            let Some(path) = short.path(flow, store, edges, stem.start, &model) else { continue };
            let walk = Walk::of(store, &stem.chain, place, &model);
            if let Some(found) = close(flow, store, edges, walk, path, ctx)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// A round of a simple cycle that ends where it began, in a state that a stem comes to.
pub(super) fn in_cycle(
    search: &mut Search<'_>,
    cycle: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Recurrence>, Stop> {
    let Search { flow, store, edges, stems, .. } = search;
    for turn in 0..cycle.len() {
        let steps: Vec<usize> =
            (0..cycle.len()).map(|at| cycle[(turn + at) % cycle.len()]).collect();
        let used = relevant_on(flow, store, edges, &steps);
        let chain = Chain::of(flow, store, edges, &steps);
        let mut formulas = chain.conditions.clone();
        for at in positions(flow, &used) {
            formulas.push(store.eq(flow.vars[at], chain.last()[at]));
        }
        if turn == 0 && find_model(store, &formulas, ctx)?.is_none() {
            return Ok(None);
        }
        let head = edges[steps[0]].from;
        let reached = stems.reach(flow, store, edges, head, &formulas, ctx)?;
        let Some((path, mut model)) = reached else { continue };
        for (&var, value) in flow.vars.iter().zip(path.last()) {
            model.set(var, value.clone());
        }
        let walk = Walk::of(store, &chain, 0, &model);
        if let Some(found) = close(flow, store, edges, walk, path, ctx)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// A walk with values that ends where it began.
pub(super) struct Walk {
    /// The edges, with the values of what they leave open.
    pub(super) steps: Vec<(usize, Vec<Value>)>,
    /// The states from which they are taken.
    pub(super) states: Vec<Vec<Value>>,
}

impl Walk {
    /// What a model makes of a chain from a place on; none if it has no values.
    fn of(store: &Store, chain: &Chain, place: usize, model: &Model) -> Option<Walk> {
        let (mut steps, mut states) = (Vec::new(), Vec::new());
        for (at, (step, chosen)) in chain.steps.iter().enumerate().skip(place) {
            steps.push((*step, values(store, chosen, model)?));
            states.push(values(store, &chain.states[at], model)?);
        }
        Some(Walk { steps, states })
    }
}

/// The evidence that a closed walk is, at the end of a path.
pub(super) fn close(
    flow: &Flow,
    store: &mut Store,
    edges: &[Edge],
    walk: Option<Walk>,
    path: Path,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Recurrence>, Stop> {
    let Some(candidate) = walk.and_then(|walk| closed(flow, store, edges, &walk)) else {
        return Ok(None);
    };
    candidate.prove(flow, store, path, ctx)
}

/// The states of a closed walk as sets, with what was chosen.
fn closed(flow: &Flow, store: &mut Store, edges: &[Edge], walk: &Walk) -> Option<Candidate> {
    let steps: Vec<usize> = walk.steps.iter().map(|step| step.0).collect();
    let used = relevant_on(flow, store, edges, &steps);
    let mut sets: Vec<Vec<TermId>> = vec![Vec::new(); flow.locations.len()];
    let mut choices = Vec::new();
    for ((step, chosen), state) in walk.steps.iter().zip(&walk.states) {
        let mut here = Vec::new();
        for at in positions(flow, &used) {
            let value = store.value_term(&state[at])?;
            here.push(store.eq(flow.vars[at], value));
        }
        let here = store.and(&here);
        let mut terms = Vec::with_capacity(chosen.len());
        for value in chosen {
            terms.push(store.value_term(value)?);
        }
        let made = Move::of(flow, store, &edges[*step], &terms);
        sets[made.from.index()].push(here);
        choices.push(made.choice(here));
    }
    let sets = sets.iter().map(|set| store.or(set)).collect();
    Some(Candidate { sets, choices })
}

/// The variables that guards of edges depend on if these edges are taken again and again.
pub(super) fn relevant_on(
    flow: &Flow,
    store: &Store,
    edges: &[Edge],
    steps: &[usize],
) -> BTreeSet<TermId> {
    let vars: BTreeSet<TermId> = flow.vars.iter().copied().collect();
    let mut used: BTreeSet<TermId> = BTreeSet::new();
    for &step in steps {
        used.extend(store.free_vars(&edges[step].guard).iter().filter(|var| vars.contains(var)));
    }
    loop {
        let before = used.len();
        let mut terms = Vec::new();
        for &step in steps {
            terms.extend(positions(flow, &used).map(|at| edges[step].next[at]));
        }
        used.extend(store.free_vars(&terms).iter().filter(|var| vars.contains(var)));
        if used.len() == before {
            return used;
        }
    }
}

/// The positions of some variables.
fn positions<'a>(flow: &'a Flow, used: &'a BTreeSet<TermId>) -> impl Iterator<Item = usize> + 'a {
    (0..flow.vars.len()).filter(|&at| used.contains(&flow.vars[at]))
}
