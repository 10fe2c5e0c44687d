//! Values, and what arithmetic does to them.
//!
//! An integer is a number in the range of its type; one of type `unsigned __int128` is the signed number
//! with the same bits. An address is an object and an offset, a function or a label, and keeps that where
//! it is converted to an integer that is wide enough. A pointer that was never an address is its number,
//! without sign; a null pointer is 0. What has no value yet is `Undefined`, which may be moved and not used.
//!
//! Source: C11 6.2.6, 6.3, 6.5.

use crate::c::layout::{DataModel, IntKind};
use crate::c::tree::{Arith, Compare, FuncId, LabelId};

/// An object, by its slot and how many objects the slot had before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// The slot.
    pub index: u32,
    /// How many objects the slot had before.
    pub generation: u32,
}

/// A place in an object, or beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The object, which may be dead.
    pub object: ObjectId,
    /// How many bytes from its beginning.
    pub offset: i64,
}

/// What a pointer that is not a mere number points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Of a place in an object.
    Object(Pointer),
    /// Of a function.
    Function(FuncId),
    /// Of a label of a function.
    Label(FuncId, LabelId),
}

/// What a scalar, or a byte of memory, holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// None yet.
    Undefined,
    /// A number; of pointer type, too.
    Int(i128),
    /// A floating number; a `float` is one that is representable as such.
    Float(f64),
    /// An address.
    Address(Address),
    /// A byte of an address: the one at this position of its representation.
    Fragment(Address, u8),
    /// A structure: its position among those in flight.
    Record(u32),
}

/// What arithmetic needs to know of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntType {
    /// How many bits a value has.
    pub bits: u32,
    /// Whether it has negative values.
    pub is_signed: bool,
    /// Whether conversion to it asks only whether something is zero.
    pub is_bool: bool,
}

impl IntType {
    /// The type in a data model.
    pub fn new(kind: IntKind, model: DataModel) -> IntType {
        IntType {
            bits: kind.bits(model),
            is_signed: kind.is_signed(),
            is_bool: kind == IntKind::Bool,
        }
    }

    /// Whether the type's numbers are stored as signed ones with the same bits.
    fn is_folded(self) -> bool {
        self.bits == 128 && !self.is_signed
    }

    /// The number of the type that has the same low bits, or for `_Bool` whether it is not zero.
    #[inline]
    pub fn wrap(self, number: i128) -> i128 {
        if self.is_bool {
            return i128::from(number != 0);
        }
        let rest = 128 - self.bits;
        if self.is_signed || rest == 0 {
            (number << rest) >> rest
        } else {
            (((number as u128) << rest) >> rest) as i128
        }
    }

    /// Whether a number is one of the type.
    pub fn contains(self, number: i128) -> bool {
        self.wrap(number) == number
    }

    /// The smallest and the largest number, as they are stored in order.
    pub fn range(self) -> (i128, i128) {
        match (self.is_signed || self.bits == 128, self.bits) {
            (true, bits) => (-1 << (bits - 1), ((1_u128 << (bits - 1)) - 1) as i128),
            (false, bits) => (0, (1 << bits) - 1),
        }
    }

    /// Whether every number of `other` is one of this type, so that conversion changes nothing.
    pub fn includes(self, other: IntType) -> bool {
        if self.is_bool || other.is_folded() || self.is_folded() {
            return self == other;
        }
        let ((low, high), (least, most)) = (self.range(), other.range());
        low <= least && most <= high
    }
}

/// What an operation on integers gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computed {
    /// A number that is right.
    Exact(i128),
    /// What is left of a number that the signed type has not: it wraps around.
    Overflow(i128),
    /// Division by zero.
    DivisionByZero,
    /// The remainder of the smallest number and -1, whose quotient overflows.
    Remainder,
    /// A shift by a negative number of bits or by more than there are.
    ShiftRange,
}

/// An operation on two integers of a type; the right one of a shift may be of any type.
#[inline]
pub fn arith(op: Arith, ty: IntType, left: i128, right: i128) -> Computed {
    // Beside the widest types no sum, difference or signed product leaves the range of `i128`.
    let (exact, fits) = match op {
        Arith::Add => overflowing(left.overflowing_add(right)),
        Arith::Sub => overflowing(left.overflowing_sub(right)),
        Arith::Mul => overflowing(left.overflowing_mul(right)),
        Arith::Div | Arith::Rem => return divide(op, ty, left, right),
        Arith::Shl => {
            if right < 0 || right >= i128::from(ty.bits) {
                return Computed::ShiftRange;
            }
            // Bits that a shift loses are lost: `no-overflow` speaks about arithmetic alone.
            return Computed::Exact(ty.wrap(left.wrapping_shl(right as u32)));
        }
        Arith::Shr => {
            if right < 0 || right >= i128::from(ty.bits) {
                return Computed::ShiftRange;
            }
            let shift = right as u32;
            (if ty.is_folded() { ((left as u128) >> shift) as i128 } else { left >> shift }, true)
        }
        Arith::And => (left & right, true),
        Arith::Or => (left | right, true),
        Arith::Xor => (left ^ right, true),
    };
    let wrapped = ty.wrap(exact);
    if ty.is_signed && (wrapped != exact || !fits) {
        Computed::Overflow(wrapped)
    } else {
        Computed::Exact(wrapped)
    }
}

fn overflowing((number, overflows): (i128, bool)) -> (i128, bool) {
    (number, !overflows)
}

