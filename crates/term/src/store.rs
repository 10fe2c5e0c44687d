//! The arena of terms: hash-consed, append-only, with 32-bit ids.
//!
//! Equal terms have equal ids, so equality is a comparison of numbers and a term of a million
//! nodes that shares well takes little room. A store only ever grows. That is the invariant the
//! whole pipeline leans on: a transform or an engine clones its problem's store and adds to the
//! clone, so every id of the problem means the same in the evidence (`Store::extends` checks it).
//! Clones are cheap: they share all they have in common (`pages`, `table`).
//!
//! Terms are made by the normalising constructors of `build`; nothing else writes to the arena.

use crate::annotation::Annotations;
use crate::bv::Bv;
use crate::id::{CtorId, DataId, FuncId, SymbolId, TermId};
use crate::intern::Interner;
use crate::meter::words_of;
use crate::num::{Int, Rat};
use crate::op::Op;
use crate::pages::Pages;
use crate::sort::{Sort, SortId};
use crate::table::IdTable;
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A declared function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Func {
    /// Its name.
    pub name: SymbolId,
    /// The sorts of its arguments.
    pub args: Vec<SortId>,
    /// The sort of its value.
    pub result: SortId,
}

/// A datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Its name.
    pub name: SymbolId,
    /// The sorts its parameters stand for, if it was declared with parameters.
    pub params: Vec<SortId>,
    /// Its constructors, in order; empty until `define_data`.
    pub ctors: Vec<CtorId>,
    /// Its sort.
    pub sort: SortId,
    /// Whether it is a codatatype: its values may be infinite, and those that cannot be told apart by their
    /// constructors all the way down are equal.
    pub is_co: bool,
}

/// A constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ctor {
    /// Its name.
    pub name: SymbolId,
    /// Its datatype.
    pub data: DataId,
    /// The selectors' names and sorts.
    pub fields: Vec<(SymbolId, SortId)>,
}

/// What a term contains, as bits: known without a walk.
pub(crate) mod flag {
    pub(crate) const VAR: u8 = 1;
    pub(crate) const APPLY: u8 = 2;
    pub(crate) const QUANTIFIER: u8 = 4;
    /// How many there are.
    pub(crate) const BITS: u32 = 3;
}

/// The ticks of a new node, besides one for each argument.
const NODE_TICKS: u64 = 7;

/// How many arguments a node holds itself; more of them are in the store's list.
const INLINE: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    op: Op,
    sort: SortId,
    /// The number of arguments, above the flags.
    len_and_flags: u32,
    /// The arguments; the first holds the position in the list if they are there.
    args: [TermId; INLINE],
}

impl Node {
    fn len(&self) -> usize {
        (self.len_and_flags >> flag::BITS) as usize
    }
}

/// An arena of terms with their sorts, names and declarations.
#[derive(Clone, Debug)]
pub struct Store {
    nodes: Pages<Node>,
    /// The arguments of nodes with more than `INLINE`.
    args: Pages<TermId>,
    table: IdTable,
    sorts: Interner<Sort>,
    symbols: Interner<Arc<str>>,
    ints: Interner<Int>,
    reals: Interner<Rat>,
    bvs: Interner<Bv>,
    funcs: Pages<Func>,
    datas: Pages<Data>,
    ctors: Pages<Ctor>,
    fresh: u32,
    /// What making the terms so far has taken, in ticks.
    effort: u64,
    /// Hints about quantified formulas, which are no part of their meaning.
    pub(crate) annotations: Arc<BTreeMap<TermId, Annotations>>,
}

impl Default for Store {
    fn default() -> Self {
        Store::new()
    }
}

fn key_hash(op: Op, sort: SortId, args: &[TermId]) -> u32 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    hasher.write_u32(sort.0);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    // The hasher puts its best bits lowest.
    hasher.finish() as u32
}

impl Store {
    /// A store that knows `true`, `false` and the sorts without parameters.
    pub fn new() -> Store {
        let mut store = Store {
            nodes: Pages::new(),
            args: Pages::new(),
            table: IdTable::new(),
            sorts: Interner::new(),
            symbols: Interner::new(),
            ints: Interner::new(),
            reals: Interner::new(),
            bvs: Interner::new(),
            funcs: Pages::new(),
            datas: Pages::new(),
            ctors: Pages::new(),
            fresh: 0,
            effort: 0,
            annotations: Arc::default(),
        };
        store.sorts.intern(Sort::Bool);
        store.sorts.intern(Sort::Int);
        store.sorts.intern(Sort::Real);
        store.raw(Op::True, SortId::BOOL, &[]);
        store.raw(Op::False, SortId::BOOL, &[]);
        store
    }

