//! Avy: a clausal trace, strengthened level by level with what interpolants say of it.
//!
//! For each length N, the runs that pass through the frames of the trace and end badly after N steps
//! are asked for as a whole, with the steps in partitions. If there is none, already the last few
//! steps, from frame k on, have none: k is found by adding steps at the beginning until no run is
//! left, and only these steps give a sequence of interpolants (`suffix`). Each interpolant then becomes
//! lemmas of its level (`strengthen`), after which the trace excludes bad states up to level N. A level
//! without lemmas closes the trace. An interpolant that takes very many lemmas is given up for that of
//! another proof, about the trace as it is by then. So bounded model checking says what is worth proving, and
//! induction relative to the frames puts it into clauses (`local`).
//!
//! With a stride, the length grows by several steps at a time; violations are then remembered in a latch
//! (`sticky`), so that one question is about all lengths up to there.
//!
//! After Vizel, Gurfinkel, "Interpolating Property Directed Reachability" (CAV 2014). We differ in how
//! the suffix is found: step by step from the end, in one solver, instead of by assumptions; each
//! lemma is pushed as far as it goes when it is learned; and bounded model checking from the resets runs
//! ahead of the trace and leaps where lengths take long.

mod local;
mod strengthen;
mod suffix;

use crate::ask::{SCALE, bit};
use crate::bmc::leap::Search;
use crate::certify::unproved;
use crate::frames::Cube;
use crate::interpolation::first::first_step;
use crate::model::{completed, in_cone, until_bad};
use crate::transform::{CIRCUIT_TRANSFORMS, CircuitTransform, simplify_circuit};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::{Invariant, Trace};
use alphorn_problem::{Circuit, Verdict};
use alphorn_sat::aig::Edge;
use local::Local;
use strengthen::{Strengthened, strengthen};
use suffix::{Suffix, suffix};

/// The part of the work, one in so many, that the search for counterexamples gets on top.
const PROBE: u64 = 3;
/// The fewest ticks of the solver that this search has at a time.
const TURN: u64 = 1 << 16;
/// The lemmas that one interpolant may take before another is asked for.
const MOST_LEMMAS: usize = 100;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Avy {
    /// By how many steps the runs that are asked for grow.
    pub stride: usize,
}

impl Default for Avy {
    fn default() -> Avy {
        Avy { stride: 1 }
    }
}

impl Engine<Circuit> for Avy {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        let sizes = |circuit: &Circuit| (circuit.inputs, circuit.latches.len(), circuit.ands.len());
        let whole = sizes(circuit);
        in_cone(circuit, ctx, |circuit, ctx| match first_step(circuit, ctx)? {
            Some(verdict) => Ok(verdict),
            None if self.stride > 1 => self.in_strides(circuit, ctx),
            None => Run::new(circuit, sizes(circuit) == whole, 1)?.run(ctx),
        })
    }
}

impl Avy {
    /// Decides a circuit in which violations are remembered, so that a run need not end with one, and
    /// no constraint can end it.
    fn in_strides(&self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        let is_needed =
            |transform: &&CircuitTransform| ["fold", "sticky"].contains(&transform.name);
        let needed: Vec<&CircuitTransform> = CIRCUIT_TRANSFORMS.iter().filter(is_needed).collect();
        let (stuck, back) = simplify_circuit(circuit, &needed, ctx)?;
        let verdict = Run::new(&stuck, false, self.stride)?.run(ctx)?;
        back.verdict(verdict).map_err(|lost| Stop::Stuck(lost.0))
    }
}

/// The state of a run.
struct Run<'a> {
    circuit: &'a Circuit,
    local: Local<'a>,
    probe: Search<'a>,
    stride: usize,
    /// How many of the last steps are not worth a question of their own.
    guess: usize,
}

