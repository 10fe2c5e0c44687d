//! What is asked about initial states, steps, frames and bad states.
//!
//! Cubes are of predicates, so an abstract step between cubes is one concrete step with predicates
//! assumed on both sides; the copies of the state that make the abstraction explicit in the paper
//! are not needed where one step is asked about. Each of the four questions has a solver: initial
//! states, steps from them, steps from frames, bad states in frames. A level is a truth value that
//! its lemmas depend on; it implies the next one, so one of them switches on a frame.

use super::cubes::{Cube, Literal};
use super::frames::Frames;
use super::predicates::Predicates;
use crate::settings::TS_IC3_MAX_CLAUSES;
use crate::ts::System;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// A solver for each question.
pub(super) struct Queries {
    starts: Smt,
    first: Smt,
    steps: Smt,
    bads: Smt,
    /// The truth value of each level; level 0 has none of its own.
    levels: Vec<TermId>,
    /// Whether a literal is false in all initial states, by its code, where that is known.
    excludes_start: Vec<Option<bool>>,
    /// Clauses that only one question needed.
    clauses: usize,
    /// How many questions there were.
    pub(super) asked: u64,
    /// What other engines say of all states.
    heard: Vec<TermId>,
}

impl Queries {
    /// Solvers for the level of initial states.
    pub(super) fn new(store: &mut Store, system: &System) -> Queries {
        let mut solvers = [(); 4].map(|()| Smt::new(Options::default()));
        let [starts, first, steps, bads] = &mut solvers;
        starts.assert(store, system.init);
        first.assert(store, system.init);
        first.assert(store, system.trans);
        steps.assert(store, system.trans);
        bads.assert(store, system.bad);
        let [starts, first, steps, bads] = solvers;
        let levels = vec![store.fresh_var("level", SortId::BOOL)];
        let excludes_start = Vec::new();
        let (clauses, asked, heard) = (0, 0, Vec::new());
        Queries { starts, first, steps, bads, levels, excludes_start, clauses, asked, heard }
    }

    /// Adds a level.
    pub(super) fn extend(&mut self, store: &mut Store) {
        let level = store.fresh_var("level", SortId::BOOL);
        if let Some(&below) = self.levels.last() {
            let below = store.not(below);
            let clause = store.or(&[below, level]);
            self.steps.assert(store, clause);
            self.bads.assert(store, clause);
        }
        self.levels.push(level);
    }

    /// Adds a lemma to a level, or to all where there is no such level.
    pub(super) fn learn(
        &mut self,
        store: &mut Store,
        predicates: &Predicates,
        cube: &Cube,
        level: usize,
    ) {
        let mut clause = predicates.clause(store, cube);
        if let Some(&level) = self.levels.get(level) {
            let level = store.not(level);
            clause = store.or(&[level, clause]);
        }
        self.steps.assert(store, clause);
        self.bads.assert(store, clause);
    }

    /// Adds a formula that all reachable states satisfy, as another engine says.
    pub(super) fn hear(&mut self, store: &mut Store, formula: TermId) {
        self.steps.assert(store, formula);
        self.bads.assert(store, formula);
        self.heard.push(formula);
    }

    /// What other engines have said.
    pub(super) fn heard(&self) -> &[TermId] {
        &self.heard
    }

    /// Makes the solver of steps anew if it is full of clauses that nobody needs.
    pub(super) fn refresh(
        &mut self,
        store: &mut Store,
        system: &System,
        predicates: &Predicates,
        frames: &Frames,
    ) {
        if self.clauses < TS_IC3_MAX_CLAUSES.size() {
            return;
        }
        self.clauses = 0;
        self.steps = Smt::new(Options::default());
        self.bads = Smt::new(Options::default());
        self.steps.assert(store, system.trans);
        self.bads.assert(store, system.bad);
        for &formula in &self.heard {
            self.steps.assert(store, formula);
            self.bads.assert(store, formula);
        }
        self.levels.truncate(1);
        for level in 1..=frames.last() {
            self.extend(store);
            for cube in frames.level(level) {
                self.learn(store, predicates, cube, level);
            }
        }
        for cube in frames.infinite() {
            self.learn(store, predicates, cube, usize::MAX);
        }
    }

    /// The assumptions that switch on a frame.
    fn frame(&self, store: &mut Store, level: usize) -> Vec<TermId> {
        let below = store.not(self.levels[level.min(self.levels.len()) - 1]);
        self.levels.get(level).copied().into_iter().chain([below]).collect()
    }

