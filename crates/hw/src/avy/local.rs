//! The clausal trace, and the questions about single steps that keep it one.
//!
//! Two solvers have one copy of the circuit each, in which the successor of a latch is the literal of its
//! next function: one with the resets, for level 0, and one with the lemmas, a group of clauses for
//! each level, for the others. A lemma is learned only after a solver has shown that no state of the
//! frame below outside of its cube leads into the cube, and that no run begins there.
//!
//! Invariant: queries range over the cones of what they mention and of the constraints, and over the
//! latches of all lemmas; gates are known to the solvers, so an answer about these extends to the rest.
//!
//! The trace is that of `ic3`, and so is generalization: literals are left out (Bradley, VMCAI 2011), and
//! counterexamples to that are blocked (Hassan, Bradley, Somenzi, FMCAD 2013).

use crate::ask::{ask, bit, make_variables, same};
use crate::frames::{Cube, Frames};
use crate::interpolation::sets::{graph, reset_states, resets_read_inputs};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::aig::{Encoder, Encoding};
use alphorn_sat::{Group, Lit, Solver, Var};

const NONE: u32 = u32::MAX;
/// How many counterexamples to one generalization are blocked.
const MOST_BLOCKED: usize = 3;
/// By how much older bumps count less, at each lemma.
const DECAY: f64 = 0.9;

/// A solver with the circuit and its constraints.
struct Side {
    solver: Solver,
    /// The operands of each gate; twice `NONE` for others.
    gates: Vec<[u32; 2]>,
    stamps: Vec<u32>,
    clock: u32,
    stack: Vec<u32>,
    cone: Vec<Var>,
    is_kept: Vec<bool>,
}

impl Side {
    fn new(circuit: &Circuit) -> Side {
        let count = circuit.max_var() as usize + 1;
        let mut solver = Solver::default();
        make_variables(&mut solver, count as u32);
        solver.add_clause(&[Var(0).negative()]);
        let mut gates = vec![[NONE; 2]; count];
        for (index, gate) in circuit.ands.iter().enumerate() {
            let var = circuit.gate(index).var();
            gates[var as usize] = [gate.left.var(), gate.right.var()];
            solver.define_and(Var(var), same(gate.left), same(gate.right));
        }
        let mut side = Side {
            solver,
            gates,
            stamps: vec![0; count],
            clock: 0,
            stack: Vec::new(),
            cone: Vec::new(),
            is_kept: vec![false; count],
        };
        for constraint in &circuit.constraints {
            side.solver.add_clause(&[same(*constraint)]);
        }
        side.keep(circuit.constraints.iter().map(|bit| same(*bit)));
        side
    }

    /// Lets the state be a reset state, whatever the inputs are: where resets read inputs, the trace
    /// speaks about states alone.
    fn assert_reset_states(&mut self, circuit: &Circuit) -> Result<(), Stop> {
        let mut sets = graph(circuit);
        let set = reset_states(circuit, &mut sets)?;
        if set.is_constant() {
            return Ok(());
        }
        let mut encoder = Encoder::new(Encoding::PlaistedGreenbaum);
        for index in 0..circuit.latches.len() {
            let lit = same(circuit.latch(index));
            encoder.bind(sets.input(index as u32), lit);
            self.keep([lit]);
        }
        let before = self.solver.variables();
        encoder.assert(&sets, set, &mut self.solver);
        let made: Vec<Var> = (before..self.solver.variables()).map(Var).collect();
        self.solver.keep_in_domain(&made);
        Ok(())
    }

    /// Collects what the roots depend on.
    fn reach(&mut self, roots: impl IntoIterator<Item = Lit>) {
        self.clock += 1;
        self.cone.clear();
        self.stack.extend(roots.into_iter().map(|lit| lit.var().0));
        while let Some(var) = self.stack.pop() {
            if std::mem::replace(&mut self.stamps[var as usize], self.clock) == self.clock {
                continue;
            }
            self.cone.push(Var(var));
            let [left, right] = self.gates[var as usize];
            if left != NONE {
                self.stack.extend([right, left]);
            }
        }
    }

