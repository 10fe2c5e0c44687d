//! A solver with one copy of a circuit, whose queries are restricted to cones.
//!
//! Variables keep the circuit's numbers, and gates are known to the solver as definitions, so that
//! an answer about the cone of what a query mentions extends to the rest of the circuit.

use crate::ask::{ask, make_variables, same};
use crate::frames::Cube;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_sat::{Lit, Solver, Var};

/// The solver, and what is needed to find cones.
pub(super) struct Side {
    pub(super) solver: Solver,
    /// The inputs of each gate; twice `NONE` for others.
    gates: Vec<[u32; 2]>,
    stamp: Vec<u32>,
    clock: u32,
    stack: Vec<u32>,
    /// The last cone.
    pub(super) cone: Vec<Var>,
    is_kept: Vec<bool>,
    /// The cube that the domain was last set for, if it was.
    focus: Option<Cube>,
}

const NONE: u32 = u32::MAX;

impl Side {
    pub(super) fn new(circuit: &Circuit) -> Side {
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
    pub(super) fn restrict(&mut self, roots: impl IntoIterator<Item = Lit>) {
        self.focus = None;
        self.reach(roots);
        self.solver.set_domain(&self.cone);
    }

    /// Restricts queries to what the roots, which belong to the cube, depend on. What was done for a
    /// cube serves its parts, too, unless they are much smaller.
    pub(super) fn focus(&mut self, cube: &Cube, roots: impl IntoIterator<Item = Lit>) {
        let serves = |focus: &Cube| 2 * cube.len() >= focus.len() && cube.subsumes(focus);
        if !self.focus.as_ref().is_some_and(serves) {
            self.restrict(roots);
            self.focus = Some(cube.clone());
        }
    }

    /// Lets all queries see what the roots depend on.
    pub(super) fn keep(&mut self, roots: impl IntoIterator<Item = Lit>) {
        self.reach(roots);
        let Side { cone, is_kept, .. } = self;
        cone.retain(|var| !std::mem::replace(&mut is_kept[var.index()], true));
        if !cone.is_empty() {
            self.solver.keep_in_domain(cone);
        }
    }

    /// Whether the literals can be true together.
    pub(super) fn can_hold(&mut self, lits: &[Lit], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.restrict(lits.iter().copied());
        ask(&mut self.solver, lits, None, ctx)
    }
}
