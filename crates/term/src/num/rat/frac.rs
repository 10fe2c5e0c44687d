//! Fractions of long integers.
//!
//! The arithmetic of Knuth, TAOCP 2, 4.5.1: divide common factors out of the operands
//! before multiplying, not out of the product. The divisors are then computed on
//! numbers of the operands' length, and most of them are 1.
//!
//! Invariant: numerator and denominator are coprime and the denominator is positive.
//! A [`Frac`] may be small enough for the inline shape while it is an intermediate
//! result; the conversion into [`Rat`] settles that.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::num::NonZeroI64;

use dashu_int::ops::{DivEuclid, Gcd};
use dashu_int::{IBig, UBig};

use super::super::int::sign_of;
use super::{
    Rat,
    Repr::{Big, Small},
};

/// A fraction in lowest terms, of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Frac {
    pub(super) num: IBig,
    pub(super) den: UBig,
}

impl Frac {
    pub(super) const ZERO: Frac = Frac { num: IBig::ZERO, den: UBig::ONE };

    #[inline]
    pub(super) fn from_small(num: i64, den: NonZeroI64) -> Frac {
        Frac { num: IBig::from(num), den: UBig::from(den.get().unsigned_abs()) }
    }

    /// Divides out common factors; the denominator must not be zero.
    pub(super) fn reduce(num: IBig, den: UBig) -> Frac {
        let divisor = (&num).gcd(&den);
        if divisor.is_one() {
            return Frac { num, den };
        }
        Frac { num: num / &divisor, den: den / divisor }
    }

    pub(super) fn add(&self, other: &Frac) -> Frac {
        self.combine(other, |a, b| a + b)
    }

    pub(super) fn sub(&self, other: &Frac) -> Frac {
        self.combine(other, |a, b| a - b)
    }

    /// Sum or difference, given as the operation on numerators.
    fn combine(&self, other: &Frac, operation: impl FnOnce(IBig, IBig) -> IBig) -> Frac {
        if self.den == other.den {
            let num = operation(self.num.clone(), other.num.clone());
            return Frac::reduce(num, self.den.clone());
        }
        let divisor = common(&self.den, &other.den);
        if divisor.is_one() {
            let num = operation(&self.num * &other.den, &other.num * &self.den);
            return Frac { num, den: &self.den * &other.den };
        }
        let other_den = &other.den / &divisor;
        let num = operation(&self.num * &other_den, &other.num * (&self.den / &divisor));
        // A factor of the sum and of its denominator divides the divisor.
        let rest = (&num).gcd(&divisor);
        if rest.is_one() {
            return Frac { num, den: &self.den * other_den };
        }
        Frac { num: num / &rest, den: (&self.den / rest) * other_den }
    }

    pub(super) fn mul(&self, other: &Frac) -> Frac {
        self.mul_parts(&other.num, &other.den)
    }

    /// The quotient; the divisor must not be zero.
    pub(super) fn div(&self, other: &Frac) -> Frac {
        let (sign, num) = other.num.clone().into_parts();
        self.mul_parts(&IBig::from_parts(sign, other.den.clone()), &num)
    }

    fn mul_parts(&self, num: &IBig, den: &UBig) -> Frac {
        let (left_num, right_den) = cancel(&self.num, den);
        let (right_num, left_den) = cancel(num, &self.den);
        Frac { num: &*left_num * &*right_num, den: &*left_den * &*right_den }
    }

    /// The multiplicative inverse; the value must not be zero.
    pub(super) fn recip(&self) -> Frac {
        let (sign, num) = self.num.clone().into_parts();
        Frac { num: IBig::from_parts(sign, self.den.clone()), den: num }
    }

    pub(super) fn floor(&self) -> IBig {
        (&self.num).div_euclid(self.den.as_ibig())
    }

    pub(super) fn compare(&self, other: &Frac) -> Ordering {
        sign_of(&self.num)
            .cmp(&sign_of(&other.num))
            .then_with(|| (&self.num * &other.den).cmp(&(&other.num * &self.den)))
    }
}

/// The greatest common divisor, without work when either operand is 1.
fn common(a: &UBig, b: &UBig) -> UBig {
    if a.is_one() || b.is_one() { UBig::ONE } else { a.gcd(b) }
}

/// A numerator and a denominator without their common factors.
fn cancel<'a>(num: &'a IBig, den: &'a UBig) -> (Cow<'a, IBig>, Cow<'a, UBig>) {
    if den.is_one() {
        return (Cow::Borrowed(num), Cow::Borrowed(den));
    }
    let divisor = num.gcd(den);
    if divisor.is_one() {
        return (Cow::Borrowed(num), Cow::Borrowed(den));
    }
    (Cow::Owned(num / &divisor), Cow::Owned(den / divisor))
}

impl From<Frac> for Rat {
    /// Settles the shape: inline when both parts fit.
    #[inline]
    fn from(frac: Frac) -> Rat {
        if let Ok(num) = i64::try_from(&frac.num)
            && let Ok(den) = i64::try_from(&frac.den)
            && let Some(den) = NonZeroI64::new(den)
        {
            return Rat(Small(num, den));
        }
        Rat(Big(Box::new(frac)))
    }
}
