//! Controllable inputs that need no function: the game is won with a constant in their place.
//!
//! A winning region for all responses is larger than a controller needs, and so are functions that keep to all of it.
//! So inputs are given constant values, one after the other, and what loses grows until it is closed again; the
//! value stays if no first state loses. Each makes the game smaller, for those that come after it as well.
//!
//! Invariant: outside of what loses every input of the environment has a good response with the values that stay.

use super::arena::Arena;
use super::symbolic::Play;
use crate::settings::GAMES_FREEZE_TICKS;
use alphorn_engine::{Ctx, Limit, Stop};

/// An attempt has one of so many parts of the ticks that are left.
const SHARE: u64 = 6;

impl Play {
    /// Gives controllable inputs constant values, one after the other, where the game is won nevertheless; what loses
    /// grows by that. Inputs for which this takes too long are left as they are.
    pub(super) fn freeze(
        &mut self,
        arena: &Arena,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Option<bool>>, Stop> {
        let mut frozen = vec![None; arena.controls];
        let mut left = GAMES_FREEZE_TICKS.get();
        for (at, constant) in frozen.iter_mut().enumerate() {
            for value in [false, true] {
                let begun = ctx.ticks_used();
                let is_won = self.frozen(at, value, left / SHARE, arena, ctx)?;
                left = left.saturating_sub(ctx.ticks_used() - begun);
                if is_won {
                    *constant = Some(value);
                    break;
                }
            }
        }
        Ok(frozen)
    }

    /// Whether the game is won with a value of a controllable input; it is as before if not.
    fn frozen(
        &mut self,
        at: usize,
        value: bool,
        ticks: u64,
        arena: &Arena,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let input = arena.control(at) as usize;
        self.attempt(ticks, ctx, |play, ctx| {
            for pin in 0..play.latches + 2 {
                let part = play.bdd.pinned(pin);
                let fixed =
                    play.bdd.whole(ctx, |bdd, ctx| bdd.with_value(part, input, value, ctx))?;
                play.bdd.set_pin(pin, fixed);
            }
            Ok(!play.grow(arena, ctx, |_, _| {})?)
        })
    }

    /// Whether another game is won that `work` makes of this one, within so many ticks; it is as before if not.
    pub(super) fn attempt(
        &mut self,
        ticks: u64,
        ctx: &mut Ctx<'_>,
        work: impl FnOnce(&mut Play, &mut Ctx<'_>) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let base = self.bdd.pins();
        for pin in 0..self.latches + 3 {
            let part = self.bdd.pinned(pin);
            self.bdd.pin(part);
        }
        let is_won = match ctx.within(ticks, |ctx| work(self, ctx)) {
            Err(Stop::Budget(Limit::Ticks)) => {
                // Unless nothing is left at all, it was only too long.
                ctx.tick(1)?;
                false
            }
            tried => tried?,
        };
        if !is_won {
            for pin in 0..self.latches + 3 {
                let part = self.bdd.pinned(base + pin);
                self.bdd.set_pin(pin, part);
            }
        }
        self.bdd.unpin(base);
        Ok(is_won)
    }
}
