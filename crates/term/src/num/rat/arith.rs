//! Arithmetic on rationals: the inline paths and the fused row operations.
//!
//! Simplex spends its time subtracting a multiple of one row from another, so
//! [`Rat::mul_sub_assign`] is the operation that counts. Three integers, the common
//! case, cost one wide multiplication and one comparison of ranges.
//!
//! On machine words a common divisor costs mispredicted branches, and several small
//! ones cost more than a single large one. Where the products fit in 64 bits, fractions
//! are therefore multiplied out and reduced once, against the usual advice; where they
//! do not, factors are cancelled crosswise first, as in `frac.rs`
//! (bench/notes/numbers.md). A kernel answers `None` when its result does not fit
//! inline; the same operation is then done again on long integers.

use std::num::NonZeroI64;
use std::ops::Neg;

use super::super::gcd::{gcd, gcd_wide};
use super::frac::Frac;
use super::{
    Rat,
    Repr::{Big, Small},
    UNIT, on_big,
};

/// An inline fraction: numerator and positive denominator.
type Pair = (i64, NonZeroI64);

impl Rat {
    /// The quotient; `None` for a zero divisor.
    #[inline]
    pub fn checked_div(&self, divisor: &Rat) -> Option<Rat> {
        if divisor.is_zero() {
            return None;
        }
        if let (Small(a, b), Small(c, d)) = (&self.0, &divisor.0)
            && let Some((num, den)) = div_small((*a, *b), (*c, *d))
        {
            return Some(Rat(Small(num, den)));
        }
        Some(on_big(self, divisor, Frac::div).into())
    }

    /// Adds `a * b` in place.
    #[inline]
    pub fn mul_add_assign(&mut self, a: &Rat, b: &Rat) {
        if let (Small(n, d), Small(an, ad), Small(bn, bd)) = (&mut self.0, &a.0, &b.0) {
            if d.get() | ad.get() | bd.get() == 1 {
                let sum = i128::from(*n) + i128::from(*an) * i128::from(*bn);
                if let Ok(sum) = i64::try_from(sum) {
                    *n = sum;
                    return;
                }
            } else if let Some(sum) = mul_add_small((*n, *d), (*an, *ad), (*bn, *bd)) {
                (*n, *d) = sum;
                return;
            }
        }
        self.mul_add_long(a, b);
    }

    /// Subtracts `a * b` in place.
    #[inline]
    pub fn mul_sub_assign(&mut self, a: &Rat, b: &Rat) {
        if let (Small(n, d), Small(an, ad), Small(bn, bd)) = (&mut self.0, &a.0, &b.0) {
            if d.get() | ad.get() | bd.get() == 1 {
                let rest = i128::from(*n) - i128::from(*an) * i128::from(*bn);
                if let Ok(rest) = i64::try_from(rest) {
                    *n = rest;
                    return;
                }
            } else if let Some(an) = an.checked_neg()
                && let Some(rest) = mul_add_small((*n, *d), (an, *ad), (*bn, *bd))
            {
                (*n, *d) = rest;
                return;
            }
        }
        self.mul_sub_long(a, b);
    }

    #[cold]
    #[inline(never)]
    fn mul_add_long(&mut self, a: &Rat, b: &Rat) {
        let mut slot = Frac::ZERO;
        let product = on_big(a, b, Frac::mul);
        *self = self.as_big(&mut slot).add(&product).into();
    }

    #[cold]
    #[inline(never)]
    fn mul_sub_long(&mut self, a: &Rat, b: &Rat) {
        let mut slot = Frac::ZERO;
        let product = on_big(a, b, Frac::mul);
        *self = self.as_big(&mut slot).sub(&product).into();
    }

    #[inline]
    fn add_by_ref(&self, rhs: &Rat) -> Rat {
        if let (Small(a, b), Small(c, d)) = (&self.0, &rhs.0)
            && let Some((num, den)) = add_small((*a, *b), (*c, *d))
        {
            return Rat(Small(num, den));
        }
        on_big(self, rhs, Frac::add).into()
    }

    #[inline]
    fn sub_by_ref(&self, rhs: &Rat) -> Rat {
        if let (Small(a, b), Small(c, d)) = (&self.0, &rhs.0)
            && let Some(c) = c.checked_neg()
            && let Some((num, den)) = add_small((*a, *b), (c, *d))
        {
            return Rat(Small(num, den));
        }
        on_big(self, rhs, Frac::sub).into()
    }

    #[inline]
    fn mul_by_ref(&self, rhs: &Rat) -> Rat {
        if let (Small(a, b), Small(c, d)) = (&self.0, &rhs.0)
            && let Some((num, den)) = mul_small((*a, *b), (*c, *d))
        {
            return Rat(Small(num, den));
        }
        on_big(self, rhs, Frac::mul).into()
    }

    #[inline]
    fn div_by_ref(&self, rhs: &Rat) -> Rat {
        self.checked_div(rhs).expect("the caller of `/` excludes a zero divisor")
    }

    #[inline]
    fn add_in_place(&mut self, rhs: &Rat) {
        *self = self.add_by_ref(rhs);
    }

    #[inline]
    fn sub_in_place(&mut self, rhs: &Rat) {
        *self = self.sub_by_ref(rhs);
    }

    #[inline]
    fn mul_in_place(&mut self, rhs: &Rat) {
        *self = self.mul_by_ref(rhs);
    }

