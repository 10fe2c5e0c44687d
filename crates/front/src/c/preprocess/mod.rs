//! The preprocessor: directives are carried out and macros replaced; what is left are the tokens of a unit.
//!
//! A file is one loop over its tokens (`file`); a name that is no macro costs one look into a table. A
//! macro's replacement is put on a stack of token lists (`expand`), from which the loop reads before it
//! reads on in the file. An included file is a loop inside the loop.
//!
//! Invariant: spans are places in the file that the user gave. What a macro's body or an included file
//! contributes has the place of the macro's use or of the `#include`; what is an argument of a macro
//! keeps its own. Work is bounded by `MAX_WORK`, depth by `MAX_NESTING` and `MAX_INCLUDES`.
//!
//! Source: C11 6.10; the GNU CPP manual.

mod builtin;
mod condition;
mod cursor;
mod define;
mod directive;
mod expand;
mod include;
mod pragma;
mod spell;

use super::lex::{Malformed, RawKind};
use super::source::Source;
use super::token::{Keyword, Kind, Packing, Punct, Symbol, Token, Tokens};
use crate::diag::{Code, Diagnostic, Diagnostics, Span};
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::tree::Annotation;
use builtin::Known;
use cursor::Cursor;
use define::Macro;
use expand::Context;
use std::collections::BTreeSet;

pub use include::{header_names, header_texts};

/// How many tokens macros and included files may make, beside some for every byte of the file.
pub const MAX_WORK: usize = 1 << 22;
/// How deep arguments of macros may be nested in each other.
pub const MAX_NESTING: usize = 128;
/// How deep files may include each other.
pub const MAX_INCLUDES: usize = 100;

/// What a program is read with.
#[derive(Clone)]
pub struct Options<'o> {
    /// The name of the file, for `__FILE__`.
    pub name: &'o str,
    /// Gives the file that `#include "…"` names, if there is one.
    pub include: &'o dyn Fn(&str) -> Option<Vec<u8>>,
    /// Macros that are defined before the file begins, and what they stand for.
    pub defines: Vec<(String, String)>,
    /// How wide integers and pointers are.
    pub model: DataModel,
}

impl Options<'_> {
    /// No other files and no macros.
    pub fn new(model: DataModel) -> Options<'static> {
        Options { name: "input.c", include: &|_| None, defines: vec![], model }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("name", &self.name)
            .field("defines", &self.defines)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// The tokens of a file after preprocessing.
pub fn tokens(source: &[u8], options: &Options<'_>, out: &mut Diagnostics) -> Tokens {
    let mut tokens = Tokens::default();
    tokens.all.reserve(source.len() / 4);
    let known = Known::new(&mut tokens.symbols);
    let mut pre = Preprocessor {
        options,
        out,
        tokens,
        known,
        macros: vec![],
        definitions: vec![],
        contexts: vec![],
        nesting: 0,
        includes: 0,
        arguments: 0,
        once: BTreeSet::new(),
        packing: vec![],
        pushed: vec![],
        counter: 0,
        work: MAX_WORK + source.len().saturating_mul(8),
        is_over: false,
    };
    pre.predefine();
    let source = Source::new(source);
    let mut cursor = Cursor::new(&source, options.name, None);
    pre.file(&mut cursor);
    for &(start, end) in &cursor.lexer.remarks {
        pre.annotate(&source, start as usize, end as usize);
    }
    let end = source.span(source.text().len(), source.text().len());
    let mut tokens = pre.tokens;
    tokens.all.push(Token { kind: Kind::End, span: end });
    tokens
}

/// A token on its way.
#[derive(Clone, Copy, Debug)]
struct Piece {
    kind: RawKind,
    span: Span,
    is_spaced: bool,
    /// Whether it is the name of a macro that it must not be taken for any more.
    is_painted: bool,
}

struct Preprocessor<'p> {
    options: &'p Options<'p>,
    out: &'p mut Diagnostics,
    tokens: Tokens,
    known: Known,
    /// For every symbol, 0 or one more than the position of its macro.
    macros: Vec<u32>,
    definitions: Vec<Macro>,
    contexts: Vec<Context>,
    nesting: usize,
    includes: usize,
    /// How many macros' arguments are being collected.
    arguments: usize,
    /// Files that say `#pragma once`.
    once: BTreeSet<String>,
    /// What `#pragma pack(push)` has put aside.
    packing: Vec<Option<u32>>,
    /// What `#pragma push_macro` has put aside.
    pushed: Vec<(Symbol, u32)>,
    counter: u32,
    /// How many more tokens may be made.
    work: usize,
    /// Whether nothing more is read: a limit is reached, or enough has been said.
    is_over: bool,
}

