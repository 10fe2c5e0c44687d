//! IC3: an inductive invariant, clause by clause, from the states that stand in its way.
//!
//! Frames over-approximate what is reachable in so many steps (`frames`). A bad state in the last frame
//! is an obligation: it, and the states that lead to it, must be shown unreachable at their levels. An
//! obligation without a predecessor one level below gives a lemma, generalized (`generalize`) and
//! pushed to the highest level at which it holds; one with a predecessor gives a further obligation,
//! lifted to a cube (`lift`). When the last frame excludes bad states, a level is added and lemmas are
//! pushed, those that need no level to the infinite frame (`infinite`). Two equal frames are an
//! invariant, which can show at any moment; a chain of obligations that reaches the start is a
//! counterexample.
//!
//! A reset function that reads inputs ties the first state to the first inputs, which no cube of states
//! can say. A chain that reaches a first state under other inputs is neither a counterexample nor can
//! it be blocked, and the engine says so.
//!
//! After Bradley, "SAT-Based Model Checking without Unrolling" (VMCAI 2011); Eén, Mishchenko, Brayton
//! (FMCAD 2011); in its queries and its handling of obligations after rIC3 (Su, Yang, Ci, Bu, CAV 2025).
//! Where rIC3 has a solver for each frame, here one solver learns for all.

mod dag;
mod generalize;
mod infinite;
mod lift;
mod obligations;
mod queries;
mod question;
mod run;
mod settings;
mod side;

pub use question::{Outcome, Question};
pub use settings::{Generalization, Settings};

use crate::certify::unproved;
use crate::circuit::first_bad;
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::{Circuit, Verdict};
use question::Reduced;
use run::Run;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ic3 {
    /// The choices it has.
    pub settings: Settings,
}

impl Ic3 {
    /// Answers a question about a circuit.
    pub fn solve(&self, question: &Question<'_>, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        first_bad(question.circuit)?;
        let reduced = Reduced::new(question);
        let mut run = Run::new(&reduced, self.settings);
        let outcome = run.run(&question.known, ctx);
        ctx.emit(Event::Remark(run.describe()));
        outcome
    }
}

impl Engine<Circuit> for Ic3 {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        Ok(match self.solve(&Question::new(circuit), ctx)? {
            Outcome::Unsafe(trace) => Verdict::Unsafe(trace),
            Outcome::Safe(clauses) => Verdict::Safe(unproved(Invariant::Clauses(clauses))),
        })
    }
}
<<<<<<< HEAD

/// How a run ends.
enum End {
    /// With an invariant: none of these cubes is reachable.
    Safe(Vec<Cube>),
    /// With a counterexample.
    Unsafe(Trace),
}

/// The state of a run.
struct Run<'a> {
    circuit: &'a Circuit,
    queries: Queries<'a>,
    frames: Frames,
    activity: Activity,
    obligations: Obligations,
}

