//! Lifting: from a state that leads somewhere to all states that do so for the same reason.
//!
//! The solver has the circuit alone. Under the inputs and the state of a model it is contradictory
//! to miss the target or a constraint, and the failed assumptions are the part of the state that
//! matters. Active literals come first, so that cores prefer them; further rounds turn the order
//! round, as long as they gain.
//!
//! Where it need not be the best part, nobody is asked: each gate that is true needs its inputs, one
//! that is false needs one false input, and the latches met on the way are the part of the state.
//!
//! After Chockler, Ivrii, Matsliah, Moran, Nevo, "Incremental Formal Verification of Hardware" (FMCAD
//! 2011).

use super::side::Side;
use crate::ask::{ask, same};
use crate::frames::{Activity, Cube};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::{Lit, Solver};

/// A step that leads somewhere: the part of the state that matters, and the inputs.
pub(super) struct Step {
    pub(super) cube: Cube,
    pub(super) inputs: Vec<Lit>,
}

/// The solver that lifts.
pub(super) struct Lifting {
    side: Side,
    /// Inputs have smaller variables than this.
    first_latch: u32,
    /// Latches have smaller variables than this.
    first_gate: u32,
    /// The inputs of the gates.
    gates: Vec<[Lit; 2]>,
    constraints: Vec<Lit>,
    stamp: Vec<u32>,
    clock: u32,
    stack: Vec<Lit>,
}

impl Lifting {
    pub(super) fn new(circuit: &Circuit, constraints: Vec<Lit>) -> Lifting {
        let first_latch = circuit.inputs + 1;
        let first_gate = first_latch + circuit.latches.len() as u32;
        let count = circuit.max_var() as usize + 1;
        Lifting {
            side: Side::new(circuit),
            first_latch,
            first_gate,
            gates: circuit.ands.iter().map(|gate| [same(gate.left), same(gate.right)]).collect(),
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
        for var in self.side.cone.iter().filter(|var| var.0 < self.first_gate && var.0 > 0) {
            if let Some(value) = model.value(var.positive()) {
                let list = if var.0 < self.first_latch { &mut inputs } else { &mut state };
                list.push(var.lit(value));
            }
        }
        inputs.sort_unstable();
        activity.sort_descending(&mut state);
        let mut assumptions = Vec::with_capacity(inputs.len() + state.len());
        for _ in 0..rounds {
            assumptions.clear();
            assumptions.extend(inputs.iter().chain(&state));
            if ask(&mut self.side.solver, &assumptions, Some(&clause), ctx)? {
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
            let Some(gate) = var.0.checked_sub(self.first_gate) else {
                if var.0 >= self.first_latch {
                    state.push(lit);
                }
                continue;
            };
            let [left, right] = self.gates[gate as usize];
            if !lit.is_negated() {
                self.stack.extend([left, right]);
                continue;
            }
            let is_false = |lit: &Lit| model.value(*lit) == Some(false);
            let is_met = |lit: &Lit| self.stamp[lit.var().index()] == self.clock;
            let choice = match (is_false(&left), is_false(&right)) {
                (true, true) if is_met(&right) && !is_met(&left) => right,
                (true, _) => left,
                (false, true) => right,
                (false, false) => return None,
            };
            self.stack.push(!choice);
        }
        Some(Cube::new(state))
    }
}
