//! `#define` and `#undef`.
//!
//! The body of a macro is a list of parts: tokens, parameters, and parameters to be spelled as strings.
//! A part that `##` joins with the one before it says so; the operators themselves are gone.
//!
//! Source: C11 6.10.3; variadic macros with a name for the rest, as gcc has them.

use super::builtin::Builtin;
use super::cursor::Cursor;
use super::{Piece, Preprocessor};
use crate::c::lex::RawKind;
use crate::c::token::{Punct, Symbol};
use crate::diag::{Code, Diagnostic, Span};

/// What a macro stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// Replaced by its body.
    Body(Vec<Part>),
    /// Made by the preprocessor itself.
    Builtin(Builtin),
}

/// A macro.
#[derive(Clone, Debug)]
pub struct Macro {
    pub name: Symbol,
    /// The parameters of a function-like macro.
    pub params: Option<Vec<Symbol>>,
    /// Whether the last parameter takes all arguments that are left.
    pub is_variadic: bool,
    pub meaning: Meaning,
    /// Whether its replacement is being read.
    pub is_disabled: bool,
}

/// A piece of a macro's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub kind: PartKind,
    pub is_spaced: bool,
    /// Whether `##` stands before it.
    pub is_pasted: bool,
}

/// What a piece of a macro's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A token.
    Token(RawKind),
    /// A parameter.
    Param(usize),
    /// A parameter after `#`.
    Spelled(usize),
}

