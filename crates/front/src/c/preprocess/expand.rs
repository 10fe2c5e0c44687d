//! Replacing macros.
//!
//! A macro's replacement is a list of tokens on a stack; while it is read, the macro is disabled, and its
//! name in it is painted: never again a macro, wherever it goes. The list is left when it is used up, which
//! may happen while the arguments of its last name are looked for, as C11 6.10.3.4 leaves open and compilers
//! do. Arguments are replaced for themselves before they are put in, on a stack entry that is not left
//! (`is_barrier`).
//!
//! Source: C11 6.10.3.1 to 6.10.3.4; Prosser's algorithm in the form that gcc gives it ("cppinternals",
//! Macro Expansion).

use super::builtin::Builtin;
use super::cursor::Cursor;
use super::define::{Meaning, Part, PartKind, is_punct};
use super::{MAX_NESTING, Piece, Preprocessor};
use crate::c::lex::RawKind;
use crate::c::token::Punct;
use crate::diag::{Code, Span};

/// Tokens to be read before those of the file.
#[derive(Debug)]
pub struct Context {
    pieces: Vec<Piece>,
    at: usize,
    /// The macro whose replacement they are.
    owner: Option<usize>,
    /// Whether reading stops at their end.
    is_barrier: bool,
}

/// The arguments of one use of a macro: as written, and replaced once somebody asks for that.
struct Argument {
    written: Vec<Piece>,
    replaced: Option<Vec<Piece>>,
    /// Whether it is what a variadic macro takes beyond its other arguments, and there is nothing.
    is_left_out: bool,
}

const END: Piece =
    Piece { kind: RawKind::End, span: Span::NONE, is_spaced: false, is_painted: false };

