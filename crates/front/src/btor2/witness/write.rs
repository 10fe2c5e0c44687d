//! From traces to text.

use alphorn_problem::Words;
use alphorn_problem::evidence::words::{Property, WordTrace};
use alphorn_term::value::{ArrayValue, cardinality, elements};
use alphorn_term::{Bv, Store, TermId, Value};
use std::fmt::Write as _;

/// An array whose default is not zero is written element by element if it has at most this many.
const MAX_ELEMENTS: u64 = 1 << 10;

/// The text of a trace: `sat`, the property, the frames and a dot.
pub fn write_witness(trace: &WordTrace, words: &Words) -> String {
    let mut text = match trace.property {
        Property::Bad(index) => format!("sat\nb{index}\n"),
        Property::Justice(index) => format!("sat\nj{index}\n"),
        Property::Home(index) => format!("sat\nh{index}\n"),
    };
    let store = &words.terms;
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let mut part = String::new();
        let row = trace.states.get(step).map_or(&[][..], Vec::as_slice);
        for (position, (state, value)) in words.states.iter().zip(row).enumerate() {
            let follows = if step == 0 { state.init } else { state.next };
            if follows.is_none()
                && let Some(value) = value
            {
                write_value(
                    &mut part,
                    store,
                    position,
                    value,
                    &symbol(store, state.var, '#', step),
                );
            }
        }
        if step == 0 || !part.is_empty() {
            line(&mut text, format_args!("#{step}"));
            text.push_str(&part);
        }
        line(&mut text, format_args!("@{step}"));
        for (position, (var, value)) in words.inputs.iter().zip(inputs).enumerate() {
            write_value(&mut text, store, position, value, &symbol(store, *var, '@', step));
        }
    }
    if let Some(trap) = &trace.trap {
        text.push_str("trap");
        trap.vars.iter().for_each(|position| text.push_str(&format!(" {position}")));
        text.push('\n');
        for row in &trap.states {
            text.push('|');
            row.iter().for_each(|value| text.push_str(&format!(" {}", Digits(value))));
            text.push('\n');
        }
    }
    text.push_str(".\n");
    text
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string does not fail");
}

fn symbol(store: &Store, var: TermId, mark: char, step: usize) -> String {
    let name = store.var_name(var).unwrap_or("?");
    format!("{}{mark}{step}", name.replace(|c: char| c.is_whitespace() || c.is_control(), "_"))
}

fn write_value(text: &mut String, store: &Store, position: usize, value: &Value, symbol: &str) {
    match value {
        Value::Array(array) => {
            write_array(text, store, &position.to_string(), "", array, symbol);
        }
        _ => line(text, format_args!("{position} {} {symbol}", Digits(value))),
    }
}

/// The lines of an array that stands at the indices `path` of the array at `position`.
fn write_array(
    text: &mut String,
    store: &Store,
    position: &str,
    path: &str,
    array: &ArrayValue,
    symbol: &str,
) {
    let default = array.default();
    let indices = cardinality(store, array.index_sort()).filter(|count| *count <= MAX_ELEMENTS);
    let plain = is_zero(default);
    let all = match indices {
        Some(_) if !plain => elements(store, array.index_sort(), MAX_ELEMENTS),
        _ => None,
    };
    let mut element = |index: &str, value: &Value| match value {
        Value::Array(inner) => {
            write_array(text, store, position, &format!("{path}{index}"), inner, symbol);
        }
        _ if path.is_empty() && index == "[*]" => {
            line(text, format_args!("{position} {} {symbol}", Digits(value)));
        }
        _ => line(text, format_args!("{position} {path}{index} {} {symbol}", Digits(value))),
    };
    if let Some(all) = all {
        for index in &all {
            element(&format!("[{}]", Digits(index)), array.at(index));
        }
        return;
    }
    if !plain {
        element("[*]", default);
    }
    for (index, value) in array.entries() {
        element(&format!("[{}]", Digits(index)), value);
    }
    // A reader sees that the array has a value, even if it is zero everywhere.
    if plain && path.is_empty() && array.entries().next().is_none() {
        element("[*]", default);
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(bit) => !bit,
        Value::Bv(word) => word.is_zero(),
        Value::Array(array) => is_zero(array.default()) && array.entries().next().is_none(),
        _ => false,
    }
}

/// A word in binary digits; a Boolean is a word of one bit.
struct Digits<'a>(&'a Value);

impl std::fmt::Display for Digits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = |f: &mut std::fmt::Formatter<'_>, word: &Bv| {
            write!(f, "{:0>1$b}", word.bits(), word.width() as usize)
        };
        match self.0 {
            Value::Bool(bit) => digits(f, &Bv::from_bool(*bit)),
            Value::Bv(word) => digits(f, word),
            // Indices that are arrays, and values outside of words and arrays, have no notation.
            _ => f.write_str("x"),
        }
    }
}
