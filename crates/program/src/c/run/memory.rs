//! Memory: objects of bytes.
//!
//! An object lives from its declaration or allocation to the end of its block, or until it is freed; its
//! slot is then used again, and whoever still points to it is found out by the count of its former users.
//! An address is stored in as many bytes as a pointer has, and which address it is stands beside them
//! (`marks`), so that unions, copies and access by characters see the same address again.
//!
//! What was never written has the contents that were chosen for the object: a scalar that is read at an
//! offset gets the chosen number there, once, and keeps it. Bytes that are copied without a type get those of
//! the given number that begins last before them. Without contents, as for a variable whose declaration was
//! jumped over, there is nothing to read.

use super::value::{Address, ObjectId, Pointer, Value};
use std::collections::BTreeMap;
use std::ops::Range;

/// How an object came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It lives as long as the program.
    Global,
    /// It lives in a block of a function.
    Local,
    /// It was allocated, and may be freed.
    Heap,
    /// A string literal, which must not be written.
    Text,
    /// Something outside the program, of which nothing is known.
    Foreign,
}

/// What an object that is not initialised has in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    cells: BTreeMap<u64, i128>,
    default: i128,
}

impl Contents {
    /// The contents with these numbers at these offsets and the default elsewhere.
    pub fn new(cells: &[(u64, i128)], default: i128) -> Contents {
        Contents { cells: cells.iter().copied().collect(), default }
    }

    /// The bytes of the number at an offset.
    fn at(&self, offset: u64) -> [u8; 16] {
        self.cells.get(&offset).unwrap_or(&self.default).to_le_bytes()
    }

    /// A byte that is wanted for itself.
    fn byte(&self, offset: u64) -> u8 {
        match self.cells.range(..=offset).next_back() {
            Some((&start, number)) if offset - start < 16 => {
                number.to_le_bytes()[(offset - start) as usize]
            }
            _ => self.default.to_le_bytes()[(offset % 8) as usize],
        }
    }
}

/// Bytes that were not written yet.
#[derive(Clone, Debug)]
struct Pending {
    /// What they are; none if that was not chosen.
    contents: Option<Contents>,
    /// Which ones.
    bytes: Vec<bool>,
    /// How many.
    left: usize,
}

/// An address among bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// A whole one begins here.
    Whole(Address),
    /// This byte is the one at that position of it.
    Byte(Address, u8),
}

/// Bytes with addresses among them.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    bytes: Vec<u8>,
    marks: BTreeMap<u64, Mark>,
}

/// A piece of memory that begins and ends as one.
#[derive(Clone, Debug)]
pub struct Object {
    generation: u32,
    is_alive: bool,
    /// How it came to be.
    pub kind: Kind,
    data: Bytes,
    pending: Option<Box<Pending>>,
}

impl Object {
    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.data.bytes.len() as u64
    }

    /// The objects that it has addresses of.
    pub fn targets(&self) -> impl Iterator<Item = ObjectId> {
        self.data.marks.values().filter_map(|mark| match mark {
            Mark::Whole(Address::Object(to)) | Mark::Byte(Address::Object(to), _) => {
                Some(to.object)
            }
            _ => None,
        })
    }
}

/// Why memory cannot do what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// There is no living object at these bytes.
    Invalid,
    /// A string literal is written.
    ReadOnly,
    /// Bytes are read that have no value.
    Unset,
    /// Something outside the program is looked at.
    Foreign,
    /// Some bytes of an address are used as a number.
    PartOfAddress,
    /// More memory is wanted than may be used.
    Full,
}

/// The memory of a run.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Object>,
    free: Vec<u32>,
    used: u64,
    limit: u64,
    pointer_size: u64,
}

/// What an object costs beside its bytes.
const OBJECT_COST: u64 = 128;

impl Memory {
    /// Memory for so many bytes.
    pub fn new(limit: u64, pointer_size: u64) -> Memory {
        Memory { objects: Vec::new(), free: Vec::new(), used: 0, limit, pointer_size }
    }

