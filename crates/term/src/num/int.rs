//! Exact integers.
//!
//! An [`Int`] is an `i64` or, outside that range, a boxed `IBig`. Sums and products
//! try the checked machine operation first and take the long way in a function of its
//! own, so that the short way is inlined into the caller.
//!
//! Invariant: a value in the range of `i64` is never boxed. Hence a boxed value is
//! larger in magnitude than every inline one, and comparing across the two shapes
//! needs only a sign.

mod convert;
mod divide;

use std::cmp::Ordering;
use std::ops::Neg;

use dashu_int::ops::{Abs, BitTest, Gcd};
use dashu_int::{IBig, Sign, UBig};

use super::gcd::gcd;
use Repr::{Big, Small};

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<IBig>),
}

const _: () = assert!(size_of::<Int>() == 16);

impl Int {
    /// The integer 0.
    pub const ZERO: Int = Int::from_i64(0);
    /// The integer 1.
    pub const ONE: Int = Int::from_i64(1);
    /// The integer −1.
    pub const MINUS_ONE: Int = Int::from_i64(-1);

    /// The integer of a machine word, usable in constants.
    #[inline]
    pub const fn from_i64(value: i64) -> Int {
        Int(Small(value))
    }

    /// Whether the value is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Whether the value is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
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
            Small(value) => value.signum() as i32,
            Big(value) => sign_of(value),
        }
    }

    /// The absolute value.
    #[inline]
    pub fn abs(&self) -> Int {
        match &self.0 {
            Small(value) => Int::from(value.unsigned_abs()),
            Big(value) => Int::from((&**value).abs()),
        }
    }

    /// The number of bits of the absolute value; 0 for 0.
    pub fn bit_len(&self) -> usize {
        match &self.0 {
            Small(value) => (u64::BITS - value.unsigned_abs().leading_zeros()) as usize,
            Big(value) => value.bit_len(),
        }
    }

    /// The greatest common divisor, never negative; `gcd(0, 0)` is 0.
    #[inline]
    pub fn gcd(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Int::from(gcd(a.unsigned_abs(), b.unsigned_abs())),
            // The long algorithm refuses two zeros; a boxed operand is not zero.
            _ => on_big(self, other, |a, b| a.gcd(b).into()),
        }
    }

    /// The least common multiple, never negative; 0 when either operand is 0.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
            return Int::from(u128::from(a / gcd(a, b)) * u128::from(b));
        }
        let cofactor = self.div_exact(&self.gcd(other)).expect("a number's divisor divides it");
        (cofactor * other).abs()
    }

    /// The power; `pow(0)` is 1 for every base.
    ///
    /// The result has about `exponent` times the bits of the base: the caller bounds
    /// exponents that come from input.
    pub fn pow(&self, exponent: u32) -> Int {
        match &self.0 {
            Small(base) => match base.checked_pow(exponent) {
                Some(power) => Int::from_i64(power),
                None => Int::from(IBig::from(*base).pow(exponent as usize)),
            },
            Big(base) => Int::from(base.pow(exponent as usize)),
        }
    }

    /// The residue modulo 2 to the power `bits`: the two's complement bit pattern.
    pub fn mod_pow2(&self, bits: u32) -> UBig {
        if let Small(value) = self.0 {
            if bits < u64::BITS {
                return UBig::from(value.cast_unsigned() & ((1 << bits) - 1));
            }
            if value >= 0 || bits == u64::BITS {
                return UBig::from(value.cast_unsigned());
            }
        }
        let bits = bits as usize;
        let (sign, mut magnitude) = self.to_ibig().into_parts();
        magnitude.clear_high_bits(bits);
        if sign == Sign::Positive || magnitude.is_zero() {
            return magnitude;
        }
        UBig::ones(bits) - magnitude + UBig::ONE
    }

    /// Adds `a * b` in place.
    #[inline]
    pub fn mul_add_assign(&mut self, a: &Int, b: &Int) {
        if let (Small(value), Small(a), Small(b)) = (&mut self.0, &a.0, &b.0)
            && let Some(sum) = a.checked_mul(*b).and_then(|product| value.checked_add(product))
        {
            *value = sum;
            return;
        }
        self.add_in_place(&a.mul_by_ref(b));
    }

    /// Subtracts `a * b` in place.
    #[inline]
    pub fn mul_sub_assign(&mut self, a: &Int, b: &Int) {
        if let (Small(value), Small(a), Small(b)) = (&mut self.0, &a.0, &b.0)
            && let Some(rest) = a.checked_mul(*b).and_then(|product| value.checked_sub(product))
        {
            *value = rest;
            return;
        }
        self.sub_in_place(&a.mul_by_ref(b));
    }

    #[inline]
    fn add_by_ref(&self, rhs: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &rhs.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Int::from_i64(sum);
        }
        on_big(self, rhs, |a, b| a + b)
    }

    #[inline]
    fn add_in_place(&mut self, rhs: &Int) {
        if let (Small(a), Small(b)) = (&mut self.0, &rhs.0)
            && let Some(sum) = a.checked_add(*b)
        {
            *a = sum;
            return;
        }
        in_big(self, rhs, |a, b| *a += b);
    }

    #[inline]
    fn sub_by_ref(&self, rhs: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &rhs.0)
            && let Some(difference) = a.checked_sub(*b)
        {
            return Int::from_i64(difference);
        }
        on_big(self, rhs, |a, b| a - b)
    }

    #[inline]
    fn sub_in_place(&mut self, rhs: &Int) {
        if let (Small(a), Small(b)) = (&mut self.0, &rhs.0)
            && let Some(difference) = a.checked_sub(*b)
        {
            *a = difference;
            return;
        }
        in_big(self, rhs, |a, b| *a -= b);
    }

    #[inline]
    fn mul_by_ref(&self, rhs: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &rhs.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Int::from_i64(product);
        }
        on_big(self, rhs, |a, b| a * b)
    }

    #[inline]
    fn mul_in_place(&mut self, rhs: &Int) {
        *self = self.mul_by_ref(rhs);
    }

    /// The value as a long integer: the boxed one, or a copy placed in `slot`.
    #[inline]
    fn as_big<'a>(&'a self, slot: &'a mut IBig) -> &'a IBig {
        match &self.0 {
            Small(value) => {
                *slot = IBig::from(*value);
                slot
            }
            Big(value) => value,
        }
    }
}

