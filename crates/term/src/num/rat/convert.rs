//! Rationals from and to integers and decimal text.
//!
//! A decimal `12.340` is the integer 1234 over 100. Once the trailing zeros of the
//! fraction are dropped, the digits are not divisible by ten, so they share with the
//! power of ten either twos or fives, not both: reducing is a shift or a removal of
//! fives instead of a general divisor, which would be quadratic in the length of the
//! text.

use std::fmt;
use std::num::NonZeroI64;

use dashu_int::ops::UnsignedAbs;
use dashu_int::{IBig, UBig};

use super::super::gcd::gcd;
use super::frac::Frac;
use super::{
    Int, Rat,
    Repr::{Big, Small},
};

/// The most digits of a decimal whose power of ten fits an `i64`.
const SHORT_DIGITS: usize = 18;

impl Rat {
    /// The quotient of two integers; `None` for a zero denominator.
    pub fn new(num: Int, den: Int) -> Option<Rat> {
        if let (Some(num), Some(den)) = (num.to_i64(), den.to_i64()) {
            return Rat::ratio(num, den);
        }
        if den.is_zero() {
            return None;
        }
        let (sign, den) = IBig::from(den).into_parts();
        Some(Frac::reduce(IBig::from(num) * sign, den).into())
    }

    /// The quotient of two machine words; `None` for a zero denominator.
    #[inline]
    pub fn ratio(num: i64, den: i64) -> Option<Rat> {
        if den == 0 {
            return None;
        }
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        let magnitude = i128::from(num.unsigned_abs() / divisor);
        let signed = if (num < 0) == (den < 0) { magnitude } else { -magnitude };
        let den = den.unsigned_abs() / divisor;
        if let Ok(num) = i64::try_from(signed)
            && let Ok(den) = i64::try_from(den)
        {
            return Some(Rat(Small(num, NonZeroI64::new(den)?)));
        }
        Some(Rat(Big(Box::new(Frac { num: signed.into(), den: den.into() }))))
    }

    /// The value as an integer, when it is one.
    #[inline]
    pub fn to_int(&self) -> Option<Int> {
        self.is_integer().then(|| self.numerator())
    }

    /// Reads an optional `-`, digits, and optionally a point and digits; `None` for
    /// anything else.
    pub fn parse_decimal(text: &[u8]) -> Option<Rat> {
        let (text, negative) = match text.strip_prefix(b"-") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let magnitude = match text.iter().position(|&byte| byte == b'.') {
            None => Rat::from(Int::parse_digits(text)?),
            Some(point) => parse_fraction(&text[..point], &text[point + 1..])?,
        };
        Some(if negative { -magnitude } else { magnitude })
    }
}

/// Reads the digits before and after a decimal point.
fn parse_fraction(whole: &[u8], places: &[u8]) -> Option<Rat> {
    if whole.is_empty() || places.is_empty() {
        return None;
    }
    let zeros = places.iter().rev().take_while(|&&digit| digit == b'0').count();
    let places = &places[..places.len() - zeros];
    let digits = Int::parse_digits(&[whole, places].concat())?;
    if places.len() <= SHORT_DIGITS {
        let power = 10_i64.pow(u32::try_from(places.len()).ok()?);
        return Rat::new(digits, Int::from_i64(power));
    }
    let mut num = IBig::from(digits).unsigned_abs();
    let exponent = places.len();
    let twos = num.trailing_zeros().unwrap_or(0).min(exponent);
    num >>= twos;
    let five = UBig::from(5_u8);
    let fives = remove_fives(&mut num, exponent);
    let den = five.pow(exponent - fives) << (exponent - twos);
    Some(Frac { num: num.into(), den }.into())
}

/// Divides out at most `limit` factors of five and returns how many.
fn remove_fives(num: &mut UBig, limit: usize) -> usize {
    let five = UBig::from(5_u8);
    let fives = num.remove(&five).unwrap_or(0);
    let surplus = fives.saturating_sub(limit);
    if surplus > 0 {
        *num *= five.pow(surplus);
    }
    fives - surplus
}

impl From<i64> for Rat {
    #[inline]
    fn from(value: i64) -> Rat {
        Rat::from_i64(value)
    }
}

impl From<i32> for Rat {
    #[inline]
    fn from(value: i32) -> Rat {
        Rat::from_i64(value.into())
    }
}

impl From<Int> for Rat {
    #[inline]
    fn from(value: Int) -> Rat {
        match value.to_i64() {
            Some(value) => Rat::from_i64(value),
            None => Rat(Big(Box::new(Frac { num: value.into(), den: UBig::ONE }))),
        }
    }
}

impl From<&Int> for Rat {
    #[inline]
    fn from(value: &Int) -> Rat {
        Rat::from(value.clone())
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(num, den) if den.get() == 1 => write!(f, "{num}"),
            Small(num, den) => write!(f, "{num}/{den}"),
            Big(frac) if frac.den.is_one() => write!(f, "{}", frac.num),
            Big(frac) => write!(f, "{}/{}", frac.num, frac.den),
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
