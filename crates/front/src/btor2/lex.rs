//! Lines and words of BTOR2 files and witnesses.
//!
//! A line is a run of words between blanks. A word that starts with `;` begins a comment that
//! lasts to the end of the line; a `;` inside of a word does so too, except in symbols, which may
//! contain one.
//!
//! Invariant: offsets fit `u32`, because larger files are refused before the first line.

use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;

/// Why a file is not looked at, if it is not.
pub(super) fn unreadable(bytes: &[u8]) -> Option<Diagnostic> {
    if bytes.is_empty() {
        return Some(Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty"));
    }
    Diagnostic::too_large(bytes)
}

/// A word and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a [u8],
    pub span: Span,
}

impl Word<'_> {
    /// The decimal number this is; numbers too large for 64 bits saturate.
    pub fn number(&self) -> Option<u64> {
        decimal(self.text)
    }

    /// The word as messages show it: printable and short.
    pub fn shown(&self) -> String {
        const MAX_SHOWN: usize = 20;
        let dots = if self.text.len() > MAX_SHOWN { "…" } else { "" };
        format!("{}{dots}", self.text[..self.text.len().min(MAX_SHOWN)].escape_ascii())
    }
}

/// The decimal number `text`; numbers too large for 64 bits saturate.
pub(super) fn decimal(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u64, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        Some(value.saturating_mul(10).saturating_add(digit))
    })
}

/// The lines of a file.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8]) -> Lines<'a> {
        Lines { bytes, at: 0 }
    }

    /// The end of the file.
    pub fn end(&self) -> Span {
        Span::new(self.bytes.len(), self.bytes.len())
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Cursor<'a>;

    fn next(&mut self) -> Option<Cursor<'a>> {
        if self.at == self.bytes.len() {
            return None;
        }
        let start = self.at;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at = self.bytes.len().min(start + length + 1);
        Some(Cursor { bytes: self.bytes, at: start, end: start + length, start: None, last: start })
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// A line and how far it has been read.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    /// Where the first word starts.
    start: Option<usize>,
    /// Where the last word that was read ends.
    last: usize,
}

impl<'a> Cursor<'a> {
    /// The next word, if there is one before the comment.
    pub fn word(&mut self) -> Option<Word<'a>> {
        self.next_word(true)
    }

    /// The next word, which may contain a semicolon.
    pub fn symbol(&mut self) -> Option<Word<'a>> {
        self.next_word(false)
    }

    fn next_word(&mut self, cut: bool) -> Option<Word<'a>> {
        let line = &self.bytes[self.at..self.end];
        let start = line.iter().position(|byte| !is_blank(*byte));
        let start = self.at + start.filter(|start| line[*start] != b';')?;
        let rest = &self.bytes[start..self.end];
        let length = rest.iter().position(|byte| is_blank(*byte) || (cut && *byte == b';'));
        let end = start + length.unwrap_or(rest.len());
        self.at = end;
        self.last = end;
        self.start.get_or_insert(start);
        Some(Word { text: &self.bytes[start..end], span: Span::new(start, end) })
    }

    /// Where the next word is missed: after the last one.
    pub fn here(&self) -> Span {
        Span::new(self.last, self.last)
    }

    /// What has been read of the line, without blanks at its ends.
    pub fn span(&self) -> Span {
        Span::new(self.start.unwrap_or(self.last), self.last)
    }
}
