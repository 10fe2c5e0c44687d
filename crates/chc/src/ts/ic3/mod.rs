//! IC3 with implicit predicate abstraction, for states of truth values and numbers.
//!
//! States are told apart by predicates only, so that cubes, lemmas and their generalization are those
//! of the Boolean algorithm, and every question is one to the SMT solver about one concrete step. A
//! chain of cubes from the initial to the bad states is a path of the abstraction: it is unrolled,
//! and is a counterexample or gives further predicates. Lemmas stay, because further predicates only
//! make the abstraction finer.
//!
//! - `predicates`: what tells states apart; `cubes`: conjunctions of that
//! - `frames`: what is excluded, by level; `obligations`: what is to be excluded
//! - `queries`: the questions; `lift`: what matters in their answers
//! - `generalize`: smaller cubes; `refine`: paths, or further predicates
//!
//! After Cimatti, Griggio, Mover, Tonetta (TACAS 2014, FMSD 2016). Different from there: predecessors
//! keep the predicates over variables that matter for the step, and not all.

mod cubes;
mod frames;
mod generalize;
mod lift;
mod obligations;
mod predicates;
mod queries;
mod refine;

use super::{Decided, Folded, Method, System};
use alphorn_engine::{Card, Ctx, Event, Stop};
use alphorn_problem::Horn;
use alphorn_term::{Store, TermId, Value};
use cubes::Cube;
use frames::Frames;
use lift::Lifting;
use obligations::{Id, Obligations};
use predicates::Predicates;
use queries::Queries;
use refine::{Refinement, Unrolling};

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "ic3",
    about: "excludes abstract states level by level, with predicates from interpolants [CGMT14]",
    proves: true,
    refutes: true,
    build: || Box::new(Folded(Ic3)),
};

/// The engine.
struct Ic3;

impl Method for Ic3 {
    fn decide(&mut self, system: &System, ctx: &mut Ctx<'_>) -> Result<Decided, Stop> {
        let mut run = Run::new(system);
        match run.run(ctx)? {
            End::Path(path) => Ok(Decided::Path(path)),
            End::Excluded(cubes) => {
                let mut clauses: Vec<TermId> =
                    cubes.iter().map(|cube| run.predicates.clause(&mut run.store, cube)).collect();
                clauses.extend(run.queries.heard());
                let invariant = run.store.and(&clauses);
                Ok(Decided::Invariant(run.store, invariant))
            }
        }
    }
}

/// How a run ends.
enum End {
    /// With an invariant: what these cubes leave.
    Excluded(Vec<Cube>),
    /// With a path.
    Path(Vec<Vec<Value>>),
}

/// The state of a run.
struct Run<'a> {
    system: &'a System,
    store: Store,
    predicates: Predicates,
    queries: Queries,
    frames: Frames,
    obligations: Obligations,
    lifting: Lifting,
    unrolling: Unrolling,
    /// Whether predecessors lose what does not matter.
    is_lifting: bool,
    refinements: usize,
}

