//! Preprocessing tokens of C.
//!
//! One table maps each byte to its class, and a token is a kind and two offsets; its spelling is interned
//! where it matters. Malformed pieces are tokens too (`RawKind::Bad`): C allows an apostrophe in text that
//! is skipped, so whoever uses the token decides whether it is an error.
//!
//! Source: C11 6.4, with `$` in names, digraphs, and letters beyond ASCII.

use super::token::{Punct, Symbol, Symbols};
use std::borrow::Cow;

/// What a token is before preprocessing. Keywords are names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawKind {
    /// A name.
    Name(Symbol),
    /// A number of any form, wrong ones included.
    Number(Symbol),
    /// A character constant.
    Char(Symbol),
    /// A string literal.
    Text(Symbol),
    /// A punctuator.
    Punct(Punct),
    /// Something malformed, as it is spelled.
    Bad(Symbol, Malformed),
    /// The end of the file, or of the line for a lexer that stays in it.
    End,
}

/// Ways to be malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A character that no token starts with.
    Stray,
    /// A byte that is no text.
    Encoding,
    /// A character constant without its closing quote.
    Char,
    /// A string literal without its closing quote.
    Text,
}

/// A token with its place in the text without splices.
#[derive(Clone, Copy, Debug)]
pub struct Raw {
    /// What it is.
    pub kind: RawKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset one past its last byte.
    pub end: u32,
    /// Whether blanks or a comment stand before it.
    pub is_spaced: bool,
    /// Whether it is the first of its line.
    pub is_first: bool,
}

const BLANK: u8 = 1;
const LINE: u8 = 2;
const LETTER: u8 = 4;
const DIGIT: u8 = 8;
/// A byte of a character beyond ASCII, or a backslash, which may begin `\u00e4`.
const RARE: u8 = 16;

const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => BLANK,
            b'\n' => LINE,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'\\' | 0x80..=0xff => RARE,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// A comment that begins with `@`: its two ends.
pub type Remark = (u32, u32);

/// Splits text into tokens.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
    is_first: bool,
    /// Whether tokens are wanted to the end of the line only.
    pub stays_in_line: bool,
    /// Comments to verifiers that were passed outside directives.
    pub remarks: Vec<Remark>,
    /// Where a comment begins that does not end.
    pub unclosed: Option<usize>,
}

impl<'t> Lexer<'t> {
    /// A lexer at the beginning of a text of less than 4 GiB.
    pub fn new(bytes: &'t [u8]) -> Lexer<'t> {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lexer { bytes, at, is_first: true, stays_in_line: false, remarks: vec![], unclosed: None }
    }

    /// Where it is.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes back to where a token that was read begins.
    pub fn go_back(&mut self, token: Raw) {
        self.at = token.start as usize;
        self.is_first = token.is_first;
    }

    /// The text between two places.
    pub fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        &self.bytes[start..end]
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn class(&self) -> u8 {
        self.bytes.get(self.at).map_or(0, |&byte| CLASS[byte as usize])
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Passes blanks, comments and, unless it stays in its line, ends of lines. Whether there were any.
    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        loop {
            match self.class() {
                BLANK => self.at += 1,
                LINE if !self.stays_in_line => {
                    self.at += 1;
                    self.is_first = true;
                }
                _ if self.byte(0) == b'/' && matches!(self.byte(1), b'/' | b'*') => self.comment(),
                _ => return self.at > start,
            }
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start + 2..];
        let length = if self.byte(1) == b'/' {
            Some(rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()))
        } else {
            end_of_comment(rest)
        };
        if length.is_none() {
            self.unclosed.get_or_insert(start);
        }
        self.at = start + 2 + length.unwrap_or(rest.len());
        if rest.first() == Some(&b'@') && length.is_some() && !self.stays_in_line {
            self.remarks.push((start as u32, self.at as u32));
        }
    }

