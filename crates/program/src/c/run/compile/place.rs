//! Places: the address of what is in memory, the slot of what is not.

use super::{Class, Compiler};
use crate::c::layout::{Length, RecordId, Type, TypeId};
use crate::c::run::code::{Access, Home, Instr};
use crate::c::run::value::IntType;
use crate::c::tree::{Place, PlaceKind};

/// Where a place is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Where {
    /// In a slot.
    Slot(Home),
    /// In memory, and the address is on the stack.
    Memory,
}

impl Compiler<'_> {
    /// How a scalar of a type is read and written; none for what is no scalar.
    pub(super) fn access(&self, ty: TypeId) -> Option<Access> {
        match self.class(ty) {
            Class::Int(ty, size) => Some(Access::Int(ty, size)),
            Class::Pointer => Some(Access::Pointer),
            Class::Float(true) => Some(Access::Single),
            Class::Float(false) => Some(Access::Double),
            _ => None,
        }
    }

    /// How a member is read and written, and where it is.
    pub(super) fn member(&self, record: RecordId, field: usize) -> (u64, Option<Access>) {
        let field = &self.unit.types.record(record).fields[field];
        match (field.bits, self.class(field.ty)) {
            (Some((low, bits)), Class::Int(ty, _)) => {
                let offset = field.offset + u64::from(low / 8);
                let low = low % 8;
                let size = u64::from(low + bits).div_ceil(8);
                let ty = IntType { bits, ..ty };
                (offset, Some(Access::Bits { ty, size, low }))
            }
            _ => (field.offset, self.access(field.ty)),
        }
    }

    /// How what is at a place is read and written; none for what is no scalar.
    pub(super) fn place_access(&self, place: &Place) -> Option<Access> {
        match &place.kind {
            PlaceKind::Member(_, record, field) => self.member(*record, *field).1,
            _ => self.access(place.ty),
        }
    }

    /// Finds a place. `is_end` says that the place behind the last element of an array is one, since only
    /// its address is wanted.
    pub(super) fn place(&mut self, place: &Place, is_end: bool) -> Where {
        match &place.kind {
            PlaceKind::Var(var) => {
                let home = self.home(*var);
                if !home.is_object {
                    return Where::Slot(home);
                }
                self.get(place.span, home);
            }
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Element(array, index) => {
                self.address(array);
                self.expr(index);
                let length = match self.unit.types.get(array.ty) {
                    Type::Array(_, length) => *length,
                    _ => Length::Unknown,
                };
                // An array of no elements at the end of a structure stands for any number of them.
                let bound = match length {
                    Length::Fixed(0) => None,
                    Length::Fixed(length) => Some(length),
                    Length::Variable(_) => {
                        self.length(place.span, length);
                        self.emit(place.span, Instr::Bound(is_end));
                        None
                    }
                    Length::Unknown => None,
                };
                match self.unit.types.size(place.ty) {
                    Some(size) => {
                        self.emit(place.span, Instr::Index(size, bound, is_end));
                    }
                    None => {
                        self.size(place.span, place.ty);
                        self.emit(place.span, Instr::MoveSized(true));
                    }
                }
            }
            PlaceKind::Member(base, record, field) => {
                self.address(base);
                let (offset, _) = self.member(*record, *field);
                if offset != 0 {
                    self.emit(place.span, Instr::Offset(offset as i64));
                }
            }
            PlaceKind::Text(text) => {
                self.emit(place.span, Instr::Text(*text));
            }
            PlaceKind::Literal(var, init) => {
                let home = self.home(*var);
                self.initialise(*var, init, place.span);
                if !home.is_object {
                    return Where::Slot(home);
                }
                self.get(place.span, home);
            }
        }
        Where::Memory
    }

    /// Finds a place that must be in memory.
    pub(super) fn address(&mut self, place: &Place) {
        if let Where::Slot(_) = self.place(place, false) {
            self.emit(place.span, Instr::Untreated("the address of what is not in memory"));
        }
    }

    /// address → what is there
    pub(super) fn read(&mut self, place: &Place) {
        match (self.place_access(place), self.class(place.ty)) {
            (Some(access), _) => self.emit(place.span, Instr::Read(access)),
            (None, Class::Record(_)) => self.emit(place.span, Instr::ReadRecord(place.ty)),
            _ => self.emit(place.span, Instr::Untreated("a value of this type")),
        };
    }

    /// address value → value, which is there now
    pub(super) fn write(&mut self, place: &Place) {
        match (self.place_access(place), self.class(place.ty)) {
            (Some(access), _) => self.emit(place.span, Instr::Write(access)),
            (None, Class::Record(_)) => self.emit(place.span, Instr::WriteRecord),
            _ => self.emit(place.span, Instr::Untreated("a value of this type")),
        };
    }
}
