//! Checks witnesses: runs of a circuit that violate a property.
//!
//! The run is simulated with unknowns, an `x` of the trace being an unknown. The trace is accepted
//! if the simulation shows a violation, and so only if *every* way to fill in the `x` is a run that
//! violates the property. This is the strict reading of AIGER's "does not matter": the other one,
//! that some way exists, would have the checker search for it. It also means that an `x` in the
//! start is accepted for uninitialised latches alone.
//!
//! A justice property is violated by a lasso. The state after the last step must be known and
//! equal the state before an earlier step, from which on the inputs repeat for ever. Where several
//! earlier states fit, the first gives the longest loop, in which everything happens that happens
//! in the shorter ones. The run is simulated twice rather than remembered.
//!
//! After Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond" (2011).

use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};

use super::simulate::{Simulation, Ternary};
use crate::{Refusal, work};
use alphorn_term::Meter;

/// Accepts `trace` if it is a run of `circuit` that violates the property it names.
pub fn check_trace(circuit: &Circuit, trace: &Trace) -> Result<(), Refusal> {
    check_trace_within(circuit, trace, &work::of_trace(circuit, trace))
}

/// `check_trace` with the caller's limit on its work.
pub fn check_trace_within(circuit: &Circuit, trace: &Trace, meter: &Meter) -> Result<(), Refusal> {
    // Two simulations of the run, a tick for each wire in each step.
    let steps = trace.inputs.len() as u64 + 1;
    meter
        .spend(steps.saturating_mul(2 * u64::from(circuit.max_var()) + 2))
        .map_err(|exhausted| Refusal::new("the run", exhausted))?;
    let simulation = Simulation::new(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    check_shape(circuit, trace)?;
    match trace.property {
        Property::Bad(index) => match circuit.safety().get(index) {
            Some(bad) => check_bad(circuit, simulation, trace, *bad),
            None => Err(missing_property("safety", index)),
        },
        Property::Justice(index) => match circuit.justice.get(index) {
            Some(justice) => check_justice(circuit, simulation, trace, justice),
            None => Err(missing_property("justice", index)),
        },
        Property::Home(index) => Err(missing_property("home", index)),
    }
}

fn missing_property(kind: &str, index: usize) -> Refusal {
    Refusal::new("property", format!("the circuit has no {kind} property {index}"))
}

fn check_shape(circuit: &Circuit, trace: &Trace) -> Result<(), Refusal> {
    if trace.start.len() != circuit.latches.len() {
        let (found, expected) = (trace.start.len(), circuit.latches.len());
        return Err(Refusal::new("start", format!("{found} values for {expected} latches")));
    }
    if trace.inputs.is_empty() {
        return Err(Refusal::new("inputs", "a violation takes at least one step"));
    }
    let misfit = |row: &Vec<Bit>| row.len() != circuit.inputs as usize;
    match trace.inputs.iter().position(misfit) {
        Some(step) => {
            let (found, expected) = (trace.inputs[step].len(), circuit.inputs);
            Err(Refusal::new(place(step), format!("{found} values for {expected} inputs")))
        }
        None => Ok(()),
    }
}

fn check_bad(
    circuit: &Circuit,
    mut simulation: Simulation<Ternary>,
    trace: &Trace,
    bad: Lit,
) -> Result<(), Refusal> {
    let mut last = Ternary::Unknown;
    replay(circuit, &mut simulation, trace, |simulation| last = simulation.value(bad))?;
    require(last, place(trace.inputs.len() - 1), || "the property".into())
}

fn check_justice(
    circuit: &Circuit,
    mut simulation: Simulation<Ternary>,
    trace: &Trace,
    justice: &[Lit],
) -> Result<(), Refusal> {
    replay(circuit, &mut simulation, trace, |_| {})?;
    let end = simulation.state().to_vec();
    if let Some(latch) = end.iter().position(|value| *value == Ternary::Unknown) {
        let reason = format!("latch {latch} depends on an x, so no loop can be seen");
        return Err(Refusal::new("end of the trace", reason));
    }
    let required: Vec<Lit> = justice.iter().chain(&circuit.fairness).copied().collect();
    let mut happens = vec![false; required.len()];
    let mut in_loop = false;
    replay(circuit, &mut simulation, trace, |simulation| {
        in_loop |= simulation.state() == end;
        if in_loop {
            for (happens, lit) in happens.iter_mut().zip(&required) {
                *happens |= simulation.value(*lit) == Ternary::One;
            }
        }
    })?;
    if !in_loop {
        return Err(Refusal::new("end of the trace", "the state differs from all before it"));
    }
    match happens.iter().position(|happens| !happens) {
        Some(index) => {
            let lit = required[index].0;
            let kind = if index < justice.len() { "justice" } else { "fairness" };
            Err(Refusal::new("loop", format!("{kind} literal {lit} is not seen to be true in it")))
        }
        None => Ok(()),
    }
}

/// Simulates the run and checks start and constraints; `visit` sees each step settled.
fn replay(
    circuit: &Circuit,
    simulation: &mut Simulation<Ternary>,
    trace: &Trace,
    mut visit: impl FnMut(&Simulation<Ternary>),
) -> Result<(), Refusal> {
    for (step, inputs) in trace.inputs.iter().enumerate() {
        for (index, bit) in inputs.iter().enumerate() {
            simulation.set(circuit.input(index).var(), ternary(*bit));
        }
        if step == 0 {
            check_start(circuit, simulation, &trace.start)?;
        }
        simulation.settle();
        for (index, constraint) in circuit.constraints.iter().enumerate() {
            require(simulation.value(*constraint), place(step), || format!("constraint {index}"))?;
        }
        visit(simulation);
        simulation.advance();
    }
    Ok(())
}

/// Puts the latches to their first values, which must be those that their resets allow.
fn check_start(
    circuit: &Circuit,
    simulation: &mut Simulation<Ternary>,
    start: &[Bit],
) -> Result<(), Refusal> {
    for (index, bit) in start.iter().enumerate() {
        simulation.set(circuit.latch(index).var(), ternary(*bit));
    }
    simulation.reset();
    for (index, bit) in start.iter().enumerate().filter(|(i, _)| !circuit.is_uninitialised(*i)) {
        let place = || format!("latch {index} of the start");
        match (simulation.value(circuit.latch(index)), ternary(*bit)) {
            (Ternary::Unknown, _) => return Err(Refusal::new(place(), "its reset reads an x")),
            (reset, value) if reset != value => {
                return Err(Refusal::new(place(), format!("{bit:?}, but reset gives {reset:?}")));
            }
            _ => {}
        }
    }
    Ok(())
}

fn ternary(bit: Bit) -> Ternary {
    match bit {
        Bit::Zero => Ternary::Zero,
        Bit::One => Ternary::One,
        Bit::X => Ternary::Unknown,
    }
}

fn require(value: Ternary, place: String, what: impl FnOnce() -> String) -> Result<(), Refusal> {
    match value {
        Ternary::One => Ok(()),
        Ternary::Zero => Err(Refusal::new(place, format!("{} is false", what()))),
        Ternary::Unknown => Err(Refusal::new(place, format!("{} depends on an x", what()))),
    }
}

fn place(step: usize) -> String {
    format!("step {step}")
}
