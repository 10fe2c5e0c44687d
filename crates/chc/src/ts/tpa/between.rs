//! From states that are kept by several steps to an invariant.
//!
//! Let F contain the initial states and be kept by k steps, and let fewer steps not lead from F to bad
//! states. For each m < k the formulas F, m steps and bad states are contradictory, and so are F, k steps and
//! not F. The interpolants of these sequences after j steps, together, are a formula Iⱼ: a step leads from
//! F into I₁, from Iⱼ into Iⱼ₊₁ and from the last one into F, and none of them contains a bad state. So
//! their disjunction with F is an invariant.

use super::reach::Reach;
use crate::settings::{TPA_SEQUENCE_ROUNDS, TPA_SEQUENCE_WORK};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::{InterpolationOptions, sequence};
use alphorn_smt::{Budget, Fuel};
use alphorn_term::TermId;

/// Ticks for one sequence.
const TICKS: u64 = 1_000;

impl Reach<'_> {
    /// An invariant from states that are kept by so many steps, if interpolants are found.
    pub(super) fn between(
        &mut self,
        kept: TermId,
        steps: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        let (system, store) = (self.system, &mut self.store);
        let mut states = vec![system.state.clone()];
        let mut chain = vec![kept];
        for place in 1..=steps {
            let state = system.copy_of_state(store, "b");
            chain.push(system.trans_at(store, &states[place - 1], &state));
            states.push(state);
        }
        let options = InterpolationOptions {
            budget: Budget { ticks: Some(TPA_SEQUENCE_WORK.get()), ..Budget::default() },
            fuel: Some(Fuel::new(2 * TPA_SEQUENCE_WORK.get() * (steps as u64 + 1))),
            rounds: TPA_SEQUENCE_ROUNDS.size(),
            ..InterpolationOptions::default()
        };
        let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); steps];
        for length in 0..=steps {
            ctx.tick(TICKS)?;
            let end = if length == steps {
                let after = system.at(store, kept, &states[length]);
                store.not(after)
            } else {
                system.bad_at(store, &states[length])
            };
            let mut formulas = chain[..=length].to_vec();
            formulas.push(end);
            let Some(found) = sequence(store, &formulas, &options).interpolants() else {
                return Ok(None);
            };
            for place in 1..steps.min(length + 1) {
                parts[place].push(store.rename(found[place], &states[place], &system.state));
            }
        }
        let mut all = vec![kept];
        all.extend(parts[1..].iter().map(|parts| store.and(parts)));
        Ok(Some(store.or(&all)))
    }
}
