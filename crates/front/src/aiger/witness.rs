//! AIGER witnesses: what a model checker says about properties, with the runs that violate them.
//!
//! A file holds witnesses one after the other: a status (`0` holds, `1` violated, `2` unknown), a
//! line of properties (`b0j1`), for status 1 the first values of the latches and one line of input
//! values per step, and a line with a dot. Lines that start with `c` are comments, and those that
//! start with `u` are bounds that some checkers report; both are skipped, as by `aigsim`.
//!
//! In files without property sections `b0` is the first output. An `x` for a latch whose reset is
//! a constant means that constant, in reading and in writing: a checker that takes 0 for every
//! `x` would otherwise refuse what `aigsim` accepts. Runs are not replayed here.

use super::lex::{Reader, number, shown};
use crate::diag::{Code, Diagnostic, Read};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};
use alphorn_problem::{Circuit, Span};
use std::ops::Range;

/// What one witness says about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// Status 0: no run violates the property.
    Holds(Property),
    /// Status 1: this run does.
    Violated(Trace),
    /// Status 2: not known.
    Unknown(Property),
}

/// Reads the witnesses of a file; one that names several properties is returned once for each.
pub fn read_witness(bytes: &[u8], circuit: &Circuit) -> Read<Vec<Witness>> {
    let mut reader = Reader::new(bytes);
    let mut witnesses = Vec::new();
    if bytes.is_empty() {
        reader.error(Code::FileEmpty, Span::NONE, "the file is empty");
    } else if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        reader.report(diagnostic);
    } else {
        while let Some(line) = next_line(&mut reader) {
            if bytes[line.clone()].is_empty() {
                continue;
            }
            if reader.diagnostics.is_full() {
                break;
            }
            if read_one(&mut reader, circuit, line, &mut witnesses).is_none() {
                skip_witness(&mut reader);
            }
        }
        if witnesses.is_empty() && reader.diagnostics.list.is_empty() {
            let span = Span::new(bytes.len(), bytes.len());
            reader.error(Code::AigerWitness, span, "the file has no witness");
        }
    }
    let diagnostics = reader.diagnostics;
    (diagnostics.is_clean().then_some(witnesses), diagnostics)
}

/// The next line that is not a comment or a bound, without blanks and comment at its end.
fn next_line(reader: &mut Reader<'_>) -> Option<Range<usize>> {
    loop {
        let line = reader.next_line()?;
        let text = &reader.bytes[line.clone()];
        if matches!(text.first(), Some(b'c' | b'u')) {
            continue;
        }
        let length = text.iter().position(|byte| *byte == b'c').unwrap_or(text.len());
        return Some(line.start..line.start + text[..length].trim_ascii_end().len());
    }
}

/// Goes to the end of a witness with errors, so that the next one is read.
fn skip_witness(reader: &mut Reader<'_>) {
    // The dot may be the line that was wrong.
    let before = reader.bytes[..reader.at].trim_ascii_end();
    if before == b"." || before.ends_with(b"\n.") {
        return;
    }
    while let Some(line) = next_line(reader) {
        if &reader.bytes[line] == b"." {
            return;
        }
    }
}

fn read_one(
    reader: &mut Reader<'_>,
    circuit: &Circuit,
    status: Range<usize>,
    witnesses: &mut Vec<Witness>,
) -> Option<()> {
    let bytes = reader.bytes;
    let status = match &bytes[status.clone()] {
        b"0" => 0,
        b"1" => 1,
        b"2" => 2,
        other => {
            let message = format!("a witness starts with 0, 1 or 2, not with `{}`", shown(other));
            let span = Span::new(status.start, status.end);
            reader.error(Code::AigerWitness, span, message);
            return None;
        }
    };
    let properties = match next_line(reader) {
        Some(line) => read_properties(reader, circuit, line)?,
        // Some checkers say no more than this, and with one property it is enough.
        None if status != 1 => {
            witnesses.push(answer(status, only_property(reader, circuit)?));
            return Some(());
        }
        None => return unended(reader),
    };
    if status != 1 {
        let Some(dot) = next_line(reader) else { return unended(reader) };
        if &bytes[dot.clone()] != b"." {
            let message = "after the properties of a witness without run there is a line with `.`";
            reader.error(Code::AigerWitness, Span::new(dot.start, dot.end), message);
            return None;
        }
        witnesses.extend(properties.into_iter().map(|property| answer(status, property)));
        return Some(());
    }
    let Some(line) = next_line(reader) else { return unended(reader) };
    let mut start = read_bits(reader, line, circuit.latches.len(), "latches")?;
    for (bit, latch) in start.iter_mut().zip(&circuit.latches) {
        *bit = settled(*bit, latch.reset);
    }
    let mut inputs = Vec::new();
    loop {
        let Some(line) = next_line(reader) else { return unended(reader) };
        if &bytes[line.clone()] == b"." {
            if inputs.is_empty() {
                let message = "the run has no step; there is one line of inputs for each";
                let span = Span::new(line.start, line.end);
                reader.error(Code::AigerWitness, span, message);
                return None;
            }
            break;
        }
        inputs.push(read_bits(reader, line, circuit.inputs as usize, "inputs")?);
    }
    for property in properties {
        let trace = Trace { property, start: start.clone(), inputs: inputs.clone() };
        witnesses.push(Witness::Violated(trace));
    }
    Some(())
}

