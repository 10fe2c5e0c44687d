//! Division of integers.
//!
//! SMT-LIB divides so that the remainder is never negative: the quotient is rounded
//! down for a positive divisor and up for a negative one. Bounds and cuts need plain
//! floors and ceilings; both are read off the same quotient, whose remainder only says
//! whether to step by one.
//!
//! Nothing here panics on a zero divisor: what a division by zero means is for the
//! caller to say, so every method returns an `Option`.

use dashu_int::IBig;
use dashu_int::ops::DivRemEuclid;

use super::{Int, Repr::Small};

impl Int {
    /// The quotient and the non-negative remainder of SMT-LIB's `div` and `mod`;
    /// `None` for a zero divisor.
    #[inline]
    pub fn div_rem_euclid(&self, divisor: &Int) -> Option<(Int, Int)> {
        // The checked form fails for a zero divisor and for the one quotient that
        // overflows, the least i64 by −1.
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = a.checked_div_euclid(*b)
        {
            return Some((Int::from_i64(quotient), Int::from_i64(a.rem_euclid(*b))));
        }
        self.div_rem_long(divisor)
    }

    #[cold]
    fn div_rem_long(&self, divisor: &Int) -> Option<(Int, Int)> {
        if divisor.is_zero() {
            return None;
        }
        let (mut slot_a, mut slot_b) = (IBig::ZERO, IBig::ZERO);
        let (quotient, remainder) =
            self.as_big(&mut slot_a).div_rem_euclid(divisor.as_big(&mut slot_b));
        Some((Int::from(quotient), Int::from(remainder)))
    }

    /// SMT-LIB's `div`; `None` for a zero divisor.
    #[inline]
    pub fn div_euclid(&self, divisor: &Int) -> Option<Int> {
        Some(self.div_rem_euclid(divisor)?.0)
    }

    /// SMT-LIB's `mod`, never negative; `None` for a zero divisor.
    #[inline]
    pub fn rem_euclid(&self, divisor: &Int) -> Option<Int> {
        Some(self.div_rem_euclid(divisor)?.1)
    }

    /// The quotient rounded down; `None` for a zero divisor.
    #[inline]
    pub fn div_floor(&self, divisor: &Int) -> Option<Int> {
        let (quotient, remainder) = self.div_rem_euclid(divisor)?;
        let rounded_up = divisor.is_negative() && !remainder.is_zero();
        Some(if rounded_up { quotient - Int::ONE } else { quotient })
    }

    /// The quotient rounded up; `None` for a zero divisor.
    #[inline]
    pub fn div_ceil(&self, divisor: &Int) -> Option<Int> {
        let (quotient, remainder) = self.div_rem_euclid(divisor)?;
        let rounded_down = !divisor.is_negative() && !remainder.is_zero();
        Some(if rounded_down { quotient + Int::ONE } else { quotient })
    }

    /// The quotient when the division leaves no remainder; `None` otherwise, and for
    /// a zero divisor.
    #[inline]
    pub fn div_exact(&self, divisor: &Int) -> Option<Int> {
        let (quotient, remainder) = self.div_rem_euclid(divisor)?;
        remainder.is_zero().then_some(quotient)
    }

    /// Whether `divisor` divides the value; 0 divides only 0.
    #[inline]
    pub fn is_multiple_of(&self, divisor: &Int) -> bool {
        match self.rem_euclid(divisor) {
            Some(remainder) => remainder.is_zero(),
            None => self.is_zero(),
        }
    }
}
