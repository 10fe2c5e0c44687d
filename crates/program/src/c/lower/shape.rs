//! Types as lists of leaves.
//!
//! A leaf is a scalar somewhere in a type: a number, a pointer, or something opaque that is only carried
//! around. The way to it is a path of members and elements; arrays are ways with an element of any index in
//! them, so that a leaf below arrays is as many scalars as the arrays say. Values, variables and memory of a
//! type all have one thing per leaf, in the same order.
//!
//! Members of a union overlap. A union is treated where all members that the program uses are one, or are
//! numbers of one kind; then it is as a structure of that member alone.

use super::number::Kind;
use crate::c::layout::{Length, RecordId, Type, TypeId, Types};
use rustc_hash::FxHashMap;

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// To a member, by its position.
    Field(u32),
    /// To an element of an array; which, is said elsewhere.
    Element,
}

/// A way from a type down to a part of it.
pub type Path = Vec<Step>;

/// An array on the way to a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// How many elements it has.
    pub length: Length,
    /// How far apart they are, in bytes; zero where that is not known.
    pub stride: u64,
}

/// How the value of a leaf is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafKind {
    /// A number.
    Number(Kind),
    /// A pointer.
    Pointer,
    /// Something that no formula speaks about: a floating number, the state of variable arguments.
    Opaque,
}

/// A scalar inside of an object.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The way to it.
    pub path: Path,
    /// Where it begins with all indices zero, in bytes.
    pub offset: u64,
    /// The arrays on the way, outermost first.
    pub dims: Vec<Dimension>,
    /// How its value is said.
    pub kind: LeafKind,
    /// Its type.
    pub ty: TypeId,
    /// Whether it is a bit-field.
    pub is_bit_field: bool,
}

/// Which member stands for all members of a union that the program uses.
#[derive(Clone, Debug, Default)]
pub struct Unions {
    used: FxHashMap<RecordId, Vec<u32>>,
}

impl Unions {
    /// Notes that a member is used.
    pub fn note(&mut self, types: &Types, record: RecordId, field: usize) {
        let used = self.used.entry(record).or_default();
        if types.record(record).is_union && !used.contains(&(field as u32)) {
            used.push(field as u32);
        }
    }

    /// The member that stands for the union, if one can: it is the first that is used.
    pub fn member(&self, types: &Types, record: RecordId) -> Result<Option<u32>, &'static str> {
        let Some(used) = self.used.get(&record) else { return Ok(None) };
        let fields = &types.record(record).fields;
        let kind = |field: u32| {
            let field = &fields[field as usize];
            types.int_kind(field.ty).filter(|_| field.bits.is_none())
        };
        let Some(&first) = used.first() else { return Ok(None) };
        let same = |field: &u32| {
            fields[*field as usize].ty == fields[first as usize].ty
                && fields[*field as usize].bits == fields[first as usize].bits
                || kind(*field).is_some() && kind(*field) == kind(first)
        };
        match used.iter().all(same) {
            true => Ok(Some(first)),
            false => Err("a union whose members are used with different types"),
        }
    }
}

/// The kind of values that a scalar type has.
pub fn scalar_kind(types: &Types, ty: TypeId) -> Option<LeafKind> {
    Some(match types.get(ty) {
        Type::Int(kind) => LeafKind::Number(Kind::of(*kind, types.model)),
        Type::Pointer(_) => LeafKind::Pointer,
        Type::Float(_) | Type::VaList => LeafKind::Opaque,
        Type::Function(_) | Type::Void | Type::Array(..) | Type::Record(_) => return None,
    })
}

/// The leaves of a type, in order.
pub fn leaves(types: &Types, unions: &Unions, ty: TypeId) -> Result<Vec<Leaf>, &'static str> {
    let mut walk = Walk { types, unions, path: Vec::new(), dims: Vec::new(), leaves: Vec::new() };
    walk.visit(ty, 0, None)?;
    Ok(walk.leaves)
}