/// Division towards zero, and its remainder.
fn divide(op: Arith, ty: IntType, left: i128, right: i128) -> Computed {
    if right == 0 {
        return Computed::DivisionByZero;
    }
    if ty.is_folded() {
        let (left, right) = (left as u128, right as u128);
        let number = if op == Arith::Div { left / right } else { left % right };
        return Computed::Exact(number as i128);
    }
    if ty.is_signed && right == -1 && left == ty.range().0 {
        return if op == Arith::Div { Computed::Overflow(left) } else { Computed::Remainder };
    }
    Computed::Exact(if op == Arith::Div { left / right } else { left % right })
}

/// Whether a comparison of numbers of a type holds.
#[inline]
pub fn compare(op: Compare, ty: IntType, left: i128, right: i128) -> bool {
    if ty.is_folded() {
        op.holds((left as u128).cmp(&(right as u128)))
    } else {
        op.holds(left.cmp(&right))
    }
}

/// An operation on floating numbers, rounded to the type; none for what there is only on integers.
pub fn float_arith(op: Arith, is_single: bool, left: f64, right: f64) -> Option<f64> {
    let exact = match op {
        Arith::Add => left + right,
        Arith::Sub => left - right,
        Arith::Mul => left * right,
        Arith::Div => left / right,
        _ => return None,
    };
    // Rounding a double's result to a float gives the float's result for these four: 53 ≥ 2·24 + 2.
    Some(round(is_single, exact))
}

/// A number as a `float` has it, or as it is.
pub fn round(is_single: bool, number: f64) -> f64 {
    if is_single { f64::from(number as f32) } else { number }
}

/// Whether a comparison of floating numbers holds; nothing but `!=` holds of what is not a number.
pub fn float_compare(op: Compare, left: f64, right: f64) -> bool {
    match left.partial_cmp(&right) {
        Some(order) => op.holds(order),
        None => op == Compare::Ne,
    }
}

/// A floating number without its fraction, as an integer of the type if there is one.
pub fn float_to_int(ty: IntType, number: f64) -> Option<i128> {
    if ty.is_bool {
        return Some(i128::from(number != 0.0));
    }
    let whole = number.trunc();
    if ty.is_folded() {
        let fits = whole >= 0.0 && whole < 2f64.powi(128);
        return fits.then_some(whole as u128 as i128);
    }
    let fits = whole >= -(2f64.powi(127)) && whole < 2f64.powi(127);
    (fits && ty.contains(whole as i128)).then_some(whole as i128)
}

/// An integer as a floating number, rounded once.
pub fn int_to_float(ty: IntType, is_single: bool, number: i128) -> f64 {
    match (ty.is_folded(), is_single) {
        (true, true) => f64::from(number as u128 as f32),
        (true, false) => number as u128 as f64,
        (false, true) => f64::from(number as f32),
        (false, false) => number as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(kind: IntKind) -> IntType {
        IntType::new(kind, DataModel::Lp64)
    }

    #[test]
    fn signed_results_out_of_range_wrap_and_say_so() {
        let ty = int(IntKind::Int);
        let max = i128::from(i32::MAX);
        let min = i128::from(i32::MIN);
        assert_eq!(arith(Arith::Add, ty, max, 1), Computed::Overflow(min));
        assert_eq!(arith(Arith::Sub, ty, min, 1), Computed::Overflow(max));
        assert_eq!(arith(Arith::Mul, ty, 65536, 65536), Computed::Overflow(0));
        assert_eq!(arith(Arith::Div, ty, min, -1), Computed::Overflow(min));
        assert_eq!(arith(Arith::Rem, ty, min, -1), Computed::Remainder);
        assert_eq!(arith(Arith::Shl, ty, 1, 31), Computed::Exact(min));
        assert_eq!(arith(Arith::Shl, ty, -1, 31), Computed::Exact(min));
        assert_eq!(arith(Arith::Shl, ty, 1, 32), Computed::ShiftRange);
        assert_eq!(arith(Arith::Shr, ty, -5, 1), Computed::Exact(-3));
        assert_eq!(arith(Arith::Rem, ty, -7, 2), Computed::Exact(-1));
        assert_eq!(arith(Arith::Div, ty, 7, 0), Computed::DivisionByZero);
    }

    #[test]
    fn unsigned_results_wrap() {
        let ty = int(IntKind::UnsignedLong);
        let max = i128::from(u64::MAX);
        assert_eq!(arith(Arith::Add, ty, max, 1), Computed::Exact(0));
        assert_eq!(arith(Arith::Sub, ty, 0, 1), Computed::Exact(max));
        assert_eq!(arith(Arith::Mul, ty, max, max), Computed::Exact(1));
        assert_eq!(arith(Arith::Shl, ty, max, 63), Computed::Exact(1 << 63));
    }

    #[test]
    fn the_widest_types_are_exact_too() {
        let signed = int(IntKind::Int128);
        assert_eq!(arith(Arith::Add, signed, i128::MAX, 1), Computed::Overflow(i128::MIN));
        assert_eq!(arith(Arith::Shl, signed, 1, 127), Computed::Exact(i128::MIN));
        let unsigned = int(IntKind::UnsignedInt128);
        assert_eq!(arith(Arith::Div, unsigned, -1, 2), Computed::Exact(i128::MAX));
        assert!(compare(Compare::Gt, unsigned, -1, 1));
        assert!(compare(Compare::Lt, signed, -1, 1));
    }

    #[test]
    fn conversions_keep_low_bits_and_bool_asks_for_zero() {
        assert_eq!(int(IntKind::Char).wrap(200), -56);
        assert_eq!(int(IntKind::UnsignedChar).wrap(-1), 255);
        assert_eq!(int(IntKind::Bool).wrap(256), 1);
        assert!(int(IntKind::Long).includes(int(IntKind::UnsignedInt)));
        assert!(!int(IntKind::Int).includes(int(IntKind::UnsignedInt)));
        assert!(!int(IntKind::UnsignedLong).includes(int(IntKind::Char)));
    }
}
