//! Bounded model checking on the side, for counterexamples that lie deeper than the trace.
//!
//! The trace grows by one level at a time and proves something at each, which is slow where a violation
//! is many steps away. The probe looks for runs from the resets alone and gets a share of the work.

use crate::ask::SCALE;
use crate::bmc::unroll::{Start, Unrolling};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;

/// The fewest ticks of the solver that a turn has.
const TURN: u64 = 1 << 16;

/// A search that can be interrupted and goes on where it was.
pub(super) struct Probe<'a> {
    unrolling: Unrolling<'a>,
    /// The length that is asked about.
    depth: usize,
    /// How many steps there are.
    steps: usize,
}

/// The first state and the inputs of a run.
type Found = (Vec<bool>, Vec<Vec<bool>>);

impl<'a> Probe<'a> {
    /// A search that begins with the first step.
    pub(super) fn new(circuit: &'a Circuit) -> Probe<'a> {
        Probe { unrolling: Unrolling::new(circuit, Start::Reset), depth: 0, steps: 0 }
    }

    /// Searches for about so many ticks of the engine; returns a bad run if there is one.
    pub(super) fn turn(&mut self, ticks: u64, ctx: &mut Ctx<'_>) -> Result<Option<Found>, Stop> {
        let end = ctx.ticks_used().saturating_add(ticks);
        while ctx.ticks_used() < end && !self.unrolling.is_over() {
            if self.steps == self.depth {
                self.unrolling.step(self.depth)?;
                self.steps += 1;
            }
            let left = (end - ctx.ticks_used()).saturating_mul(SCALE).max(TURN);
            match self.unrolling.is_bad_within(self.depth, left, ctx)? {
                Some(true) => return Ok(Some(self.unrolling.run(self.depth))),
                Some(false) => {
                    self.unrolling.exclude(self.depth);
                    self.depth += 1;
                }
                None => break,
            }
        }
        Ok(None)
    }
}