fn answer(status: u8, property: Property) -> Witness {
    if status == 0 { Witness::Holds(property) } else { Witness::Unknown(property) }
}

fn only_property(reader: &mut Reader<'_>, circuit: &Circuit) -> Option<Property> {
    match (circuit.safety().len(), circuit.justice.len()) {
        (1, 0) => Some(Property::Bad(0)),
        (0, 1) => Some(Property::Justice(0)),
        _ => {
            let end = reader.bytes.len();
            let message = "the witness does not say for which property it is";
            reader.error(Code::AigerWitness, Span::new(end, end), message);
            None
        }
    }
}

fn unended<T>(reader: &mut Reader<'_>) -> Option<T> {
    let end = reader.bytes.len();
    let diagnostic = Diagnostic::error(
        Code::AigerTruncated,
        Span::new(end, end),
        "the file ends in the middle of a witness; a line with `.` ends it",
    )
    .hint("was the model checker stopped while it wrote?");
    reader.report(diagnostic);
    None
}

fn read_properties(
    reader: &mut Reader<'_>,
    circuit: &Circuit,
    line: Range<usize>,
) -> Option<Vec<Property>> {
    let bytes = reader.bytes;
    let mut properties = Vec::new();
    let mut at = line.start;
    while at < line.end {
        let digits = bytes[at + 1..line.end].iter().take_while(|byte| byte.is_ascii_digit());
        let end = at + 1 + digits.count();
        let index = number(&bytes[at + 1..end]);
        let (Some(index), kind @ (b'b' | b'j')) = (index, bytes[at]) else {
            break;
        };
        let (what, count) = match kind {
            b'b' => ("safety properties", circuit.safety().len()),
            _ => ("justice properties", circuit.justice.len()),
        };
        if index >= count as u64 {
            let word = shown(&bytes[at..end]);
            let message = format!("there is no {word}: the number of {what} is {count}");
            reader.error(Code::AigerWitness, Span::new(at, end), message);
            return None;
        }
        let index = index as usize;
        properties.push(if kind == b'b' { Property::Bad(index) } else { Property::Justice(index) });
        at = end;
    }
    if at < line.end || properties.is_empty() {
        let message = "a line of properties is expected, such as `b0` or `j0`";
        let diagnostic = Diagnostic::error(Code::AigerWitness, Span::new(at, line.end), message)
            .hint("witnesses for AIGER before 1.9, without this line, are not read");
        reader.report(diagnostic);
        return None;
    }
    Some(properties)
}

fn read_bits(
    reader: &mut Reader<'_>,
    line: Range<usize>,
    width: usize,
    what: &str,
) -> Option<Vec<Bit>> {
    let text = &reader.bytes[line.clone()];
    let mut bits = Vec::with_capacity(text.len());
    for (offset, byte) in text.iter().enumerate() {
        bits.push(match byte {
            b'0' => Bit::Zero,
            b'1' => Bit::One,
            b'x' => Bit::X,
            _ => {
                let message = format!("`{}` is not one of 0, 1 and x", byte.escape_ascii());
                let at = line.start + offset;
                reader.error(Code::AigerWitness, Span::new(at, at + 1), message);
                return None;
            }
        });
    }
    if bits.len() != width {
        let message = format!("the line has {} values, and the circuit {width} {what}", bits.len());
        let diagnostic =
            Diagnostic::error(Code::AigerWitness, Span::new(line.start, line.end), message)
                .hint("is it the witness of another circuit?");
        reader.report(diagnostic);
        return None;
    }
    Some(bits)
}

/// The first value of a latch with `reset`, where the witness says `bit`.
fn settled(bit: Bit, reset: Lit) -> Bit {
    match (bit, reset) {
        (Bit::X, Lit::FALSE) => Bit::Zero,
        (Bit::X, Lit::TRUE) => Bit::One,
        _ => bit,
    }
}

/// The witness with status 1 for `trace`, a run of `circuit`.
pub fn write_witness(trace: &Trace, circuit: &Circuit) -> String {
    debug_assert_eq!(trace.start.len(), circuit.latches.len(), "one value per latch");
    let resets = circuit.latches.iter().map(|latch| latch.reset);
    let start = trace.start.iter().zip(resets).map(|(bit, reset)| settled(*bit, reset));
    let mut out = format!("1\n{}\n", property_name(trace.property));
    out.extend(start.map(bit_name));
    out.push('\n');
    for step in &trace.inputs {
        debug_assert_eq!(step.len(), circuit.inputs as usize, "one value per input");
        out.extend(step.iter().copied().map(bit_name));
        out.push('\n');
    }
    out.push_str(".\n");
    out
}

/// The witness for any answer, with its status.
pub fn write_answer(witness: &Witness, circuit: &Circuit) -> String {
    match witness {
        Witness::Holds(property) => format!("0\n{}\n.\n", property_name(*property)),
        Witness::Violated(trace) => write_witness(trace, circuit),
        Witness::Unknown(property) => format!("2\n{}\n.\n", property_name(*property)),
    }
}

fn property_name(property: Property) -> String {
    match property {
        Property::Bad(index) => format!("b{index}"),
        Property::Justice(index) => format!("j{index}"),
        Property::Home(index) => format!("h{index}"),
    }
}

fn bit_name(bit: Bit) -> char {
    match bit {
        Bit::Zero => '0',
        Bit::One => '1',
        Bit::X => 'x',
    }
}
