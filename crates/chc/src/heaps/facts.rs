//! Guesses that facts contradict: they go before any question is asked.
//!
//! Of thousands of guesses some hundreds hold of the first few heaps that a program builds. Such heaps are derived
//! with values (`forward`), and a guess that is false of one of them, at any of the indices that are tried, is none. What is left is
//! a matter for the solver, which would find the same by as many models, with all of the guesses on its mind.

use crate::forward::{VARIED, some_facts};
use crate::settings::{HEAPS_FACT_TICKS, HEAPS_MAX_FACTS, HEAPS_MAX_INDEX};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_term::eval::Program;
use alphorn_term::{Int, Model, Store, TermId, Value};
use std::sync::Arc;

/// How often facts are derived.
const ROUNDS: u32 = 2;
/// Evaluations of a guess per tick.
const PER_TICK: usize = 16;

/// Some facts of each predicate.
pub(super) struct Facts {
    of: Vec<Vec<Arc<[Value]>>>,
}

impl Facts {
    /// Facts that clauses derive; none where clauses cannot be evaluated.
    pub(super) fn of(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Facts, Stop> {
        let found =
            ctx.apart(|ctx| some_facts(horn, VARIED..VARIED + ROUNDS, HEAPS_FACT_TICKS.get(), ctx));
        let found = match found {
            Ok(found) => found,
            Err(Stop::Unsupported(_) | Stop::Stuck(_)) => Vec::new(),
            Err(stop) => return Err(stop),
        };
        let mut of = Vec::with_capacity(found.len());
        for facts in found {
            // They are in the order of their values: some from everywhere are of all kinds.
            let step = facts.len().div_ceil(HEAPS_MAX_FACTS.size()).max(1);
            of.push(facts.into_iter().step_by(step).collect());
        }
        Ok(Facts { of })
    }

    /// The guesses about a predicate that no fact contradicts; the last parameter is an index that stands for all.
    pub(super) fn kept(
        &self,
        store: &Store,
        pred: usize,
        params: &[TermId],
        mut guesses: Vec<TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let model = Model::new();
        for fact in self.of.get(pred).into_iter().flatten() {
            let mut program = Program::new(store, params, &guesses);
            let mut is_kept = vec![true; guesses.len()];
            for index in 0..=HEAPS_MAX_INDEX.get() {
                ctx.tick(1 + (guesses.len() / PER_TICK) as u64)?;
                let mut values = fact.to_vec();
                // The first index is one that no array has.
                values.push(Value::Int(Int::from(index as i64 - 1)));
                program.run(store, &values, &model);
                for (at, is_kept) in is_kept.iter_mut().enumerate() {
                    *is_kept &= program.holds(at) != Ok(false);
                }
            }
            let mut is_kept = is_kept.into_iter();
            guesses.retain(|_| is_kept.next() == Some(true));
        }
        Ok(guesses)
    }
}
