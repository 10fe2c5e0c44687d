//! Interpolants as clauses: what is bad soon is excluded from level after level, in clauses.
//!
//! As in `imc`, a bound says how many steps ahead something bad is looked for, and a traversal goes from
//! level to level as long as no level has a state that both can be reached from the one before and is bad
//! within the bound; then the bound grows. But a level is a set of clauses. A state of it that is bad soon
//! and has no predecessor in the level below is widened to a cube of such states, whose negation holds of
//! the image and contradicts the state: clause by clause that is an interpolant between the step and what
//! follows it, without a proof. Levels are those of the trace that `ic3` and `avy` work on, with its
//! generalization, and are kept when the bound grows. States that have a predecessor are not followed
//! backwards, as in `ic3`; that a longer bound has to tell.
//!
//! Invariant: every level below the last one contains no bad state, so that two equal frames are an
//! invariant.
//!
//! Interpolants as clauses are from Vizel, Ryvchin, Nadel, "Efficient Generation of Small Interpolants in
//! CNF" (CAV 2013), and that they need no proof from Chockler, Ivrii, Matsliah, "Computing Interpolants
//! without Proofs" (HVC 2012); that the levels are one monotone trace from Avy (CAV 2014).

use super::soon::Soon;
use crate::bmc::unroll::{Start, Unrolling};
use crate::circuit::first_bad;
use crate::ic3::{Question, Reduced, Settings, Trace};
use crate::interpolation::first::{first_step, tied};
use crate::model::completed;
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::CircuitClaim;
use alphorn_problem::{Circuit, Finding};

/// Interpolation with clauses.
#[derive(Debug, Default)]
pub struct Clauses;

impl Engine<Circuit> for Clauses {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        first_bad(circuit)?;
        let reduced = Reduced::new(&Question::new(circuit));
        let finding = match first_step(&reduced.circuit, ctx)? {
            Some(finding) => finding,
            None => Run::new(&reduced)?.run(ctx)?,
        };
        Ok(match finding {
            Finding::Fails(trace) => Finding::Fails(reduced.widen_trace(&trace)),
            safe => safe,
        })
    }
}

/// The state of a run.
struct Run<'a> {
    reduced: &'a Reduced<'a>,
    trace: Trace<'a>,
    soon: Soon<'a>,
    /// Runs from the resets, for violations.
    runs: Unrolling<'a>,
}

impl<'a> Run<'a> {
    fn new(reduced: &'a Reduced<'a>) -> Result<Run<'a>, Stop> {
        let circuit = &reduced.circuit;
        let mut runs = Unrolling::new(circuit, Start::Reset);
        runs.step(0)?;
        runs.exclude(0);
        let mut trace = Trace::new(reduced, Settings::default());
        trace.extend();
        Ok(Run { reduced, trace, soon: Soon::new(circuit), runs })
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        for bound in 1.. {
            self.runs.step(bound)?;
            if self.runs.is_bad(bound, ctx)? {
                let (state, inputs) = self.runs.run(bound);
                return Ok(Finding::Fails(completed(&self.reduced.circuit, &state, &inputs)));
            }
            self.runs.exclude(bound);
            self.soon.extend();
            if let Some(safe) = self.traverse(ctx)? {
                return Ok(safe);
            }
            ctx.emit(Event::Bound { depth: bound as u64 });
            ctx.emit(self.trace.frames.sizes());
        }
        unreachable!("bounds do not end")
    }

    /// Excludes what is bad within the bound from level after level, until that fails or two frames are
    /// equal.
    fn traverse(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Finding<Circuit>>, Stop> {
        let mut level = 1;
        while self.exclude(level, ctx)? {
            if let Some(safe) = self.closed() {
                return Ok(Some(safe));
            }
            if level == self.trace.frames.last() {
                self.trace.extend();
                self.trace.take_news(ctx)?;
                self.trace.propagate(ctx)?;
                if let Some(safe) = self.closed() {
                    return Ok(Some(safe));
                }
                self.trace.push_to_infinity(ctx)?;
                if let Some(safe) = self.closed() {
                    return Ok(Some(safe));
                }
            }
            level += 1;
        }
        // No run from the resets is bad within the bound.
        if level == 1 { Err(tied()) } else { Ok(None) }
    }

    /// Excludes from a level what is bad within the bound; false if some of it has a predecessor.
    fn exclude(&mut self, level: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.soon.update(&self.trace.frames, level);
        while let Some(state) = self.soon.find(level, ctx)? {
            let Some(lemma) = self.trace.block(&state, level, ctx)? else { return Ok(false) };
            self.soon.learned(&lemma, level);
        }
        Ok(true)
    }

    /// The finding, if two frames are equal.
    fn closed(&self) -> Option<Finding<Circuit>> {
        let cubes = self.trace.frames.invariant()?;
        Some(Finding::Holds(CircuitClaim::of(self.reduced.invariant(&cubes))))
    }
}