    /// A new object of zeros.
    pub fn allocate(&mut self, kind: Kind, size: u64) -> Result<Pointer, Misuse> {
        let cost = size.saturating_add(OBJECT_COST);
        if cost > self.limit - self.used {
            return Err(Misuse::Full);
        }
        // Where addresses are short there may be a limit that no object can reach.
        let length = usize::try_from(size).map_err(|_| Misuse::Full)?;
        self.used += cost;
        let data = Bytes { bytes: vec![0; length], marks: BTreeMap::new() };
        let object = match self.free.pop() {
            Some(index) => {
                let object = &mut self.objects[index as usize];
                let generation = object.generation + 1;
                *object = Object { generation, is_alive: true, kind, data, pending: None };
                ObjectId { index, generation }
            }
            None => {
                let index = u32::try_from(self.objects.len()).map_err(|_| Misuse::Full)?;
                let generation = 0;
                self.objects.push(Object { generation, is_alive: true, kind, data, pending: None });
                ObjectId { index, generation }
            }
        };
        Ok(Pointer { object, offset: 0 })
    }

    /// Ends the life of an object, if it lives.
    pub fn kill(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.index as usize];
        if object.generation != id.generation || !object.is_alive {
            return;
        }
        self.used -= object.size() + OBJECT_COST;
        object.is_alive = false;
        object.data = Bytes::default();
        object.pending = None;
        // A slot whose count is used up is not used again.
        if object.generation < u32::MAX {
            self.free.push(id.index);
        }
    }

    /// Forgets what an object has in it: from now on it is as chosen, or has no value.
    pub fn forget(
        &mut self,
        id: ObjectId,
        contents: Option<Contents>,
        from: u64,
    ) -> Result<(), Misuse> {
        let object = self.living(id).ok_or(Misuse::Invalid)?;
        let size = object.size() as usize;
        let mut bytes = vec![true; size];
        let start = usize::try_from(from).map_or(size, |from| from.min(size));
        bytes[..start].fill(false);
        object.data.marks.split_off(&from);
        object.pending = Some(Box::new(Pending { contents, bytes, left: size - start }));
        Ok(())
    }

    /// Room for so many bytes that are not in objects.
    pub fn reserve(&mut self, size: u64) -> Result<(), Misuse> {
        if size > self.limit - self.used {
            return Err(Misuse::Full);
        }
        self.used += size;
        Ok(())
    }

    /// They are not needed any more.
    pub fn release(&mut self, size: u64) {
        self.used -= size;
    }

    /// An object must not be written any more.
    pub fn freeze(&mut self, id: ObjectId) {
        if let Some(object) = self.living(id) {
            object.kind = Kind::Text;
        }
    }

    /// A living object.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        let object = &self.objects[id.index as usize];
        (object.generation == id.generation && object.is_alive).then_some(object)
    }

    fn living(&mut self, id: ObjectId) -> Option<&mut Object> {
        let object = &mut self.objects[id.index as usize];
        (object.generation == id.generation && object.is_alive).then_some(object)
    }

    /// How many places for objects there are.
    pub fn places(&self) -> u64 {
        self.objects.len() as u64
    }

    /// The objects that have begun and not ended.
    pub fn living_objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().enumerate().filter(|(_, object)| object.is_alive).map(
            |(index, object)| {
                (ObjectId { index: index as u32, generation: object.generation }, object)
            },
        )
    }

    /// Whether `size` bytes can be read at an address.
    pub fn check(&self, at: Value, size: u64) -> Result<Pointer, Misuse> {
        let pointer = match at {
            Value::Address(Address::Object(pointer)) => pointer,
            Value::Undefined => return Err(Misuse::Unset),
            _ => return Err(Misuse::Invalid),
        };
        let object = self.get(pointer.object).ok_or(Misuse::Invalid)?;
        if object.kind == Kind::Foreign {
            return Err(Misuse::Foreign);
        }
        let start = u64::try_from(pointer.offset).map_err(|_| Misuse::Invalid)?;
        match start.checked_add(size) {
            Some(end) if end <= object.size() => Ok(pointer),
            _ => Err(Misuse::Invalid),
        }
    }

    /// Whether `size` bytes can be written at an address.
    pub fn check_writable(&self, at: Value, size: u64) -> Result<Pointer, Misuse> {
        let pointer = self.check(at, size)?;
        match self.objects[pointer.object.index as usize].kind {
            Kind::Text => Err(Misuse::ReadOnly),
            _ => Ok(pointer),
        }
    }

    /// The bytes of a scalar of `size` bytes, little end first, or the address that they are.
    pub fn read(&mut self, at: Value, size: u64) -> Result<Scalar, Misuse> {
        let pointer = self.check(at, size)?;
        let start = pointer.offset as u64;
        let pointer_size = self.pointer_size;
        let object = &mut self.objects[pointer.object.index as usize];
        if object.pending.is_some() {
            object.settle(start, size)?;
        }
        object.data.scalar(start, size, pointer_size)
    }

    /// `read` that changes nothing: what was not written yet is not there.
    pub fn peek(&self, at: Value, size: u64) -> Result<Scalar, Misuse> {
        let pointer = self.check(at, size)?;
        let start = pointer.offset as u64;
        let object = &self.objects[pointer.object.index as usize];
        if let Some(pending) = &object.pending {
            let range = start as usize..(start + size) as usize;
            if pending.bytes[range].iter().any(|&is_pending| is_pending) {
                let Some(contents) = &pending.contents else { return Err(Misuse::Unset) };
                let mut copy = object.data.copy(start, size, self.pointer_size);
                let given = contents.at(start);
                for (index, byte) in copy.bytes.iter_mut().enumerate() {
                    if pending.bytes[start as usize + index] {
                        *byte = given[index];
                    }
                }
                return copy.scalar(0, size, self.pointer_size);
            }
        }
        object.data.scalar(start, size, self.pointer_size)
    }

    /// What an object holds, and where in it bytes that are about to be written begin and end; whatever was
    /// there is gone.
    fn overwritten(&mut self, at: Value, size: u64) -> Result<(&mut Bytes, Range<usize>), Misuse> {
        let pointer = self.check_writable(at, size)?;
        let start = pointer.offset as u64;
        let object = &mut self.objects[pointer.object.index as usize];
        object.written(start, size);
        object.data.clear_marks(start, size, self.pointer_size);
        Ok((&mut object.data, start as usize..(start + size) as usize))
    }

    /// Writes a scalar of `size` bytes.
    pub fn write(&mut self, at: Value, size: u64, scalar: Scalar) -> Result<(), Misuse> {
        let (data, range) = self.overwritten(at, size)?;
        let start = range.start as u64;
        match scalar {
            Scalar::Bits(bits) => {
                data.bytes[range].copy_from_slice(&bits.to_le_bytes()[..size as usize]);
            }
            Scalar::Address(address) => {
                data.bytes[range].fill(0);
                data.marks.insert(start, Mark::Whole(address));
            }
            Scalar::Fragment(address, index) => {
                data.bytes[range].fill(0);
                data.marks.insert(start, Mark::Byte(address, index));
            }
        }
        Ok(())
    }

    /// The bytes from an address on; `leaves` are the offsets and sizes of the scalars among them, as far
    /// as that is known.
    pub fn load(&mut self, at: Value, size: u64, leaves: &[(u64, u64)]) -> Result<Bytes, Misuse> {
        let pointer = self.check(at, size)?;
        let start = pointer.offset as u64;
        let pointer_size = self.pointer_size;
        let object = &mut self.objects[pointer.object.index as usize];
        if object.pending.is_some() {
            for &(offset, size) in leaves {
                object.settle(start + offset, size)?;
            }
            if leaves.is_empty() {
                object.settle_bytes(start, size)?;
            }
        }
        Ok(object.data.copy(start, size, pointer_size))
    }

    /// Writes bytes from an address on.
    pub fn store(&mut self, at: Value, data: &Bytes) -> Result<(), Misuse> {
        let (to, range) = self.overwritten(at, data.bytes.len() as u64)?;
        let start = range.start as u64;
        to.bytes[range].copy_from_slice(&data.bytes);
        for (&offset, &mark) in &data.marks {
            to.marks.insert(start + offset, mark);
        }
        Ok(())
    }

    /// Writes one byte many times.
    pub fn fill(&mut self, at: Value, size: u64, byte: u8) -> Result<(), Misuse> {
        let (data, range) = self.overwritten(at, size)?;
        data.bytes[range].fill(byte);
        Ok(())
    }
}

