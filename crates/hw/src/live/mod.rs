//! Liveness: can a run see all signals of a justice property again and again?
//!
//! Every engine here asks engines for safety: about a circuit with a monitor (`problem::monitor`) that
//! looks for a loop (`LOOPS`), or counts (`counting`), or about the circuit from states that it met
//! (`shoals`). What they hand out is a loop for a violation, or an invariant of a monitor for a proof.
//!
//! An engine decides the first justice property of a circuit that has no other properties. Clauses
//! about a circuit with a monitor mean nothing to engines that see another one, so questions are asked
//! apart from the exchange.

mod counting;
mod lasso;
mod shoals;

pub use counting::Counting;
pub use shoals::Shoals;

use crate::select::select_circuit_justice;
use crate::transform::simplify_by_default;
use alphorn_engine::{Back, Ctx, Engine, Event, Seen, Steps, Stop, View};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::monitor::{MAX_COUNT, Monitor};
use alphorn_problem::{Circuit, Finding};
use lasso::{loop_of, loop_within};

/// Makes an engine for safety.
type Build = fn() -> Box<dyn Engine<Circuit>>;

/// A justice property as a safety property: that no state comes back with all signals seen in between.
pub static LOOPS: View<Circuit, Circuit> =
    View { name: "loops", steps: Steps::Changed, make: make_loops };

fn make_loops(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Seen<Circuit, Circuit>, Stop> {
    let circuit = first_justice(circuit)?;
    let (small, back) = watched(&circuit, Monitor::Loop, ctx)?;
    let to_circuit = Back::searching(
        |claim, _| Ok(holds(Monitor::Loop, claim)),
        move |trace, _| loop_of(&circuit, &trace),
    );
    Ok(Seen::new(small, to_circuit.after(back)))
}

/// Counts how often all signals can be seen, with an engine for safety: if no more often than some
/// number the property holds, and a run on which they are seen often enough has a loop. Each number is a
/// view of its own, made when the one before was not enough.
pub struct CountingAnew(pub Build);

impl Engine<Circuit> for CountingAnew {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let circuit = first_justice(circuit)?;
        for most in 0..=MAX_COUNT {
            let monitor = Monitor::Count { most };
            let finding = ctx.apart(|ctx| {
                let (small, back) = watched(&circuit, monitor, ctx)?;
                Seen::new(small, back).decide(&mut *(self.0)(), Steps::Changed, ctx)
            });
            match finding? {
                Finding::Holds(claim) => return Ok(Finding::Holds(holds(monitor, claim))),
                Finding::Fails(trace) => {
                    if let Some(trace) = loop_within(&circuit, &trace)? {
                        return Ok(Finding::Fails(trace));
                    }
                }
            }
            ctx.emit(Event::Remark(format!("all signals can be seen {} times", most + 1)));
        }
        Err(Stop::Stuck("the signals can be seen too often to be counted".into()))
    }
}

/// The circuit with its first justice property alone, if it is to be decided.
fn first_justice(circuit: &Circuit) -> Result<Circuit, Stop> {
    if !circuit.safety().is_empty() {
        return Err(Stop::Unsupported("the circuit has a safety property".into()));
    }
    if circuit.justice.is_empty() {
        return Err(Stop::Unsupported("the circuit has no justice property".into()));
    }
    Ok(select_circuit_justice(circuit, 0).0)
}

/// A circuit with a monitor, simplified, and the way back to the circuit with the monitor.
fn watched(
    circuit: &Circuit,
    monitor: Monitor,
    ctx: &mut Ctx<'_>,
) -> Result<(Circuit, Back<Circuit, Circuit>), Stop> {
    let watched = monitor.build(circuit, 0).map_err(Stop::Stuck)?;
    simplify_by_default(&watched, ctx)
}

/// That nothing is noticed, as a claim about the circuit without the monitor.
fn holds(monitor: Monitor, claim: CircuitClaim) -> CircuitClaim {
    let invariant = Invariant::Justice { monitor, invariant: Box::new(claim.invariant) };
    CircuitClaim::of(invariant)
}
