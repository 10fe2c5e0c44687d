//! What would have avoided a run of a circuit, or of a system over words, that violates a property.
//!
//! A system over words is explained on its bits, by the circuit that proofs about it are about (`audit::explain`).

use super::{Explanation, Unexplained, Wish};
use alphorn_audit::explain::{Explicable, explained};
use alphorn_audit::parameters::bits_of;
use alphorn_check::accept::{Checkable, accept};
use alphorn_check::circuit::Simulation;
use alphorn_check::{Refusal, RefusalKind};
use alphorn_engine::Ctx;
use alphorn_front::evidence::print_violation;
use alphorn_hw::explain as hw;
use alphorn_problem::evidence::circuit::{Bit, Trace};
use alphorn_problem::evidence::flips::Avoidance;
use alphorn_problem::evidence::words::WordTrace;
use alphorn_problem::obligation::blast::Source;
use alphorn_problem::{Circuit, Verdict, Violation, Words};
use alphorn_term::Value;

/// Explains a run of a circuit.
pub(super) fn of_circuit(
    circuit: &Circuit,
    trace: &Trace,
    wish: Wish,
    ctx: &mut Ctx<'_>,
) -> Result<Explanation, Unexplained> {
    explain(Explicable::of_circuit(circuit), trace.clone(), wish, ctx)
}

/// Explains a run of a system over words.
pub(super) fn of_words(
    words: &Words,
    trace: &WordTrace,
    wish: Wish,
    ctx: &mut Ctx<'_>,
) -> Result<Explanation, Unexplained> {
    let blasted = bits_of(words).map_err(Unexplained::Unsupported)?;
    let explicable = Explicable::of_words(words, &blasted).map_err(Unexplained::Unsupported)?;
    let (circuit, layout) = (&blasted.circuit, &blasted.layout);
    let shape = layout.shape(words);
    let bits = |var, value: Option<&Value>, width: usize| match value {
        Some(value) => shape.bits_of(words.terms.sort(var), value, &[]),
        None => Some(vec![false; width]),
    };
    let untreated = || Unexplained::Unsupported("a value of the run is not made of bits".into());
    let mut rows = vec![vec![Bit::X; circuit.inputs as usize]; trace.inputs.len()];
    for (source, range) in layout.inputs() {
        for (step, row) in rows.iter_mut().enumerate() {
            let (var, value) = match *source {
                Source::Input(index) => (words.inputs[index], trace.inputs[step].get(index)),
                Source::Next(index) => {
                    let states = trace.states.get(step + 1);
                    (words.states[index].var, states.and_then(|states| states[index].as_ref()))
                }
                Source::State(_) | Source::Open(_) => return Err(untreated()),
            };
            let value = bits(var, value, range.len()).ok_or_else(untreated)?;
            put(&mut row[range.clone()], &value);
        }
    }
    let mut start = vec![Bit::Zero; circuit.latches.len()];
    for (&state, range) in layout.states().iter().zip(layout.latches()) {
        let var = words.states[state].var;
        let value = trace.states.first().and_then(|states| states[state].as_ref());
        let value = bits(var, value, range.len()).ok_or_else(untreated)?;
        put(&mut start[range.clone()], &value);
    }
    let mut run = Trace { property: trace.property, start, inputs: rows };
    run.start = first_state(circuit, &run).map_err(Unexplained::Unsupported)?;
    explain(explicable, run, wish, ctx)
}

fn put(row: &mut [Bit], value: &[bool]) {
    for (bit, value) in row.iter_mut().zip(value) {
        *bit = if *value { Bit::One } else { Bit::Zero };
    }
}

fn is_one(bit: &Bit) -> bool {
    *bit == Bit::One
}

/// The first state of a run, as resets have it.
fn first_state(circuit: &Circuit, run: &Trace) -> Result<Vec<Bit>, String> {
    let mut simulation = Simulation::<bool>::new(circuit)?;
    for (index, bit) in run.inputs.first().into_iter().flatten().enumerate() {
        simulation.set(circuit.input(index).var(), is_one(bit));
    }
    for (index, bit) in run.start.iter().enumerate() {
        simulation.set(circuit.latch(index).var(), is_one(bit));
    }
    simulation.reset();
    let bit = |value: &bool| if *value { Bit::One } else { Bit::Zero };
    Ok(simulation.state().iter().map(bit).collect())
}

/// Looks for sets, and has them and that there are no others checked.
fn explain(
    explicable: Explicable,
    trace: Trace,
    wish: Wish,
    ctx: &mut Ctx<'_>,
) -> Result<Explanation, Unexplained> {
    let Explicable { violation, words } = explicable;
    let (inputs, latches) = (wish.inputs, wish.latches);
    let violation = Violation { trace, inputs, latches, ..violation };
    let found = hw::smallest(&violation, wish.most, ctx)?;
    let sets = (found.size, found.sets.clone());
    let avoidance = hw::avoidance(&violation, found, ctx)?;
    let judge = |avoidance: Avoidance| {
        let is_empty = avoidance.sets.is_empty();
        let verdict = if is_empty { Verdict::Safe(avoidance) } else { Verdict::Unsafe(avoidance) };
        accept(&violation, Violation::claimed(&verdict), verdict)
    };
    let checked = match (judge(avoidance), sets) {
        // The sets are right; only that there are no others is more than the checker takes.
        (Err(Refusal { kind: RefusalKind::TooLarge, .. }), (Some(size), sets)) => {
            judge(Avoidance { size, sets, others: None })?
        }
        (Err(refusal @ Refusal { kind: RefusalKind::TooLarge, .. }), (None, _)) => {
            return Err(Unexplained::Stopped(format!("too large to be checked: {refusal}")));
        }
        (judged, _) => judged?,
    };
    let explained = explained(&violation, &words, &checked)?;
    let evidence = print_violation(&violation, checked.verdict());
    Ok(Explanation::of(explained, evidence))
}