/// What the bytes of a scalar are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A number, of which only as many low bits count as there are.
    Bits(u128),
    /// An address.
    Address(Address),
    /// A byte of one.
    Fragment(Address, u8),
}

impl Object {
    /// Bytes get a value.
    fn written(&mut self, start: u64, size: u64) {
        let Some(pending) = &mut self.pending else { return };
        for byte in &mut pending.bytes[start as usize..(start + size) as usize] {
            if *byte {
                *byte = false;
                pending.left -= 1;
            }
        }
        if pending.left == 0 {
            self.pending = None;
        }
    }

    /// Gives the bytes of a scalar that were not written yet those of the number chosen for its offset.
    fn settle(&mut self, start: u64, size: u64) -> Result<(), Misuse> {
        let Some(pending) = &self.pending else { return Ok(()) };
        let range = start as usize..(start + size) as usize;
        if !pending.bytes[range].iter().any(|&is_pending| is_pending) {
            return Ok(());
        }
        let contents = pending.contents.as_ref().ok_or(Misuse::Unset)?;
        let given = contents.at(start);
        for (index, byte) in (start as usize..).zip(&given[..size as usize]) {
            if pending.bytes[index] {
                self.data.bytes[index] = *byte;
            }
        }
        self.written(start, size);
        Ok(())
    }