impl Preprocessor<'_> {
    /// The position of the macro of a name, if it is one.
    pub fn macro_of(&self, name: Symbol) -> Option<usize> {
        match self.macros.get(name.0 as usize) {
            None | Some(0) => None,
            Some(&index) => Some(index as usize - 1),
        }
    }

    /// Makes a name a macro.
    pub fn set_macro(&mut self, definition: Macro) {
        let index = definition.name.0 as usize;
        if self.macros.len() <= index {
            self.macros.resize(self.tokens.symbols.count().max(index + 1), 0);
        }
        self.definitions.push(definition);
        self.macros[index] = self.definitions.len() as u32;
    }

    /// `#define`, after the word.
    pub fn define(&mut self, cursor: &mut Cursor<'_>) {
        let Some((name, span)) = self.macro_name(cursor) else { return };
        let mut line = self.rest_of_line(cursor);
        let mut params = None;
        let mut is_variadic = false;
        if line.first().is_some_and(|first| is_punct(first, Punct::LParen) && !first.is_spaced) {
            let Some((names, rest, used)) = self.params(&line, cursor, span) else { return };
            (params, is_variadic) = (Some(names), rest);
            line.drain(..used);
        } else if line.first().is_some_and(|first| !first.is_spaced) {
            let message = "a blank must stand between a macro's name and what it stands for";
            self.report(cursor, Diagnostic::warning(Code::CMacro, span, message));
        }
        let Some(body) = self.body(&line, params.as_deref(), is_variadic, cursor) else { return };
        let is_predefined = cursor.is_builtin();
        let definition =
            Macro { name, params, is_variadic, meaning: Meaning::Body(body), is_disabled: false };
        if let Some(old) = self.macro_of(name)
            && !is_predefined
            && !is_same(&self.definitions[old], &definition)
        {
            let text = self.tokens.symbols.text(name);
            let message = format!("macro {text} is defined anew, and differently");
            self.report(cursor, Diagnostic::warning(Code::CMacro, span, message))
                .hint("the new definition counts from here; #undef it first if that is meant");
        }
        self.set_macro(definition);
    }

    /// `#undef`, after the word.
    pub fn undefine(&mut self, cursor: &mut Cursor<'_>) {
        let Some((name, _)) = self.macro_name(cursor) else { return };
        self.nothing_more(cursor, "#undef");
        if let Some(slot) = self.macros.get_mut(name.0 as usize) {
            *slot = 0;
        }
    }

    /// The name after `#define` and its kin.
    pub fn macro_name(&mut self, cursor: &mut Cursor<'_>) -> Option<(Symbol, Span)> {
        let raw = cursor.lexer.next_token(&mut self.tokens.symbols);
        let span = cursor.span_of(raw);
        match raw.kind {
            RawKind::Name(name) if name != self.known.defined => Some((name, span)),
            RawKind::Name(_) => {
                self.error(cursor, Code::CMacro, span, "'defined' cannot be the name of a macro");
                None
            }
            _ => {
                self.error(cursor, Code::CMacro, span, "the name of a macro is expected here");
                None
            }
        }
    }

    /// The tokens up to the end of the line.
    pub fn rest_of_line(&mut self, cursor: &mut Cursor<'_>) -> Vec<Piece> {
        let mut line = vec![];
        loop {
            let raw = cursor.lexer.next_token(&mut self.tokens.symbols);
            if raw.kind == RawKind::End {
                return line;
            }
            line.push(cursor.piece(raw));
        }
    }

    /// The parameters between parentheses, whether the last takes all that is left, and how many tokens
    /// they are.
    fn params(
        &mut self,
        line: &[Piece],
        cursor: &Cursor<'_>,
        span: Span,
    ) -> Option<(Vec<Symbol>, bool, usize)> {
        let mut names: Vec<Symbol> = vec![];
        let mut at = 1;
        if line.get(1).is_some_and(|piece| is_punct(piece, Punct::RParen)) {
            return Some((names, false, 2));
        }
        loop {
            let Some(piece) = line.get(at) else {
                let message = "the parameters of this macro have no closing parenthesis";
                self.error(cursor, Code::CMacro, span, message);
                return None;
            };
            let mut is_rest = false;
            match piece.kind {
                RawKind::Name(name) => {
                    if names.contains(&name) {
                        let text = self.tokens.symbols.text(name);
                        let message = format!("the macro has two parameters named {text}");
                        self.error(cursor, Code::CMacro, piece.span, message);
                        return None;
                    }
                    names.push(name);
                    if line.get(at + 1).is_some_and(|next| is_punct(next, Punct::Ellipsis)) {
                        is_rest = true;
                        at += 1;
                    }
                }
                RawKind::Punct(Punct::Ellipsis) => {
                    names.push(self.known.va_args);
                    is_rest = true;
                }
                _ => {
                    let message = "a parameter's name is expected here";
                    self.error(cursor, Code::CMacro, piece.span, message);
                    return None;
                }
            }
            let end = line.get(at + 1);
            if end.is_some_and(|next| is_punct(next, Punct::RParen)) {
                return Some((names, is_rest, at + 2));
            }
            if is_rest || !end.is_some_and(|next| is_punct(next, Punct::Comma)) {
                let message = "',' or ')' is expected after a macro's parameter";
                self.error(cursor, Code::CMacro, end.unwrap_or(piece).span, message);
                return None;
            }
            at += 2;
        }
    }

    fn body(
        &mut self,
        line: &[Piece],
        params: Option<&[Symbol]>,
        is_variadic: bool,
        cursor: &Cursor<'_>,
    ) -> Option<Vec<Part>> {
        let mut parts: Vec<Part> = vec![];
        let mut is_pasted = false;
        let mut at = 0;
        let find = |kind: RawKind| match kind {
            RawKind::Name(name) => params?.iter().position(|&param| param == name),
            _ => None,
        };
        while let Some(piece) = line.get(at) {
            let mut kind = find(piece.kind).map_or(PartKind::Token(piece.kind), PartKind::Param);
            match piece.kind {
                RawKind::Punct(Punct::HashHash) => {
                    if parts.is_empty() || at + 1 == line.len() {
                        let message = "## cannot stand at the beginning or end of a macro";
                        self.error(cursor, Code::CMacro, piece.span, message);
                        return None;
                    }
                    is_pasted = true;
                    at += 1;
                    continue;
                }
                RawKind::Punct(Punct::Hash) if params.is_some() => {
                    let Some(param) = line.get(at + 1).and_then(|next| find(next.kind)) else {
                        let message = "# must stand before a parameter of the macro";
                        self.error(cursor, Code::CMacro, piece.span, message);
                        return None;
                    };
                    kind = PartKind::Spelled(param);
                    at += 1;
                }
                RawKind::Name(name) if name == self.known.va_opt && is_variadic => {
                    let message = "__VA_OPT__ is not treated";
                    self.error(cursor, Code::CMacro, piece.span, message)
                        .hint("preprocess the file with cc -E");
                    return None;
                }
                _ => {}
            }
            parts.push(Part { kind, is_spaced: piece.is_spaced, is_pasted });
            is_pasted = false;
            at += 1;
        }
        if let Some(first) = parts.first_mut() {
            first.is_spaced = false;
        }
        Some(parts)
    }
}

/// Whether a piece is a certain punctuator.
pub fn is_punct(piece: &Piece, punct: Punct) -> bool {
    piece.kind == RawKind::Punct(punct)
}

/// Whether a macro may be defined again so (C11 6.10.3).
fn is_same(old: &Macro, new: &Macro) -> bool {
    let same_body = match (&old.meaning, &new.meaning) {
        (Meaning::Body(old), Meaning::Body(new)) => old == new,
        _ => false,
    };
    same_body && old.params == new.params && old.is_variadic == new.is_variadic
}
