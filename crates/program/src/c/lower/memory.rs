//! Memory: objects in regions.
//!
//! A region has a variable per leaf of its type: an array by objects, and by elements where objects may be
//! arrays; a region that has one object only needs no array by objects. Objects are numbers: functions, string
//! literals and variables that live once have constants, all others get the next number when they begin to
//! live. Nothing is in a new object but what was there before it was used, that is, anything.
//!
//! Whether objects live, and how many bytes they have, is kept only if a property asks about memory, or objects
//! are allocated anew with a new size: a run that uses what is dead then violates it. Otherwise such runs go on, though the program's have ended: the
//! form has more of them.

use super::grains::{Grains, PointerGrains};
use super::number::{self, Kind};
use super::place::{Base, Cells, Home, Making, Spot};
use super::points::is_in_memory;
use super::regions::{Cell, NodeId, Site};
use super::shape::{Path, Step, leaves, offset_of, type_at};
use super::value::{Pointer, Scalar, Value};
use super::{Lower, Origin};
use crate::c::layout::{Length, Type, TypeId};
use crate::c::property::Property;
use crate::c::tree::{FuncId, Storage, VarId};
use crate::form::{self, Action, ThreadOp};
use alphorn_problem::Span;
use alphorn_term::{Int, SortId, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What an object is to those who ask whether it lives: nothing, or not any more.
pub const DEAD: i64 = 0;
/// It lives until its scope ends, or as long as the program.
pub const SCOPED: i64 = 1;
/// It lives until it is freed.
pub const HEAP: i64 = 2;

/// A set of objects that pointers do not keep apart.
#[derive(Clone, Debug)]
pub struct Region {
    /// The variables for their leaves.
    pub cells: Cells,
    /// Whether there is one object only.
    pub is_solo: bool,
    /// Its grains, if it is used with different types; it has no leaves then.
    pub grains: Option<Grains>,
}

/// The memory of a program.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The regions by their nodes.
    pub regions: BTreeMap<NodeId, Region>,
    /// The objects that are constants.
    pub fixed: FxHashMap<Site, Int>,
    /// The functions as objects.
    pub functions: BTreeMap<FuncId, Int>,
    /// The next object, if any are numbered while the program runs.
    pub next: Option<form::VarId>,
    /// The first of those.
    pub first: i64,
    /// What objects are: an array of numbers, if anyone asks.
    pub life: Option<form::VarId>,
    /// Where objects end, in bytes from the beginning of their region's type, if anyone asks.
    pub end: Option<form::VarId>,
    /// Where they begin, likewise, if some begin elsewhere than at zero.
    pub start: Option<form::VarId>,
    /// How many objects are on the heap, if anyone asks.
    pub live: Option<form::VarId>,
}

