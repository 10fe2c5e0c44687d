//! Loops in runs: where a run comes back to a state after all signals were seen.
//!
//! Only the latches that the signals and constraints depend on matter to a violation, but a witness
//! must repeat the whole state. So the part between the repeated states is run again and again until
//! the other latches repeat as well, as far as that takes no more than `MAX_STEPS`.

use crate::circuit::Simulation;
use alphorn_engine::Stop;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};
use alphorn_problem::monitor::loop_latches;
use std::collections::BTreeMap;

/// The most steps of a run that repeats.
const MAX_STEPS: usize = 1 << 20;

/// A run with all values known, as a simulation shows it.
struct Run {
    /// The state before each step, and the one after the last.
    states: Vec<Vec<bool>>,
    /// Which signals are true in each step.
    signals: Vec<Vec<bool>>,
    inputs: Vec<Vec<bool>>,
}

/// The violation that the run of a circuit with a monitor of loops is.
pub(super) fn loop_of(circuit: &Circuit, trace: &Trace) -> Result<Trace, Stop> {
    match loop_within(circuit, trace)? {
        Some(trace) => Ok(trace),
        None => Err(Stop::Stuck("the monitor noticed a loop that is none".into())),
    }
}

/// A violation within a run of a circuit with any monitor of its first justice property, if there is
/// one.
pub(super) fn loop_within(circuit: &Circuit, trace: &Trace) -> Result<Option<Trace>, Stop> {
    let known = |bits: &[Bit]| bits.iter().map(|bit| *bit == Bit::One).collect::<Vec<bool>>();
    let start = known(&trace.start[..circuit.latches.len()]);
    let inputs = trace.inputs.iter().map(|step| known(&step[..circuit.inputs as usize]));
    violation(circuit, &start, inputs.collect())
}

/// A violation of the first justice property within the run from `start` under `inputs`.
pub(super) fn violation(
    circuit: &Circuit,
    start: &[bool],
    inputs: Vec<Vec<bool>>,
) -> Result<Option<Trace>, Stop> {
    let run = Run::new(circuit, start, inputs);
    let Some((early, late)) = run.repetition(&loop_latches(circuit, 0)) else { return Ok(None) };
    close(circuit, run, early, late).map(Some)
}

impl Run {
    fn new(circuit: &Circuit, start: &[bool], inputs: Vec<Vec<bool>>) -> Run {
        let watched: Vec<Lit> =
            circuit.justice[0].iter().chain(&circuit.fairness).copied().collect();
        let mut simulation = Simulation::new(circuit);
        let mut run = Run { states: vec![start.to_vec()], signals: Vec::new(), inputs };
        set_state(&mut simulation, start);
        for step in &run.inputs {
            run_step(&mut simulation, step);
            let is_true = |lit: &Lit| simulation.value(*lit) & 1 == 1;
            run.signals.push(watched.iter().map(is_true).collect());
            simulation.advance();
            run.states.push(state(&simulation));
        }
        run
    }

    /// Two moments with the same values of `latches`, between which all signals are true at some step.
    fn repetition(&self, latches: &[usize]) -> Option<(usize, usize)> {
        let mut first: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
        for (late, state) in self.states.iter().enumerate() {
            let row: Vec<bool> = latches.iter().map(|latch| state[*latch]).collect();
            let early = *first.entry(row).or_insert(late);
            let steps = &self.signals[early..late];
            let count = self.signals.first().map_or(0, Vec::len);
            if early < late && (0..count).all(|signal| steps.iter().any(|step| step[signal])) {
                return Some((early, late));
            }
        }
        None
    }
}

/// The run up to `late`, and from there on the steps since `early` again until a state repeats.
fn close(circuit: &Circuit, run: Run, early: usize, late: usize) -> Result<Trace, Stop> {
    let body: Vec<Vec<bool>> = run.inputs[early..late].to_vec();
    let mut inputs = run.inputs;
    inputs.truncate(late);
    let mut simulation = Simulation::new(circuit);
    set_state(&mut simulation, &run.states[late]);
    let mut turns = BTreeMap::from([(run.states[early].clone(), ())]);
    while turns.insert(state(&simulation), ()).is_none() {
        if inputs.len() + body.len() > MAX_STEPS {
            return Err(Stop::Stuck("the loop is too long to be written down".into()));
        }
        for step in &body {
            run_step(&mut simulation, step);
            simulation.advance();
        }
        inputs.extend(body.iter().cloned());
    }
    let bits = |values: &[bool]| -> Vec<Bit> {
        values.iter().map(|value| if *value { Bit::One } else { Bit::Zero }).collect()
    };
    Ok(Trace {
        property: Property::Justice(0),
        start: bits(&run.states[0]),
        inputs: inputs.iter().map(|step| bits(step)).collect(),
    })
}

fn set_state(simulation: &mut Simulation<'_>, state: &[bool]) {
    for (index, value) in state.iter().enumerate() {
        simulation.set_latch(index, u64::from(*value));
    }
}

fn run_step(simulation: &mut Simulation<'_>, inputs: &[bool]) {
    for (index, value) in inputs.iter().enumerate() {
        simulation.set_input(index, u64::from(*value));
    }
    simulation.settle();
}

fn state(simulation: &Simulation<'_>) -> Vec<bool> {
    simulation.latches().iter().map(|word| word & 1 == 1).collect()
}
