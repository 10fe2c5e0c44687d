//! k-induction with auxiliary invariants.
//!
//! After Sheeran, Singh, Stålmarck (FMCAD 2000): no path from an initial state is bad in its first k
//! states (the base, which is bounded model checking), and after k good states of any path comes a good
//! one (the step). Steps fail because of states that cannot be reached; invariants guessed from the
//! system's formulas and from paths, and proved together, exclude many of those (Kahsai, Ge, Tinelli, NFM 2011; `guess`).
//!
//! Paths without repeated states would make the method complete for finite systems. But what is proved
//! under that assumption cannot be cut into formulas over one state each (`strengthen`), so there would
//! be no evidence; it is not assumed.

use super::bmc::{Bounded, too_hard};
use super::closed::Closed;
use super::strengthen::strengthen;
use super::unroll::Unrolling;
use super::{Decided, Folded, Method, System, guess};
use crate::settings::{KIND_SAMPLED_CONFLICTS, KIND_SAMPLED_STEPS};
use crate::settings::{KIND_UNAIDED_CONFLICTS, KIND_UNAIDED_STATES};
use alphorn_engine::{Card, Ctx, Event, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::Horn;
use alphorn_smt::Answer;
use alphorn_term::{TermId, Value};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "kind",
    about: "k-induction on a linear system, with invariants guessed and proved beside it [SSS00]",
    proves: true,
    refutes: true,
    build: || Box::new(Folded(Closed(KInduction))),
};

struct KInduction;

impl Method for KInduction {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let mut base = Bounded::new(system);
        let steps = KIND_SAMPLED_STEPS.size();
        let conflicts = KIND_SAMPLED_CONFLICTS.get();
        while base.cleared <= steps && base.conflicts() <= conflicts {
            if let Some(path) = base.deepen(ctx)? {
                return Ok(Decided::Path(path));
            }
        }
        if let Some(finding) = unaided(system, &mut base, ctx)? {
            return Ok(finding);
        }
        let mut system = system.clone();
        let mut store = system.store.clone();
        let invariants = guess::invariants(&system, &mut store, &mut base, ctx)?;
        system.store = store;
        let found = induction(&system, &mut base, &invariants, usize::MAX, ctx)?;
        found.ok_or_else(|| Stop::Stuck("no number of states is enough".to_owned()))
    }
}

/// What induction over few states finds out without invariants.
pub(super) fn unaided(
    system: &System,
    base: &mut Bounded<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Decided>, Stop> {
    induction(system, base, &[], KIND_UNAIDED_STATES.size(), ctx)
}

/// k-induction with states that have the invariants, up to a greatest k.
fn induction(
    system: &System,
    base: &mut Bounded<'_>,
    invariants: &[TermId],
    most_states: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Decided>, Stop> {
    let mut step = Unrolling::from_anywhere(system);
    let lemma = step.store.and(invariants);
    let is_trial = most_states == KIND_UNAIDED_STATES.size();
    // What other engines say, too, when it is worth waiting for.
    let mut heard: Vec<TermId> = Vec::new();
    for depth in 0..=most_states {
        for &lemma in [lemma].iter().chain(&heard) {
            let known = step.at(lemma, depth);
            step.smt.assert(&mut step.store, known);
        }
        let news = if is_trial { Vec::new() } else { system.news(&mut step.store, ctx) };
        for lemma in news {
            for place in 0..=depth {
                let known = step.at(lemma, place);
                step.smt.assert(&mut step.store, known);
            }
            heard.push(lemma);
        }
        let bad = step.bad_at_end();
        let conflicts = if is_trial { KIND_UNAIDED_CONFLICTS.get() } else { u64::MAX };
        match ask_within(&mut step.smt, &mut step.store, &[bad], conflicts, ctx)? {
            Answer::Sat => {}
            Answer::Unknown if is_trial => return Ok(None),
            Answer::Unknown => return Err(too_hard()),
            Answer::Unsat => {
                if let Some(path) = clear(base, depth, ctx)? {
                    return Ok(Some(Decided::Path(path)));
                }
                ctx.emit(Event::Remark(format!("the step holds after {depth} states")));
                let mut store = step.store;
                let good = store.not(system.bad);
                let known = [invariants, &heard].concat();
                let invariant = strengthen(system, &mut store, &[good], &known, depth, ctx)?;
                return Ok(Some(Decided::Invariant(store, invariant)));
            }
        }
        let good = step.store.not(bad);
        step.smt.assert(&mut step.store, good);
        step.add_step();
        if let Some(path) = clear(base, depth + 2, ctx)? {
            return Ok(Some(Decided::Path(path)));
        }
    }
    Ok(None)
}

/// Looks at paths of fewer than so many steps; the first that ends in a bad state, if one does.
fn clear(
    base: &mut Bounded<'_>,
    lengths: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Vec<Value>>>, Stop> {
    while base.cleared < lengths {
        if let Some(path) = base.deepen(ctx)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
