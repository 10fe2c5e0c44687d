//! Words of a fixed width, with the operations of SMT-LIB's FixedSizeBitVectors.
//!
//! Invariant: `width > 0`, the bits are less than 2^width, and words of up to 64 bits are a machine
//! integer (so words up to 64 bits never allocate, and equal words are represented equally).
//! Corner cases follow the standard: division by zero gives all ones, remainder by zero gives the
//! dividend, shifts by the width or more give zeros (or the sign). Operators of two words want
//! words of one width; what they do with others is not specified.

mod arith;
mod order;
mod shape;

use crate::num::Int;
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bv {
    width: u32,
    bits: Bits,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Bits {
    /// Of up to 64 bits.
    Small(u64),
    /// Of more than 64 bits.
    Big(UBig),
}

use Bits::{Big, Small};

fn mask(width: u32) -> UBig {
    UBig::ones(width as usize)
}

/// The lowest `width` bits, for 1 to 64 of them.
fn mask_u64(width: u32) -> u64 {
    u64::MAX >> (u64::BITS - width)
}

impl Bv {
    /// The word of `width` bits that is `bits` modulo 2ⁿ.
    pub fn new(width: u32, mut bits: UBig) -> Bv {
        assert!(width > 0, "words have at least one bit");
        if bits.bit_len() > width as usize {
            bits.clear_high_bits(width as usize);
        }
        if width <= u64::BITS {
            let bits = u64::try_from(&bits).expect("the bits fit the width");
            return Bv { width, bits: Small(bits) };
        }
        Bv { width, bits: Big(bits) }
    }

    /// The word of `width` bits that is `bits` modulo 2ⁿ.
    pub fn from_u64(width: u32, bits: u64) -> Bv {
        assert!(width > 0, "words have at least one bit");
        if width <= u64::BITS {
            return Bv { width, bits: Small(bits & mask_u64(width)) };
        }
        Bv { width, bits: Big(UBig::from(bits)) }
    }

    /// The word of `width` bits that is `value` modulo 2ⁿ.
    pub fn from_int(width: u32, value: &Int) -> Bv {
        match value.to_i64() {
            Some(value) if width <= u64::BITS => Bv::from_u64(width, value.cast_unsigned()),
            _ => Bv::new(width, value.mod_pow2(width)),
        }
    }

    /// The word of one bit.
    pub fn from_bool(bit: bool) -> Bv {
        Bv { width: 1, bits: Small(u64::from(bit)) }
    }

    /// The word of `width` bits that are all one.
    pub fn ones(width: u32) -> Bv {
        if width <= u64::BITS { Bv::from_u64(width, u64::MAX) } else { Bv::new(width, mask(width)) }
    }

    /// The smallest signed word of `width` bits.
    pub fn min_signed(width: u32) -> Bv {
        if width <= u64::BITS {
            Bv::from_u64(width, 1 << (width - 1))
        } else {
            Bv::new(width, UBig::ONE << (width as usize - 1))
        }
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
        let width = u32::try_from(width).ok()?;
        if width <= u64::BITS {
            return Some(Bv::from_u64(width, u64::from_str_radix(text, radix).ok()?));
        }
        Some(Bv::new(width, UBig::from_str_radix(text, radix).ok()?))
    }

    /// How many bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The word as a natural number.
    pub fn bits(&self) -> UBig {
        match &self.bits {
            Small(bits) => UBig::from(*bits),
            Big(bits) => bits.clone(),
        }
    }

    /// Bit `index`; bit 0 counts one.
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Small(bits) => index < u64::BITS && bits >> index & 1 == 1,
            Big(bits) => bits.bit(index as usize),
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Small(bits) => *bits == 0,
            Big(bits) => bits.is_zero(),
        }
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Small(bits) => *bits == mask_u64(self.width),
            Big(bits) => bits.count_ones() == self.width as usize,
        }
    }

    /// The word as a small number, if it is one.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Small(bits) => Some(*bits),
            Big(bits) => u64::try_from(bits).ok(),
        }
    }

    /// The word as a natural number.
    pub fn to_unsigned(&self) -> Int {
        Int::from(self.bits())
    }

    /// The word as an integer in two's complement.
    pub fn to_signed(&self) -> Int {
        match self.small_signed() {
            Some(value) => Int::from(value),
            None if self.is_negative() => {
                self.to_unsigned() - Int::from(UBig::ONE << self.width as usize)
            }
            None => self.to_unsigned(),
        }
    }

    /// A word of up to 64 bits in two's complement.
    fn small_signed(&self) -> Option<i64> {
        match self.bits {
            Small(bits) => {
                let unused = u64::BITS - self.width;
                Some((bits << unused).cast_signed() >> unused)
            }
            Big(_) => None,
        }
    }
}

impl std::fmt::Display for Bv {
    /// SMT-LIB's notation: hexadecimal where the width allows, binary otherwise.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = self.width as usize;
        match (&self.bits, width.is_multiple_of(4)) {
            (Small(bits), true) => write!(f, "#x{bits:0>0$x}", width / 4),
            (Small(bits), false) => write!(f, "#b{bits:0>0$b}", width),
            (Big(bits), true) => write!(f, "#x{bits:0>0$x}", width / 4),
            (Big(bits), false) => write!(f, "#b{bits:0>0$b}", width),
        }
    }
}
