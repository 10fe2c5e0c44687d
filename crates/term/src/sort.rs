//! Sorts, interned: equal sorts have equal ids.

use crate::id::{DataId, SymbolId};

/// A sort of a `Store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(pub(crate) u32);

impl SortId {
    /// The Booleans; the same in every store.
    pub const BOOL: SortId = SortId(0);
    /// The integers; the same in every store.
    pub const INT: SortId = SortId(1);
    /// The reals; the same in every store.
    pub const REAL: SortId = SortId(2);

    /// The position of the sort in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is `Int` or `Real`.
    pub fn is_arithmetic(self) -> bool {
        self == SortId::INT || self == SortId::REAL
    }
}

/// A set of values that terms can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Real numbers (every value we can write is rational).
    Real,
    /// Words of a fixed, positive number of bits.
    BitVec(u32),
    /// Total maps from the first sort to the second.
    Array(SortId, SortId),
    /// A declared sort, applied to its arguments.
    Uninterpreted(SymbolId, Vec<SortId>),
    /// An algebraic datatype or codatatype (an instance of one, if it was declared with parameters).
    Data(DataId),
}
