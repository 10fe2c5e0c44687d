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
use super::{Finding, Folded, Method, System, guess};
use crate::ask::ask;
use alphorn_engine::{Card, Ctx, Event, Stop};
use alphorn_problem::Horn;
use alphorn_smt::Answer;

/// Registry entry.
pub(crate) const CARD: Card<Horn> = Card {
    name: "kind",
    about: "k-induction on a linear system, with invariants guessed and proved beside it [SSS00]",
    proves: true,
    refutes: true,
    build: || Box::new(Folded(Closed(KInduction))),
};

/// How long a path is whose states guesses must agree with.
const SAMPLED_STEPS: usize = 4;
/// After how many conflicts it is not made longer.
const SAMPLED_CONFLICTS: u64 = 500;

struct KInduction;

impl Method for KInduction {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Finding, Stop> {
        let mut base = Bounded::new(system);
        while base.cleared <= SAMPLED_STEPS && base.conflicts() <= SAMPLED_CONFLICTS {
            if let Some(path) = base.deepen(ctx)? {
                return Ok(Finding::Path(path));
            }
        }
        let mut store = system.store.clone();
        let mut invariants = guess::invariants(system, &mut store, &mut base, ctx)?;
        for &invariant in &invariants {
            system.publish(&mut store, invariant, ctx);
        }
        let lemma = store.and(&invariants);
        let mut with_lemma = system.clone();
        with_lemma.store = store;
        let mut step = Unrolling::from_anywhere(&with_lemma);
        // Those from here on are what other engines say.
        let own = invariants.len();
        loop {
            let known = step.at(lemma, step.steps());
            step.smt.assert(&mut step.store, known);
            let mut heard = invariants.split_off(own);
            for &lemma in &heard {
                let known = step.at(lemma, step.steps());
                step.smt.assert(&mut step.store, known);
            }
            for lemma in system.news(&mut step.store, ctx) {
                for at in 0..=step.steps() {
                    let known = step.at(lemma, at);
                    step.smt.assert(&mut step.store, known);
                }
                heard.push(lemma);
            }
            invariants.append(&mut heard);
            let bad = step.bad_at_end();
            let depth = step.steps();
            match ask(&mut step.smt, &mut step.store, &[bad], ctx)? {
                Answer::Sat => {}
                Answer::Unknown => return Err(too_hard()),
                Answer::Unsat => {
                    while base.cleared < depth {
                        if let Some(path) = base.deepen(ctx)? {
                            return Ok(Finding::Path(path));
                        }
                    }
                    ctx.emit(Event::Remark(format!("the step holds after {depth} states")));
                    let mut store = step.store;
                    let good = store.not(system.bad);
                    let invariant =
                        strengthen(system, &mut store, &[good], &invariants, depth, ctx)?;
                    return Ok(Finding::Invariant(store, invariant));
                }
            }
            let good = step.store.not(bad);
            step.smt.assert(&mut step.store, good);
            step.add_step();
            while base.cleared <= step.steps() {
                if let Some(path) = base.deepen(ctx)? {
                    return Ok(Finding::Path(path));
                }
            }
        }
    }
}
