//! Safety games: who wins them, and a strategy of the winner that anybody can check.
//!
//! Two engines find who wins from where: `region` learns cubes of states that lose with two solvers, and
//! `symbolic` computes layers of them with decision diagrams. What they find becomes a strategy: `extract` learns
//! the functions of a controller, `ranks` and `symbolic` say what the environment plays. `settle` proves what the
//! strategy leaves of the game, an ordinary circuit, and the proof is the evidence.

mod arena;
mod extract;
mod ranks;
mod region;
mod settle;
mod strategy;
mod symbolic;

pub use settle::settle_game;

use crate::bdd::to_edges;
use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::game::ControllerClaim;
use alphorn_problem::{Finding, Game};
use alphorn_sat::aig::{Aig, Edge};
use arena::Arena;
use strategy::Plan;

/// Learns what loses from two solvers.
pub struct Learned {
    /// Whether states that nobody reaches may be taken for lost; if the environment wins then, it is asked
    /// again without.
    pub reachability: bool,
}

impl Engine<Game> for Learned {
    fn run(&mut self, game: &Game, ctx: &mut Ctx<'_>) -> Result<Finding<Game>, Stop> {
        let arena = Arena::new(game);
        let mut found = region::region(&arena, self.reachability, ctx)?;
        if !found.is_won && self.reachability {
            found = region::region(&arena, false, ctx)?;
        }
        if !found.is_won {
            let plan = ranks::plan(&arena, &found.lost, ctx)?;
            return Ok(Finding::Fails(plan.spoiler(game, &arena)));
        }
        let outside = |aig: &mut Aig, latches: &[Edge], cube: &[arena::State]| {
            let lits = cube.iter().map(|(latch, value)| latches[*latch as usize].xor(*value));
            let lits: Vec<Edge> = lits.collect();
            aig.or_n(lits)
        };
        let region = |aig: &mut Aig, latches: &[Edge]| {
            let clauses = found.lost.iter().map(|lost| outside(aig, latches, &lost.cube));
            let clauses: Vec<Edge> = clauses.collect();
            aig.and_n(clauses)
        };
        let functions = extract::extract(&arena, region, ctx)?;
        let circuit = strategy::controller(game, &arena, &functions);
        let clauses = found.lost.iter().map(|lost| {
            let lits = lost.cube.iter().map(|(latch, value)| {
                let place = arena.latches[*latch as usize];
                Lit::new((arena.others + 1 + place) as u32, *value)
            });
            lits.collect()
        });
        let invariant = Invariant::Clauses(clauses.collect());
        Ok(Finding::Holds(ControllerClaim { circuit, invariant }))
    }
}

/// Computes what loses with decision diagrams.
pub struct Symbolic;

impl Engine<Game> for Symbolic {
    fn run(&mut self, game: &Game, ctx: &mut Ctx<'_>) -> Result<Finding<Game>, Stop> {
        let arena = Arena::new(game);
        let found = symbolic::layers(&arena, ctx)?;
        let mut aig = Aig::new();
        for _ in 0..arena.latches.len() {
            aig.add_input();
        }
        if let Some(play) = &found.play {
            let roots = [&found.lost[..], play].concat();
            let mut edges = to_edges(&found.bdd, &roots, &mut aig, |latch| latch as u32);
            let play = edges.split_off(found.lost.len());
            let start = found.start(&arena);
            let plan = Plan { aig, layers: edges, play, start };
            return Ok(Finding::Fails(plan.spoiler(game, &arena)));
        }
        let lost = found.lost[found.lost.len() - 1];
        let holds = !to_edges(&found.bdd, &[lost], &mut aig, |latch| latch as u32)[0];
        let region = |other: &mut Aig, latches: &[Edge]| {
            other.import(&aig, &[holds], |_, index| latches[index as usize])[0]
        };
        let functions = extract::extract(&arena, region, ctx)?;
        let circuit = strategy::controller(game, &arena, &functions);
        let invariant = strategy::region(game, &arena, &aig, holds);
        Ok(Finding::Holds(ControllerClaim { circuit, invariant }))
    }
}
