//! A solver with one copy of a circuit, whose queries are restricted to cones.
//!
//! Variables keep the circuit's numbers, and gates are known to the solver as definitions, so that
//! an answer about the cone of what a query mentions extends to the rest of the circuit.

use super::dag::Dag;
use crate::ask::{ask, make_variables};
use crate::frames::Cube;
use crate::settings::IC3_LEARNED_SHARE;
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::{Lit, Options, Solver, Var};
use std::rc::Rc;

/// The solver, and what is needed to find cones.
pub(super) struct Side {
    pub(super) solver: Solver,
    dag: Rc<Dag>,
    stamp: Vec<u32>,
    clock: u32,
    stack: Vec<u32>,
    /// The last cone.
    pub(super) cone: Vec<Var>,
    is_kept: Vec<bool>,
    /// The cube that the domain was last set for, if it was.
    focus: Option<Cube>,
}

impl Side {
    pub(super) fn new(dag: &Rc<Dag>) -> Side {
        let count = dag.variables();
        let mut solver = Solver::new(Options {
            reduce_between: IC3_LEARNED_SHARE.short(),
            ..Options::default()
        });
        make_variables(&mut solver, count as u32);
        solver.add_clause(&[Var(0).negative()]);
        for gate in dag.gates() {
            solver.define(gate, dag.clauses(gate));
        }
        Side {
            solver,
            dag: Rc::clone(dag),
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
            self.stack.extend_from_slice(self.dag.inputs(var));
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
