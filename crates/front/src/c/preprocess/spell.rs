//! The operators `#` and `##`: from tokens to their spelling and back.

use super::cursor::Cursor;
use super::{Piece, Preprocessor};
use crate::c::lex::{Lexer, RawKind};
use crate::c::token::Symbols;
use crate::diag::{Code, Span};

/// How a token is written.
pub fn text(kind: RawKind, symbols: &Symbols) -> &str {
    match kind {
        RawKind::Name(text)
        | RawKind::Number(text)
        | RawKind::Char(text)
        | RawKind::Text(text)
        | RawKind::Bad(text, _) => symbols.text(text),
        RawKind::Punct(punct) => punct.text(),
        RawKind::End => "",
    }
}

impl Preprocessor<'_> {
    /// The string literal that `#` makes of an argument.
    pub fn spelled(&mut self, pieces: &[Piece], span: Span) -> RawKind {
        let mut out = String::from("\"");
        for (at, piece) in pieces.iter().enumerate() {
            if at > 0 && piece.is_spaced {
                out.push(' ');
            }
            let written = text(piece.kind, &self.tokens.symbols);
            let is_literal = matches!(piece.kind, RawKind::Char(_) | RawKind::Text(_));
            for letter in written.chars() {
                if is_literal && matches!(letter, '"' | '\\') {
                    out.push('\\');
                }
                out.push(letter);
            }
        }
        out.push('"');
        self.spend(out.len() / 8, span);
        RawKind::Text(self.tokens.symbols.intern(&out))
    }

    /// The token that `##` makes of two; both if they make none.
    pub fn paste(
        &mut self,
        left: Piece,
        right: Piece,
        span: Span,
        cursor: &Cursor<'_>,
        out: &mut Vec<Piece>,
    ) {
        let symbols = &self.tokens.symbols;
        let joined = format!("{}{}", text(left.kind, symbols), text(right.kind, symbols));
        self.spend(joined.len() / 8, span);
        let mut lexer = Lexer::new(joined.as_bytes());
        lexer.stays_in_line = true;
        let raw = lexer.next_token(&mut self.tokens.symbols);
        let is_one = raw.start == 0 && raw.end as usize == joined.len();
        if is_one && !matches!(raw.kind, RawKind::Bad(..) | RawKind::End) {
            out.push(Piece { kind: raw.kind, span, is_painted: false, ..left });
            return;
        }
        let symbols = &self.tokens.symbols;
        let (first, second) = (text(left.kind, symbols), text(right.kind, symbols));
        let message = format!("## joins '{first}' and '{second}' to no token of C");
        self.error(cursor, Code::CMacro, span, message);
        out.extend([left, right]);
    }
}