    /// Restricts queries to what the roots depend on.
    fn restrict(&mut self, roots: impl IntoIterator<Item = Lit>) {
        self.reach(roots);
        self.solver.set_domain(&self.cone);
    }

    /// Lets all queries see what the roots depend on.
    fn keep(&mut self, roots: impl IntoIterator<Item = Lit>) {
        self.reach(roots);
        let Side { cone, is_kept, .. } = self;
        cone.retain(|var| !std::mem::replace(&mut is_kept[var.index()], true));
        if !cone.is_empty() {
            self.solver.keep_in_domain(cone);
        }
    }
}

/// The trace with its solvers.
pub(super) struct Local<'a> {
    circuit: &'a Circuit,
    pub(super) frames: Frames,
    lemmas: Side,
    start: Side,
    /// The group of each level but 0, and how many of its clauses are lemmas no more.
    groups: Vec<(Group, usize)>,
    has_functions: bool,
    activity: Vec<f64>,
    bump: f64,
}

impl<'a> Local<'a> {
    /// The trace of level 0 alone.
    pub(super) fn new(circuit: &'a Circuit) -> Result<Local<'a>, Stop> {
        let (lemmas, mut start) = (Side::new(circuit), Side::new(circuit));
        let is_tied = resets_read_inputs(circuit);
        if is_tied {
            start.assert_reset_states(circuit)?;
        }
        let mut has_functions = is_tied;
        for (index, latch) in circuit.latches.iter().enumerate() {
            let (lit, reset) = (same(circuit.latch(index)), same(latch.reset));
            if latch.reset.var() == 0 {
                start.solver.add_clause(&[lit.xor(!latch.reset.is_negated())]);
            } else if !circuit.is_uninitialised(index) && !is_tied {
                has_functions = true;
                start.keep([lit, reset]);
                start.solver.add_clause(&[!lit, reset]);
                start.solver.add_clause(&[lit, !reset]);
            }
        }
        let activity = vec![0.0; circuit.max_var() as usize + 1];
        let (frames, groups) = (Frames::new(), Vec::new());
        Ok(Local { circuit, frames, lemmas, start, groups, has_functions, activity, bump: 1.0 })
    }

    /// Adds a level.
    pub(super) fn extend(&mut self) {
        self.frames.extend();
        self.groups.push((self.lemmas.solver.new_group(), 0));
    }

    /// The lemmas of a level.
    pub(super) fn level(&self, level: usize) -> Vec<Cube> {
        self.frames.level(level).cloned().collect()
    }

    /// The lemmas that hold at a level.
    pub(super) fn frame(&self, level: usize) -> Vec<Cube> {
        let levels = (level.max(1)..=self.frames.last()).flat_map(|level| self.level(level));
        levels.chain(self.frames.infinite().cloned()).collect()
    }

    fn latch(&self, lit: Lit) -> usize {
        (lit.var().0 - self.circuit.inputs - 1) as usize
    }

    /// The literal that says after a step what `lit` says of a latch.
    fn next(&self, lit: Lit) -> Lit {
        same(self.circuit.latches[self.latch(lit)].next).xor(lit.is_negated())
    }

    /// Whether a state of the frame outside the cube has a successor in it; levels beyond the last
    /// stand for the infinite frame.
    fn has_predecessor(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut lits = cube.lits().to_vec();
        self.sort_by_activity(&mut lits);
        let mut assumptions: Vec<Lit> = Vec::with_capacity(lits.len() + self.groups.len());
        if level > 0 && level <= self.groups.len() {
            let groups = self.groups[level - 1..].iter().rev();
            assumptions.extend(groups.map(|(group, _)| group.lit()));
        }
        let next: Vec<Lit> = lits.iter().rev().map(|lit| self.next(*lit)).collect();
        assumptions.extend_from_slice(&next);
        let side = if level == 0 { &mut self.start } else { &mut self.lemmas };
        side.restrict(next.into_iter().chain(lits));
        ask(&mut side.solver, &assumptions, Some(&cube.negation()), ctx)
    }

    /// The part of the cube that has no predecessor either, by the last answer, and excludes the
    /// start.
    fn core(&mut self, cube: &Cube, level: usize, ctx: &mut Ctx<'_>) -> Result<Cube, Stop> {
        let solver = if level == 0 { &self.start.solver } else { &self.lemmas.solver };
        let needed = cube.lits().iter().filter(|lit| solver.is_failed(self.next(**lit)));
        let core = Cube::new(needed.copied().collect());
        if !self.is_initial(&core, ctx)? {
            return Ok(core);
        }
        let mut lits = core.lits().to_vec();
        let mut excluding: Vec<Lit> = cube.lits().to_vec();
        excluding.retain(|lit| self.excludes_start(*lit));
        self.sort_by_activity(&mut excluding);
        if let Some(lit) = excluding.last() {
            lits.push(*lit);
        } else {
            self.is_initial(cube, ctx)?;
            let solver = &self.start.solver;
            lits.extend(cube.lits().iter().filter(|lit| solver.is_failed(**lit)));
        }
        Ok(Cube::new(lits))
    }

    /// Whether a latch starts with a constant that contradicts the literal.
    fn excludes_start(&self, lit: Lit) -> bool {
        let reset = self.circuit.latches[self.latch(lit)].reset;
        reset.var() == 0 && reset.is_negated() == lit.is_negated()
    }

    /// Whether the cube may contain a first state.
    fn is_initial(&mut self, cube: &Cube, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if cube.lits().iter().any(|lit| self.excludes_start(*lit)) {
            return Ok(false);
        }
        if !self.has_functions {
            return Ok(true);
        }
        self.start.restrict(cube.lits().iter().copied());
        ask(&mut self.start.solver, cube.lits(), None, ctx)
    }

    /// Sorts by activity, the least active first.
    fn sort_by_activity(&self, lits: &mut [Lit]) {
        let score = |lit: &Lit| self.activity[lit.var().index()];
        lits.sort_unstable_by(|a, b| score(a).total_cmp(&score(b)).then(b.cmp(a)));
    }

    /// Learns a lemma that excludes the cube at a level; none if the cube has a predecessor.
    pub(super) fn block(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        if self.is_initial(cube, ctx)? || self.has_predecessor(cube, level - 1, ctx)? {
            return Ok(None);
        }
        let core = self.core(cube, level - 1, ctx)?;
        let lemma = self.generalize(core, level, true, ctx)?;
        let (lemma, reached) = self.push(lemma, level, ctx)?;
        self.learn(lemma.clone(), reached);
        Ok(Some(lemma))
    }

    /// A smaller cube that has no predecessor in the frame below `level` and excludes the start; with
    /// `deeply`, counterexamples to generalization are blocked.
    fn generalize(
        &mut self,
        cube: Cube,
        level: usize,
        deeply: bool,
        ctx: &mut Ctx<'_>,
    ) -> Result<Cube, Stop> {
        let mut cube = cube;
        let mut order = cube.lits().to_vec();
        self.sort_by_activity(&mut order);
        for lit in order {
            if cube.len() == 1 || !cube.lits().contains(&lit) {
                continue;
            }
            let rest = cube.lits().iter().copied().filter(|other| *other != lit);
            let candidate = Cube::new(rest.collect());
            if let Some(smaller) = self.try_cube(&candidate, level, deeply, ctx)? {
                cube = smaller;
            }
        }
        self.bump /= DECAY;
        for lit in cube.lits() {
            self.activity[lit.var().index()] += self.bump;
        }
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|score| *score /= 1e100);
            self.bump /= 1e100;
        }
        Ok(cube)
    }

    /// The part of a cube that has no predecessor in the frame below `level`, if it has none.
    fn try_cube(
        &mut self,
        cube: &Cube,
        level: usize,
        deeply: bool,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        for _ in 0..=MOST_BLOCKED {
            if self.is_initial(cube, ctx)? {
                return Ok(None);
            }
            if !self.has_predecessor(cube, level - 1, ctx)? {
                return self.core(cube, level - 1, ctx).map(Some);
            }
            if !deeply || level == 1 {
                return Ok(None);
            }
            let state = self.predecessor();
            if self.is_initial(&state, ctx)? || self.has_predecessor(&state, level - 2, ctx)? {
                return Ok(None);
            }
            let core = self.core(&state, level - 2, ctx)?;
            let lemma = self.generalize(core, level - 1, false, ctx)?;
            let (lemma, reached) = self.push(lemma, level - 1, ctx)?;
            self.learn(lemma, reached);
        }
        Ok(None)
    }

    /// The state of the last answer about a level above 0; what the solver left open does not matter.
    fn predecessor(&self) -> Cube {
        let latches = (0..self.circuit.latches.len()).map(|index| same(self.circuit.latch(index)));
        let signed = |lit: Lit| self.lemmas.solver.value(lit).map(|value| lit.xor(!value));
        Cube::new(latches.filter_map(signed).collect())
    }

    /// The highest level at which a lemma of `level` holds, and what of it matters there.
    fn push(&mut self, cube: Cube, level: usize, ctx: &mut Ctx<'_>) -> Result<(Cube, usize), Stop> {
        let (mut cube, mut level) = (cube, level);
        while level < self.frames.last() && !self.has_predecessor(&cube, level, ctx)? {
            cube = self.core(&cube, level, ctx)?;
            level += 1;
        }
        Ok((cube, level))
    }

    fn learn(&mut self, cube: Cube, level: usize) {
        self.lemmas.keep(cube.lits().iter().copied());
        self.lemmas.solver.add_to_group(self.groups[level - 1].0, &cube.negation());
        let dropped = self.frames.add(cube, level);
        self.forget(&dropped);
    }

    /// Makes the groups of levels anew from which many lemmas have gone.
    fn forget(&mut self, dropped: &[(Cube, usize)]) {
        for (_, level) in dropped {
            let lemmas = self.level(*level);
            let (group, stale) = &mut self.groups[level - 1];
            *stale += 1;
            if *stale <= 20 + lemmas.len() {
                continue;
            }
            *stale = 0;
            self.lemmas.solver.release_group(*group);
            *group = self.lemmas.solver.new_group();
            for lemma in lemmas {
                self.lemmas.solver.add_to_group(*group, &lemma.negation());
            }
        }
    }

    /// Moves lemmas to the highest levels at which they hold, and those that hold by themselves to
    /// the infinite frame.
    pub(super) fn propagate(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let last = self.frames.last();
        for level in 1..last {
            let mut lemmas = self.level(level);
            lemmas.sort_by_key(Cube::len);
            for cube in lemmas {
                if !self.level(level).contains(&cube) {
                    continue;
                }
                if !self.has_predecessor(&cube, level, ctx)? {
                    let core = self.core(&cube, level, ctx)?;
                    self.learn(core, level + 1);
                }
            }
            if self.level(level).is_empty() {
                return Ok(());
            }
        }
        for cube in self.level(last) {
            if self.has_predecessor(&cube, last + 1, ctx)? {
                continue;
            }
            let core = self.core(&cube, last + 1, ctx)?;
            self.lemmas.keep(core.lits().iter().copied());
            self.lemmas.solver.add_clause(&core.negation());
            ctx.publish_clause(core.negation().into_iter().map(bit).collect());
            let dropped = self.frames.add_infinite(core);
            self.forget(&dropped);
        }
        Ok(())
    }
}
