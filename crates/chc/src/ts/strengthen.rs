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
//! Known invariants may be added to each of the formulas. Only those that are needed are, and those that
//! they need in turn to be inductive.

use super::System;
use super::bmc::too_hard;
use super::guess::houdini::supported;
use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::{Interpolation, InterpolationOptions, Strength, sequence};
use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// Conflicts of the first attempt, and how much longer each of the following is.
const FIRST_CONFLICTS: u64 = 4_000;
const LONGER: u64 = 4;
/// How many attempts there are.
const MOST_ATTEMPTS: u32 = 5;

/// An invariant that implies `formula`, a formula over the state that is inductive with `depth`
/// states, where these have the invariants, and that holds in the first `depth` states of all paths.
pub(super) fn strengthen(
    system: &System,
    store: &mut Store,
    formula: TermId,
    invariants: &[TermId],
    depth: usize,
    ctx: &mut Ctx<'_>,
) -> Result<TermId, Stop> {
    let chain = Chain::new(system, store, formula, depth.max(1));
    let (parts, needed) = chain.with_needed(system, store, invariants, ctx)?;
    let mut invariant = supported(system, store, invariants, needed, ctx)?;
    invariant.push(formula);
    if depth > 1 {
        let found = interpolants(store, &parts, Strength::Strong, ctx)?;
        for (interpolant, state) in found.iter().zip(&chain.states[1..depth]) {
            invariant.push(store.rename(*interpolant, state, &system.state));
        }
    }
    Ok(store.and(&invariant))
}

/// The contradictory formulas, still without invariants.
struct Chain {
    states: Vec<Vec<TermId>>,
    goes: Vec<TermId>,
    starts: Vec<TermId>,
    fails: TermId,
}

impl Chain {
    fn new(system: &System, store: &mut Store, formula: TermId, depth: usize) -> Chain {
        let mut states = vec![system.copy_of_state(store, "s")];
        let (mut goes, mut starts) = (Vec::new(), Vec::new());
        for place in 0..depth {
            states.push(system.copy_of_state(store, "s"));
            let holds = system.at(store, formula, &states[place]);
            let step = system.trans_at(store, &states[place], &states[place + 1]);
            goes.push(store.and(&[holds, step]));
            starts.push(system.init_at(store, &states[place + 1]));
        }
        let last = system.at(store, formula, &states[depth]);
        let fails = store.not(last);
        Chain { states, goes, starts, fails }
    }

    /// The formulas with the invariants that they need to be contradictory; and these.
    fn with_needed(
        &self,
        system: &System,
        store: &mut Store,
        invariants: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<(Vec<TermId>, Vec<TermId>), Stop> {
        let mut smt = Smt::new(Options::default());
        for (&goes, &starts) in self.goes.iter().zip(&self.starts) {
            let part = store.or(&[goes, starts]);
            smt.assert(store, part);
        }
        smt.assert(store, self.fails);
        let mut switches = Vec::new();
        for (place, state) in self.states.iter().enumerate() {
            for &invariant in invariants {
                let known = system.at(store, invariant, state);
                let switch = store.fresh_var("on", SortId::BOOL);
                let clause = store.implies(switch, known);
                smt.assert(store, clause);
                switches.push((switch, place, known, invariant));
            }
        }
        let assumptions: Vec<TermId> = switches.iter().map(|entry| entry.0).collect();
        match ask(&mut smt, store, &assumptions, ctx)? {
            Answer::Unsat => {}
            Answer::Sat => {
                return Err(Stop::Stuck("what should be contradictory is not".to_owned()));
            }
            Answer::Unknown => return Err(too_hard()),
        }
        let failed: FxHashSet<TermId> = smt.failed().into_iter().collect();
        switches.retain(|entry| failed.contains(&entry.0));
        let mut parts = Vec::with_capacity(self.goes.len() + 1);
        for (place, &goes) in self.goes.iter().enumerate() {
            let mut conjuncts = vec![goes];
            conjuncts.extend(switches.iter().filter(|entry| entry.1 == place).map(|entry| entry.2));
            let goes = store.and(&conjuncts);
            parts.push(store.or(&[goes, self.starts[place]]));
        }
        let mut conjuncts = vec![self.fails];
        let end = self.goes.len();
        conjuncts.extend(switches.iter().filter(|entry| entry.1 == end).map(|entry| entry.2));
        parts.push(store.and(&conjuncts));
        let mut needed: Vec<TermId> = switches.iter().map(|entry| entry.3).collect();
        needed.sort_unstable();
        needed.dedup();
        Ok((parts, needed))
    }
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
