//! The conditions of `#if` and `#elif`.
//!
//! Macros are replaced first, except after `defined`; names that are left are 0. Values have 64 bits and
//! are signed unless an operand is not. What is not evaluated (`0 && 1/0`) may be wrong.
//!
//! Source: C11 6.10.1, 6.6.

use super::builtin::Builtin;
use super::cursor::Cursor;
use super::{MAX_NESTING, Piece, Preprocessor};
use crate::c::lex::RawKind;
use crate::c::token::{Punct, Symbols};
use crate::diag::{Code, Span};

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    is_unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Value {
        Value { bits: value as u64, is_unsigned: false }
    }

    fn truth(value: bool) -> Value {
        Value::signed(i64::from(value))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// What is wrong with a condition, and where.
type Wrong = (Span, String);

impl Preprocessor<'_> {
    /// Whether the condition on the rest of the line holds; false if it is malformed.
    pub fn condition(&mut self, span: Span, cursor: &mut Cursor<'_>) -> bool {
        let line = self.tokens_of_condition(cursor);
        let line = self.within_barrier(&line, cursor, |pre, cursor| {
            loop {
                let mut piece = pre.take(cursor);
                match piece.kind {
                    RawKind::End => return None,
                    RawKind::Name(name) if name == pre.known.defined => {
                        piece.kind = pre.is_defined(piece, cursor);
                        return Some(piece);
                    }
                    _ if pre.enter_if_macro(piece, cursor) => {}
                    _ => return Some(piece),
                }
            }
        });
        if self.is_over {
            return false;
        }
        let end = line.last().map_or(span, |piece| piece.span);
        let symbols = &self.tokens.symbols;
        let mut parser = Parser { line: &line, at: 0, depth: 0, end, symbols };
        match parser.whole() {
            Ok(value) => value.is_true(),
            Err((span, message)) => {
                self.error(cursor, Code::CConditional, span, message);
                false
            }
        }
    }

    /// The tokens of the line, with what is asked about files and features answered.
    fn tokens_of_condition(&mut self, cursor: &mut Cursor<'_>) -> Vec<Piece> {
        let mut line = vec![];
        loop {
            let raw = cursor.lexer.next_token(&mut self.tokens.symbols);
            let mut piece = cursor.piece(raw);
            match raw.kind {
                RawKind::End => return line,
                RawKind::Name(name) => {
                    let builtin = self.builtin_of(name);
                    let follows_defined = line
                        .iter()
                        .rev()
                        .take(2)
                        .any(|before: &Piece| before.kind == RawKind::Name(self.known.defined));
                    let is_question =
                        matches!(builtin, Some(Builtin::HasInclude | Builtin::HasFeature));
                    if is_question && !follows_defined {
                        let answer = self.ask(builtin == Some(Builtin::HasInclude), cursor);
                        piece.kind = self.number(answer);
                    }
                }
                _ => {}
            }
            line.push(piece);
        }
    }

    /// The answer to `__has_include(…)` or `__has_attribute(…)`, after the name.
    fn ask(&mut self, is_include: bool, cursor: &mut Cursor<'_>) -> bool {
        let open = cursor.lexer.next_token(&mut self.tokens.symbols);
        if open.kind != RawKind::Punct(Punct::LParen) {
            return false;
        }
        let mut answer = false;
        if is_include && let Some((name, is_quoted)) = cursor.lexer.header_name() {
            answer = self.has_header(&String::from_utf8_lossy(name), is_quoted, cursor);
        }
        let mut depth = 1;
        while depth > 0 {
            match cursor.lexer.next_token(&mut self.tokens.symbols).kind {
                RawKind::Punct(Punct::LParen) => depth += 1,
                RawKind::Punct(Punct::RParen) => depth -= 1,
                RawKind::End => break,
                _ => {}
            }
        }
        answer
    }

    fn number(&mut self, value: bool) -> RawKind {
        RawKind::Number(self.tokens.symbols.intern(if value { "1" } else { "0" }))
    }

    /// The value of `defined NAME` or `defined (NAME)`, after the word.
    fn is_defined(&mut self, word: Piece, cursor: &mut Cursor<'_>) -> RawKind {
        let mut piece = self.take(cursor);
        let has_paren = piece.kind == RawKind::Punct(Punct::LParen);
        if has_paren {
            piece = self.take(cursor);
        }
        let RawKind::Name(name) = piece.kind else {
            let message = "the name of a macro is expected after 'defined'";
            self.error(cursor, Code::CConditional, word.span, message);
            return self.number(false);
        };
        if has_paren && self.take(cursor).kind != RawKind::Punct(Punct::RParen) {
            let message = "')' is expected after the name of a macro";
            self.error(cursor, Code::CConditional, word.span, message);
        }
        let answer = self.macro_of(name).is_some();
        self.number(answer)
    }
}

