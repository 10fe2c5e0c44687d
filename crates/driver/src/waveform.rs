//! A violating run as signals over time: simulated again, with the file's names.
//!
//! A circuit's run is simulated with unknowns, so that what does not matter is an `x` in every signal
//! that depends on it. A word-level run is evaluated; words are vectors, formulas are bits, and arrays
//! are left out, which is said.

use crate::evidence::AnyEvidence;
use crate::open::{AnyProblem, Opened};
use alphorn_hw::shorten::{Ternary, TernarySimulation};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Property, Trace};
use alphorn_problem::evidence::words::WordTrace;
use alphorn_problem::{Circuit, Verdict, Words};
use alphorn_report::waveform::{Role, Signal, Waveform};
use alphorn_term::eval::Program;
use alphorn_term::{Model, TermId, Value, eval};
use std::collections::BTreeMap;

/// The most values, of all signals together.
const MOST_VALUES: usize = 1 << 28;

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
pub(crate) struct Names<'a>(BTreeMap<(u8, u32), &'a str>);

impl<'a> Names<'a> {
    /// The names that a file gives; the first one counts.
    pub(crate) fn of(circuit: &'a Circuit) -> Names<'a> {
        let mut names = BTreeMap::new();
        for (kind, index, name) in &circuit.symbols.entries {
            names.entry((*kind, *index)).or_insert(name.as_str());
        }
        Names(names)
    }

    /// The name of part `index` of section `kind`, or its letter and number.
    pub(crate) fn name(&self, kind: u8, index: usize) -> String {
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
    let most = (MOST_VALUES / trace.inputs.len().max(1)).max(1);
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
    let mut simulation = TernarySimulation::new(circuit, trace);
    while simulation.advance() {
        for (signal, (_, _, lit)) in signals.iter_mut().zip(&wires) {
            signal.bits.push(match simulation.value(*lit) {
                Ternary::Zero => '0',
                Ternary::One => '1',
                Ternary::Unknown => 'x',
            });
        }
    }
    Waveform { signals, left_out }
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
    let mut left_out = Vec::new();
    let rows = evaluate(words, trace, &terms.iter().map(|(_, _, term)| *term).collect::<Vec<_>>());
    let mut signals: Vec<Signal> = Vec::new();
    for (at, (role, name, _)) in terms.into_iter().enumerate() {
        let values: Option<Vec<String>> = rows.iter().map(|row| bits(&row[at])).collect();
        let width = values.as_ref().and_then(|values| values.iter().map(String::len).max());
        match (values, width) {
            (Some(values), Some(width)) if width > 0 => {
                let padded = values.iter().map(|value| match value.len() {
                    0 => "x".repeat(width),
                    _ => value.clone(),
                });
                signals.push(Signal { role, name, width: width as u32, bits: padded.collect() });
            }
            _ => left_out.push(format!("{} {name} is not shown: it is no word", role.word())),
        }
    }
    Waveform { signals, left_out }
}

/// A value as bits; empty where there is none, nothing if it is no word.
fn bits(value: &Option<Value>) -> Option<String> {
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

/// The values of terms in each step of a run that was checked.
fn evaluate(words: &Words, trace: &WordTrace, terms: &[TermId]) -> Vec<Vec<Option<Value>>> {
    let store = &words.terms;
    let mut vars = words.state_vars();
    vars.extend(&words.inputs);
    let mut outputs = terms.to_vec();
    outputs.extend(words.states.iter().filter_map(|state| state.next));
    let mut program = Program::new(store, &vars, &outputs);
    let mut rows = Vec::with_capacity(trace.inputs.len());
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
        values.extend(inputs.iter().cloned());
        program.run(store, &values, &Model::default());
        let value = |index: usize| program.output(index).ok().cloned();
        rows.push((0..terms.len()).map(value).collect());
        let mut next = terms.len()..;
        follows = (words.states.iter())
            .map(|state| state.next.and_then(|_| next.next().and_then(value)))
            .collect();
    }
    rows
}
