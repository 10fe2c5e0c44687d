//! Arithmetic of words.

use super::Bits::{Big, Small};
use super::Bv;
use dashu_int::UBig;

impl Bv {
    /// The word of this width that is `bits` modulo 2ⁿ.
    fn with(&self, bits: UBig) -> Bv {
        Bv::new(self.width, bits)
    }

    fn with_u64(&self, bits: u64) -> Bv {
        Bv::from_u64(self.width, bits)
    }

    /// Two's complement.
    pub fn neg(&self) -> Bv {
        match &self.bits {
            Small(a) => self.with_u64(a.wrapping_neg()),
            Big(a) => self.with((UBig::ONE << self.width as usize) - a),
        }
    }

    /// Sum modulo 2ⁿ.
    pub fn add(&self, other: &Bv) -> Bv {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.with_u64(a.wrapping_add(*b)),
            (Big(a), Big(b)) => self.with(a + b),
            _ => self.with(self.bits() + other.bits()),
        }
    }

    /// Difference modulo 2ⁿ.
    pub fn sub(&self, other: &Bv) -> Bv {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.with_u64(a.wrapping_sub(*b)),
            (Big(a), Big(b)) if a >= b => self.with(a - b),
            _ => self.add(&other.neg()),
        }
    }

    /// Product modulo 2ⁿ.
    pub fn mul(&self, other: &Bv) -> Bv {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.with_u64(a.wrapping_mul(*b)),
            (Big(a), Big(b)) => self.with(a * b),
            _ => self.with(self.bits() * other.bits()),
        }
    }

    /// Unsigned quotient.
    pub fn udiv(&self, other: &Bv) -> Bv {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.with_u64(a.checked_div(*b).unwrap_or(u64::MAX)),
            _ if other.is_zero() => Bv::ones(self.width),
            _ => self.with(self.bits() / other.bits()),
        }
    }

    /// Unsigned remainder.
    pub fn urem(&self, other: &Bv) -> Bv {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.with_u64(a.checked_rem(*b).unwrap_or(*a)),
            _ if other.is_zero() => self.clone(),
            _ => self.with(self.bits() % other.bits()),
        }
    }

    fn magnitude(&self) -> Bv {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, rounded towards zero.
    pub fn sdiv(&self, other: &Bv) -> Bv {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// Signed remainder, with the dividend's sign.
    pub fn srem(&self, other: &Bv) -> Bv {
        let rest = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { rest.neg() } else { rest }
    }

    /// Signed remainder, with the divisor's sign.
    pub fn smod(&self, other: &Bv) -> Bv {
        let rest = self.magnitude().urem(&other.magnitude());
        match (self.is_negative(), other.is_negative()) {
            _ if rest.is_zero() => rest,
            (false, false) => rest,
            (true, false) => rest.neg().add(other),
            (false, true) => rest.add(other),
            (true, true) => rest.neg(),
        }
    }
}
