//! Walks with the solver, for transitions of more cases than are listed: they find the cases that runs take.
//!
//! With the values of a state put in, what a transition still says is little. A model of it is a step, and the
//! literals that make it true are an edge, which is added to those known.

use super::chain::extend;
use super::edges::{Edge, cube, solved};
use super::lasso::{Walk, close, relevant_on};
use super::simulate::state_at;
use super::solve::{find_seeded, values};
use crate::settings::{RECUR_WALK_BACK, RECUR_WALK_STEPS, RECUR_WALKS};
use alphorn_engine::{Ctx, Rng, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Initial, Path, Recurrence};
use alphorn_problem::flow::LocId;
use alphorn_term::{Store, Substitution, TermId, Value};

/// Adds the edges of some walks; or the recurrence that one of them is.
pub(super) fn explore(
    flow: &Flow,
    store: &mut Store,
    edges: &mut Vec<Edge>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Recurrence>, Stop> {
    let mut rng = ctx.rng(0x7761_6c6b);
    for number in 0..RECUR_WALKS.size() {
        let Some(position) = number.checked_rem(flow.starts.len()) else { break };
        let start = &flow.starts[position];
        let seed = number as u32;
        let Some(model) = find_seeded(store, &[start.formula], seed, ctx)? else { continue };
        let first = values(store, &flow.vars, &model).zip(values(store, &start.inputs, &model));
        let Some((first, inputs)) = first else { continue };
        let first = Initial { start: position, inputs, values: first };
        let mut path = Path { first, steps: Vec::new() };
        let mut places = vec![start.at];
        let mut taken: Vec<(usize, Vec<Value>)> = Vec::new();
        for _ in 0..RECUR_WALK_STEPS.size() {
            let at = places[places.len() - 1];
            let step = next_step(flow, store, edges, (at, path.last()), &mut rng, ctx)?;
            let Some((step, chosen)) = step else { break };
            if extend(flow, store, &edges[step], &chosen, &mut path).is_none() {
                break;
            }
            places.push(edges[step].to);
            taken.push((step, chosen));
            let end = places.len() - 1;
            let before = (0..end).rev().filter(|&place| places[place] == places[end]);
            for place in before.take(RECUR_WALK_BACK.size()).collect::<Vec<usize>>() {
                let steps: Vec<usize> = taken[place..].iter().map(|one| one.0).collect();
                let used = relevant_on(flow, store, edges, &steps);
                let (then, now) = (state_at(&path, place), path.last());
                let is_same = |at: usize| !used.contains(&flow.vars[at]) || then[at] == now[at];
                if !(0..flow.vars.len()).all(is_same) {
                    continue;
                }
                let states = (place..end).map(|one| state_at(&path, one)).collect();
                let walk = Walk { steps: taken[place..].to_vec(), states };
                let mut short = path.clone();
                short.steps.truncate(place);
                let found = close(flow, store, edges, Some(walk), short, ctx)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
    }
    Ok(None)
}

/// An edge that can be taken from a state, added if it is new, with values for what it leaves open.
fn next_step(
    flow: &Flow,
    store: &mut Store,
    edges: &mut Vec<Edge>,
    (at, state): (LocId, &[Value]),
    rng: &mut Rng,
    ctx: &mut Ctx<'_>,
) -> Result<Option<(usize, Vec<Value>)>, Stop> {
    let mut here = Substitution::default();
    for (&var, value) in flow.vars.iter().zip(state) {
        let Some(value) = store.value_term(value) else { return Ok(None) };
        here.insert(var, value);
    }
    let all = 0..flow.transitions.len();
    let mut out: Vec<usize> = all.filter(|&one| flow.transitions[one].from == at).collect();
    while !out.is_empty() {
        let position = out.swap_remove(rng.below(out.len() as u64) as usize);
        let formula = flow.transitions[position].formula;
        let left = store.substitute(formula, &here);
        let seed = rng.below(1 << 16) as u32;
        let Some(mut model) = find_seeded(store, &[left], seed, ctx)? else { continue };
        for (&var, value) in flow.vars.iter().zip(state) {
            model.set(var, value.clone());
        }
        let unknowns: Vec<TermId> =
            flow.next.iter().chain(&flow.transitions[position].inputs).copied().collect();
        let Some(found) = values(store, &unknowns, &model) else { continue };
        for (&var, value) in unknowns.iter().zip(found) {
            model.set(var, value);
        }
        let Some(cube) = cube(store, formula, &model) else { continue };
        let edge = solved(flow, store, position, cube);
        let Some(chosen) = values(store, &edge.open, &model) else { continue };
        let known = edges.iter().position(|one| one == &edge);
        let step = known.unwrap_or(edges.len());
        if known.is_none() {
            edges.push(edge);
        }
        return Ok(Some((step, chosen)));
    }
    Ok(None)
}
