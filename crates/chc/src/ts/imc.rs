//! Model checking with interpolants.
//!
//! After McMillan (CAV 2003). What one step from a set of states leads to, and what from there is bad
//! within k steps, are contradictory for a set without bad paths; the interpolant is a set that has all
//! successors and none of the states that are bad within k steps. Sets are collected until the next one
//! adds nothing. If a set that is too large reaches bad states, k grows, and all begins again.
//!
//! Initial states are added to each question's first half, so that every interpolant has them. Then the
//! sets found are an invariant as they are, even if `init` has inputs and cannot be negated.

use super::bmc::{Bounded, too_hard};
use super::strengthen::interpolants;
use super::{Decided, Folded, Method, System};
use alphorn_engine::{Card, Ctx, Event, Stop};
use alphorn_horn::ask::ask;
use alphorn_problem::Horn;
use alphorn_smt::interpolate::Strength;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "imc",
    about: "collects interpolants of steps and bad paths until they are an invariant [McM03]",
    proves: true,
    refutes: true,
    build: || Box::new(Folded(Imc)),
};

struct Imc;

impl Method for Imc {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let mut base = Bounded::new(system);
        let mut store = system.store.clone();
        let first = system.copy_of_state(&mut store, "s");
        let start = system.init_at(&mut store, &first);
        for bound in 1.. {
            while base.cleared <= bound {
                if let Some(path) = base.deepen(ctx)? {
                    return Ok(Decided::Path(path));
                }
            }
            let bad = bad_within(system, &mut store, &first, bound - 1);
            if let Some(invariant) = collect(system, &mut store, (&first, start, bad), ctx)? {
                return Ok(Decided::Invariant(store, invariant));
            }
            ctx.emit(Event::Remark(format!("no invariant with {bound} steps")));
        }
        Err(too_hard())
    }
}

/// From a state, a bad one is reached within so many steps.
fn bad_within(system: &System, store: &mut Store, first: &[TermId], steps: usize) -> TermId {
    let mut state = first.to_vec();
    let mut parts = Vec::new();
    let mut bad = vec![system.bad_at(store, &state)];
    for _ in 0..steps {
        let next = system.copy_of_state(store, "s");
        parts.push(system.trans_at(store, &state, &next));
        bad.push(system.bad_at(store, &next));
        state = next;
    }
    // Where a path ends early, the states of its prefix count as well.
    let mut result = TermId::FALSE;
    for (place, &bad) in bad.iter().enumerate().rev() {
        let later = match parts.get(place) {
            Some(&step) => store.and(&[step, result]),
            None => TermId::FALSE,
        };
        result = store.or(&[bad, later]);
    }
    result
}

/// The sets of states that interpolants give, if they are an invariant.
fn collect(
    system: &System,
    store: &mut Store,
    (first, start, bad): (&[TermId], TermId, TermId),
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let mut sets: Vec<TermId> = Vec::new();
    let mut from = system.init_at(store, &system.state);
    let mut smt = Smt::new(Options::default());
    loop {
        let step = system.trans_at(store, &system.state, first);
        let goes = store.and(&[from, step]);
        let after = store.or(&[goes, start]);
        let Some(found) = interpolants(store, &[after, bad], Strength::Strong, ctx)? else {
            return Ok(None);
        };
        let set = store.rename(found[0], first, &system.state);
        match ask(&mut smt, store, &[set], ctx)? {
            Answer::Unsat => return Ok(Some(store.or(&sets))),
            Answer::Unknown => return Err(too_hard()),
            Answer::Sat => {}
        }
        let outside = store.not(set);
        smt.assert(store, outside);
        sets.push(set);
        from = store.or(&sets);
    }
}
