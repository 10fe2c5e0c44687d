//! Abstract paths: real ones, or a reason for further predicates.
//!
//! A chain of cubes from the initial states to the bad ones is unrolled as concrete steps. If it has
//! a model, that is a path. Otherwise the comparisons in a sequence of interpolants are further
//! predicates, with which the chain is no abstract path (McMillan, CAV 2006). All paths of that
//! length are asked about first, once and not for long: a path elsewhere ends the search, too, and if
//! there is none, interpolants of all paths exclude more than those of the chain. Otherwise the
//! literals of the cubes that the contradiction needs are part of what is interpolated.

use super::cubes::Cube;
use super::predicates::Predicates;
use crate::settings::{
    TS_IC3_INTERPOLATION, TS_IC3_MAX_CANDIDATES, TS_IC3_MINIMIZATION, TS_IC3_PATH_CONFLICTS,
    TS_IC3_ROUNDS,
};
use crate::ts::System;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::interpolate::{InterpolationOptions, Strength, sequence};
use alphorn_smt::project::{implicant, project};
use alphorn_smt::{Answer, Budget, Fuel, Options, Smt};
use alphorn_term::{SortId, Store, TermId, Value};
use rustc_hash::FxHashSet;

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
    /// The lengths of which there is no path.
    none_of: FxHashSet<usize>,
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
            none_of: FxHashSet::default(),
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
        match ask_within(&mut self.smt, store, &[bad], TS_IC3_PATH_CONFLICTS.get(), ctx)? {
            Answer::Sat => self.path(store, system, length).map(Some),
            Answer::Unsat => {
                self.none_of.insert(length);
                Ok(None)
            }
            Answer::Unknown => Ok(None),
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
        literals.iter_mut().for_each(|literals| literals.retain(|l| failed.contains(l)));
        let any = vec![Vec::new(); cubes.len()];
        let mut attempts = vec![(&literals, Strength::Strong), (&literals, Strength::Weak)];
        if self.none_of.contains(&length) {
            attempts.insert(0, (&any, Strength::Strong));
        }
        for (literals, strength) in attempts {
            ctx.tick(TICKS)?;
            let mut candidates = self.interpolate(store, system, predicates, literals, strength);
            if candidates.len() > TS_IC3_MAX_CANDIDATES.size() {
                candidates = self.needed(store, system, predicates, literals, &candidates, ctx)?;
            }
            for &candidate in &candidates {
                predicates.add(store, candidate);
            }
            if !candidates.is_empty() {
                return Ok(Refinement::Predicates);
            }
        }
        Ok(Refinement::Nothing)
    }

    /// Those of the candidates that are needed for the chain not to be an abstract path.
    ///
    /// An abstract path may change the state between steps, as long as predicates keep their values:
    /// each state has a copy for the step that follows. That a candidate keeps its value is an
    /// assumption, and a contradiction tells which of these it needs.
    fn needed(
        &self,
        store: &mut Store,
        system: &System,
        predicates: &Predicates,
        literals: &[Vec<TermId>],
        candidates: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let mut smt = Smt::new(Options::default());
        let guards: Vec<TermId> =
            candidates.iter().map(|_| store.fresh_var("keeps", SortId::BOOL)).collect();
        let mut before: Option<Vec<TermId>> = None;
        for (state, literals) in self.states.iter().zip(literals) {
            let step = match &before {
                None => self.steps[0],
                Some(before) => system.trans_at(store, before, state),
            };
            smt.assert(store, step);
            for &literal in literals {
                smt.assert(store, literal);
            }
            let copy = system.copy_of_state(store, "k");
            let old = predicates.formulas().map(|formula| (formula, None));
            let added = candidates.iter().copied().zip(guards.iter().copied().map(Some));
            for (formula, guard) in old.chain(added) {
                let here = system.at(store, formula, state);
                let there = system.at(store, formula, &copy);
                let mut same = store.eq(here, there);
                if let Some(guard) = guard {
                    same = store.implies(guard, same);
                }
                smt.assert(store, same);
            }
            before = Some(copy);
        }
        if let Some(last) = &before {
            let bad = system.bad_at(store, last);
            smt.assert(store, bad);
        }
        if ask_within(&mut smt, store, &guards, TS_IC3_MINIMIZATION.get(), ctx)? != Answer::Unsat {
            return Ok(candidates.to_vec());
        }
        let failed: FxHashSet<TermId> = smt.failed().into_iter().collect();
        let pairs = candidates.iter().zip(&guards);
        let needed: Vec<TermId> =
            pairs.filter(|(_, guard)| failed.contains(guard)).map(|(c, _)| *c).collect();
        Ok(if needed.is_empty() { candidates.to_vec() } else { needed })
    }

    /// The comparisons of interpolants that are no predicates yet.
    fn interpolate(
        &self,
        store: &mut Store,
        system: &System,
        predicates: &Predicates,
        literals: &[Vec<TermId>],
        strength: Strength,
    ) -> Vec<TermId> {
        let mut formulas: Vec<TermId> = Vec::with_capacity(literals.len() + 1);
        for (step, literals) in self.steps.iter().zip(literals) {
            let parts: Vec<TermId> = literals.iter().chain([step]).copied().collect();
            formulas.push(store.and(&parts));
        }
        formulas.push(self.bads[literals.len() - 1]);
        let budget = Budget { ticks: Some(TS_IC3_INTERPOLATION.get()), ..Budget::default() };
        let options = InterpolationOptions {
            strength,
            budget,
            fuel: Some(Fuel::new(2 * TS_IC3_INTERPOLATION.get())),
            rounds: TS_IC3_ROUNDS.size(),
            simplify: false,
            ..InterpolationOptions::default()
        };
        let Some(interpolants) = sequence(store, &formulas, &options).interpolants() else {
            return Vec::new();
        };
        let mut of_state = Vec::with_capacity(interpolants.len());
        for (interpolant, state) in interpolants.into_iter().zip(&self.states) {
            of_state.push(store.rename(interpolant, state, &system.state));
        }
        predicates.candidates(store, &of_state)
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
            if ask_within(&mut smt, store, &[], TS_IC3_PATH_CONFLICTS.get(), ctx)? != Answer::Sat {
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
            for candidate in predicates.candidates(store, &[formula]) {
                predicates.add(store, candidate);
                added += 1;
            }
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
