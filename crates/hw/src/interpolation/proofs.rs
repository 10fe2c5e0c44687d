//! Interpolants out of the proofs of an unrolling.
//!
//! What the solver of `steps` found contradictory is cut at the states between steps. Long proofs are
//! looked for once more in the clauses they need, since what is searched for alone tends to be shorter. A
//! sequence comes as sets, or with clauses as far as the proof gives clauses, each of which follows from
//! the step before and the clauses there.
//!
//! Where proofs are recorded without hints, these are found first, for what the answer needs.

use super::steps::{Cutting, Steps};
use crate::ask::make_variables;
use crate::settings::{INTERPOLATION_LONG_PROOF, INTERPOLATION_MAX_AGAIN};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge};
use alphorn_sat::drat::Limits;
use alphorn_sat::interpolate::{InterpolationError, Interpolator, Policy};
use alphorn_sat::{Answer, Budget, ClauseId, Lit, Options, Origin, Solver, Trace, Var};

/// Clauses of a proof that make one tick.
const CLAUSES: u64 = 16;

/// Clauses over latches, whose variables are the positions of these.
pub(crate) type LatchClauses = Vec<Vec<Lit>>;

impl Steps<'_> {
    /// The interpolant of the last answer at state 1, as a set in a graph whose inputs are latches;
    /// `assumptions` are those of the answer with their steps.
    pub(crate) fn interpolant(
        &self,
        assumptions: &[(Lit, usize)],
        policy: Policy<'_>,
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
        let mut interpolator = Interpolator::new(trace, goal).policy(policy);
        for (lit, step) in assumptions {
            interpolator = interpolator.assumption(*lit, self.partition(*step));
        }
        let partitions = self.partition(self.count() - 1).max(1) + 1;
        let interpolant = interpolator.binary(partitions, |part| part == 0, sets, &mut map);
        interpolant.map_err(|error| Stop::Stuck(format!("there is no interpolant: {error:?}")))
    }

    /// The interpolants of the last answer at the states after the earliest step, the next one, and so
    /// on, where all states are cut; `assumptions` are those of the answer with their steps.
    pub(crate) fn sequence(
        &self,
        assumptions: &[(Lit, usize)],
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Edge>, Stop> {
        let mut map = |var: Var, aig: &mut Aig| self.latch_input(var, aig);
        self.refuted(assumptions, ctx, |mut interpolator, parts| {
            interpolator.sequence(parts, sets, &mut map)
        })
    }

    /// Like `sequence`, with those of the clauses that the proof gives for each state; the sets contain
    /// them.
    pub(crate) fn clausal_sequence(
        &self,
        assumptions: &[(Lit, usize)],
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Vec<Edge>, Vec<LatchClauses>), Stop> {
        let mut map = |var: Var, aig: &mut Aig| self.latch_input(var, aig);
        let sequence = self.refuted(assumptions, ctx, |mut interpolator, parts| {
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
        let restored = trace.restored(goal, partition, 0, &Limits::default());
        restored
            .map(Some)
            .map_err(|failure| Stop::Stuck(format!("the proof does not hold: {failure:?}")))
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
        ctx: &mut Ctx<'_>,
        interpolate: impl FnOnce(Interpolator<'_>, u32) -> Result<T, InterpolationError>,
    ) -> Result<T, Stop> {
        let restored = self.restored(assumptions, ctx)?;
        let (trace, goal) = self.proof(restored.as_ref())?;
        ctx.tick(1 + u64::from(trace.len()) / CLAUSES)?;
        let again = refuted_again(trace, goal, assumptions, ctx)?;
        let (trace, goal) = match &again {
            Some(solver) => {
                (solver.trace().ok_or_else(lost)?, solver.conclusion().ok_or_else(lost)?)
            }
            None => (trace, goal),
        };
        let last = self.count() as u32 - 1;
        let place = |step: u32| match self.cutting {
            Cutting::Backward => last - step,
            Cutting::First | Cutting::All => step,
        };
        let relabel = |_, label: u32| place(label);
        let mut interpolator = Interpolator::new(trace, goal).relabel(&relabel);
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

/// A solver with a shorter proof from the clauses that a long proof needs, if that is found quickly.
///
/// A search that knows nothing but the core, and does not simplify it, tends to end sooner.
fn refuted_again(
    trace: &Trace,
    goal: ClauseId,
    assumptions: &[(Lit, usize)],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Solver>, Stop> {
    let mut best: Option<Solver> = None;
    let mut size = trace.trim(goal).clauses.len();
    for _ in 0..INTERPOLATION_MAX_AGAIN.size() {
        if size < INTERPOLATION_LONG_PROOF.size() {
            break;
        }
        let (trace, goal) = match &best {
            None => (trace, goal),
            Some(solver) => match solver.trace().zip(solver.conclusion()) {
                Some(parts) => parts,
                None => break,
            },
        };
        let mut solver = Solver::new(Options { proof: 1, inprocess: 0, ..Options::default() });
        for id in trace.core(goal) {
            if let Origin::Input(partition) = trace.origin(id) {
                let literals = trace.literals(id);
                let most = literals.iter().map(|lit| lit.var().0 + 1).max().unwrap_or(0);
                make_variables(&mut solver, most);
                solver.add_clause_in(literals, partition);
            }
        }
        let assumed: Vec<Lit> = assumptions.iter().map(|(lit, _)| *lit).collect();
        make_variables(&mut solver, assumed.iter().map(|lit| lit.var().0 + 1).max().unwrap_or(0));
        solver.set_budget(Budget { conflicts: Some(size as u64), ..Budget::default() });
        let answer = solver.solve(&assumed);
        ctx.tick(1 + solver.stats().ticks / 64)?;
        let Some((trace, goal)) = solver.trace().zip(solver.conclusion()) else { break };
        let again = trace.trim(goal).clauses.len();
        if answer != Answer::Unsat || 10 * again > 9 * size {
            break;
        }
        size = again;
        best = Some(solver);
    }
    Ok(best)
}
