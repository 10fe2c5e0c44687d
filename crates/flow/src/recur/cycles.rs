//! The simple cycles of a flow's graph, short ones first.

use super::edges::Edge;
use crate::settings::{RECUR_CYCLE_STEPS, RECUR_MAX_CYCLES};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;

/// Simple cycles of edges, by position; a cycle begins at its least location.
pub(super) fn cycles(
    flow: &Flow,
    edges: &[Edge],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<usize>>, Stop> {
    let count = flow.locations.len();
    let mut out = vec![Vec::new(); count];
    for (position, edge) in edges.iter().enumerate() {
        out[edge.from.index()].push(position);
    }
    let back = distances_back(edges, count);
    let (mut found, mut steps) = (Vec::new(), 0);
    for length in 1..=count {
        for (head, back) in back.iter().enumerate() {
            // Depth first over ways of exactly this length.
            let mut way: Vec<usize> = Vec::new();
            let mut ahead = vec![0];
            let mut visited = vec![false; count];
            while let Some(next) = ahead.last_mut() {
                let at = way.last().map_or(head, |&last| edges[last].to.index());
                let Some(&step) = out[at].get(*next) else {
                    ahead.pop();
                    if let Some(last) = way.pop() {
                        visited[edges[last].to.index()] = false;
                    }
                    continue;
                };
                *next += 1;
                steps += 1;
                if steps >= RECUR_CYCLE_STEPS.get() || found.len() >= RECUR_MAX_CYCLES.size() {
                    return Ok(found);
                }
                let to = edges[step].to.index();
                let left = length - way.len() - 1;
                if left == 0 {
                    if to == head {
                        found.push(way.iter().copied().chain([step]).collect());
                    }
                } else if to > head && !visited[to] && back[to].is_some_and(|d| d <= left) {
                    visited[to] = true;
                    way.push(step);
                    ahead.push(0);
                }
            }
            ctx.tick(1 + steps / 64)?;
        }
    }
    Ok(found)
}

/// For each location, how far others are from coming to it over locations that are not less.
fn distances_back(edges: &[Edge], count: usize) -> Vec<Vec<Option<usize>>> {
    let mut all = Vec::with_capacity(count);
    for head in 0..count {
        let mut distance = vec![None; count];
        distance[head] = Some(0);
        let mut queue = std::collections::VecDeque::from([head]);
        while let Some(to) = queue.pop_front() {
            let further = distance[to].map_or(0, |d: usize| d + 1);
            for edge in edges.iter().filter(|edge| edge.to.index() == to) {
                let from = edge.from.index();
                if from > head && distance[from].is_none() {
                    distance[from] = Some(further);
                    queue.push_back(from);
                }
            }
        }
        all.push(distance);
    }
    all
}
