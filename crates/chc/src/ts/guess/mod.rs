//! Invariants that are guessed, and proved all together.
//!
//! - `mine`: guesses from the text of a system and from a path
//! - `houdini`: the guesses that are inductive together

pub(super) mod houdini;
mod mine;

use super::System;
use super::bmc::Bounded;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_term::{Store, TermId};

/// Invariants of a system, none of which says more than others know how to prove; `base` has a path
/// that they are guessed from, `store` extends the system's.
pub(super) fn invariants(
    system: &System,
    store: &mut Store,
    base: &mut Bounded<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let samples = mine::samples(base, ctx)?;
    let guesses = mine::guesses(system, store, &samples);
    let count = guesses.len();
    let found = houdini::inductive(system, store, guesses, ctx)?;
    ctx.emit(Event::Remark(format!("{} of {count} guesses are invariants", found.len())));
    Ok(found)
}
