//! Safety games: who wins them, and a strategy of the winner that anybody can check.
//!
//! Three engines find who wins from where: `region` learns cubes of states that lose with two solvers, `incremental`
//! does so among states that frames do not exclude, and `symbolic` computes layers of them with decision diagrams. What they find becomes a strategy: `extract` learns
//! the functions of a controller, `ranks` and `chase` say what the environment plays. `settle` proves what the
//! strategy leaves of the game, an ordinary circuit, and the proof is the evidence.

mod again;
mod arena;
mod chase;
mod extract;
mod freeze;
mod incremental;
mod invariant;
mod leave;
mod opposing;
mod order;
mod played;
mod promises;
mod pursuit;
mod ranks;
mod region;
mod respond;
mod rest;
mod settle;
mod stay;
mod strategy;
mod symbolic;
mod widen;

pub use settle::settle_game;

use crate::settings::GAMES_PURSUIT_TICKS;
use alphorn_engine::{Ctx, Engine, Limit, Stop};
use alphorn_problem::evidence::game::ControllerClaim;
use alphorn_problem::{Finding, Game};
use alphorn_sat::aig::{Aig, Edge};
use arena::Arena;

/// Which states are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// All of them.
    All,
    /// States that nobody enters may be taken for lost; if the environment wins then, it is asked again without.
    Entered,
    /// Those that frames of IC3 do not exclude.
    Frames,
}

/// Learns what loses from two solvers.
pub struct Learned {
    /// Among which states.
    pub among: Among,
}

impl Engine<Game> for Learned {
    fn run(&mut self, game: &Game, ctx: &mut Ctx<'_>) -> Result<Finding<Game>, Stop> {
        let arena = Arena::new(game);
        let mut found = match self.among {
            Among::Frames => incremental::region(&arena, ctx)?,
            among => region::region(&arena, among == Among::Entered, ctx)?,
        };
        if !found.is_won && self.among == Among::Entered {
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
            let clauses = found.cubes().map(|cube| outside(aig, latches, cube));
            let clauses: Vec<Edge> = clauses.collect();
            aig.and_n(clauses)
        };
        let functions = extract::extract(&arena, region, ctx)?;
        let circuit = strategy::controller(game, &arena, &functions);
        let invariant = strategy::outside(&arena, found.cubes());
        Ok(Finding::Holds(ControllerClaim { circuit, invariant }))
    }
}

/// Computes what loses with decision diagrams.
pub struct Symbolic {
    /// Whether a region with few clauses is given by them.
    pub as_clauses: bool,
}

impl Engine<Game> for Symbolic {
    fn run(&mut self, game: &Game, ctx: &mut Ctx<'_>) -> Result<Finding<Game>, Stop> {
        let arena = Arena::new(game);
        let (mut play, is_lost) = symbolic::layers(&arena, ctx)?;
        ctx.emit(play.remark());
        if !is_lost {
            let frozen = play.freeze(&arena, ctx)?;
            let lost = play.lost();
            let invariant = play.region(game, &arena, self.as_clauses, ctx)?;
            let functions = respond::respond(&mut play, &arena, lost, &frozen, ctx)?;
            let circuit = strategy::controller(game, &arena, &functions);
            return Ok(Finding::Holds(ControllerClaim { circuit, invariant }));
        }
        let start = play.start(&arena);
        let pursued = ctx.within(GAMES_PURSUIT_TICKS.get(), |ctx| {
            pursuit::pursue(&arena, start.clone(), |state, ctx| play.played(state, ctx), ctx)
        });
        match pursued {
            Err(Stop::Budget(Limit::Ticks)) => {
                // Unless nothing is left at all, the way was only too long.
                ctx.tick(1)?;
                let moves = play.chase(&arena, &start, ctx)?;
                Ok(Finding::Fails(strategy::timed(game, &arena, &moves, &start)))
            }
            pursued => {
                let plan = ranks::plan(&arena, &pursued?, ctx)?;
                Ok(Finding::Fails(plan.spoiler(game, &arena)))
            }
        }
    }
}
