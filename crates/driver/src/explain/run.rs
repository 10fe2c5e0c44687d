//! What would have avoided a run of a circuit, or of a system over words, that violates a property.
//!
//! A system over words is explained on its bits, by the circuit that proofs about it are about; a word that
//! differs in any of its bits counts as one change.

use super::{Changed, Explanation, Unexplained, Wish};
use alphorn_audit::parameters::{bits_of, names};
use alphorn_check::circuit::{Simulation, check_avoided, check_no_single};
use alphorn_check::{Refusal, RefusalKind};
use alphorn_engine::Ctx;
use alphorn_hw::explain::{self as hw, MAX_FLIPS, Sets};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Trace};
use alphorn_problem::evidence::flips::Flip;
use alphorn_problem::evidence::words::WordTrace;
use alphorn_problem::obligation::blast::{Blasted, Source};
use alphorn_problem::{Circuit, Words};
use alphorn_term::Value;

/// A word: what it is, its name, and its bits by variable, the lowest first.
struct Word {
    kind: &'static str,
    name: String,
    bits: Vec<u32>,
}

/// Explains a run of a circuit.
pub(super) fn of_circuit(
    circuit: &Circuit,
    trace: &Trace,
    wish: Wish,
    ctx: &mut Ctx<'_>,
) -> Result<Explanation, Unexplained> {
    let word = |kind, (var, name)| Word { kind, name, bits: vec![var] };
    let inputs = (1..).zip(names(circuit, b'i')).map(|named| word("input", named));
    let latches = (1 + circuit.inputs..).zip(names(circuit, b'l'));
    let words: Vec<Word> = inputs.chain(latches.map(|named| word("latch", named))).collect();
    explained(circuit, trace, &words, wish, ctx)
}

