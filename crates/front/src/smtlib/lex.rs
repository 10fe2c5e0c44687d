//! Tokens of SMT-LIB 2.7.
//!
//! One table maps each byte to its class, and a token is a kind and two offsets: nothing is
//! copied. Malformed pieces of text are tokens too (`Kind::Bad`), so the lexer never stops before
//! the end and the parser decides what to say. Two liberties: numerals may have leading zeros, and
//! symbols between bars may hold any UTF-8 text.

use alphorn_problem::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// Digits.
    Numeral,
    /// Digits, a point, digits.
    Decimal,
    /// `#x…`
    Hex,
    /// `#b…`
    Binary,
    /// `"…"`, where `""` stands for one quote.
    String,
    /// A symbol without bars; reserved words included.
    Symbol,
    /// `|…|`
    Quoted,
    /// `:…`
    Keyword,
    /// Something malformed, and what.
    Bad(Malformed),
    /// The end of the text.
    End,
}

/// Ways to be malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A byte no token starts with.
    Byte,
    /// A number that goes over into letters, or ends in a point.
    Number,
    /// `#` without hexadecimal or binary digits.
    Literal,
    /// A string without its closing quote.
    String,
    /// A symbol without its closing bar.
    Quoted,
    /// A symbol with a backslash, or that is not UTF-8.
    Symbol,
    /// A colon without a name.
    Keyword,
}

impl Malformed {
    /// The matter in one sentence.
    pub fn describe(self) -> &'static str {
        match self {
            Malformed::Byte => "this character starts no token",
            Malformed::Number => "this is not a number, and a symbol cannot start with a digit",
            Malformed::Literal => "hexadecimal digits after #x or binary digits after #b expected",
            Malformed::String => "the string is not closed",
            Malformed::Quoted => "the symbol is not closed by a bar",
            Malformed::Symbol => "a symbol between bars must be UTF-8 text without backslashes",
            Malformed::Keyword => "a name expected after the colon",
        }
    }
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset one past its last byte.
    pub end: u32,
}

impl Token {
    /// The token's place.
    pub fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

const BLANK: u8 = 1;
const DIGIT: u8 = 2;
/// A letter or mark of simple symbols, digits excluded.
const LETTER: u8 = 4;

const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let blanks = b" \t\r\n";
    let marks = b"~!@$%^&*_-+=<>.?/";
    let mut at = 0;
    while at < blanks.len() {
        table[blanks[at] as usize] = BLANK;
        at += 1;
    }
    at = 0;
    while at < marks.len() {
        table[marks[at] as usize] = LETTER;
        at += 1;
    }
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_alphabetic() {
            table[byte] = LETTER;
        } else if (byte as u8).is_ascii_digit() {
            table[byte] = DIGIT;
        }
        byte += 1;
    }
    table
}

/// Splits text into tokens.
#[derive(Clone, Copy, Debug)]
pub struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Lexer<'t> {
    /// A lexer at offset `at` of a text of less than 4 GiB.
    pub fn new(bytes: &'t [u8], at: usize) -> Lexer<'t> {
        Lexer { bytes, at }
    }

    fn class(&self) -> u8 {
        self.bytes.get(self.at).map_or(0, |&byte| CLASS[byte as usize])
    }

    fn skip_blanks(&mut self) {
        loop {
            while self.class() == BLANK {
                self.at += 1;
            }
            if self.bytes.get(self.at) != Some(&b';') {
                return;
            }
            while self.bytes.get(self.at).is_some_and(|&byte| byte != b'\n') {
                self.at += 1;
            }
        }
    }

    fn skip(&mut self, class: u8) {
        while self.class() & class != 0 {
            self.at += 1;
        }
    }

    /// The token at the current place; `Kind::End` for ever at the end.
    pub fn next_token(&mut self) -> Token {
        self.skip_blanks();
        let start = self.at;
        let kind = match self.bytes.get(start) {
            None => Kind::End,
            Some(b'(') => self.one(Kind::Open),
            Some(b')') => self.one(Kind::Close),
            Some(&byte) => match CLASS[byte as usize] {
                LETTER => {
                    self.skip(LETTER | DIGIT);
                    Kind::Symbol
                }
                DIGIT => self.number(),
                _ => self.marked(byte),
            },
        };
        Token { kind, start: start as u32, end: self.at as u32 }
    }

    fn one(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        kind
    }

    fn number(&mut self) -> Kind {
        self.skip(DIGIT);
        let mut kind = Kind::Numeral;
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            kind = if self.class() == DIGIT { Kind::Decimal } else { Kind::Bad(Malformed::Number) };
            self.skip(DIGIT);
        }
        if self.class() & (LETTER | DIGIT) != 0 {
            self.skip(LETTER | DIGIT);
            kind = Kind::Bad(Malformed::Number);
        }
        kind
    }

    fn marked(&mut self, byte: u8) -> Kind {
        self.at += 1;
        match byte {
            b'|' => self.quoted(),
            b':' => {
                let start = self.at;
                self.skip(LETTER | DIGIT);
                if self.at > start { Kind::Keyword } else { Kind::Bad(Malformed::Keyword) }
            }
            b'#' => self.literal(),
            b'"' => self.string(),
            _ => {
                // One complaint for a run of strange bytes: a binary file has many.
                while self.bytes.get(self.at).is_some_and(|&b| CLASS[b as usize] == 0 && b >= 128) {
                    self.at += 1;
                }
                Kind::Bad(Malformed::Byte)
            }
        }
    }

    fn quoted(&mut self) -> Kind {
        let start = self.at;
        let rest = &self.bytes[start..];
        let Some(length) = rest.iter().position(|&byte| byte == b'|') else {
            // The rest of the line only, so that later commands are still read.
            let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            self.at = start + line;
            return Kind::Bad(Malformed::Quoted);
        };
        self.at = start + length + 1;
        let name = &rest[..length];
        let is_text = !name.contains(&b'\\') && (name.is_ascii() || str::from_utf8(name).is_ok());
        if is_text { Kind::Quoted } else { Kind::Bad(Malformed::Symbol) }
    }

    fn literal(&mut self) -> Kind {
        let letter = self.bytes.get(self.at).copied();
        let start = self.at + 1;
        self.skip(LETTER | DIGIT);
        let digits = self.bytes.get(start..self.at).unwrap_or_default();
        match letter {
            Some(b'x') if !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit) => {
                Kind::Hex
            }
            Some(b'b') if !digits.is_empty() && digits.iter().all(|d| matches!(d, b'0' | b'1')) => {
                Kind::Binary
            }
            _ => Kind::Bad(Malformed::Literal),
        }
    }

    fn string(&mut self) -> Kind {
        loop {
            match self.bytes[self.at..].iter().position(|&byte| byte == b'"') {
                None => {
                    self.at = self.bytes.len();
                    return Kind::Bad(Malformed::String);
                }
                Some(length) => self.at += length + 1,
            }
            if self.bytes.get(self.at) != Some(&b'"') {
                return Kind::String;
            }
            self.at += 1;
        }
    }
}
