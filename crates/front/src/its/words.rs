//! Words that both forms have: numbers with a sign in front, and names that must be known.

use crate::diag::{Code, Diagnostic};
use crate::smtlib::{Context, Cursor, Kind, Lexer, Token};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_term::Int;
use std::collections::BTreeSet;

/// Lets `-5` be a number: to SMT-LIB it is a symbol like any other.
pub(super) fn bind_negative_numerals(context: &mut Context, bytes: &[u8]) {
    let mut lexer = Lexer::new(bytes, 0);
    let mut seen: BTreeSet<&[u8]> = BTreeSet::new();
    loop {
        let token = lexer.next_token();
        let word = &bytes[token.start as usize..token.end as usize];
        match (token.kind, word) {
            (Kind::End, _) => return,
            (Kind::Symbol, [b'-', digits @ ..])
                if !digits.is_empty()
                    && digits.iter().all(u8::is_ascii_digit)
                    && seen.insert(word) =>
            {
                let (Some(value), Ok(name)) = (Int::parse_decimal(digits), str::from_utf8(word))
                else {
                    continue;
                };
                let number = context.store_mut().int(-value);
                context.bind(name, number);
            }
            _ => {}
        }
    }
}

/// What is wrong with a text as a whole.
pub(super) fn unreadable(bytes: &[u8]) -> Option<Diagnostic> {
    crate::smtlib::general::unreadable(bytes)
}

/// What to say where a file is not of its form.
pub(super) fn malformed(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::ItsForm, span, message))
}

/// What to say about a part that is known and not treated.
pub(super) fn untreated(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(Code::ItsUntreated, span, message))
}

/// What to say about a location that is not declared.
pub(super) fn unknown_location<'n>(
    cursor: &Cursor<'_>,
    token: Token,
    known: impl Iterator<Item = &'n str>,
) -> Box<Diagnostic> {
    let name = cursor.text_of(token);
    let message = format!("there is no location `{}`", shown(name));
    let diagnostic = Diagnostic::error(Code::SmtUndeclared, token.span(), message);
    Box::new(match nearest(name, known) {
        Some(known) => diagnostic.hint(format!("did you mean `{known}`?")),
        None => diagnostic,
    })
}

/// The start of a name that may be long.
pub(super) fn shown(text: &str) -> String {
    const MAX_SHOWN: usize = 40;
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
