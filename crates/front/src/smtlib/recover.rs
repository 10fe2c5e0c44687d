//! Going on after a command that could not be read.
//!
//! The end of the command is found by counting parentheses, or, where those do not balance, by the
//! next command at the start of a line. What was said about text beyond a missing parenthesis is
//! of no use; then the parenthesis is what is reported.

use super::Fallible;
use super::cursor::Cursor;
use super::lex::{Kind, Lexer};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;

/// Reads the next of the commands that a text is a list of, with `read` from its parenthesis on; nothing at
/// the end of the text. `command` says what a command is called, and knows the names of commands. One with
/// an error is left, and reading goes on at the next one.
pub(crate) fn next_command<'t, R, T>(
    reader: &mut R,
    cursor: impl Fn(&mut R) -> &mut Cursor<'t>,
    (called, is_command): (&str, impl Fn(&[u8]) -> bool),
    read: impl FnOnce(&mut R) -> Fallible<T>,
) -> Option<Result<T, Diagnostic>> {
    let token = cursor(reader).peek();
    match token.kind {
        Kind::End => None,
        Kind::Open => Some(read(reader).map_err(|diagnostic| {
            let cursor = cursor(reader);
            let (diagnostic, resume) = recover(cursor.text(), token.start, *diagnostic, is_command);
            *cursor = Cursor::at(cursor.text(), resume as usize);
            diagnostic
        })),
        Kind::Close => {
            cursor(reader).take();
            let message = "this parenthesis closes nothing";
            Some(Err(Diagnostic::error(Code::SmtParen, token.span(), message)))
        }
        _ => {
            let cursor = cursor(reader);
            let diagnostic = cursor.unexpected(called);
            // One complaint for all that stands between two commands.
            while !matches!(cursor.peek().kind, Kind::End | Kind::Open) {
                cursor.take();
            }
            Some(Err(*diagnostic))
        }
    }
}

/// What to report about the command at `start`, and where the next one begins; `is_command` knows
/// the names of commands.
fn recover(
    bytes: &[u8],
    start: u32,
    diagnostic: Diagnostic,
    is_command: impl Fn(&[u8]) -> bool,
) -> (Diagnostic, u32) {
    let mut cursor = Cursor::at(bytes, start as usize);
    cursor.take();
    let mut is_closed = true;
    while cursor.depth() > 0 {
        let token = cursor.peek();
        let starts_line = token.start == 0 || bytes[token.start as usize - 1] == b'\n';
        let is_next = token.kind == Kind::Open && starts_line && {
            let mut lexer = Lexer::new(bytes, token.end as usize);
            let word = lexer.next_token();
            word.kind == Kind::Symbol && is_command(cursor.bytes_of(word))
        };
        if token.kind == Kind::End || is_next {
            is_closed = false;
            break;
        }
        cursor.take();
    }
    let at = cursor.peek();
    let resume = if is_closed { cursor.last_end() } else { at.start };
    if is_closed || (diagnostic.span.start < resume && diagnostic.code != Code::SmtParen) {
        return (diagnostic, resume);
    }
    let message = if at.kind == Kind::End {
        "this parenthesis is not closed before the end of the file"
    } else {
        "this parenthesis is not closed before the next command"
    };
    let open = Span { start, end: start + 1 };
    (Diagnostic::error(Code::SmtParen, open, message), resume)
}
