//! Numbers, characters and strings: their types and values.
//!
//! Source: C11 6.4.4, 6.4.5.

use super::{Operand, Res, Typer};
use crate::c::constant::wrap;
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::{FloatKind, Length};
use alphorn_program::c::tree::Init;
use alphorn_program::c::{DataModel, Expr, ExprKind, IntKind, Place, PlaceKind, Type, TypeId};

/// String literals that stand one behind the other, put together.
#[derive(Debug, Default)]
pub struct Literal {
    /// The characters: bytes, or wide ones.
    pub units: Vec<u32>,
    /// The type of the characters.
    pub element: Option<IntKind>,
    /// Where it stands.
    pub span: Span,
}

impl Typer {
    /// A number.
    pub fn number(&mut self, text: &str, span: Span) -> Res<Expr> {
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let is_float = if is_hex {
            text.contains(['.', 'p', 'P'])
        } else {
            !text.starts_with("0b") && !text.starts_with("0B") && text.contains(['.', 'e', 'E'])
        };
        if is_float { self.floating(text, span) } else { self.integer(text, is_hex, span) }
    }

    fn integer(&mut self, text: &str, is_hex: bool, span: Span) -> Res<Expr> {
        let (digits, radix) = if is_hex {
            (&text[2..], 16)
        } else if text.starts_with("0b") || text.starts_with("0B") {
            (&text[2..], 2)
        } else if text.len() > 1 && text.starts_with('0') {
            (&text[1..], 8)
        } else {
            (text, 10)
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        let is_plain_zero = digits.is_empty() && radix == 8;
        let value = if is_plain_zero { Ok(0) } else { u128::from_str_radix(digits, radix) };
        let (Ok(value), Some(suffix)) = (value, suffix_of(suffix)) else {
            let message = format!("`{text}` is not a number");
            return Err(self.report.error(Code::CLiteral, span, message));
        };
        if suffix.is_imaginary {
            let double = self.basic.double;
            let ty = self.complex_type(double);
            return Ok(self.untreated("a complex number", ty, span));
        }
        let value = i128::try_from(value).unwrap_or(i128::MAX);
        match self.integer_kind(value, radix == 10, suffix) {
            Some(kind) => Ok(self.constant(value, self.int_type(kind), span)),
            None => {
                let message = format!("`{text}` is larger than every integer type");
                self.report.warn(Code::CLiteral, span, message);
                let kind = IntKind::UnsignedLongLong;
                Ok(self.constant(wrap(value, kind, self.types()), self.int_type(kind), span))
            }
        }
    }

    /// The first type in the list of C11 6.4.4.1 that has the value.
    fn integer_kind(&self, value: i128, is_decimal: bool, suffix: Suffix) -> Option<IntKind> {
        use IntKind::*;
        let kinds = [Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong];
        let skipped = 2 * suffix.longs;
        kinds
            .into_iter()
            .skip(skipped)
            .find(|kind| {
                let may = if suffix.is_unsigned {
                    !kind.is_signed()
                } else {
                    kind.is_signed() || !is_decimal
                };
                may && self.fits(value, *kind)
            })
            // gcc goes on to 128 bits where there are such integers.
            .or_else(|| {
                (is_decimal
                    && !suffix.is_unsigned
                    && self.model() == DataModel::Lp64
                    && value < i128::MAX)
                    .then_some(Int128)
            })
    }

    fn floating(&mut self, text: &str, span: Span) -> Res<Expr> {
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let lower = text.to_ascii_lowercase();
        let mut body = lower.as_str();
        let mut kind = FloatKind::Double;
        let mut is_imaginary = false;
        loop {
            if let Some(rest) = body.strip_suffix(['i', 'j']) {
                (body, is_imaginary) = (rest, true);
            } else if let Some(rest) = body.strip_suffix("f128").or(body.strip_suffix('q')) {
                (body, kind) = (rest, FloatKind::Float128);
            } else if let Some(rest) = body.strip_suffix("f64x") {
                (body, kind) = (rest, FloatKind::LongDouble);
            } else if let Some(rest) = body.strip_suffix("f64").or(body.strip_suffix("f32x")) {
                (body, kind) = (rest, FloatKind::Double);
            } else if let Some(rest) = body.strip_suffix("f32") {
                (body, kind) = (rest, FloatKind::Float);
            } else if let Some(rest) =
                body.strip_suffix('f').filter(|rest| !is_hex || rest.contains('p'))
            {
                (body, kind) = (rest, FloatKind::Float);
            } else if let Some(rest) = body.strip_suffix('l') {
                (body, kind) = (rest, FloatKind::LongDouble);
            } else {
                break;
            }
        }
        let is_number = if is_hex { is_hex_float(body) } else { body.parse::<f64>().is_ok() };
        if !is_number {
            let message = format!("`{text}` is not a number");
            return Err(self.report.error(Code::CLiteral, span, message));
        }
        let ty = self.float_type(kind);
        if is_imaginary {
            let ty = self.complex_type(ty);
            return Ok(self.untreated("a complex number", ty, span));
        }
        Ok(Expr { kind: ExprKind::Float(text.to_owned()), ty, span })
    }

    /// A character constant.
    pub fn character(&mut self, text: &str, span: Span) -> Res<Expr> {
        let (kind, body) = self.prefix(text, IntKind::Int);
        let body = body.strip_prefix('\'').and_then(|b| b.strip_suffix('\'')).unwrap_or(body);
        let is_wide = text.starts_with(['L', 'u', 'U']) && !text.starts_with("u8");
        let mut units = Vec::new();
        self.decode(body, is_wide, span, &mut units)?;
        let Some(&first) = units.first() else {
            return Err(self.report.error(Code::CLiteral, span, "a character is missing here"));
        };
        let value = if is_wide {
            wrap(i128::from(first), kind, self.types())
        } else if units.len() == 1 {
            wrap(i128::from(first), IntKind::Char, self.types())
        } else {
            let all = units
                .iter()
                .fold(0i128, |value, &unit| (value << 8 | i128::from(unit)) & 0xffff_ffff);
            wrap(all, IntKind::Int, self.types())
        };
        Ok(self.constant(value, self.int_type(kind), span))
    }

    /// Puts a string literal behind those that were read before it.
    pub fn extend_text(&mut self, literal: &mut Literal, text: &str, span: Span) -> Res<()> {
        let (kind, body) = self.prefix(text, IntKind::Char);
        let body = body.strip_prefix('"').and_then(|b| b.strip_suffix('"')).unwrap_or(body);
        let is_wide = kind != IntKind::Char;
        let before = literal.element;
        if is_wide && before == Some(IntKind::Char) {
            // The wide prefix holds for all: what was read as bytes is text again.
            let bytes: Vec<u8> = literal.units.iter().map(|&unit| unit as u8).collect();
            literal.units = String::from_utf8_lossy(&bytes).chars().map(u32::from).collect();
        }
        let is_first = before.is_none();
        literal.span = if is_first { span } else { literal.span.to(span) };
        literal.element = match before {
            Some(old) if old != IntKind::Char => Some(old),
            _ => Some(kind),
        };
        let wide = literal.element != Some(IntKind::Char);
        self.decode(body, wide, span, &mut literal.units)
    }

    /// A string literal as an operand: a place that is an array.
    pub fn text(&mut self, literal: Literal) -> Operand {
        let kind = literal.element.unwrap_or(IntKind::Char);
        let span = literal.span;
        let element = self.int_type(kind);
        let length = literal.units.len() as u64 + 1;
        let ty = self.unit.types.id(Type::Array(element, Length::Fixed(length)));
        if kind == IntKind::Char {
            return Operand::Place(self.text_place(&literal, ty));
        }
        let parts = self.wide_parts(&literal, element);
        Operand::Place(self.literal_place(ty, Init::Parts(parts), span))
    }

    fn text_place(&mut self, literal: &Literal, ty: TypeId) -> Place {
        let index = self.add_string(literal);
        Place { kind: PlaceKind::Text(index), ty, span: literal.span }
    }

    /// Stores a string; its number.
    pub fn add_string(&mut self, literal: &Literal) -> u32 {
        let bytes = literal.units.iter().map(|&unit| unit as u8).collect();
        self.unit.strings.push(bytes);
        (self.unit.strings.len() - 1) as u32
    }

    /// The characters of a string, one by one, as parts of an array.
    pub fn wide_parts(&self, literal: &Literal, element: TypeId) -> Vec<(Vec<u64>, Expr)> {
        let kind = literal.element.unwrap_or(IntKind::Char);
        let unit = |&unit: &u32| wrap(i128::from(unit), kind, self.types());
        let values = literal.units.iter().map(unit);
        values
            .enumerate()
            .map(|(at, value)| (vec![at as u64], self.constant(value, element, literal.span)))
            .collect()
    }

    /// The type that a prefix gives characters, and the text without it.
    fn prefix<'s>(&self, text: &'s str, plain: IntKind) -> (IntKind, &'s str) {
        if let Some(rest) = text.strip_prefix("u8") {
            (plain, rest)
        } else if let Some(rest) = text.strip_prefix('L') {
            let wide = match self.model() {
                DataModel::Ilp32 => IntKind::Long,
                DataModel::Lp64 => IntKind::Int,
            };
            (wide, rest)
        } else if let Some(rest) = text.strip_prefix('u') {
            (IntKind::UnsignedShort, rest)
        } else if let Some(rest) = text.strip_prefix('U') {
            (IntKind::UnsignedInt, rest)
        } else {
            (plain, text)
        }
    }

