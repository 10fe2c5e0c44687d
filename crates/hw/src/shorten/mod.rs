//! Shorter and plainer runs: a violation with fewer steps, and an `x` for whatever does not matter.
//!
//! Engines hand out the run they happened to find. Here it is cut at the first violation, loses the
//! loops it goes through, and loses steps whose removal leaves a violation (`cut`); then inputs and
//! first values that the violation does not need become `x` (`justify`). Every attempt is a simulation
//! of the circuit as read, and how many there may be depends on the size of the run, so that long runs
//! of large circuits cost little.
//!
//! Invariant: what comes out is a run that violates the property whichever values the `x` get, seen by
//! simulation with unknowns; so a checker that takes 0 for every `x` accepts it too. Lassos stay as
//! they are.

mod cut;
mod justify;
mod ternary;

pub use ternary::{Ternary, TernarySimulation};

use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};

/// The run without detours and with an `x` for what does not matter; the trace must be a violation.
pub fn shorten(circuit: &Circuit, trace: Trace, ctx: &mut Ctx<'_>) -> Result<Trace, Stop> {
    let Property::Bad(property) = trace.property else { return Ok(trace) };
    let Some(&bad) = circuit.safety().get(property) else { return Ok(trace) };
    let found = trace.inputs.len();
    let trace = cut::cut(circuit, bad, trace, ctx)?;
    let trace = justify::justify(circuit, bad, trace, ctx)?;
    let bits = || trace.inputs.iter().flatten().chain(&trace.start);
    let (open, all) = (bits().filter(|bit| **bit == Bit::X).count(), bits().count());
    let length = trace.inputs.len();
    let remark =
        format!("run of {found} steps cut to {length}; {open} of {all} values do not matter");
    ctx.emit(Event::Remark(remark));
    Ok(trace)
}

/// The value of a bit where an `x` counts as 0.
fn word(bit: Bit) -> u64 {
    u64::from(bit == Bit::One)
}

#[cfg(test)]
mod tests;
