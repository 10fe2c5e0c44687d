//! Protocols in the Murphi language: rules over records and arrays of finite values.
//!
//! ```text
//! const N: 2;
//! type pid: 1..N;
//! var turn: pid;  critical: array [pid] of boolean;
//! startstate begin turn := 1; for i: pid do critical[i] := false; end; end;
//! ruleset i: pid do
//!   rule "enter" turn = i & !critical[i] ==> begin critical[i] := true; end;
//!   rule "leave" critical[i] ==> begin critical[i] := false; turn := 3 - i; end;
//! end;
//! invariant "one at a time" !(critical[1] & critical[2]);
//! ```
//!
//! Procedures are written out where they are called, loops are gone through, and every rule is run once with values
//! that are terms (`scene`), for each choice of its parameters. What comes out is a transition system over words
//! (`system`). Scalarsets are enumerations here: that their values can be exchanged is not made use of. Multisets and
//! recursion are not treated.
//!
//! After Dill, Drexler, Hu, Yang \[DDHY92\] and the user's manual of CMurphi 5.4.

mod assemble;
mod eval;
mod expression;
mod parse;
mod run;
mod scene;
mod shape;
mod statement;
mod system;
mod tree;
mod value;

use crate::diag::{Code, Diagnostic, Read};
use crate::infix::{Cursor, Kind, Lexis};
use crate::response::ResponseWish;
use alphorn_problem::Words;

static LEXIS: Lexis = Lexis {
    line_comments: &["--"],
    has_block_comments: true,
    has_escapes: true,
    symbols: &[
        "==>", ":=", "..", "->", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "%", "&",
        "|", "!", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}",
    ],
    ..Lexis::PLAIN
};

/// How deep texts are nested at the most.
const MAX_DEPTH: usize = 200;

/// The words of the language, which are written in any case.
const WORDS: [&str; 64] = [
    "alias",
    "array",
    "assert",
    "assume",
    "begin",
    "boolean",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "cover",
    "do",
    "else",
    "elsif",
    "end",
    "endalias",
    "endexists",
    "endfor",
    "endforall",
    "endfunction",
    "endif",
    "endprocedure",
    "endrecord",
    "endrule",
    "endruleset",
    "endstartstate",
    "endswitch",
    "endwhile",
    "enum",
    "error",
    "exists",
    "false",
    "for",
    "forall",
    "function",
    "if",
    "invariant",
    "isundefined",
    "liveness",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "of",
    "procedure",
    "process",
    "program",
    "put",
    "record",
    "return",
    "rule",
    "ruleset",
    "scalarset",
    "startstate",
    "switch",
    "then",
    "to",
    "true",
    "type",
    "undefine",
    "union",
    "var",
];

/// Whether a text begins as these files do: with a declaration, or a rule.
pub fn begins(bytes: &[u8]) -> bool {
    let text = small_words(&bytes[..bytes.len().min(1 << 16)]);
    let cursor = Cursor::new(&text, 0, &LEXIS, Code::MurphiSyntax);
    let second = cursor.peek_second().kind;
    let is_first = ["const", "type", "var"].iter().any(|word| cursor.is(word));
    is_first && second == Kind::Name && text.windows(10).any(|piece| piece == b"startstate")
}

/// Reads a model; with a question about a response, that one is asked in the place of its own.
pub fn read(bytes: &[u8], response: Option<&ResponseWish>) -> Read<Words> {
    let mut diagnostics = crate::diag::Diagnostics::default();
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let text = small_words(bytes);
    let (file, mut diagnostics) = parse::file(&text);
    let Some(file) = file.filter(|_| diagnostics.is_clean()) else { return (None, diagnostics) };
    match system::system(&file, response) {
        Ok(words) => (Some(words), diagnostics),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

/// The text with the words of the language in small letters, outside of texts between quotes.
fn small_words(bytes: &[u8]) -> Vec<u8> {
    let mut text = bytes.to_vec();
    let (mut at, mut is_quoted) = (0, false);
    while at < text.len() {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let end =
            at + text[at..].iter().position(|byte| !is_part(*byte)).unwrap_or(text.len() - at);
        if end == at {
            match text[at] {
                b'"' => is_quoted = !is_quoted,
                b'\n' => is_quoted = false,
                _ => {}
            }
            at += 1;
            continue;
        }
        let word = text[at..end].to_ascii_lowercase();
        if !is_quoted && WORDS.iter().any(|known| known.as_bytes() == word) {
            text[at..end].copy_from_slice(&word);
        }
        at = end;
    }
    text
}
