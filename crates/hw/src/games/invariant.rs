//! Why a controller wins: an invariant of the controlled circuit that says that what loses is avoided.
//!
//! What loses is a diagram. As clauses it is proved one after the other, each with most latches fixed, and what is not
//! needed is dropped; as a graph of choices it is proved all at once. So it becomes clauses, the negations of the
//! products of an irredundant sum, unless there are too many.

use super::arena::{Arena, State};
use super::respond::briefly;
use super::strategy;
use super::symbolic::{Play, to_edge};
use crate::bdd::Diagram;
use crate::settings::{GAMES_REGION_CLAUSES, GAMES_REGION_TICKS};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::Game;
use alphorn_problem::evidence::circuit::Invariant;

impl Play {
    /// That what loses is avoided.
    pub(super) fn region(
        &mut self,
        game: &Game,
        arena: &Arena,
        as_clauses: bool,
        ctx: &mut Ctx<'_>,
    ) -> Result<Invariant, Stop> {
        let lost = self.lost();
        let products = if as_clauses { self.products(ctx)? } else { None };
        if let Some(cubes) = products {
            ctx.emit(Event::Remark(format!("a region of {} clauses", cubes.len())));
            return Ok(strategy::outside(arena, cubes.iter().map(Vec::as_slice)));
        }
        let mut aig = arena.of_latches();
        let holds = !to_edge(&Diagram::alone(&self.bdd, lost, ctx)?, &mut aig);
        Ok(strategy::region(game, arena, &aig, holds))
    }

    /// The products of an irredundant sum for what loses; none if they are many.
    fn products(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Vec<Vec<State>>>, Stop> {
        let (lost, most) = (self.lost(), GAMES_REGION_CLAUSES.size());
        let (bdd, ticks) = (&mut self.bdd, GAMES_REGION_TICKS.get());
        let cover = briefly(ticks, ctx, |ctx| bdd.cover(lost, lost, most, ctx))?;
        let products = cover.and_then(|(cover, at)| cover.products(at, most));
        let state = |(latch, value): (usize, bool)| (latch as u32, value);
        let cube = |product: Vec<(usize, bool)>| product.into_iter().map(state).collect();
        Ok(products.map(|products| products.into_iter().map(cube).collect()))
    }
}
