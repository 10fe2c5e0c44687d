//! Avy: a clausal trace, strengthened level by level with what interpolants say of it.
//!
//! For each length N, the runs that pass through the frames of the trace and end badly after N steps
//! are asked for as a whole, with the steps in partitions. If there is none, already the last few
//! steps, from frame k on, have none: k is found by adding steps at the beginning until no run is
//! left, and only these steps give a sequence of interpolants (`suffix`). Each interpolant then becomes
//! lemmas of its level (`strengthen`), after which the trace excludes bad states up to level N. A level
//! without lemmas closes the trace. An interpolant that takes very many lemmas is given up: obligations
//! then exclude the bad states of the last level, as in `ic3`, or on request another proof is looked for,
//! about the trace as it is by then. So bounded model checking says what is worth proving, and
//! induction relative to the frames puts it into clauses, as in `ic3`, with which it shares the trace.
//!
//! With a stride, the length grows by several steps at a time; violations are then remembered in a latch
//! (`sticky`), so that one question is about all lengths up to there.
//!
//! After Vizel, Gurfinkel, "Interpolating Property Directed Reachability" (CAV 2014). We differ in how
//! the suffix is found: step by step from the end, in one solver that serves all lengths (`unrolled`); each
//! lemma is pushed as far as it goes when it is learned; and bounded model checking from the resets runs
//! ahead of the trace and leaps where lengths take long.

mod strengthen;
mod suffix;
mod unrolled;

use crate::ask::SCALE;
use crate::bmc::leap::Search;
use crate::circuit::first_bad;
use crate::ic3::{self, Outcome, Question, Reduced, Settings};
use crate::interpolation::first::first_step;
use crate::interpolation::proofs::Quest;
use crate::model::{completed, in_cone, until_bad};
use crate::settings::{AVY_MAX_LEMMAS, AVY_MAX_OF_PROOF, AVY_MAX_TIRED, AVY_PROBE, AVY_TURN};
use crate::transform::{CIRCUIT_TRANSFORMS, CircuitTransform, simplify_circuit};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit;
use alphorn_problem::evidence::circuit::CircuitClaim;
use alphorn_problem::{Circuit, Finding};
use alphorn_sat::aig::Edge;
use strengthen::{Sets, Strengthened, adopt, strengthen};
use suffix::Suffix;
use unrolled::Unrolled;

/// Avy, which strengthens a trace of clauses by interpolants.
#[derive(Clone, Copy, Debug)]
pub struct Avy {
    /// By how many steps the runs that are asked for grow.
    pub stride: usize,
    /// Whether lemmas speak about gates over latches, too.
    pub internal_signals: bool,
    /// In how many steps before its own the lowest frame of a suffix holds again.
    pub repeats: usize,
    /// Whether proofs are made into clauses as far as possible, which are tried as lemmas first.
    pub clausal: bool,
    /// Whether proofs are looked for in a least part of the steps.
    pub min_core: bool,
    /// Whether the steps are kept from one length to the next.
    pub keep_steps: bool,
    /// Whether obligations take the place of an interpolant that takes very many lemmas.
    pub obligations: bool,
}

impl Default for Avy {
    fn default() -> Avy {
        Avy {
            stride: 1,
            internal_signals: false,
            repeats: 0,
            clausal: false,
            min_core: false,
            keep_steps: true,
            obligations: true,
        }
    }
}

impl Engine<Circuit> for Avy {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        if self.stride == 1 {
            return self.decide(circuit, ctx);
        }
        in_cone(circuit, ctx, |circuit, ctx| match first_step(circuit, ctx)? {
            Some(finding) => Ok(finding),
            None => self.in_strides(circuit, ctx),
        })
    }
}

impl Avy {
    /// With a stride, the frames between do not say what obligations need.
    fn has_obligations(&self) -> bool {
        self.obligations && self.stride == 1
    }