impl Preprocessor<'_> {
    /// Reads a file to its end.
    fn file(&mut self, cursor: &mut Cursor<'_>) {
        loop {
            if self.is_over {
                return;
            }
            if !self.contexts.is_empty() {
                let piece = self.next_expanded(cursor);
                // The stack may have run empty on the way, and the file with it.
                if piece.kind == RawKind::End {
                    break;
                }
                self.emit(piece, cursor);
                continue;
            }
            let raw = cursor.lexer.next_token(&mut self.tokens.symbols);
            match raw.kind {
                RawKind::Name(name) if self.macro_of(name).is_none() => {
                    let kind = Keyword::of(name).map_or(Kind::Name(name), Kind::Keyword);
                    let span = cursor.span_of(raw);
                    self.tokens.all.push(Token { kind, span });
                }
                RawKind::Punct(Punct::Hash) if raw.is_first => self.directive(cursor),
                RawKind::Punct(punct) => {
                    let span = cursor.span_of(raw);
                    self.tokens.all.push(Token { kind: Kind::Punct(punct), span });
                }
                RawKind::End => break,
                _ => {
                    let piece = cursor.piece(raw);
                    if !self.enter_if_macro(piece, cursor) {
                        self.emit(piece, cursor);
                    }
                }
            }
        }
        self.end_of_file(cursor);
    }

    /// Complains of what is open at the end of a file.
    fn end_of_file(&mut self, cursor: &mut Cursor<'_>) {
        if let Some(start) = cursor.lexer.unclosed {
            let span = cursor.span(start, start + 2);
            self.error(cursor, Code::CComment, span, "this comment is not closed")
                .hint("close it with */");
        }
        for conditional in std::mem::take(&mut cursor.conditionals) {
            self.error(cursor, Code::CConditional, conditional.span, "this has no #endif");
        }
    }

    /// Adds a token to the unit.
    fn emit(&mut self, piece: Piece, cursor: &Cursor<'_>) {
        let kind = match piece.kind {
            RawKind::Name(name) => Keyword::of(name).map_or(Kind::Name(name), Kind::Keyword),
            RawKind::Number(text) => Kind::Number(text),
            RawKind::Char(text) => Kind::Char(text),
            RawKind::Text(text) => Kind::Text(text),
            RawKind::Punct(punct) => Kind::Punct(punct),
            RawKind::Bad(text, malformed) => return self.malformed(text, malformed, piece, cursor),
            RawKind::End => return,
        };
        self.tokens.all.push(Token { kind, span: piece.span });
    }

    /// Complains of a malformed token, and adds what it was probably meant to be.
    fn malformed(&mut self, text: Symbol, what: Malformed, piece: Piece, cursor: &Cursor<'_>) {
        match what {
            Malformed::Stray => {
                let spelled = self.tokens.symbols.text(text).escape_debug().to_string();
                let message = format!("'{spelled}' starts no token of C");
                self.error(cursor, Code::CByte, piece.span, message);
            }
            Malformed::Encoding => {
                self.error(cursor, Code::CByte, piece.span, "these bytes are no text in UTF-8")
                    .hint("outside comments and literals, C is written in ASCII or UTF-8");
            }
            Malformed::Char => {
                let message = "this character constant is not closed on its line";
                self.error(cursor, Code::CLiteral, piece.span, message).hint("close it with '");
                let zero = self.tokens.symbols.intern("0");
                self.tokens.all.push(Token { kind: Kind::Number(zero), span: piece.span });
            }
            Malformed::Text => {
                let message = "this string is not closed on its line";
                self.error(cursor, Code::CLiteral, piece.span, message).hint("close it with \"");
                let empty = self.tokens.symbols.intern("\"\"");
                self.tokens.all.push(Token { kind: Kind::Text(empty), span: piece.span });
            }
        }
    }

    /// Keeps a comment that speaks to verifiers.
    fn annotate(&mut self, source: &Source<'_>, start: usize, end: usize) {
        let comment = String::from_utf8_lossy(&source.text()[start..end]);
        let text = comment.get(3..).unwrap_or_default();
        let text = if comment.starts_with("/*") { text.strip_suffix("*/") } else { Some(text) };
        // `/*@/` is a comment of which nothing is left.
        let text = text.unwrap_or_default().to_owned();
        self.tokens.annotations.push(Annotation { text, span: source.span(start, end) });
    }

    /// Takes so much from the budget; says so once it is empty.
    fn spend(&mut self, amount: usize, span: Span) {
        if self.work >= amount {
            self.work -= amount;
        } else if !self.is_over {
            let message = "macros and included files make too many tokens here";
            self.give_up(Code::CExpansion, span, message);
        }
    }

    /// Reads no further.
    fn give_up(&mut self, code: Code, span: Span, message: &str) {
        if !self.is_over {
            let hint = "the rest of the file is not read; preprocess it with cc -E";
            self.out.push(Diagnostic::error(code, span, message).hint(hint));
        }
        self.is_over = true;
        self.contexts.clear();
    }

    /// Records an error.
    fn error(
        &mut self,
        cursor: &Cursor<'_>,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) -> Hint<'_> {
        self.report(cursor, Diagnostic::error(code, span, message))
    }

    /// Records what is said; the place in an included file goes into the message.
    fn report(&mut self, cursor: &Cursor<'_>, mut diagnostic: Diagnostic) -> Hint<'_> {
        if cursor.place.is_some() {
            let (name, line) = (cursor.name(), cursor.current_line());
            diagnostic.message = format!("{name}, line {line}: {}", diagnostic.message);
        }
        self.is_over |= self.out.is_full();
        if !self.is_over {
            self.out.push(diagnostic);
        }
        Hint { diagnostic: self.out.list.last_mut() }
    }

    /// A change of packing.
    fn pack(&mut self, align: Option<u32>) {
        self.tokens.packings.push(Packing { from: self.tokens.all.len(), align });
    }
}

/// A diagnostic that was recorded and may get a hint.
struct Hint<'d> {
    diagnostic: Option<&'d mut Diagnostic>,
}

impl Hint<'_> {
    fn hint(self, text: impl Into<String>) {
        if let Some(diagnostic) = self.diagnostic {
            diagnostic.hint = Some(text.into());
        }
    }
}
