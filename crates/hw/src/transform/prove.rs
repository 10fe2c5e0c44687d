//! Questions whether two edges of a graph can differ, for as long as there is a budget.
//!
//! The solver has the constraints and, of the graph, what the questions so far depend on; each
//! question ranges over its own cone. An answer is a valuation of inputs and latches, or the proof
//! that the edges are equal. Questions have a limit of conflicts, and all of them together one of
//! work; beyond it nothing is known, and nothing costs anything.
//!
//! Questions without an answer are what costs most: a conflict in a multiplier is worth thousands of easy
//! questions. So they may take what answers have taken, and a little more: each has a half of what is
//! left of that, which makes them cheap where they are many, and easy questions have their answers all
//! the same.

use crate::ask::make_variables;
use crate::settings::{SWEEP_LEAST_TICKS, SWEEP_PATIENCE};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge};
use alphorn_sat::{Answer, Budget, Lit, Solver, Var};

/// What is known of two edges.
pub(super) enum Known {
    Equal,
    /// They differ where the leaves have these values; the others do not matter.
    Differ(Vec<(u32, bool)>),
    Nothing,
}

/// Work that makes one tick of the engine; a unit takes about two nanoseconds.
const SCALE: u64 = 1 << 11;
/// The work of a tick of the solver, analysis of conflicts included.
const TICK: u64 = 1 << 5;
/// The work of a variable of a cone.
const VISIT: u64 = 1 << 2;

/// A solver for one graph, which may grow.
pub(super) struct Prover {
    solver: Solver,
    is_defined: Vec<bool>,
    stamp: Vec<u32>,
    clock: u32,
    cone: Vec<Var>,
    stack: Vec<u32>,
    conflicts: u64,
    /// Ticks that questions without an answer may take.
    patience: u64,
    /// What is left of the work.
    work: u64,
}

impl Prover {
    /// A prover that spends at most `conflicts` on a question and `work` on all of them.
    pub(super) fn new(conflicts: u64, work: u64) -> Prover {
        Prover {
            solver: Solver::default(),
            is_defined: Vec::new(),
            stamp: Vec::new(),
            clock: 0,
            cone: Vec::new(),
            stack: Vec::new(),
            conflicts,
            patience: SWEEP_PATIENCE.get(),
            work,
        }
    }

    /// A prover for another graph, with what this one has left.
    pub(super) fn renewed(&self) -> Prover {
        Prover { patience: self.patience, ..Prover::new(self.conflicts, self.work) }
    }

    /// Whether nothing is left to ask questions with.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work == 0
    }

    /// Requires `edge` of all valuations.
    pub(super) fn assume(&mut self, aig: &Aig, edge: Edge) {
        self.reach(aig, &[edge]);
        self.solver.keep_in_domain(&self.cone);
        self.solver.add_clause(&[lit(edge)]);
    }

    /// Whether the edges are equal in all valuations.
    pub(super) fn compare(
        &mut self,
        aig: &Aig,
        left: Edge,
        right: Edge,
        ctx: &mut Ctx<'_>,
    ) -> Result<Known, Stop> {
        if left == right {
            return Ok(Known::Equal);
        }
        if self.is_exhausted() {
            return Ok(Known::Nothing);
        }
        self.reach(aig, &[left, right]);
        self.solver.set_domain(&self.cone);
        self.spend(VISIT * self.cone.len() as u64, ctx)?;
        for (left, right) in [(left, right), (!left, !right)] {
            match self.ask(&[lit(left), lit(!right)], ctx)? {
                Answer::Unknown => return Ok(Known::Nothing),
                Answer::Unsat => {}
                Answer::Sat => return Ok(Known::Differ(self.leaves(aig))),
            }
        }
        Ok(Known::Equal)
    }

    fn ask(&mut self, assumptions: &[Lit], ctx: &mut Ctx<'_>) -> Result<Answer, Stop> {
        let limit = (self.patience / 2).max(SWEEP_LEAST_TICKS.get()).min(self.work / TICK);
        let (conflicts, ticks) = (Some(self.conflicts), Some(limit));
        self.solver.set_budget(Budget { conflicts, ticks, ..Budget::default() });
        let before = self.solver.stats().ticks;
        let answer = self.solver.solve(assumptions);
        let ticks = self.solver.stats().ticks - before;
        self.patience = match answer {
            Answer::Unknown => self.patience.saturating_sub(ticks),
            Answer::Sat | Answer::Unsat => self.patience.saturating_add(ticks),
        };
        self.spend(TICK * ticks, ctx)?;
        Ok(answer)
    }

    /// Takes work off the budget.
    pub(super) fn spend(&mut self, work: u64, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        self.work = self.work.saturating_sub(work);
        ctx.tick(1 + work / SCALE)
    }

    /// The values of the leaves of the cone in the model.
    fn leaves(&self, aig: &Aig) -> Vec<(u32, bool)> {
        let value = |index: u32| {
            let edge = aig.input(index);
            let is_known = self.is_defined.get(edge.node() as usize) == Some(&true);
            is_known.then(|| self.solver.value(lit(edge))).flatten()
        };
        (0..aig.inputs()).filter_map(|index| Some((index, value(index)?))).collect()
    }

    /// Collects the cone of the edges, and tells the solver about it.
    fn reach(&mut self, aig: &Aig, roots: &[Edge]) {
        if self.stamp.len() < aig.len() as usize {
            make_variables(&mut self.solver, aig.len());
            self.is_defined.resize(aig.len() as usize, false);
            self.stamp.resize(aig.len() as usize, 0);
        }
        if self.clock == 0 {
            self.solver.add_clause(&[lit(Edge::TRUE)]);
        }
        self.clock += 1;
        self.cone.clear();
        self.stack.extend(roots.iter().map(|edge| edge.node()));
        while let Some(node) = self.stack.pop() {
            if std::mem::replace(&mut self.stamp[node as usize], self.clock) == self.clock {
                continue;
            }
            self.cone.push(Var(node));
            let operands = aig.operands(node);
            let is_known = std::mem::replace(&mut self.is_defined[node as usize], true);
            if let Some((left, right)) = operands {
                if !is_known {
                    self.solver.define_and(Var(node), lit(left), lit(right));
                }
                self.stack.extend([left.node(), right.node()]);
            }
        }
    }
}

fn lit(edge: Edge) -> Lit {
    Lit::from_code(edge.code())
}
