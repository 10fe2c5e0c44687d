//! One run for many questions: whether the property holds where certain literals are true.
//!
//! A step is bad only if the literals of the question are true in it. Frames say what is reachable in so
//! many steps, whatever is bad, so that lemmas of one question serve the next. What does not carry over is
//! that frames exclude bad states: until the last one does, which contains all others, two equal frames
//! prove nothing. Whatever is inductive in the end holds for good and goes to the infinite frame, which
//! answers many questions by itself.
//!
//! After Bittner, Bozzano, Cimatti, Gario, Griggio (FMCAD 2014): S restricted to g has a property iff S has
//! it where g is true.

use super::obligations::Obligations;
use super::question::Outcome;
use super::run::Run;
use crate::frames::Cube;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::circuit;
use alphorn_problem::evidence::circuit::Trace;
use alphorn_sat::Lit;

impl Run<'_> {
    /// Whether what holds for good excludes steps that are bad where the literals are true.
    pub(crate) fn is_excluded(&mut self, with: &[Lit], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        self.trace.queries.narrow(with);
        let forever = self.trace.frames.last() + 1;
        Ok(!self.trace.queries.has_bad(forever, ctx)?)
    }

    /// Whether the last answer that something is excluded needs the literal.
    pub(crate) fn is_needed(&self, lit: Lit) -> bool {
        self.trace.queries.is_needed(lit)
    }

    /// A run of the reduced circuit that violates the property where the literals are true; if there is
    /// none, what holds for good excludes it.
    pub(crate) fn violation(
        &mut self,
        with: &[Lit],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Trace>, Stop> {
        self.trace.queries.narrow(with);
        self.obligations = Obligations::default();
        self.is_certain = false;
        if self.trace.queries.has_bad(0, ctx)? {
            return Ok(violated(self.fails(None)?));
        }
        if self.trace.frames.last() == 0 {
            self.trace.extend();
        }
        loop {
            if let Some(end) = self.exclude_bad(ctx)? {
                return Ok(self.ended(end, ctx));
            }
            self.is_certain = true;
            if self.trace.frames.invariant().is_none() {
                self.trace.extend();
                self.trace.propagate(ctx)?;
            }
            if self.trace.frames.invariant().is_none() {
                self.trace.push_to_infinity(ctx)?;
            }
            if let Some(cubes) = self.trace.frames.invariant() {
                self.settle(cubes, ctx);
                return Ok(None);
            }
        }
    }

    /// Takes in clauses of the circuit asked about that may hold, before the first question.
    pub(crate) fn guess(
        &mut self,
        known: &[Vec<circuit::Lit>],
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let cubes = known.iter().filter_map(|clause| self.trace.cube_against(clause)).collect();
        let hints = self.trace.adopt(cubes, ctx)?;
        self.trace.extend();
        self.begin(&hints, ctx)
    }

    /// What holds for good, as clauses of the circuit asked about.
    pub(crate) fn invariant_clauses(&self) -> Vec<Vec<circuit::Lit>> {
        let cubes: Vec<Cube> = self.trace.frames.infinite().cloned().collect();
        self.trace.reduced.clauses(&cubes)
    }

    fn ended(&mut self, end: Outcome, ctx: &mut Ctx<'_>) -> Option<Trace> {
        if matches!(end, Outcome::Safe(_))
            && let Some(cubes) = self.trace.frames.invariant()
        {
            self.settle(cubes, ctx);
        }
        violated(end)
    }

    /// Keeps the cubes of an inductive frame for good.
    fn settle(&mut self, cubes: Vec<Cube>, ctx: &mut Ctx<'_>) {
        let forever = self.trace.frames.last() + 1;
        for cube in cubes {
            if self.trace.frames.blocked(&cube, forever).is_none() {
                self.trace.keep_forever(cube, ctx);
            }
        }
    }
}

fn violated(end: Outcome) -> Option<Trace> {
    match end {
        Outcome::Unsafe(trace) => Some(trace),
        Outcome::Safe(_) => None,
    }
}
