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
use crate::model::{completed, in_cone};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::{Circuit, Verdict};
use alphorn_sat::aig::Edge;
use local::Local;
use strengthen::strengthen;
use suffix::{Suffix, suffix};

/// The part of the work, one in so many, that the search for counterexamples gets on top.
const PROBE: u64 = 3;
/// The fewest ticks of the solver that this search has at a time.
const TURN: u64 = 1 << 16;
/// The lemmas that one interpolant may take before another is asked for.
const MOST_LEMMAS: usize = 100;

/// The engine.
#[derive(Debug, Default)]
pub struct Avy;

impl Engine<Circuit> for Avy {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        let sizes = |circuit: &Circuit| (circuit.inputs, circuit.latches.len(), circuit.ands.len());
        let whole = sizes(circuit);
        in_cone(circuit, ctx, |circuit, ctx| match first_step(circuit, ctx)? {
            Some(verdict) => Ok(verdict),
            None => decide(circuit, sizes(circuit) == whole, ctx),
        })
    }
}

fn decide(circuit: &Circuit, is_shared: bool, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
    let mut local = Local::new(circuit, is_shared)?;
    let mut probe = Search::new(circuit);
    let (mut guess, mut before) = (0, ctx.ticks_used());
    for length in 1.. {
        let end = ctx.ticks_used() + (ctx.ticks_used() - before) / PROBE;
        while ctx.ticks_used() < end && !probe.is_over() {
            let left = (end - ctx.ticks_used()).saturating_mul(SCALE).max(TURN);
            if let Some(trace) = probe.turn(left, ctx)? {
                return Ok(Verdict::Unsafe(trace));
            }
        }
        before = ctx.ticks_used();
        local.take_news(ctx)?;
        local.extend();
        local.propagate(ctx)?;
        if let Some(invariant) = local.frames.invariant() {
            return Ok(safe(&invariant));
        }
        let mut most = MOST_LEMMAS;
        let mut is_excluded = false;
        while !is_excluded {
            let (first, sets, interpolants, start) =
                match suffix(circuit, &local, length, guess, ctx)? {
                    Suffix::Run(state, inputs) => {
                        return Ok(Verdict::Unsafe(completed(circuit, &state, &inputs)));
                    }
                    Suffix::Interpolants { first, sets, interpolants, start } => {
                        (first, sets, interpolants, start)
                    }
                };
            let needless = interpolants.iter().take_while(|set| **set == Edge::TRUE).count();
            guess = (length - first - needless).saturating_sub(1);
            is_excluded = true;
            for (interpolant, level) in interpolants.iter().zip(first + 1..) {
                let about = (&sets, *interpolant, start);
                let learned = strengthen(circuit, &mut local, level, about, most, ctx)?;
                if let Some(invariant) = local.frames.invariant() {
                    return Ok(safe(&invariant));
                }
                if learned == most {
                    // So many lemmas are better spent on another proof about a stronger trace.
                    is_excluded = false;
                    break;
                }
            }
            most *= 2;
            let size: usize = interpolants.iter().map(|set| sets.size(&[*set])).sum();
            let remark = format!("length {length} from level {first}: sets of {size} gates");
            ctx.emit(Event::Remark(remark));
        }
        ctx.emit(Event::Bound { depth: length as u64 });
        ctx.emit(local.frames.sizes());
    }
    unreachable!("lengths do not end")
}

/// The verdict that none of the cubes is reachable.
fn safe(cubes: &[Cube]) -> Verdict<Circuit> {
    let negate = |cube: &Cube| cube.negation().into_iter().map(bit).collect();
    Verdict::Safe(unproved(Invariant::Clauses(cubes.iter().map(negate).collect())))
}
