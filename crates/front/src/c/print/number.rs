//! Numbers: sums in types that hold them.
//!
//! Every expression has the range of its values, from the types of the names in it, and the type that C
//! gives it. Linear terms are taken apart, so that a comparison has no minus sign: what is subtracted on
//! one side stands on the other.

use super::{Condition, MAX_DEPTH, MAX_LENGTH, Printer, Style, level};
use alphorn_program::c::{DataModel, IntKind};
use alphorn_term::{Int, Op, TermId};

/// An expression, the type that C gives it, and the range of its values.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) level: u8,
    pub(super) kind: IntKind,
    pub(super) low: i128,
    pub(super) high: i128,
}

impl Said {
    pub(super) fn within(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// The types that arithmetic is done in, from the narrowest.
const SIGNED: [IntKind; 3] = [IntKind::Int, IntKind::LongLong, IntKind::Int128];

/// The values of a type; those of the largest unsigned one are not held by any number here.
pub(super) fn range(kind: IntKind, model: DataModel) -> Option<(i128, i128)> {
    let bits = kind.bits(model);
    match (kind.is_signed(), bits) {
        (true, 128) => Some((i128::MIN, i128::MAX)),
        (false, 128) => None,
        (true, _) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        (false, _) => Some((0, (1 << bits) - 1)),
    }
}

fn holds(kind: IntKind, model: DataModel, low: i128, high: i128) -> bool {
    range(kind, model).is_some_and(|(least, most)| least <= low && high <= most)
}

/// The type after promotion.
fn promoted(kind: IntKind) -> IntKind {
    use IntKind::*;
    match kind {
        Bool | Char | SignedChar | UnsignedChar | Short | UnsignedShort => Int,
        kind => kind,
    }
}

fn rank(kind: IntKind) -> u8 {
    use IntKind::*;
    match kind {
        Int | UnsignedInt | Exact(_) | UnsignedExact(_) => 1,
        Long | UnsignedLong => 2,
        LongLong | UnsignedLongLong => 3,
        Int128 | UnsignedInt128 => 4,
        Bool | Char | SignedChar | UnsignedChar | Short | UnsignedShort => 0,
    }
}

fn unsigned(kind: IntKind) -> IntKind {
    use IntKind::*;
    match kind {
        Int => UnsignedInt,
        Long => UnsignedLong,
        LongLong => UnsignedLongLong,
        Int128 => UnsignedInt128,
        kind => kind,
    }
}

/// The type in which two operands meet: C11 6.3.1.8.
fn common(left: IntKind, right: IntKind, model: DataModel) -> IntKind {
    let (left, right) = (promoted(left), promoted(right));
    if left.is_signed() == right.is_signed() {
        return if rank(left) >= rank(right) { left } else { right };
    }
    let (signed, other) = if left.is_signed() { (left, right) } else { (right, left) };
    if rank(other) >= rank(signed) {
        other
    } else if signed.bits(model) > other.bits(model) {
        signed
    } else {
        unsigned(signed)
    }
}

/// A sum: products of factors and terms, and a number.
#[derive(Default)]
struct Linear {
    parts: Vec<(i128, TermId)>,
    number: i128,
}

pub(super) fn to_i128(value: &Int) -> Option<i128> {
    i128::try_from(&value.to_ibig()).ok()
}

impl Printer<'_> {
    /// Left and right of a comparison, without a minus sign if possible.
    pub(super) fn number_comparison(
        &self,
        left: TermId,
        sign: &str,
        right: TermId,
        depth: u32,
    ) -> Option<Condition> {
        let mut all = Linear::default();
        self.collect(left, 1, &mut all, depth)?;
        self.collect(right, -1, &mut all, depth)?;
        let negated = |(factor, term): (i128, TermId)| Some((factor.checked_neg()?, term));
        let mut above = Linear::default();
        let mut below = Linear::default();
        for part in all.parts {
            match part.0 > 0 {
                true => above.parts.push(part),
                false => below.parts.push(negated(part)?),
            }
        }
        // A number stands alone on the right if it can, and is not negative beside something else.
        match (above.parts.is_empty(), below.parts.is_empty()) {
            (false, true) => below.number = all.number.checked_neg()?,
            (true, false) => above.number = all.number,
            _ if all.number >= 0 => above.number = all.number,
            _ => below.number = all.number.checked_neg()?,
        }
        let (above, below) = (self.sum(above, depth)?, self.sum(below, depth)?);
        // What the types say already needs no words.
        let is_true = match sign {
            "<=" => above.high <= below.low,
            "<" => above.high < below.low,
            ">=" => above.low >= below.high,
            ">" => above.low > below.high,
            _ => false,
        };
        if is_true {
            let text = if self.style == Style::Acsl { "\\true" } else { "1" };
            return Some(Condition { text: text.to_owned(), level: level::NAME });
        }
        let (first, sign, second) = match above.text.parse::<i128>() {
            Ok(_) if below.text.parse::<i128>().is_err() => (below, flipped(sign), above),
            _ => (above, sign, below),
        };
        let (first, second, _) = self.meet(first, second)?;
        let level = if matches!(sign, "==" | "!=") { level::EQUAL } else { level::LESS };
        let text = format!("{} {sign} {}", first.within(level::SUM), second.within(level::SUM));
        (text.len() <= MAX_LENGTH).then_some(Condition { text, level })
    }

    /// Adds `factor` times a term to a sum.
    fn collect(&self, term: TermId, factor: i128, sum: &mut Linear, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        if (self.names)(term).is_none() {
            let args = self.store.args(term);
            match self.store.op(term) {
                Op::IntVal(_) => {
                    let value = to_i128(self.store.int_value(term)?)?;
                    sum.number = sum.number.checked_add(value.checked_mul(factor)?)?;
                    return Some(());
                }
                Op::Add => {
                    for &arg in args {
                        self.collect(arg, factor, sum, depth + 1)?;
                    }
                    return Some(());
                }
                Op::Mul if args.len() == 2 && self.store.int_value(args[0]).is_some() => {
                    let by = to_i128(self.store.int_value(args[0])?)?;
                    return self.collect(args[1], factor.checked_mul(by)?, sum, depth + 1);
                }
                _ => {}
            }
        }
        match sum.parts.iter_mut().find(|(_, other)| *other == term) {
            Some((before, _)) => *before = before.checked_add(factor)?,
            None => sum.parts.push((factor, term)),
        }
        sum.parts.retain(|(factor, _)| *factor != 0);
        Some(())
    }

    /// A sum as an expression.
    fn sum(&self, sum: Linear, depth: u32) -> Option<Said> {
        let mut parts = sum.parts;
        if parts.is_empty() {
            return self.literal(sum.number);
        }
        // Those that are added come first.
        parts.sort_by_key(|(factor, _)| *factor < 0);
        let said: Vec<(i128, Said)> = parts
            .into_iter()
            .map(|(factor, term)| Some((factor, self.number(term, depth + 1)?)))
            .collect::<Option<_>>()?;
        if let ([(1, only)], 0) = (&said[..], sum.number) {
            return Some(only.clone());
        }
        let (mut low, mut high) = (0_i128, 0_i128);
        // Everything that has to be held on the way.
        let mut least = sum.number.min(0);
        let mut most = sum.number.max(0);
        for (factor, part) in &said {
            let ends = [part.low.checked_mul(*factor)?, part.high.checked_mul(*factor)?];
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            low = low.checked_add(from)?;
            high = high.checked_add(to)?;
            let all = [from, part.low, low, factor.checked_neg()?.min(*factor)];
            least = all.into_iter().fold(least, i128::min);
            let all = [to, part.high, high, from.checked_neg()?, factor.checked_abs()?];
            most = all.into_iter().fold(most, i128::max);
        }
        low = low.checked_add(sum.number)?;
        high = high.checked_add(sum.number)?;
        (least, most) = (least.min(low), most.max(high).max(sum.number.checked_abs()?));
        let kind = self.arithmetic(&said, least, most)?;
        let mut text = String::new();
        for (factor, part) in &said {
            let is_first = text.is_empty();
            match (is_first, *factor < 0) {
                (true, true) => text.push('-'),
                (true, false) => {}
                (false, true) => text.push_str(" - "),
                (false, false) => text.push_str(" + "),
            }
            // The first one decides the type, and so does every product for itself.
            let factor = factor.checked_abs()?;
            let widened = |part: &Said| match self.needs_cast(part.kind, kind) {
                true => format!("({}){}", kind.name(), part.within(level::UNARY)),
                false => part.within(level::PRODUCT),
            };
            match factor {
                1 if is_first => text.push_str(&widened(part)),
                1 => text.push_str(&part.within(level::PRODUCT)),
                _ if kind == IntKind::LongLong && self.needs_cast(part.kind, kind) => {
                    text.push_str(&format!("{factor}LL * {}", part.within(level::UNARY)));
                }
                _ => text.push_str(&format!("{} * {}", self.literal(factor)?.text, widened(part))),
            }
            if text.len() > MAX_LENGTH {
                return None;
            }
        }
        match sum.number {
            0 => {}
            number if number < 0 => {
                text.push_str(&format!(" - {}", self.literal(number.checked_neg()?)?.text));
            }
            number => text.push_str(&format!(" + {}", self.literal(number)?.text)),
        }
        let is_product = said.len() == 1 && sum.number == 0;
        let level = if is_product && said[0].0 > 0 { level::PRODUCT } else { level::SUM };
        Some(Said { text, level, kind, low, high })
    }

    /// The narrowest type that arithmetic with these operands can be done in.
    fn arithmetic(&self, parts: &[(i128, Said)], least: i128, most: i128) -> Option<IntKind> {
        if self.style == Style::Acsl {
            return Some(IntKind::Int128);
        }
        let fits = |kind: &IntKind| {
            holds(*kind, self.model, least, most)
                && parts.iter().all(|(_, part)| common(part.kind, *kind, self.model) == *kind)
        };
        SIGNED.into_iter().find(fits)
    }

    /// Whether an operand must be cast for an operation to be done in a type.
    fn needs_cast(&self, operand: IntKind, kind: IntKind) -> bool {
        self.style == Style::C && promoted(operand) != kind
    }

    /// The value in the type that is wanted.
    fn cast(&self, said: Said, kind: IntKind) -> Said {
        match self.style {
            Style::Acsl => said,
            Style::C => Said {
                text: format!("({}){}", kind.name(), said.within(level::UNARY)),
                level: level::UNARY,
                kind,
                ..said
            },
        }
    }

    /// Two operands such that C, where they meet, keeps their values; and the type where they do.
    fn meet(&self, left: Said, right: Said) -> Option<(Said, Said, IntKind)> {
        let (low, high) = (left.low.min(right.low), left.high.max(right.high));
        if self.style == Style::Acsl {
            return Some((left, right, IntKind::Int128));
        }
        let kind = common(left.kind, right.kind, self.model);
        if holds(kind, self.model, low, high) {
            return Some((left, right, kind));
        }
        for wide in SIGNED {
            let kind = common(wide, right.kind, self.model);
            if holds(wide, self.model, left.low, left.high) && holds(kind, self.model, low, high) {
                return Some((self.cast(left, wide), right, kind));
            }
        }
        None
    }

    /// A number.
    pub(super) fn literal(&self, value: i128) -> Option<Said> {
        let said = |text: String, kind: IntKind| {
            let level = if value < 0 { level::UNARY } else { level::NAME };
            Some(Said { text, level, kind, low: value, high: value })
        };
        if self.style == Style::Acsl {
            return said(value.to_string(), IntKind::Int128);
        }
        if i32::try_from(value).is_ok() && value != i128::from(i32::MIN) {
            return said(value.to_string(), IntKind::Int);
        }
        if value == i128::from(i32::MIN) {
            return said("(-2147483647 - 1)".to_owned(), IntKind::Int);
        }
        if value == i128::from(i64::MIN) {
            return said("(-9223372036854775807LL - 1)".to_owned(), IntKind::LongLong);
        }
        match (i64::try_from(value).is_ok(), u64::try_from(value).is_ok()) {
            (true, _) => said(format!("{value}LL"), IntKind::LongLong),
            (_, true) => said(format!("{value}ULL"), IntKind::UnsignedLongLong),
            _ => None,
        }
    }

    /// A term that is a number.
    pub(super) fn number(&self, term: TermId, depth: u32) -> Option<Said> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(name) = (self.names)(term) {
            let (low, high) = range(name.kind, self.model)?;
            return Some(Said { text: name.text, level: level::NAME, kind: name.kind, low, high });
        }
        let args = self.store.args(term);
        match self.store.op(term) {
            Op::IntVal(_) => self.literal(to_i128(self.store.int_value(term)?)?),
            Op::Add => self.linear(term, depth),
            Op::Mul if self.store.int_value(args[0]).is_some() => self.linear(term, depth),
            Op::Mul => self.product(args, depth),
            Op::Mod => self.remainder(args[0], args[1], depth),
            Op::IntDiv => self.quotient(args[0], args[1], depth),
            Op::Ite => {
                let test = self.condition(args[0], depth + 1)?;
                let then = self.number(args[1], depth + 1)?;
                let otherwise = self.number(args[2], depth + 1)?;
                let (low, high) = (then.low.min(otherwise.low), then.high.max(otherwise.high));
                let (then, otherwise, kind) = self.meet(then, otherwise)?;
                let text = format!(
                    "{} ? {} : {}",
                    test.within(level::OR),
                    then.within(level::OR),
                    otherwise.within(level::OR)
                );
                (text.len() <= MAX_LENGTH).then_some(Said {
                    text,
                    level: level::CHOICE,
                    kind,
                    low,
                    high,
                })
            }
            _ => None,
        }
    }

