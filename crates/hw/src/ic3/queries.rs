//! The questions that IC3 asks, and the solvers that answer them.
//!
//! Each solver has one copy of the circuit; the successor of a latch is the literal of its next
//! function. The *frames* have the constraints and the lemmas, a group of clauses for each level, of
//! which a query assumes those from its level on: one solver learns for all levels. The *start* has
//! the constraints and the resets. Lifting has a solver of its own (`lift`).
//!
//! Invariant: queries range over the cone of what they mention, the constraints' cones, and the latches of
//! all lemmas; gates are known to the solvers, so that an answer about a domain extends to the rest.

use super::dag::Dag;
use super::lift::{Lifting, Step};
use super::side::Side;
use super::signals::Signals;
use crate::ask::{ask, same};
use crate::frames::{Activity, Consecution, Cube};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::{Group, Lit, Var};
use std::rc::Rc;

/// The solvers.
pub(super) struct Queries<'a> {
    circuit: &'a Circuit,
    signals: &'a Signals,
    /// What makes a step bad: all of it.
    bad: Vec<Lit>,
    frames: Side,
    start: Side,
    lifting: Lifting<'a>,
    /// How much the latches have mattered.
    pub(super) activity: Activity,
    /// The group of each level but 0.
    groups: Vec<Group>,
    /// Clauses on trial, which queries about the infinite frame assume.
    trial: Option<Group>,
    /// Whether some latch starts with the value of a function, or some signal is a function of latches
    /// that start with anything.
    has_functions: bool,
    assumptions: Vec<Lit>,
}

