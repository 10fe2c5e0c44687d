//! Words, lines and diagnostics of the text parts of an AIGER file.
//!
//! A line is a run of words between blanks, ended by a line feed or the end of the file. A word
//! that should be a literal and is not is reported once and then stands for "no value", so that
//! reading goes on and later phases keep quiet about it. A line with the wrong *number* of words
//! ends the reading: the lines after it would be taken for something they are not, and every
//! further message would be noise.
//!
//! Invariant: offsets fit `u32`, because larger files are refused before the first line.

use crate::diag::{Code, Diagnostic, Diagnostics, MAX_DIAGNOSTICS, Severity};
use alphorn_problem::Span;
use std::ops::Range;

/// A literal as the file has it: its value, unless it was reported as bad, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub value: Option<u32>,
    pub at: u32,
}

/// What a line is about, for messages: `latch`, 3, 10 for the fourth of ten latches.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub what: &'static str,
    pub index: u32,
    pub of: u32,
}

/// The state of one run: the file, how far we are, and what there is to say.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub max_var: u32,
    pub diagnostics: Diagnostics,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, max_var: 0, diagnostics: Diagnostics::default() }
    }

    /// Records `diagnostic` unless enough has been said.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        // Warnings must not fill the list: an error that finds no place would go unnoticed.
        let warning = diagnostic.severity == Severity::Warning;
        let most = if warning { MAX_DIAGNOSTICS / 4 } else { MAX_DIAGNOSTICS };
        if self.diagnostics.list.len() < most {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Records an error at `span`.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// How many bytes have not been read.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next line without its line feed, or nothing at the end of the file.
    pub fn next_line(&mut self) -> Option<Range<usize>> {
        if self.at == self.bytes.len() {
            return None;
        }
        let start = self.at;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|byte| *byte == b'\n');
        let end = start + length.unwrap_or(rest.len());
        self.at = self.bytes.len().min(end + 1);
        Some(start..end)
    }

    /// The literals of the next line, at least `least` and at most `N` of them.
    pub fn read_literals<const N: usize>(
        &mut self,
        least: usize,
        place: Place,
    ) -> Option<[Option<Word>; N]> {
        let Some(line) = self.next_line() else {
            self.truncated(place);
            return None;
        };
        let mut found = [None; N];
        let mut count = 0;
        let mut at = line.start;
        while let Some(range) = next_word(self.bytes, at, line.end) {
            at = range.end;
            if count == N {
                let Place { what, index, .. } = place;
                let message = format!("the line of {what} {index} goes on after its end");
                let span = Span::new(range.start, line.end);
                let hint = format!("the line of {what} {index} holds at most {}", literals(N));
                self.report(Diagnostic::error(Code::AigerTrailing, span, message).hint(hint));
                return None;
            }
            found[count] = Some(self.literal(range, place));
            count += 1;
            if self.diagnostics.is_full() {
                return None;
            }
        }
        if count < least {
            let Place { what, index, .. } = place;
            let message = if count == 0 {
                format!("the line of {what} {index} is empty")
            } else {
                format!("the line of {what} {index} has {}, not {least}", literals(count))
            };
            self.error(Code::AigerNumber, Span::new(line.end, line.end), message);
            return None;
        }
        Some(found)
    }

    fn literal(&mut self, range: Range<usize>, place: Place) -> Word {
        let at = range.start as u32;
        let word = &self.bytes[range.clone()];
        let value = number(word);
        let bound = 2 * u64::from(self.max_var) + 1;
        if let Some(value) = value.filter(|value| *value <= bound) {
            return Word { value: Some(value as u32), at };
        }
        let Place { what, index, .. } = place;
        let span = Span::new(range.start, range.end);
        if value.is_some() {
            let message = format!(
                "{what} {index}: the header's first number allows literals up to {bound}, not {}",
                shown(word),
            );
            self.error(Code::AigerLiteral, span, message);
        } else {
            let message = format!("{what} {index}: `{}` is not a number", shown(word));
            let mut diagnostic = Diagnostic::error(Code::AigerNumber, span, message);
            if word.iter().any(|byte| !(b' '..=b'~').contains(byte)) {
                diagnostic = diagnostic.hint("a file with binary gates starts with `aig`");
            }
            self.report(diagnostic);
        }
        Word { value: None, at }
    }

    /// Reports that the file ends where `place` should stand.
    pub fn truncated(&mut self, place: Place) {
        let Place { what, index, of } = place;
        let end = self.bytes.len();
        let message = format!("the file ends before {what} {index} (of {of}, counted from 0)");
        self.report(
            Diagnostic::error(Code::AigerTruncated, Span::new(end, end), message)
                .hint("was it cut off while copying?"),
        );
    }

    /// The span of `word`.
    pub fn span(&self, word: Word) -> Span {
        let at = word.at as usize;
        let word = next_word(self.bytes, at, self.bytes.len()).unwrap_or(at..at);
        Span::new(word.start, word.end)
    }

    /// The line of the file, counted from 1, in which offset `at` stands.
    pub fn line_number(&self, at: u32) -> usize {
        1 + self.bytes[..at as usize].iter().filter(|byte| **byte == b'\n').count()
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The first word that starts in `at..end`.
pub(super) fn next_word(bytes: &[u8], at: usize, end: usize) -> Option<Range<usize>> {
    let start = at + bytes[at..end].iter().position(|byte| !is_blank(*byte))?;
    let length = bytes[start..end].iter().position(|byte| is_blank(*byte));
    Some(start..length.map_or(end, |length| start + length))
}

/// The decimal number `word`; numbers too large for 64 bits saturate.
pub(super) fn number(word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    word.iter().try_fold(0u64, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        Some(value.saturating_mul(10).saturating_add(digit))
    })
}

/// `word` as messages show it: printable and short.
pub(super) fn shown(word: &[u8]) -> String {
    const MAX_SHOWN: usize = 20;
    let dots = if word.len() > MAX_SHOWN { "…" } else { "" };
    format!("{}{dots}", word[..word.len().min(MAX_SHOWN)].escape_ascii())
}

fn literals(count: usize) -> String {
    format!("{count} literal{}", if count == 1 { "" } else { "s" })
}
