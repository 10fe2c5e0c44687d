//! Several steps in one solver, with the formulas of an induction frame.
//!
//! The solver is never rebuilt: each step has a switch, each formula has one, and so has each place in
//! the path. A query assumes the switches of the steps it takes, of the formulas that are in the frame
//! and of the places at which they are assumed.

use super::cube::Cubes;
use crate::ts::System;
use crate::ts::bmc::too_hard;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// A path, of which parts can be switched on.
pub(super) struct Steps<'a> {
    system: &'a System,
    cubes: Cubes,
    smt: Smt,
    /// Invariants, which hold in all states.
    invariants: Vec<TermId>,
    /// The states; the first are the system's own variables.
    states: Vec<Vec<TermId>>,
    /// The steps, with their inputs and switches.
    steps: Vec<Step>,
    /// Switches on the frame's formulas at each place.
    places: Vec<TermId>,
    /// The formulas, with their switches.
    formulas: Vec<(TermId, TermId)>,
    switches: FxHashMap<TermId, TermId>,
    /// Questions asked.
    pub(super) questions: u64,
}

struct Step {
    formula: TermId,
    inputs: Vec<TermId>,
    on: TermId,
}

impl<'a> Steps<'a> {
    /// One state.
    pub(super) fn new(system: &'a System, store: &mut Store, invariants: &[TermId]) -> Steps<'a> {
        let mut steps = Steps {
            system,
            cubes: Cubes::new(system),
            smt: Smt::new(Options::default()),
            invariants: invariants.to_vec(),
            states: Vec::new(),
            steps: Vec::new(),
            places: Vec::new(),
            formulas: Vec::new(),
            switches: FxHashMap::default(),
            questions: 0,
        };
        steps.add_state(store, system.state.clone());
        steps
    }

    fn add_state(&mut self, store: &mut Store, state: Vec<TermId>) {
        for &invariant in &self.invariants {
            let known = store.rename(invariant, &self.system.state, &state);
            self.smt.assert(store, known);
        }
        let place = store.fresh_var("place", SortId::BOOL);
        for &(formula, switch) in &self.formulas {
            let formula = store.rename(formula, &self.system.state, &state);
            assert_guarded(&mut self.smt, store, &[switch, place], formula);
        }
        self.places.push(place);
        self.states.push(state);
    }

    /// Makes at least so many steps.
    fn grow(&mut self, store: &mut Store, count: usize) {
        while self.steps.len() < count {
            let system = self.system;
            let from = self.states.last().expect("there is a state").clone();
            let to = match self.steps.len() {
                0 => system.next.clone(),
                _ => system.copy_of_state(store, "s"),
            };
            let inputs = system.copies(store, &system.inputs, "i");
            let mut map: alphorn_term::Substitution =
                system.state.iter().copied().zip(from.iter().copied()).collect();
            map.extend(system.next.iter().copied().zip(to.iter().copied()));
            map.extend(system.inputs.iter().copied().zip(inputs.iter().copied()));
            let formula = store.substitute(system.trans, &map);
            let on = store.fresh_var("step", SortId::BOOL);
            assert_guarded(&mut self.smt, store, &[on], formula);
            self.steps.push(Step { formula, inputs, on });
            self.add_state(store, to);
        }
    }

    /// The switch of a formula.
    fn switch(&mut self, store: &mut Store, formula: TermId) -> TermId {
        if let Some(&switch) = self.switches.get(&formula) {
            return switch;
        }
        let switch = store.fresh_var("on", SortId::BOOL);
        for (state, &place) in self.states.iter().zip(&self.places) {
            let formula = store.rename(formula, &self.system.state, state);
            assert_guarded(&mut self.smt, store, &[switch, place], formula);
        }
        self.switches.insert(formula, switch);
        self.formulas.push((formula, switch));
        switch
    }

    /// Whether `count` steps through states of the frame lead to `target`.
    pub(super) fn lead_to(
        &mut self,
        store: &mut Store,
        frame: &[TermId],
        count: usize,
        target: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.questions += 1;
        self.grow(store, count);
        let mut assumptions: Vec<TermId> = self.steps[..count].iter().map(|step| step.on).collect();
        assumptions.extend(&self.places[..count]);
        for &formula in frame {
            assumptions.push(self.switch(store, formula));
        }
        assumptions.push(store.rename(target, &self.system.state, &self.states[count]));
        match ask(&mut self.smt, store, &assumptions, ctx)? {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown => Err(too_hard()),
        }
    }

    /// The states from which the steps of the last question lead to its target.
    pub(super) fn before(
        &mut self,
        store: &mut Store,
        count: usize,
        target: TermId,
    ) -> Result<Vec<TermId>, Stop> {
        let mut formulas: Vec<TermId> =
            self.steps[..count].iter().map(|step| step.formula).collect();
        formulas.push(store.rename(target, &self.system.state, &self.states[count]));
        let mut gone: Vec<TermId> = self.states[1..=count].concat();
        gone.extend(self.steps[..count].iter().flat_map(|step| step.inputs.iter().copied()));
        let model = self.smt.model(store);
        self.cubes.before(store, &formulas, &gone, model)
    }
}

/// Asserts a formula that holds where all guards do.
fn assert_guarded(smt: &mut Smt, store: &mut Store, guards: &[TermId], formula: TermId) {
    let mut clause: Vec<TermId> = guards.iter().map(|&guard| store.not(guard)).collect();
    clause.push(formula);
    let clause = store.or(&clause);
    smt.assert(store, clause);
}
