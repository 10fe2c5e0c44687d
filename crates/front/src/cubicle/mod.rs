//! Protocols of any number of processes, in Cubicle's language.
//!
//! ```text
//! type t = Idle | Crit
//! var Turn : proc
//! array A[proc] : t
//! init (z) { A[z] = Idle }
//! unsafe (x y) { A[x] = Crit && A[y] = Crit }
//! transition enter (x)
//! requires { A[x] = Idle && forall_other j. A[j] <> Crit }
//! { A[j] := case | j = x : Crit | _ : A[j] }
//! ```
//!
//! Processes are ordered, and the names of a transition or of `unsafe` are different processes. Without a number of
//! processes the clauses are about any few of them at once (`clauses`): what they exclude cannot happen, whatever
//! the number, and what they allow may not be possible, so that a derivation of them is no violation
//! (`Horn::allows_more`). With a number of processes, named by the user or by `number_procs`, they are exact.
//!
//! After Conchon, Goel, Krstić, Mebsout, Zaïdi \[CGKMZ12\]; clauses about few processes after Gurfinkel, Shoham, Meshman
//! \[GSM16\] and Hojjat's thesis, ch. 6.

mod clauses;
mod file;
mod scene;

use crate::diag::{Code, Diagnostic, Read};
use crate::infix::{Assoc, Cursor, Grammar, Kind, Lexis, infix};
use crate::views::MAX_SEEN;
pub use crate::views::Processes;
use alphorn_problem::{Horn, Span};

static LEXIS: Lexis = Lexis {
    line_comments: &[],
    has_block_comments: false,
    has_decimals: false,
    has_escapes: false,
    has_words: false,
    begins_name: |byte| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'#',
    continues_name: |byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'#',
    symbols: &[
        ":=", "<>", "<=", ">=", "&&", "||", "<", ">", "=", "+", "-", "*", "(", ")", "[", "]", "{",
        "}", "|", ":", ";", ",", ".",
    ],
};

static GRAMMAR: Grammar = Grammar {
    prefix: &[("-", 9)],
    infix: &[
        infix(1, Assoc::Chain, &["||"]),
        infix(2, Assoc::Chain, &["&&"]),
        infix(3, Assoc::None, &["<>", "<=", ">=", "=", "<", ">"]),
        infix(4, Assoc::Left, &["+", "-"]),
        infix(5, Assoc::Left, &["*"]),
    ],
    calls: &[],
    has_indices: true,
    has_conditional: false,
    binders: &[],
    bindings: |_| Ok(()),
    reserved: &["forall_other", "case", "transition", "requires", "unsafe", "init"],
};

/// The most processes.
const MAX_PROCESSES: usize = 8;

/// Whether a text begins as these files do, behind comments.
pub fn begins(bytes: &[u8]) -> bool {
    let text = without_comments(&bytes[..bytes.len().min(1 << 16)]);
    let cursor = Cursor::new(&text, 0, &LEXIS, Code::CubicleSyntax);
    let second = cursor.peek_second().kind == Kind::Name;
    let is_any = |words: &[&str]| words.iter().any(|word| cursor.is(word));
    second && is_any(&["array", "type", "var"]) && has_word(&text, b"proc")
        || cursor.is("number_procs")
}

fn has_word(text: &[u8], word: &[u8]) -> bool {
    text.split(|byte| !(LEXIS.continues_name)(*byte)).any(|piece| piece == word)
}

/// Reads a protocol.
pub fn read(bytes: &[u8], processes: Option<Processes>) -> Read<Horn> {
    let text = without_comments(bytes);
    let (file, mut diagnostics) = file::read(&text);
    let Some(file) = file.filter(|_| diagnostics.is_clean()) else { return (None, diagnostics) };
    let chosen = match (processes, file.number) {
        (Some(Processes::Just(number)), _) => Processes::Just(number),
        (_, Some(number)) => Processes::Just(number),
        (Some(any), None) => any,
        (None, None) => Processes::Any(2),
    };
    let is_bent = file.number.is_some() && matches!(processes, Some(Processes::Any(_)));
    let is_bent = is_bent.then(|| "the file says how many processes there are".to_owned());
    if let Some(message) = is_bent.or_else(|| untreated(chosen)) {
        diagnostics.push(Diagnostic::error(Code::CubicleSyntax, Span::NONE, message));
        return (None, diagnostics);
    }
    match clauses::clauses(&file, &text, chosen) {
        Ok(horn) => (Some(horn), diagnostics),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

fn untreated(processes: Processes) -> Option<String> {
    match processes {
        Processes::Just(1..=MAX_PROCESSES) | Processes::Any(1..=MAX_SEEN) => None,
        Processes::Just(_) => Some(format!("there are from 1 to {MAX_PROCESSES} processes")),
        Processes::Any(_) => Some(format!("from 1 to {MAX_SEEN} processes are seen at once")),
    }
}

/// The text with blanks in the place of comments, which may stand inside each other.
fn without_comments(bytes: &[u8]) -> Vec<u8> {
    let mut text = bytes.to_vec();
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let is_begin = bytes[at..].starts_with(b"(*");
        let is_end = depth > 0 && bytes[at..].starts_with(b"*)");
        let length = if is_begin || is_end { 2 } else { 1 };
        depth += usize::from(is_begin);
        if depth > 0 {
            for byte in text[at..at + length].iter_mut().filter(|byte| **byte != b'\n') {
                *byte = b' ';
            }
        }
        depth -= usize::from(is_end);
        at += length;
    }
    text
}