    /// The term with this root, sort and arguments, as it is: no normalisation, no checks.
    pub(crate) fn raw(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        let hash = key_hash(op, sort, args);
        self.effort += 1 + args.len() as u64;
        if let Some(id) = self.find_hashed(hash, op, sort, args) {
            return id;
        }
        self.effort += NODE_TICKS;
        let mut flags = match op {
            Op::Var(_) => flag::VAR,
            Op::Apply(_) => flag::APPLY,
            Op::Forall | Op::Exists => flag::QUANTIFIER,
            _ => 0,
        };
        for &arg in args {
            flags |= self.flags(arg);
        }
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| id < u32::MAX);
        let id = id.expect("fewer than 2^32 - 1 terms are made");
        let mut inline = [TermId(0); INLINE];
        if args.len() <= INLINE {
            inline[..args.len()].copy_from_slice(args);
        } else {
            let start = u32::try_from(self.args.push_run(args));
            inline[0] = TermId(start.expect("fewer than 2^32 arguments are stored"));
        }
        assert!(args.len() < 1 << (u32::BITS - flag::BITS), "a term has fewer than 2^29 arguments");
        let len_and_flags = (args.len() as u32) << flag::BITS | u32::from(flags);
        self.nodes.push(Node { op, sort, len_and_flags, args: inline });
        self.table.insert(hash, id);
        TermId(id)
    }

    fn find_hashed(&self, hash: u32, op: Op, sort: SortId, args: &[TermId]) -> Option<TermId> {
        let same = |id: u32| {
            let node = &self.nodes[id as usize];
            self.node_args(node) == args && node.sort == sort && node.op == op
        };
        self.table.find(hash, same).map(TermId)
    }

    /// The term with exactly this root, sort and arguments, if it has been made.
    pub fn find_raw(&self, op: Op, sort: SortId, args: &[TermId]) -> Option<TermId> {
        self.find_hashed(key_hash(op, sort, args), op, sort, args)
    }

    /// The root of a term.
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// The arguments of a term's root; for a quantifier the bound variables, then the body.
    pub fn args(&self, term: TermId) -> &[TermId] {
        self.node_args(&self.nodes[term.index()])
    }

    fn node_args<'a>(&'a self, node: &'a Node) -> &'a [TermId] {
        let len = node.len();
        if len <= INLINE { &node.args[..len] } else { self.args.run(node.args[0].index(), len) }
    }

    pub(crate) fn flags(&self, term: TermId) -> u8 {
        self.nodes[term.index()].len_and_flags as u8 & ((1 << flag::BITS) - 1)
    }

    /// Whether a term has no variables at all, bound ones included.
    pub fn is_ground(&self, term: TermId) -> bool {
        self.flags(term) & flag::VAR == 0
    }

    /// Whether a declared function or constant occurs in a term.
    pub fn has_apply(&self, term: TermId) -> bool {
        self.flags(term) & flag::APPLY != 0
    }

    /// Whether a quantifier occurs in a term.
    pub fn has_quantifier(&self, term: TermId) -> bool {
        self.flags(term) & flag::QUANTIFIER != 0
    }

    /// How many terms have been made.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The ticks that making the terms so far took, also of those that were there already: a bound
    /// on the memory they need. What was spent on literals that are too large to be kept counts too.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Counts work on literals.
    pub(crate) fn charge(&mut self, ticks: u64) {
        self.effort = self.effort.saturating_add(ticks);
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every id of `base` means the same here: this store was made by adding to `base`.
    pub fn extends(&self, base: &Store) -> bool {
        self.nodes.extends(&base.nodes)
            && self.args.extends(&base.args)
            && self.sorts.extends(&base.sorts)
            && self.symbols.extends(&base.symbols)
            && self.ints.extends(&base.ints)
            && self.reals.extends(&base.reals)
            && self.bvs.extends(&base.bvs)
            && self.funcs.extends(&base.funcs)
            && self.datas.extends(&base.datas)
            && self.ctors.extends(&base.ctors)
    }

    // Names.

    /// The id of a name.
    pub fn symbol(&mut self, name: &str) -> SymbolId {
        match self.symbols.find(name) {
            Some(id) => SymbolId(id),
            None => SymbolId(self.symbols.intern(name.into())),
        }
    }

    /// The id of a name that has been used.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols.find(name).map(SymbolId)
    }

    /// The text of a symbol.
    pub fn name(&self, symbol: SymbolId) -> &str {
        self.symbols.item(symbol.0)
    }

    /// A name nobody has used, made from `hint`.
    pub fn fresh_symbol(&mut self, hint: &str) -> SymbolId {
        let stem = hint.split('!').next().unwrap_or(hint);
        loop {
            self.fresh += 1;
            let name = format!("{stem}!{}", self.fresh);
            if self.symbols.find(name.as_str()).is_none() {
                return self.symbol(&name);
            }
        }
    }

    // Sorts.

    /// The id of a sort.
    ///
    /// Printing a sort and enumerating its elements recurse on it: whoever makes sorts from a file
    /// bounds how deep they nest.
    pub fn sort_id(&mut self, sort: Sort) -> SortId {
        SortId(self.sorts.intern(sort))
    }

    /// All sorts, each after those it is made of.
    pub fn sorts(&self) -> impl Iterator<Item = SortId> + use<> {
        (0..self.sorts.len() as u32).map(SortId)
    }

    /// What a sort is made of.
    pub fn sort_of(&self, id: SortId) -> &Sort {
        self.sorts.item(id.0)
    }

    /// How many sorts there are.
    pub fn sort_count(&self) -> usize {
        self.sorts.len()
    }

    /// The sort of words of `width` bits.
    pub fn bv_sort(&mut self, width: u32) -> SortId {
        self.sort_id(Sort::BitVec(width))
    }

    /// The sort of total maps from indices to elements.
    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.sort_id(Sort::Array(index, element))
    }

    /// The width of a sort of words.
    pub fn width_of(&self, sort: SortId) -> Option<u32> {
        match self.sort_of(sort) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// The width of a word term; 0 for other terms.
    pub fn width(&self, term: TermId) -> u32 {
        self.width_of(self.sort(term)).unwrap_or(0)
    }

    // Declarations.

    /// Declares a function; a second one of the same name is a different function.
    pub fn declare(&mut self, name: &str, args: &[SortId], result: SortId) -> FuncId {
        let name = self.symbol(name);
        self.funcs.push(Func { name, args: args.to_vec(), result });
        FuncId(u32::try_from(self.funcs.len() - 1).expect("fewer than 2^32 functions"))
    }

    /// A declared function.
    pub fn func(&self, func: FuncId) -> &Func {
        &self.funcs[func.index()]
    }

    /// All declared functions, in order.
    pub fn funcs(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.funcs.len() as u32).map(FuncId)
    }

    /// Declares a datatype whose constructors `define_data` will give.
    pub fn declare_data(&mut self, name: &str, params: &[SortId]) -> DataId {
        self.declare_data_or_codata(name, params, false)
    }

    /// `declare_data` or, if `is_co`, the same for a codatatype. None of its fields may lead back to it by way of a
    /// datatype or an array.
    pub fn declare_data_or_codata(&mut self, name: &str, params: &[SortId], is_co: bool) -> DataId {
        let name = self.symbol(name);
        let id = DataId(u32::try_from(self.datas.len()).expect("fewer than 2^32 datatypes"));
        let sort = self.sort_id(Sort::Data(id));
        self.datas.push(Data { name, params: params.to_vec(), ctors: Vec::new(), sort, is_co });
        id
    }

    /// Gives a declared datatype its constructors: names, and the selectors with their sorts.
    pub fn define_data(&mut self, data: DataId, ctors: &[(&str, Vec<(String, SortId)>)]) {
        for (name, fields) in ctors {
            let name = self.symbol(name);
            let fields = fields.iter().map(|(f, sort)| (self.symbol(f), *sort)).collect();
            let id = CtorId(u32::try_from(self.ctors.len()).expect("fewer than 2^32 constructors"));
            self.ctors.push(Ctor { name, data, fields });
            self.datas.item_mut(data.0 as usize).ctors.push(id);
        }
    }

    /// What was declared as a datatype.
    pub fn data(&self, data: DataId) -> &Data {
        &self.datas[data.0 as usize]
    }

    /// The codatatype that a sort is, if it is one.
    pub fn codata_of(&self, sort: SortId) -> Option<DataId> {
        match self.sort_of(sort) {
            Sort::Data(data) if self.data(*data).is_co => Some(*data),
            _ => None,
        }
    }

    /// All datatypes, in order.
    pub fn datas(&self) -> impl Iterator<Item = DataId> + use<> {
        (0..self.datas.len() as u32).map(DataId)
    }

    /// What was declared as a constructor.
    pub fn ctor(&self, ctor: CtorId) -> &Ctor {
        &self.ctors[ctor.0 as usize]
    }

    // Literals.

    pub(crate) fn int_literal(&mut self, value: Int) -> TermId {
        self.charge(words_of(value.bit_len() as u64));
        let op = Op::IntVal(self.ints.intern(value));
        self.raw(op, SortId::INT, &[])
    }

    pub(crate) fn real_literal(&mut self, value: Rat) -> TermId {
        self.charge(words_of(value.bit_len()));
        let op = Op::RealVal(self.reals.intern(value));
        self.raw(op, SortId::REAL, &[])
    }

    pub(crate) fn bv_literal(&mut self, value: Bv) -> TermId {
        let sort = self.bv_sort(value.width());
        self.charge(words_of(u64::from(value.width())));
        let op = Op::BvVal(self.bvs.intern(value));
        self.raw(op, sort, &[])
    }

    /// The number an integer literal stands for.
    pub fn int_value(&self, term: TermId) -> Option<&Int> {
        match self.op(term) {
            Op::IntVal(id) => Some(self.ints.item(id)),
            _ => None,
        }
    }

    /// The number a real literal stands for.
    pub fn real_value(&self, term: TermId) -> Option<&Rat> {
        match self.op(term) {
            Op::RealVal(id) => Some(self.reals.item(id)),
            _ => None,
        }
    }

    /// The word a word literal stands for.
    pub fn bv_value(&self, term: TermId) -> Option<&Bv> {
        match self.op(term) {
            Op::BvVal(id) => Some(self.bvs.item(id)),
            _ => None,
        }
    }

    /// The name of a variable.
    pub fn var_name(&self, term: TermId) -> Option<&str> {
        match self.op(term) {
            Op::Var(symbol) => Some(self.name(symbol)),
            _ => None,
        }
    }
}