    /// Gives every byte that was not written yet its own value.
    fn settle_bytes(&mut self, start: u64, size: u64) -> Result<(), Misuse> {
        let Some(pending) = &self.pending else { return Ok(()) };
        for offset in start..start + size {
            if pending.bytes[offset as usize] {
                let contents = pending.contents.as_ref().ok_or(Misuse::Unset)?;
                self.data.bytes[offset as usize] = contents.byte(offset);
            }
        }
        self.written(start, size);
        Ok(())
    }
}

impl Bytes {
    /// Bytes that are these.
    pub fn of(bytes: Vec<u8>) -> Bytes {
        Bytes { bytes, marks: BTreeMap::new() }
    }

    /// The bytes; those of addresses are zero.
    pub fn raw(&self) -> &[u8] {
        &self.bytes
    }

    /// The objects that there are addresses of.
    pub fn targets(&self) -> impl Iterator<Item = ObjectId> {
        self.marks.values().filter_map(|mark| match mark {
            Mark::Whole(Address::Object(to)) | Mark::Byte(Address::Object(to), _) => {
                Some(to.object)
            }
            _ => None,
        })
    }

    /// The marks that have to do with some bytes.
    fn marks_at(
        &self,
        start: u64,
        size: u64,
        pointer_size: u64,
    ) -> impl Iterator<Item = (u64, Mark)> {
        let from = start.saturating_sub(pointer_size - 1);
        self.marks.range(from..start + size).map(|(&at, &mark)| (at, mark)).filter(
            move |&(at, mark)| match mark {
                Mark::Whole(_) => at + pointer_size > start,
                Mark::Byte(..) => at >= start,
            },
        )
    }

    /// Forgets the addresses in some bytes; of one that is only partly there the rest stays.
    fn clear_marks(&mut self, start: u64, size: u64, pointer_size: u64) {
        if self.marks.is_empty() {
            return;
        }
        let found: Vec<(u64, Mark)> = self.marks_at(start, size, pointer_size).collect();
        for (at, mark) in found {
            self.marks.remove(&at);
            if let Mark::Whole(address) = mark {
                for index in 0..pointer_size {
                    if at + index < start || at + index >= start + size {
                        self.marks.insert(at + index, Mark::Byte(address, index as u8));
                    }
                }
            }
        }
    }

    /// The scalar at some bytes.
    pub fn scalar(&self, start: u64, size: u64, pointer_size: u64) -> Result<Scalar, Misuse> {
        if !self.marks.is_empty() {
            let mut found = self.marks_at(start, size, pointer_size);
            if let Some((at, mark)) = found.next() {
                return match mark {
                    Mark::Whole(address) if at == start && size == pointer_size => {
                        Ok(Scalar::Address(address))
                    }
                    Mark::Whole(address) if size == 1 => {
                        Ok(Scalar::Fragment(address, (start - at) as u8))
                    }
                    Mark::Byte(address, index) if size == 1 => Ok(Scalar::Fragment(address, index)),
                    Mark::Byte(address, 0) if at == start && size == pointer_size => {
                        let rest = (1..pointer_size).all(|index| {
                            self.marks.get(&(start + index))
                                == Some(&Mark::Byte(address, index as u8))
                        });
                        if rest { Ok(Scalar::Address(address)) } else { Err(Misuse::PartOfAddress) }
                    }
                    _ => Err(Misuse::PartOfAddress),
                };
            }
        }
        let mut bits = [0; 16];
        bits[..size as usize].copy_from_slice(&self.bytes[start as usize..(start + size) as usize]);
        Ok(Scalar::Bits(u128::from_le_bytes(bits)))
    }

