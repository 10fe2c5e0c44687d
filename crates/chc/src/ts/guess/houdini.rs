//! The largest set of guesses that is inductive.
//!
//! Guesses that an initial state breaks are dropped, then those that a step from states with all
//! remaining ones breaks, until none does (Flanagan and Leino, FME 2001). One solver has the step; a
//! guess is switched on by a literal, and "some guess breaks" is a clause over literals per guess, so that
//! each query is one search and a model drops all guesses that it breaks.

use crate::settings::{GUESS_MAX_CONFLICTS, GUESS_MAX_TICKS};
use crate::ts::System;
use crate::ts::unroll::values;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::{ask, ask_within};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, TermId, eval};

/// The guesses that hold initially and are kept by steps, all together.
pub(in crate::ts) fn inductive(
    system: &System,
    store: &mut Store,
    guesses: Vec<TermId>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let init = Filter::new(store, &guesses, &[system.init], &system.state, &system.state, false);
    let initial = init.run(system, store, guesses, ctx)?;
    let step = Filter::new(store, &initial, &[system.trans], &system.state, &system.next, true);
    step.run(system, store, initial, ctx)
}

/// The `needed` ones of invariants that are inductive together, with those that they need to be so.
pub(in crate::ts) fn supported(
    system: &System,
    store: &mut Store,
    invariants: &[TermId],
    mut needed: Vec<TermId>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    if needed.is_empty() {
        return Ok(needed);
    }
    let mut smt = Smt::new(Options::default());
    smt.assert(store, system.trans);
    let mut open = needed.clone();
    while !open.is_empty() {
        let formula = store.and(&open);
        let after = store.rename(formula, &system.state, &system.next);
        let breaks = store.not(after);
        let mut reason = None;
        for known in [needed.as_slice(), invariants] {
            let mut assumptions = vec![breaks];
            assumptions.extend(known);
            if ask(&mut smt, store, &assumptions, ctx)? == Answer::Unsat {
                reason = Some(smt.failed());
                break;
            }
        }
        let Some(reason) = reason else { return Ok(invariants.to_vec()) };
        open = reason.into_iter().filter(|&term| term != breaks).collect();
        open.retain(|term| !needed.contains(term));
        needed.extend(&open);
    }
    Ok(needed)
}

/// A solver in which guesses break.
struct Filter {
    smt: Smt,
    /// Switches that assume a guess of the state before; empty where there is none.
    assumed: Vec<TermId>,
    /// The guess, of the state after.
    after: Vec<TermId>,
    /// The state after.
    state: Vec<TermId>,
    /// Literals that say that a guess breaks.
    breaks: Vec<TermId>,
}

impl Filter {
    fn new(
        store: &mut Store,
        guesses: &[TermId],
        formulas: &[TermId],
        state: &[TermId],
        next: &[TermId],
        is_step: bool,
    ) -> Filter {
        let mut smt = Smt::new(Options::default());
        for &formula in formulas {
            smt.assert(store, formula);
        }
        let (mut assumed, mut after, mut breaks) = (Vec::new(), Vec::new(), Vec::new());
        for &guess in guesses {
            if is_step {
                let switch = store.fresh_var("on", SortId::BOOL);
                let clause = store.implies(switch, guess);
                smt.assert(store, clause);
                assumed.push(switch);
            }
            let later = if is_step { store.rename(guess, state, next) } else { guess };
            let broken = store.fresh_var("breaks", SortId::BOOL);
            let negation = store.not(later);
            let clause = store.implies(broken, negation);
            smt.assert(store, clause);
            after.push(later);
            breaks.push(broken);
        }
        Filter { smt, assumed, after, state: next.to_vec(), breaks }
    }

    /// Drops guesses until none breaks.
    fn run(
        mut self,
        system: &System,
        store: &mut Store,
        guesses: Vec<TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        debug_assert_eq!(system.state.len(), self.state.len(), "states have one width");
        let mut alive: Vec<usize> = (0..guesses.len()).collect();
        let mut begin = ctx.ticks_used();
        while !alive.is_empty() {
            if ctx.ticks_used() - begin > GUESS_MAX_TICKS.get() {
                alive.truncate(alive.len() / 2);
                begin = ctx.ticks_used();
                continue;
            }
            ctx.tick(1 + alive.len() as u64)?;
            let some = store.fresh_var("some", SortId::BOOL);
            let mut clause = vec![store.not(some)];
            clause.extend(alive.iter().map(|&guess| self.breaks[guess]));
            let clause = store.or(&clause);
            self.smt.assert(store, clause);
            let mut assumptions = vec![some];
            if !self.assumed.is_empty() {
                assumptions.extend(alive.iter().map(|&guess| self.assumed[guess]));
            }
            match ask_within(&mut self.smt, store, &assumptions, GUESS_MAX_CONFLICTS.get(), ctx)? {
                Answer::Unsat => break,
                Answer::Unknown => alive.truncate(alive.len() / 2),
                Answer::Sat => {
                    let broken = self.broken(store, &alive);
                    if broken.is_empty() {
                        alive.clear();
                    }
                    alive.retain(|guess| !broken.contains(guess));
                }
            }
        }
        Ok(alive.into_iter().map(|guess| guesses[guess]).collect())
    }

    /// The guesses that break in the last model.
    fn broken(&self, store: &Store, alive: &[usize]) -> Vec<usize> {
        let found = self.smt.model(store);
        let mut model = Model::new();
        for (&var, value) in self.state.iter().zip(values(store, &self.state, &found)) {
            model.set(var, value);
        }
        let holds = |guess: &&usize| {
            let value = eval(store, self.after[**guess], &model);
            value.is_ok_and(|value| value.as_bool() == Some(true))
        };
        alive.iter().filter(|guess| !holds(guess)).copied().collect()
    }
}
