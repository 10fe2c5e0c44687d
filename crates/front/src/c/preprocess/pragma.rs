//! `#pragma` and `_Pragma`.
//!
//! Those that change what the program means are carried out (`pack`, `once`, `push_macro`, `pop_macro`) or
//! refused (`scalar_storage_order`, `redefine_extname`); all others speak to compilers about warnings, code
//! or linking and have no effect.
//!
//! Source: the GNU C manual, "Pragmas Accepted by GCC".

use super::cursor::Cursor;
use super::define::is_punct;
use super::spell;
use super::{Piece, Preprocessor, Source};
use crate::c::lex::RawKind;
use crate::c::token::Punct;
use crate::diag::{Code, Diagnostic, Span};

impl Preprocessor<'_> {
    /// `#pragma`, after the word.
    pub fn pragma(&mut self, cursor: &mut Cursor<'_>) {
        let line = self.rest_of_line(cursor);
        let Some(first) = line.first() else { return };
        let span = first.span.to(line[line.len() - 1].span);
        let word = spell::text(first.kind, &self.tokens.symbols).to_owned();
        match word.as_str() {
            "pack" => self.pragma_pack(&line[1..], span, cursor),
            "once" => _ = self.once.insert(cursor.name().to_owned()),
            "push_macro" | "pop_macro" => {
                self.pragma_macro(word == "push_macro", &line, span, cursor)
            }
            "scalar_storage_order" | "redefine_extname" => {
                let message = format!("#pragma {word} is not treated");
                self.report(cursor, Diagnostic::unsupported(Code::CDirective, span, message));
            }
            _ => {}
        }
    }

    /// `pack(n)`, `pack()`, `pack(push)`, `pack(push, n)`, `pack(pop)`; a name beside them is allowed.
    fn pragma_pack(&mut self, args: &[Piece], span: Span, cursor: &Cursor<'_>) {
        let current = self.tokens.packings.last().and_then(|packing| packing.align);
        let mut align = None;
        let mut words = vec![];
        let mut is_fine = args.len() >= 2
            && is_punct(&args[0], Punct::LParen)
            && is_punct(&args[args.len() - 1], Punct::RParen);
        for piece in args {
            match piece.kind {
                RawKind::Number(text) => {
                    let number = self.tokens.symbols.text(text).parse::<u32>().ok();
                    align = number.filter(|n| matches!(n, 1 | 2 | 4 | 8 | 16));
                    is_fine &= align.is_some();
                }
                RawKind::Name(name) => words.push(self.tokens.symbols.text(name)),
                RawKind::Punct(Punct::LParen | Punct::RParen | Punct::Comma) => {}
                _ => is_fine = false,
            }
        }
        match words.first().copied() {
            _ if !is_fine => {}
            Some("push") => {
                self.packing.push(current);
                return self.pack(align.or(current));
            }
            Some("pop") => {
                if let Some(old) = self.packing.pop() {
                    self.pack(align.or(old));
                } else {
                    let message = "there is no #pragma pack(push) for this";
                    self.report(cursor, Diagnostic::warning(Code::CDirective, span, message));
                }
                return;
            }
            None => return self.pack(align),
            Some(_) => {}
        }
        self.error(cursor, Code::CDirective, span, "this form of #pragma pack is not known")
            .hint("pack(n) with n in 1, 2, 4, 8, 16; pack(push, n); pack(pop)");
    }

    /// `push_macro("name")` and `pop_macro("name")`.
    fn pragma_macro(&mut self, is_push: bool, line: &[Piece], span: Span, cursor: &Cursor<'_>) {
        let name = match line.get(2).map(|piece| piece.kind) {
            Some(RawKind::Text(text)) => {
                let name = self.tokens.symbols.text(text).trim_matches('"').to_owned();
                self.tokens.symbols.intern(&name)
            }
            _ => {
                let message = "the name of a macro in parentheses and quotes is expected";
                self.error(cursor, Code::CDirective, span, message);
                return;
            }
        };
        let index = name.0 as usize;
        if self.macros.len() <= index {
            self.macros.resize(index + 1, 0);
        }
        if is_push {
            self.pushed.push((name, self.macros[index]));
        } else if let Some(at) = self.pushed.iter().rposition(|&(pushed, _)| pushed == name) {
            self.macros[index] = self.pushed.remove(at).1;
        }
    }

    /// `_Pragma("…")`, after the name; false if no string in parentheses follows.
    pub fn pragma_operator(&mut self, piece: Piece, cursor: &mut Cursor<'_>) -> bool {
        let is_open = self.is_called(cursor);
        let text = if is_open { self.next_expanded(cursor).kind } else { RawKind::End };
        let RawKind::Text(text) = text else {
            let message = "_Pragma must be followed by a string in parentheses";
            self.error(cursor, Code::CDirective, piece.span, message);
            return true;
        };
        if !is_punct(&self.next_expanded(cursor), Punct::RParen) {
            let message = "the closing parenthesis of _Pragma is missing";
            self.error(cursor, Code::CDirective, piece.span, message);
            return true;
        }
        let text = self.tokens.symbols.text(text);
        let text = text.trim_start_matches('L').trim_matches('"');
        let text = text.replace("\\\"", "\"").replace("\\\\", "\\").replace('\n', " ");
        self.spend(text.len() / 8 + 1, piece.span);
        let source = Source::new(text.as_bytes());
        let mut inner = Cursor::new(&source, cursor.name(), Some(piece.span));
        inner.lexer.stays_in_line = true;
        self.pragma(&mut inner);
        true
    }
}
