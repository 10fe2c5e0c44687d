//! Diagnostics as text: code, place, the line with a mark under it, one sentence, a hint.
//!
//! The form is that of the Rust compiler. It is drawn here and not by a library because inputs
//! may be hundreds of megabytes on a single line, or not text at all: we show a window of one
//! line, with the place of the mark in the whole line, which the libraries we tried cannot.

use crate::printable::{is_active, line as printable};
use alphorn_front::{Diagnostic, Severity};
use std::fmt::Write;

/// How much of a line is shown around the mark.
const WINDOW: usize = 70;

/// A diagnostic with its place worked out.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    /// The diagnostic.
    pub diagnostic: &'a Diagnostic,
    /// The file, as the user named it.
    pub file: &'a str,
    /// The line and the column, from 1, in characters (in bytes where the input is not text);
    /// nothing where the diagnostic is about the file as a whole.
    pub place: Option<(usize, usize)>,
    /// The text around it and where in it the mark begins and ends; nothing where the input is
    /// not text.
    excerpt: Option<(&'a str, usize, usize)>,
}

impl<'a> Located<'a> {
    /// Works out where in `source` a diagnostic stands.
    pub fn new(diagnostic: &'a Diagnostic, file: &'a str, source: &'a [u8]) -> Located<'a> {
        let place = diagnostic.place(source);
        if place.is_none() {
            return Located { diagnostic, file, place, excerpt: None };
        }
        let start = (diagnostic.span.start as usize).min(source.len());
        let end = (diagnostic.span.end as usize).clamp(start, source.len());
        let before = &source[..start];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let rest = &source[line_start..];
        let line_end = line_start + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let from = if start - line_start > WINDOW { start - WINDOW } else { line_start };
        let to = line_end.min(start + WINDOW);
        let excerpt = text_window(source, from, to).map(|(text, from)| {
            let boundary = |offset: usize| {
                let offset = offset.saturating_sub(from).min(text.len());
                (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
            };
            (text, boundary(start), boundary(end).max(boundary(start)))
        });
        Located { diagnostic, file, place, excerpt }
    }

    /// The severity as a word.
    pub fn severity_word(&self) -> &'static str {
        match self.diagnostic.severity {
            Severity::Warning => "warning",
            Severity::Unsupported => "unsupported",
            Severity::Error => "error",
        }
    }
}

/// The bytes from `from` to `to` as text, moved inwards to character boundaries; nothing if they
/// contain control characters, as binary files do, or ones that reorder what is read.
fn text_window(source: &[u8], mut from: usize, mut to: usize) -> Option<(&str, usize)> {
    let is_continuation = |at: usize| source.get(at).is_some_and(|b| b & 0xc0 == 0x80);
    while from < to && is_continuation(from) {
        from += 1;
    }
    while to > from && is_continuation(to) {
        to -= 1;
    }
    let text = std::str::from_utf8(&source[from..to]).ok()?;
    let text = text.strip_suffix('\r').unwrap_or(text);
    let is_text = text.chars().all(|c| c == '\t' || !is_active(c));
    is_text.then_some((text, from))
}

/// A diagnostic as text, ending with a newline; with colours if `colour`.
pub fn render(located: &Located<'_>, colour: bool) -> String {
    let d = located.diagnostic;
    let strong = match (colour, d.severity) {
        (false, _) => "",
        (true, Severity::Warning) => "\x1b[1;33m",
        (true, _) => "\x1b[1;31m",
    };
    let (frame, plain) = if colour { ("\x1b[1;34m", "\x1b[0m") } else { ("", "") };
    let mut out = String::new();
    let word = located.severity_word();
    let message = printable(&d.message);
    let _ = writeln!(out, "{strong}{word}[{}]{plain}: {message}", d.code.code());
    let number = located.place.map_or("1".to_owned(), |(line, _)| line.to_string());
    let margin = " ".repeat(number.len());
    let place = located.place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
    let _ = writeln!(out, "{margin}{frame}-->{plain} {}{place}", printable(located.file));
    if let Some((text, start, end)) = located.excerpt {
        let before: String =
            text[..start].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let marks = "^".repeat(text[start..end].chars().count().max(1));
        let _ = writeln!(out, "{margin} {frame}|{plain}");
        let _ = writeln!(out, "{frame}{number} |{plain} {text}");
        let _ = writeln!(out, "{margin} {frame}|{plain} {before}{strong}{marks}{plain}");
    }
    if let Some(hint) = &d.hint {
        let _ = writeln!(out, "{margin} {frame}={plain} help: {}", printable(hint));
    }
    out
}
