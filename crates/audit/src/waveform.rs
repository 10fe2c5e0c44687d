//! A violating run as signals over time: simulated again, with the file's names.
//!
//! A circuit's run is simulated with unknowns, so that what does not matter is an `x` in every signal
//! that depends on it. A word-level run is evaluated; words are vectors, formulas are bits, and an array
//! is a signal per cell that the run tells apart from the rest, and one for the rest.
//!
//! A lasso says where it goes on: at the first step whose state is the one after the last step.

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use alphorn_check::circuit::{Simulation, Ternary};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};
use alphorn_problem::evidence::words::WordTrace;
use alphorn_problem::{Circuit, Verdict, Words};
use alphorn_report::waveform::{Role, Signal, Waveform};
use alphorn_term::eval::Program;
use alphorn_term::{Bv, Model, TermId, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

/// The most values, of all signals together.
const MAX_VALUES: usize = 1 << 28;

/// The run that the evidence shows, if it shows one.
pub fn waveform(opened: &Opened, evidence: &AnyEvidence) -> Option<Waveform> {
    match (evidence, &opened.problem) {
        (AnyEvidence::Circuit(checked), Some(AnyProblem::Circuit(circuit))) => {
            match checked.verdict() {
                Verdict::Unsafe(trace) => Some(circuit_run(circuit, trace).gathered()),
                Verdict::Safe(_) => None,
            }
        }
        (AnyEvidence::Words(checked), Some(AnyProblem::Words(words))) => match checked.verdict() {
            Verdict::Unsafe(trace) => Some(words_run(words, trace).gathered()),
            Verdict::Safe(_) => None,
        },
        _ => None,
    }
}

/// The names of a circuit's parts, found by section and position.
pub struct Names<'a>(BTreeMap<(u8, u32), &'a str>);

impl<'a> Names<'a> {
    /// The names that a file gives; the first one counts.
    pub fn of(circuit: &'a Circuit) -> Names<'a> {
        let mut names = BTreeMap::new();
        for (kind, index, name) in &circuit.symbols.entries {
            names.entry((*kind, *index)).or_insert(name.as_str());
        }
        Names(names)
    }

    /// The name of part `index` of section `kind`, or its letter and number.
    pub fn name(&self, kind: u8, index: usize) -> String {
        match self.0.get(&(kind, index as u32)) {
            Some(name) => (*name).to_owned(),
            None => format!("{}{index}", char::from(kind)),
        }
    }
}

fn circuit_run(circuit: &Circuit, trace: &Trace) -> Waveform {
    let names = Names::of(circuit);
    let mut wires: Vec<(Role, String, Lit)> = Vec::new();
    match trace.property {
        Property::Bad(index) => {
            let name = names.name(circuit.safety_kind(), index);
            wires.extend(circuit.safety().get(index).map(|&bad| (Role::Property, name, bad)));
        }
        Property::Justice(index) => {
            for (part, &lit) in circuit.justice.get(index).into_iter().flatten().enumerate() {
                wires.push((Role::Property, format!("{}.{part}", names.name(b'j', index)), lit));
            }
        }
        // Circuits have none.
        Property::Home(_) => {}
    }
    let mut add = |role: Role, kind: u8, lits: &[Lit]| {
        for (index, &lit) in lits.iter().enumerate() {
            wires.push((role, names.name(kind, index), lit));
        }
    };
    let inputs: Vec<Lit> = (0..circuit.inputs as usize).map(|at| circuit.input(at)).collect();
    let latches: Vec<Lit> = (0..circuit.latches.len()).map(|at| circuit.latch(at)).collect();
    add(Role::Constraint, b'c', &circuit.constraints);
    add(Role::Input, b'i', &inputs);
    if circuit.safety_kind() == b'b' {
        add(Role::Output, b'o', &circuit.outputs);
    }
    add(Role::State, b'l', &latches);
    let most = (MAX_VALUES / trace.inputs.len().max(1)).max(1);
    let mut left_out = Vec::new();
    if wires.len() > most {
        left_out.push(format!("{} latches are not shown: too many values", wires.len() - most));
        wires.truncate(most);
    }
    let signal = |(role, name, _): &(Role, String, Lit)| Signal {
        role: *role,
        name: name.clone(),
        width: 1,
        bits: String::with_capacity(trace.inputs.len()),
    };
    let mut signals: Vec<Signal> = wires.iter().map(signal).collect();
    let Some(mut run) = Played::new(circuit, trace) else { return Waveform::default() };
    while run.advance() {
        for (signal, (_, _, lit)) in signals.iter_mut().zip(&wires) {
            signal.bits.push(match run.wires.value(*lit) {
                Ternary::Zero => '0',
                Ternary::One => '1',
                Ternary::Unknown => 'x',
            });
        }
    }
    let loop_start = match trace.property {
        Property::Bad(_) | Property::Home(_) => None,
        Property::Justice(_) => {
            let end: Vec<Ternary> =
                circuit.latches.iter().map(|latch| run.wires.value(latch.next)).collect();
            Played::new(circuit, trace).and_then(|mut again| {
                (0..trace.inputs.len()).find(|_| {
                    again.advance();
                    let is_same =
                        |(latch, value): (&Lit, &Ternary)| again.wires.value(*latch) == *value;
                    latches.iter().zip(&end).all(is_same)
                })
            })
        }
    };
    Waveform { signals, left_out, loop_start }
}

/// A run of a circuit, simulated step by step, with unknowns for what the trace leaves open.
struct Played<'a> {
    trace: &'a Trace,
    wires: Simulation<'a, Ternary>,
    first_latch: u32,
    step: usize,
}

