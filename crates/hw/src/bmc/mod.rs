//! Bounded model checking: is there a violation of this length, and if not, of the next?
//!
//! One solver sees the unrolled circuit grow. Only what the property and the constraints depend on
//! at each step is encoded, after constants have been propagated from the resets (`unroll`); what
//! was excluded at one length is assumed at the next. Lengths are tried one by one, so the first
//! counterexample is a shortest one. Where constraints leave no run of some length, the property holds,
//! and an induction is looked for that proves it. What other engines have proved is assumed in the steps to come,
//! after a trial of whether it is inductive (`lemmas`).
//!
//! After Biere, Cimatti, Clarke, Zhu, "Symbolic Model Checking without BDDs" (TACAS 1999).

pub(crate) mod leap;
pub(crate) mod unroll;

pub use leap::Leap;

use crate::kind::induction;
use crate::lemmas::Lemmas;
use crate::model::{completed, in_named_cone};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::CircuitClaim;
use alphorn_problem::{Circuit, Finding};
use unroll::{Start, Unrolling};

/// Bounded model checking, one step after the other.
#[derive(Debug, Default)]
pub struct Bmc;

impl Engine<Circuit> for Bmc {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        in_named_cone(circuit, ctx, |circuit, names, ctx| {
            let mut lemmas = Lemmas::new(circuit, names);
            let mut unrolling = Unrolling::new(circuit, Start::Reset);
            for depth in 0.. {
                unrolling.learn(lemmas.take_news(ctx)?);
                unrolling.step(depth)?;
                if unrolling.is_bad(depth, ctx)? {
                    let (state, inputs) = unrolling.run(depth);
                    return Ok(Finding::Fails(completed(circuit, &state, &inputs)));
                }
                if unrolling.is_over() {
                    let remark = format!("no run has {} steps, so the property holds", depth + 1);
                    ctx.emit(Event::Remark(remark));
                    let invariant = induction(circuit, &lemmas, depth, ctx)?;
                    return Ok(Finding::Holds(CircuitClaim::of(invariant)));
                }
                unrolling.exclude(depth);
                ctx.cleared(depth as u64)?;
            }
            unreachable!("depths do not end")
        })
    }

    fn searches_by_depth(&self) -> bool {
        true
    }
}
