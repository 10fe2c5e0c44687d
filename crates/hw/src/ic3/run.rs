//! A run of IC3: obligations are blocked, lemmas move up, levels are added.

use super::obligations::{Id, Obligations};
use super::question::{Outcome, Reduced};
use super::settings::Settings;
use super::trace::Trace;
use crate::circuit::Simulation;
use crate::frames::{Consecution, Cube};
use crate::model::completed;
use crate::settings::{IC3_LIFT_ROUNDS, IC3_MAX_ACTIVE};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::evidence::circuit::{self, Bit};
use alphorn_sat::Lit;

/// The state of a run; runs that it finds are those of the reduced circuit.
pub(crate) struct Run<'a> {
    /// The frames.
    pub(crate) trace: Trace<'a>,
    pub(super) obligations: Obligations,
    /// Whether every frame below the last excludes bad states: not if it was made for others.
    pub(super) is_certain: bool,
}

impl<'a> Run<'a> {
    /// The start alone.
    pub(crate) fn new(reduced: &'a Reduced<'a>, settings: Settings) -> Run<'a> {
        let trace = Trace::new(reduced, settings);
        Run { trace, obligations: Obligations::default(), is_certain: true }
    }

    /// Runs to the end; `known` are clauses of the circuit asked about that may hold.
    pub(crate) fn run(
        &mut self,
        known: &[Vec<alphorn_problem::circuit::Lit>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        if self.trace.queries.has_bad(0, ctx)? {
            return self.fails(None);
        }
        ctx.emit(Event::Bound { depth: 0 });
        let known = known.iter().filter_map(|clause| self.trace.cube_against(clause)).collect();
        let mut hints = self.trace.adopt(known, ctx)?;
        hints.extend(self.trace.take_news(ctx)?);
        loop {
            self.trace.extend();
            let last = self.trace.frames.last();
            if last == 1 {
                self.begin(&hints, ctx)?;
            } else {
                let hints = self.trace.take_news(ctx)?;
                self.begin(&hints, ctx)?;
                self.trace.propagate(ctx)?;
                if let Some(end) = self.closed() {
                    return Ok(end);
                }
                self.trace.push_to_infinity(ctx)?;
                if let Some(end) = self.closed() {
                    return Ok(end);
                }
            }
            if let Some(end) = self.exclude_bad(ctx)? {
                return Ok(end);
            }
            ctx.emit(Event::Bound { depth: last as u64 });
            ctx.emit(self.trace.frames.sizes());
            self.trace.remember(ctx);
            ctx.emit(Event::Remark(self.describe()));
        }
    }

    /// Lets the last frame exclude bad states, unless the end is known before.
    pub(crate) fn exclude_bad(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Outcome>, Stop> {
        let last = self.trace.frames.last();
        loop {
            if let Some(end) = self.block(ctx)? {
                return Ok(Some(end));
            }
            if !self.trace.queries.has_bad(last, ctx)? {
                return Ok(None);
            }
            let bad = self.trace.queries.bad();
            let step = self.trace.queries.lift(&bad, IC3_LIFT_ROUNDS.size(), ctx)?;
            self.obligations.add(last, step, None);
        }
    }

    /// The lemmas over latches, as clauses of the circuit asked about: those that hold for good first, then
    /// from the highest level down.
    pub(crate) fn lemmas(&self) -> Vec<Vec<alphorn_problem::circuit::Lit>> {
        let frames = &self.trace.frames;
        let finite = (1..=frames.last()).rev().flat_map(|level| frames.level(level));
        let cubes = frames.infinite().chain(finite);
        cubes.filter_map(|cube| self.trace.told(cube)).map(|clause| clause.to_vec()).collect()
    }

    /// How far the run has come, in words.
    pub(super) fn describe(&self) -> String {
        let last = self.trace.frames.last();
        let lemmas: usize = (1..=last).map(|level| self.trace.frames.count(level)).sum();
        let infinite = self.trace.frames.infinite().count();
        let (asked, conflicts) = self.trace.queries.effort();
        let obligations = self.obligations.count();
        format!(
            "level {last}: {lemmas} lemmas and {infinite} infinite ones, {obligations} obligations, \
             {asked} queries, {conflicts} conflicts"
        )
    }

    /// Adds to the first level those of the hints that hold there.
    pub(super) fn begin(&mut self, hints: &[Cube], ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        for cube in hints {
            if self.trace.frames.blocked(cube, 1).is_none()
                && let Some(core) = self.trace.queries.unreachable_from(cube, 0, ctx)?
            {
                self.trace.frames.learn(core, 1, &mut self.trace.queries);
            }
        }
        Ok(())
    }

    /// The end, if two frames are equal.
    fn closed(&self) -> Option<Outcome> {
        if !self.is_certain {
            return None;
        }
        let cubes = self.trace.frames.invariant()?;
        Some(Outcome::Safe(self.trace.reduced.clauses(&cubes)))
    }

    /// Treats obligations until none waits at the last level or below, or the end is known.
    fn block(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Outcome>, Stop> {
        let last = self.trace.frames.last();
        while let Some((level, id)) = self.obligations.take(last) {
            let cube = self.obligations.get(id).step.cube.clone();
            if self.trace.queries.is_initial(&cube, ctx)? {
                return self.begin_with(id, ctx).map(Some);
            }
            if let Some(known) = self.trace.frames.blocked(&cube, level) {
                if known <= last {
                    self.obligations.rise(level, known + 1, id);
                }
                continue;
            }
            let activity = self.obligations.bump(id);
            if self.trace.settings.drop_obligations && activity > IC3_MAX_ACTIVE.get() as f64 {
                continue;
            }
            let Some(core) = self.trace.queries.unreachable_from(&cube, level - 1, ctx)? else {
                if level == 1 {
                    return self.fails(Some(id)).map(Some);
                }
                let target = self.trace.queries.successor(&cube);
                let step = self.trace.queries.lift(&target, IC3_LIFT_ROUNDS.size(), ctx)?;
                self.obligations.add(level - 1, step, Some(id));
                self.obligations.wait(level, id);
                continue;
            };
            let effort = self.trace.settings.effort(self.obligations.activity_near(id));
            let (_, reached) = self.trace.learn(core, level, effort, ctx)?;
            self.obligations.rise(level, reached + 1, id);
            if let Some(end) = self.closed() {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// The end, if the chain of an obligation has come to a first state.
    fn begin_with(&mut self, id: Id, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        let obligation = self.obligations.get(id);
        if self.trace.queries.can_begin(&obligation.step, ctx)? {
            return self.fails(obligation.successor);
        }
        let target = match obligation.successor {
            None => self.trace.queries.bad(),
            Some(id) => self.trace.queries.successor(&self.obligations.get(id).step.cube),
        };
        if self.trace.queries.can_begin_before(&target, ctx)? {
            return self.fails(obligation.successor);
        }
        let reason = "no set of states shows whether the property holds: \
                      the first state is tied to the first inputs";
        Err(Stop::Stuck(reason.into()))
    }

    /// The end with a run whose first step is the last answer about the start, and which goes on with
    /// the chain of an obligation.
    pub(super) fn fails(&self, id: Option<Id>) -> Result<Outcome, Stop> {
        let (state, first) = self.trace.queries.beginning();
        let mut inputs = vec![first];
        let circuit = &self.trace.reduced.circuit;
        for obligation in id.into_iter().flat_map(|id| self.obligations.chain(id)) {
            let mut values = vec![false; circuit.inputs as usize];
            for lit in obligation.step.inputs.iter().filter(|lit: &&Lit| !lit.is_negated()) {
                values[lit.var().index() - 1] = true;
            }
            inputs.push(values);
        }
        let trace: circuit::Trace = completed(circuit, &state, &inputs);
        if self.trace.reduced.signals.is_abstract() && !is_violated(circuit, &trace) {
            return Err(Stop::Stuck("the outputs do not tell enough states apart".into()));
        }
        Ok(Outcome::Unsafe(trace))
    }
}

/// Whether a run violates the first property at its end, and the constraints nowhere.
fn is_violated(circuit: &Circuit, trace: &circuit::Trace) -> bool {
    let mut simulation = Simulation::new(circuit);
    for (index, bit) in trace.start.iter().enumerate() {
        simulation.set_latch(index, u64::from(*bit == Bit::One));
    }
    for (step, inputs) in trace.inputs.iter().enumerate() {
        if step > 0 {
            simulation.advance();
        }
        for (index, bit) in inputs.iter().enumerate() {
            simulation.set_input(index, u64::from(*bit == Bit::One));
        }
        simulation.settle();
        if simulation.allowed() & 1 == 0 {
            return false;
        }
    }
    simulation.value(circuit.safety()[0]) & 1 == 1
}