struct Walk<'a> {
    types: &'a Types,
    unions: &'a Unions,
    path: Path,
    dims: Vec<Dimension>,
    leaves: Vec<Leaf>,
}

impl Walk<'_> {
    /// Adds the leaves of a type that begins at an offset; a bit-field says how wide it is.
    fn visit(&mut self, ty: TypeId, offset: u64, bits: Option<u32>) -> Result<(), &'static str> {
        match self.types.get(ty) {
            Type::Array(element, length) => {
                let stride = self.types.size(*element).unwrap_or(0);
                self.dims.push(Dimension { length: *length, stride });
                self.path.push(Step::Element);
                self.visit(*element, offset, None)?;
                self.path.pop();
                self.dims.pop();
            }
            Type::Record(record) => self.visit_record(*record, offset)?,
            _ => {
                let Some(mut kind) = scalar_kind(self.types, ty) else { return Ok(()) };
                if let (LeafKind::Number(number), Some(bits)) = (&mut kind, bits) {
                    number.bits = bits;
                }
                let (path, dims) = (self.path.clone(), self.dims.clone());
                let is_bit_field = bits.is_some();
                self.leaves.push(Leaf { path, offset, dims, kind, ty, is_bit_field });
            }
        }
        Ok(())
    }

    /// Adds the leaves of a structure: of all members, or of the one that stands for a union.
    fn visit_record(&mut self, id: RecordId, offset: u64) -> Result<(), &'static str> {
        let types = self.types;
        let record = types.record(id);
        let only = match record.is_union {
            true => match self.unions.member(types, id)? {
                Some(member) => Some(member),
                None => return Ok(()),
            },
            false => None,
        };
        for (index, field) in record.fields.iter().enumerate() {
            let index = index as u32;
            if only.is_some_and(|only| only != index) {
                continue;
            }
            self.path.push(Step::Field(index));
            self.visit(field.ty, offset + field.offset, field.bits.map(|(_, bits)| bits))?;
            self.path.pop();
        }
        Ok(())
    }
}

/// The type at the end of a path, if the path is one of this type.
pub fn type_at(types: &Types, ty: TypeId, path: &[Step]) -> Option<TypeId> {
    let Some((first, rest)) = path.split_first() else { return Some(ty) };
    match (first, types.get(ty)) {
        (Step::Element, Type::Array(element, _)) => type_at(types, *element, rest),
        (Step::Field(index), Type::Record(record)) => {
            let field = types.record(*record).fields.get(*index as usize)?;
            type_at(types, field.ty, rest)
        }
        _ => None,
    }
}

/// Where the end of a path lies, in bytes, with all indices zero.
pub fn offset_of(types: &Types, ty: TypeId, path: &[Step]) -> Option<u64> {
    let Some((first, rest)) = path.split_first() else { return Some(0) };
    match (first, types.get(ty)) {
        (Step::Element, Type::Array(element, _)) => offset_of(types, *element, rest),
        (Step::Field(index), Type::Record(record)) => {
            let field = types.record(*record).fields.get(*index as usize)?;
            Some(field.offset + offset_of(types, field.ty, rest)?)
        }
        _ => None,
    }
}

/// How many bytes divide every size and every distance that using a type involves, all members of unions
/// among them.
pub fn grain(types: &Types, ty: TypeId) -> u64 {
    let own = types.size(ty).unwrap_or(0);
    match types.get(ty) {
        Type::Array(element, _) => gcd(own, grain(types, *element)),
        Type::Record(record) => {
            let fields = types.record(*record).fields.iter();
            fields.fold(own, |all, field| gcd(gcd(all, field.offset), grain(types, field.ty)))
        }
        _ => own,
    }
}

/// The greatest common divisor.
pub fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

/// Whether pointers are among the parts of a type.
pub fn has_pointers(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Pointer(_) => true,
        Type::Array(element, _) => has_pointers(types, *element),
        Type::Record(record) => {
            types.record(*record).fields.iter().any(|field| has_pointers(types, field.ty))
        }
        _ => false,
    }
}