operator!(Int, Add::add, add_by_ref, AddAssign::add_assign, add_in_place);
operator!(Int, Sub::sub, sub_by_ref, SubAssign::sub_assign, sub_in_place);
operator!(Int, Mul::mul, mul_by_ref, MulAssign::mul_assign, mul_in_place);

/// Applies a long operation to two values of any shape.
#[cold]
#[inline(never)]
fn on_big(a: &Int, b: &Int, operation: impl FnOnce(&IBig, &IBig) -> IBig) -> Int {
    let (mut slot_a, mut slot_b) = (IBig::ZERO, IBig::ZERO);
    Int::from(operation(a.as_big(&mut slot_a), b.as_big(&mut slot_b)))
}

/// Applies a long operation to `a`, in its own buffer when it has one.
#[cold]
#[inline(never)]
fn in_big(a: &mut Int, b: &Int, operation: impl FnOnce(&mut IBig, &IBig)) {
    let mut slot = IBig::ZERO;
    let b = b.as_big(&mut slot);
    match &mut a.0 {
        Small(value) => {
            let mut long = IBig::from(*value);
            operation(&mut long, b);
            *a = Int::from(long);
        }
        Big(value) => {
            operation(value, b);
            if let Ok(value) = i64::try_from(&**value) {
                *a = Int::from_i64(value);
            }
        }
    }
}

/// The sign of a long integer as −1, 0 or 1.
pub(super) fn sign_of(value: &IBig) -> i32 {
    match value.sign() {
        Sign::Negative => -1,
        Sign::Positive => i32::from(!value.is_zero()),
    }
}

impl Neg for Int {
    type Output = Int;

    #[inline]
    fn neg(self) -> Int {
        match self.0 {
            Small(value) => match value.checked_neg() {
                Some(value) => Int::from_i64(value),
                None => Int::from(-i128::from(value)),
            },
            Big(value) => Int::from(-*value),
        }
    }
}

impl Neg for &Int {
    type Output = Int;

    #[inline]
    fn neg(self) -> Int {
        -self.clone()
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            (Small(_), Big(b)) => 0.cmp(&sign_of(b)),
            (Big(a), Small(_)) => sign_of(a).cmp(&0),
        }
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Int {
    #[inline]
    fn default() -> Int {
        Int::ZERO
    }
}