    /// The lemmas that an interpolant may take at first.
    fn max_lemmas(&self) -> usize {
        let setting = if self.has_obligations() { &AVY_MAX_LEMMAS } else { &AVY_MAX_OF_PROOF };
        setting.size()
    }

    /// Decides a circuit in which violations are remembered, so that a run need not end with one, and
    /// no constraint can end it.
    fn in_strides(&self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let is_needed =
            |transform: &&CircuitTransform| ["fold", "sticky"].contains(&transform.name);
        let needed: Vec<&CircuitTransform> = CIRCUIT_TRANSFORMS.iter().filter(is_needed).collect();
        let (stuck, back) = simplify_circuit(circuit, &needed, ctx)?;
        let finding = self.decide(&stuck, ctx)?;
        back.finding(finding, ctx)
    }

    fn decide(&self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        first_bad(circuit)?;
        let settings = Settings { internal_signals: self.internal_signals, ..Settings::default() };
        let reduced = Reduced::new(&Question { settings, ..Question::new(circuit) });
        let finding = match first_step(&reduced.circuit, ctx)? {
            Some(finding) => finding,
            None => Run::new(&reduced, settings, *self).run(ctx)?,
        };
        Ok(match finding {
            Finding::Fails(trace) => Finding::Fails(reduced.widen_trace(&trace)),
            safe => safe,
        })
    }
}

/// The state of a run.
struct Run<'a> {
    circuit: &'a Circuit,
    reduced: &'a Reduced<'a>,
    /// The trace, with the obligations that stand in for interpolants.
    ic3: ic3::Run<'a>,
    probe: Search<'a>,
    unrolled: Unrolled<'a>,
    options: Avy,
    /// How many of the last steps are not worth a question of their own.
    guess: usize,
    /// How often in a row interpolants took too many lemmas.
    tired: u32,
}

