//! Invariants that are guessed, and proved all together.
//!
//! - `mine`: guesses from the text of a system and from a path
//! - `houdini`: the guesses that are inductive together
//!
//! What other engines say about the system is a guess like others; what is proved they are told.

pub(super) mod houdini;
mod mine;

use super::System;
use super::bmc::Bounded;
use crate::settings::GUESS_MAX_PUBLISHED;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_term::{Store, TermId};

/// Invariants of a system, which are inductive together; `base` has a path that they are guessed from,
/// `store` extends the system's.
pub(super) fn invariants(
    system: &System,
    store: &mut Store,
    base: &mut Bounded<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let samples = mine::samples(base, ctx)?;
    let mut guesses = system.news(store, ctx);
    guesses.extend(mine::guesses(system, store, &samples));
    let count = guesses.len();
    let found = houdini::inductive(system, store, guesses, ctx)?;
    ctx.emit(Event::Remark(format!("{} of {count} guesses are invariants", found.len())));
    for &invariant in found.iter().take(GUESS_MAX_PUBLISHED.size()) {
        system.publish(store, invariant, ctx);
    }
    Ok(found)
}
