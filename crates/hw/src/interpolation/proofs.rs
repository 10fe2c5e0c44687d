//! Interpolants out of the proofs of an unrolling.
//!
//! What the solver of `steps` found contradictory is cut at the states between steps. Long proofs are
//! looked for once more in the clauses they need (`again`), and which side of a cut the latches there count
//! for is a setting (`labelling`). A
//! sequence comes as sets, or with clauses as far as the proof gives clauses, each of which follows from
//! the step before and the clauses there.
//!
//! Where proofs are recorded without hints, these are found first, for what the answer needs.

use super::again;
use super::labelling::Labelling;
use super::steps::{Cutting, Steps};
use crate::ask::SCALE;
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge};
use alphorn_sat::drat::{Failure, Limits};
use alphorn_sat::interpolate::{InterpolationError, Interpolator};
use alphorn_sat::{ClauseId, Lit, Trace, Var};

/// Clauses of a proof that make one tick.
const CLAUSES: u64 = 16;
/// Clauses and literals to look at, for each clause of a proof whose hints are to be found.
const FEWEST_TICKS: u64 = 1_000;

/// Clauses over latches, whose variables are the positions of these.
pub(crate) type LatchClauses = Vec<Vec<Lit>>;

/// What is asked of a proof that becomes a sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quest {
    /// Whether it is made into clauses as far as possible.
    pub(crate) clausal: bool,
    /// Whether it is looked for once more in a minimal part of the clauses it needs.
    pub(crate) min_core: bool,
}