    /// Some of the bytes.
    pub fn copy(&self, start: u64, size: u64, pointer_size: u64) -> Bytes {
        let bytes = self.bytes[start as usize..(start + size) as usize].to_vec();
        let mut marks = BTreeMap::new();
        if !self.marks.is_empty() {
            for (at, mark) in self.marks_at(start, size, pointer_size) {
                match mark {
                    Mark::Whole(address) if at < start || at + pointer_size > start + size => {
                        for index in 0..pointer_size {
                            if (start..start + size).contains(&(at + index)) {
                                let byte = Mark::Byte(address, index as u8);
                                marks.insert(at + index - start, byte);
                            }
                        }
                    }
                    mark => {
                        marks.insert(at - start, mark);
                    }
                }
            }
        }
        Bytes { bytes, marks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pointer: Pointer, offset: i64) -> Value {
        Value::Address(Address::Object(Pointer { offset, ..pointer }))
    }

    #[test]
    fn a_scalar_is_read_by_its_bytes_too() {
        let mut memory = Memory::new(1 << 20, 8);
        let object = memory.allocate(Kind::Heap, 8).unwrap();
        memory.write(at(object, 0), 4, Scalar::Bits(0x0403_0201)).unwrap();
        assert_eq!(memory.read(at(object, 1), 1), Ok(Scalar::Bits(2)));
        assert_eq!(memory.read(at(object, 2), 2), Ok(Scalar::Bits(0x0403)));
        assert_eq!(memory.read(at(object, 5), 4), Err(Misuse::Invalid));
        assert_eq!(memory.read(at(object, -1), 1), Err(Misuse::Invalid));
    }

    #[test]
    fn a_dead_object_is_not_another_one_in_its_slot() {
        let mut memory = Memory::new(1 << 20, 8);
        let first = memory.allocate(Kind::Heap, 4).unwrap();
        memory.kill(first.object);
        let second = memory.allocate(Kind::Heap, 4).unwrap();
        assert_eq!(first.object.index, second.object.index);
        assert_eq!(memory.read(at(first, 0), 4), Err(Misuse::Invalid));
        assert_eq!(memory.read(at(second, 0), 4), Ok(Scalar::Bits(0)));
    }

    #[test]
    fn an_address_copied_byte_by_byte_is_the_same_address() {
        let mut memory = Memory::new(1 << 20, 8);
        let object = memory.allocate(Kind::Heap, 16).unwrap();
        let address = Address::Object(object);
        memory.write(at(object, 0), 8, Scalar::Address(address)).unwrap();
        for index in 0..8 {
            let byte = memory.read(at(object, index), 1).unwrap();
            assert_eq!(byte, Scalar::Fragment(address, index as u8));
            memory.write(at(object, 8 + index), 1, byte).unwrap();
        }
        assert_eq!(memory.read(at(object, 8), 8), Ok(Scalar::Address(address)));
        memory.write(at(object, 3), 1, Scalar::Bits(7)).unwrap();
        assert_eq!(memory.read(at(object, 0), 8), Err(Misuse::PartOfAddress));
        assert_eq!(memory.read(at(object, 2), 1), Ok(Scalar::Fragment(address, 2)));
        assert_eq!(memory.read(at(object, 3), 1), Ok(Scalar::Bits(7)));
    }

    #[test]
    fn what_was_not_written_is_what_was_chosen_and_stays_so() {
        let mut memory = Memory::new(1 << 20, 8);
        let object = memory.allocate(Kind::Heap, 12).unwrap();
        assert_eq!(memory.forget(object.object, None, 0), Ok(()));
        assert_eq!(memory.read(at(object, 0), 4), Err(Misuse::Unset));
        let contents = Contents::new(&[(4, 0x0102_0304)], 9);
        memory.forget(object.object, Some(contents), 0).unwrap();
        assert_eq!(memory.peek(at(object, 4), 4), Ok(Scalar::Bits(0x0102_0304)));
        assert_eq!(memory.read(at(object, 0), 4), Ok(Scalar::Bits(9)));
        memory.write(at(object, 4), 1, Scalar::Bits(0)).unwrap();
        assert_eq!(memory.read(at(object, 4), 4), Ok(Scalar::Bits(0x0102_0300)));
    }

    #[test]
    fn memory_is_limited() {
        let mut memory = Memory::new(1000, 8);
        assert_eq!(memory.allocate(Kind::Heap, 1 << 60), Err(Misuse::Full));
        let object = memory.allocate(Kind::Heap, 800).unwrap();
        assert_eq!(memory.allocate(Kind::Heap, 800), Err(Misuse::Full));
        memory.kill(object.object);
        assert!(memory.allocate(Kind::Heap, 800).is_ok());
    }
}
