//! The symbol table and the comment section, which end both kinds of files.
//!
//! A symbol is a line such as `i0 clock`; the comment starts with a line `c` and reaches to the
//! end of the file. `c0 name` names a constraint, so a `c` is a comment unless a digit follows:
//! ABC writes its comments right behind the `c`. Names are bytes to AIGER and text to us; other
//! bytes are replaced, with a warning.

use super::header::Header;
use super::lex::{Reader, number, shown};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::circuit::Symbols;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Reads what follows the gates.
pub(super) fn read(reader: &mut Reader<'_>, header: &Header) -> (Symbols, Vec<u8>) {
    let mut symbols = Symbols::default();
    let mut seen = FxHashSet::default();
    let bytes = reader.bytes;
    while let Some(line) = reader.next_line() {
        if reader.diagnostics.is_full() {
            break;
        }
        let end = if header.crlf && bytes[line.clone()].ends_with(b"\r") {
            line.end - 1
        } else {
            line.end
        };
        match bytes[line.start..end] {
            [] => {
                let span = Span::new(line.start, line.end);
                let message = "an empty line after the gates has no meaning";
                reader.report(Diagnostic::warning(Code::AigerTrailing, span, message));
            }
            [b'c'] => return (symbols, bytes[reader.at..].to_vec()),
            [b'c', other, ..] if !other.is_ascii_digit() => {
                let span = Span::new(line.start, line.start + 1);
                let message = "the comment does not start on a line of its own";
                let diagnostic = Diagnostic::warning(Code::AigerSymbol, span, message)
                    .hint("the comment section starts with a line that is just `c`");
                reader.report(diagnostic);
                return (symbols, bytes[line.start + 1..].to_vec());
            }
            [kind @ (b'i' | b'l' | b'o' | b'b' | b'c' | b'j' | b'f'), ..] => {
                let Some((index, name)) = read_symbol(reader, header, kind, line.start..end) else {
                    continue;
                };
                if !seen.insert((kind, index)) {
                    let message = format!("{}{index} has a name already", char::from(kind));
                    let span = Span::new(line.start, end);
                    let diagnostic = Diagnostic::warning(Code::AigerSymbol, span, message)
                        .hint("the first name counts");
                    reader.report(diagnostic);
                }
                symbols.entries.push((kind, index, name));
            }
            _ => {
                not_a_symbol(reader, header, symbols.entries.is_empty(), line.start..end);
                break;
            }
        }
    }
    (symbols, Vec::new())
}

fn read_symbol(
    reader: &mut Reader<'_>,
    header: &Header,
    kind: u8,
    line: Range<usize>,
) -> Option<(u32, String)> {
    let text = &reader.bytes[line.clone()];
    let letter = char::from(kind);
    let (what, count) = match kind {
        b'i' => ("inputs", header.inputs),
        b'l' => ("latches", header.latches),
        b'o' => ("outputs", header.outputs),
        b'b' => ("bad states", header.bads),
        b'c' => ("invariant constraints", header.constraints),
        b'j' => ("justice properties", header.justice),
        _ => ("fairness constraints", header.fairness),
    };
    let blank = text.iter().position(|byte| *byte == b' ');
    let index = blank.and_then(|blank| number(&text[1..blank]));
    let (Some(blank), Some(index)) = (blank, index) else {
        let message = format!("`{}` is not a line of the symbol table", shown(text));
        let diagnostic =
            Diagnostic::error(Code::AigerSymbol, Span::new(line.start, line.end), message)
                .hint(format!("symbols look like `{letter}0 name`"));
        reader.report(diagnostic);
        return None;
    };
    if index >= u64::from(count) {
        let message = format!("{letter}{index} is named, and the number of {what} is {count}");
        let span = Span::new(line.start, line.start + blank);
        let mut diagnostic = Diagnostic::error(Code::AigerSymbol, span, message);
        if kind == b'c' {
            diagnostic = diagnostic.hint("the comment section starts with a line that is just `c`");
        }
        reader.report(diagnostic);
        return None;
    }
    let name = &text[blank + 1..];
    let name = String::from_utf8(name.to_vec()).unwrap_or_else(|_| {
        let message = format!("the name of {letter}{index} is not UTF-8 and is kept in part");
        let span = Span::new(line.start + blank + 1, line.end);
        reader.report(Diagnostic::warning(Code::AigerSymbol, span, message));
        String::from_utf8_lossy(name).into_owned()
    });
    Some((index as u32, name))
}

fn not_a_symbol(reader: &mut Reader<'_>, header: &Header, first: bool, line: Range<usize>) {
    let text = &reader.bytes[line.clone()];
    let span = Span::new(line.start, line.end);
    if !first {
        let message = format!("`{}` is not a line of the symbol table", shown(text));
        reader.error(Code::AigerSymbol, span, message);
        return;
    }
    let gates = header.ands;
    let message =
        format!("`{}` stands after the last of the {gates} gates, and is no symbol", shown(text));
    let mut diagnostic = Diagnostic::error(Code::AigerTrailing, span, message);
    let tail = &reader.bytes[line.start..];
    if tail.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace()) {
        diagnostic = diagnostic.hint(if header.binary {
            "the rest of the file is text; a text file starts with `aag`"
        } else {
            "does the fifth number of the header count all gates?"
        });
    }
    reader.report(diagnostic);
}
