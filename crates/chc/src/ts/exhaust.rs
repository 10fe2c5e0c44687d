//! Paths that end: an invariant of a system in which no path is longer than so many steps.
//!
//! Let no path of k steps begin initially, and none of fewer end in a bad state. With a flag e that says that
//! the path has ended in a bad state, the formulas
//!
//! ```text
//! init(s₀) ∧ ¬e₀
//! eⱼ ∧ eⱼ₊₁  ∨  ¬eⱼ ∧ bad(sⱼ) ∧ eⱼ₊₁  ∨  ¬eⱼ ∧ trans(sⱼ, sⱼ₊₁) ∧ ¬eⱼ₊₁      for j < k
//! ```
//!
//! are contradictory. Let Jⱼ be the interpolant before the step from sⱼ, with eⱼ false. Then J₀ holds
//! initially, Jⱼ and a step give Jⱼ₊₁, and Jₖ is false. After eⱼ₊₁ all that follows can be satisfied, so the
//! interpolants with the flag on are false, and no Jⱼ allows a bad state. So J₀ ∨ … ∨ Jₖ₋₁ is an invariant.

use super::System;
use super::strengthen::interpolants;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::Strength;
use alphorn_term::{SortId, Store, Substitution, TermId};

/// The invariant of a system without paths of `steps` steps from an initial state, of which no shorter one
/// ends in a bad state.
pub(super) fn exhausted(
    system: &System,
    store: &mut Store,
    steps: usize,
    ctx: &mut Ctx<'_>,
) -> Result<TermId, Stop> {
    let states: Vec<Vec<TermId>> = (0..=steps).map(|_| system.copy_of_state(store, "s")).collect();
    let ended: Vec<TermId> = states.iter().map(|_| store.fresh_var("end", SortId::BOOL)).collect();
    let going: Vec<TermId> = ended.iter().map(|&flag| store.not(flag)).collect();
    let begins = system.init_at(store, &states[0]);
    let mut parts = vec![store.and(&[begins, going[0]])];
    for at in 0..steps {
        let bad = system.bad_at(store, &states[at]);
        let step = system.trans_at(store, &states[at], &states[at + 1]);
        let stays = store.and(&[ended[at], ended[at + 1]]);
        let ends = store.and(&[going[at], bad, ended[at + 1]]);
        let goes = store.and(&[going[at], step, going[at + 1]]);
        parts.push(store.or(&[stays, ends, goes]));
    }
    let Some(found) = interpolants(store, &parts, Strength::Weak, ctx)? else {
        return Err(Stop::Stuck("what should be contradictory is not".to_owned()));
    };
    let mut reached = Vec::with_capacity(steps);
    for (at, &interpolant) in found.iter().take(steps).enumerate() {
        let mut map: Substitution =
            states[at].iter().copied().zip(system.state.iter().copied()).collect();
        map.insert(ended[at], TermId::FALSE);
        reached.push(store.substitute(interpolant, &map));
    }
    Ok(store.or(&reached))
}
