//! Literals and constants: what a single token stands for as a term.

use super::TermParser;
use crate::diag::{Code, Diagnostic};
use crate::smtlib::Fallible;
use crate::smtlib::cursor::shorten;
use crate::smtlib::lex::{Kind, Token};
use crate::smtlib::operators::Place;
use crate::smtlib::scope::Meaning;
use alphorn_term::{Bv, Int, MAX_WIDTH, Rat, TermId};

impl TermParser<'_, '_, '_> {
    pub(super) fn literal(&mut self, token: Token) -> Fallible<TermId> {
        let bytes = self.cursor.bytes_of(token);
        let store = &mut self.context.store;
        let too_wide = || {
            let message = format!("the word has more than {MAX_WIDTH} bits");
            Box::new(Diagnostic::unsupported(Code::SmtSort, token.span(), message))
        };
        let bad = || {
            let message = "the number cannot be read";
            Box::new(Diagnostic::error(Code::SmtLex, token.span(), message))
        };
        match token.kind {
            Kind::Numeral if bytes.len() <= 18 => {
                let value = bytes.iter().fold(0i64, |n, digit| 10 * n + i64::from(digit - b'0'));
                Ok(store.int(value))
            }
            Kind::Numeral => Ok(store.int(Int::parse_decimal(bytes).ok_or_else(bad)?)),
            Kind::Decimal => Ok(store.real(Rat::parse_decimal(bytes).ok_or_else(bad)?)),
            _ => {
                let bits = if token.kind == Kind::Hex { 4 } else { 1 };
                if (bytes.len() - 2) * bits > MAX_WIDTH as usize {
                    return Err(too_wide());
                }
                let digits = &bytes[2..];
                let value = match token.kind {
                    Kind::Hex => Bv::parse_hex(digits),
                    _ => Bv::parse_binary(digits),
                };
                Ok(store.bv(value.ok_or_else(bad)?))
            }
        }
    }

    /// A symbol that stands alone.
    pub(in crate::smtlib) fn constant(&mut self, token: Token) -> Fallible<TermId> {
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        match self.context.scope.meaning(name) {
            Meaning::Value(term)
                if self.context.scope.is_captured(&self.context.store, name, term) =>
            {
                let name = shorten(self.cursor.text_of(token));
                let message = format!("a quantifier here binds a variable of `{name}`");
                let diagnostic = Diagnostic::error(Code::SmtSyntax, token.span(), message);
                Err(Box::new(diagnostic.hint("give the bound variable another name")))
            }
            Meaning::Value(term) => Ok(term),
            Meaning::Func(func) => self.apply_func(func, &mut [], &[], token.span(), token),
            Meaning::Data => {
                let text = self.cursor.text_of(token);
                let place = Place { name: text, spans: &[], whole: token.span() };
                self.context.apply_data(name, &mut [], &place)
            }
            Meaning::Macro(_) | Meaning::Operator(_) => {
                let name = shorten(self.cursor.text_of(token));
                let message = format!("`{name}` needs arguments");
                Err(Box::new(Diagnostic::error(Code::SmtSort, token.span(), message)))
            }
            Meaning::Undeclared => Err(self.context.undeclared(self.cursor, token)),
        }
    }
}
