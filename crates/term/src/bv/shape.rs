//! Bitwise operators, shifts, and operators that change the width.

use super::Bits::{Big, Small};
use super::{Bv, mask, mask_u64};
use dashu_int::UBig;

impl Bv {
    /// This word in the high bits, `low` in the low ones.
    pub fn concat(&self, low: &Bv) -> Bv {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Small(a), Small(b)) if width <= u64::BITS => {
                Bv { width, bits: Small(a << low.width | b) }
            }
            _ => Bv::new(width, (self.bits() << low.width as usize) | low.bits()),
        }
    }

    /// Bits `high` down to `low`.
    pub fn extract(&self, high: u32, low: u32) -> Bv {
        let width = high - low + 1;
        match &self.bits {
            Small(bits) => Bv::from_u64(width, bits >> low),
            Big(bits) => Bv::new(width, bits >> low as usize),
        }
    }

    /// Bitwise negation.
    pub fn not(&self) -> Bv {
        match &self.bits {
            Small(bits) => Bv { width: self.width, bits: Small(bits ^ mask_u64(self.width)) },
            Big(bits) => Bv { width: self.width, bits: Big(mask(self.width) ^ bits) },
        }
    }

    fn bitwise(&self, other: &Bv, small: fn(u64, u64) -> u64, big: fn(&UBig, &UBig) -> UBig) -> Bv {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => Bv { width: self.width, bits: Small(small(*a, *b)) },
            (Big(a), Big(b)) => Bv { width: self.width, bits: Big(big(a, b)) },
            _ => Bv::new(self.width, big(&self.bits(), &other.bits())),
        }
    }

    /// Bitwise and.
    pub fn and(&self, other: &Bv) -> Bv {
        self.bitwise(other, |a, b| a & b, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Bv) -> Bv {
        self.bitwise(other, |a, b| a | b, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bv) -> Bv {
        self.bitwise(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// The shift distance, when it is less than the width.
    fn distance(&self, by: &Bv) -> Option<u32> {
        let by = by.to_u64()?;
        (by < u64::from(self.width)).then_some(by as u32)
    }

    /// Shift left.
    pub fn shl(&self, by: &Bv) -> Bv {
        match (&self.bits, self.distance(by)) {
            (Small(bits), Some(by)) => Bv::from_u64(self.width, bits << by),
            (Big(bits), Some(by)) => Bv::new(self.width, bits << by as usize),
            (_, None) => Bv::from_u64(self.width, 0),
        }
    }

    /// Shift right, filling with zeros.
    pub fn lshr(&self, by: &Bv) -> Bv {
        match (&self.bits, self.distance(by)) {
            (Small(bits), Some(by)) => Bv::from_u64(self.width, bits >> by),
            (Big(bits), Some(by)) => Bv::new(self.width, bits >> by as usize),
            (_, None) => Bv::from_u64(self.width, 0),
        }
    }

    /// Shift right, filling with the sign.
    pub fn ashr(&self, by: &Bv) -> Bv {
        if let Some(value) = self.small_signed() {
            let by = self.distance(by).unwrap_or(u64::BITS - 1);
            return Bv::from_u64(self.width, (value >> by).cast_unsigned());
        }
        if self.is_negative() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    /// The word, `times` times.
    pub fn repeat(&self, times: u32) -> Bv {
        // By doubling: a word repeated from the highest bit of `times` down.
        let mut result = self.clone();
        for at in (0..times.max(1).ilog2()).rev() {
            result = result.concat(&result);
            if times >> at & 1 == 1 {
                result = result.concat(self);
            }
        }
        result
    }

    /// `by` zeros in front.
    pub fn zero_extend(&self, by: u32) -> Bv {
        let width = self.width + by;
        match &self.bits {
            Small(bits) => Bv::from_u64(width, *bits),
            Big(bits) => Bv { width, bits: Big(bits.clone()) },
        }
    }

    /// `by` copies of the sign in front.
    pub fn sign_extend(&self, by: u32) -> Bv {
        let width = self.width + by;
        match self.small_signed() {
            Some(value) if width <= u64::BITS => Bv::from_u64(width, value.cast_unsigned()),
            _ if self.is_negative() => {
                Bv::new(width, (mask(by) << self.width as usize) | self.bits())
            }
            _ => self.zero_extend(by),
        }
    }
}