    /// Passes the rest of a line that is skipped, up to its end: comments and literals are seen as such.
    pub fn skip_line(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => return,
                b'"' | b'\'' => _ = self.close_literal(byte),
                b'/' if matches!(self.byte(1), b'/' | b'*') => {
                    let remarks = self.remarks.len();
                    self.comment();
                    self.remarks.truncate(remarks);
                }
                _ => self.at += 1,
            }
        }
    }

    /// Passes everything up to the first token of a line, which is read if it is `#`; false at the end.
    pub fn skip_to_directive(&mut self) -> bool {
        let remarks = self.remarks.len();
        loop {
            self.skip_blanks();
            self.remarks.truncate(remarks);
            if self.is_at_end() {
                return false;
            }
            let is_hash = self.byte(0) == b'#' || (self.byte(0) == b'%' && self.byte(1) == b':');
            if is_hash && self.is_first {
                self.at += if self.byte(0) == b'#' { 1 } else { 2 };
                return true;
            }
            self.is_first = false;
            self.skip_line();
        }
    }

    /// A name between `<` and `>` or quotes, as after `#include`, and whether it is in quotes.
    pub fn header_name(&mut self) -> Option<(&'t [u8], bool)> {
        self.skip_blanks();
        let close = match self.byte(0) {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let start = self.at + 1;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|&byte| byte == close || byte == b'\n')?;
        if rest[length] != close {
            return None;
        }
        self.at = start + length + 1;
        Some((&rest[..length], close == b'"'))
    }

    /// The token at the current place; `RawKind::End` for ever at the end.
    pub fn next_token(&mut self, symbols: &mut Symbols) -> Raw {
        let is_spaced = self.skip_blanks();
        let is_first = self.is_first;
        let start = self.at;
        let kind = match self.class() {
            LETTER => self.name(symbols),
            DIGIT => self.number(symbols),
            RARE => self.rare(symbols),
            LINE => RawKind::End,
            _ if self.is_at_end() => RawKind::End,
            _ => self.mark(symbols),
        };
        if kind != RawKind::End {
            self.is_first = false;
        }
        Raw { kind, start: start as u32, end: self.at as u32, is_spaced, is_first }
    }

    fn intern(&self, start: usize, symbols: &mut Symbols) -> Symbol {
        symbols.intern(&String::from_utf8_lossy(&self.bytes[start..self.at]))
    }

    fn name(&mut self, symbols: &mut Symbols) -> RawKind {
        let start = self.at;
        while self.class() & (LETTER | DIGIT) != 0 {
            self.at += 1;
        }
        if matches!(self.byte(0), b'"' | b'\'') && is_prefix(&self.bytes[start..self.at]) {
            return self.literal(start, symbols);
        }
        if self.class() == RARE {
            self.rest_of_name();
        }
        RawKind::Name(self.intern(start, symbols))
    }

    /// Passes what else belongs to a name, rare characters included.
    fn rest_of_name(&mut self) {
        loop {
            if self.class() & (LETTER | DIGIT) != 0 {
                self.at += 1;
            } else if self.class() == RARE && self.letter_length() > 0 {
                self.at += self.letter_length();
            } else {
                return;
            }
        }
    }

    /// How many bytes the letter beyond ASCII here takes; 0 if there is none.
    fn letter_length(&self) -> usize {
        let rest = &self.bytes[self.at..];
        if rest[0] == b'\\' {
            let digits = match rest.get(1) {
                Some(b'u') => 4,
                Some(b'U') => 8,
                _ => return 0,
            };
            let escape = rest.get(2..2 + digits);
            let is_escape = escape.is_some_and(|text| text.iter().all(u8::is_ascii_hexdigit));
            return if is_escape { 2 + digits } else { 0 };
        }
        match character(rest) {
            Some(letter) if letter.is_alphanumeric() => letter.len_utf8(),
            _ => 0,
        }
    }

    fn rare(&mut self, symbols: &mut Symbols) -> RawKind {
        let start = self.at;
        self.rest_of_name();
        if self.at > start {
            return RawKind::Name(self.intern(start, symbols));
        }
        if self.byte(0) == b'\\' {
            return self.stray(symbols);
        }
        let Some(letter) = character(&self.bytes[start..]) else {
            // One complaint for a run of strange bytes: a binary file has many.
            while self.byte(0) >= 0x80 && character(&self.bytes[self.at..]).is_none() {
                self.at += 1;
            }
            return RawKind::Bad(self.intern(start, symbols), Malformed::Encoding);
        };
        self.at += letter.len_utf8();
        RawKind::Bad(self.intern(start, symbols), Malformed::Stray)
    }

    fn stray(&mut self, symbols: &mut Symbols) -> RawKind {
        self.at += 1;
        RawKind::Bad(self.intern(self.at - 1, symbols), Malformed::Stray)
    }

    fn number(&mut self, symbols: &mut Symbols) -> RawKind {
        let start = self.at;
        loop {
            let byte = self.byte(0);
            let is_sign = matches!(byte, b'+' | b'-')
                && self.at > start
                && matches!(self.bytes[self.at - 1], b'e' | b'E' | b'p' | b'P');
            if self.class() & (LETTER | DIGIT) == 0 && byte != b'.' && !is_sign {
                return RawKind::Number(self.intern(start, symbols));
            }
            self.at += 1;
        }
    }

    /// A literal whose prefix begins at `start` and whose quote is here.
    fn literal(&mut self, start: usize, symbols: &mut Symbols) -> RawKind {
        let quote = self.byte(0);
        let is_closed = self.close_literal(quote);
        let symbol = symbols.intern(&spelling(&self.bytes[start..self.at]));
        match (quote, is_closed) {
            (b'"', true) => RawKind::Text(symbol),
            (_, true) => RawKind::Char(symbol),
            (b'"', false) => RawKind::Bad(symbol, Malformed::Text),
            (_, false) => RawKind::Bad(symbol, Malformed::Char),
        }
    }

    /// Passes a literal, to the end of the line if it is not closed there.
    fn close_literal(&mut self, quote: u8) -> bool {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => return false,
                b'\\' if self.bytes.get(self.at + 1).is_some_and(|&next| next != b'\n') => {
                    self.at += 2;
                }
                _ => {
                    self.at += 1;
                    if byte == quote {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn mark(&mut self, symbols: &mut Symbols) -> RawKind {
        use Punct::*;
        let (punct, length) = match (self.byte(0), self.byte(1), self.byte(2)) {
            (b'"' | b'\'', ..) => return self.literal(self.at, symbols),
            (b'.', b'0'..=b'9', _) => return self.number(symbols),
            (b'(', ..) => (LParen, 1),
            (b')', ..) => (RParen, 1),
            (b';', ..) => (Semicolon, 1),
            (b',', ..) => (Comma, 1),
            (b'{', ..) => (LBrace, 1),
            (b'}', ..) => (RBrace, 1),
            (b'[', ..) => (LBracket, 1),
            (b']', ..) => (RBracket, 1),
            (b'~', ..) => (Tilde, 1),
            (b'?', ..) => (Question, 1),
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'.', ..) => (Dot, 1),
            (b'-', b'>', _) => (Arrow, 2),
            (b'-', b'-', _) => (MinusMinus, 2),
            (b'-', b'=', _) => (MinusAssign, 2),
            (b'-', ..) => (Minus, 1),
            (b'+', b'+', _) => (PlusPlus, 2),
            (b'+', b'=', _) => (PlusAssign, 2),
            (b'+', ..) => (Plus, 1),
            (b'&', b'&', _) => (AmpAmp, 2),
            (b'&', b'=', _) => (AmpAssign, 2),
            (b'&', ..) => (Amp, 1),
            (b'|', b'|', _) => (PipePipe, 2),
            (b'|', b'=', _) => (PipeAssign, 2),
            (b'|', ..) => (Pipe, 1),
            (b'*', b'=', _) => (StarAssign, 2),
            (b'*', ..) => (Star, 1),
            (b'=', b'=', _) => (EqEq, 2),
            (b'=', ..) => (Assign, 1),
            (b'!', b'=', _) => (Ne, 2),
            (b'!', ..) => (Bang, 1),
            (b'<', b'<', b'=') => (ShlAssign, 3),
            (b'<', b'<', _) => (Shl, 2),
            (b'<', b'=', _) => (Le, 2),
            (b'<', b':', _) => (LBracket, 2),
            (b'<', b'%', _) => (LBrace, 2),
            (b'<', ..) => (Lt, 1),
            (b'>', b'>', b'=') => (ShrAssign, 3),
            (b'>', b'>', _) => (Shr, 2),
            (b'>', b'=', _) => (Ge, 2),
            (b'>', ..) => (Gt, 1),
            (b'^', b'=', _) => (CaretAssign, 2),
            (b'^', ..) => (Caret, 1),
            (b'/', b'=', _) => (SlashAssign, 2),
            (b'/', ..) => (Slash, 1),
            (b'%', b'=', _) => (PercentAssign, 2),
            (b'%', b'>', _) => (RBrace, 2),
            (b'%', b':', b'%') if self.byte(3) == b':' => (HashHash, 4),
            (b'%', b':', _) => (Hash, 2),
            (b'%', ..) => (Percent, 1),
            (b':', b'>', _) => (RBracket, 2),
            (b':', ..) => (Colon, 1),
            (b'#', b'#', _) => (HashHash, 2),
            (b'#', ..) => (Hash, 1),
            _ => return self.stray(symbols),
        };
        self.at += length;
        RawKind::Punct(punct)
    }
}

/// How many bytes a comment takes after its `/*`, its end included.
fn end_of_comment(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += rest[at..].iter().position(|&byte| byte == b'*')? + 1;
        if rest.get(at) == Some(&b'/') {
            return Some(at + 1);
        }
    }
}

fn is_prefix(name: &[u8]) -> bool {
    matches!(name, b"L" | b"u" | b"U" | b"u8")
}

/// The character that `bytes` begin with, if they are text.
fn character(bytes: &[u8]) -> Option<char> {
    let head = &bytes[..bytes.len().min(4)];
    match str::from_utf8(head) {
        Ok(text) => text.chars().next(),
        Err(error) => {
            str::from_utf8(&head[..error.valid_up_to()]).ok().and_then(|text| text.chars().next())
        }
    }
}

/// The spelling of a literal as text: bytes that are none become octal escapes, which have three digits
/// always and so mean the same whatever follows.
fn spelling(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes)
        && !bytes.contains(&0)
    {
        return Cow::Borrowed(text);
    }
    let mut text = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let is_escape = bytes[at] == b'\\' && at + 1 < bytes.len();
        let here = at + usize::from(is_escape);
        match character(&bytes[here..]) {
            Some(letter) if letter != '\0' => {
                if is_escape {
                    text.push('\\');
                }
                text.push(letter);
                at = here + letter.len_utf8();
            }
            _ => {
                text.push_str(&format!("\\{:03o}", bytes[here]));
                at = here + 1;
            }
        }
    }
    Cow::Owned(text)
}
