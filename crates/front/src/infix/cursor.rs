//! A place in a text of tokens.

use super::Fallible;
use super::lex::{Kind, Lexis, Token, token};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;

/// The longest piece of the text that a message shows.
const MAX_SHOWN: usize = 40;

/// A reader of tokens that looks one token ahead.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    bytes: &'t [u8],
    lexis: &'static Lexis,
    code: Code,
    ahead: Token,
    last_end: u32,
}

impl<'t> Cursor<'t> {
    /// A cursor at offset `at`; what it refuses has the code.
    pub fn new(bytes: &'t [u8], at: usize, lexis: &'static Lexis, code: Code) -> Cursor<'t> {
        let ahead = token(lexis, bytes, at);
        Cursor { bytes, lexis, code, ahead, last_end: at as u32 }
    }

    /// A cursor at another place of the text.
    pub fn at(&self, offset: u32) -> Cursor<'t> {
        Cursor::new(self.bytes, offset as usize, self.lexis, self.code)
    }

    /// The token ahead.
    pub fn peek(&self) -> Token {
        self.ahead
    }

    /// The token after the one ahead.
    pub fn peek_second(&self) -> Token {
        token(self.lexis, self.bytes, self.ahead.span.end as usize)
    }

    /// Takes the token ahead.
    pub fn take(&mut self) -> Token {
        let taken = self.ahead;
        self.last_end = taken.span.end;
        self.ahead = token(self.lexis, self.bytes, taken.span.end as usize);
        taken
    }

    /// The text at a place.
    pub fn text(&self, span: Span) -> &'t str {
        str::from_utf8(&self.bytes[span.start as usize..span.end as usize]).unwrap_or("?")
    }

    /// Whether the token ahead is this symbol or word.
    pub fn is(&self, word: &str) -> bool {
        match self.ahead.kind {
            Kind::Symbol(symbol) => symbol == word,
            Kind::Name => self.text(self.ahead.span) == word,
            _ => false,
        }
    }

    /// Takes the token ahead if it is this symbol or word.
    pub fn eat(&mut self, word: &str) -> Option<Token> {
        self.is(word).then(|| self.take())
    }

    /// Takes this symbol or word.
    pub fn expect(&mut self, word: &str) -> Fallible<Token> {
        match self.eat(word) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    /// Takes a name.
    pub fn name(&mut self, wanted: &str) -> Fallible<(&'t str, Span)> {
        if self.ahead.kind != Kind::Name {
            return Err(self.unexpected(wanted));
        }
        let span = self.take().span;
        Ok((self.text(span), span))
    }

    /// Takes names between commas, at least one.
    pub fn names(&mut self, wanted: &str) -> Fallible<Vec<(&'t str, Span)>> {
        let mut names = vec![self.name(wanted)?];
        while self.eat(",").is_some() {
            names.push(self.name(wanted)?);
        }
        Ok(names)
    }

    /// The code of what is refused.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Whether all is read.
    pub fn is_at_end(&self) -> bool {
        self.ahead.kind == Kind::End
    }

    /// The place from `start` to the end of the last token taken.
    pub fn span_from(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last_end.max(start.start) }
    }

    /// What to say when the token ahead is not what was wanted.
    pub fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        let span = self.ahead.span;
        let message = match self.ahead.kind {
            Kind::Bad(why) => why.to_owned(),
            Kind::End => format!("{wanted} expected, but the text ends here"),
            _ => format!("{wanted} expected, but found `{}`", shorten(self.text(span))),
        };
        Box::new(Diagnostic::error(self.code, span, message))
    }

    /// Skips what cannot be understood: goes on behind the first of `ends`, or before the first of
    /// `stops`; over at least one token.
    pub fn recover(&mut self, ends: &[&str], stops: &[&str]) {
        loop {
            let is_end = ends.iter().any(|end| self.is(end)) || self.is_at_end();
            self.take();
            if is_end || stops.iter().any(|stop| self.is(stop)) {
                return;
            }
        }
    }
}

/// The start of a piece of text that may be long.
pub(super) fn shorten(text: &str) -> String {
    if text.chars().count() <= MAX_SHOWN {
        return text.to_owned();
    }
    text.chars().take(MAX_SHOWN).chain(['…']).collect()
}
