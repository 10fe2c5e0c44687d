//! Orders of words, and the predicates that an operation overflows.

use super::Bits::{Big, Small};
use super::{Bv, mask_u64};
use crate::num::Int;
use dashu_int::ops::BitTest;

impl Bv {
    /// Unsigned less than.
    pub fn ult(&self, other: &Bv) -> bool {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => a < b,
            (Big(a), Big(b)) => a < b,
            _ => self.bits() < other.bits(),
        }
    }

    /// Signed less than.
    pub fn slt(&self, other: &Bv) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.ult(other),
        }
    }

    /// Whether an exact result is not a signed word of this width.
    fn overflows(&self, exact: &Int) -> bool {
        Bv::from_int(self.width, exact).to_signed() != *exact
    }

    /// Both words in two's complement, if they have up to 32 bits: then sums and products fit.
    fn halves(&self, other: &Bv) -> Option<(i64, i64)> {
        if self.width > 32 || other.width > 32 {
            return None;
        }
        Some((self.small_signed()?, other.small_signed()?))
    }

    /// `overflows`, for words of up to 32 bits.
    fn overflows_half(&self, exact: i64) -> bool {
        let most = 1i64 << (self.width - 1);
        exact < -most || exact >= most
    }

    /// The negation overflows.
    pub fn nego(&self) -> bool {
        *self == Bv::min_signed(self.width)
    }

    /// The unsigned sum overflows.
    pub fn uaddo(&self, other: &Bv) -> bool {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => a.checked_add(*b).is_none_or(|sum| sum > mask_u64(self.width)),
            _ => (self.bits() + other.bits()).bit_len() > self.width as usize,
        }
    }

    /// The signed sum overflows.
    pub fn saddo(&self, other: &Bv) -> bool {
        match self.halves(other) {
            Some((a, b)) => self.overflows_half(a + b),
            None => self.overflows(&(self.to_signed() + other.to_signed())),
        }
    }

    /// The unsigned difference underflows.
    pub fn usubo(&self, other: &Bv) -> bool {
        self.ult(other)
    }

    /// The signed difference overflows.
    pub fn ssubo(&self, other: &Bv) -> bool {
        match self.halves(other) {
            Some((a, b)) => self.overflows_half(a - b),
            None => self.overflows(&(self.to_signed() - other.to_signed())),
        }
    }

    /// The unsigned product overflows.
    pub fn umulo(&self, other: &Bv) -> bool {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => {
                a.checked_mul(*b).is_none_or(|product| product > mask_u64(self.width))
            }
            _ => (self.bits() * other.bits()).bit_len() > self.width as usize,
        }
    }

    /// The signed product overflows.
    pub fn smulo(&self, other: &Bv) -> bool {
        match self.halves(other) {
            Some((a, b)) => self.overflows_half(a * b),
            None => self.overflows(&(self.to_signed() * other.to_signed())),
        }
    }

    /// The signed quotient overflows.
    pub fn sdivo(&self, other: &Bv) -> bool {
        self.nego() && other.is_ones()
    }
}
