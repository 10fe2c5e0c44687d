//! How soon states lose that were taken away one cube after the other.
//!
//! A cube was taken away because the environment's inputs lead from it to cubes that were taken away before.
//! Which of them the reason needs is a core: the rank of a cube is one more than the greatest of theirs. In
//! the order of ranks the first cube that has a state says what the environment plays there.
//!
//! Invariant: from a state of a cube of rank r that is in no cube of a lower rank, its inputs lead, whatever the
//! controller does, to an error or to a cube of a lower rank.

use super::arena::{Arena, Step};
use super::region::{Lost, valued};
use super::strategy::Plan;
use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::Lit;
use alphorn_sat::aig::Edge;

/// The plan of the environment, from cubes that lose, the last of which has a first state.
pub(super) fn plan(arena: &Arena, lost: &[Lost], ctx: &mut Ctx<'_>) -> Result<Plan, Stop> {
    let ranks = ranks(arena, lost, ctx)?;
    let mut aig = arena.of_latches();
    let cubes: Vec<Edge> = (lost.iter())
        .map(|lost| {
            let lits = lost.cube.iter().map(|(latch, value)| aig.input(*latch).xor(!*value));
            let lits: Vec<Edge> = lits.collect();
            aig.and_n(lits)
        })
        .collect();
    let last = ranks.iter().copied().max().unwrap_or(0);
    let mut layers = vec![Edge::FALSE];
    for rank in 1..=last {
        let new = (0..lost.len()).filter(|at| ranks[*at] == rank).map(|at| cubes[at]);
        let all: Vec<Edge> = new.chain([layers[rank - 1]]).collect();
        layers.push(aig.or_n(all));
    }
    // The lowest rank decides, so it is put on last.
    let mut order: Vec<usize> = (0..lost.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(ranks[*at]));
    let mut play = vec![Edge::FALSE; arena.others];
    for at in order {
        for (edge, value) in play.iter_mut().zip(&lost[at].inputs) {
            *edge = match value {
                true => aig.or(cubes[at], *edge),
                false => aig.and(!cubes[at], *edge),
            };
        }
    }
    let cube = lost.last().map_or(&[][..], |lost| &lost.cube);
    let mut start: Vec<bool> = arena.first.iter().map(|first| *first == Some(true)).collect();
    cube.iter().for_each(|(latch, value)| start[*latch as usize] = *value);
    Ok(Plan { aig, layers, play, start })
}

/// The rank of each cube, from 1 on.
fn ranks(arena: &Arena, lost: &[Lost], ctx: &mut Ctx<'_>) -> Result<Vec<usize>, Stop> {
    let mut step = Step::new(arena);
    let (bad, holds) = (step.bad, step.holds);
    step.solver.add_clause(&[!holds, !bad]);
    // For each rank a literal that takes its cubes away.
    let mut gone: Vec<Lit> = Vec::new();
    let mut ranks = Vec::with_capacity(lost.len());
    for lost in lost {
        let inside = Step::inside(&lost.cube, &step.latches);
        let fixed = [inside, valued(&step.others, &lost.inputs)].concat();
        let mut most = gone.len();
        loop {
            let all = [&fixed[..], &gone[..most]].concat();
            if ask(&mut step.solver, &all, None, ctx)? {
                if most == gone.len() {
                    return Err(Stop::Stuck("states that lose have a response".into()));
                }
                most += 1;
                break;
            }
            let needed = (0..most).rev().find(|rank| step.solver.is_failed(gone[*rank]));
            match needed {
                None => {
                    most = 0;
                    break;
                }
                Some(0) => {
                    most = 1;
                    break;
                }
                Some(rank) => most = rank,
            }
        }
        let rank = most;
        if rank == gone.len() {
            gone.push(step.solver.new_var().positive());
        }
        let guard = !gone[rank];
        let mut here = Step::outside(&lost.cube, &step.latches);
        here.push(guard);
        let mut there = Step::outside(&lost.cube, &step.next);
        there.extend([guard, !holds]);
        step.solver.add_clause(&here);
        step.solver.add_clause(&there);
        ranks.push(rank + 1);
    }
    Ok(ranks)
}
