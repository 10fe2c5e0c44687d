//! A place in a text of s-expressions.
//!
//! The cursor looks one token ahead and counts open parentheses, so that a reader can leave a
//! command it does not understand at any point and find its end. Everything it refuses is a
//! diagnostic that says what was expected, and where.

use super::Fallible;
use super::lex::{Kind, Lexer, Token};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;

/// A reader of tokens with one token of lookahead.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    bytes: &'t [u8],
    lexer: Lexer<'t>,
    ahead: Token,
    depth: usize,
    /// Where the last token taken ends.
    last_end: u32,
}

impl<'t> Cursor<'t> {
    /// A cursor at the start of a text of less than 4 GiB.
    pub fn new(bytes: &'t [u8]) -> Cursor<'t> {
        Cursor::at(bytes, 0)
    }

    /// A cursor at offset `at`, outside all parentheses.
    pub fn at(bytes: &'t [u8], at: usize) -> Cursor<'t> {
        let mut lexer = Lexer::new(bytes, at);
        let ahead = lexer.next_token();
        Cursor { bytes, lexer, ahead, depth: 0, last_end: at as u32 }
    }

    /// The whole text.
    pub fn text(&self) -> &'t [u8] {
        self.bytes
    }

    /// How many parentheses are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The token ahead.
    #[inline]
    pub fn peek(&self) -> Token {
        self.ahead
    }

    /// Where the last token taken ends.
    pub fn last_end(&self) -> u32 {
        self.last_end
    }

    /// The span from `start` to the end of the last token taken.
    pub fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.last_end.max(start) }
    }

    /// Takes the token ahead.
    #[inline]
    pub fn take(&mut self) -> Token {
        let token = self.ahead;
        match token.kind {
            Kind::Open => self.depth += 1,
            Kind::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.last_end = token.end;
        self.ahead = self.lexer.next_token();
        token
    }

    /// The bytes of a token; of a symbol between bars, without the bars.
    #[inline]
    pub fn bytes_of(&self, token: Token) -> &'t [u8] {
        let (start, end) = (token.start as usize, token.end as usize);
        match token.kind {
            Kind::Quoted => &self.bytes[start + 1..end - 1],
            _ => &self.bytes[start..end],
        }
    }

    /// A symbol or other token as text.
    pub fn text_of(&self, token: Token) -> &'t str {
        str::from_utf8(self.bytes_of(token)).unwrap_or("?")
    }

    /// Whether the token ahead is the word `word`, without bars.
    pub fn is_word(&self, word: &str) -> bool {
        self.ahead.kind == Kind::Symbol && self.bytes_of(self.ahead) == word.as_bytes()
    }

    /// Whether a parenthesis and this word are ahead.
    pub fn opens(&self, word: &str) -> bool {
        let mut probe = Cursor::at(self.bytes, self.ahead.start as usize);
        probe.eat(Kind::Open).is_some() && probe.is_word(word)
    }

    /// Takes the token ahead if it is of this kind.
    pub fn eat(&mut self, kind: Kind) -> Option<Token> {
        (self.ahead.kind == kind).then(|| self.take())
    }

    /// Takes an opening parenthesis.
    pub fn open(&mut self, wanted: &str) -> Fallible<Token> {
        self.eat(Kind::Open).ok_or_else(|| self.unexpected(wanted))
    }

    /// Takes a closing parenthesis.
    pub fn close(&mut self, wanted: &str) -> Fallible<Token> {
        self.eat(Kind::Close).ok_or_else(|| self.unexpected(wanted))
    }

    /// Takes a symbol that is no reserved word.
    pub fn symbol(&mut self, wanted: &str) -> Fallible<Token> {
        match self.ahead.kind {
            Kind::Quoted => Ok(self.take()),
            Kind::Symbol if !is_reserved(self.bytes_of(self.ahead)) => Ok(self.take()),
            _ => Err(self.unexpected(wanted)),
        }
    }

    /// Takes a keyword.
    pub(crate) fn keyword(&mut self) -> Fallible<Token> {
        self.eat(Kind::Keyword).ok_or_else(|| self.unexpected("a keyword"))
    }

    /// Takes a numeral that fits 32 bits.
    pub fn small_numeral(&mut self, wanted: &str) -> Fallible<u32> {
        let Some(token) = self.eat(Kind::Numeral) else { return Err(self.unexpected(wanted)) };
        let value = self.text_of(token).parse();
        value.map_err(|_| {
            let message = "this number is larger than any width or position";
            Box::new(Diagnostic::error(Code::SmtSyntax, token.span(), message))
        })
    }

    /// Takes the number of levels of `push` and `pop`; one where none is given.
    pub(super) fn levels(&mut self) -> Fallible<usize> {
        match self.ahead.kind {
            Kind::Close => Ok(1),
            _ => self.small_numeral("a number of levels").map(|count| count as usize),
        }
    }

    /// What to say when the token ahead is not what was wanted.
    pub fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        let token = self.ahead;
        Box::new(match token.kind {
            Kind::Bad(malformed) => {
                Diagnostic::error(Code::SmtLex, token.span(), malformed.describe())
            }
            Kind::End => {
                let message = format!("{wanted} expected, but the text ends here");
                Diagnostic::error(Code::SmtParen, token.span(), message)
            }
            Kind::Close => {
                let message = format!("{wanted} expected, but a parenthesis closes here");
                Diagnostic::error(Code::SmtSyntax, token.span(), message)
            }
            _ => {
                let found = shorten(self.text_of(token));
                let message = format!("{wanted} expected, but found `{found}`");
                Diagnostic::error(Code::SmtSyntax, token.span(), message)
            }
        })
    }

    /// Skips one s-expression and says where it stands.
    pub fn skip_expression(&mut self, wanted: &str) -> Fallible<Span> {
        let outside = self.depth;
        let start = self.ahead.start;
        loop {
            match self.ahead.kind {
                Kind::Bad(_) | Kind::End => return Err(self.unexpected(wanted)),
                Kind::Close if self.depth == outside => return Err(self.unexpected(wanted)),
                _ => {}
            }
            self.take();
            if self.depth == outside {
                return Ok(self.span_from(start));
            }
        }
    }
}

/// The start of a piece of text that may be long.
pub(super) fn shorten(text: &str) -> String {
    const MAX_SHOWN: usize = 40;
    if text.chars().count() <= MAX_SHOWN {
        return text.to_owned();
    }
    text.chars().take(MAX_SHOWN).chain(['…']).collect()
}

/// Whether a word cannot be a symbol.
pub(super) fn is_reserved(word: &[u8]) -> bool {
    matches!(
        word,
        b"!" | b"_"
            | b"as"
            | b"BINARY"
            | b"DECIMAL"
            | b"exists"
            | b"HEXADECIMAL"
            | b"forall"
            | b"lambda"
            | b"let"
            | b"match"
            | b"NUMERAL"
            | b"par"
            | b"STRING"
    )
}