impl Preprocessor<'_> {
    /// The next token, not yet looked at as a macro; directives on the way are carried out.
    pub fn take(&mut self, cursor: &mut Cursor<'_>) -> Piece {
        loop {
            if self.is_over {
                return END;
            }
            let Some(context) = self.contexts.last_mut() else {
                let raw = cursor.lexer.next_token(&mut self.tokens.symbols);
                if raw.is_first && raw.kind == RawKind::Punct(Punct::Hash) {
                    self.directive(cursor);
                    continue;
                }
                return cursor.piece(raw);
            };
            if let Some(&piece) = context.pieces.get(context.at) {
                context.at += 1;
                return piece;
            }
            if context.is_barrier {
                return END;
            }
            self.leave();
        }
    }

    /// Leaves the topmost list of tokens.
    fn leave(&mut self) {
        if let Some(Context { owner: Some(owner), .. }) = self.contexts.pop() {
            self.definitions[owner].is_disabled = false;
        }
    }

    /// The next token that is no macro.
    pub fn next_expanded(&mut self, cursor: &mut Cursor<'_>) -> Piece {
        loop {
            let mut piece = self.take(cursor);
            if self.is_disabled(piece) {
                piece.is_painted = true;
                return piece;
            }
            if !self.enter_if_macro(piece, cursor) {
                return piece;
            }
        }
    }

    /// Whether a piece names a macro that is being replaced.
    fn is_disabled(&self, piece: Piece) -> bool {
        let RawKind::Name(name) = piece.kind else { return false };
        self.macro_of(name).is_some_and(|index| self.definitions[index].is_disabled)
    }

    /// Begins to read the replacement of a macro; false if this is no use of one.
    pub fn enter_if_macro(&mut self, piece: Piece, cursor: &mut Cursor<'_>) -> bool {
        let RawKind::Name(name) = piece.kind else { return false };
        let Some(index) = self.macro_of(name) else { return false };
        if piece.is_painted || self.definitions[index].is_disabled {
            return false;
        }
        if let Meaning::Builtin(builtin) = self.definitions[index].meaning {
            return self.enter_builtin(builtin, piece, cursor);
        }
        let mut span = piece.span;
        let mut arguments = vec![];
        if self.definitions[index].params.is_some() {
            if !self.is_called(cursor) {
                return false;
            }
            let Some((written, end)) = self.arguments(index, piece, cursor) else { return true };
            arguments = written;
            span = span.to(end);
        }
        let mut pieces = self.substitute(index, &mut arguments, span, cursor);
        if let Some(first) = pieces.first_mut() {
            first.is_spaced = piece.is_spaced;
        }
        if self.is_over {
            return true;
        }
        self.spend(pieces.len() + 1, span);
        self.definitions[index].is_disabled = true;
        self.contexts.push(Context { pieces, at: 0, owner: Some(index), is_barrier: false });
        true
    }

    /// Puts tokens before those to come.
    fn put_back(&mut self, pieces: Vec<Piece>) {
        self.contexts.push(Context { pieces, at: 0, owner: None, is_barrier: false });
    }

    /// Whether the next token is `(`, which is read then.
    pub fn is_called(&mut self, cursor: &mut Cursor<'_>) -> bool {
        while let Some(context) = self.contexts.last_mut() {
            match context.pieces.get(context.at) {
                Some(next) => {
                    let is_open = is_punct(next, Punct::LParen);
                    context.at += usize::from(is_open);
                    return is_open;
                }
                None if context.is_barrier => return false,
                None => self.leave(),
            }
        }
        let raw = cursor.lexer.next_token(&mut self.tokens.symbols);
        let is_open = raw.kind == RawKind::Punct(Punct::LParen);
        if !is_open && raw.kind != RawKind::End {
            cursor.lexer.go_back(raw);
        }
        is_open
    }

    /// The arguments of a macro after its `(`, and where its `)` stands.
    fn arguments(
        &mut self,
        index: usize,
        name: Piece,
        cursor: &mut Cursor<'_>,
    ) -> Option<(Vec<Argument>, Span)> {
        let params = self.definitions[index].params.as_ref().map_or(0, Vec::len);
        let is_variadic = self.definitions[index].is_variadic;
        let mut all = vec![vec![]];
        let mut depth = 0;
        self.arguments += 1;
        let end = loop {
            let mut piece = self.take(cursor);
            match piece.kind {
                RawKind::End => break None,
                RawKind::Punct(Punct::LParen) => depth += 1,
                RawKind::Punct(Punct::RParen) if depth == 0 => break Some(piece.span),
                RawKind::Punct(Punct::RParen) => depth -= 1,
                RawKind::Punct(Punct::Comma)
                    if depth == 0 && !(is_variadic && all.len() == params) =>
                {
                    all.push(vec![]);
                    continue;
                }
                _ => {}
            }
            self.spend(1, piece.span);
            piece.is_painted |= self.is_disabled(piece);
            all.last_mut().expect("one argument at least").push(piece);
        };
        self.arguments -= 1;
        let text = self.tokens.symbols.text(self.definitions[index].name);
        let Some(end) = end else {
            let message = format!("the arguments of macro {text} have no closing parenthesis");
            self.error(cursor, Code::CMacro, name.span, message);
            return None;
        };
        if params == 0 && all.len() == 1 && all[0].is_empty() {
            all.clear();
        }
        let is_left_out = is_variadic
            && (all.len() + 1 == params || (all.len() == 1 && params == 1 && all[0].is_empty()));
        if is_left_out && all.len() < params {
            all.push(vec![]);
        }
        if all.len() != params {
            let given = all.len();
            let message = format!("macro {text} takes {params} arguments; here are {given}");
            self.error(cursor, Code::CMacro, name.span.to(end), message);
            return None;
        }
        let argument = |written| Argument { written, replaced: None, is_left_out: false };
        let mut arguments: Vec<Argument> = all.into_iter().map(argument).collect();
        if let Some(last) = arguments.last_mut() {
            last.is_left_out = is_left_out;
        }
        Some((arguments, end))
    }

    /// The body of a macro with its arguments put in; what comes from the body stands at `span`.
    fn substitute(
        &mut self,
        index: usize,
        arguments: &mut [Argument],
        span: Span,
        cursor: &mut Cursor<'_>,
    ) -> Vec<Piece> {
        let is_variadic = self.definitions[index].is_variadic;
        let count = self.body_of(index).len();
        let mut out: Vec<Piece> = vec![];
        // Where the tokens begin that the parts joined by `##` up to here have made.
        let mut group = 0;
        for at in 0..count {
            if self.is_over {
                return vec![];
            }
            let part = self.body_of(index)[at];
            let is_joined =
                part.is_pasted || self.body_of(index).get(at + 1).is_some_and(|p| p.is_pasted);
            if !part.is_pasted {
                group = out.len();
            }
            let is_rest =
                is_variadic && part.kind == PartKind::Param(arguments.len().wrapping_sub(1));
            if is_rest
                && part.is_pasted
                && out[group..].last().is_some_and(|last| is_punct(last, Punct::Comma))
            {
                // As gcc has it, `, ## __VA_ARGS__` loses the comma if the arguments are left out, but
                // not if they are there and empty.
                let last = arguments.last().expect("there is a parameter");
                if last.is_left_out {
                    out.pop();
                }
                out.extend_from_slice(&last.written);
                self.spend(last.written.len(), span);
                continue;
            }
            let mut pieces = match part.kind {
                PartKind::Token(kind) => {
                    vec![Piece { kind, span, is_spaced: part.is_spaced, is_painted: false }]
                }
                PartKind::Spelled(param) => {
                    let kind = self.spelled(&arguments[param].written, span);
                    vec![Piece { kind, span, is_spaced: part.is_spaced, is_painted: false }]
                }
                PartKind::Param(param) if is_joined => arguments[param].written.clone(),
                PartKind::Param(_) => self.replaced(arguments, at, index, cursor),
            };
            self.spend(pieces.len(), span);
            if let (PartKind::Param(_), Some(first)) = (part.kind, pieces.first_mut()) {
                first.is_spaced = part.is_spaced;
            }
            if part.is_pasted && out.len() > group && !pieces.is_empty() {
                let left = out.pop().expect("the group has tokens");
                let right = pieces.remove(0);
                self.paste(left, right, span, cursor, &mut out);
            }
            out.append(&mut pieces);
        }
        out
    }

    fn body_of(&self, index: usize) -> &[Part] {
        match &self.definitions[index].meaning {
            Meaning::Body(body) => body,
            Meaning::Builtin(_) => &[],
        }
    }

    /// The argument that part `at` of a body names, with macros in it replaced.
    fn replaced(
        &mut self,
        arguments: &mut [Argument],
        at: usize,
        index: usize,
        cursor: &mut Cursor<'_>,
    ) -> Vec<Piece> {
        let PartKind::Param(param) = self.body_of(index)[at].kind else { return vec![] };
        if let Some(replaced) = &arguments[param].replaced {
            return replaced.clone();
        }
        let written = std::mem::take(&mut arguments[param].written);
        let has_macro = written.iter().any(|piece| match piece.kind {
            RawKind::Name(name) => self.macro_of(name).is_some(),
            _ => false,
        });
        let replaced = if has_macro { self.expand_all(&written, cursor) } else { written.clone() };
        arguments[param].written = written;
        arguments[param].replaced = Some(replaced.clone());
        replaced
    }

    /// Tokens with all macros in them replaced, as if nothing followed.
    pub fn expand_all(&mut self, pieces: &[Piece], cursor: &mut Cursor<'_>) -> Vec<Piece> {
        self.within_barrier(pieces, cursor, |pre, cursor| {
            let piece = pre.next_expanded(cursor);
            (piece.kind != RawKind::End).then_some(piece)
        })
    }

    /// What `next` makes of some tokens until it has no more.
    pub fn within_barrier<'t>(
        &mut self,
        pieces: &[Piece],
        cursor: &mut Cursor<'t>,
        mut next: impl FnMut(&mut Self, &mut Cursor<'t>) -> Option<Piece>,
    ) -> Vec<Piece> {
        let Some(first) = pieces.first() else { return vec![] };
        let span = first.span;
        if self.nesting == MAX_NESTING {
            self.give_up(Code::CExpansion, span, "macros are nested too deeply here");
            return vec![];
        }
        self.nesting += 1;
        let pieces = pieces.to_vec();
        self.contexts.push(Context { pieces, at: 0, owner: None, is_barrier: true });
        let mut out = vec![];
        while let Some(piece) = next(self, cursor) {
            self.spend(1, span);
            out.push(piece);
        }
        self.contexts.pop();
        self.nesting -= 1;
        out
    }

    /// A macro that the preprocessor makes itself; false if this is no use of one.
    fn enter_builtin(&mut self, builtin: Builtin, piece: Piece, cursor: &mut Cursor<'_>) -> bool {
        if builtin == Builtin::Pragma {
            return self.pragma_operator(piece, cursor);
        }
        let Some(kind) = self.builtin(builtin, piece.span, cursor) else { return false };
        self.spend(1, piece.span);
        self.put_back(vec![Piece { kind, is_painted: false, ..piece }]);
        true
    }
}