impl Steps<'_> {
    /// The interpolant of the last answer at state 1, as a set in a graph whose inputs are latches;
    /// `assumptions` are those of the answer with their steps.
    pub(crate) fn interpolant(
        &self,
        assumptions: &[(Lit, usize)],
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<Edge, Stop> {
        let mut map = |var: Var, aig: &mut Aig| self.latch_input(var, aig);
        if self.solver.conclusion().is_none() {
            return self.between(assumptions, sets, &mut map);
        }
        let restored = self.restored(assumptions, ctx)?;
        let (trace, goal) = self.proof(restored.as_ref())?;
        ctx.tick(1 + u64::from(trace.len()) / CLAUSES)?;
        let labels = Labelling::of(trace, goal, |label| label);
        let label = |var: Var| labels.label(var);
        let mut interpolator = Interpolator::new(trace, goal).policy(labels.policy(&label));
        for (lit, step) in assumptions {
            interpolator = interpolator.assumption(*lit, self.partition(*step));
        }
        let partitions = self.partition(self.count() - 1).max(1) + 1;
        let interpolant = interpolator.binary(partitions, |part| part == 0, sets, &mut map);
        interpolant.map_err(|error| Stop::Stuck(format!("there is no interpolant: {error:?}")))
    }

    /// The interpolants of the last answer at the states after the earliest step, the next one, and so
    /// on, where all states are cut; `assumptions` are those of the answer with their steps. With the
    /// clauses that the proof gives for each state, which the sets contain, if that is asked for.
    pub(crate) fn sequence(
        &self,
        assumptions: &[(Lit, usize)],
        quest: Quest,
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Vec<Edge>, Vec<LatchClauses>), Stop> {
        let mut map = |var: Var, aig: &mut Aig| self.latch_input(var, aig);
        if !quest.clausal {
            let edges = self.refuted(assumptions, quest, ctx, |mut interpolator, parts| {
                interpolator.sequence(parts, sets, &mut map)
            })?;
            return Ok((edges, Vec::new()));
        }
        let sequence = self.refuted(assumptions, quest, ctx, |mut interpolator, parts| {
            interpolator.clausal_sequence(parts, true, sets, &mut map)
        })?;
        let edges = sequence.conjoin(sets, &mut map);
        let latch = |lit: &Lit| {
            let (index, is_negated) = self.latches[&lit.var()];
            Var(index as u32).lit(lit.is_negated() == is_negated)
        };
        let clause = |clause: &Vec<Lit>| clause.iter().map(latch).collect();
        let clauses = sequence.clauses.iter().map(|cut| cut.iter().map(clause).collect());
        Ok((edges, clauses.collect()))
    }

    /// The proof of the last answer with hints, if it was recorded without.
    fn restored(
        &self,
        assumptions: &[(Lit, usize)],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(Trace, ClauseId)>, Stop> {
        let (trace, goal) = self.proof(None)?;
        if trace.has_hints() {
            return Ok(None);
        }
        ctx.tick(1 + u64::from(trace.len()) / CLAUSES)?;
        let partition = |lit: Lit| {
            let step = assumptions.iter().find(|(assumed, _)| *assumed == lit);
            step.map_or(0, |(_, step)| self.partition(*step))
        };
        // What does not do within so many ticks is begun again with more, the budget being charged.
        let mut ticks = FEWEST_TICKS.saturating_mul(1 + u64::from(trace.len()));
        loop {
            let limits = Limits { ticks: Some(ticks), ..Limits::default() };
            match trace.restored(goal, partition, 0, &limits) {
                Ok(restored) => return Ok(Some(restored)),
                Err(Failure::Limit) => ctx.tick(1 + ticks / SCALE)?,
                Err(failure) => {
                    return Err(Stop::Stuck(format!("the proof does not hold: {failure:?}")));
                }
            }
            ticks = ticks.saturating_mul(4);
        }
    }

    /// The proof with hints, if it was restored, or as the solver has it; and its conclusion.
    fn proof<'t>(
        &'t self,
        restored: Option<&'t (Trace, ClauseId)>,
    ) -> Result<(&'t Trace, ClauseId), Stop> {
        let own = || self.solver.trace().zip(self.solver.conclusion());
        let proof = restored.map(|(trace, goal)| (trace, *goal)).or_else(own);
        proof.ok_or_else(lost)
    }

    /// Hands the proof of the last answer over, with how many partitions it has.
    fn refuted<T>(
        &self,
        assumptions: &[(Lit, usize)],
        quest: Quest,
        ctx: &mut Ctx<'_>,
        interpolate: impl FnOnce(Interpolator<'_>, u32) -> Result<T, InterpolationError>,
    ) -> Result<T, Stop> {
        let restored = self.restored(assumptions, ctx)?;
        let (trace, goal) = self.proof(restored.as_ref())?;
        ctx.tick(1 + u64::from(trace.len()) / CLAUSES)?;
        let again = again::shorter(trace, goal, assumptions, ctx)?;
        let (trace, goal) = again::better(again.as_ref(), (trace, goal));
        let least = match quest.min_core {
            true => again::least(trace, goal, assumptions, ctx)?,
            false => None,
        };
        let (trace, goal) = again::better(least.as_ref(), (trace, goal));
        let last = self.count() as u32 - 1;
        let place = |step: u32| match self.cutting {
            Cutting::Backward => last - step,
            Cutting::First | Cutting::All => step,
        };
        let relabel = |_, label: u32| place(label);
        let labels = Labelling::of(trace, goal, place);
        let label = |var: Var| labels.label(var);
        let mut interpolator =
            Interpolator::new(trace, goal).relabel(&relabel).policy(labels.policy(&label));
        for (lit, step) in assumptions {
            interpolator = interpolator.assumption(*lit, place(*step as u32));
        }
        interpolate(interpolator, last + 1)
            .map_err(|error| Stop::Stuck(format!("there are no interpolants: {error:?}")))
    }

    /// The interpolant at state 1 where two assumptions contradict each other.
    fn between(
        &self,
        assumptions: &[(Lit, usize)],
        sets: &mut Aig,
        map: &mut impl FnMut(Var, &mut Aig) -> Edge,
    ) -> Result<Edge, Stop> {
        for (index, (lit, step)) in assumptions.iter().enumerate() {
            for (other, other_step) in &assumptions[index + 1..] {
                if *other != !*lit {
                    continue;
                }
                return Ok(match (self.partition(*step), self.partition(*other_step)) {
                    (0, 0) => Edge::FALSE,
                    (0, _) => map(lit.var(), sets).xor(lit.is_negated()),
                    (_, 0) => map(lit.var(), sets).xor(!lit.is_negated()),
                    _ => Edge::TRUE,
                });
            }
        }
        Err(lost())
    }

    fn latch_input(&self, var: Var, aig: &mut Aig) -> Edge {
        let known = self.latches.get(&var);
        let (index, is_negated) = known.expect("only latches at cuts are shared");
        aig.input(*index as u32).xor(*is_negated)
    }
}

fn lost() -> Stop {
    Stop::Stuck("the solver lost its proof".into())
}