/// Explains a run of a system over words.
pub(super) fn of_words(
    words: &Words,
    trace: &WordTrace,
    wish: Wish,
    ctx: &mut Ctx<'_>,
) -> Result<Explanation, Unexplained> {
    let Blasted { circuit, layout } = bits_of(words).map_err(Unexplained::Unsupported)?;
    let shape = layout.shape(words);
    let name = |var| words.terms.var_name(var).unwrap_or("?").to_owned();
    let bits = |var, value: Option<&Value>, width: usize| match value {
        Some(value) => shape.bits_of(words.terms.sort(var), value, &[]),
        None => Some(vec![false; width]),
    };
    let untreated = || Unexplained::Unsupported("a value of the run is not made of bits".into());
    let mut all = Vec::new();
    let mut rows = vec![vec![Bit::X; circuit.inputs as usize]; trace.inputs.len()];
    for (source, range) in layout.inputs() {
        let (kind, var) = match *source {
            Source::Input(index) => ("input", words.inputs[index]),
            Source::Next(index) => ("next value of", words.states[index].var),
            Source::State(_) | Source::Open(_) => return Err(untreated()),
        };
        for (step, row) in rows.iter_mut().enumerate() {
            let value = match *source {
                Source::Input(index) => trace.inputs[step].get(index),
                Source::Next(index) => {
                    trace.states.get(step + 1).and_then(|states| states[index].as_ref())
                }
                _ => None,
            };
            let value = bits(var, value, range.len()).ok_or_else(untreated)?;
            put(&mut row[range.clone()], &value);
        }
        let variables = range.clone().map(|index| circuit.input(index).var()).collect();
        all.push(Word { kind, name: name(var), bits: variables });
    }
    let mut start = vec![Bit::Zero; circuit.latches.len()];
    for (&state, range) in layout.states().iter().zip(layout.latches()) {
        let var = words.states[state].var;
        let value = trace.states.first().and_then(|states| states[state].as_ref());
        let value = bits(var, value, range.len()).ok_or_else(untreated)?;
        put(&mut start[range.clone()], &value);
        let variables = range.clone().map(|index| circuit.latch(index).var()).collect();
        all.push(Word { kind: "state", name: name(var), bits: variables });
    }
    let mut run = Trace { property: trace.property, start, inputs: rows };
    run.start = first_state(&circuit, &run).map_err(Unexplained::Unsupported)?;
    explained(&circuit, &run, &all, wish, ctx)
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

/// Looks for sets, has each checked, and says what is known about them.
fn explained(
    circuit: &Circuit,
    trace: &Trace,
    words: &[Word],
    wish: Wish,
    ctx: &mut Ctx<'_>,
) -> Result<Explanation, Unexplained> {
    let mut own = hw::Wish {
        inputs: wish.inputs,
        latches: wish.latches,
        most: wish.most,
        ..hw::Wish::all(circuit)
    };
    for (number, word) in words.iter().enumerate() {
        for var in &word.bits {
            own.words[*var as usize - 1] = number;
        }
    }
    let found = hw::smallest(circuit, trace, &own, ctx)?;
    let mut explanation = Explanation { size: found.size, ..Explanation::default() };
    for set in &found.sets {
        let avoided = check_avoided(circuit, trace, set)?;
        explanation.sets.push(changes(circuit, trace, words, avoided.flips())?);
    }
    say(circuit, trace, words, wish, &found, &mut explanation);
    Ok(explanation)
}

/// Says what was found, and what is known about it.
fn say(
    circuit: &Circuit,
    trace: &Trace,
    words: &[Word],
    wish: Wish,
    found: &Sets,
    explanation: &mut Explanation,
) {
    let what = match (wish.inputs, wish.latches) {
        (true, false) => "inputs",
        (false, true) => "latches",
        _ => "values",
    };
    let Some(size) = found.size else {
        explanation.summary = match found.is_hopeless {
            true => format!("no change of {what} avoids the violation within its steps"),
            false => format!("no change of up to {MAX_FLIPS} {what} avoids the violation"),
        };
        explanation.known.push("known from a search that was not checked".to_owned());
        return;
    };
    let count = found.sets.len();
    let listed = if found.is_all { "" } else { "at least " };
    explanation.summary = match (size, count) {
        (1, 1) => format!("{listed}1 value would have avoided the violation"),
        (1, _) => {
            format!("{listed}{count} values would have avoided the violation, each by itself")
        }
        (_, 1) => format!("{listed}1 set of {size} values would have avoided the violation"),
        _ => format!("{listed}{count} sets of {size} values would have avoided the violation"),
    };
    let known = &mut explanation.known;
    known.push("each was checked by simulating the run with it and without it".to_owned());
    let is_bits = words.iter().all(|word| word.bits.len() == 1);
    known.push(match size {
        1 => "no smaller set can: the run without changes is a violation".to_owned(),
        2 if is_bits && wish.inputs && wish.latches => match check_no_single(circuit, trace) {
            Ok(()) => "no smaller set does: every single flip was checked".to_owned(),
            Err(Refusal { kind: RefusalKind::TooLarge, .. }) => SEARCHED.to_owned(),
            Err(refusal) => format!("a smaller set may do: {refusal}"),
        },
        _ => SEARCHED.to_owned(),
    });
    if found.is_all {
        known.push(
            "that these are all of this size is known from a search that was not checked"
                .to_owned(),
        );
    }
}

const SEARCHED: &str = "that no smaller set does is known from a search that was not checked";

/// The changes that flips are, in words, in the run that has them.
fn changes(
    circuit: &Circuit,
    trace: &Trace,
    words: &[Word],
    flips: &[Flip],
) -> Result<Vec<Changed>, Unexplained> {
    let mut simulation = Simulation::<bool>::new(circuit).map_err(Unexplained::Unsupported)?;
    let mut changes = Vec::new();
    for (step, row) in trace.inputs.iter().enumerate() {
        for (index, bit) in row.iter().enumerate() {
            simulation.set(circuit.input(index).var(), is_one(bit));
        }
        flip(&mut simulation, words, flips, step, |var| var <= circuit.inputs, &mut changes);
        if step == 0 {
            for (index, bit) in trace.start.iter().enumerate() {
                simulation.set(circuit.latch(index).var(), is_one(bit));
            }
            simulation.reset();
        }
        flip(&mut simulation, words, flips, step, |var| var > circuit.inputs, &mut changes);
        simulation.settle();
        simulation.advance();
    }
    Ok(changes)
}

fn flip(
    simulation: &mut Simulation<'_, bool>,
    words: &[Word],
    flips: &[Flip],
    step: usize,
    is_now: impl Fn(u32) -> bool,
    changes: &mut Vec<Changed>,
) {
    let is_flipped = |var: &u32| flips.contains(&Flip { step, var: *var });
    for word in words.iter().filter(|word| word.bits.iter().any(|var| is_now(*var))) {
        if !word.bits.iter().any(is_flipped) {
            continue;
        }
        let from = shown(simulation, word);
        for var in word.bits.iter().filter(|var| is_flipped(var)) {
            let other = simulation.value(Lit::new(*var, true));
            simulation.set(*var, other);
        }
        let (kind, name) = (word.kind, word.name.clone());
        changes.push(Changed { step, kind, name, from, to: shown(simulation, word) });
    }
}

/// The value of a word: a bit, or as many as there are, the highest first.
fn shown(simulation: &Simulation<'_, bool>, word: &Word) -> String {
    let bit = |var: &u32| if simulation.value(Lit::new(*var, false)) { '1' } else { '0' };
    let bits: String = word.bits.iter().rev().map(bit).collect();
    if word.bits.len() == 1 { bits } else { format!("#b{bits}") }
}
