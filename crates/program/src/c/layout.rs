//! The types of C, with their sizes.
//!
//! Types are stored once and named by ids. Qualifiers are gone: they say nothing about values. An
//! enumeration is its integer type. Sizes and offsets are in bytes and depend on the data model alone.
//!
//! Source: C11 6.2.5, 6.2.6, 6.7.2; the System V ABIs for i386 and x86-64.

use super::tree::VarId;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// How wide integers and pointers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    /// `_Bool`, whose values are 0 and 1.
    Bool,
    /// `char`, which is signed here.
    Char,
    /// `signed char`.
    SignedChar,
    /// `unsigned char`.
    UnsignedChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UnsignedShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UnsignedInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    UnsignedLong,
    /// `long long`.
    LongLong,
    /// `unsigned long long`.
    UnsignedLongLong,
    /// `__int128`.
    Int128,
    /// `unsigned __int128`.
    UnsignedInt128,
    /// A signed integer of exactly so many bits: what gcc promotes a bit-field to that is wider than `int` and
    /// narrower than its type.
    Exact(u8),
    /// The same without sign.
    UnsignedExact(u8),
}

impl IntKind {
    /// How many bits a value has; one for `_Bool`, which is stored in eight.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 8,
            IntKind::Short | IntKind::UnsignedShort => 16,
            IntKind::Int | IntKind::UnsignedInt => 32,
            IntKind::Long | IntKind::UnsignedLong => match model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            IntKind::LongLong | IntKind::UnsignedLongLong => 64,
            IntKind::Int128 | IntKind::UnsignedInt128 => 128,
            IntKind::Exact(bits) | IntKind::UnsignedExact(bits) => u32::from(bits),
        }
    }

    /// How many bytes it takes.
    pub fn size(self, model: DataModel) -> u64 {
        u64::from(self.bits(model)).div_ceil(8).next_power_of_two()
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong | Int128 | Exact(_))
    }

    /// How it is written in C.
    pub fn name(self) -> Cow<'static, str> {
        let name = match self {
            IntKind::Exact(bits) => return format!("_BitInt({bits})").into(),
            IntKind::UnsignedExact(bits) => return format!("unsigned _BitInt({bits})").into(),
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SignedChar => "signed char",
            IntKind::UnsignedChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UnsignedShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UnsignedInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::UnsignedLong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::UnsignedLongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UnsignedInt128 => "unsigned __int128",
        };
        name.into()
    }
}

/// A floating type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long double`.
    LongDouble,
    /// `__float128`.
    Float128,
}

/// A type, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A structure or union, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// So many.
    Fixed(u64),
    /// As many as this hidden variable, which is set where the array is declared, says.
    Variable(VarId),
    /// Nobody says: a parameter, a declaration to be completed, the last member of a structure.
    Unknown,
}

/// A type of C.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// An integer.
    Int(IntKind),
    /// A floating number.
    Float(FloatKind),
    /// A pointer to something of this type.
    Pointer(TypeId),
    /// An array of elements of this type.
    Array(TypeId, Length),
    /// A structure or union.
    Record(RecordId),
    /// A function.
    Function(Signature),
    /// `__builtin_va_list`.
    VaList,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// What it returns.
    pub result: TypeId,
    /// The types of its parameters, arrays and functions being pointers already.
    pub params: Vec<TypeId>,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
    /// Whether the parameters are not said, as in `int f()`.
    pub is_open: bool,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name; none for anonymous structures and unions, whose members are members of the outer one.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// Where it begins, in bytes; for a bit-field, where its storage unit (of the size of `ty`) begins.
    pub offset: u64,
    /// For a bit-field, its lowest bit in the storage unit and how many bits it has.
    pub bits: Option<(u32, u32)>,
}

/// A structure or union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Its tag.
    pub name: Option<String>,
    /// Whether all members begin at 0.
    pub is_union: bool,
    /// The members, in order; unnamed bit-fields are left out.
    pub fields: Vec<Field>,
    /// How many bytes it takes.
    pub size: u64,
    /// What its place is a multiple of.
    pub align: u64,
    /// Whether its members are known.
    pub is_complete: bool,
}

/// The types of a program.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// The data model that sizes are of.
    pub model: DataModel,
    all: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
}

impl Types {
    /// No types yet.
    pub fn new(model: DataModel) -> Types {
        Types { model, ..Types::default() }
    }

    /// The id of a type.
    pub fn id(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.all.len()).expect("fewer than 2^32 types"));
        self.all.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The id of a type that is there already.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.ids.get(ty).copied()
    }

    /// A type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.all[id.0 as usize]
    }

    /// Adds a structure or union, complete or not.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId(u32::try_from(self.records.len() - 1).expect("fewer than 2^32 records"))
    }

    /// A structure or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// A structure or union that is being completed.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// All structures and unions.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter().enumerate().map(|(index, record)| (RecordId(index as u32), record))
    }

    /// The integer type, if it is one.
    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// What a pointer points to, or an array has as elements.
    pub fn target(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(target) | Type::Array(target, _) => Some(*target),
            _ => None,
        }
    }

    /// How many bytes a pointer takes.
    pub fn pointer_size(&self) -> u64 {
        IntKind::Long.size(self.model)
    }

    /// How many bytes a value takes; none if that is not known, or known only when the program runs. As
    /// gcc has it, `void` and functions take one.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Function(_) => Some(1),
            Type::Int(kind) => Some(kind.size(self.model)),
            Type::Float(kind) => Some(self.float_size(*kind).0),
            Type::Pointer(_) => Some(self.pointer_size()),
            Type::Array(element, Length::Fixed(length)) => {
                self.size(*element)?.checked_mul(*length)
            }
            Type::Array(..) => None,
            Type::Record(record) => {
                let record = self.record(*record);
                record.is_complete.then_some(record.size)
            }
            Type::VaList => Some(match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            }),
        }
    }

    /// What the place of a value is a multiple of.
    pub fn align(&self, id: TypeId) -> u64 {
        let small = |size: u64| match self.model {
            DataModel::Ilp32 => size.min(4),
            DataModel::Lp64 => size,
        };
        match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(kind) => small(kind.size(self.model)),
            Type::Float(kind) => self.float_size(*kind).1,
            Type::Pointer(_) => self.pointer_size(),
            Type::Array(element, _) => self.align(*element),
            Type::Record(record) => self.record(*record).align.max(1),
            Type::VaList => self.pointer_size(),
        }
    }

    /// Size and alignment of a floating number.
    fn float_size(&self, kind: FloatKind) -> (u64, u64) {
        match (kind, self.model) {
            (FloatKind::Float, _) => (4, 4),
            (FloatKind::Double, DataModel::Ilp32) => (8, 4),
            (FloatKind::Double, DataModel::Lp64) => (8, 8),
            (FloatKind::LongDouble, DataModel::Ilp32) => (12, 4),
            (FloatKind::LongDouble, DataModel::Lp64) => (16, 16),
            (FloatKind::Float128, _) => (16, 16),
        }
    }
}
