//! What operations do to values, addresses among them.

use super::code::Access;
use super::machine::{Fault, Machine, to};
use super::memory::{Misuse, Scalar};
use super::value::{self, Address, Computed, IntType, Pointer, Value};
use super::{Chooser, Watcher};
use crate::c::property::Property;
use crate::c::tree::{Arith, Compare};

/// What ends a run that uses a value that is not there.
const UNSET: Fault = Fault::Undefined("reading what has no value");
/// What ends a run that computes with the number of an address.
const NUMBER_OF_ADDRESS: Fault = Fault::Untreated("the number of an address");

impl Access {
    /// How many bytes are looked at.
    pub(super) fn size(self, pointer_size: u64) -> u64 {
        match self {
            Access::Int(_, size) | Access::Bits { size, .. } => size,
            Access::Pointer => pointer_size,
            Access::Single => 4,
            Access::Double => 8,
        }
    }
}

/// The value that bytes are.
pub(super) fn to_value(scalar: Scalar, access: Access, pointer: IntType) -> Result<Value, Misuse> {
    match (scalar, access) {
        (Scalar::Bits(bits), Access::Int(ty, _)) => Ok(Value::Int(ty.wrap(bits as i128))),
        (Scalar::Bits(bits), Access::Bits { ty, low, .. }) => {
            // One bit is what a `_Bool` keeps of what is above it.
            let number = (bits >> low) as i128;
            Ok(Value::Int(IntType { is_bool: false, ..ty }.wrap(number)))
        }
        (Scalar::Bits(bits), Access::Pointer) => Ok(Value::Int(pointer.wrap(bits as i128))),
        (Scalar::Bits(bits), Access::Single) => {
            Ok(Value::Float(f64::from(f32::from_bits(bits as u32))))
        }
        (Scalar::Bits(bits), Access::Double) => Ok(Value::Float(f64::from_bits(bits as u64))),
        (Scalar::Address(address), Access::Int(..) | Access::Pointer) => {
            Ok(Value::Address(address))
        }
        (Scalar::Fragment(address, index), Access::Int(..)) => Ok(Value::Fragment(address, index)),
        _ => Err(Misuse::PartOfAddress),
    }
}

