//! Variables whose names mean something else in the same term.
//!
//! A variable is a name with a sort, and the store keeps names of functions, constructors and
//! selectors apart from those of variables. Text has one name space: in the body of a quantifier
//! over `x` every `x` is the bound one.

use super::name_of;
use crate::id::{FuncId, SymbolId, TermId};
use crate::op::Op;
use crate::store::Store;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Var(TermId),
    Func(FuncId),
    /// A constructor or selector; the store keeps those of different datatypes apart, text does
    /// not need to.
    Part,
    Theory,
}

impl Store {
    /// The variables of `root` that share their name with something else there; none if nothing is
    /// bound.
    pub(super) fn clashing_vars(&self, root: TermId) -> FxHashSet<TermId> {
        let mut clashing = FxHashSet::default();
        if !self.has_quantifier(root) {
            return clashing;
        }
        let mut meaning: FxHashMap<SymbolId, Meaning> = FxHashMap::default();
        let mut clashes: FxHashSet<SymbolId> = FxHashSet::default();
        let subterms = self.subterms(&[root]);
        for &term in &subterms {
            let (name, means) = match self.op(term) {
                Op::Var(name) => (name, Meaning::Var(term)),
                Op::Apply(func) => (self.func(func).name, Meaning::Func(func)),
                Op::Construct(ctor) | Op::Is(ctor) => (self.ctor(ctor).name, Meaning::Part),
                Op::Field(ctor, field) => (self.ctor(ctor).fields[field as usize].0, Meaning::Part),
                op => match name_of(op).and_then(|name| self.find_symbol(name)) {
                    Some(name) => (name, Meaning::Theory),
                    None => continue,
                },
            };
            if *meaning.entry(name).or_insert(means) != means {
                clashes.insert(name);
            }
        }
        for term in subterms {
            if let Op::Var(name) = self.op(term)
                && clashes.contains(&name)
            {
                clashing.insert(term);
            }
        }
        clashing
    }
}
