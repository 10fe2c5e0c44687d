//! Avy: a clausal trace, strengthened level by level with what interpolants say of it.
//!
//! For each length N, the runs that pass through the frames of the trace and end badly after N steps
//! are asked for as a whole, with the steps in partitions. If there is none, already the last few
//! steps, from frame k on, have none: k is found by adding steps at the beginning until no run is
//! left, and only these steps give a sequence of interpolants (`suffix`). Each interpolant then becomes
//! lemmas of its level (`strengthen`), after which the trace excludes bad states up to level N. A level
//! without lemmas closes the trace. So bounded model checking says what is worth proving, and
//! induction relative to the frames puts it into clauses (`local`).
//!
//! After Vizel, Gurfinkel, "Interpolating Property Directed Reachability" (CAV 2014). We differ in how
//! the suffix is found: step by step from the end, in one solver, instead of by assumptions; and
//! each lemma is pushed as far as it goes when it is learned.

mod local;
mod strengthen;
mod suffix;

use crate::ask::bit;
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

/// The engine.
#[derive(Debug, Default)]
pub struct Avy;

impl Engine<Circuit> for Avy {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
        in_cone(circuit, ctx, |circuit, ctx| match first_step(circuit, ctx)? {
            Some(verdict) => Ok(verdict),
            None => decide(circuit, ctx),
        })
    }
}

fn decide(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Verdict<Circuit>, Stop> {
    let mut local = Local::new(circuit)?;
    let mut guess = 0;
    for length in 1.. {
        local.extend();
        local.propagate(ctx)?;
        if let Some(invariant) = local.frames.invariant() {
            return Ok(safe(&invariant));
        }
        let (first, sets, interpolants, start) = match suffix(circuit, &local, length, guess, ctx)?
        {
            Suffix::Run(state, inputs) => {
                return Ok(Verdict::Unsafe(completed(circuit, &state, &inputs)));
            }
            Suffix::Interpolants { first, sets, interpolants, start } => {
                (first, sets, interpolants, start)
            }
        };
        let needless = interpolants.iter().take_while(|set| **set == Edge::TRUE).count();
        guess = (length - first - needless).saturating_sub(1);
        let mut learned = 0;
        for (interpolant, level) in interpolants.iter().zip(first + 1..) {
            let about = (&sets, *interpolant, start);
            learned += strengthen(circuit, &mut local, level, about, ctx)?;
            if let Some(invariant) = local.frames.invariant() {
                return Ok(safe(&invariant));
            }
        }
        let sizes: Vec<usize> = interpolants.iter().map(|edge| sets.size(&[*edge])).collect();
        let remark = format!("length {length}: from level {first}, {learned} lemmas, {sizes:?}");
        ctx.emit(Event::Remark(remark));
        ctx.emit(Event::Bound { depth: length as u64 });
    }
    unreachable!("lengths do not end")
}

/// The verdict that none of the cubes is reachable.
fn safe(cubes: &[Cube]) -> Verdict<Circuit> {
    let negate = |cube: &Cube| cube.negation().into_iter().map(bit).collect();
    Verdict::Safe(unproved(Invariant::Clauses(cubes.iter().map(negate).collect())))
}