    fn decode(&mut self, body: &str, is_wide: bool, span: Span, units: &mut Vec<u32>) -> Res<()> {
        let mut chars = body.chars().peekable();
        let push = |c: char, units: &mut Vec<u32>| {
            if is_wide {
                units.push(u32::from(c));
            } else {
                units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
        };
        while let Some(c) = chars.next() {
            if c != '\\' {
                push(c, units);
                continue;
            }
            let Some(escape) = chars.next() else { break };
            let plain = match escape {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'a' => '\x07',
                'b' => '\x08',
                'f' => '\x0c',
                'v' => '\x0b',
                'e' | 'E' => '\x1b',
                '\\' | '\'' | '"' | '?' => escape,
                '0'..='7' => {
                    let mut value = escape.to_digit(8).expect("an octal digit");
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                        value = value * 8 + digit;
                        chars.next();
                    }
                    units.push(if is_wide { value } else { value & 0xff });
                    continue;
                }
                'x' => {
                    let mut value = 0u32;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                        value = value.wrapping_mul(16) | digit;
                        chars.next();
                    }
                    units.push(if is_wide { value } else { value & 0xff });
                    continue;
                }
                'u' | 'U' => {
                    let count = if escape == 'u' { 4 } else { 8 };
                    let mut value = 0u32;
                    for _ in 0..count {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) else { break };
                        value = value.wrapping_mul(16) | digit;
                        chars.next();
                    }
                    match char::from_u32(value) {
                        Some(c) => c,
                        None => {
                            let message = "this is not the number of a character";
                            return Err(self.report.error(Code::CLiteral, span, message));
                        }
                    }
                }
                other => {
                    let message = format!("`\\{other}` is no escape; it is read as `{other}`");
                    self.report.warn(Code::CLiteral, span, message);
                    other
                }
            };
            push(plain, units);
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Suffix {
    is_unsigned: bool,
    longs: usize,
    is_imaginary: bool,
}

fn suffix_of(text: &str) -> Option<Suffix> {
    let lower = text.to_ascii_lowercase();
    let (lower, is_imaginary) = match lower.strip_suffix(['i', 'j']) {
        Some(rest) => (rest, true),
        None => (lower.as_str(), false),
    };
    let (is_unsigned, longs) = match lower {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    Some(Suffix { is_unsigned, longs, is_imaginary })
}

fn is_hex_float(body: &str) -> bool {
    let Some((digits, exponent)) = body[2..].split_once('p') else { return false };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    !(whole.is_empty() && fraction.is_empty())
        && whole.chars().chain(fraction.chars()).all(|c| c.is_ascii_hexdigit())
        && !exponent.is_empty()
        && exponent.chars().all(|c| c.is_ascii_digit())
}