impl<'a> Queries<'a> {
    pub(super) fn new(circuit: &'a Circuit, signals: &'a Signals) -> Queries<'a> {
        let constraints: Vec<Lit> = circuit.constraints.iter().map(|lit| same(*lit)).collect();
        let dag = Rc::new(Dag::new(circuit, signals.gates()));
        let [mut frames, mut start] = [(); 2].map(|()| Side::new(&dag));
        for side in [&mut frames, &mut start] {
            for constraint in &constraints {
                side.solver.add_clause(&[*constraint]);
            }
            side.keep(constraints.iter().copied());
            if signals.is_abstract() {
                // A state is cut down to all of its signals, so all must have values.
                side.keep(signals.all().map(Var::positive));
            }
        }
        let mut has_functions = signals.has_open_gates();
        for (index, latch) in circuit.latches.iter().enumerate() {
            let (bit, reset) = (same(circuit.latch(index)), same(latch.reset));
            if latch.reset.var() == 0 {
                start.solver.add_clause(&[bit.xor(!latch.reset.is_negated())]);
            } else if !circuit.is_uninitialised(index) {
                has_functions = true;
                start.keep([bit, reset]);
                start.solver.add_clause(&[!bit, reset]);
                start.solver.add_clause(&[bit, !reset]);
            }
        }
        Queries {
            circuit,
            signals,
            bad: vec![same(circuit.safety()[0])],
            frames,
            start,
            lifting: Lifting::new(circuit, signals, &dag, constraints),
            activity: Activity::new(circuit.max_var() as usize + 1),
            groups: Vec::new(),
            trial: None,
            has_functions,
            assumptions: Vec::new(),
        }
    }

    /// How many questions were asked, and how many conflicts they took.
    pub(super) fn effort(&self) -> (u64, u64) {
        let sides = [&self.frames, &self.start, self.lifting.side()];
        let stats = sides.map(|side| side.solver.stats());
        (stats.iter().map(|s| s.solves).sum(), stats.iter().map(|s| s.conflicts).sum())
    }

    /// Makes room for one level more.
    pub(super) fn extend(&mut self) {
        let group = self.frames.solver.new_group();
        // Each group brings in the next one: what was learned from several then depends on one.
        if let Some(below) = self.groups.last() {
            self.frames.solver.add_clause(&[!below.lit(), group.lit()]);
        }
        self.groups.push(group);
    }

    fn side(&mut self, level: usize) -> &mut Side {
        if level == 0 { &mut self.start } else { &mut self.frames }
    }

    /// The literal that says after a step what `lit` says.
    pub(super) fn next(&self, lit: Lit) -> Lit {
        self.signals.next(lit)
    }

    /// The literals that say after a step what the cube says.
    pub(super) fn successor(&self, cube: &Cube) -> Vec<Lit> {
        cube.lits().iter().map(|lit| self.next(*lit)).collect()
    }

    /// What makes a step bad.
    pub(super) fn bad(&self) -> Vec<Lit> {
        self.bad.clone()
    }

    /// Lets a step be bad only if these literals are true in it, too.
    pub(super) fn narrow(&mut self, also: &[Lit]) {
        self.bad.truncate(1);
        self.bad.extend_from_slice(also);
    }

    /// Whether the last answer about a level that is not the first needs the literal of a bad step.
    pub(super) fn is_needed(&self, lit: Lit) -> bool {
        self.frames.solver.is_failed(lit)
    }

    /// Begins the assumptions of a query with the groups that hold at a level; the first one implies
    /// the others, which are named to be part of the domain.
    fn assume_frame(&mut self, level: usize) {
        self.assumptions.clear();
        if level > 0 && level <= self.groups.len() {
            let groups = self.groups[level - 1..].iter();
            self.assumptions.extend(groups.map(|group| group.lit()));
        } else if level > 0 {
            self.assumptions.extend(self.trial.map(Group::lit));
        }
    }

    /// Whether a state of the frame is bad.
    pub(super) fn has_bad(&mut self, level: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.assume_frame(level);
        self.assumptions.extend_from_slice(&self.bad);
        let assumptions = std::mem::take(&mut self.assumptions);
        let bad = self.bad.clone();
        let side = self.side(level);
        side.restrict(bad);
        let answer = ask(&mut side.solver, &assumptions, None, ctx);
        self.assumptions = assumptions;
        answer
    }

    /// Whether a state of the frame outside the cube has a successor in it; levels beyond the last
    /// stand for the infinite frame.
    pub(super) fn has_predecessor(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.assume_frame(level);
        let mut assumptions = std::mem::take(&mut self.assumptions);
        let before = assumptions.len();
        assumptions.extend_from_slice(cube.lits());
        self.activity.sort_descending(&mut assumptions[before..]);
        for lit in &mut assumptions[before..] {
            *lit = self.next(*lit);
        }
        let side = self.side(level);
        side.focus(cube, assumptions[before..].iter().chain(cube.lits()).copied());
        let clause = cube.negation();
        let answer = ask(&mut side.solver, &assumptions, Some(&clause), ctx);
        self.assumptions = assumptions;
        answer
    }

    /// The part of the cube that has no predecessor either, by the last answer, and excludes the
    /// start.
    pub(super) fn core(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Cube, Stop> {
        let solver = if level == 0 { &self.start.solver } else { &self.frames.solver };
        let needed = cube.lits().iter().filter(|lit| solver.is_failed(self.next(**lit)));
        let mut lits: Vec<Lit> = needed.copied().collect();
        if lits.iter().any(|lit| self.excludes_start(*lit)) {
            return Ok(Cube::new(lits));
        }
        let excluding = cube.lits().iter().copied().filter(|lit| self.excludes_start(*lit));
        if let Some(lit) = self.activity.most(excluding) {
            lits.push(lit);
            return Ok(Cube::new(lits));
        }
        let core = Cube::new(lits);
        if !self.is_initial(&core, ctx)? || self.is_initial(cube, ctx)? {
            return Ok(core);
        }
        let solver = &self.start.solver;
        let excluding = cube.lits().iter().filter(|lit| solver.is_failed(**lit));
        Ok(Cube::new(core.lits().iter().chain(excluding).copied().collect()))
    }

    /// Whether a signal starts with a constant that contradicts the literal.
    fn excludes_start(&self, lit: Lit) -> bool {
        self.signals.excludes_start(lit)
    }

    /// Whether the cube may contain a first state.
    ///
    /// Where resets are constants, what the constraints exclude in addition is not looked at.
    pub(super) fn is_initial(&mut self, cube: &Cube, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if cube.lits().iter().any(|lit| self.excludes_start(*lit)) {
            return Ok(false);
        }
        if !self.has_functions {
            return Ok(true);
        }
        self.start.can_hold(cube.lits(), ctx)
    }

    /// Whether a run can begin with the step.
    pub(super) fn can_begin(&mut self, step: &Step, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let lits: Vec<Lit> = step.inputs.iter().chain(step.cube.lits()).copied().collect();
        self.start.can_hold(&lits, ctx)
    }

    /// Whether a run can begin with a step that makes all literals of the target true.
    pub(super) fn can_begin_before(
        &mut self,
        target: &[Lit],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.start.can_hold(target, ctx)
    }

    /// The first state and inputs of the last answer about the start.
    pub(super) fn beginning(&self) -> (Vec<bool>, Vec<bool>) {
        let circuit = self.circuit;
        let value = |lit| self.start.solver.value(same(lit)) == Some(true);
        let state = (0..circuit.latches.len()).map(|index| value(circuit.latch(index)));
        let inputs = (0..circuit.inputs as usize).map(|index| value(circuit.input(index)));
        (state.collect(), inputs.collect())
    }

    /// Lifts the state of the last answer about a level that is not the first.
    pub(super) fn lift(
        &mut self,
        target: &[Lit],
        rounds: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Step, Stop> {
        self.lifting.lift(&self.frames.solver, target, rounds, &self.activity, ctx)
    }

    /// A part of the state of the last answer about a level that is not the first, by which the target
    /// is reached; found quickly.
    pub(super) fn predecessor(&mut self, target: &[Lit], ctx: &mut Ctx<'_>) -> Result<Cube, Stop> {
        if self.signals.is_abstract() {
            return Ok(self.lift(target, 1, ctx)?.cube);
        }
        match self.lifting.justify(&self.frames.solver, target) {
            Some(cube) => Ok(cube),
            None => Ok(self.lift(target, 1, ctx)?.cube),
        }
    }

    /// What the last answer about a level says of a literal.
    pub(super) fn value(&self, lit: Lit, level: usize) -> Option<bool> {
        let side = if level == 0 { &self.start } else { &self.frames };
        side.solver.value(lit)
    }

    /// Puts clauses on trial, or ends the trial: queries about the infinite frame assume them.
    pub(super) fn try_clauses(&mut self, cubes: &[Cube]) {
        if let Some(group) = self.trial.take() {
            self.frames.solver.release_group(group);
        }
        if cubes.is_empty() {
            return;
        }
        let group = self.frames.solver.new_group();
        for cube in cubes {
            self.frames.keep(cube.lits().iter().copied());
            self.frames.solver.add_to_group(group, &cube.negation());
        }
        self.trial = Some(group);
    }
}

impl Consecution for Queries<'_> {
    fn unreachable_from(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        if self.has_predecessor(cube, level, ctx)? {
            return Ok(None);
        }
        self.core(cube, level, ctx).map(Some)
    }

    fn learned(&mut self, cube: &Cube, level: usize, superfluous: &[(Cube, usize)]) {
        self.frames.keep(cube.lits().iter().copied());
        match level.checked_sub(1).and_then(|index| self.groups.get(index)) {
            Some(group) => {
                self.frames.solver.add_to_group(*group, &cube.negation());
            }
            None => self.frames.solver.add_clause(&cube.negation()),
        }
        // What was learned from these follows from the lemma that made them superfluous.
        for (cube, level) in superfluous {
            self.frames.solver.remove_from_group(self.groups[level - 1], &cube.negation());
        }
    }
}
