//! Exact rationals.
//!
//! A [`Rat`] is an `i64` over a positive `i64`, or a boxed pair of long integers. The
//! denominator of the inline shape is a non-zero type, and the compiler keeps the tag
//! of the enum in its missing value: sixteen bytes in all. Denominators stop at
//! `i64::MAX` rather than `u64::MAX`, because then a cross product stays below 2 to
//! the 126th and the sum of two of them cannot overflow 128 bits.
//!
//! Invariant: numerator and denominator are coprime, the denominator is positive, and
//! the pair is inline whenever both parts fit.

mod arith;
mod convert;
mod frac;
mod simplest;

use std::cmp::Ordering;
use std::num::NonZeroI64;

use dashu_int::ops::BitTest;

use super::int::{Int, sign_of};
use Repr::{Big, Small};
use frac::Frac;

/// A rational number of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, NonZeroI64),
    Big(Box<Frac>),
}

const _: () = assert!(size_of::<Rat>() == 16);

/// The denominator of an integer.
const UNIT: NonZeroI64 = NonZeroI64::new(1).expect("one is not zero");

impl Rat {
    /// The number 0.
    pub const ZERO: Rat = Rat::from_i64(0);
    /// The number 1.
    pub const ONE: Rat = Rat::from_i64(1);
    /// The number −1.
    pub const MINUS_ONE: Rat = Rat::from_i64(-1);

    /// The rational of a machine word, usable in constants.
    #[inline]
    pub const fn from_i64(value: i64) -> Rat {
        Rat(Small(value, UNIT))
    }

    /// Whether the value is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Whether the value is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1, den) if den.get() == 1)
    }

    /// Whether the value is below 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether the value is above 0.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The sign as −1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(num, _) => num.signum() as i32,
            Big(frac) => sign_of(&frac.num),
        }
    }

    /// Whether the value is an integer.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, den) => den.get() == 1,
            Big(frac) => frac.den.is_one(),
        }
    }

    /// The numerator in lowest terms; it carries the sign.
    #[inline]
    pub fn numerator(&self) -> Int {
        match &self.0 {
            Small(num, _) => Int::from_i64(*num),
            Big(frac) => Int::from(frac.num.clone()),
        }
    }

    /// The denominator in lowest terms, always positive.
    #[inline]
    pub fn denominator(&self) -> Int {
        match &self.0 {
            Small(_, den) => Int::from_i64(den.get()),
            Big(frac) => Int::from(frac.den.clone()),
        }
    }

    /// The bits of numerator and denominator together.
    pub fn bit_len(&self) -> u64 {
        match &self.0 {
            Small(num, den) => {
                let bits = |value: u64| u64::from(u64::BITS - value.leading_zeros());
                bits(num.unsigned_abs()) + bits(den.get().unsigned_abs())
            }
            Big(frac) => frac.num.bit_len() as u64 + frac.den.bit_len() as u64,
        }
    }

    /// The greatest integer that is not above the value.
    #[inline]
    pub fn floor(&self) -> Int {
        match &self.0 {
            Small(num, den) => Int::from_i64(num.div_euclid(den.get())),
            Big(frac) => Int::from(frac.floor()),
        }
    }

    /// The least integer that is not below the value.
    #[inline]
    pub fn ceil(&self) -> Int {
        let floor = self.floor();
        if self.is_integer() { floor } else { floor + Int::ONE }
    }

    /// The absolute value.
    #[inline]
    pub fn abs(&self) -> Rat {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The multiplicative inverse; `None` for 0.
    #[inline]
    pub fn recip(&self) -> Option<Rat> {
        match &self.0 {
            Small(0, _) => None,
            // The least numerator has no negation to become a denominator.
            Small(num, den) if *num > i64::MIN => {
                let den = den.get() * num.signum();
                Some(Rat(Small(den, NonZeroI64::new(num.abs())?)))
            }
            Small(num, den) => Some(Frac::from_small(*num, *den).recip().into()),
            Big(frac) => Some(frac.recip().into()),
        }
    }

    /// The number halfway between two numbers.
    pub fn midpoint(&self, other: &Rat) -> Rat {
        let half = Rat::ratio(1, 2).expect("two is not zero");
        (self + other) * half
    }

    /// The value as a long fraction: the boxed one, or a copy placed in `slot`.
    #[inline]
    fn as_big<'a>(&'a self, slot: &'a mut Frac) -> &'a Frac {
        match &self.0 {
            Small(num, den) => {
                *slot = Frac::from_small(*num, *den);
                slot
            }
            Big(frac) => frac,
        }
    }
}

impl Ord for Rat {
    #[inline]
    fn cmp(&self, other: &Rat) -> Ordering {
        if let (Small(a, b), Small(c, d)) = (&self.0, &other.0) {
            let left = i128::from(*a) * i128::from(d.get());
            return left.cmp(&(i128::from(*c) * i128::from(b.get())));
        }
        on_big(self, other, Frac::compare)
    }
}

impl PartialOrd for Rat {
    #[inline]
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Rat {
    #[inline]
    fn default() -> Rat {
        Rat::ZERO
    }
}

/// Applies a long operation to two values of any shape.
#[cold]
#[inline(never)]
fn on_big<T>(a: &Rat, b: &Rat, operation: impl FnOnce(&Frac, &Frac) -> T) -> T {
    let (mut slot_a, mut slot_b) = (Frac::ZERO, Frac::ZERO);
    operation(a.as_big(&mut slot_a), b.as_big(&mut slot_b))
}
