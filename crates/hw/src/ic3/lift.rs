//! Lifting: from a state that leads somewhere to all states that do so for the same reason.
//!
//! The solver has the circuit alone. Under the inputs and the state of a model it is contradictory
//! to miss the target or a constraint, and the failed assumptions are the part of the state that
//! matters. Active literals come first, so that cores prefer them; further rounds turn the order
//! round, as long as they gain.
//!
//! Where it need not be the best part, nobody is asked: each clause that defines a gate needs one true
//! literal, and the latches met on the way are the part of the state.
//!
//! After Chockler, Ivrii, Matsliah, Moran, Nevo, "Incremental Formal Verification of Hardware" (FMCAD
//! 2011).

use super::dag::Dag;
use super::side::Side;
use super::signals::Signals;
use crate::ask::ask;
use crate::frames::{Activity, Cube};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::{Lit, Solver, Var};
use std::rc::Rc;

/// A step that leads somewhere: the part of the state that matters, and the inputs.
pub(super) struct Step {
    pub(super) cube: Cube,
    pub(super) inputs: Vec<Lit>,
}

/// The solver that lifts.
pub(super) struct Lifting<'a> {
    side: Side,
    /// Inputs have smaller variables than this.
    first_latch: u32,
    signals: &'a Signals,
    dag: Rc<Dag>,
    constraints: Vec<Lit>,
    stamp: Vec<u32>,
    clock: u32,
    stack: Vec<Lit>,
}

impl<'a> Lifting<'a> {
    pub(super) fn new(
        circuit: &Circuit,
        signals: &'a Signals,
        dag: &Rc<Dag>,
        constraints: Vec<Lit>,
    ) -> Lifting<'a> {
        let first_latch = circuit.inputs + 1;
        let count = circuit.max_var() as usize + 1;
        Lifting {
            side: Side::new(dag),
            first_latch,
            signals,
            dag: Rc::clone(dag),
            constraints,
            stamp: vec![0; count],
            clock: 0,
            stack: Vec::new(),
        }
    }

    /// The solver.
    pub(super) fn side(&self) -> &Side {
        &self.side
    }

    /// The part of the state of a model that leads to the target, whatever the rest is, under the
    /// inputs of the model; found in at most so many rounds.
    pub(super) fn lift(
        &mut self,
        model: &Solver,
        target: &[Lit],
        rounds: usize,
        activity: &Activity,
        ctx: &mut Ctx<'_>,
    ) -> Result<Step, Stop> {
        let clause: Vec<Lit> = target.iter().chain(&self.constraints).map(|lit| !*lit).collect();
        self.side.restrict(clause.iter().copied());
        let (mut inputs, mut state) = (Vec::new(), Vec::new());
        for var in self.side.cone.iter().filter(|var| var.0 > 0) {
            let list = match var.0 < self.first_latch {
                true => &mut inputs,
                false if self.signals.contains(*var) => &mut state,
                false => continue,
            };
            if let Some(value) = model.value(var.positive()) {
                list.push(var.lit(value));
            }
        }
        inputs.sort_unstable();
        activity.sort_descending(&mut state);
        // Gates near the target say most.
        let gates = |lit: &Lit| if self.signals.is_gate(lit.var()) { lit.var().0 } else { 0 };
        state.sort_by_key(|lit| std::cmp::Reverse(gates(lit)));
        let mut assumptions = Vec::with_capacity(inputs.len() + state.len());
        for _ in 0..rounds {
            assumptions.clear();
            assumptions.extend(inputs.iter().chain(&state));
            if ask(&mut self.side.solver, &assumptions, Some(&clause), ctx)? {
                if self.signals.is_abstract() {
                    return Ok(Step { cube: self.projection(model), inputs });
                }
                return Err(Stop::Stuck("a step was not determined by its state".into()));
            }
            let before = state.len();
            let solver = &self.side.solver;
            state.retain(|lit| solver.is_failed(*lit));
            if state.len() == before {
                break;
            }
            state.reverse();
        }
        Ok(Step { cube: Cube::new(state), inputs })
    }

    /// All that the signals say of the state of a model.
    fn projection(&self, model: &Solver) -> Cube {
        let lit = |var: Var| model.value(var.positive()).map(|value| var.lit(value));
        Cube::new(self.signals.all().filter_map(lit).collect())
    }

    /// A part of the state of a model that leads to the target, whatever the rest is, under the inputs
    /// of the model; nothing if the model does not say why the target is true.
    pub(super) fn justify(&mut self, model: &Solver, target: &[Lit]) -> Option<Cube> {
        self.clock += 1;
        self.stack.clear();
        self.stack.extend(target.iter().chain(&self.constraints));
        let mut state = Vec::new();
        while let Some(lit) = self.stack.pop() {
            let var = lit.var();
            if std::mem::replace(&mut self.stamp[var.index()], self.clock) == self.clock {
                continue;
            }
            if var.0 < self.first_latch {
                continue;
            }
            if self.signals.contains(var) {
                state.push(lit);
                continue;
            }
            for clause in self.dag.clauses(var).iter().filter(|clause| clause[0] == !lit) {
                let is_true = |lit: &&Lit| model.value(**lit) == Some(true);
                let is_met = |lit: &&Lit| self.stamp[lit.var().index()] == self.clock;
                let mut reasons = clause.iter().filter(is_true);
                let first = reasons.clone().next()?;
                self.stack.push(*reasons.find(is_met).unwrap_or(first));
            }
        }
        Some(Cube::new(state))
    }
}
