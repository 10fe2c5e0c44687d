//! The first line of an AIGER file, and whether the file can hold what it promises.
//!
//! The line is `aag` or `aig`, then M I L O A and optionally B C J F. Every thing but the inputs
//! of a binary file takes a known least number of bytes, so a header that lies about sizes is
//! refused here, before anything is allocated after it.

use super::lex::{Reader, next_word, number, shown};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;

/// The numbers of the header and the dialect of the file.
pub(super) struct Header {
    pub binary: bool,
    /// Whether lines end with carriage return and line feed.
    pub crlf: bool,
    pub max_var: u32,
    pub inputs: u32,
    pub latches: u32,
    pub outputs: u32,
    pub ands: u32,
    pub bads: u32,
    pub constraints: u32,
    pub justice: u32,
    pub fairness: u32,
}

/// The numbers of the header in their order.
const NAMES: [&str; 9] = [
    "the largest variable",
    "the number of inputs",
    "the number of latches",
    "the number of outputs",
    "the number of gates",
    "the number of bad states",
    "the number of invariant constraints",
    "the number of justice properties",
    "the number of fairness constraints",
];

/// The least bytes that one of each takes; a line has at least a digit and its end.
const ASCII_BYTES: [u64; 9] = [0, 2, 4, 2, 6, 2, 2, 2, 2];
const BINARY_BYTES: [u64; 9] = [0, 0, 2, 2, 2, 2, 2, 2, 2];

/// Literals have 32 bits, one of them the sign.
const MAX_VARS: u64 = (1 << 31) - 1;

impl Header {
    /// Reads the first line.
    pub fn read(reader: &mut Reader<'_>) -> Option<Header> {
        let bytes = reader.bytes;
        let binary = match bytes {
            [b'a', b'a', b'g', b' ' | b'\t' | b'\r' | b'\n', ..] => false,
            [b'a', b'i', b'g', b' ' | b'\t' | b'\r' | b'\n', ..] => true,
            _ => {
                reader.report(not_aiger(bytes));
                return None;
            }
        };
        let line = reader.next_line()?;
        let crlf = bytes[..line.end].ends_with(b"\r");
        if binary && crlf {
            let message = "the header of a binary file ends with a carriage return";
            let span = Span::new(line.end - 1, line.end);
            let diagnostic = Diagnostic::error(Code::AigerHeader, span, message)
                .hint("was the file copied as text? Binary files must be copied as they are");
            reader.report(diagnostic);
            return None;
        }
        let mut numbers = [0u32; 9];
        let mut spans = [Span::new(line.end, line.end); 9];
        let mut count = 0;
        let mut at = 3;
        while let Some(range) = next_word(bytes, at, line.end) {
            at = range.end;
            let word = &bytes[range.clone()];
            let span = Span::new(range.start, range.end);
            if count == 9 {
                let message = "the header has more than nine numbers";
                reader.error(Code::AigerHeader, span, message);
                return None;
            }
            let name = NAMES[count];
            let Some(value) = number(word) else {
                let message = format!("{name} is `{}`, which is not a number", shown(word));
                reader.error(Code::AigerHeader, span, message);
                return None;
            };
            if value > MAX_VARS {
                let message = format!("{name} is {}, more than {MAX_VARS}", shown(word));
                reader.error(Code::AigerHeader, span, message);
                return None;
            }
            numbers[count] = value as u32;
            spans[count] = span;
            count += 1;
        }
        if count < 5 {
            let message = format!("{} is missing in the header", NAMES[count]);
            let diagnostic = Diagnostic::error(Code::AigerHeader, spans[count], message).hint(
                "the numbers are: largest variable, inputs, latches, outputs, gates, \
                 and optionally bad states, constraints, justice, fairness",
            );
            reader.report(diagnostic);
            return None;
        }
        let [max_var, inputs, latches, outputs, ands, bads, constraints, justice, fairness] =
            numbers;
        let sum = u64::from(inputs) + u64::from(latches) + u64::from(ands);
        if u64::from(max_var) < sum || binary && u64::from(max_var) != sum {
            let relation = if binary { "must be" } else { "must be at least" };
            let message = format!(
                "the largest variable {relation} {sum}, the sum of inputs, latches and gates",
            );
            reader.error(Code::AigerHeader, spans[0], message);
            return None;
        }
        let per_thing = if binary { BINARY_BYTES } else { ASCII_BYTES };
        let needs: [u64; 9] = std::array::from_fn(|i| u64::from(numbers[i]) * per_thing[i]);
        let needed: u64 = needs.iter().sum();
        // The last line of a file may lack its end.
        if needed > reader.remaining() as u64 + 1 {
            let largest = (0..9).max_by_key(|i| needs[*i]).unwrap_or(0);
            let message = format!(
                "the header promises at least {needed} bytes, and {} follow it",
                reader.remaining(),
            );
            let diagnostic = Diagnostic::error(Code::AigerTruncated, spans[largest], message)
                .hint("was the file cut off while copying?");
            reader.report(diagnostic);
            return None;
        }
        Some(Header {
            binary,
            crlf,
            max_var,
            inputs,
            latches,
            outputs,
            ands,
            bads,
            constraints,
            justice,
            fairness,
        })
    }
}

fn not_aiger(bytes: &[u8]) -> Diagnostic {
    let span = Span::new(0, bytes.len().min(3));
    let message = "an AIGER file starts with `aag` (text) or `aig` (binary)";
    let diagnostic = Diagnostic::error(Code::AigerHeader, span, message);
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return diagnostic.hint("this one is compressed; unpack it with gunzip first");
    }
    if bytes.starts_with(b"\xef\xbb\xbfa") {
        return diagnostic.hint("this one starts with a byte order mark; remove it");
    }
    diagnostic
}
