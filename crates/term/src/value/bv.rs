//! Words of a fixed width, with the operations of SMT-LIB's FixedSizeBitVectors.
//!
//! Invariant: `bits < 2^width`, and `width > 0`. Words of up to 128 bits need no allocation.
//! Corner cases follow the standard: division by zero gives all ones, remainder by zero gives the
//! dividend, shifts by the width or more give zeros (or the sign).

use crate::num::Int;
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bv {
    width: u32,
    bits: UBig,
}

fn mask(width: u32) -> UBig {
    (UBig::ONE << width as usize) - UBig::ONE
}

impl Bv {
    /// The word of `width` bits that is `bits` modulo 2ⁿ.
    pub fn new(width: u32, bits: UBig) -> Bv {
        assert!(width > 0, "words have at least one bit");
        let bits = if bits.bit_len() > width as usize { bits & mask(width) } else { bits };
        Bv { width, bits }
    }

    /// The word of `width` bits that is `bits` modulo 2ⁿ.
    pub fn from_u64(width: u32, bits: u64) -> Bv {
        Bv::new(width, UBig::from(bits))
    }

    /// The word of `width` bits that is `value` modulo 2ⁿ.
    pub fn from_int(width: u32, value: &Int) -> Bv {
        Bv::new(width, value.mod_pow2(width))
    }

    /// The word of one bit.
    pub fn from_bool(bit: bool) -> Bv {
        Bv::from_u64(1, u64::from(bit))
    }

    /// The word of `width` bits that are all one.
    pub fn ones(width: u32) -> Bv {
        Bv::new(width, mask(width))
    }

    /// The smallest signed word of `width` bits.
    pub fn min_signed(width: u32) -> Bv {
        Bv::new(width, UBig::ONE << (width as usize - 1))
    }

    /// Reads binary digits; `None` if there are none or others.
    pub fn parse_binary(digits: &[u8]) -> Option<Bv> {
        Self::parse(digits, 2, digits.len())
    }

    /// Reads hexadecimal digits; `None` if there are none or others.
    pub fn parse_hex(digits: &[u8]) -> Option<Bv> {
        Self::parse(digits, 16, digits.len().checked_mul(4)?)
    }

    fn parse(digits: &[u8], radix: u32, width: usize) -> Option<Bv> {
        let text = std::str::from_utf8(digits).ok()?;
        if text.is_empty() || !text.bytes().all(|b| (b as char).is_digit(radix)) {
            return None;
        }
        let bits = UBig::from_str_radix(text, radix).ok()?;
        Some(Bv { width: u32::try_from(width).ok()?, bits })
    }

    /// How many bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The word as a natural number.
    pub fn bits(&self) -> &UBig {
        &self.bits
    }

    /// Bit `index`; bit 0 counts one.
    pub fn bit(&self, index: u32) -> bool {
        self.bits.bit(index as usize)
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.bits.is_zero()
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        self.bits.count_ones() == self.width as usize
    }