impl<'a> Played<'a> {
    /// The run before its first step; none of a circuit that no evidence is accepted about.
    fn new(circuit: &'a Circuit, trace: &'a Trace) -> Option<Played<'a>> {
        let mut wires = Simulation::new(circuit).ok()?;
        let first_latch = 1 + circuit.inputs;
        for (var, bit) in (first_latch..).zip(&trace.start) {
            wires.set(var, ternary(*bit));
        }
        Some(Played { trace, wires, first_latch, step: 0 })
    }

    /// Settles the next step; false when there is none.
    fn advance(&mut self) -> bool {
        let Some(inputs) = self.trace.inputs.get(self.step) else { return false };
        if self.step > 0 {
            self.wires.advance();
        }
        for (var, bit) in (1..self.first_latch).zip(inputs) {
            self.wires.set(var, ternary(*bit));
        }
        self.wires.settle();
        self.step += 1;
        true
    }
}

fn ternary(bit: Bit) -> Ternary {
    match bit {
        Bit::Zero => Ternary::Zero,
        Bit::One => Ternary::One,
        Bit::X => Ternary::Unknown,
    }
}

fn words_run(words: &Words, trace: &WordTrace) -> Waveform {
    let store = &words.terms;
    let name = |var: TermId, letter: char, index: usize| match store.var_name(var) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("{letter}{index}"),
    };
    let mut terms: Vec<(Role, String, TermId)> = Vec::new();
    if let Property::Bad(index) = trace.property
        && let Some(bad) = words.bads.get(index)
    {
        let name = bad.name.clone().unwrap_or_else(|| format!("bad{index}"));
        terms.push((Role::Property, name, bad.term));
    }
    if let Property::Home(index) = trace.property
        && let Some(home) = words.homes.get(index)
    {
        let name = home.name.clone().unwrap_or_else(|| format!("home{index}"));
        terms.push((Role::Property, name, home.term));
    }
    if let Property::Justice(index) = trace.property
        && let Some(justice) = words.justice.get(index)
    {
        let name = justice.name.clone().unwrap_or_else(|| format!("justice{index}"));
        for (part, &term) in justice.terms.iter().enumerate() {
            terms.push((Role::Property, format!("{name}.{part}"), term));
        }
    }
    for (index, constraint) in words.constraints.iter().enumerate() {
        let name = constraint.name.clone().unwrap_or_else(|| format!("constraint{index}"));
        terms.push((Role::Constraint, name, constraint.term));
    }
    for (index, &input) in words.inputs.iter().enumerate() {
        terms.push((Role::Input, name(input, 'i', index), input));
    }
    for (index, output) in words.outputs.iter().enumerate() {
        let name = output.name.clone().unwrap_or_else(|| format!("output{index}"));
        terms.push((Role::Output, name, output.term));
    }
    for (index, state) in words.states.iter().enumerate() {
        terms.push((Role::State, name(state.var, 's', index), state.var));
    }
    let all: Vec<TermId> = terms.iter().map(|(_, _, term)| *term).collect();
    let Rows { values: rows, loop_start } = evaluate(words, trace, &all);
    let mut wave = Waveform { loop_start, ..Waveform::default() };
    for (at, (role, name, _)) in terms.into_iter().enumerate() {
        let values: Vec<Option<&Value>> = rows.iter().map(|row| row[at].as_ref()).collect();
        if let Err(why) = add_signal(&mut wave.signals, role, &name, &values) {
            wave.left_out.push(format!("{} {name} is not shown: {why}", role.word()));
        }
    }
    wave
}

/// The most cells of an array that have a signal of their own.
const MAX_CELLS: usize = 64;

