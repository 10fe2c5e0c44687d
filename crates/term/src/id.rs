//! Names for what is in a store: 32-bit numbers, one type for each kind of thing.

/// A term of a `Store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

/// A name of a `Store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(crate) u32);

/// A declared function of a `Store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub(crate) u32);

/// A datatype of a `Store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DataId(pub(crate) u32);

/// A constructor of a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CtorId(pub(crate) u32);

impl TermId {
    /// The truth value true; the same in every store.
    pub const TRUE: TermId = TermId(0);
    /// The truth value false; the same in every store.
    pub const FALSE: TermId = TermId(1);

    /// The position of the term in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FuncId {
    /// The position of the function among the declared ones.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