struct Parser<'l> {
    line: &'l [Piece],
    at: usize,
    depth: usize,
    /// Where the condition ends.
    end: Span,
    symbols: &'l Symbols,
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<Value, Wrong> {
        let value = self.comma(true)?;
        match self.line.get(self.at) {
            None => Ok(value),
            Some(piece) => Err((piece.span, "an operator is expected here".to_owned())),
        }
    }

    fn punct(&self) -> Option<Punct> {
        match self.line.get(self.at)?.kind {
            RawKind::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn span(&self) -> Span {
        self.line.get(self.at).map_or(self.end, |piece| piece.span)
    }

    fn expect(&mut self, punct: Punct) -> Result<(), Wrong> {
        if self.punct() != Some(punct) {
            return Err((self.span(), format!("'{}' is expected here", punct.text())));
        }
        self.at += 1;
        Ok(())
    }

    fn comma(&mut self, is_live: bool) -> Result<Value, Wrong> {
        let mut value = self.conditional(is_live)?;
        while self.punct() == Some(Punct::Comma) {
            self.at += 1;
            value = self.conditional(is_live)?;
        }
        Ok(value)
    }

    fn conditional(&mut self, is_live: bool) -> Result<Value, Wrong> {
        if self.depth == MAX_NESTING {
            return Err((self.span(), "the condition is nested too deeply".to_owned()));
        }
        self.depth += 1;
        let mut value = self.binary(0, is_live)?;
        if self.punct() == Some(Punct::Question) {
            self.at += 1;
            let yes = self.comma(is_live && value.is_true())?;
            self.expect(Punct::Colon)?;
            let no = self.conditional(is_live && !value.is_true())?;
            let chosen = if value.is_true() { yes } else { no };
            value = Value { is_unsigned: yes.is_unsigned || no.is_unsigned, ..chosen };
        }
        self.depth -= 1;
        Ok(value)
    }

    /// Operators that bind at least as `level` says, by climbing.
    fn binary(&mut self, level: u8, is_live: bool) -> Result<Value, Wrong> {
        let mut left = self.unary(is_live)?;
        while let Some(operator) = self.punct()
            && let Some(binding) = binding(operator)
            && binding >= level
        {
            let span = self.span();
            self.at += 1;
            let right_is_live = match operator {
                Punct::AmpAmp => is_live && left.is_true(),
                Punct::PipePipe => is_live && !left.is_true(),
                _ => is_live,
            };
            let right = self.binary(binding + 1, right_is_live)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !is_live => Value::signed(0),
                None => return Err((span, "the condition divides by zero".to_owned())),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, is_live: bool) -> Result<Value, Wrong> {
        let start = self.at;
        while matches!(self.punct(), Some(Punct::Minus | Punct::Plus | Punct::Bang | Punct::Tilde))
        {
            self.at += 1;
        }
        let end = self.at;
        let mut value = self.primary(is_live)?;
        for piece in self.line[start..end].iter().rev() {
            value = match piece.kind {
                RawKind::Punct(Punct::Minus) => Value { bits: value.bits.wrapping_neg(), ..value },
                RawKind::Punct(Punct::Tilde) => Value { bits: !value.bits, ..value },
                RawKind::Punct(Punct::Bang) => Value::truth(!value.is_true()),
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, is_live: bool) -> Result<Value, Wrong> {
        let Some(piece) = self.line.get(self.at) else {
            return Err((self.end, "the condition ends too early".to_owned()));
        };
        self.at += 1;
        match piece.kind {
            RawKind::Number(text) => integer(self.symbols.text(text))
                .ok_or_else(|| (piece.span, "an integer is expected in a condition".to_owned())),
            RawKind::Char(text) => character(self.symbols.text(text))
                .ok_or_else(|| (piece.span, "this character constant is malformed".to_owned())),
            RawKind::Name(_) => Ok(Value::signed(0)),
            RawKind::Punct(Punct::LParen) => {
                let value = self.comma(is_live)?;
                self.expect(Punct::RParen)?;
                Ok(value)
            }
            _ => Err((piece.span, "this cannot stand in a condition".to_owned())),
        }
    }
}

/// How tightly a binary operator binds.
fn binding(operator: Punct) -> Option<u8> {
    Some(match operator {
        Punct::PipePipe => 0,
        Punct::AmpAmp => 1,
        Punct::Pipe => 2,
        Punct::Caret => 3,
        Punct::Amp => 4,
        Punct::EqEq | Punct::Ne => 5,
        Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 6,
        Punct::Shl | Punct::Shr => 7,
        Punct::Plus | Punct::Minus => 8,
        Punct::Star | Punct::Slash | Punct::Percent => 9,
        _ => return None,
    })
}

/// The value of a binary operation; none for a division by zero.
fn apply(operator: Punct, left: Value, right: Value) -> Option<Value> {
    let is_unsigned = left.is_unsigned || right.is_unsigned;
    let (a, b) = (left.bits, right.bits);
    let (x, y) = (a as i64, b as i64);
    let is_less = |a: u64, b: u64| if is_unsigned { a < b } else { (a as i64) < (b as i64) };
    let bits = match operator {
        Punct::PipePipe => return Some(Value::truth(left.is_true() || right.is_true())),
        Punct::AmpAmp => return Some(Value::truth(left.is_true() && right.is_true())),
        Punct::EqEq => return Some(Value::truth(a == b)),
        Punct::Ne => return Some(Value::truth(a != b)),
        Punct::Lt => return Some(Value::truth(is_less(a, b))),
        Punct::Gt => return Some(Value::truth(is_less(b, a))),
        Punct::Le => return Some(Value::truth(!is_less(b, a))),
        Punct::Ge => return Some(Value::truth(!is_less(a, b))),
        Punct::Shl | Punct::Shr => return Some(shift(operator == Punct::Shl, left, right)),
        Punct::Pipe => a | b,
        Punct::Caret => a ^ b,
        Punct::Amp => a & b,
        Punct::Plus => a.wrapping_add(b),
        Punct::Minus => a.wrapping_sub(b),
        Punct::Star => a.wrapping_mul(b),
        Punct::Slash if is_unsigned => a.checked_div(b)?,
        Punct::Percent if is_unsigned => a.checked_rem(b)?,
        Punct::Slash | Punct::Percent if b == 0 => return None,
        Punct::Slash => x.wrapping_div(y) as u64,
        _ => x.wrapping_rem(y) as u64,
    };
    Some(Value { bits, is_unsigned })
}

/// A shift; a negative one goes the other way, as in gcc.
fn shift(is_left: bool, left: Value, right: Value) -> Value {
    let is_negative = !right.is_unsigned && (right.bits as i64) < 0;
    let amount = if is_negative { (right.bits as i64).unsigned_abs() } else { right.bits };
    let amount = amount.min(64) as u32;
    let bits = match (is_left != is_negative, left.is_unsigned) {
        (true, _) => left.bits.checked_shl(amount).unwrap_or(0),
        (false, true) => left.bits.checked_shr(amount).unwrap_or(0),
        (false, false) => ((left.bits as i64) >> amount.min(63)) as u64,
    };
    Value { bits, ..left }
}

/// An integer constant.
fn integer(text: &str) -> Option<Value> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &text[digits.len()..];
    let count = suffix.matches(['u', 'U']).count();
    if count > 1 || suffix.len() - count > 2 {
        return None;
    }
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if !digits.bytes().all(|digit| digit.is_ascii_alphanumeric()) {
        return None;
    }
    let bits = u64::from_str_radix(digits, radix).ok()?;
    let is_unsigned = count == 1 || bits > i64::MAX as u64;
    Some(Value { bits, is_unsigned })
}

/// A character constant: the usual value of its characters.
fn character(text: &str) -> Option<Value> {
    let is_wide = !text.starts_with('\'');
    let inner = text.trim_start_matches(['L', 'u', 'U', '8']);
    let inner = inner.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut letters = inner.chars().peekable();
    let mut value: i64 = 0;
    let mut count = 0;
    while let Some(letter) = letters.next() {
        let code = if letter == '\\' { escape(&mut letters)? } else { u32::from(letter) };
        count += 1;
        let code = i64::from(code);
        value = if is_wide { code } else { (value << 8) | (code & 0xff) };
    }
    match count {
        0 => None,
        // `char` is signed.
        1 if !is_wide => Some(Value::signed(i64::from(value as u8 as i8))),
        _ => Some(Value::signed(i64::from(value as i32))),
    }
}

/// The value of an escape after its backslash.
fn escape(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<u32> {
    let letter = letters.next()?;
    let (radix, most, mut value) = match letter {
        'n' => return Some(10),
        't' => return Some(9),
        'r' => return Some(13),
        'a' => return Some(7),
        'b' => return Some(8),
        'f' => return Some(12),
        'v' => return Some(11),
        'e' => return Some(27),
        'x' => (16, usize::MAX, 0),
        'u' => (16, 4, 0),
        'U' => (16, 8, 0),
        '0'..='7' => (8, 2, letter.to_digit(8)?),
        other => return Some(u32::from(other)),
    };
    for _ in 0..most {
        let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(radix)) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        letters.next();
    }
    Some(value)
}
