//! The gates of binary files: two differences per gate, seven bits per byte.
//!
//! Gate `g` with fan-ins `left >= right` is stored as `g - left` and `left - right`, each as
//! little-endian groups of seven bits whose last has the top bit clear. The first difference is
//! positive in a sound file, so fan-ins are smaller than their gate by construction.

use super::header::Header;
use super::lex::Reader;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::circuit::{And, Lit};

/// Decodes the gates; the first fault ends the reading, since nothing after it can be trusted.
pub(super) fn read_gates(reader: &mut Reader<'_>, header: &Header) -> Option<Vec<And>> {
    let bytes = reader.bytes;
    let first = reader.at;
    let mut at = first;
    let mut ands = Vec::with_capacity(header.ands as usize);
    let mut gate = Lit::new(1 + header.inputs + header.latches, false).0;
    for _ in 0..header.ands {
        let Some((down, middle)) = decode(bytes, at) else {
            undecodable(reader, first, at, ands.len(), header);
            return None;
        };
        let Some((apart, end)) = decode(bytes, middle) else {
            undecodable(reader, first, middle, ands.len(), header);
            return None;
        };
        let left = gate.wrapping_sub(down);
        if down == 0 || down > gate || apart > left {
            wrong_difference(reader, gate, (at, down), (middle, apart), end);
            return None;
        }
        ands.push(And { left: Lit(left), right: Lit(left - apart) });
        at = end;
        // Wraps only after the last gate: the header bounds the variables.
        gate = gate.wrapping_add(2);
    }
    reader.at = at;
    Some(ands)
}

/// The number at `at` and the offset after it; nothing if it is cut off or exceeds 32 bits.
#[inline]
fn decode(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let byte = *bytes.get(at)?;
    if byte < 0x80 {
        return Some((u32::from(byte), at + 1));
    }
    let mut value = u32::from(byte & 0x7f);
    for group in 1..5 {
        let byte = *bytes.get(at + group)?;
        value |= u32::from(byte & 0x7f) << (7 * group);
        if byte < 0x80 {
            let fits = group < 4 || byte < 0x10;
            return fits.then_some((value, at + group + 1));
        }
    }
    None
}

/// Appends `value` as `decode` reads it.
pub(super) fn encode(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn undecodable(reader: &mut Reader<'_>, first: usize, at: usize, done: usize, header: &Header) {
    let size = reader.bytes.len();
    let cut = reader.bytes[at..].iter().take(5).all(|byte| *byte >= 0x80) && size < at + 5;
    let diagnostic = if cut {
        let message = format!("the file ends in its gates, after {done} of {}", header.ands);
        let hint =
            format!("the file has {} bytes of gates; was it cut off while copying?", size - first);
        Diagnostic::error(Code::AigerTruncated, Span::new(size, size), message).hint(hint)
    } else {
        let message = format!("gate {done}: a difference of literals exceeds 32 bits");
        let diagnostic = Diagnostic::error(Code::AigerNumber, Span::new(at, at + 5), message);
        damaged(diagnostic, &reader.bytes[first..])
    };
    reader.report(diagnostic);
}

fn wrong_difference(
    reader: &mut Reader<'_>,
    gate: u32,
    (at, down): (usize, u32),
    (middle, apart): (usize, u32),
    end: usize,
) {
    let diagnostic = if down == 0 {
        let message = format!("gate {gate} is its own fan-in");
        Diagnostic::error(Code::AigerCyclic, Span::new(at, middle), message)
    } else if down > gate {
        let message = format!("gate {gate}: its left fan-in is {down} below it");
        Diagnostic::error(Code::AigerLiteral, Span::new(at, middle), message)
    } else {
        let left = gate - down;
        let message = format!("gate {gate}: its right fan-in is {apart} below the left, {left}");
        Diagnostic::error(Code::AigerLiteral, Span::new(middle, end), message)
    };
    let diagnostic = damaged(diagnostic, &reader.bytes[at..]);
    reader.report(diagnostic);
}

/// Adds a hint if the bytes of the gates show how they were damaged.
fn damaged(diagnostic: Diagnostic, gates: &[u8]) -> Diagnostic {
    let text = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace();
    if gates.iter().take(100).all(text) {
        return diagnostic.hint("the gates look like text; a text file starts with `aag`");
    }
    if gates.windows(3).filter(|bytes| bytes == b"\xef\xbf\xbd").count() > 1 {
        return diagnostic.hint("the file was once converted as if it were UTF-8 text");
    }
    diagnostic
}
