//! The solver that looks for responses that stay in what has not been taken away, and what can be learned when
//! there is none.
//!
//! Invariant: the solver has a good step that begins and, while the game goes on, ends outside of all cubes that
//! were taken away.

use super::arena::{Arena, State, Step};
use super::region::{Lost, valued};
use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};

/// A step that stays.
pub(super) struct Stay {
    pub(super) step: Step,
}

impl Stay {
    pub(super) fn new(arena: &Arena) -> Stay {
        let mut step = Step::new(arena);
        let (bad, holds) = (step.bad, step.holds);
        step.solver.add_clause(&[!holds, !bad]);
        Stay { step }
    }

    /// Whether there is a response that stays; if not, the core is in the solver.
    pub(super) fn response(
        &mut self,
        latches: &[bool],
        others: &[bool],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let inputs = valued(&self.step.others, others);
        let all = [inputs, valued(&self.step.latches, latches)].concat();
        ask(&mut self.step.solver, &all, None, ctx)
    }

    /// The states that lose to these inputs for the reason that the solver has just found, and to as few
    /// latches as possible.
    pub(super) fn lost(&mut self, others: &[bool], ctx: &mut Ctx<'_>) -> Result<Vec<State>, Stop> {
        let inputs = valued(&self.step.others, others);
        let mut cube = self.failed_latches();
        let mut kept = 0;
        while kept < cube.len() {
            let mut fewer = cube.clone();
            fewer.remove(kept);
            let all = [&inputs[..], &Step::inside(&fewer, &self.step.latches)].concat();
            if ask(&mut self.step.solver, &all, None, ctx)? {
                kept += 1;
                continue;
            }
            let core = self.failed_latches();
            // What was found to be needed stays, though another core may do without.
            let is_in_order = core.len() >= kept && core[..kept] == cube[..kept];
            cube = if is_in_order { core } else { fewer };
        }
        Ok(cube)
    }

    /// The part of the state that the last answer needed.
    fn failed_latches(&self) -> Vec<State> {
        let solver = &self.step.solver;
        let lits = self.step.latches.iter().enumerate();
        let failed = lits.filter_map(|(index, lit)| match () {
            () if solver.is_failed(*lit) => Some((index as u32, true)),
            () if solver.is_failed(!*lit) => Some((index as u32, false)),
            () => None,
        });
        failed.collect()
    }

    pub(super) fn take_away(&mut self, lost: &Lost) {
        let Step { latches, next, holds, .. } = &self.step;
        let here = Step::outside(&lost.cube, latches);
        let mut there = Step::outside(&lost.cube, next);
        there.push(!*holds);
        self.step.solver.add_clause(&here);
        self.step.solver.add_clause(&there);
    }
}
