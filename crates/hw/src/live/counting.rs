//! Counting with lemmas that are kept: how often all signals can be seen, by `ic3`.
//!
//! The monitor for one number has the latches of the monitor for the number before, which do the same, and
//! one more. So what held for good still does, and what held for some steps holds for as many; only the
//! bad states change. The lemmas of one number are therefore the guesses of the next, where those that are
//! inductive together come in at once.
//!
//! Invariant: latches have the same positions in the monitors of all numbers.
//!
//! After Claessen, Sörensson, "A Liveness Checking Algorithm that Counts" (FMCAD 2012), §4, who keep the
//! solver as well.

use super::lasso::loop_within;
use super::{first_justice, holds};
use crate::ic3::{Outcome, Question, Reduced, Run, invariant};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::CircuitClaim;
use alphorn_problem::monitor::{MAX_COUNT, Monitor};
use alphorn_problem::{Circuit, Finding};

/// Counts how often all signals can be seen, by `ic3` whose lemmas are kept from number to number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

impl Engine<Circuit> for Counting {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let circuit = first_justice(circuit)?;
        ctx.apart(|ctx| count(&circuit, ctx))
    }
}

fn count(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
    let mut known: Vec<Vec<Lit>> = Vec::new();
    for most in 0..=MAX_COUNT {
        let monitor = Monitor::Count { most };
        let watched = monitor.build(circuit, 0).map_err(Stop::Stuck)?;
        let question = Question::new(&watched);
        let reduced = Reduced::new(&question);
        let mut run = Run::new(&reduced, question.settings);
        match run.run(&known, ctx)? {
            Outcome::Safe(clauses) => {
                let claim = CircuitClaim::of(invariant(&watched, clauses));
                return Ok(Finding::Holds(holds(monitor, claim)));
            }
            Outcome::Unsafe(trace) => {
                if let Some(trace) = loop_within(circuit, &reduced.widen_trace(&trace))? {
                    return Ok(Finding::Fails(trace));
                }
            }
        }
        known = run.lemmas();
        let seen = most + 1;
        let remark = format!("all signals can be seen {seen} times, {} lemmas kept", known.len());
        ctx.emit(Event::Remark(remark));
    }
    Err(Stop::Stuck("the signals can be seen too often to be counted".into()))
}
