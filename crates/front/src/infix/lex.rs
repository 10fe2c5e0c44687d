//! Tokens of infix languages.
//!
//! A language says which comments it has, which bytes names are made of and which symbols there are; the
//! longest symbol that fits is taken.

use alphorn_problem::Span;

/// The words of a language.
#[derive(Debug)]
pub(crate) struct Lexis {
    /// What begins a comment that ends with its line.
    pub line_comments: &'static [&'static str],
    /// Whether `/* … */` is a comment.
    pub has_block_comments: bool,
    /// Whether `1.5` is one number.
    pub has_decimals: bool,
    /// Whether `5bv8` is one word.
    pub has_words: bool,
    /// Whether a backslash keeps the character after it in a text between quotes.
    pub has_escapes: bool,
    /// Whether a name may begin with this byte.
    pub begins_name: fn(u8) -> bool,
    /// Whether a name may go on with this byte.
    pub continues_name: fn(u8) -> bool,
    /// The symbols, longer ones before their beginnings.
    pub symbols: &'static [&'static str],
}

impl Lexis {
    /// Numbers, names of letters, digits and underscores, comments behind `#`, and no symbols.
    pub const PLAIN: Lexis = Lexis {
        line_comments: &["#"],
        has_block_comments: false,
        has_decimals: false,
        has_words: false,
        has_escapes: false,
        begins_name: |byte| byte.is_ascii_alphabetic() || byte == b'_',
        continues_name: |byte| byte.is_ascii_alphanumeric() || byte == b'_',
        symbols: &[],
    };
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Name,
    /// Digits.
    Number,
    /// Digits, a point, digits.
    Decimal,
    /// Digits, `bv`, digits.
    Word,
    /// A text between double quotes.
    Text,
    /// One of the symbols.
    Symbol(&'static str),
    /// The end of the text.
    End,
    /// No token, and why not.
    Bad(&'static str),
}

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// The token at or after `from`, behind blanks and comments.
pub(super) fn token(lexis: &Lexis, bytes: &[u8], from: usize) -> Token {
    let start = match skip(lexis, bytes, from) {
        Ok(start) => start,
        Err(at) => {
            let span = Span::new(at, at + 2);
            return Token { kind: Kind::Bad("this comment does not end"), span };
        }
    };
    let Some(&first) = bytes.get(start) else {
        return Token { kind: Kind::End, span: Span::new(bytes.len(), bytes.len()) };
    };
    let rest = &bytes[start..];
    let (kind, length) = if (lexis.begins_name)(first) {
        (Kind::Name, run(rest, lexis.continues_name))
    } else if first.is_ascii_digit() {
        number(lexis, rest)
    } else if first == b'"' {
        text(lexis, rest)
    } else if let Some(symbol) = lexis.symbols.iter().find(|s| rest.starts_with(s.as_bytes())) {
        (Kind::Symbol(symbol), symbol.len())
    } else {
        // All of a character that has several bytes.
        let length = 1 + run(&rest[1..], |byte| byte & 0xc0 == 0x80);
        (Kind::Bad("this character has no meaning here"), length)
    };
    Token { kind, span: Span::new(start, start + length) }
}

/// Where the next token begins; where a comment that does not end does.
fn skip(lexis: &Lexis, bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    loop {
        at += run(&bytes[at..], |byte| byte.is_ascii_whitespace() || byte == 0x0b);
        let rest = &bytes[at..];
        if lexis.line_comments.iter().any(|begin| rest.starts_with(begin.as_bytes())) {
            at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        } else if lexis.has_block_comments && rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|pair| pair == b"*/").ok_or(at)?;
            at += end + 4;
        } else {
            return Ok(at);
        }
    }
}

fn number(lexis: &Lexis, rest: &[u8]) -> (Kind, usize) {
    let whole = run(rest, |byte| byte.is_ascii_digit());
    let is_point = rest.get(whole) == Some(&b'.');
    if lexis.has_decimals && is_point && rest.get(whole + 1).is_some_and(u8::is_ascii_digit) {
        let fraction = run(&rest[whole + 1..], |byte| byte.is_ascii_digit());
        return (Kind::Decimal, whole + 1 + fraction);
    }
    if lexis.has_words && rest[whole..].starts_with(b"bv") {
        let width = run(&rest[whole + 2..], |byte| byte.is_ascii_digit());
        if width > 0 {
            return (Kind::Word, whole + 2 + width);
        }
    }
    (Kind::Number, whole)
}

fn text(lexis: &Lexis, rest: &[u8]) -> (Kind, usize) {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'"' => return (Kind::Text, at + 1),
            b'\n' => break,
            b'\\' if lexis.has_escapes => at += 2,
            _ => at += 1,
        }
    }
    (Kind::Bad("this text does not end on its line"), at.min(rest.len()))
}

fn run(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !is_part(byte)).unwrap_or(bytes.len())
}
