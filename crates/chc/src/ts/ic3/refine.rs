//! Abstract paths: real ones, or a reason for further predicates.
//!
//! A chain of cubes from the initial states to the bad ones is unrolled as concrete steps. If it has
//! a model, that is a path. Otherwise the comparisons in a sequence of interpolants are further
//! predicates, with which the chain is no abstract path (McMillan, CAV 2006). Only the literals of
//! the cubes that the contradiction needs are part of what is interpolated. All paths of that
//! length are asked about first, once and not for long: a path elsewhere ends the search, too.

use super::cubes::Cube;
use super::predicates::Predicates;
use crate::ask::ask_within;
use crate::ts::System;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::{InterpolationOptions, Strength, sequence};
use alphorn_smt::project::{implicant, project};
use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{Store, TermId, Value};
use rustc_hash::FxHashSet;

/// Conflicts for the question whether there is any path of a length.
const ANY_PATH: u64 = 2_000;
/// Conflicts for one attempt at interpolants.
const INTERPOLATION: u64 = 5_000;
/// Propagations for one attempt at interpolants.
const PROPAGATIONS: u64 = 20_000_000;
/// Models for one interpolant where a proof gives none.
const ROUNDS: usize = 30;
/// Ticks for an attempt at interpolants.
const TICKS: u64 = 1_000;

/// Steps of the system in a row.
pub(super) struct Unrolling {
    smt: Smt,
    states: Vec<Vec<TermId>>,
    /// The initial states, and the step to each further state.
    steps: Vec<TermId>,
    /// That a state is bad, by its place.
    bads: Vec<TermId>,
    /// The lengths for which paths of any kind were looked for.
    looked_for: FxHashSet<usize>,
}

/// What an abstract path turns out to be.
pub(super) enum Refinement {
    /// A path.
    Path(Vec<Vec<Value>>),
    /// None, and there are further predicates.
    Predicates,
    /// None, but no predicates were found.
    Nothing,
}

impl Unrolling {
    /// The initial states.
    pub(super) fn new(store: &mut Store, system: &System) -> Unrolling {
        let mut unrolling = Unrolling {
            smt: Smt::new(Options::default()),
            states: Vec::new(),
            steps: Vec::new(),
            bads: Vec::new(),
            looked_for: FxHashSet::default(),
        };
        unrolling.extend(store, system, 0);
        unrolling
    }

    /// Makes sure that there are so many steps.
    fn extend(&mut self, store: &mut Store, system: &System, length: usize) {
        while self.states.len() <= length {
            let state = system.copy_of_state(store, "u");
            let step = match self.states.last() {
                None => system.init_at(store, &state),
                Some(before) => system.trans_at(store, before, &state),
            };
            self.smt.assert(store, step);
            self.bads.push(system.bad_at(store, &state));
            self.steps.push(step);
            self.states.push(state);
        }
    }

