//! Integers from and to machine words, long integers and decimal text.
//!
//! Every way in ends in the canonical shape; every narrowing way out is an `Option`.
//! Text of up to eighteen digits is read in one pass without a check for overflow.
//! Longer text is checked to be digits and handed to `dashu`, whose reader divides and
//! conquers, so that a literal of a megabyte does not take quadratic time. The check
//! comes first because that reader is more generous than any of our languages: it
//! takes a `+` sign and underscores.

use std::fmt;

use dashu_int::{IBig, UBig};

use super::{
    Int,
    Repr::{Big, Small},
};

/// The most decimal digits that fit an `i64` whatever they are.
const SHORT_DIGITS: usize = 18;

impl Int {
    /// Reads an optional `-` and decimal digits; `None` for anything else.
    pub fn parse_decimal(text: &[u8]) -> Option<Int> {
        let (digits, negative) = match text.strip_prefix(b"-") {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        let magnitude = Int::parse_digits(digits)?;
        Some(if negative { -magnitude } else { magnitude })
    }

    /// Reads one or more decimal digits without a sign.
    pub(in super::super) fn parse_digits(digits: &[u8]) -> Option<Int> {
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        if digits.len() <= SHORT_DIGITS {
            let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
            return Some(Int::from_i64(value));
        }
        let text = str::from_utf8(digits).expect("decimal digits are text");
        Some(Int::from(UBig::from_str_radix(text, 10).expect("the digits were checked")))
    }

    /// The value as an `i64`, when it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(value) => Some(value),
            Big(_) => None,
        }
    }

    /// The value as a `u64`, when it fits.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Small(value) => u64::try_from(*value).ok(),
            Big(value) => u64::try_from(&**value).ok(),
        }
    }

    /// The value as a `u32`, when it fits.
    #[inline]
    pub fn to_u32(&self) -> Option<u32> {
        self.to_i64().and_then(|value| u32::try_from(value).ok())
    }

    /// A copy of the value as a long integer.
    pub fn to_ibig(&self) -> IBig {
        match &self.0 {
            Small(value) => IBig::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// A copy of the value as a long natural number, unless it is negative.
    pub fn to_ubig(&self) -> Option<UBig> {
        match &self.0 {
            Small(value) => UBig::try_from(*value).ok(),
            Big(value) => value.as_ubig().cloned(),
        }
    }
}

impl From<i64> for Int {
    #[inline]
    fn from(value: i64) -> Int {
        Int::from_i64(value)
    }
}

impl From<i32> for Int {
    #[inline]
    fn from(value: i32) -> Int {
        Int::from_i64(value.into())
    }
}

impl From<u32> for Int {
    #[inline]
    fn from(value: u32) -> Int {
        Int::from_i64(value.into())
    }
}

/// Conversions from types wider than the inline shape on one side or both.
macro_rules! from_wide {
    ($($type:ty),*) => {$(
        impl From<$type> for Int {
            #[inline]
            fn from(value: $type) -> Int {
                match i64::try_from(value) {
                    Ok(value) => Int::from_i64(value),
                    Err(_) => Int(Big(Box::new(IBig::from(value)))),
                }
            }
        }
    )*};
}

from_wide!(u64, usize, i128, u128);

impl From<IBig> for Int {
    #[inline]
    fn from(value: IBig) -> Int {
        match i64::try_from(&value) {
            Ok(value) => Int::from_i64(value),
            Err(_) => Int(Big(Box::new(value))),
        }
    }
}

impl From<UBig> for Int {
    #[inline]
    fn from(value: UBig) -> Int {
        Int::from(IBig::from(value))
    }
}

impl From<Int> for IBig {
    #[inline]
    fn from(value: Int) -> IBig {
        match value.0 {
            Small(value) => IBig::from(value),
            Big(value) => *value,
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => value.fmt(f),
            Big(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