impl<'a> Run<'a> {
    fn new(circuit: &'a Circuit, is_shared: bool, stride: usize) -> Result<Run<'a>, Stop> {
        let local = Local::new(circuit, is_shared)?;
        Ok(Run { circuit, local, probe: Search::new(circuit), stride, guess: 0 })
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        let mut before = ctx.ticks_used();
        for length in (self.stride..).step_by(self.stride) {
            let share = (ctx.ticks_used() - before) / PROBE;
            if let Some(trace) = self.search(share, ctx)? {
                return Ok(Verdict::Unsafe(trace));
            }
            before = ctx.ticks_used();
            self.local.take_news(ctx)?;
            for _ in 0..self.stride {
                self.local.extend();
            }
            self.local.propagate(ctx)?;
            if let Some(invariant) = self.invariant() {
                return Ok(safe(&invariant));
            }
            let mut most = MOST_LEMMAS;
            loop {
                match self.exclude(length, most, ctx)? {
                    Excluded::All => break,
                    Excluded::Some => most *= 2,
                    Excluded::End(verdict) => return Ok(verdict),
                }
            }
            ctx.emit(Event::Bound { depth: length as u64 });
            ctx.emit(self.local.frames.sizes());
        }
        unreachable!("lengths do not end")
    }

    /// The invariant, if two frames are equal that exclude bad states: the last ones may not yet.
    fn invariant(&self) -> Option<Vec<Cube>> {
        let frames = &self.local.frames;
        frames.invariant_below(frames.last() + 1 - self.stride)
    }

    /// Looks for a run from the resets alone, for about so many ticks.
    fn search(&mut self, share: u64, ctx: &mut Ctx<'_>) -> Result<Option<Trace>, Stop> {
        let end = ctx.ticks_used().saturating_add(share);
        while ctx.ticks_used() < end && !self.probe.is_over() {
            let left = (end - ctx.ticks_used()).saturating_mul(SCALE).max(TURN);
            if let Some(trace) = self.probe.turn(left, ctx)? {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// Strengthens the trace by one sequence of interpolants, each with at most so many lemmas.
    fn exclude(&mut self, length: usize, most: usize, ctx: &mut Ctx<'_>) -> Result<Excluded, Stop> {
        let suffix = suffix(self.circuit, &self.local, length, self.guess, ctx)?;
        let (first, sets, interpolants, start) = match suffix {
            Suffix::Run(state, inputs) => {
                let trace = until_bad(self.circuit, completed(self.circuit, &state, &inputs));
                return Ok(Excluded::End(Verdict::Unsafe(trace)));
            }
            Suffix::Interpolants { first, sets, interpolants, start } => {
                (first, sets, interpolants, start)
            }
        };
        let size: usize = interpolants.iter().map(|set| sets.size(&[*set])).sum();
        let remark = format!("length {length} from level {first}: sets of {size} gates");
        ctx.emit(Event::Remark(remark));
        let needless = interpolants.iter().take_while(|set| **set == Edge::TRUE).count();
        self.guess = (length - first - needless).saturating_sub(1);
        let mut total = 0;
        for (interpolant, level) in interpolants.iter().zip(first + 1..) {
            let about = (&sets, *interpolant, start);
            let done = strengthen(self.circuit, &mut self.local, level, about, most, ctx)?;
            if let Some(invariant) = self.invariant() {
                return Ok(Excluded::End(safe(&invariant)));
            }
            match done {
                Strengthened::Done(count) => total += count,
                Strengthened::Outdated(0) if total == 0 => {
                    let reason = "a state that the proof excludes has a predecessor";
                    return Err(Stop::Stuck(reason.into()));
                }
                // So many lemmas are better spent on another proof about a stronger trace.
                Strengthened::Tired | Strengthened::Outdated(_) => return Ok(Excluded::Some),
            }
        }
        Ok(Excluded::All)
    }
}

/// What of the bad runs of a length the trace excludes.
enum Excluded {
    All,
    Some,
    End(Verdict<Circuit>),
}

/// The verdict that none of the cubes is reachable.
fn safe(cubes: &[Cube]) -> Verdict<Circuit> {
    let negate = |cube: &Cube| cube.negation().into_iter().map(bit).collect();
    Verdict::Safe(unproved(Invariant::Clauses(cubes.iter().map(negate).collect())))
}
