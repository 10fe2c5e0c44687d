//! Bounded search that leaps: a length that takes long is not worth a proof that it has no violation.
//!
//! Lengths are asked about one by one as long as that is cheap. When one takes longer than the
//! patience, steps are added and all lengths up to there are asked about at once: if there is a violation
//! among them, it is often found sooner than the proof that the first one has none, as longer runs have
//! more freedom. If that takes too long as well, the first length is asked about again, with more
//! patience, then more of them at once. The solver keeps what it learned from all of these.
//!
//! Constraints need to hold up to the first violation only, so a run found for many lengths is cut there.
//! No leap goes beyond the bound that the context names.
//!
//! Asking about several lengths at once is common in portfolios; that they alternate is ours.

use super::unroll::{Start, Unrolling};
use crate::model::{completed, in_cone, until_bad};
use crate::settings::{LEAP_MAX_NODES, LEAP_PATIENCE, LEAP_SHORTEST};
use alphorn_engine::{Ctx, Engine, Stop};
use alphorn_problem::evidence::circuit::Trace;
use alphorn_problem::{Circuit, Finding};

/// The engine that leaps.
#[derive(Debug, Default)]
pub struct Leap;

impl Engine<Circuit> for Leap {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        in_cone(circuit, ctx, |circuit, ctx| {
            let mut search = Search::new(circuit);
            while !search.is_over() {
                if let Some(trace) = search.turn(u64::MAX, ctx)? {
                    return Ok(Finding::Fails(trace));
                }
                ctx.cleared(search.first as u64 - 1)?;
            }
            Err(Stop::Stuck("no run is long enough to be asked about".into()))
        })
    }

    fn searches_by_depth(&self) -> bool {
        true
    }
}

/// A search that can be interrupted and goes on where it was.
pub(crate) struct Search<'a> {
    circuit: &'a Circuit,
    unrolling: Unrolling<'a>,
    /// The first length, counted from 0, that may have violations.
    first: usize,
    /// How many steps there are.
    steps: usize,
    patience: u64,
    /// The steps of the next leap.
    leap: usize,
    /// Whether the question is about all lengths.
    is_leaping: bool,
}

impl<'a> Search<'a> {
    /// A search that begins with the first step.
    pub(crate) fn new(circuit: &'a Circuit) -> Search<'a> {
        Search {
            circuit,
            unrolling: Unrolling::new(circuit, Start::Reset),
            first: 0,
            steps: 0,
            patience: LEAP_PATIENCE.get(),
            leap: 0,
            is_leaping: false,
        }
    }

    /// Whether no run is as long as the steps.
    pub(crate) fn is_over(&self) -> bool {
        self.unrolling.is_over()
    }

    /// Searches for about so many ticks of the solver, or until a length is excluded; returns a run
    /// that ends with its first violation, if one was found.
    pub(crate) fn turn(&mut self, ticks: u64, ctx: &mut Ctx<'_>) -> Result<Option<Trace>, Stop> {
        let mut left = ticks;
        while left > 0 && !self.is_over() {
            if self.first == self.steps {
                self.add_step()?;
            }
            let most = left.min(self.patience);
            let answer = self.unrolling.is_bad_within(!self.is_leaping, most, ctx)?;
            left -= most;
            match answer {
                Some(true) => return Ok(Some(self.found())),
                Some(false) => {
                    self.exclude();
                    return Ok(None);
                }
                None if most == self.patience => self.turn_round(ctx.bound())?,
                None => {}
            }
        }
        Ok(None)
    }

    fn add_step(&mut self) -> Result<(), Stop> {
        if self.first < self.steps {
            self.unrolling.pass();
        }
        self.unrolling.step(self.steps)?;
        self.steps += 1;
        Ok(())
    }

    /// Goes from the first length to all of them, or back with more patience.
    fn turn_round(&mut self, bound: Option<u64>) -> Result<(), Stop> {
        let last = bound.map_or(usize::MAX, |bound| usize::try_from(bound).unwrap_or(usize::MAX));
        if self.is_leaping || self.first >= last {
            self.is_leaping = false;
            self.patience *= 2;
            return Ok(());
        }
        self.is_leaping = true;
        self.leap = (2 * self.leap).max(self.first).max(LEAP_SHORTEST.size());
        let end = (self.first + self.leap).min(last);
        while self.steps <= end && self.unrolling.nodes() < LEAP_MAX_NODES.size() {
            self.add_step()?;
        }
        Ok(())
    }

    /// Notes that there is no violation where it was asked about.
    fn exclude(&mut self) {
        if self.is_leaping || self.first + 1 == self.steps {
            self.unrolling.exclude(self.steps - 1);
            self.first = self.steps;
            (self.is_leaping, self.leap) = (false, 0);
        } else {
            self.unrolling.exclude_first();
            self.first += 1;
        }
    }

    fn found(&self) -> Trace {
        let (state, inputs) = self.unrolling.run(self.steps - 1);
        until_bad(self.circuit, completed(self.circuit, &state, &inputs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_problem::circuit::{Latch, Lit};

    #[test]
    fn no_leap_goes_beyond_the_bound() {
        let circuit = Circuit {
            latches: vec![Latch { next: Lit(3), reset: Lit::FALSE }],
            bads: vec![Lit(2)],
            ..Circuit::default()
        };
        for (bound, steps) in [(None, LEAP_SHORTEST.size() + 1), (Some(3), 4), (Some(0), 1)] {
            let mut search = Search::new(&circuit);
            search.add_step().expect("there is room");
            search.turn_round(bound).expect("there is room");
            assert_eq!(search.steps, steps, "{bound:?}");
        }
    }
}