impl<'a> Run<'a> {
    fn new(circuit: &'a Circuit) -> Run<'a> {
        Run {
            circuit,
            queries: Queries::new(circuit),
            frames: Frames::new(),
            activity: Activity::new(circuit.max_var() as usize + 1),
            obligations: Obligations::default(),
        }
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<End, Stop> {
        if self.queries.has_bad(0, ctx)? {
            return Ok(End::Unsafe(self.trace(None)));
        }
        ctx.emit(Event::Bound { depth: 0 });
        loop {
            self.frames.extend();
            self.queries.extend();
            self.propagate(ctx)?;
            if let Some(invariant) = self.frames.invariant() {
                return Ok(End::Safe(invariant));
            }
            let last = self.frames.last();
            loop {
                if let Some(end) = self.block(ctx)? {
                    return Ok(end);
                }
                if !self.queries.has_bad(last, ctx)? {
                    break;
                }
                let step = self.queries.lift(&self.queries.bad(), &self.activity, ctx)?;
                self.obligations.add(last, step, None);
            }
            ctx.emit(Event::Bound { depth: last as u64 });
            ctx.emit(self.frame_sizes());
            ctx.emit(Event::Remark(self.describe()));
        }
    }

    /// The row of the frame table.
    fn frame_sizes(&self) -> Event {
        let size = |level: usize| self.frames.level(level).len() as u32;
        let sizes = (1..=self.frames.last()).map(size).collect();
        Event::Frames { sizes, infinite: self.frames.infinite().len() as u32 }
    }

    /// How far the run has come, in words.
    fn describe(&self) -> String {
        let last = self.frames.last();
        let lemmas: usize = (1..=last).map(|level| self.frames.level(level).len()).sum();
        let (infinite, asked) = (self.frames.infinite().len(), self.queries.asked());
        format!("level {last}: {lemmas} lemmas and {infinite} infinite ones, {asked} queries")
    }

    fn has_predecessor(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.queries.has_predecessor(cube, level, &self.activity, ctx)
    }

    fn core(&mut self, cube: &Cube, level: usize, ctx: &mut Ctx<'_>) -> Result<Cube, Stop> {
        self.queries.core(cube, level, &self.activity, ctx)
    }

    /// Treats obligations until none waits at the last level or below, or the end is known.
    fn block(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<End>, Stop> {
        let last = self.frames.last();
        while let Some((level, id)) = self.obligations.take(last) {
            let cube = self.obligations.get(id).step.cube.clone();
            if self.queries.is_initial(&cube, ctx)? {
                return self.begin_with(id, ctx).map(Some);
            }
            if let Some(known) = self.frames.blocked(&cube, level) {
                if known <= last {
                    self.obligations.wait(known + 1, id);
                }
                continue;
            }
            if self.has_predecessor(&cube, level - 1, ctx)? {
                if level == 1 {
                    return Ok(Some(End::Unsafe(self.trace(Some(id)))));
                }
                let target = self.queries.successor(&cube);
                let step = self.queries.lift(&target, &self.activity, ctx)?;
                self.obligations.add(level - 1, step, Some(id));
                self.obligations.wait(level, id);
                continue;
            }
            let core = self.core(&cube, level - 1, ctx)?;
            let core = self.generalize(core, level, 0, ctx)?;
            let (lemma, reached) = self.push(core, level, ctx)?;
            self.learn(lemma, reached);
            self.obligations.wait(reached + 1, id);
            if let Some(invariant) = self.frames.invariant() {
                return Ok(Some(End::Safe(invariant)));
            }
        }
        Ok(None)
    }

    /// The highest level at which a lemma of `level` holds, and what of it matters there.
    fn push(&mut self, cube: Cube, level: usize, ctx: &mut Ctx<'_>) -> Result<(Cube, usize), Stop> {
        let (mut cube, mut level) = (cube, level);
        while level < self.frames.last() && !self.has_predecessor(&cube, level, ctx)? {
            cube = self.core(&cube, level, ctx)?;
            level += 1;
        }
        Ok((cube, level))
    }

    /// Adds a lemma.
    fn learn(&mut self, cube: Cube, level: usize) {
        self.queries.learn(&cube, level);
        let dropped = self.frames.add(cube, level);
        self.forget(&dropped);
    }

    fn forget(&mut self, dropped: &[usize]) {
        for (level, count) in dropped.iter().enumerate().filter(|(_, count)| **count > 0) {
            self.queries.forget(level, *count, self.frames.level(level));
        }
    }

    /// Moves lemmas to the highest levels at which they hold.
    fn propagate(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let last = self.frames.last();
        for level in self.frames.take_changed()..last {
            let mut lemmas = self.frames.level(level).to_vec();
            lemmas.sort_by_key(Cube::len);
            for cube in lemmas {
                if !self.frames.level(level).contains(&cube) {
                    continue;
                }
                if !self.has_predecessor(&cube, level, ctx)? {
                    let core = self.core(&cube, level, ctx)?;
                    self.learn(core, level + 1);
                }
            }
            if self.frames.level(level).is_empty() {
                return Ok(());
            }
        }
        for cube in self.frames.level(last).to_vec() {
            if !self.has_predecessor(&cube, last + 1, ctx)? {
                let core = self.core(&cube, last + 1, ctx)?;
                self.queries.learn_forever(&core);
                let dropped = self.frames.add_infinite(core);
                self.forget(&dropped);
            }
        }
        Ok(())
    }

    /// The end, if the chain of an obligation has come to a first state.
    fn begin_with(&mut self, id: Id, ctx: &mut Ctx<'_>) -> Result<End, Stop> {
        let obligation = self.obligations.get(id);
        if self.queries.can_begin(&obligation.step, ctx)? {
            return Ok(End::Unsafe(self.trace(obligation.successor)));
        }
        let target = match obligation.successor {
            None => self.queries.bad(),
            Some(id) => self.queries.successor(&self.obligations.get(id).step.cube),
        };
        if self.queries.can_begin_before(&target, ctx)? {
            return Ok(End::Unsafe(self.trace(obligation.successor)));
        }
        let reason = "no set of states shows whether the property holds: \
                      the first state is tied to the first inputs";
        Err(Stop::Stuck(reason.into()))
    }

    /// The run whose first step is the last answer about the start, and which goes on with the chain
    /// of an obligation.
    fn trace(&self, id: Option<Id>) -> Trace {
        let (state, first) = self.queries.beginning();
        let mut inputs = vec![first];
        for obligation in id.into_iter().flat_map(|id| self.obligations.chain(id)) {
            let mut values = vec![false; self.circuit.inputs as usize];
            for lit in obligation.step.inputs.iter().filter(|lit: &&Lit| !lit.is_negated()) {
                values[lit.var().index() - 1] = true;
            }
            inputs.push(values);
        }
        completed(self.circuit, &state, &inputs)
    }
}
=======
>>>>>>> 92a84ce (IC3 over a trace of its own: lists for subsumption, questions with assumptions, frozen inputs and known clauses, lemmas told to other engines)