    fn linear(&self, term: TermId, depth: u32) -> Option<Said> {
        let mut sum = Linear::default();
        self.collect(term, 1, &mut sum, depth)?;
        self.sum(sum, depth)
    }

    fn product(&self, args: &[TermId], depth: u32) -> Option<Said> {
        let mut all = self.number(args[0], depth + 1)?;
        for &arg in &args[1..] {
            let next = self.number(arg, depth + 1)?;
            let ends = [
                all.low.checked_mul(next.low)?,
                all.low.checked_mul(next.high)?,
                all.high.checked_mul(next.low)?,
                all.high.checked_mul(next.high)?,
            ];
            let low = ends.into_iter().min()?;
            let high = ends.into_iter().max()?;
            let least = low.min(all.low).min(next.low);
            let most = high.max(all.high).max(next.high);
            let kind = self.arithmetic(&[(1, all.clone()), (1, next.clone())], least, most)?;
            if self.needs_cast(all.kind, kind) {
                all = self.cast(all, kind);
            }
            let text = format!("{} * {}", all.within(level::PRODUCT), next.within(level::UNARY));
            all = Said { text, level: level::PRODUCT, kind, low, high };
        }
        (all.text.len() <= MAX_LENGTH).then_some(all)
    }

    /// The literal that divides, if it is above 0.
    fn divisor(&self, term: TermId) -> Option<(i128, Said)> {
        let value = to_i128(self.store.int_value(term)?).filter(|value| *value > 0)?;
        Some((value, self.literal(value)?))
    }