    /// Whether a frame has a bad state.
    pub(super) fn has_bad(
        &mut self,
        store: &mut Store,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let assumptions = self.frame(store, level);
        self.asked += 1;
        decided(ask(&mut self.bads, store, &assumptions, ctx)?)
    }

    /// The model of the last answer about bad states.
    pub(super) fn bad_model(&self, store: &Store) -> Model {
        self.bads.model(store)
    }

    /// Whether a cube has a predecessor in a frame, outside of the cube.
    pub(super) fn has_predecessor(
        &mut self,
        store: &mut Store,
        predicates: &Predicates,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.asked += 1;
        let order = predicates.by_activity(cube);
        let mut assumptions = Vec::with_capacity(order.len() + 3);
        if level > 0 {
            assumptions = self.frame(store, level);
            self.clauses += 1;
            assumptions.push(predicates.clause(store, cube));
        }
        assumptions.extend(order.iter().map(|literal| predicates.next(*literal)));
        let smt = if level == 0 { &mut self.first } else { &mut self.steps };
        decided(ask(smt, store, &assumptions, ctx)?)
    }

    /// The model of the last answer about predecessors.
    pub(super) fn step_model(&self, store: &Store, level: usize) -> Model {
        if level == 0 { self.first.model(store) } else { self.steps.model(store) }
    }

    /// The part of the cube that has no predecessor either, by the last answer, and excludes the
    /// initial states.
    pub(super) fn core(
        &mut self,
        store: &mut Store,
        predicates: &Predicates,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Cube, Stop> {
        let smt = if level == 0 { &self.first } else { &self.steps };
        let failed: FxHashSet<TermId> = smt.failed().into_iter().collect();
        let literals = cube.literals().iter().copied();
        let core: Vec<Literal> =
            literals.filter(|literal| failed.contains(&predicates.next(*literal))).collect();
        let core = Cube::new(core);
        if !self.is_initial(store, predicates, &core, ctx)? {
            return Ok(core);
        }
        // One literal that excludes the initial states is enough if there is one.
        for literal in predicates.by_activity(cube) {
            if self.excludes_start(store, predicates, literal, ctx)? {
                let literals = core.literals().iter().copied().chain([literal]);
                return Ok(Cube::new(literals.collect()));
            }
        }
        if self.ask_start(store, predicates, cube, ctx)? {
            return Err(Stop::Stuck("a lemma does not hold initially".to_owned()));
        }
        let failed: FxHashSet<TermId> = self.starts.failed().into_iter().collect();
        let needed = cube.literals().iter().copied();
        let needed = needed.filter(|literal| failed.contains(&predicates.here(*literal)));
        Ok(Cube::new(core.literals().iter().copied().chain(needed).collect()))
    }

    /// Whether a cube contains an initial state.
    pub(super) fn is_initial(
        &mut self,
        store: &mut Store,
        predicates: &Predicates,
        cube: &Cube,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        for &literal in cube.literals() {
            if self.excludes_start(store, predicates, literal, ctx)? {
                return Ok(false);
            }
        }
        self.ask_start(store, predicates, cube, ctx)
    }

    fn ask_start(
        &mut self,
        store: &mut Store,
        predicates: &Predicates,
        cube: &Cube,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let order = predicates.by_activity(cube);
        let literals: Vec<TermId> = order.into_iter().map(|l| predicates.here(l)).collect();
        self.asked += 1;
        decided(ask(&mut self.starts, store, &literals, ctx)?)
    }

    /// Whether a literal is false in all initial states.
    fn excludes_start(
        &mut self,
        store: &mut Store,
        predicates: &Predicates,
        literal: Literal,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        if self.excludes_start.len() < 2 * predicates.count() {
            self.excludes_start.resize(2 * predicates.count(), None);
        }
        if let Some(known) = self.excludes_start[literal.code()] {
            return Ok(known);
        }
        let answer = !self.ask_start(store, predicates, &Cube::new(vec![literal]), ctx)?;
        self.excludes_start[literal.code()] = Some(answer);
        Ok(answer)
    }
}

fn decided(answer: Answer) -> Result<bool, Stop> {
    match answer {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown => {
            let text = "a question about numbers is too hard, such as one about products";
            Err(Stop::Stuck(text.to_owned()))
        }
    }
}