    /// A path of so many steps, if one is found soon.
    pub(super) fn any_path(
        &mut self,
        store: &mut Store,
        system: &System,
        length: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Vec<Value>>>, Stop> {
        if !self.looked_for.insert(length) {
            return Ok(None);
        }
        self.extend(store, system, length);
        let bad = self.bads[length];
        match ask_within(&mut self.smt, store, &[bad], ANY_PATH, ctx)? {
            Answer::Sat => self.path(store, system, length).map(Some),
            _ => Ok(None),
        }
    }

    /// What an abstract path turns out to be; its cubes are of the first state and the following.
    pub(super) fn refine(
        &mut self,
        store: &mut Store,
        system: &System,
        predicates: &mut Predicates,
        cubes: &[Option<Cube>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Refinement, Stop> {
        let length = cubes.len() - 1;
        if let Some(path) = self.any_path(store, system, length, ctx)? {
            return Ok(Refinement::Path(path));
        }
        self.extend(store, system, length);
        let mut literals: Vec<Vec<TermId>> = Vec::with_capacity(cubes.len());
        for (cube, state) in cubes.iter().zip(&self.states) {
            let order = cube.as_ref().map_or_else(Vec::new, |cube| predicates.by_activity(cube));
            let of_state = order.into_iter().map(|literal| predicates.here(literal));
            let of_state: Vec<TermId> = of_state.collect();
            literals.push(of_state.iter().map(|&l| system.at(store, l, state)).collect());
        }
        let mut assumptions = vec![self.bads[length]];
        assumptions.extend(literals.iter().flatten());
        match ask_within(&mut self.smt, store, &assumptions, u64::MAX, ctx)? {
            Answer::Sat => return self.path(store, system, length).map(Refinement::Path),
            Answer::Unknown => {
                return Err(Stop::Stuck("it is not known whether a path exists".to_owned()));
            }
            Answer::Unsat => {}
        }
        let failed: FxHashSet<TermId> = self.smt.failed().into_iter().collect();
        let mut formulas: Vec<TermId> = Vec::with_capacity(length + 2);
        for (step, literals) in self.steps.iter().zip(&literals) {
            let needed = literals.iter().copied().filter(|literal| failed.contains(literal));
            let parts: Vec<TermId> = needed.chain([*step]).collect();
            formulas.push(store.and(&parts));
        }
        formulas.push(self.bads[length]);
        for (strength, seed) in [(Strength::Strong, 0), (Strength::Weak, 7)] {
            ctx.tick(TICKS)?;
            if self.interpolate(store, system, predicates, &formulas, (strength, seed)) {
                return Ok(Refinement::Predicates);
            }
        }
        Ok(Refinement::Nothing)
    }

    /// Adds the comparisons of interpolants to the predicates; whether there were any.
    fn interpolate(
        &self,
        store: &mut Store,
        system: &System,
        predicates: &mut Predicates,
        formulas: &[TermId],
        (strength, seed): (Strength, u32),
    ) -> bool {
        let budget = Budget {
            conflicts: Some(INTERPOLATION),
            propagations: Some(PROPAGATIONS),
            ..Budget::default()
        };
        let options = InterpolationOptions {
            strength,
            seed,
            budget,
            rounds: ROUNDS,
            simplify: false,
            ..InterpolationOptions::default()
        };
        let Some(interpolants) = sequence(store, formulas, &options).interpolants() else {
            return false;
        };
        let mut added = 0;
        for (interpolant, state) in interpolants.into_iter().zip(&self.states) {
            let formula = store.rename(interpolant, state, &system.state);
            added += predicates.add_atoms(store, formula);
        }
        added > 0
    }

    /// Adds what the bad states need of the states before them, one step at a time, in the last
    /// steps of a chain: model-based projections of bad states and steps.
    pub(super) fn weaken(
        &mut self,
        store: &mut Store,
        system: &System,
        predicates: &mut Predicates,
        length: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut target = vec![system.bad];
        let mut hidden = system.bad_inputs.clone();
        let mut added = 0;
        for place in 0..=length {
            ctx.tick(TICKS)?;
            let mut smt = Smt::new(Options::default());
            for &formula in &target {
                smt.assert(store, formula);
            }
            if ask_within(&mut smt, store, &[], ANY_PATH, ctx)? != Answer::Sat {
                break;
            }
            let mut model = smt.model(store);
            for &var in system.state.iter().chain(&system.next).chain(&hidden) {
                if !model.vars.contains_key(&var)
                    && let Some(value) = Value::default_of(store, store.sort(var))
                {
                    model.set(var, value);
                }
            }
            let Some(literals) = implicant(store, &target, &model) else { break };
            let Some(projection) = project(store, &literals, &hidden, &model) else { break };
            let Some(cube) = projection.with_values(store, &model) else { break };
            let formula = store.and(&cube);
            added += predicates.add_atoms(store, formula);
            if place == length {
                break;
            }
            let after = store.rename(formula, &system.state, &system.next);
            target = vec![system.trans, after];
            hidden = system.next.iter().chain(&system.inputs).copied().collect();
        }
        Ok(added > 0)
    }

    /// The states of the last model, up to a place.
    fn path(&self, store: &Store, system: &System, length: usize) -> Result<Vec<Vec<Value>>, Stop> {
        let model = self.smt.model(store);
        self.states[..=length].iter().map(|state| system.values(store, state, &model)).collect()
    }
}