impl<C: Chooser + ?Sized, W: Watcher + ?Sized> Machine<'_, C, W> {
    /// Takes a number.
    #[inline]
    pub(super) fn pop_number(&mut self) -> Result<i128, Fault> {
        match self.pop() {
            Value::Int(number) => Ok(number),
            Value::Undefined => Err(UNSET),
            _ => Err(NUMBER_OF_ADDRESS),
        }
    }

    /// Takes a floating number.
    pub(super) fn pop_float(&mut self) -> Result<f64, Fault> {
        match self.pop() {
            Value::Float(number) => Ok(number),
            Value::Undefined => Err(UNSET),
            _ => Err(Fault::Untreated("a number that is not a floating one")),
        }
    }

    /// The scalar at an address.
    pub(super) fn read(&mut self, at: Value, access: Access) -> Result<Value, Fault> {
        if at == Value::Undefined {
            return Err(UNSET);
        }
        let size = access.size(self.unit.types.pointer_size());
        let scalar = self.memory.read(at, size).map_err(|misuse| self.misuse(misuse))?;
        to_value(scalar, access, self.pointer).map_err(|misuse| self.misuse(misuse))
    }

    /// Writes a scalar; returns it as it is stored.
    pub(super) fn write(
        &mut self,
        at: Value,
        access: Access,
        value: Value,
    ) -> Result<Value, Fault> {
        if at == Value::Undefined {
            return Err(UNSET);
        }
        let mut stored = value;
        let scalar = match (value, access) {
            (Value::Undefined, _) => return Err(UNSET),
            (Value::Int(number), Access::Bits { ty, size, low }) => {
                let number = ty.wrap(number);
                stored = Value::Int(number);
                let old = self.memory.read(at, size).map_err(|misuse| self.misuse(misuse))?;
                let Scalar::Bits(old) = old else { return Err(NUMBER_OF_ADDRESS) };
                let mask = (u128::MAX >> (128 - ty.bits)) << low;
                Scalar::Bits(old & !mask | ((number as u128) << low) & mask)
            }
            (Value::Int(number), Access::Int(..) | Access::Pointer) => Scalar::Bits(number as u128),
            (Value::Float(number), Access::Single) => {
                Scalar::Bits(u128::from((number as f32).to_bits()))
            }
            (Value::Float(number), Access::Double) => Scalar::Bits(u128::from(number.to_bits())),
            (Value::Address(address), Access::Pointer) => Scalar::Address(address),
            (Value::Address(address), Access::Int(_, size))
                if size == self.unit.types.pointer_size() =>
            {
                Scalar::Address(address)
            }
            (Value::Fragment(address, index), Access::Int(_, 1)) => {
                Scalar::Fragment(address, index)
            }
            _ => return Err(NUMBER_OF_ADDRESS),
        };
        let size = access.size(self.unit.types.pointer_size());
        self.memory.write(at, size, scalar).map_err(|misuse| self.misuse(misuse))?;
        Ok(stored)
    }

    /// Whether a scalar is not zero.
    #[inline]
    pub(super) fn truth(&self, value: Value) -> Result<bool, Fault> {
        match value {
            Value::Int(number) => Ok(number != 0),
            Value::Float(number) => Ok(number != 0.0),
            Value::Address(_) => Ok(true),
            Value::Undefined => Err(UNSET),
            Value::Fragment(..) | Value::Record(_) => Err(NUMBER_OF_ADDRESS),
        }
    }

    /// An integer operation.
    #[inline]
    pub(super) fn arith(
        &self,
        op: Arith,
        ty: IntType,
        left: Value,
        right: Value,
    ) -> Result<Value, Fault> {
        let (Value::Int(left), Value::Int(right)) = (left, right) else {
            return self.arith_on_addresses(op, ty, left, right);
        };
        match value::arith(op, ty, left, right) {
            Computed::Exact(number) => Ok(Value::Int(number)),
            Computed::Overflow(_) if self.asked.has(Property::NoOverflow) => {
                Err(Fault::Violation(Property::NoOverflow))
            }
            Computed::Overflow(_) if op == Arith::Div => {
                Err(Fault::Undefined("the smallest number divided by -1"))
            }
            Computed::Overflow(number) => Ok(Value::Int(number)),
            Computed::DivisionByZero if self.asked.has(Property::NoDivisionByZero) => {
                Err(Fault::Violation(Property::NoDivisionByZero))
            }
            Computed::DivisionByZero => Err(Fault::Undefined("division by zero")),
            Computed::Remainder => Err(Fault::Undefined("the smallest number divided by -1")),
            Computed::ShiftRange => Err(Fault::Undefined("a shift by too many bits")),
        }
    }

    /// Addresses as integers can be moved, and two in one object subtracted.
    fn arith_on_addresses(
        &self,
        op: Arith,
        ty: IntType,
        left: Value,
        right: Value,
    ) -> Result<Value, Fault> {
        match (op, left, right) {
            (_, Value::Undefined, _) | (_, _, Value::Undefined) => Err(UNSET),
            (Arith::Add, at, Value::Int(by)) | (Arith::Add, Value::Int(by), at) => {
                self.moved(at, by)
            }
            (Arith::Sub, at @ Value::Address(_), Value::Int(by)) => {
                self.moved(at, by.wrapping_neg())
            }
            (
                Arith::Sub,
                Value::Address(Address::Object(left)),
                Value::Address(Address::Object(right)),
            ) if left.object == right.object => {
                let distance = i128::from(left.offset) - i128::from(right.offset);
                Ok(Value::Int(ty.wrap(distance)))
            }
            _ => Err(NUMBER_OF_ADDRESS),
        }
    }

    /// Whether a comparison holds.
    #[inline]
    pub(super) fn compare(
        &self,
        op: Compare,
        ty: IntType,
        left: Value,
        right: Value,
    ) -> Result<bool, Fault> {
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => Ok(value::compare(op, ty, left, right)),
            (Value::Undefined, _) | (_, Value::Undefined) => Err(UNSET),
            (Value::Address(left), Value::Address(right)) => compare_addresses(op, left, right),
            // No object, function or label is at a number; all are above null.
            (Value::Address(_), Value::Int(number)) => match op {
                Compare::Eq => Ok(false),
                Compare::Ne => Ok(true),
                _ if number == 0 => Ok(op.holds(std::cmp::Ordering::Greater)),
                _ => Err(NUMBER_OF_ADDRESS),
            },
            (Value::Int(number), Value::Address(_)) => match op {
                Compare::Eq => Ok(false),
                Compare::Ne => Ok(true),
                _ if number == 0 => Ok(op.holds(std::cmp::Ordering::Less)),
                _ => Err(NUMBER_OF_ADDRESS),
            },
            _ => Err(NUMBER_OF_ADDRESS),
        }
    }

    /// A value as one of an integer type.
    #[inline]
    pub(super) fn to_int(&self, ty: IntType, value: Value) -> Result<Value, Fault> {
        match value {
            Value::Int(number) => Ok(Value::Int(ty.wrap(number))),
            Value::Undefined => Ok(Value::Undefined),
            Value::Address(_) if ty.is_bool => Ok(Value::Int(1)),
            Value::Address(_) if ty.bits >= self.pointer.bits => Ok(value),
            Value::Fragment(..) if ty.bits >= 8 => Ok(value),
            _ => Err(NUMBER_OF_ADDRESS),
        }
    }

    /// An address so many bytes on.
    #[inline]
    pub(super) fn moved(&self, at: Value, bytes: i128) -> Result<Value, Fault> {
        match at {
            Value::Address(Address::Object(pointer)) => {
                let signed = IntType { is_signed: true, ..self.pointer };
                let offset = signed.wrap(i128::from(pointer.offset).wrapping_add(bytes)) as i64;
                Ok(to(Pointer { offset, ..pointer }))
            }
            Value::Int(number) => Ok(Value::Int(self.pointer.wrap(number.wrapping_add(bytes)))),
            at if bytes == 0 => Ok(at),
            Value::Undefined => Err(UNSET),
            _ => Err(Fault::Undefined("a function's address that is moved")),
        }
    }

    /// address → address, moved by so many elements
    pub(super) fn move_top(
        &mut self,
        index: i128,
        size: i128,
        is_forwards: bool,
    ) -> Result<(), Fault> {
        let at = self.pop();
        let bytes = index.wrapping_mul(size);
        let at = self.moved(at, if is_forwards { bytes } else { bytes.wrapping_neg() })?;
        self.push(at);
        Ok(())
    }

    /// address address → distance
    pub(super) fn distance(&mut self, size: i128, ty: IntType) -> Result<(), Fault> {
        let right = self.pop();
        let left = self.pop();
        let bytes = match (left, right) {
            (Value::Int(left), Value::Int(right)) => left - right,
            (Value::Address(Address::Object(left)), Value::Address(Address::Object(right)))
                if left.object == right.object =>
            {
                i128::from(left.offset) - i128::from(right.offset)
            }
            _ => return Err(Fault::Undefined("the distance of what lies in different objects")),
        };
        if size == 0 {
            return Err(Fault::Undefined("the distance of things without a size"));
        }
        self.push(Value::Int(ty.wrap(bytes / size)));
        Ok(())
    }

    /// The index of an array must be one of its elements.
    pub(super) fn check_index(&self, index: i128, count: i128, is_end: bool) -> Result<(), Fault> {
        let is_inside = 0 <= index && (index < count || is_end && index == count);
        if !is_inside && self.asked.has(Property::ArrayBounds) {
            return Err(Fault::Violation(Property::ArrayBounds));
        }
        Ok(())
    }
}

fn compare_addresses(op: Compare, left: Address, right: Address) -> Result<bool, Fault> {
    if let (Address::Object(left), Address::Object(right)) = (left, right)
        && left.object == right.object
    {
        return Ok(op.holds(left.offset.cmp(&right.offset)));
    }
    match op {
        Compare::Eq => Ok(left == right),
        Compare::Ne => Ok(left != right),
        _ => Err(Fault::Undefined("a comparison of addresses in different objects")),
    }
}