impl<'a> Run<'a> {
    fn new(reduced: &'a Reduced<'a>, settings: Settings, options: Avy) -> Run<'a> {
        let (circuit, ic3) = (&reduced.circuit, ic3::Run::new(reduced, settings));
        let (probe, unrolled) = (Search::new(circuit), Unrolled::new(circuit));
        Run { circuit, reduced, ic3, probe, unrolled, options, guess: 0, tired: 0 }
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let mut before = ctx.ticks_used();
        for length in (self.options.stride..).step_by(self.options.stride) {
            // Where obligations do most of the work, the search ahead has had its chance.
            let share = (ctx.ticks_used() - before) / AVY_PROBE.get() / u64::from(1 + self.tired);
            if let Some(trace) = self.search(share, ctx)? {
                return Ok(Finding::Fails(trace));
            }
            before = ctx.ticks_used();
            self.ic3.trace.take_news(ctx)?;
            for _ in 0..self.options.stride {
                self.ic3.trace.extend();
            }
            self.ic3.trace.propagate(ctx)?;
            if let Some(safe) = self.closed() {
                return Ok(safe);
            }
            self.ic3.trace.push_to_infinity(ctx)?;
            if let Some(safe) = self.closed() {
                return Ok(safe);
            }
            let mut most = self.options.max_lemmas();
            loop {
                match self.exclude(length, most, ctx)? {
                    Excluded::All => break,
                    Excluded::Some => most *= 2,
                    Excluded::End(finding) => return Ok(finding),
                }
            }
            ctx.emit(Event::Bound { depth: length as u64 });
            ctx.emit(self.ic3.trace.frames.sizes());
        }
        unreachable!("lengths do not end")
    }

    /// The finding, if two frames are equal that exclude bad states: the last ones may not yet.
    fn closed(&self) -> Option<Finding<Circuit>> {
        let frames = &self.ic3.trace.frames;
        let cubes = frames.invariant_below(frames.last() + 1 - self.options.stride)?;
        Some(Finding::Holds(CircuitClaim::of(self.reduced.invariant(&cubes))))
    }

    /// Looks for a run from the resets alone, for about so many ticks.
    fn search(&mut self, share: u64, ctx: &mut Ctx<'_>) -> Result<Option<circuit::Trace>, Stop> {
        let end = ctx.ticks_used().saturating_add(share);
        while ctx.ticks_used() < end && !self.probe.is_over() {
            let left = (end - ctx.ticks_used()).saturating_mul(SCALE).max(AVY_TURN.get());
            if let Some(trace) = self.probe.turn(left, ctx)? {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// Strengthens the trace by one sequence of interpolants, each with at most so many lemmas.
    fn exclude(&mut self, length: usize, most: usize, ctx: &mut Ctx<'_>) -> Result<Excluded, Stop> {
        let Avy { repeats, clausal, min_core, keep_steps, .. } = self.options;
        if !keep_steps {
            self.unrolled = Unrolled::new(self.circuit);
        }
        let quest = Quest { clausal, min_core };
        let search = suffix::Search { length, guess: self.guess, repeats, quest };
        let suffix = search.run(self.circuit, &mut self.unrolled, &self.ic3.trace.frames, ctx)?;
        let (first, floor, sets, interpolants, clauses, start) = match suffix {
            Suffix::Run(state, inputs) => {
                let trace = until_bad(self.circuit, completed(self.circuit, &state, &inputs));
                return Ok(Excluded::End(Finding::Fails(trace)));
            }
            Suffix::Interpolants { first, floor, sets, interpolants, clauses, start } => {
                (first, floor, sets, interpolants, clauses, start)
            }
        };
        let size: usize = interpolants.iter().map(|set| sets.size(&[*set])).sum();
        let remark = format!("length {length} from level {first}: sets of {size} gates");
        ctx.emit(Event::Remark(remark));
        let needless = interpolants.iter().take_while(|set| **set == Edge::TRUE).count();
        let needless = needless.saturating_sub(floor - first);
        self.guess = (length - floor - needless).saturating_sub(1);
        let mut sets = Sets::new(self.circuit, sets, start);
        let mut total = 0;
        for (interpolant, level) in interpolants.iter().zip(first + 1..) {
            if let Some(clauses) = clauses.get(level - first - 1) {
                total += adopt(&mut self.ic3.trace, level, clauses, ctx)?;
            }
            let done = strengthen(&mut self.ic3.trace, level, &mut sets, *interpolant, most, ctx)?;
            if let Some(safe) = self.closed() {
                return Ok(Excluded::End(safe));
            }
            match done {
                Strengthened::Done(count) => total += count,
                Strengthened::Outdated(0) if total == 0 => {
                    let reason = "a state that the proof excludes has a predecessor";
                    return Err(Stop::Stuck(reason.into()));
                }
                Strengthened::Tired if self.options.has_obligations() => {
                    self.tired = (self.tired + 1).min(AVY_MAX_TIRED.short());
                    return self.oblige(ctx);
                }
                // So many lemmas are better spent on another proof about a stronger trace.
                Strengthened::Tired | Strengthened::Outdated(_) => return Ok(Excluded::Some),
            }
        }
        self.tired = 0;
        Ok(Excluded::All)
    }

    /// Strengthens the trace by obligations until the last frame excludes bad states.
    fn oblige(&mut self, ctx: &mut Ctx<'_>) -> Result<Excluded, Stop> {
        ctx.emit(Event::Remark("lemmas from obligations".into()));
        Ok(match self.ic3.exclude_bad(ctx)? {
            None => Excluded::All,
            Some(Outcome::Unsafe(trace)) => Excluded::End(Finding::Fails(trace)),
            Some(Outcome::Safe(_)) => self.closed().map_or(Excluded::Some, Excluded::End),
        })
    }
}

/// What of the bad runs of a length the trace excludes.
enum Excluded {
    All,
    Some,
    End(Finding<Circuit>),
}