    /// The remainder that is never negative.
    fn remainder(&self, left: TermId, right: TermId, depth: u32) -> Option<Said> {
        let (value, divisor) = self.divisor(right)?;
        let left = self.number(left, depth + 1)?;
        let is_natural = left.low >= 0;
        let high = if is_natural { left.high.min(value - 1) } else { value - 1 };
        let (left, text_level) = (left, level::PRODUCT);
        let (left, divisor, kind) = if is_natural {
            self.meet(left, divisor)?
        } else {
            // The remainder and the divisor are added, too.
            let wide = Said { high: value.checked_mul(2)?, ..divisor };
            self.meet(left, wide)?
        };
        let (left, by) = (left.within(level::PRODUCT), divisor.text);
        let text = match is_natural {
            true => format!("{left} % {by}"),
            false => format!("({left} % {by} + {by}) % {by}"),
        };
        Some(Said { text, level: text_level, kind, low: 0, high })
    }

    /// The quotient whose remainder is never negative.
    fn quotient(&self, left: TermId, right: TermId, depth: u32) -> Option<Said> {
        let (value, divisor) = self.divisor(right)?;
        let left = self.number(left, depth + 1)?;
        let (low, high) = (left.low.div_euclid(value), left.high.div_euclid(value));
        if left.low >= 0 {
            let (left, divisor, kind) = self.meet(left, divisor)?;
            let text = format!("{} / {}", left.within(level::PRODUCT), divisor.text);
            return Some(Said { text, level: level::PRODUCT, kind, low, high });
        }
        let wide =
            Said { low: left.low.checked_sub(value)?, high: value.checked_mul(2)?, ..divisor };
        let (left, divisor, kind) = self.meet(left, wide)?;
        let (left, by) = (left.within(level::PRODUCT), divisor.text);
        let text = format!("({left} - ({left} % {by} + {by}) % {by}) / {by}");
        (text.len() <= MAX_LENGTH).then_some(Said { text, level: level::PRODUCT, kind, low, high })
    }
}

fn flipped(sign: &str) -> &str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}