impl<'a> Run<'a> {
    fn new(system: &'a System) -> Run<'a> {
        let mut store = system.store.clone();
        Run {
            system,
            predicates: Predicates::new(&mut store, system),
            queries: Queries::new(&mut store, system),
            frames: Frames::new(),
            obligations: Obligations::default(),
            lifting: Lifting::new(&store, system),
            unrolling: Unrolling::new(&mut store, system),
            is_lifting: true,
            refinements: 0,
            store,
        }
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<End, Stop> {
        if let Some(path) = self.unrolling.any_path(&mut self.store, self.system, 0, ctx)? {
            return Ok(End::Path(path));
        }
        loop {
            for formula in self.system.news(&mut self.store, ctx) {
                self.queries.hear(&mut self.store, formula);
            }
            self.frames.extend();
            self.queries.extend(&mut self.store);
            self.propagate(ctx)?;
            if let Some(cubes) = self.frames.invariant() {
                return Ok(End::Excluded(cubes));
            }
            let last = self.frames.last();
            if let Some(path) = self.unrolling.any_path(&mut self.store, self.system, last, ctx)? {
                return Ok(End::Path(path));
            }
            loop {
                if let Some(end) = self.block(ctx)? {
                    return Ok(end);
                }
                if !self.queries.has_bad(&mut self.store, last, ctx)? {
                    break;
                }
                let model = self.queries.bad_model(&self.store);
                let state = self.system.values(&self.store, &self.system.state, &model)?;
                let model = self.completed(model);
                let relevant = self.lifting.bad(&mut self.store, &model);
                let relevant = relevant.filter(|_| self.is_lifting);
                let cube = self.predicates.cube_of(&self.store, &state, relevant.as_ref());
                self.obligations.add(last, cube, None);
            }
            ctx.emit(Event::Bound { depth: last as u64 });
            ctx.emit(Event::Remark(self.describe()));
        }
    }

    /// How far the run has come, in words.
    fn describe(&self) -> String {
        format!(
            "level {}: {} lemmas over {} predicates, {} refinements, {} queries",
            self.frames.last(),
            self.frames.count(),
            self.predicates.count(),
            self.refinements,
            self.queries.asked
        )
    }

    /// A model with values for all variables of the system.
    fn completed(&self, mut model: alphorn_term::Model) -> alphorn_term::Model {
        let system = self.system;
        let variables = system.state.iter().chain(&system.next).chain(&system.inputs);
        for &var in variables.chain(&system.bad_inputs) {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(&self.store, self.store.sort(var))
            {
                model.set(var, value);
            }
        }
        model
    }

    fn has_predecessor(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.queries.refresh(&mut self.store, self.system, &self.predicates, &self.frames);
        self.queries.has_predecessor(&mut self.store, &self.predicates, cube, level, ctx)
    }

    fn core(&mut self, cube: &Cube, level: usize, ctx: &mut Ctx<'_>) -> Result<Cube, Stop> {
        self.queries.core(&mut self.store, &self.predicates, cube, level, ctx)
    }

    /// The cube of the predecessor that the last answer found.
    fn predecessor(&mut self, cube: &Cube, level: usize) -> Result<Cube, Stop> {
        let model = self.queries.step_model(&self.store, level);
        let state = self.system.values(&self.store, &self.system.state, &model)?;
        let mut relevant = None;
        if self.is_lifting {
            let model = self.completed(model);
            let target: Vec<TermId> =
                cube.literals().iter().map(|literal| self.predicates.next(*literal)).collect();
            relevant = self.lifting.step(&mut self.store, &model, &target);
        }
        Ok(self.predicates.cube_of(&self.store, &state, relevant.as_ref()))
    }

    /// Treats obligations until none waits at the last level or below, or the end is known.
    fn block(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<End>, Stop> {
        let last = self.frames.last();
        while let Some((level, id)) = self.obligations.take(last) {
            ctx.tick(1)?;
            let cube = self.obligations.cube(id).clone();
            if self.queries.is_initial(&mut self.store, &self.predicates, &cube, ctx)? {
                if let Some(end) = self.refine(id, None, ctx)? {
                    return Ok(Some(end));
                }
                continue;
            }
            if let Some(known) = self.frames.excluded(&cube, level) {
                if known <= last {
                    self.obligations.wait(known + 1, id);
                }
                continue;
            }
            if self.has_predecessor(&cube, level - 1, ctx)? {
                let before = self.predecessor(&cube, level - 1)?;
                if level > 1 {
                    self.obligations.add(level - 1, before, Some(id));
                    self.obligations.wait(level, id);
                } else if let Some(end) = self.refine(id, Some(before), ctx)? {
                    return Ok(Some(end));
                }
                continue;
            }
            let core = self.core(&cube, level - 1, ctx)?;
            let core = self.generalize(core, level, ctx)?;
            let (lemma, reached) = self.push(core, level, ctx)?;
            self.learn(lemma, reached);
            self.obligations.wait(reached + 1, id);
            if let Some(cubes) = self.frames.invariant() {
                return Ok(Some(End::Excluded(cubes)));
            }
        }
        Ok(None)
    }

    /// What the chain of an obligation turns out to be: the end, or a reason for predicates.
    fn refine(
        &mut self,
        id: Id,
        first: Option<Cube>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<End>, Stop> {
        let chain = self.obligations.chain(id).into_iter().map(Some);
        let cubes: Vec<Option<Cube>> = if first.is_some() {
            [first].into_iter().chain(chain).collect()
        } else {
            chain.collect()
        };
        self.refinements += 1;
        let refinement = self.unrolling.refine(
            &mut self.store,
            self.system,
            &mut self.predicates,
            &cubes,
            ctx,
        )?;
        self.obligations.clear();
        match refinement {
            Refinement::Path(path) => return Ok(Some(End::Path(path))),
            Refinement::Predicates => {}
            Refinement::Nothing => {
                let length = cubes.len() - 1;
                let (system, predicates) = (self.system, &mut self.predicates);
                let has_more =
                    self.unrolling.weaken(&mut self.store, system, predicates, length, ctx)?;
                if !has_more && !std::mem::take(&mut self.is_lifting) {
                    return Err(Stop::Stuck("no predicates exclude an abstract path".to_owned()));
                }
            }
        }
        Ok(None)
    }

    /// The highest level at which a cube of `level` is excluded, and what of it matters there.
    fn push(&mut self, cube: Cube, level: usize, ctx: &mut Ctx<'_>) -> Result<(Cube, usize), Stop> {
        let (mut cube, mut level) = (cube, level);
        while level < self.frames.last() && !self.has_predecessor(&cube, level, ctx)? {
            cube = self.core(&cube, level, ctx)?;
            level += 1;
        }
        Ok((cube, level))
    }

    /// Adds a lemma.
    fn learn(&mut self, cube: Cube, level: usize) {
        self.queries.learn(&mut self.store, &self.predicates, &cube, level);
        self.frames.add(cube, level);
    }

    /// Moves lemmas to the highest levels at which they hold.
    fn propagate(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let last = self.frames.last();
        for level in 1..=last {
            let mut cubes = self.frames.level(level).to_vec();
            cubes.sort_by_key(Cube::len);
            for cube in cubes {
                ctx.tick(1)?;
                if !self.frames.level(level).contains(&cube) {
                    continue;
                }
                // From the last level there is a way to the infinite frame only.
                let from = if level == last { last + 1 } else { level };
                if !self.has_predecessor(&cube, from, ctx)? {
                    let core = self.core(&cube, from, ctx)?;
                    if level == last {
                        let clause = self.predicates.clause(&mut self.store, &core);
                        self.system.publish(&mut self.store, clause, ctx);
                    }
                    self.learn(core, level + 1);
                }
            }
            if level < last && self.frames.level(level).is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }
}
