//! `#include`, and the headers that need no file.
//!
//! A name in quotes is asked for beside the file that includes it, then as it is, then among the
//! built-in headers; a name in angle brackets is a built-in header. The headers declare what the
//! standard library has; what its functions do is the business of `alphorn_program::c::library`.
//!
//! Source: C11 6.10.2 and 7; POSIX.1-2017 for threads and `unistd.h`.

use super::cursor::Cursor;
use super::{MAX_INCLUDES, Preprocessor, Source};
use crate::c::lex::RawKind;
use crate::c::token::Punct;
use crate::diag::{Code, Span};

/// Macros that are defined from the beginning.
pub const PREDEFINED: &str = include_str!("../headers/predefined.h");

macro_rules! headers {
    ($($name:literal,)*) => {
        /// The built-in headers.
        const HEADERS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../headers/", $name))),)*];
    };
}

headers! {
    "alloca.h",
    "assert.h",
    "ctype.h",
    "errno.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "pthread.h",
    "sched.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/types.h",
    "time.h",
    "unistd.h",
    "wchar.h",
}

/// The names of the built-in headers.
pub fn header_names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|&(name, _)| name)
}

/// The texts of the built-in headers, and of what is declared without any.
pub fn header_texts() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|&(_, text)| text).chain([PREDEFINED])
}

/// The text of a built-in header.
fn header(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|&&(header, _)| header == name).map(|&(_, text)| text)
}

impl Preprocessor<'_> {
    /// `#include`, after the word.
    pub fn include(&mut self, is_import: bool, span: Span, cursor: &mut Cursor<'_>) {
        let start = cursor.lexer.at();
        let Some((name, is_quoted)) = self.name_of_header(cursor) else {
            let message = "a file's name in quotes or angle brackets is expected";
            self.error(cursor, Code::CDirective, span, message);
            return;
        };
        let span = span.to(cursor.span(start, cursor.lexer.at()));
        self.nothing_more(cursor, "the file's name");
        if self.arguments > 0 {
            let message = "#include stands among the arguments of a macro";
            self.error(cursor, Code::CDirective, span, message)
                .hint("preprocess the file with cc -E");
            return;
        }
        if self.includes == MAX_INCLUDES {
            let message = "files include each other too deeply here";
            self.give_up(Code::CExpansion, span, message);
            return;
        }
        let Some((path, text)) = self.find(&name, is_quoted, cursor) else {
            self.missing(&name, is_quoted, span, cursor);
            return;
        };
        if is_import && !self.once.insert(path.clone()) || !is_import && self.once.contains(&path) {
            return;
        }
        self.spend(text.len() / 8 + 16, span);
        if self.is_over {
            return;
        }
        let source = Source::new(&text);
        let mut inner = Cursor::new(&source, &path, Some(span));
        self.includes += 1;
        self.file(&mut inner);
        self.includes -= 1;
    }

    /// Whether there is such a file.
    pub fn has_header(&self, name: &str, is_quoted: bool, cursor: &Cursor<'_>) -> bool {
        self.find(name, is_quoted, cursor).is_some()
    }

    /// The name of a header, written out or made by macros, and whether it is in quotes.
    pub fn name_of_header(&mut self, cursor: &mut Cursor<'_>) -> Option<(String, bool)> {
        if let Some((name, is_quoted)) = cursor.lexer.header_name() {
            return Some((String::from_utf8_lossy(name).into_owned(), is_quoted));
        }
        let line = self.rest_of_line(cursor);
        let line = self.expand_all(&line, cursor);
        match line.first()?.kind {
            RawKind::Text(text) => {
                let text = self.tokens.symbols.text(text);
                Some((text.strip_prefix('"')?.strip_suffix('"')?.to_owned(), true))
            }
            RawKind::Punct(Punct::Lt) => {
                let mut name = String::new();
                for piece in &line[1..] {
                    if piece.kind == RawKind::Punct(Punct::Gt) {
                        return Some((name, false));
                    }
                    if piece.is_spaced && !name.is_empty() {
                        name.push(' ');
                    }
                    name.push_str(super::spell::text(piece.kind, &self.tokens.symbols));
                }
                None
            }
            _ => None,
        }
    }

    /// The path under which a file is found, and its text.
    fn find(&self, name: &str, is_quoted: bool, cursor: &Cursor<'_>) -> Option<(String, Vec<u8>)> {
        if is_quoted {
            let beside = format!("{}{name}", cursor.directory);
            if self.includes > 0
                && beside != name
                && !name.starts_with('/')
                && let Some(text) = (self.options.include)(&beside)
            {
                return Some((beside, text));
            }
            if let Some(text) = (self.options.include)(name) {
                return Some((name.to_owned(), text));
            }
        }
        header(name).map(|text| (name.to_owned(), text.as_bytes().to_vec()))
    }

    fn missing(&mut self, name: &str, is_quoted: bool, span: Span, cursor: &Cursor<'_>) {
        if is_quoted {
            let message = format!("there is no file \"{name}\"");
            self.error(cursor, Code::CInclude, span, message)
                .hint("files are looked for beside the one that includes them");
        } else {
            let message = format!("there is no built-in header <{name}>");
            self.error(cursor, Code::CInclude, span, message)
                .hint("preprocess the file with cc -E, or declare what it needs in it");
        }
    }
}
