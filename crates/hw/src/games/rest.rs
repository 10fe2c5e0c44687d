//! Latches that a controller can keep at rest: the game is won although they never leave their first values.
//!
//! Specifications count how long something was waited for, up to a bound that is generous, and a region that allows
//! all of it has a case for each count. So the game is first asked with more to lose: high bits of counters that random
//! plays do not see move must stay where they are. Who wins that wins the game, and what loses is small; who does not
//! has lost little time. A counter is known by what its bits read: each reads what the one below reads, and itself.
//!
//! Invariant: unless the game is won, its functions and what loses are as before.

use super::arena::Arena;
use super::symbolic::Play;
use crate::settings::GAMES_REST_TICKS;
use alphorn_engine::{Ctx, Event, Stop};

/// Steps of the random plays.
const STEPS: usize = 64;
/// An attempt has one of so many parts of the ticks that are left.
const SHARE: u64 = 2;
/// The part of the latches, one in so many, that may move after an attempt that failed.
const RELEASED: usize = 4;

/// High bits of counters that random plays do not see move, the highest last.
fn resting(arena: &Arena, ctx: &Ctx<'_>) -> Vec<usize> {
    let mut rng = ctx.rng(0);
    let all = |value: bool| if value { u64::MAX } else { 0 };
    let mut state: Vec<u64> =
        arena.first.iter().map(|first| first.map_or_else(|| rng.next_u64(), all)).collect();
    let mut is_resting: Vec<bool> = arena.first.iter().map(Option::is_some).collect();
    for _ in 0..STEPS {
        let inputs = (0..arena.others + arena.controls).map(|_| rng.next_u64());
        let values: Vec<u64> = state.iter().copied().chain(inputs).collect();
        let simulation = arena.aig.simulate(&values);
        for (latch, next) in arena.next.iter().enumerate() {
            state[latch] = simulation.value(*next);
            is_resting[latch] &= arena.first[latch].map(all) == Some(state[latch]);
        }
    }
    let supports: Vec<Vec<u32>> =
        arena.next.iter().map(|next| arena.aig.support(&[*next])).collect();
    let is_counted =
        |latch: usize| lower(latch, &supports).is_some_and(|bit| lower(bit, &supports).is_some());
    let mut resting: Vec<usize> =
        (0..arena.latches.len()).filter(|latch| is_resting[*latch] && is_counted(*latch)).collect();
    resting.sort_by_key(|latch| supports[*latch].len());
    resting
}

/// A latch that might be the bit below in a counter: the next value of the bit above reads all that its own does, and
/// the bit above.
fn lower(above: usize, supports: &[Vec<u32>]) -> Option<usize> {
    let all = &supports[above];
    (0..supports.len()).find(|below| {
        let reads = &supports[*below];
        let (below, above) = (*below as u32, above as u32);
        reads.len() + 1 == all.len()
            && reads.contains(&below)
            && !reads.contains(&above)
            && all.contains(&above)
            && reads.iter().all(|read| all.contains(read))
    })
}

impl Play {
    /// Whether the game is won with some latches at rest; what loses has all states in which one is
    /// not and the game is not over.
    pub(super) fn is_won_at_rest(
        &mut self,
        arena: &Arena,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut resting = resting(arena, ctx);
        resting.retain(|latch| self.ends.iter().all(|(end, _)| end != latch));
        if self.ends.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            // With both values of a latch the game is over.
            return Ok(false);
        }
        let mut left = GAMES_REST_TICKS.get();
        let mut kept = &resting[..];
        while !kept.is_empty() && left > 0 {
            let begun = ctx.ticks_used();
            let cube: Vec<(usize, bool)> =
                kept.iter().map(|latch| (*latch, arena.first[*latch] == Some(true))).collect();
            let is_won = self.attempt(left / SHARE, ctx, |play, ctx| {
                for pin in 0..play.latches + 2 {
                    let part = play.bdd.pinned(pin);
                    let fixed = play.bdd.whole(ctx, |bdd, ctx| {
                        let cube = bdd.literals(&cube);
                        bdd.hold(cube);
                        bdd.restrict(part, cube, ctx)
                    })?;
                    play.bdd.set_pin(pin, fixed);
                }
                // Where the game is over, anything may move.
                let on: Vec<(usize, bool)> =
                    play.ends.iter().map(|(latch, end)| (*latch, !end)).collect();
                let moved = play.bdd.whole(ctx, |bdd, ctx| {
                    let cube = bdd.literals(&cube);
                    bdd.hold(cube);
                    let on = bdd.literals(&on);
                    bdd.hold(on);
                    bdd.and(!cube, on, ctx)
                })?;
                play.set_lost(moved);
                Ok(!play.grow(arena, ctx, |_, _| {})?)
            })?;
            if is_won {
                let nodes = self.bdd.size(&[self.lost()]);
                let remark = format!("{} latches stay at rest, {nodes} nodes lose", kept.len());
                ctx.emit(Event::Remark(remark));
                return Ok(true);
            }
            let spent = ctx.ticks_used() - begun;
            ctx.emit(Event::Remark(format!("{} do not, after {spent} ticks", kept.len())));
            left = left.saturating_sub(spent);
            kept = &kept[(kept.len() / RELEASED).max(1)..];
        }
        Ok(false)
    }
}