    /// The word as a small number, if it is one.
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(&self.bits).ok()
    }

    /// The word as a natural number.
    pub fn to_unsigned(&self) -> Int {
        Int::from(self.bits.clone())
    }

    /// The word as an integer in two's complement.
    pub fn to_signed(&self) -> Int {
        let value = self.to_unsigned();
        if self.is_negative() { value - Int::from(UBig::ONE << self.width as usize) } else { value }
    }

    fn with(&self, bits: UBig) -> Bv {
        Bv::new(self.width, bits)
    }

    fn signed(&self, value: &Int) -> Bv {
        Bv::from_int(self.width, value)
    }

    /// This word in the high bits, `low` in the low ones.
    pub fn concat(&self, low: &Bv) -> Bv {
        let bits = (self.bits.clone() << low.width as usize) | &low.bits;
        Bv { width: self.width + low.width, bits }
    }

    /// Bits `high` down to `low`.
    pub fn extract(&self, high: u32, low: u32) -> Bv {
        Bv::new(high - low + 1, self.bits.clone() >> low as usize)
    }

    /// Bitwise negation.
    pub fn not(&self) -> Bv {
        Bv { width: self.width, bits: mask(self.width) ^ &self.bits }
    }

    /// Two's complement.
    pub fn neg(&self) -> Bv {
        self.with((UBig::ONE << self.width as usize) - &self.bits)
    }

    /// Bitwise and.
    pub fn and(&self, other: &Bv) -> Bv {
        Bv { width: self.width, bits: &self.bits & &other.bits }
    }

    /// Bitwise or.
    pub fn or(&self, other: &Bv) -> Bv {
        Bv { width: self.width, bits: &self.bits | &other.bits }
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bv) -> Bv {
        Bv { width: self.width, bits: &self.bits ^ &other.bits }
    }

    /// Sum modulo 2ⁿ.
    pub fn add(&self, other: &Bv) -> Bv {
        self.with(&self.bits + &other.bits)
    }

    /// Difference modulo 2ⁿ.
    pub fn sub(&self, other: &Bv) -> Bv {
        self.with((UBig::ONE << self.width as usize) + &self.bits - &other.bits)
    }

    /// Product modulo 2ⁿ.
    pub fn mul(&self, other: &Bv) -> Bv {
        self.with(&self.bits * &other.bits)
    }

    /// Unsigned quotient.
    pub fn udiv(&self, other: &Bv) -> Bv {
        if other.is_zero() { Bv::ones(self.width) } else { self.with(&self.bits / &other.bits) }
    }

    /// Unsigned remainder.
    pub fn urem(&self, other: &Bv) -> Bv {
        if other.is_zero() { self.clone() } else { self.with(&self.bits % &other.bits) }
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

    /// The shift distance, when it is less than the width.
    fn distance(&self, by: &Bv) -> Option<usize> {
        let by = by.to_u64()?;
        (by < u64::from(self.width)).then_some(by as usize)
    }

    /// Shift left.
    pub fn shl(&self, by: &Bv) -> Bv {
        let shifted = self.distance(by).map(|by| self.bits.clone() << by);
        self.with(shifted.unwrap_or(UBig::ZERO))
    }

    /// Shift right, filling with zeros.
    pub fn lshr(&self, by: &Bv) -> Bv {
        let shifted = self.distance(by).map(|by| self.bits.clone() >> by);
        self.with(shifted.unwrap_or(UBig::ZERO))
    }

    /// Shift right, filling with the sign.
    pub fn ashr(&self, by: &Bv) -> Bv {
        if self.is_negative() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    /// The word, `times` times.
    pub fn repeat(&self, times: u32) -> Bv {
        let mut result = self.clone();
        for _ in 1..times {
            result = result.concat(self);
        }
        result
    }

    /// `by` zeros in front.
    pub fn zero_extend(&self, by: u32) -> Bv {
        Bv { width: self.width + by, bits: self.bits.clone() }
    }

    /// `by` copies of the sign in front.
    pub fn sign_extend(&self, by: u32) -> Bv {
        if self.is_negative() {
            Bv { width: self.width + by, bits: (mask(by) << self.width as usize) | &self.bits }
        } else {
            self.zero_extend(by)
        }
    }

    /// Unsigned less than.
    pub fn ult(&self, other: &Bv) -> bool {
        self.bits < other.bits
    }

    /// Signed less than.
    pub fn slt(&self, other: &Bv) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.bits < other.bits,
        }
    }

    /// Whether an exact result is not a signed word of this width.
    fn overflows(&self, exact: &Int) -> bool {
        self.signed(exact).to_signed() != *exact
    }

    /// The negation overflows.
    pub fn nego(&self) -> bool {
        *self == Bv::min_signed(self.width)
    }

    /// The unsigned sum overflows.
    pub fn uaddo(&self, other: &Bv) -> bool {
        (&self.bits + &other.bits).bit_len() > self.width as usize
    }

    /// The signed sum overflows.
    pub fn saddo(&self, other: &Bv) -> bool {
        self.overflows(&(self.to_signed() + other.to_signed()))
    }

    /// The unsigned difference underflows.
    pub fn usubo(&self, other: &Bv) -> bool {
        self.bits < other.bits
    }

    /// The signed difference overflows.
    pub fn ssubo(&self, other: &Bv) -> bool {
        self.overflows(&(self.to_signed() - other.to_signed()))
    }

    /// The unsigned product overflows.
    pub fn umulo(&self, other: &Bv) -> bool {
        (&self.bits * &other.bits).bit_len() > self.width as usize
    }

    /// The signed product overflows.
    pub fn smulo(&self, other: &Bv) -> bool {
        self.overflows(&(self.to_signed() * other.to_signed()))
    }

    /// The signed quotient overflows.
    pub fn sdivo(&self, other: &Bv) -> bool {
        self.nego() && other.is_ones()
    }
}

impl std::fmt::Display for Bv {
    /// SMT-LIB's notation: hexadecimal where the width allows, binary otherwise.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = self.width as usize;
        if width.is_multiple_of(4) {
            write!(f, "#x{:0>1$x}", self.bits, width / 4)
        } else {
            write!(f, "#b{:0>1$b}", self.bits, width)
        }
    }
}
