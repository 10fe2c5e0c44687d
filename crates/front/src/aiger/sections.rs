//! The sections between header and gates, and the gates of text files.
//!
//! Both formats list latches, outputs and properties in lines of literals; text files also list
//! inputs, name the latches, and spell out the gates. Nothing is resolved here: the words keep
//! the file's numbers and places until `canonical` knows all definitions.

use super::header::Header;
use super::lex::{Place, Reader, Word, next_word, number, shown};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;

/// The line of a latch; binary files leave out its literal.
pub(super) struct LatchLine {
    pub lit: Option<Word>,
    pub next: Word,
    pub reset: Option<Word>,
}

/// The line of a gate in a text file.
pub(super) struct GateLine {
    pub lhs: Word,
    pub left: Word,
    pub right: Word,
}

/// What stands between the header and the gates.
pub(super) struct Sections {
    pub inputs: Vec<Word>,
    pub latches: Vec<LatchLine>,
    pub outputs: Vec<Word>,
    pub bads: Vec<Word>,
    pub constraints: Vec<Word>,
    pub justice: Vec<Vec<Word>>,
    pub fairness: Vec<Word>,
}

/// Reads everything up to the gates; nothing if the rest of the file makes no sense.
pub(super) fn read(reader: &mut Reader<'_>, header: &Header) -> Option<Sections> {
    let inputs = if header.binary { 0 } else { header.inputs };
    Some(Sections {
        inputs: read_column(reader, "input", inputs)?,
        latches: read_latches(reader, header)?,
        outputs: read_column(reader, "output", header.outputs)?,
        bads: read_column(reader, "bad state", header.bads)?,
        constraints: read_column(reader, "invariant constraint", header.constraints)?,
        justice: read_justice(reader, header.justice)?,
        fairness: read_column(reader, "fairness constraint", header.fairness)?,
    })
}

fn read_column(reader: &mut Reader<'_>, what: &'static str, of: u32) -> Option<Vec<Word>> {
    let mut column = Vec::with_capacity(of as usize);
    for index in 0..of {
        let [word] = reader.read_literals::<1>(1, Place { what, index, of })?;
        column.push(word?);
    }
    Some(column)
}

fn read_latches(reader: &mut Reader<'_>, header: &Header) -> Option<Vec<LatchLine>> {
    let of = header.latches;
    let mut latches = Vec::with_capacity(of as usize);
    for index in 0..of {
        let place = Place { what: "latch", index, of };
        latches.push(if header.binary {
            let [next, reset] = reader.read_literals::<2>(1, place)?;
            LatchLine { lit: None, next: next?, reset }
        } else {
            let [lit, next, reset] = reader.read_literals::<3>(2, place)?;
            LatchLine { lit, next: next?, reset }
        });
    }
    Some(latches)
}

fn read_justice(reader: &mut Reader<'_>, of: u32) -> Option<Vec<Vec<Word>>> {
    let mut sizes = Vec::with_capacity(of as usize);
    // The sum of the sizes, not each size, is bounded by what the file can hold.
    let mut needed = 0u64;
    for index in 0..of {
        let place = Place { what: "justice property", index, of };
        let (size, span) = read_size(reader, place)?;
        needed = needed.saturating_add(size.saturating_mul(2));
        if needed > reader.remaining() as u64 + 1 {
            let message = format!(
                "justice properties 0 to {index} take at least {needed} bytes, and {} follow",
                reader.remaining(),
            );
            let diagnostic = Diagnostic::error(Code::AigerTruncated, span, message)
                .hint("was the file cut off while copying?");
            reader.report(diagnostic);
            return None;
        }
        sizes.push(size as u32);
    }
    sizes.into_iter().map(|size| read_column(reader, "justice literal", size)).collect()
}

/// The size of a justice property: a number that is not a literal.
fn read_size(reader: &mut Reader<'_>, place: Place) -> Option<(u64, Span)> {
    let Place { what, index, .. } = place;
    let Some(line) = reader.next_line() else {
        reader.truncated(place);
        return None;
    };
    let Some(range) = next_word(reader.bytes, line.start, line.end) else {
        let message = format!("the size of {what} {index} is missing");
        reader.error(Code::AigerNumber, Span::new(line.end, line.end), message);
        return None;
    };
    let word = &reader.bytes[range.clone()];
    let span = Span::new(range.start, range.end);
    let Some(size) = number(word) else {
        let message = format!("the size of {what} {index} is `{}`, not a number", shown(word));
        reader.error(Code::AigerNumber, span, message);
        return None;
    };
    if let Some(rest) = next_word(reader.bytes, range.end, line.end) {
        let message = format!("the line of {what} {index} goes on after its size");
        reader.error(Code::AigerTrailing, Span::new(rest.start, line.end), message);
        return None;
    }
    Some((size, span))
}

/// Reads the gates of a text file.
pub(super) fn read_gates(reader: &mut Reader<'_>, header: &Header) -> Option<Vec<GateLine>> {
    let of = header.ands;
    let mut gates = Vec::with_capacity(of as usize);
    for index in 0..of {
        let place = Place { what: "gate", index, of };
        let [lhs, left, right] = reader.read_literals::<3>(3, place)?;
        gates.push(GateLine { lhs: lhs?, left: left?, right: right? });
    }
    Some(gates)
}
