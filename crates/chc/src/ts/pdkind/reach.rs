//! Whether a cube can be reached within so many steps.
//!
//! Level i has lemmas that all states have which are reached in at most i steps. A cube is excluded at
//! level i if it is not initial and no step leads to it from level i - 1; if a step does, the states from
//! which it does, generalized by projection, must be excluded at level i - 1 first. That is the search of
//! IC3 (Bradley, VMCAI 2011), one goal at a time. What excludes a cube is generalized to fewer literals,
//! relative to itself.

use super::cube::Cubes;
use crate::settings::PDKIND_MAX_FAILURES;
use crate::ts::System;
use crate::ts::bmc::too_hard;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, TermId};

/// What became of a cube.
pub(super) enum Reached {
    /// It is reached through these cubes, the first of which meets an initial state and the last of
    /// which is the cube itself.
    By(Vec<Vec<TermId>>),
    /// It is not reached, because this formula holds as long.
    Excluded(TermId),
}

/// Lemmas about what is reached, by level.
pub(super) struct Reach<'a> {
    system: &'a System,
    cubes: Cubes,
    /// Knows that a state is initial.
    init: Smt,
    /// Knows that there is a step, and lemmas of its first state.
    step: Smt,
    /// Switches on that the first state is initial.
    zero: TermId,
    /// Switches on the lemmas of each level and those above.
    levels: Vec<TermId>,
    /// Questions asked.
    pub(super) questions: u64,
    /// Lemmas found.
    pub(super) lemmas: u64,
}

impl<'a> Reach<'a> {
    /// Nothing is known but these invariants.
    pub(super) fn new(system: &'a System, store: &mut Store, invariants: &[TermId]) -> Reach<'a> {
        let (mut init, mut step) = (Smt::new(Options::default()), Smt::new(Options::default()));
        init.assert(store, system.init);
        step.assert(store, system.trans);
        let zero = store.fresh_var("zero", SortId::BOOL);
        let starts = store.implies(zero, system.init);
        step.assert(store, starts);
        for &invariant in invariants {
            init.assert(store, invariant);
            step.assert(store, invariant);
            let after = store.rename(invariant, &system.state, &system.next);
            step.assert(store, after);
        }
        let cubes = Cubes::new(system);
        Reach { system, cubes, init, step, zero, levels: vec![zero], questions: 0, lemmas: 0 }
    }

    /// Whether a state of a cube is reached in at most `level` steps.
    pub(super) fn reach(
        &mut self,
        store: &mut Store,
        cube: Vec<TermId>,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Reached, Stop> {
        let mut waiting = vec![(cube, level)];
        loop {
            ctx.tick(1)?;
            let (cube, level) = waiting.last().expect("the cube itself is settled last").clone();
            let Some(mut core) = self.not_initial(store, &cube, ctx)? else {
                return Ok(Reached::By(waiting.into_iter().rev().map(|(cube, _)| cube).collect()));
            };
            let mut lemma = None;
            if level > 0 {
                match self.not_after(store, &cube, level, ctx)? {
                    None => {
                        let before = self.before(store, &cube)?;
                        waiting.push((before, level - 1));
                        continue;
                    }
                    Some(needed) => {
                        core.retain(|literal| !needed.contains(literal));
                        core.extend(needed);
                        core = self.fewer(store, core, level, ctx)?;
                        lemma = Some(self.learn(store, &core, level));
                    }
                }
            }
            waiting.pop();
            if waiting.is_empty() {
                let lemma = lemma.unwrap_or_else(|| negation(store, &core));
                return Ok(Reached::Excluded(lemma));
            }
        }
    }

    /// Literals of a cube that no initial state has, if there are such.
    fn not_initial(
        &mut self,
        store: &mut Store,
        cube: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        self.questions += 1;
        match ask(&mut self.init, store, cube, ctx)? {
            Answer::Sat => Ok(None),
            Answer::Unsat => Ok(Some(self.init.failed())),
            Answer::Unknown => Err(too_hard()),
        }
    }

    /// Literals of a cube that no step from the level below leads to, unless from the cube itself.
    fn not_after(
        &mut self,
        store: &mut Store,
        cube: &[TermId],
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        self.questions += 1;
        self.grow(store, level);
        let mut assumptions = vec![self.levels[level - 1]];
        if level > 1 {
            assumptions.push(store.not(self.levels[level - 2]));
            assumptions.push(negation(store, cube));
        }
        let mut after = Vec::with_capacity(cube.len());
        for &literal in cube {
            after.push(store.rename(literal, &self.system.state, &self.system.next));
        }
        assumptions.extend(&after);
        match ask(&mut self.step, store, &assumptions, ctx)? {
            Answer::Sat => Ok(None),
            Answer::Unknown => Err(too_hard()),
            Answer::Unsat => {
                let failed = self.step.failed();
                let needed = cube.iter().zip(&after).filter(|(_, after)| failed.contains(after));
                Ok(Some(needed.map(|(literal, _)| *literal).collect()))
            }
        }
    }

    /// The states from which the last step leads to a cube.
    fn before(&mut self, store: &mut Store, cube: &[TermId]) -> Result<Vec<TermId>, Stop> {
        let system = self.system;
        let mut formulas = vec![system.trans];
        for &literal in cube {
            formulas.push(store.rename(literal, &system.state, &system.next));
        }
        let model = self.step.model(store);
        let gone: Vec<TermId> = system.next.iter().chain(&system.inputs).copied().collect();
        self.cubes.before(store, &formulas, &gone, model)
    }

    /// Leaves out literals of an excluded cube while it stays excluded.
    fn fewer(
        &mut self,
        store: &mut Store,
        mut cube: Vec<TermId>,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let mut failures = 0;
        for literal in cube.clone().into_iter().rev() {
            let Some(place) = cube.iter().position(|&other| other == literal) else { continue };
            if cube.len() == 1 || failures >= PDKIND_MAX_FAILURES.size() {
                break;
            }
            let mut fewer = cube.clone();
            fewer.remove(place);
            let initial = self.not_initial(store, &fewer, ctx)?;
            let after = match initial {
                Some(_) => self.not_after(store, &fewer, level, ctx)?,
                None => None,
            };
            match (initial, after) {
                (Some(mut core), Some(needed)) => {
                    core.retain(|literal| !needed.contains(literal));
                    core.extend(needed);
                    cube.retain(|literal| core.contains(literal));
                }
                _ => failures += 1,
            }
        }
        Ok(cube)
    }

    /// Makes a lemma of an excluded cube.
    fn learn(&mut self, store: &mut Store, cube: &[TermId], level: usize) -> TermId {
        self.grow(store, level + 1);
        self.lemmas += 1;
        let lemma = negation(store, cube);
        let off = store.not(self.levels[level]);
        let clause = store.or(&[off, lemma]);
        self.step.assert(store, clause);
        lemma
    }

    /// Makes switches for so many levels.
    fn grow(&mut self, store: &mut Store, count: usize) {
        while self.levels.len() < count {
            let level = store.fresh_var("level", SortId::BOOL);
            if let Some(&below) = self.levels.last() {
                let chain = store.implies(below, level);
                self.step.assert(store, chain);
            }
            self.levels.push(level);
        }
        debug_assert_eq!(self.levels.first(), Some(&self.zero), "level zero is initial");
    }
}

/// What a cube excludes.
pub(super) fn negation(store: &mut Store, cube: &[TermId]) -> TermId {
    let cube = store.and(cube);
    store.not(cube)
}
