//! What the functions of `library` do.

use super::machine::{Fault, Machine, to};
use super::memory::{Bytes, Kind, Misuse, Scalar};
use super::value::{Address, IntType, Pointer, Value};
use super::{Chooser, Reason, Wanted, Watcher};
use crate::c::layout::Type;
use crate::c::library::{self, Known, is_exit};
use crate::c::property::{Asked, Choice, Malloc, Property};
use crate::c::tree::{Arith, FuncId};

/// How many bytes are copied in a step.
const BYTES_PER_STEP: u64 = 64;

impl<C: Chooser + ?Sized, W: Watcher + ?Sized> Machine<'_, C, W> {
    /// Calls a known function. Long: one match, in which each function has the few lines that it is.
    pub(super) fn known(
        &mut self,
        known: Known,
        function: FuncId,
        args: &[Value],
    ) -> Result<Value, Fault> {
        let arg = |index: usize| {
            args.get(index).copied().ok_or(Fault::Undefined("a call with too few arguments"))
        };
        match known {
            Known::Nondet(kind) => {
                let number = self.choose_number(Asked::Call(function), Wanted::Int(kind))?;
                match self.result_int(function) {
                    Some(ty) => Ok(Value::Int(ty.wrap(number))),
                    None => Ok(Value::Int(number)),
                }
            }
            Known::NondetPointer => Ok(Value::Int(0)),
            Known::NondetFloat => Err(Fault::Untreated("any floating number")),
            Known::Assume => {
                if self.truth(arg(0)?)? {
                    Ok(Value::Int(0))
                } else {
                    Err(Fault::Stopped(Reason::Assume))
                }
            }
            Known::Error => Err(self.violated(Property::UnreachCall)),
            Known::Assert => {
                if self.truth(arg(0)?)? {
                    Ok(Value::Int(0))
                } else {
                    Err(self.violated(Property::Assert))
                }
            }
            Known::AssertFail => Err(self.violated(Property::Assert)),
            Known::Stop => {
                let is_orderly = is_exit(&self.unit.function(function).name);
                Err(Fault::Stopped(if is_orderly { Reason::Exit } else { Reason::Abort }))
            }
            Known::Malloc => {
                let size = self.amount(arg(0)?)?;
                self.allocate(Kind::Heap, size, true)
            }
            Known::Calloc => {
                let (count, size) = (self.amount(arg(0)?)?, self.amount(arg(1)?)?);
                let size = count.checked_mul(size).ok_or(Fault::Limit)?;
                self.allocate(Kind::Heap, size, false)
            }
            Known::Alloca => {
                let size = self.amount(arg(0)?)?;
                let value = self.allocate(Kind::Local, size, true)?;
                if let (Value::Address(Address::Object(pointer)), Some(frame)) =
                    (value, self.frames.last_mut())
                {
                    frame.allocated.push(pointer.object);
                }
                Ok(value)
            }
            Known::Realloc => {
                let size = self.amount(arg(1)?)?;
                self.reallocate(arg(0)?, size)
            }
            Known::Free => {
                self.free(arg(0)?)?;
                Ok(Value::Int(0))
            }
            Known::Memset => {
                let size = self.amount(arg(2)?)?;
                let Value::Int(byte) = arg(1)? else {
                    return Err(Fault::Untreated("the number of an address"));
                };
                if size > 0 {
                    self.spend(size / BYTES_PER_STEP)?;
                    let filled = self.memory.fill(arg(0)?, size, byte as u8);
                    filled.map_err(|misuse| self.misuse(misuse))?;
                }
                arg(0)
            }
            Known::Memcpy | Known::Memmove => {
                let size = self.amount(arg(2)?)?;
                let (to, from) = (arg(0)?, arg(1)?);
                if size > 0 {
                    if known == Known::Memcpy && overlap(to, from, size) {
                        return Err(Fault::Undefined("a copy of bytes onto themselves"));
                    }
                    self.copy(to, from, size)?;
                }
                Ok(to)
            }
            Known::Memcmp => {
                let size = self.amount(arg(2)?)?;
                self.difference(arg(0)?, arg(1)?, size, false)
            }
            Known::Strlen => {
                let length = self.text_length(arg(0)?, u64::MAX)?;
                Ok(Value::Int(i128::from(length)))
            }
            Known::Strcpy => {
                let (to, from) = (arg(0)?, arg(1)?);
                let size = self.text_length(from, u64::MAX)? + 1;
                if overlap(to, from, size) {
                    return Err(Fault::Undefined("a copy of bytes onto themselves"));
                }
                self.copy(to, from, size)?;
                Ok(to)
            }
            Known::Strncpy => {
                let (to, from) = (arg(0)?, arg(1)?);
                let size = self.amount(arg(2)?)?;
                let length = self.text_length(from, size)?;
                self.copy(to, from, length)?;
                if length < size {
                    self.spend((size - length) / BYTES_PER_STEP)?;
                    let rest = self.moved(to, i128::from(length))?;
                    let filled = self.memory.fill(rest, size - length, 0);
                    filled.map_err(|misuse| self.misuse(misuse))?;
                }
                Ok(to)
            }
            Known::Strcat => {
                let (to, from) = (arg(0)?, arg(1)?);
                let end = self.text_length(to, u64::MAX)?;
                let size = self.text_length(from, u64::MAX)? + 1;
                let end = self.moved(to, i128::from(end))?;
                if overlap(end, from, size) {
                    return Err(Fault::Undefined("a copy of bytes onto themselves"));
                }
                self.copy(end, from, size)?;
                Ok(to)
            }
            Known::Strcmp => self.difference(arg(0)?, arg(1)?, u64::MAX, true),
            Known::Strncmp => {
                let size = self.amount(arg(2)?)?;
                self.difference(arg(0)?, arg(1)?, size, true)
            }
            Known::Strchr => {
                let Value::Int(wanted) = arg(1)? else {
                    return Err(Fault::Untreated("the number of an address"));
                };
                let mut at = arg(0)?;
                loop {
                    let byte = self.byte(at)?;
                    if byte == wanted as u8 {
                        return Ok(at);
                    }
                    if byte == 0 {
                        return Ok(Value::Int(0));
                    }
                    at = self.moved(at, 1)?;
                }
            }
            Known::Strdup => {
                let size = self.text_length(arg(0)?, u64::MAX)? + 1;
                let value = self.allocate(Kind::Heap, size, true)?;
                if value != Value::Int(0) {
                    self.copy(value, arg(0)?, size)?;
                }
                Ok(value)
            }
            Known::Upper | Known::Lower => {
                let Value::Int(number) = arg(0)? else {
                    return Err(Fault::Untreated("the number of an address"));
                };
                if !library::CHARACTERS.contains(&number) {
                    return Err(Fault::Undefined("a character out of range"));
                }
                Ok(Value::Int(number + library::change_of_case(known, number)))
            }
            Known::Abs => {
                let ty = self.result_int(function).ok_or(Fault::Untreated("an absolute value"))?;
                match arg(0)? {
                    value @ Value::Int(number) if number >= 0 => Ok(value),
                    value => self.arith(Arith::Sub, ty, Value::Int(0), value),
                }
            }
            Known::Output => self.any_result(function),
            Known::First => arg(0),
            Known::Thread => Err(Fault::Untreated("another thread")),
            Known::LongJump => Err(Fault::Untreated("a jump out of a function")),
            Known::Zero => Ok(Value::Int(0)),
            Known::Sync(_) => Err(Fault::Untreated("a call about threads")),
        }
    }

    /// What happens at a violation of a property, whether it is asked about or not.
    fn violated(&self, property: Property) -> Fault {
        if self.asked.has(property) {
            Fault::Violation(property)
        } else {
            Fault::Stopped(Reason::Failed)
        }
    }

    /// The integer type that a function returns.
    fn result_int(&self, function: FuncId) -> Option<IntType> {
        let types = &self.unit.types;
        let Type::Function(signature) = types.get(self.unit.function(function).ty) else {
            return None;
        };
        types.int_kind(signature.result).map(|kind| IntType::new(kind, types.model))
    }

    /// How many bytes an argument says.
    fn amount(&self, value: Value) -> Result<u64, Fault> {
        match value {
            Value::Int(number) => {
                u64::try_from(self.pointer.wrap(number)).map_err(|_| Fault::Limit)
            }
            Value::Undefined => Err(Fault::Undefined("reading what has no value")),
            _ => Err(Fault::Untreated("the number of an address")),
        }
    }

    /// A new object, with contents that are asked for or zeros.
    fn allocate(&mut self, kind: Kind, size: u64, is_asked: bool) -> Result<Value, Fault> {
        if kind == Kind::Heap && self.task.malloc == Malloc::MayFail {
            let choice = self.choose(Asked::Allocation, Wanted::Allocated)?;
            if choice == Choice::Allocated(false) {
                return Ok(Value::Int(0));
            }
        }
        self.spend(size / BYTES_PER_STEP)?;
        let object = self.memory.allocate(kind, size).map_err(|_| Fault::Limit)?;
        if is_asked {
            let contents = self.choose_contents(Asked::Allocation, size)?;
            let forgotten = self.memory.forget(object.object, Some(contents), 0);
            forgotten.map_err(|misuse| self.misuse(misuse))?;
        }
        Ok(to(object))
    }

    fn free(&mut self, value: Value) -> Result<(), Fault> {
        if value == Value::Int(0) {
            return Ok(());
        }
        let object = self.freeable(value)?;
        self.memory.kill(object.object);
        Ok(())
    }

    /// The object that may be freed by this address.
    fn freeable(&self, value: Value) -> Result<Pointer, Fault> {
        let bad = if self.asked.has(Property::ValidFree) {
            Fault::Violation(Property::ValidFree)
        } else {
            Fault::Undefined("freeing what was not allocated")
        };
        match value {
            Value::Undefined => Err(Fault::Undefined("reading what has no value")),
            Value::Address(Address::Object(pointer)) => {
                match self.memory.get(pointer.object).map(|object| object.kind) {
                    Some(Kind::Heap) if pointer.offset == 0 => Ok(pointer),
                    Some(Kind::Foreign) => Err(Fault::Untreated("freeing what is not known")),
                    _ => Err(bad),
                }
            }
            _ => Err(bad),
        }
    }

    /// A new object with what the old one had, as far as it goes.
    fn reallocate(&mut self, old: Value, size: u64) -> Result<Value, Fault> {
        if old == Value::Int(0) {
            return self.allocate(Kind::Heap, size, true);
        }
        let pointer = self.freeable(old)?;
        let value = self.allocate(Kind::Heap, size, true)?;
        if value == Value::Int(0) {
            return Ok(value);
        }
        let kept = self.memory.get(pointer.object).map_or(0, |object| object.size()).min(size);
        if kept > 0 {
            self.copy(value, old, kept)?;
        }
        self.memory.kill(pointer.object);
        Ok(value)
    }

    fn copy(&mut self, to: Value, from: Value, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        self.spend(size / BYTES_PER_STEP)?;
        // Where it goes is looked at before anything of that size is made.
        let writable = self.memory.check_writable(to, size);
        writable.map_err(|misuse| self.misuse(misuse))?;
        let bytes: Result<Bytes, Misuse> = self.memory.load(from, size, &[]);
        let bytes = bytes.map_err(|misuse| self.misuse(misuse))?;
        self.memory.store(to, &bytes).map_err(|misuse| self.misuse(misuse))
    }

    /// The byte at an address.
    fn byte(&mut self, at: Value) -> Result<u8, Fault> {
        self.spend(1)?;
        match self.memory.read(at, 1).map_err(|misuse| self.misuse(misuse))? {
            Scalar::Bits(bits) => Ok(bits as u8),
            _ => Err(Fault::Untreated("a part of an address as a number")),
        }
    }

    /// How many bytes come before a zero, at most so many.
    fn text_length(&mut self, text: Value, most: u64) -> Result<u64, Fault> {
        let (mut length, mut at) = (0, text);
        while length < most && self.byte(at)? != 0 {
            length += 1;
            at = self.moved(at, 1)?;
        }
        Ok(length)
    }

    /// The difference of the first bytes that differ, among so many, and before a zero for texts.
    fn difference(
        &mut self,
        left: Value,
        right: Value,
        size: u64,
        is_text: bool,
    ) -> Result<Value, Fault> {
        let (mut left, mut right) = (left, right);
        let mut index = 0;
        while index < size {
            let (a, b) = (self.byte(left)?, self.byte(right)?);
            if a != b {
                return Ok(Value::Int(if a < b { -1 } else { 1 }));
            }
            if is_text && a == 0 {
                break;
            }
            left = self.moved(left, 1)?;
            right = self.moved(right, 1)?;
            index += 1;
        }
        Ok(Value::Int(0))
    }
}

/// Whether two ranges of bytes have some in common.
fn overlap(left: Value, right: Value, size: u64) -> bool {
    let (Value::Address(Address::Object(left)), Value::Address(Address::Object(right))) =
        (left, right)
    else {
        return false;
    };
    left.object == right.object && left.offset.abs_diff(right.offset) < size
}
