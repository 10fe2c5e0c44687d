//! Reachable states by images, for systems that run through few phases.
//!
//! The states after a step from a region are those for which there is a state before. Where equations
//! say what the values before were, that is a formula without quantifiers: protocols keep what was sent
//! and record what was received, so that nothing is forgotten. Regions of which all next states are in
//! regions already are an invariant. It is the strongest one, and says what happened in each phase; the
//! only hard question is whether it excludes bad states, and that is asked once, by the proof.
//!
//! A step that forgets values, or a system whose regions do not end soon, is left to other engines.
//!
//! After the forward image of symbolic model checking (Burch, Clarke, McMillan, Dill, Hwang, LICS 1990),
//! with formulas that only equations are eliminated from.

use super::unroll::{conjuncts, solved};
use super::{Decided, Folded, Method, System};
use crate::settings::{IMAGE_CONFLICTS, IMAGE_MAX_REGIONS, IMAGE_MAX_SUBTERMS, IMAGE_MAX_WAYS};
use alphorn_engine::{Card, Ctx, Event, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::Horn;
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "image",
    about: "computes the reachable states of a linear system that runs through few phases [BCMDH90]",
    proves: true,
    refutes: false,
    build: || Box::new(Folded(Image)),
};

struct Image;

impl Method for Image {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let mut regions = Regions::new(system);
        for region in regions.images(TermId::TRUE, system.init, &system.init_inputs, ctx)? {
            regions.add(region, ctx)?;
        }
        let gone: Vec<TermId> = system.state.iter().chain(&system.inputs).copied().collect();
        while let Some(region) = regions.open.pop_front() {
            for image in regions.images(region, system.trans, &gone, ctx)? {
                let image = regions.store.rename(image, &system.next, &system.state);
                regions.add(image, ctx)?;
            }
            let (all, open) = (regions.all.len(), regions.open.len());
            ctx.emit(Event::Remark(format!("{all} regions of which {open} are open")));
        }
        let invariant = regions.store.or(&regions.all);
        Ok(Decided::Invariant(regions.store, invariant))
    }
}

/// Formulas over the state that reachable states have.
struct Regions<'a> {
    system: &'a System,
    store: Store,
    all: Vec<TermId>,
    /// Those whose next states are not looked at yet.
    open: VecDeque<TermId>,
    /// Knows that a state is in none of the regions.
    outside: Smt,
}

impl<'a> Regions<'a> {
    fn new(system: &'a System) -> Regions<'a> {
        let outside = Smt::new(Options::default());
        let (store, all, open) = (system.store.clone(), Vec::new(), VecDeque::new());
        Regions { system, store, all, open, outside }
    }

    /// Adds a region that is not contained in the others.
    fn add(&mut self, region: TermId, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        if region == TermId::FALSE || self.all.contains(&region) {
            return Ok(());
        }
        let store = &mut self.store;
        let answer = ask_within(&mut self.outside, store, &[region], IMAGE_CONFLICTS.get(), ctx)?;
        if answer == Answer::Unsat {
            return Ok(());
        }
        if self.all.len() == IMAGE_MAX_REGIONS.size()
            || store.dag_size(&[region]) > IMAGE_MAX_SUBTERMS.size()
        {
            return Err(Stop::Stuck("the regions do not end soon".to_owned()));
        }
        let not_there = store.not(region);
        self.outside.assert(store, not_there);
        self.all.push(region);
        self.open.push_back(region);
        Ok(())
    }

    /// The states after a step from a region, without the variables that are `gone`.
    fn images(
        &mut self,
        region: TermId,
        step: TermId,
        gone: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let state: FxHashSet<TermId> = self.system.state.iter().copied().collect();
        let is_step = step == self.system.trans;
        let (store, mut images) = (&mut self.store, Vec::new());
        // Values that the region fixes decide between the step's alternatives.
        let (region, step) = if is_step {
            let (rest, fixed) = solved(store, region, &state);
            (rest, store.substitute(step, &fixed))
        } else {
            (region, step)
        };
        let mut ways = vec![store.and(&[region, step])];
        let mut count = 0;
        while let Some(way) = ways.pop() {
            ctx.tick(1 + store.dag_size(&[way]) as u64)?;
            count += 1;
            if count > IMAGE_MAX_WAYS.size() {
                return Err(Stop::Stuck("there are too many ways to make a step".to_owned()));
            }
            if let Some(image) = without(store, way, gone) {
                images.push(image);
            } else if let Some(cases) = cases(store, way) {
                ways.extend(cases);
            } else {
                return Err(Stop::Stuck("a step forgets values".to_owned()));
            }
        }
        Ok(images)
    }
}

/// A formula without variables that equations define, if these are all.
fn without(store: &mut Store, formula: TermId, gone: &[TermId]) -> Option<TermId> {
    let parts = conjuncts(store, formula);
    let formula = store.and(&parts);
    let mut smt = Smt::new(Options::default());
    smt.set_budget(Budget { conflicts: Some(0), ..Budget::default() });
    eliminate(store, formula, gone, &mut smt, &Limits { rounds: 0 }).ok()
}

/// The cases of the first disjunction of conjunctions.
fn cases(store: &mut Store, formula: TermId) -> Option<Vec<TermId>> {
    let parts = conjuncts(store, formula);
    let is_choice = |&&part: &&TermId| {
        let has_and = |&arg: &TermId| store.op(arg) == Op::And;
        store.op(part) == Op::Or && store.args(part).iter().any(has_and)
    };
    let choice = *parts.iter().find(is_choice)?;
    let rest: Vec<TermId> = parts.into_iter().filter(|&part| part != choice).collect();
    let mut cases = Vec::new();
    for case in store.args(choice).to_vec() {
        let mut parts = rest.clone();
        parts.push(case);
        let whole = store.and(&parts);
        if whole != TermId::FALSE {
            cases.push(whole);
        }
    }
    Some(cases)
}
