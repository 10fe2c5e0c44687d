//! A run of IC3: obligations are blocked, lemmas move up, levels are added.

use super::obligations::{Id, Obligations};
use super::queries::Queries;
use super::question::{Outcome, Reduced};
use super::settings::Settings;
use crate::ask::bit;
use crate::frames::{Consecution, Cube, Frames};
use crate::model::completed;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::evidence::circuit::Trace;
use alphorn_sat::Lit;

/// Obligations of a larger activity are dropped.
const MOST_ACTIVE: f64 = 20.0;
/// Rounds of lifting for an obligation.
const ROUNDS: usize = 8;

/// The state of a run.
pub(super) struct Run<'a> {
    pub(super) settings: Settings,
    pub(super) reduced: &'a Reduced<'a>,
    pub(super) queries: Queries<'a>,
    pub(super) frames: Frames,
    obligations: Obligations,
}

impl<'a> Run<'a> {
    pub(super) fn new(reduced: &'a Reduced<'a>, settings: Settings) -> Run<'a> {
        Run {
            settings,
            reduced,
            queries: Queries::new(&reduced.circuit, &reduced.signals),
            frames: Frames::new(),
            obligations: Obligations::default(),
        }
    }

    /// Runs to the end; `known` are clauses of the circuit asked about that may hold.
    pub(super) fn run(
        &mut self,
        known: &[Vec<alphorn_problem::circuit::Lit>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        if self.queries.has_bad(0, ctx)? {
            return Ok(self.fails(None));
        }
        ctx.emit(Event::Bound { depth: 0 });
        let known = known.iter().filter_map(|clause| self.cube_against(clause)).collect();
        let hints = self.adopt(known, ctx)?;
        loop {
            self.frames.extend();
            self.queries.extend();
            let last = self.frames.last();
            if last == 1 {
                self.begin(&hints, ctx)?;
            } else {
                self.take_news(ctx)?;
                self.propagate(ctx)?;
                if let Some(end) = self.closed() {
                    return Ok(end);
                }
                self.push_to_infinity(ctx)?;
                if let Some(end) = self.closed() {
                    return Ok(end);
                }
            }
            loop {
                if let Some(end) = self.block(ctx)? {
                    return Ok(end);
                }
                if !self.queries.has_bad(last, ctx)? {
                    break;
                }
                let step = self.queries.lift(&self.queries.bad(), ROUNDS, ctx)?;
                self.obligations.add(last, step, None);
            }
            ctx.emit(Event::Bound { depth: last as u64 });
            ctx.emit(self.frames.sizes());
            ctx.emit(Event::Remark(self.describe()));
        }
    }

    /// How far the run has come, in words.
    pub(super) fn describe(&self) -> String {
        let last = self.frames.last();
        let lemmas: usize = (1..=last).map(|level| self.frames.count(level)).sum();
        let infinite = self.frames.infinite().count();
        let (asked, conflicts) = self.queries.effort();
        let obligations = self.obligations.count();
        format!(
            "level {last}: {lemmas} lemmas and {infinite} infinite ones, {obligations} obligations, \
             {asked} queries, {conflicts} conflicts"
        )
    }

    /// Starts the first level with those of the hints that hold there.
    fn begin(&mut self, hints: &[Cube], ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        for cube in hints {
            if self.frames.blocked(cube, 1).is_none()
                && let Some(core) = self.queries.unreachable_from(cube, 0, ctx)?
            {
                self.frames.learn(core, 1, &mut self.queries);
            }
        }
        Ok(())
    }

    /// The end, if two frames are equal.
    fn closed(&self) -> Option<Outcome> {
        let cubes = self.frames.invariant()?;
        let widen = |cube: &Cube| {
            let clause: Vec<_> = cube.negation().into_iter().map(bit).collect();
            self.reduced.widen(&clause)
        };
        Some(Outcome::Safe(cubes.iter().map(widen).collect()))
    }

    /// Treats obligations until none waits at the last level or below, or the end is known.
    fn block(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Outcome>, Stop> {
        let last = self.frames.last();
        while let Some((level, id)) = self.obligations.take(last) {
            let cube = self.obligations.get(id).step.cube.clone();
            if self.queries.is_initial(&cube, ctx)? {
                return self.begin_with(id, ctx).map(Some);
            }
            if let Some(known) = self.frames.blocked(&cube, level) {
                if known <= last {
                    self.obligations.rise(level, known + 1, id);
                }
                continue;
            }
            let activity = self.obligations.bump(id);
            if self.settings.drop_obligations && activity > MOST_ACTIVE {
                continue;
            }
            let Some(core) = self.queries.unreachable_from(&cube, level - 1, ctx)? else {
                if level == 1 {
                    return Ok(Some(self.fails(Some(id))));
                }
                let target = self.queries.successor(&cube);
                let step = self.queries.lift(&target, ROUNDS, ctx)?;
                self.obligations.add(level - 1, step, Some(id));
                self.obligations.wait(level, id);
                continue;
            };
            let effort = self.settings.effort(self.obligations.activity_near(id));
            let core = self.generalize(core, level, effort, ctx)?;
            let (lemma, reached) = self.push(core, level, ctx)?;
            self.frames.learn(lemma, reached, &mut self.queries);
            self.obligations.rise(level, reached + 1, id);
            if let Some(end) = self.closed() {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// The highest level at which a lemma of `level` holds, and what of it matters there.
    pub(super) fn push(
        &mut self,
        cube: Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Cube, usize), Stop> {
        let (mut cube, mut level) = (cube, level);
        while level < self.frames.last()
            && let Some(core) = self.queries.unreachable_from(&cube, level, ctx)?
        {
            (cube, level) = (core, level + 1);
        }
        Ok((cube, level))
    }

    /// The end, if the chain of an obligation has come to a first state.
    fn begin_with(&mut self, id: Id, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        let obligation = self.obligations.get(id);
        if self.queries.can_begin(&obligation.step, ctx)? {
            return Ok(self.fails(obligation.successor));
        }
        let target = match obligation.successor {
            None => self.queries.bad(),
            Some(id) => self.queries.successor(&self.obligations.get(id).step.cube),
        };
        if self.queries.can_begin_before(&target, ctx)? {
            return Ok(self.fails(obligation.successor));
        }
        let reason = "no set of states shows whether the property holds: \
                      the first state is tied to the first inputs";
        Err(Stop::Stuck(reason.into()))
    }

    /// The end with a run whose first step is the last answer about the start, and which goes on with
    /// the chain of an obligation.
    fn fails(&self, id: Option<Id>) -> Outcome {
        let (state, first) = self.queries.beginning();
        let mut inputs = vec![first];
        let circuit = &self.reduced.circuit;
        for obligation in id.into_iter().flat_map(|id| self.obligations.chain(id)) {
            let mut values = vec![false; circuit.inputs as usize];
            for lit in obligation.step.inputs.iter().filter(|lit: &&Lit| !lit.is_negated()) {
                values[lit.var().index() - 1] = true;
            }
            inputs.push(values);
        }
        let trace: Trace = completed(circuit, &state, &inputs);
        Outcome::Unsafe(self.reduced.widen_trace(&trace))
    }
}
