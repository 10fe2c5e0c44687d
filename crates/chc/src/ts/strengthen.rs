//! From k-inductive formulas to inductive ones.
//!
//! Let F hold in the first k states of every path that begins initially, and after k states of a path
//! that all have it. That is a proof, but none that can be checked clause by clause. With
//!
//! ```text
//! G(s, t) = F(s) ∧ trans(s, t) ∨ init(t)
//! ```
//!
//! the formulas G(s₀, s₁), …, G(sₖ₋₁, sₖ), ¬F(sₖ) are contradictory: if all pairs are steps, since F is
//! k-inductive, and otherwise since the part after the last initial state is too short. Let J₁, …, Jₖ be
//! an interpolation sequence. Then F ∧ J₁ ∧ … ∧ Jₖ₋₁ is an invariant. It holds initially, because G does
//! whatever its first state is. Steps keep it: F with trans gives J₁, Jᵢ and F with trans give Jᵢ₊₁, and
//! Jₖ implies F. So no quantifier has to be eliminated, and the size is that of one proof.

use super::System;
use super::bmc::too_hard;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Budget;
use alphorn_smt::interpolate::{Interpolation, InterpolationOptions, Strength, sequence};
use alphorn_term::{Store, TermId};

/// Conflicts of the first attempt, and how much longer each of the following is.
const FIRST_CONFLICTS: u64 = 4_000;
const LONGER: u64 = 4;
/// How many attempts there are.
const MOST_ATTEMPTS: u32 = 5;

/// An invariant that implies `formula`, a formula over the state that is inductive with `depth`
/// states and holds in the first `depth` states of all paths.
pub(super) fn strengthen(
    system: &System,
    store: &mut Store,
    formula: TermId,
    depth: usize,
    ctx: &mut Ctx<'_>,
) -> Result<TermId, Stop> {
    if depth <= 1 {
        return Ok(formula);
    }
    let mut states = vec![system.copy_of_state(store, "s")];
    let mut parts = Vec::with_capacity(depth + 1);
    for place in 0..depth {
        states.push(system.copy_of_state(store, "s"));
        let holds = system.at(store, formula, &states[place]);
        let step = system.trans_at(store, &states[place], &states[place + 1]);
        let starts = system.init_at(store, &states[place + 1]);
        let goes = store.and(&[holds, step]);
        parts.push(store.or(&[goes, starts]));
    }
    let last = system.at(store, formula, &states[depth]);
    parts.push(store.not(last));
    let mut invariant = vec![formula];
    let interpolants = interpolants(store, &parts, Strength::Strong, ctx)?;
    for (interpolant, state) in interpolants.iter().zip(&states[1..depth]) {
        invariant.push(store.rename(*interpolant, state, &system.state));
    }
    Ok(store.and(&invariant))
}

/// An interpolation sequence of contradictory formulas, in attempts that take longer and longer.
pub(super) fn interpolants(
    store: &mut Store,
    parts: &[TermId],
    strength: Strength,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let mut conflicts = FIRST_CONFLICTS;
    for attempt in 0..MOST_ATTEMPTS {
        ctx.tick(conflicts)?;
        let budget = Budget { conflicts: Some(conflicts), ..Budget::default() };
        let options = InterpolationOptions {
            strength,
            budget,
            seed: attempt,
            ..InterpolationOptions::default()
        };
        match sequence(store, parts, &options) {
            Interpolation::Interpolants(found) => return Ok(found),
            Interpolation::Satisfiable(_) => {
                return Err(Stop::Stuck("what should be contradictory is not".to_owned()));
            }
            Interpolation::Unknown(_) => conflicts *= LONGER,
        }
    }
    Err(too_hard())
}
