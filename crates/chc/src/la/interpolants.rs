//! Interpolants within an engine's budget.
//!
//! The first attempts have few conflicts, and are paid for before the next has more; all queries of an
//! attempt share its fuel, as models of arrays and words may be many. Weak
//! interpolants are asked for: an instance stands for less than its predicate, so what is said of it
//! should be general.

use crate::settings::{LA_FIRST_ATTEMPT, LA_WORK};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::{Cause, Interpolation, InterpolationOptions, Strength};
use alphorn_smt::{Budget, Fuel, Reason};

/// Ticks for a conflict.
const CONFLICT: u64 = 20;

/// Interpolants by `act`, with more and more conflicts until they are enough; nothing if there is
/// no way to interpolants, or if about so many conflicts do not suffice.
pub(crate) fn interpolants(
    ctx: &mut Ctx<'_>,
    conflicts: u64,
    act: impl FnMut(&InterpolationOptions) -> Interpolation,
) -> Result<Option<Vec<alphorn_term::TermId>>, Stop> {
    interpolants_of(ctx, conflicts, Strength::Weak, act)
}

/// `interpolants` of a strength.
pub(crate) fn interpolants_of(
    ctx: &mut Ctx<'_>,
    conflicts: u64,
    strength: Strength,
    mut act: impl FnMut(&InterpolationOptions) -> Interpolation,
) -> Result<Option<Vec<alphorn_term::TermId>>, Stop> {
    let mut limit = LA_FIRST_ATTEMPT.get().min(conflicts);
    loop {
        ctx.tick(10)?;
        let budget = Budget { conflicts: Some(limit), ..Budget::default() };
        let options = InterpolationOptions {
            budget,
            fuel: Some(Fuel::new(limit.saturating_mul(LA_WORK.get()))),
            strength,
            ..InterpolationOptions::default()
        };
        match act(&options) {
            Interpolation::Interpolants(found) => return Ok(Some(found)),
            Interpolation::Unknown(Cause::Search(Reason::Budget)) if limit < conflicts => {}
            Interpolation::Unknown(_) | Interpolation::Satisfiable(_) => return Ok(None),
        }
        ctx.tick(limit.saturating_mul(CONFLICT))?;
        limit = limit.saturating_mul(4).min(conflicts);
    }
}