impl Lower<'_> {
    /// Objects are words of 32 bits, or integers.
    fn object_kind(&self) -> Kind {
        Kind { bits: 32, is_signed: true, is_truth: false }
    }

    /// The sort of the numbers that objects have.
    pub fn object_sort(&mut self) -> SortId {
        let kind = self.object_kind();
        number::sort(&mut self.program.terms, self.options.numbers, kind)
    }

    /// An object that is a constant.
    pub fn object_literal(&mut self, object: impl Into<Int>) -> TermId {
        let kind = self.object_kind();
        number::constant(&mut self.program.terms, self.options.numbers, kind, &object.into()).term
    }

    /// Whether it is kept which objects live.
    fn asks_about_memory(&self) -> bool {
        use Property::*;
        [ValidDeref, ValidFree, ValidMemtrack, MemCleanup].iter().any(|asked| self.asks(*asked))
    }

    /// A global variable of the form that stands in no program.
    fn new_hidden(&mut self, name: &str, sort: SortId) -> form::VarId {
        let var = self.new_var(name, sort, Span::NONE, Origin::Hidden);
        self.program.globals.push(var);
        var
    }

    /// Numbers the objects that are constants, and makes the variables of all regions.
    pub fn declare_memory(&mut self) {
        let mut next = 1i64;
        for function in self.reach.addressed.clone() {
            self.memory.functions.insert(function, next.into());
            next += 1;
        }
        let vars: Vec<VarId> = self.reach.vars.iter().copied().collect();
        let mut is_numbered = self.reach.allocates;
        for var in vars.into_iter().filter(|var| is_in_memory(self.unit, *var)) {
            let storage = self.unit.var(var).storage;
            let is_static = matches!(storage, Storage::Global | Storage::Static | Storage::Extern);
            if is_static || self.reach.once.contains(&var) {
                self.memory.fixed.insert(Site::Variable(var), next.into());
                self.homes.insert(var, Home::Fixed(next.into()));
                next += 1;
            } else {
                is_numbered = true;
            }
        }
        for text in self.reach.strings.clone() {
            self.memory.fixed.insert(Site::Text(text), next.into());
            next += 1;
        }
        self.memory.first = next;
        if is_numbered {
            let sort = self.object_sort();
            self.memory.next = Some(self.new_hidden("next", sort));
        }
        self.declare_regions();
        // How much of an object goes over when it is allocated anew depends on how large it was.
        let is_asked = self.asks_about_memory() || self.reach.reallocates;
        if is_asked && (is_numbered || next > 1) {
            self.declare_lives();
        }
    }

    /// The variables of the regions whose types are known.
    fn declare_regions(&mut self) {
        let nodes: Vec<NodeId> = self.regions.roots().collect();
        for node in nodes {
            if self.regions.node(node).is_mixed {
                self.declare_grains(node);
                continue;
            }
            let Some(ty) = self.regions.node(node).ty else { continue };
            let Ok(leaves) = leaves(&self.unit.types, &self.regions.unions, ty) else { continue };
            let info = self.regions.node(node);
            let is_solo = info.sites == 1 && !info.is_many && !info.is_foreign;
            let is_indexed = info.is_indexed;
            let mut outer = Vec::new();
            if !is_solo {
                outer.push(self.object_sort());
            }
            if is_indexed {
                outer.push(self.index_sort());
            }
            let name = self.type_name(ty);
            let making = Making { name: &name, span: Span::NONE, outer: &outer };
            let mut pointee = |lower: &mut Self, path: &Path| {
                lower.regions.stored(&Cell { node, path: path.clone() })
            };
            let origin = |path: &Path, part| Origin::Memory { ty, path: path.clone(), part };
            let cells = self.make_cells(leaves, &making, &mut pointee, &origin);
            self.program.globals.extend(cells.all());
            self.memory.regions.insert(node, Region { cells, is_solo, grains: None });
        }
    }

    /// The variables of a region that is used with different types.
    fn declare_grains(&mut self, node: NodeId) {
        let info = self.regions.node(node);
        let is_solo = info.sites == 1 && !info.is_many && !info.is_foreign;
        let (size, has_pointers) = (self.regions.grain(node), self.regions.has_pointees(node));
        let kind = Kind { bits: 8 * size as u32, is_signed: false, is_truth: false };
        let (object, index) = (self.object_sort(), self.index_sort());
        let number = number::sort(&mut self.program.terms, self.options.numbers, kind);
        let declare = |lower: &mut Self, name: &str, sort: SortId| {
            let store = &mut lower.program.terms;
            let sort = store.array_sort(index, sort);
            let sort = if is_solo { sort } else { store.array_sort(object, sort) };
            lower.new_hidden(name, sort)
        };
        let value = declare(self, "memory of bytes", number);
        let pointers = has_pointers.then(|| {
            let cell = self.regions.stored(&Cell { node, path: Vec::new() });
            let objects = declare(self, "pointers among bytes", object);
            let mut indices = Vec::new();
            for is_stored in self.stored_indices(&cell) {
                indices.push(is_stored.then(|| declare(self, "indices among bytes", index)));
            }
            PointerGrains { object: objects, indices, cell }
        });
        let grains = Some(Grains { size, value, pointers });
        self.memory.regions.insert(node, Region { cells: Cells::default(), is_solo, grains });
    }

    /// Whether what is at a place is said by variables.
    pub fn is_followed(&self, spot: &Spot) -> bool {
        match spot.base {
            Base::Own(_) => true,
            Base::Memory(node, _) => self.memory.regions.contains_key(&node),
            Base::Lost => false,
        }
    }

    /// A name for the memory of a type.
    fn type_name(&self, ty: TypeId) -> String {
        match self.unit.types.get(ty) {
            Type::Int(kind) => format!("memory of {}", kind.name()),
            Type::Record(record) => match &self.unit.types.record(*record).name {
                Some(name) => format!("memory of {name}"),
                None => "memory of a structure".to_owned(),
            },
            Type::Pointer(_) => "memory of pointers".to_owned(),
            _ => "memory".to_owned(),
        }
    }

    /// The variables that say which objects live.
    fn declare_lives(&mut self) {
        let (object, index) = (self.object_sort(), self.index_sort());
        let life = self.program.terms.array_sort(object, SortId::INT);
        self.memory.life = Some(self.new_hidden("life", life));
        let bounds = self.program.terms.array_sort(object, index);
        self.memory.end = Some(self.new_hidden("end", bounds));
        let begins_inside = |lower: &Self, site: &Site| {
            lower.regions.known_site(site).is_some_and(|cell| {
                let cell = lower.regions.find(&cell);
                lower.offset(&cell) != Some(0)
            })
        };
        let sites = self.regions.all_sites();
        if sites.iter().any(|site| begins_inside(self, site)) {
            self.memory.start = Some(self.new_hidden("start", bounds));
        }
        if self.asks(Property::MemCleanup) || self.asks(Property::ValidMemtrack) {
            self.memory.live = Some(self.new_hidden("live", SortId::INT));
        }
    }

    /// Where a cell begins in its region's type.
    pub fn offset(&self, cell: &Cell) -> Option<u64> {
        match self.regions.node(cell.node).ty {
            Some(ty) => offset_of(&self.unit.types, ty, &cell.path),
            None => Some(0),
        }
    }

    /// What is known of memory when a run begins.
    pub fn begin_memory(&mut self, span: Span) {
        if let Some(next) = self.memory.next {
            let first = self.object_literal(self.memory.first);
            self.assign(next, first, span);
        }
        if let Some(life) = self.memory.life {
            let sort = self.program.var(life).sort;
            let dead = self.program.terms.int(DEAD);
            let none = self.program.terms.const_array(sort, dead);
            self.assign(life, none, span);
        }
        if let Some(live) = self.memory.live {
            let zero = self.program.terms.int(0);
            self.assign(live, zero, span);
        }
    }

    /// A variable in memory begins to live. A variable that lives once is always the same object.
    pub fn begin_life(&mut self, var: VarId, span: Span) {
        let ty = self.unit.var(var).ty;
        let cell = self.variable_cell(var);
        let object = match self.homes.get(&var) {
            Some(Home::Fixed(object)) => self.object_literal(object.clone()),
            home => {
                let kept = match home {
                    Some(Home::Object(kept)) => *kept,
                    _ => {
                        let (sort, name) = (self.object_sort(), &self.unit.var(var).name);
                        let kept = self.new_temporary(&format!("&{name}"), sort, span);
                        self.homes.insert(var, Home::Object(kept));
                        kept
                    }
                };
                self.number_object(kept, span);
                self.term(kept)
            }
        };
        let size = self.size_of(ty, span);
        self.set_life(&cell, object, SCOPED, size, span);
    }

    /// A variable in memory does not live any more.
    pub fn end_life(&mut self, var: VarId, span: Span) {
        if self.memory.life.is_some() {
            let spot = self.variable(var);
            if let Base::Memory(_, object) = spot.base {
                self.kill(object, span);
            }
        }
    }

    /// An object does not live any more.
    pub fn kill(&mut self, object: TermId, span: Span) {
        if let Some(life) = self.memory.life {
            // Others may look at the object until now.
            self.thread_step(ThreadOp::Yield(None), span);
            let dead = self.program.terms.int(DEAD);
            let old = self.term(life);
            let new = self.program.terms.store(old, object, dead);
            self.assign(life, new, span);
        }
    }

    /// The next object goes to a variable.
    pub fn number_object(&mut self, var: form::VarId, span: Span) {
        let next = self.memory.next.expect("objects are numbered where one is made");
        let object = self.term(next);
        let one = self.object_literal(1);
        let store = &mut self.program.terms;
        let after = match self.options.numbers {
            crate::c::evidence::Numbers::Integers => store.add(&[object, one]),
            crate::c::evidence::Numbers::Words => store.mk(alphorn_term::Op::BvAdd, &[object, one]),
        };
        self.emit(Action::Assign(vec![(var, object), (next, after)]), span);
    }

    /// Notes what an object is and how many bytes it has, if anyone asks.
    pub fn set_life(
        &mut self,
        cell: &Cell,
        object: TermId,
        life: i64,
        size: Option<TermId>,
        span: Span,
    ) {
        let Some(lives) = self.memory.life else { return };
        let cell = self.regions.find(cell);
        let offset = self.offset(&cell).unwrap_or(0);
        let offset = self.index_literal(offset);
        let mut changes = vec![(lives, self.program.terms.int(life))];
        if let (Some(end), Some(size)) = (self.memory.end, size) {
            changes.push((end, self.move_index(offset, size)));
        }
        if let Some(start) = self.memory.start {
            changes.push((start, offset));
        }
        for (var, term) in changes {
            let old = self.term(var);
            let new = self.program.terms.store(old, object, term);
            self.assign(var, new, span);
        }
    }

    /// How many bytes a type takes, as an index; it may be known only when the program runs.
    pub fn size_of(&mut self, ty: TypeId, span: Span) -> Option<TermId> {
        if let Some(size) = self.unit.types.size(ty) {
            return Some(self.index_literal(size));
        }
        let &Type::Array(element, Length::Variable(var)) = self.unit.types.get(ty) else {
            return None;
        };
        let inner = self.size_of(element, span)?;
        let spot = self.variable(var);
        let length = match self.load(&spot, span).pop() {
            Some(Scalar::Number(length)) => self.index_of(spot.ty, &length),
            _ => return None,
        };
        Some(self.scale_index(length, inner))
    }

    /// A product of indices.
    pub fn scale_index(&mut self, left: TermId, right: TermId) -> TermId {
        let store = &mut self.program.terms;
        match self.options.numbers {
            crate::c::evidence::Numbers::Integers => store.mul(&[left, right]),
            crate::c::evidence::Numbers::Words => store.mk(alphorn_term::Op::BvMul, &[left, right]),
        }
    }

    /// What must hold for memory to be used: else the run ends, with a violation if that is asked.
    pub fn invalid(&mut self, formula: TermId, span: Span) {
        self.demand(Property::ValidDeref, formula, span);
    }

    /// What must hold of an index.
    pub fn out_of_bounds(&mut self, formula: TermId, span: Span) {
        match self.asks(Property::ArrayBounds) {
            true => self.demand(Property::ArrayBounds, formula, span),
            false => self.demand(Property::ValidDeref, formula, span),
        }
    }

    /// What is at a place is read or written: there must be something.
    pub fn access(&mut self, spot: &Spot, span: Span) {
        let size = self.unit.types.size(spot.ty).unwrap_or(1);
        let size = self.index_literal(size);
        self.access_bytes(spot, size, span);
    }

    /// So many bytes from a place on are read or written.
    pub fn access_bytes(&mut self, spot: &Spot, size: TermId, span: Span) {
        let Base::Memory(node, object) = spot.base else { return };
        if !self.memory.regions.contains_key(&node) {
            let what = match self.regions.node(node).is_mixed {
                true => "memory that is used with different types",
                false => "memory of a type that is not treated",
            };
            return self.untreated(what, span);
        }
        if self.regions.node(node).is_foreign {
            let foreign = self.object_literal(super::FOREIGN);
            let near = self.object_order(foreign, object);
            self.follow(near, span);
        }
        let valid = self.is_object(object);
        self.invalid(valid, span);
        self.inner_bounds(node, spot, span);
        if self.asks(Property::ValidDeref) {
            self.check_life(node, object, spot, size, span);
        }
    }

    /// That a number is that of an object, and neither null nor a number made up.
    pub fn is_object(&mut self, object: TermId) -> TermId {
        let zero = self.object_literal(0);
        self.object_order(zero, object)
    }

    /// `low < object`
    pub fn object_order(&mut self, low: TermId, object: TermId) -> TermId {
        use crate::c::tree::Compare;
        let kind = self.object_kind();
        let number = |term| number::Number { term, range: kind.range() };
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        number::compare(store, numbers, Compare::Lt, kind, &number(low), &number(object))
    }

    /// A pointer into an array inside an object may have left it and still be in the object, where something
    /// else is: that is not followed.
    fn inner_bounds(&mut self, node: NodeId, spot: &Spot, span: Span) {
        // Among grains there are no inner arrays.
        if spot.path.is_empty() {
            return;
        }
        let Some(mut ty) = self.regions.node(node).ty else { return };
        let mut indices = spot.indices.iter().skip(1);
        for step in &spot.path {
            if let (Step::Element, Type::Array(_, Length::Fixed(length))) =
                (step, self.unit.types.get(ty))
                && let Some(&index) = indices.next()
                && *length > 0
            {
                let (zero, length) = (self.index_literal(0), self.index_literal(*length));
                let low = self.index_order(zero, index, false);
                let high = self.index_order(index, length, true);
                let inside = self.program.terms.and(&[low, high]);
                if !spot.is_bounded {
                    self.follow(inside, span);
                }
            }
            match type_at(&self.unit.types, ty, &[*step]) {
                Some(next) => ty = next,
                None => return,
            }
        }
    }

    /// The object lives, and all bytes of the place are its.
    fn check_life(&mut self, node: NodeId, object: TermId, spot: &Spot, size: TermId, span: Span) {
        let (Some(life), Some(end)) = (self.memory.life, self.memory.end) else { return };
        let (life, end) = (self.term(life), self.term(end));
        let dead = self.program.terms.int(DEAD);
        let what = self.program.terms.select(life, object);
        let is_dead = self.program.terms.eq(what, dead);
        let lives = self.program.terms.not(is_dead);
        let Some(from) = self.address_in(node, spot) else {
            return self.untreated("memory whose size is not known", span);
        };
        let to = self.move_index(from, size);
        let end = self.program.terms.select(end, object);
        let high = self.index_order(to, end, false);
        let start = match self.memory.start {
            Some(start) => {
                let start = self.term(start);
                self.program.terms.select(start, object)
            }
            None => self.index_literal(0),
        };
        let low = self.index_order(start, from, false);
        let formula = self.program.terms.and(&[lives, low, high]);
        self.invalid(formula, span);
    }

    /// How many bytes a place lies behind the beginning of its region's type.
    fn address_in(&mut self, node: NodeId, spot: &Spot) -> Option<TermId> {
        if let Some(grains) = self.grains_of(node) {
            let size = self.index_literal(grains.size);
            return Some(self.scale_index(*spot.indices.first()?, size));
        }
        let mut ty = self.regions.node(node).ty?;
        let mut indices = spot.indices.iter();
        let size = self.unit.types.size(ty)?;
        let stride = self.index_literal(size);
        let mut address = self.scale_index(*indices.next()?, stride);
        for step in &spot.path {
            let next = type_at(&self.unit.types, ty, &[*step])?;
            let by = match step {
                Step::Element => {
                    let size = self.unit.types.size(next)?;
                    let stride = self.index_literal(size);
                    self.scale_index(*indices.next()?, stride)
                }
                Step::Field(_) => {
                    let offset = offset_of(&self.unit.types, ty, &[*step])?;
                    self.index_literal(offset)
                }
            };
            address = self.move_index(address, by);
            ty = next;
        }
        Some(address)
    }

    /// A null pointer.
    pub fn null(&mut self) -> Pointer {
        Pointer { object: self.object_literal(0), indices: Vec::new(), cell: None }
    }

    /// A pointer to a whole object.
    pub fn object_pointer(&mut self, cell: &Cell, object: TermId) -> Pointer {
        let zero = self.index_literal(0);
        let count = self.stored_indices(cell).len();
        Pointer { object, indices: vec![zero; count], cell: Some(self.regions.find(cell)) }
    }

    /// The pointer to a place.
    pub fn address_of(&mut self, spot: Spot, span: Span) -> Pointer {
        match spot.base {
            Base::Memory(node, object) => {
                let cell = Cell { node, path: spot.path };
                Pointer { object, indices: spot.indices, cell: Some(cell) }
            }
            Base::Own(_) => {
                self.untreated("the address of what is not in memory", span);
                self.null()
            }
            Base::Lost => self.null(),
        }
    }

    /// Gives all of some nodes any contents.
    pub fn forget(&mut self, nodes: &[NodeId], span: Span) {
        let mut vars = Vec::new();
        for node in nodes {
            if let Some(region) = self.memory.regions.get(node) {
                vars.extend(region.cells.all());
                vars.extend(region.grains.iter().flat_map(Grains::vars));
            }
        }
        if !vars.is_empty() {
            self.emit(Action::Havoc(vars), span);
        }
    }

    /// A value that is nothing: of what is not treated, or where no run comes.
    pub fn any_of(&mut self, ty: TypeId, span: Span) -> Value {
        let leaves = self.leaves_of(ty, span);
        leaves.iter().map(|leaf| self.zero_leaf(leaf, &[])).collect()
    }

    /// The zero of a leaf, below arrays of these indices and its own.
    pub fn zero_leaf(&mut self, leaf: &super::shape::Leaf, outer: &[SortId]) -> Scalar {
        use super::shape::LeafKind;
        let mut sorts = outer.to_vec();
        let index = self.index_sort();
        sorts.extend(leaf.dims.iter().map(|_| index));
        match leaf.kind {
            LeafKind::Number(kind) => {
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                let zero = number::constant(store, numbers, kind, &Int::ZERO);
                let term = self.everywhere(&sorts, zero.term);
                Scalar::Number(number::Number { term, range: zero.range })
            }
            LeafKind::Pointer => {
                let object = self.object_literal(0);
                let object = self.everywhere(&sorts, object);
                Scalar::Pointer(Pointer { object, indices: Vec::new(), cell: None })
            }
            LeafKind::Opaque => Scalar::Opaque,
        }
    }

    /// The array of arrays by these sorts that is a value everywhere.
    pub fn everywhere(&mut self, sorts: &[SortId], value: TermId) -> TermId {
        let mut term = value;
        for &index in sorts.iter().rev() {
            let sort = self.program.terms.sort(term);
            let array = self.program.terms.array_sort(index, sort);
            term = self.program.terms.const_array(array, term);
        }
        term
    }
}