/// Adds a word's signal, or those of an array's cells; or says why there is none.
fn add_signal(
    signals: &mut Vec<Signal>,
    role: Role,
    name: &str,
    values: &[Option<&Value>],
) -> Result<(), String> {
    let arrays = values.iter().flatten().filter_map(|value| match value {
        Value::Array(array) => Some(array),
        _ => None,
    });
    let mut cells: BTreeSet<Value> =
        arrays.clone().flat_map(|array| array.entries().map(|(index, _)| index.clone())).collect();
    // Which value of a small array is the usual one may change; all its cells are shown.
    let width = cells.first().and_then(|cell| match cell {
        Value::Bv(word) => Some(word.width()).filter(|width| 1 << width.min(&31) <= MAX_CELLS),
        _ => None,
    });
    if let Some(width) = width {
        cells.extend((0..1u64 << width).map(|index| Value::Bv(Bv::from_u64(width, index))));
    }
    if arrays.clone().next().is_none() {
        let values: Option<Vec<String>> = values.iter().map(|value| bits(*value)).collect();
        let values = values.ok_or_else(|| "it is no word".to_owned())?;
        let width = values.iter().map(String::len).max().filter(|width| *width > 0);
        let width = width.ok_or_else(|| "it has no value".to_owned())?;
        let padded = values.into_iter().map(|value| match value.len() {
            0 => "x".repeat(width),
            _ => value,
        });
        let bits = padded.collect();
        signals.push(Signal { role, name: name.to_owned(), width: width as u32, bits });
        return Ok(());
    }
    if cells.len() > MAX_CELLS {
        return Err(format!("{} of its cells have values of their own", cells.len()));
    }
    let read = |value: &Option<&Value>, cell: Option<&Value>| match (value, cell) {
        (Some(Value::Array(array)), Some(index)) => Some(array.at(index).clone()),
        (Some(Value::Array(array)), None) => Some(array.default().clone()),
        _ => None,
    };
    let mut add = |cell: Option<&Value>, label: &str| {
        let column: Vec<Option<Value>> = values.iter().map(|value| read(value, cell)).collect();
        let column: Vec<Option<&Value>> = column.iter().map(Option::as_ref).collect();
        add_signal(signals, role, &format!("{name}[{label}]"), &column)
    };
    for cell in &cells {
        add(Some(cell), &index_text(cell))?;
    }
    if width.is_none() { add(None, "else") } else { Ok(()) }
}

/// A cell's index as people write it.
fn index_text(index: &Value) -> String {
    match index {
        Value::Bv(word) if word.width() <= 64 => {
            (0..word.width()).map(|at| u64::from(word.bit(at)) << at).sum::<u64>().to_string()
        }
        Value::Bv(word) => word.to_string(),
        Value::Bool(value) => u8::from(*value).to_string(),
        other => format!("{other:?}"),
    }
}

/// A value as bits; empty where there is none, nothing if it is no word.
fn bits(value: Option<&Value>) -> Option<String> {
    match value {
        None => Some(String::new()),
        Some(Value::Bool(value)) => Some(if *value { "1" } else { "0" }.to_owned()),
        Some(Value::Bv(word)) => {
            let width = word.width();
            Some((0..width).rev().map(|at| if word.bit(at) { '1' } else { '0' }).collect())
        }
        Some(_) => None,
    }
}

/// The values of terms in each step of a run, and where a lasso goes on.
struct Rows {
    values: Vec<Vec<Option<Value>>>,
    loop_start: Option<usize>,
}

/// The values of terms in each step of a run that was checked.
fn evaluate(words: &Words, trace: &WordTrace, terms: &[TermId]) -> Rows {
    let store = &words.terms;
    let mut vars = words.state_vars();
    vars.extend(&words.inputs);
    let mut outputs = terms.to_vec();
    outputs.extend(words.states.iter().filter_map(|state| state.next));
    let mut program = Program::new(store, &vars, &outputs);
    let mut rows = Rows { values: Vec::with_capacity(trace.inputs.len()), loop_start: None };
    // Only what matters to the property has to come back.
    let watched = match trace.property {
        Property::Justice(index) => Some(words.loop_states(index)),
        Property::Bad(_) | Property::Home(_) => None,
    };
    let mut seen: Vec<Vec<Value>> = Vec::new();
    let mut follows: Vec<Option<Value>> = Vec::new();
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let mut model = Model::new();
        let mut values: Vec<Value> = Vec::with_capacity(vars.len());
        for (index, state) in words.states.iter().enumerate() {
            let given = trace.states.get(step).and_then(|row| row.get(index)).cloned().flatten();
            let value = match (step, given) {
                (_, Some(given)) => Some(given),
                (0, None) => state.init.and_then(|init| eval(store, init, &model).ok()),
                (_, None) => follows.get(index).cloned().flatten(),
            };
            // A run that was checked has a value here.
            let Some(value) = value else { return rows };
            model.set(state.var, value.clone());
            values.push(value);
        }
        if watched.is_some() {
            seen.push(values.clone());
        }
        values.extend(inputs.iter().cloned());
        program.run(store, &values, &Model::default());
        let value = |index: usize| program.output(index).ok().cloned();
        rows.values.push((0..terms.len()).map(value).collect());
        let mut next = terms.len()..;
        follows = (words.states.iter())
            .map(|state| state.next.and_then(|_| next.next().and_then(value)))
            .collect();
    }
    // A state without a next value may have any, so the earlier one too.
    let again = |state: &Vec<Value>| {
        let returns = |&at: &usize| follows[at].as_ref().is_none_or(|new| *new == state[at]);
        watched.iter().flatten().all(returns)
    };
    rows.loop_start = seen.iter().position(again);
    rows
}