    #[inline]
    fn div_in_place(&mut self, rhs: &Rat) {
        *self = self.div_by_ref(rhs);
    }
}

operator!(Rat, Add::add, add_by_ref, AddAssign::add_assign, add_in_place);
operator!(Rat, Sub::sub, sub_by_ref, SubAssign::sub_assign, sub_in_place);
operator!(Rat, Mul::mul, mul_by_ref, MulAssign::mul_assign, mul_in_place);
operator!(
    /// Panics on a zero divisor; see [`Rat::checked_div`].
    Rat, Div::div, div_by_ref, DivAssign::div_assign, div_in_place
);

impl Neg for Rat {
    type Output = Rat;

    #[inline]
    fn neg(self) -> Rat {
        match self.0 {
            Small(num, den) => match num.checked_neg() {
                Some(num) => Rat(Small(num, den)),
                None => {
                    let Frac { num, den } = Frac::from_small(num, den);
                    Frac { num: -num, den }.into()
                }
            },
            Big(frac) => Frac { num: -frac.num, den: frac.den }.into(),
        }
    }
}

impl Neg for &Rat {
    type Output = Rat;

    #[inline]
    fn neg(self) -> Rat {
        -self.clone()
    }
}

/// The sum of two inline fractions, if it is inline.
#[inline]
fn add_small((a, b): Pair, (c, d): Pair) -> Option<Pair> {
    let (b, d) = (b.get(), d.get());
    if b | d == 1 {
        return Some((a.checked_add(c)?, UNIT));
    }
    let divisor = gcd(b.unsigned_abs(), d.unsigned_abs());
    if divisor == 1 {
        // Coprime denominators leave the sum in lowest terms.
        let num = i128::from(a) * i128::from(d) + i128::from(c) * i128::from(b);
        return Some((i64::try_from(num).ok()?, NonZeroI64::new(b.checked_mul(d)?)?));
    }
    let d_rest = d / divisor.cast_signed();
    let b_rest = b / divisor.cast_signed();
    let num = i128::from(a) * i128::from(d_rest) + i128::from(c) * i128::from(b_rest);
    // A factor of the sum and of its denominator divides the divisor.
    let rest = gcd_wide(num.unsigned_abs(), divisor).cast_signed();
    Some((quotient(num, rest)?, NonZeroI64::new((b / rest).checked_mul(d_rest)?)?))
}

/// The product of two inline fractions, if it is inline.
#[inline]
fn mul_small((a, b): Pair, (c, d): Pair) -> Option<Pair> {
    let (b, d) = (b.get(), d.get());
    if b | d == 1 {
        return Some((a.checked_mul(c)?, UNIT));
    }
    if let (Some(num), Some(den)) = (a.checked_mul(c), b.checked_mul(d)) {
        let (num, den) = cancel(num, den);
        return Some((num, NonZeroI64::new(den)?));
    }
    let (a, d) = cancel(a, d);
    let (c, b) = cancel(c, b);
    Some((a.checked_mul(c)?, NonZeroI64::new(b.checked_mul(d)?)?))
}

/// The quotient of two inline fractions, if it is inline; the divisor is not zero.
#[inline]
fn div_small(dividend: Pair, (c, d): Pair) -> Option<Pair> {
    let num = d.get() * c.signum();
    mul_small(dividend, (num, NonZeroI64::new(c.checked_abs()?)?))
}

/// The fraction `x + a * b`, if it is inline.
///
/// Kept out of line: inlined, it slows down the integers that its callers try first.
#[inline(never)]
fn mul_add_small(x: Pair, a: Pair, b: Pair) -> Option<Pair> {
    if let Some((num, den)) = mul_add_out(x, a, b) {
        // One look at the range here instead of one in each step below.
        if let Ok(num) = i64::try_from(num) {
            let (num, den) = cancel(num, den);
            return Some((num, NonZeroI64::new(den)?));
        }
        let divisor = gcd_wide(num.unsigned_abs(), den.unsigned_abs()).cast_signed();
        return Some((quotient(num, divisor)?, NonZeroI64::new(den / divisor)?));
    }
    add_small(x, mul_small(a, b)?)
}

/// The fraction `x + a * b` over the product of all denominators, if that fits.
#[inline]
fn mul_add_out((n, d): Pair, (an, ad): Pair, (bn, bd): Pair) -> Option<(i128, i64)> {
    let product_den = ad.get().checked_mul(bd.get())?;
    let den = d.get().checked_mul(product_den)?;
    let product = i128::from(an.checked_mul(bn)?);
    Some((i128::from(n) * i128::from(product_den) + product * i128::from(d.get()), den))
}

/// A numerator and a positive denominator without their common factors.
#[inline]
fn cancel(num: i64, den: i64) -> (i64, i64) {
    // A divisor of a positive i64 is one itself.
    let divisor = gcd_wide(num.unsigned_abs().into(), den.unsigned_abs()).cast_signed();
    (num / divisor, den / divisor)
}

/// The quotient by a positive divisor, if it fits.
#[inline]
fn quotient(num: i128, divisor: i64) -> Option<i64> {
    match i64::try_from(num) {
        Ok(num) => Some(num / divisor),
        Err(_) => i64::try_from(num / i128::from(divisor)).ok(),
    }
}
