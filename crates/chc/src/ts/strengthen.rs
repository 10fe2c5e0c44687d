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
//!
//! Known invariants may be added to each of the formulas. Conjuncts that the contradiction does not need are
//! left out before, which makes the rest hold of more states and is no harm. Of the invariants those stay
//! that were needed, and those that they need in turn to be inductive.

use super::System;
use super::bmc::too_hard;
use super::guess::houdini::supported;
use super::unroll::conjuncts;
use crate::settings::{
    STRENGTHEN_CORE_ROUNDS, STRENGTHEN_FIRST_CONFLICTS, STRENGTHEN_LONGER, STRENGTHEN_MAX_ATTEMPTS,
    STRENGTHEN_MAX_SIMPLIFIED, STRENGTHEN_WORK,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::interpolate::{Interpolation, InterpolationOptions, Strength, sequence};
use alphorn_smt::{Answer, Budget, Fuel, Options, Smt};
use alphorn_term::{SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// An invariant that implies the conjunction of `formulas` over the state, which is inductive with
/// `depth` states, where these have the invariants, and holds in the first `depth` states of all paths.
pub(super) fn strengthen(
    system: &System,
    store: &mut Store,
    formulas: &[TermId],
    invariants: &[TermId],
    depth: usize,
    ctx: &mut Ctx<'_>,
) -> Result<TermId, Stop> {
    let mut chain = Chain::new(system, store, depth.max(1));
    let fails = chain.fill(system, store, formulas, invariants);
    for _ in 0..STRENGTHEN_CORE_ROUNDS.size() {
        chain.keep_needed(store, fails, ctx)?;
    }
    let needed = chain.needed_of(invariants);
    let mut invariant = supported(system, store, invariants, needed, ctx)?;
    invariant.extend(formulas);
    if depth > 1 {
        let parts = chain.parts(store, fails);
        let Some(found) = interpolants(store, &parts, Strength::Strong, ctx)? else {
            return Err(Stop::Stuck("what should be contradictory is not".to_owned()));
        };
        for (interpolant, state) in found.iter().zip(&chain.states[1..depth]) {
            invariant.push(store.rename(*interpolant, state, &system.state));
        }
    }
    Ok(store.and(&invariant))
}

/// A conjunct of one of the contradictory formulas.
struct Conjunct {
    /// The formula's position.
    place: usize,
    /// Whether it is about a step, and not about initial states.
    is_step: bool,
    formula: TermId,
    /// The formula over the state that it was made from, if there is one.
    origin: Option<TermId>,
}

/// The contradictory formulas but the last, as conjuncts.
struct Chain {
    states: Vec<Vec<TermId>>,
    conjuncts: Vec<Conjunct>,
}

impl Chain {
    fn new(system: &System, store: &mut Store, depth: usize) -> Chain {
        let states = (0..=depth).map(|_| system.copy_of_state(store, "s")).collect();
        Chain { states, conjuncts: Vec::new() }
    }

    /// Adds all conjuncts; what is left is the negation of `formulas` at the end.
    fn fill(
        &mut self,
        system: &System,
        store: &mut Store,
        formulas: &[TermId],
        invariants: &[TermId],
    ) -> TermId {
        let depth = self.states.len() - 1;
        for place in 0..depth {
            let (from, to) = (&self.states[place], &self.states[place + 1]);
            let mut add = |is_step, formula, origin| {
                self.conjuncts.push(Conjunct { place, is_step, formula, origin });
            };
            let step = system.trans_at(store, from, to);
            for conjunct in conjuncts(store, step) {
                add(true, conjunct, None);
            }
            for &known in formulas.iter().chain(invariants) {
                let here = system.at(store, known, from);
                add(true, here, Some(known));
            }
            let starts = system.init_at(store, to);
            for conjunct in conjuncts(store, starts) {
                add(false, conjunct, None);
            }
        }
        for &known in invariants {
            let formula = system.at(store, known, &self.states[depth]);
            let (place, origin) = (depth, Some(known));
            self.conjuncts.push(Conjunct { place, is_step: true, formula, origin });
        }
        let whole = store.and(formulas);
        let end = system.at(store, whole, &self.states[depth]);
        store.not(end)
    }

    /// Keeps the conjuncts that make the formulas contradictory.
    fn keep_needed(
        &mut self,
        store: &mut Store,
        fails: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let mut smt = Smt::new(Options::default());
        smt.assert(store, fails);
        let depth = self.states.len() - 1;
        let goes: Vec<TermId> = (0..depth).map(|_| store.fresh_var("goes", SortId::BOOL)).collect();
        let mut switches = Vec::with_capacity(self.conjuncts.len());
        for conjunct in &self.conjuncts {
            let switch = store.fresh_var("on", SortId::BOOL);
            let mut clause = vec![store.not(switch), conjunct.formula];
            match goes.get(conjunct.place) {
                Some(&goes) if conjunct.is_step => clause.push(store.not(goes)),
                Some(&goes) => clause.push(goes),
                None => {}
            }
            let clause = store.or(&clause);
            smt.assert(store, clause);
            switches.push(switch);
        }
        match ask(&mut smt, store, &switches, ctx)? {
            Answer::Unsat => {}
            Answer::Sat => {
                return Err(Stop::Stuck("what should be contradictory is not".to_owned()));
            }
            Answer::Unknown => return Err(too_hard()),
        }
        let failed: FxHashSet<TermId> = smt.failed().into_iter().collect();
        let mut place = 0;
        self.conjuncts.retain(|_| {
            place += 1;
            failed.contains(&switches[place - 1])
        });
        Ok(())
    }

    /// Those of the formulas over the state that conjuncts were made from.
    fn needed_of(&self, formulas: &[TermId]) -> Vec<TermId> {
        let origins: FxHashSet<TermId> =
            self.conjuncts.iter().filter_map(|conjunct| conjunct.origin).collect();
        formulas.iter().copied().filter(|formula| origins.contains(formula)).collect()
    }

    /// The contradictory formulas.
    fn parts(&self, store: &mut Store, fails: TermId) -> Vec<TermId> {
        let depth = self.states.len() - 1;
        let select = |place: usize, is_step: bool| -> Vec<TermId> {
            let found = self.conjuncts.iter().filter(|c| c.place == place && c.is_step == is_step);
            found.map(|conjunct| conjunct.formula).collect()
        };
        let mut parts = Vec::with_capacity(depth + 1);
        for place in 0..depth {
            let (goes, starts) = (select(place, true), select(place, false));
            let (goes, starts) = (store.and(&goes), store.and(&starts));
            parts.push(store.or(&[goes, starts]));
        }
        let mut last = select(depth, true);
        last.push(fails);
        parts.push(store.and(&last));
        parts
    }
}

/// An interpolation sequence of formulas, in attempts that take longer and longer; none if they are not
/// contradictory.
pub(super) fn interpolants(
    store: &mut Store,
    parts: &[TermId],
    strength: Strength,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<TermId>>, Stop> {
    let mut conflicts = STRENGTHEN_FIRST_CONFLICTS.get();
    for attempt in 0..STRENGTHEN_MAX_ATTEMPTS.short() {
        ctx.tick(conflicts)?;
        let budget = Budget { conflicts: Some(conflicts), ..Budget::default() };
        let options = InterpolationOptions {
            strength,
            budget,
            fuel: Some(Fuel::new(conflicts.saturating_mul(STRENGTHEN_WORK.get()))),
            seed: attempt,
            // One after the other, simplifying many interpolants takes longer than using them.
            simplify: parts.len() <= STRENGTHEN_MAX_SIMPLIFIED.size(),
            ..InterpolationOptions::default()
        };
        match sequence(store, parts, &options) {
            Interpolation::Interpolants(found) => return Ok(Some(found)),
            Interpolation::Satisfiable(_) => return Ok(None),
            Interpolation::Unknown(_) => {
                conflicts = conflicts.saturating_mul(STRENGTHEN_LONGER.get());
            }
        }
    }
    Err(too_hard())
}
