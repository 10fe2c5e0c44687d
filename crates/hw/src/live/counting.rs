//! Counting in one run of `ic3`: how often all signals can be seen.
//!
//! A monitor has a latch for each time that all signals were seen, up to some number. That they are seen more often
//! than so many times is one question after the other about the same circuit, in which only what is bad changes:
//! all signals are seen now, and were so many times before. So frames, lemmas and solvers of one number serve the
//! next (`ic3::narrow`). Where the latches do not suffice, a monitor with more of them takes over; it has those of
//! the one before, which do the same, and the lemmas become guesses.
//!
//! Claims are about the monitor that counts no further than the question: a latch that counts further is down as
//! long as the signals were not seen that often, so that in the invariant it is false.
//!
//! Invariant: latches have the same positions in the monitors of all numbers.
//!
//! After Claessen, Sörensson, "A Liveness Checking Algorithm that Counts" (FMCAD 2012), §4.

use super::lasso::loop_within;
use super::{first_justice, holds};
use crate::ask::same;
use crate::circuit::gate_of;
use crate::ic3::{Question, Reduced, Run, invariant};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::CircuitClaim;
use alphorn_problem::monitor::{MAX_COUNT, Monitor};
use alphorn_problem::{Circuit, Finding};

/// The numbers that the first monitor has latches for; the next ones have four times as many.
const FIRST: u32 = 3;

/// Counts how often all signals can be seen, by `ic3` that goes on from number to number.
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
    let (mut next, mut size) = (0, FIRST);
    while next <= MAX_COUNT {
        let watched = Watched::new(circuit, size.min(MAX_COUNT))?;
        let question =
            Question { kept: watched.counters.clone(), ..Question::new(&watched.circuit) };
        let reduced = Reduced::new(&question);
        let mut run = Run::new(&reduced, question.settings);
        run.guess(&known, ctx)?;
        for most in next..=watched.counters.len() as u32 {
            let counter = most.checked_sub(1).map(|at| watched.counters[at as usize]);
            let shrunk = reduced.shrink(counter.as_slice());
            let Some(with) = shrunk else {
                return Err(Stop::Stuck("a counter is no latch of its circuit".into()));
            };
            let with: Vec<alphorn_sat::Lit> = with.into_iter().map(same).collect();
            let Some(trace) = run.violation(&with, ctx)? else {
                let monitor = Monitor::Count { most };
                let clauses = watched.within(most, run.invariant_clauses());
                let small = monitor.build(circuit, 0).map_err(Stop::Stuck)?;
                let claim = CircuitClaim::of(invariant(&small, clauses));
                return Ok(Finding::Holds(holds(monitor, claim)));
            };
            if let Some(trace) = loop_within(circuit, &reduced.widen_trace(&trace))? {
                return Ok(Finding::Fails(trace));
            }
            ctx.emit(Event::Remark(format!("all signals can be seen {} times", most + 1)));
        }
        known = run.lemmas();
        next = watched.counters.len() as u32 + 1;
        size = size.saturating_mul(4);
    }
    Err(Stop::Stuck("the signals can be seen too often to be counted".into()))
}

/// A circuit that is bad whenever all signals are seen, with counters.
struct Watched {
    circuit: Circuit,
    /// For each number from 1 on the latch that says that all signals were seen so often.
    counters: Vec<Lit>,
}

impl Watched {
    fn new(circuit: &Circuit, size: u32) -> Result<Watched, Stop> {
        let monitor = Monitor::Count { most: size };
        let mut watched = monitor.build(circuit, 0).map_err(Stop::Stuck)?;
        let first = watched.latches.len() - size as usize;
        let counters: Vec<Lit> =
            (first..watched.latches.len()).map(|at| watched.latch(at)).collect();
        let last = counters[counters.len() - 1];
        // It is bad that all are seen and were counted up to the last counter.
        let bad = watched.safety()[0];
        let all = match gate_of(&watched, bad.var()) {
            _ if bad == last => Lit::TRUE,
            Some(gate) if gate.left == last => gate.right,
            Some(gate) => gate.left,
            None => bad,
        };
        watched.bads = vec![all];
        Ok(Watched { circuit: watched, counters })
    }

    /// The clauses where counters beyond a number are down.
    fn within(&self, most: u32, clauses: Vec<Vec<Lit>>) -> Vec<Vec<Lit>> {
        let beyond = &self.counters[most as usize..];
        let mut left: Vec<Vec<Lit>> = Vec::with_capacity(clauses.len());
        for mut clause in clauses {
            if clause.iter().any(|lit| beyond.contains(&!*lit)) {
                continue;
            }
            clause.retain(|lit| !beyond.contains(lit));
            left.push(clause);
        }
        left
    }
}
