//! Words: patterns of bits as unsigned values of a type with as many bits.
//!
//! A word of n bits is printed as an expression of the unsigned type of that width, and words of other widths
//! are not printed. Unsigned arithmetic wraps as words do; where C promotes to `int` first, operands are
//! cast to `unsigned int` and the result is cut back.

use super::number::to_i128;
use super::{Condition, MAX_DEPTH, MAX_LENGTH, Printer, Style, level};
use alphorn_program::c::IntKind;
use alphorn_term::{Bv, Op, Sort, TermId};

/// A pattern as an unsigned expression.
struct Pattern {
    text: String,
    level: u8,
}

impl Pattern {
    fn within(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }
}

fn unsigned(width: u32) -> Option<IntKind> {
    Some(match width {
        8 => IntKind::UnsignedChar,
        16 => IntKind::UnsignedShort,
        32 => IntKind::UnsignedInt,
        64 => IntKind::UnsignedLongLong,
        128 => IntKind::UnsignedInt128,
        _ => return None,
    })
}

fn signed(width: u32) -> Option<IntKind> {
    Some(match width {
        8 => IntKind::SignedChar,
        16 => IntKind::Short,
        32 => IntKind::Int,
        64 => IntKind::LongLong,
        128 => IntKind::Int128,
        _ => return None,
    })
}

impl Printer<'_> {
    fn width(&self, term: TermId) -> Option<u32> {
        match self.store.sort_of(self.store.sort(term)) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// A comparison of words, as numbers with or without a sign.
    pub(super) fn word_comparison(
        &self,
        left: TermId,
        sign: &str,
        right: TermId,
        is_signed: bool,
        depth: u32,
    ) -> Option<Condition> {
        // In ACSL unsigned arithmetic does not wrap.
        if self.style == Style::Acsl {
            return None;
        }
        let width = self.width(left)?;
        let names = [left, right].map(|term| (self.names)(term).map(|name| name.kind));
        // Names of signed types, and numbers beside them, are compared as they are where that is the same.
        let is_same = matches!(sign, "==" | "!=");
        let as_signed =
            is_signed || (is_same && names.iter().flatten().any(|kind| kind.is_signed()));
        let mut parts = Vec::new();
        for term in [left, right] {
            let text = match (self.store.bv_value(term), as_signed) {
                (Some(value), true) => self.literal(self.signed_value(value)?)?.text,
                (Some(value), false) => self.literal(self.value(value)?)?.text,
                (None, true) => self.as_signed(term, width, depth)?,
                (None, false) => {
                    let pattern = self.word(term, depth + 1)?;
                    pattern.within(level::SUM)
                }
            };
            parts.push(text);
        }
        let level = if is_same { level::EQUAL } else { level::LESS };
        let text = format!("{} {sign} {}", parts[0], parts[1]);
        (text.len() <= MAX_LENGTH).then_some(Condition { text, level })
    }

    fn value(&self, value: &Bv) -> Option<i128> {
        to_i128(&value.to_unsigned())
    }

    fn signed_value(&self, value: &Bv) -> Option<i128> {
        to_i128(&value.to_signed())
    }

    /// A word as a number with a sign.
    fn as_signed(&self, term: TermId, width: u32, depth: u32) -> Option<String> {
        if let Some(name) = (self.names)(term)
            && name.kind.is_signed()
        {
            return Some(name.text);
        }
        let pattern = self.word(term, depth + 1)?;
        Some(format!("({}){}", signed(width)?.name(), pattern.within(level::UNARY)))
    }

    /// A word as an unsigned expression of its width.
    fn word(&self, term: TermId, depth: u32) -> Option<Pattern> {
        if depth > MAX_DEPTH {
            return None;
        }
        let width = self.width(term)?;
        let kind = unsigned(width)?;
        if let Some(name) = (self.names)(term) {
            if name.kind.bits(self.model) != width {
                return None;
            }
            return Some(match name.kind.is_signed() {
                true => {
                    Pattern { text: format!("({}){}", kind.name(), name.text), level: level::UNARY }
                }
                false => Pattern { text: name.text, level: level::NAME },
            });
        }
        if let Some(value) = self.store.bv_value(term) {
            // A literal must not be wider than the word: what it meets would be widened, too.
            let number = u64::try_from(self.value(value)?).ok()?;
            let (text, level) = match width {
                0..=32 => (format!("{number}U"), level::NAME),
                64 => (format!("{number}ULL"), level::NAME),
                _ => (format!("({}){number}ULL", kind.name()), level::UNARY),
            };
            return Some(Pattern { text, level });
        }
        let args = self.store.args(term);
        let sign = match self.store.op(term) {
            Op::BvAdd => "+",
            Op::BvSub => "-",
            Op::BvMul => "*",
            Op::BvAnd => "&",
            Op::BvOr => "|",
            Op::BvXor => "^",
            Op::BvNot => return self.unary("~", args[0], kind, depth),
            Op::BvNeg => return self.unary("-", args[0], kind, depth),
            Op::ZeroExtend(_) => {
                let inner = self.word(args[0], depth + 1)?;
                let text = format!("({}){}", kind.name(), inner.within(level::UNARY));
                return Some(Pattern { text, level: level::UNARY });
            }
            Op::SignExtend(_) => {
                let inner = self.as_signed(args[0], self.width(args[0])?, depth)?;
                // A name, or a cast already.
                let text = format!("({}){inner}", kind.name());
                return Some(Pattern { text, level: level::UNARY });
            }
            Op::Extract(_, 0) => {
                let inner = self.word(args[0], depth + 1)?;
                let text = format!("({}){}", kind.name(), inner.within(level::UNARY));
                return Some(Pattern { text, level: level::UNARY });
            }
            Op::BvShl => return self.shift(args, "<<", kind, depth),
            Op::BvLshr => return self.shift(args, ">>", kind, depth),
            _ => return None,
        };
        let mut text = self.wide(args[0], kind, depth)?;
        for &arg in &args[1..] {
            let next = self.word(arg, depth + 1)?;
            text = format!("{text} {sign} {}", next.within(level::UNARY));
        }
        self.cut(text, kind)
    }

    /// The first operand, in a type in which nothing is undefined.
    fn wide(&self, term: TermId, kind: IntKind, depth: u32) -> Option<String> {
        let pattern = self.word(term, depth + 1)?;
        Some(match kind.bits(self.model) < 32 {
            true => format!("(unsigned int){}", pattern.within(level::UNARY)),
            false => pattern.within(level::UNARY),
        })
    }

    /// A result, cut back to its type.
    fn cut(&self, text: String, kind: IntKind) -> Option<Pattern> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        Some(match kind.bits(self.model) < 32 {
            true => Pattern { text: format!("({})({text})", kind.name()), level: level::UNARY },
            false => Pattern { text: format!("({text})"), level: level::NAME },
        })
    }

    fn unary(&self, sign: &str, term: TermId, kind: IntKind, depth: u32) -> Option<Pattern> {
        let text = format!("{sign}{}", self.wide(term, kind, depth)?);
        self.cut(text, kind)
    }

    /// A shift by a number below the width.
    fn shift(&self, args: &[TermId], sign: &str, kind: IntKind, depth: u32) -> Option<Pattern> {
        let by = self.value(self.store.bv_value(args[1])?)?;
        if by >= i128::from(kind.bits(self.model)) {
            return None;
        }
        let text = format!("{} {sign} {by}", self.wide(args[0], kind, depth)?);
        self.cut(text, kind)
    }
}
