//! The questions that IC3 asks, and the three solvers that answer them.
//!
//! Each solver has one copy of the circuit, whose variables keep their numbers; the successor of a
//! latch is the literal of its next function. The *frames* have the constraints and the lemmas, a
//! group of clauses for each level, of which a query assumes those from its level on. The *start* has
//! the constraints and the resets. *Lifting* has the circuit alone: under the inputs and the state of
//! a model, missing the target is contradictory, and the failed assumptions are the part of the state
//! that matters.
//!
//! Invariant: queries range over the cone of what they mention, the constraints' cones, and the latches of
//! all lemmas; gates are known to the solvers, so that an answer about a domain extends to the rest.

use super::activity::Activity;
use crate::ask::{ask, make_variables, same};
use crate::frames::Cube;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::{Group, Lit, Solver, Var};

/// A solver with a circuit, and what is needed to restrict queries to cones.
struct Side {
    solver: Solver,
    /// The inputs of each gate; twice `NONE` for others.
    gates: Vec<[u32; 2]>,
    stamp: Vec<u32>,
    clock: u32,
    stack: Vec<u32>,
    cone: Vec<Var>,
    is_kept: Vec<bool>,
    /// What the domain was last set for.
    focus: Option<Cube>,
}

const NONE: u32 = u32::MAX;

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
        Side {
            solver,
            gates,
            stamp: vec![0; count],
            clock: 0,
            stack: Vec::new(),
            cone: Vec::new(),
            is_kept: vec![false; count],
            focus: None,
        }
    }

    /// Collects what the roots depend on in `cone`.
    fn reach(&mut self, roots: impl IntoIterator<Item = Lit>) {
        self.clock += 1;
        self.cone.clear();
        self.stack.extend(roots.into_iter().map(|lit| lit.var().0));
        while let Some(var) = self.stack.pop() {
            if std::mem::replace(&mut self.stamp[var as usize], self.clock) == self.clock {
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
        self.focus = None;
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

/// A step that leads somewhere: the part of the state that matters, and the inputs.
pub(crate) struct Step {
    pub(crate) cube: Cube,
    pub(crate) inputs: Vec<Lit>,
}

/// The solvers.
pub(crate) struct Queries<'a> {
    circuit: &'a Circuit,
    bad: Lit,
    constraints: Vec<Lit>,
    frames: Side,
    start: Side,
    lifting: Side,
    /// The group of each level but 0, and how many of its clauses are lemmas no more.
    groups: Vec<(Group, usize)>,
    /// Whether some latch starts with the value of a function.
    has_functions: bool,
    assumptions: Vec<Lit>,
}

impl<'a> Queries<'a> {
    pub(crate) fn new(circuit: &'a Circuit) -> Queries<'a> {
        let constraints: Vec<Lit> = circuit.constraints.iter().map(|lit| same(*lit)).collect();
        let [mut frames, mut start, lifting] = [(); 3].map(|()| Side::new(circuit));
        for side in [&mut frames, &mut start] {
            for constraint in &constraints {
                side.solver.add_clause(&[*constraint]);
            }
            side.keep(constraints.iter().copied());
        }
        let mut has_functions = false;
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
            bad: same(circuit.safety()[0]),
            constraints,
            frames,
            start,
            lifting,
            groups: Vec::new(),
            has_functions,
            assumptions: Vec::new(),
        }
    }

    /// How many questions were asked.
    pub(crate) fn asked(&self) -> u64 {
        let sides = [&self.frames, &self.start, &self.lifting];
        sides.iter().map(|side| side.solver.stats().solves).sum()
    }

    /// Makes room for one level more.
    pub(crate) fn extend(&mut self) {
        let group = self.frames.solver.new_group();
        self.groups.push((group, 0));
    }

    fn side(&mut self, level: usize) -> &mut Side {
        if level == 0 { &mut self.start } else { &mut self.frames }
    }

    fn latch(&self, lit: Lit) -> usize {
        (lit.var().0 - self.circuit.inputs - 1) as usize
    }

    /// The literal that says after a step what `lit` says of a latch.
    fn next(&self, lit: Lit) -> Lit {
        same(self.circuit.latches[self.latch(lit)].next).xor(lit.is_negated())
    }

    /// The literals that say after a step what the cube says.
    pub(crate) fn successor(&self, cube: &Cube) -> Vec<Lit> {
        cube.lits().iter().map(|lit| self.next(*lit)).collect()
    }

    /// What makes a step bad.
    pub(crate) fn bad(&self) -> Vec<Lit> {
        vec![self.bad]
    }

    /// Begins the assumptions of a query with the groups that hold at a level; the last one comes
    /// first, so that queries share a prefix.
    fn assume_frame(&mut self, level: usize) {
        self.assumptions.clear();
        if level > 0 && level <= self.groups.len() {
            let groups = self.groups[level - 1..].iter().rev();
            self.assumptions.extend(groups.map(|(group, _)| group.lit()));
        }
    }

    /// Whether a state of the frame is bad.
    pub(crate) fn has_bad(&mut self, level: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.assume_frame(level);
        let bad = self.bad;
        self.assumptions.push(bad);
        let assumptions = std::mem::take(&mut self.assumptions);
        let side = self.side(level);
        side.restrict([bad]);
        let answer = ask(&mut side.solver, &assumptions, None, ctx);
        self.assumptions = assumptions;
        answer
    }

    /// Whether a state of the frame outside the cube has a successor in it; levels beyond the last
    /// stand for the infinite frame.
    pub(crate) fn has_predecessor(
        &mut self,
        cube: &Cube,
        level: usize,
        activity: &Activity,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.assume_frame(level);
        let mut order: Vec<Lit> = cube.lits().to_vec();
        activity.sort_descending(&mut order);
        let next: Vec<Lit> = order.into_iter().map(|lit| self.next(lit)).collect();
        self.assumptions.extend(next);
        let successor = self.successor(cube);
        let assumptions = std::mem::take(&mut self.assumptions);
        let side = self.side(level);
        let is_focused = side
            .focus
            .as_ref()
            .is_some_and(|focus| 2 * cube.len() >= focus.len() && cube.subsumes(focus));
        if !is_focused {
            side.restrict(successor.into_iter().chain(cube.lits().iter().copied()));
            side.focus = Some(cube.clone());
        }
        let clause = cube.negation();
        let answer = ask(&mut side.solver, &assumptions, Some(&clause), ctx);
        self.assumptions = assumptions;
        answer
    }

    /// The part of the cube that has no predecessor either, by the last answer, and excludes the
    /// start.
    pub(crate) fn core(
        &mut self,
        cube: &Cube,
        level: usize,
        activity: &Activity,
        ctx: &mut Ctx<'_>,
    ) -> Result<Cube, Stop> {
        let next = self.successor(cube);
        let solver = &self.side(level).solver;
        let needed = cube.lits().iter().zip(&next).filter(|(_, next)| solver.is_failed(**next));
        let core = Cube::new(needed.map(|(lit, _)| *lit).collect());
        if !self.is_initial(&core, ctx)? {
            return Ok(core);
        }
        let mut lits = core.lits().to_vec();
        let excluding = cube.lits().iter().copied().filter(|lit| self.excludes_start(*lit));
        if let Some(lit) = activity.most(excluding) {
            lits.push(lit);
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
    ///
    /// Where resets are constants, what the constraints exclude in addition is not looked at.
    pub(crate) fn is_initial(&mut self, cube: &Cube, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if cube.lits().iter().any(|lit| self.excludes_start(*lit)) {
            return Ok(false);
        }
        if !self.has_functions {
            return Ok(true);
        }
        self.start.restrict(cube.lits().iter().copied());
        ask(&mut self.start.solver, cube.lits(), None, ctx)
    }

    /// Whether a run can begin with the step.
    pub(crate) fn can_begin(&mut self, step: &Step, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let lits: Vec<Lit> = step.inputs.iter().chain(step.cube.lits()).copied().collect();
        self.start.restrict(lits.iter().copied());
        ask(&mut self.start.solver, &lits, None, ctx)
    }

    /// Whether a run can begin with a step that makes all literals of the target true.
    pub(crate) fn can_begin_before(
        &mut self,
        target: &[Lit],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.start.restrict(target.iter().copied());
        ask(&mut self.start.solver, target, None, ctx)
    }

    /// The first state and inputs of the last answer about the start.
    pub(crate) fn beginning(&self) -> (Vec<bool>, Vec<bool>) {
        let circuit = self.circuit;
        let value = |lit| self.start.solver.value(same(lit)) == Some(true);
        let state = (0..circuit.latches.len()).map(|index| value(circuit.latch(index)));
        let inputs = (0..circuit.inputs as usize).map(|index| value(circuit.input(index)));
        (state.collect(), inputs.collect())
    }

    /// The part of the state of the last answer about a frame that leads to the target, whatever the
    /// rest is, under the inputs of the answer.
    pub(crate) fn lift(
        &mut self,
        target: &[Lit],
        activity: &Activity,
        ctx: &mut Ctx<'_>,
    ) -> Result<Step, Stop> {
        let first_gate = self.circuit.inputs + 1 + self.circuit.latches.len() as u32;
        let clause: Vec<Lit> = target.iter().chain(&self.constraints).map(|lit| !*lit).collect();
        self.lifting.restrict(clause.iter().copied());
        let model = &self.frames.solver;
        let (mut inputs, mut state) = (Vec::new(), Vec::new());
        for var in self.lifting.cone.iter().filter(|var| var.0 < first_gate && var.0 > 0) {
            if let Some(value) = model.value(var.positive()) {
                let list = if var.0 <= self.circuit.inputs { &mut inputs } else { &mut state };
                list.push(var.lit(value));
            }
        }
        inputs.sort_unstable();
        activity.sort_descending(&mut state);
        let mut before = usize::MAX;
        while state.len() < before {
            before = state.len();
            let assumptions: Vec<Lit> = inputs.iter().chain(&state).copied().collect();
            if ask(&mut self.lifting.solver, &assumptions, Some(&clause), ctx)? {
                return Err(Stop::Stuck("a step was not determined by its state".into()));
            }
            let solver = &self.lifting.solver;
            state.retain(|lit| solver.is_failed(*lit));
            state.reverse();
        }
        Ok(Step { cube: Cube::new(state), inputs })
    }

    /// Whether the last answer about a frame has the literal false.
    pub(crate) fn is_false(&self, lit: Lit, level: usize) -> bool {
        let side = if level == 0 { &self.start } else { &self.frames };
        side.solver.value(lit) == Some(false)
    }

    /// Adds a lemma to a level.
    pub(crate) fn learn(&mut self, cube: &Cube, level: usize) {
        self.frames.keep(cube.lits().iter().copied());
        self.frames.solver.add_to_group(self.groups[level - 1].0, &cube.negation());
    }

    /// Adds a lemma that holds in all reachable states.
    pub(crate) fn learn_forever(&mut self, cube: &Cube) {
        self.frames.keep(cube.lits().iter().copied());
        self.frames.solver.add_clause(&cube.negation());
    }

    /// Notes that `count` lemmas of a level have gone; `lemmas` are what it has.
    pub(crate) fn forget(&mut self, level: usize, count: usize, lemmas: &[Cube]) {
        let Some((group, stale)) = level.checked_sub(1).map(|index| &mut self.groups[index]) else {
            return;
        };
        *stale += count;
        if *stale <= 20 + lemmas.len() {
            return;
        }
        *stale = 0;
        self.frames.solver.release_group(*group);
        *group = self.frames.solver.new_group();
        for lemma in lemmas {
            self.frames.solver.add_to_group(*group, &lemma.negation());
        }
    }
}
