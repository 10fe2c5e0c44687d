//! Where reading stands in one file: its tokens, its lines, its open conditionals.

use super::Piece;
use crate::c::lex::{Lexer, Raw};
use crate::c::source::Source;
use crate::diag::Span;
use std::cell::Cell;

/// An `#if` whose `#endif` is to come.
#[derive(Clone, Copy, Debug)]
pub struct Conditional {
    /// Where it stands.
    pub span: Span,
    /// Whether one of its groups was read or is being read.
    pub is_decided: bool,
    /// Whether its `#else` has come.
    pub has_else: bool,
}

/// A file that is being read.
#[derive(Debug)]
pub struct Cursor<'t> {
    pub lexer: Lexer<'t>,
    source: &'t Source<'t>,
    /// For an included file, where the user's file includes it.
    pub place: Option<Span>,
    name: String,
    /// The directory of the file with its slash, for files that it includes.
    pub directory: String,
    pub conditionals: Vec<Conditional>,
    /// The last place whose line was asked for, and that line.
    seen: Cell<(usize, usize)>,
    /// By how much `#line` has moved the numbers of lines.
    shift: i64,
}

impl<'t> Cursor<'t> {
    /// The name of what is defined before the file begins.
    pub const BUILTIN: &'static str = "<built-in>";

    /// Whether this is what is defined before the file begins.
    pub fn is_builtin(&self) -> bool {
        self.name == Self::BUILTIN
    }

    /// The beginning of a file.
    pub fn new(source: &'t Source<'t>, name: &str, place: Option<Span>) -> Cursor<'t> {
        let directory = name.rfind('/').map_or("", |slash| &name[..=slash]).to_owned();
        Cursor {
            lexer: Lexer::new(source.text()),
            source,
            place,
            name: name.to_owned(),
            directory,
            conditionals: vec![],
            seen: Cell::new((0, 1)),
            shift: 0,
        }
    }

    /// The name of the file, as `#line` has it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where a piece of the file stands for the user.
    pub fn span(&self, start: usize, end: usize) -> Span {
        self.place.unwrap_or_else(|| self.source.span(start, end))
    }

    /// Where a token stands for the user.
    pub fn span_of(&self, raw: Raw) -> Span {
        self.span(raw.start as usize, raw.end as usize)
    }

    /// A token of the file.
    pub fn piece(&self, raw: Raw) -> Piece {
        let span = self.span_of(raw);
        let is_spaced = raw.is_spaced || raw.is_first;
        Piece { kind: raw.kind, span, is_spaced, is_painted: false }
    }

    /// The number of the line where reading stands.
    pub fn current_line(&self) -> i64 {
        let at = self.lexer.at().saturating_sub(1);
        self.line(self.source.span(at, at).start as usize)
    }

    /// The number of the line of a place in the file, as `#line` has it.
    pub fn line(&self, offset: usize) -> i64 {
        let (seen, line) = self.seen.get();
        let here = if offset >= seen {
            line + self.source.lines_between(seen, offset)
        } else {
            line - self.source.lines_between(offset, seen)
        };
        self.seen.set((offset, here));
        here as i64 + self.shift
    }

    /// The next line has this number, and the file this name.
    pub fn set_line(&mut self, line: i64, name: Option<String>) {
        self.shift = 0;
        self.shift = line - self.current_line() - 1;
        if let Some(name) = name {
            self.name = name;
        }
    }
}
