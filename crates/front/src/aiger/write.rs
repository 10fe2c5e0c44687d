//! Writing circuits, in text and binary.
//!
//! One circuit has one form: the header ends with its last number that is not 0, a reset of 0 is
//! left out, numbers have no leading zeros and the larger fan-in comes first. Files that tools
//! write have this form, so reading and writing a binary file reproduces it byte for byte; a file
//! that prints zeros, which the format allows, comes back without them.
//!
//! Reading what was written gives an equal circuit if its gates have the larger fan-in left, as
//! those of all circuits that were read.

use super::binary::encode;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;

/// The circuit as a binary file (`aig`); the circuit must be valid.
pub fn write_binary(circuit: &Circuit) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 * circuit.ands.len() + 64);
    push_header(&mut out, "aig", circuit);
    push_latches(&mut out, circuit, false);
    push_properties(&mut out, circuit);
    let mut gate = circuit.gate(0).0;
    for and in &circuit.ands {
        let (left, right) = (and.left.max(and.right).0, and.left.min(and.right).0);
        encode(&mut out, gate - left);
        encode(&mut out, left - right);
        // Wraps only after the last gate that 31 bits can number.
        gate = gate.wrapping_add(2);
    }
    push_symbols(&mut out, circuit);
    push_comments(&mut out, &circuit.comments);
    out
}

/// The circuit as a text file (`aag`); in its comment, bytes that are not UTF-8 are replaced.
pub fn write_ascii(circuit: &Circuit) -> String {
    let mut out = Vec::with_capacity(24 * circuit.ands.len() + 64);
    push_header(&mut out, "aag", circuit);
    for input in 0..circuit.inputs as usize {
        push_line(&mut out, &[circuit.input(input).0]);
    }
    push_latches(&mut out, circuit, true);
    push_properties(&mut out, circuit);
    for (index, and) in circuit.ands.iter().enumerate() {
        let (left, right) = (and.left.max(and.right), and.left.min(and.right));
        push_line(&mut out, &[circuit.gate(index).0, left.0, right.0]);
    }
    push_symbols(&mut out, circuit);
    push_comments(&mut out, String::from_utf8_lossy(&circuit.comments).as_bytes());
    String::from_utf8(out).expect("numbers, names and the repaired comment are UTF-8")
}

fn push_header(out: &mut Vec<u8>, magic: &str, circuit: &Circuit) {
    let counts = [
        circuit.max_var() as usize,
        circuit.inputs as usize,
        circuit.latches.len(),
        circuit.outputs.len(),
        circuit.ands.len(),
        circuit.bads.len(),
        circuit.constraints.len(),
        circuit.justice.len(),
        circuit.fairness.len(),
    ];
    let last = counts.iter().rposition(|count| *count != 0).unwrap_or(0);
    out.extend_from_slice(magic.as_bytes());
    for count in &counts[..5.max(last + 1)] {
        out.push(b' ');
        push_number(out, *count as u64);
    }
    out.push(b'\n');
}

pub(super) fn push_latches(out: &mut Vec<u8>, circuit: &Circuit, named: bool) {
    for (index, latch) in circuit.latches.iter().enumerate() {
        let words = [circuit.latch(index).0, latch.next.0, latch.reset.0];
        let end = if latch.reset == Lit::FALSE { 2 } else { 3 };
        push_line(out, &words[usize::from(!named)..end]);
    }
}

pub(super) fn push_properties(out: &mut Vec<u8>, circuit: &Circuit) {
    let mut column = |lits: &[Lit]| lits.iter().for_each(|lit| push_line(out, &[lit.0]));
    column(&circuit.outputs);
    column(&circuit.bads);
    column(&circuit.constraints);
    circuit.justice.iter().for_each(|set| column(&[Lit(set.len() as u32)]));
    circuit.justice.iter().for_each(|set| column(set));
    column(&circuit.fairness);
}

fn push_symbols(out: &mut Vec<u8>, circuit: &Circuit) {
    for (kind, index, name) in &circuit.symbols.entries {
        out.push(*kind);
        push_number(out, u64::from(*index));
        out.push(b' ');
        // A line feed would end the symbol and make the rest of the name a line of its own.
        out.extend(name.bytes().map(|byte| if byte == b'\n' { b' ' } else { byte }));
        out.push(b'\n');
    }
}

pub(super) fn push_comments(out: &mut Vec<u8>, comments: &[u8]) {
    if !comments.is_empty() {
        out.extend_from_slice(b"c\n");
        out.extend_from_slice(comments);
    }
}

pub(super) fn push_line(out: &mut Vec<u8>, words: &[u32]) {
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        push_number(out, u64::from(*word));
    }
    out.push(b'\n');
}

pub(super) fn push_number(out: &mut Vec<u8>, mut number: u64) {
    let start = out.len();
    loop {
        out.push(b'0' + (number % 10) as u8);
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out[start..].reverse();
}
