//! Places: what they are, reading them, writing them.
//!
//! A variable whose address is not taken has a variable of the form per leaf; of leaves below arrays they
//! are arrays, of arrays where there are several. All else is in memory: an object with an index into it.
//! Reading selects at the indices of the place, writing stores there.

use super::Lower;
use super::number::{self, Kind, Number};
use super::points::is_in_memory;
use super::regions::{Cell, Holder, NodeId, Site};
use super::shape::{Leaf, LeafKind, Path, Step, leaves};
use super::value::{Pointer, Scalar, Value};
use super::{Origin, ScalarPart};
use crate::c::layout::{Length, RecordId, Type, TypeId};
use crate::c::tree::{Expr, Place, PlaceKind, VarId};
use crate::c::walk::has_effects;
use crate::form::{self, Action};
use alphorn_problem::Span;
use alphorn_term::{Int, Sort, SortId, Store, TermId};

/// The variables of the form that hold a leaf.
#[derive(Clone, Debug)]
pub enum LeafVars {
    /// A number.
    Number(form::VarId, Kind),
    /// A pointer: its object, its indices as far as they are not always zero, and what it points to.
    Pointer(form::VarId, Vec<Option<form::VarId>>, Cell),
    /// Nothing.
    Opaque,
}

impl LeafVars {
    /// All of them.
    pub fn vars(&self) -> Vec<form::VarId> {
        match self {
            LeafVars::Number(var, _) => vec![*var],
            LeafVars::Pointer(object, indices, _) => {
                let indices = indices.iter().flatten().copied();
                std::iter::once(*object).chain(indices).collect()
            }
            LeafVars::Opaque => Vec::new(),
        }
    }
}

/// Leaves with the variables of the form that hold them.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// The scalars of an object.
    pub leaves: Vec<Leaf>,
    /// Their variables.
    pub vars: Vec<LeafVars>,
}

impl Cells {
    /// All variables.
    pub fn all(&self) -> Vec<form::VarId> {
        self.vars.iter().flat_map(LeafVars::vars).collect()
    }
}

/// Where a variable of the program lives.
#[derive(Clone, Debug)]
pub enum Home {
    /// In variables of the form.
    Own(Cells),
    /// In memory, as an object that is always this one.
    Fixed(Int),
    /// In memory, as the object that this variable of the form says.
    Object(form::VarId),
}

/// What a place is part of.
#[derive(Clone, Debug)]
pub enum Base {
    /// A variable that is not in memory.
    Own(VarId),
    /// An object.
    Memory(NodeId, TermId),
    /// Something that is not treated, as was said.
    Lost,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Spot {
    /// What it is part of.
    pub base: Base,
    /// The way there.
    pub path: Path,
    /// The index of every element on the way; in memory that into the whole object comes first.
    pub indices: Vec<TermId>,
    /// The type of what is there.
    pub ty: TypeId,
    /// Whether it is a whole object that is an array.
    pub is_whole: bool,
    /// Whether the indices inside of objects are known to be in bounds.
    pub is_bounded: bool,
}

/// How the variables of leaves are made.
pub struct Making<'b> {
    /// What their names begin with.
    pub name: &'b str,
    /// Where they were declared.
    pub span: Span,
    /// The sorts of indices before those of the leaves.
    pub outer: &'b [SortId],
}

impl Lower<'_> {
    /// The sort of indices.
    pub fn index_sort(&mut self) -> SortId {
        let kind = self.index_kind();
        number::sort(&mut self.program.terms, self.options.numbers, kind)
    }

    /// Indices are as wide as pointers, and signed.
    pub fn index_kind(&self) -> Kind {
        let bits = 8 * self.unit.types.pointer_size() as u32;
        Kind { bits, is_signed: true, is_truth: false }
    }

    /// An index that is a constant.
    pub fn index_literal(&mut self, value: impl Into<Int>) -> TermId {
        let kind = self.index_kind();
        number::constant(&mut self.program.terms, self.options.numbers, kind, &value.into()).term
    }

    /// The variables for leaves; `made` gets each with what it is.
    pub fn make_cells(
        &mut self,
        leaves: Vec<Leaf>,
        making: &Making<'_>,
        pointee: &mut dyn FnMut(&mut Self, &Path) -> Cell,
        origin: &dyn Fn(&Path, ScalarPart) -> Origin,
    ) -> Cells {
        let mut vars = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            let name = format!("{}{}", making.name, self.path_name(leaf));
            let mut sorts = making.outer.to_vec();
            let index = self.index_sort();
            sorts.extend(leaf.dims.iter().map(|_| index));
            let origin = |part| origin(&leaf.path, part);
            vars.push(match leaf.kind {
                LeafKind::Number(kind) => {
                    let sort = number::sort(&mut self.program.terms, self.options.numbers, kind);
                    let sort = self.nested(&sorts, sort);
                    let var = self.new_var(&name, sort, making.span, origin(ScalarPart::Value));
                    LeafVars::Number(var, kind)
                }
                LeafKind::Pointer => {
                    let cell = pointee(self, &leaf.path);
                    let sort = self.object_sort();
                    let sort = self.nested(&sorts, sort);
                    let object = self.new_var(&name, sort, making.span, origin(ScalarPart::Object));
                    let sort = self.nested(&sorts, index);
                    let mut indices = Vec::new();
                    for (at, is_stored) in self.stored_indices(&cell).into_iter().enumerate() {
                        let part = ScalarPart::Index(at as u32);
                        indices.push(is_stored.then(|| {
                            let name = format!("{name}@{at}");
                            self.new_var(&name, sort, making.span, origin(part))
                        }));
                    }
                    LeafVars::Pointer(object, indices, cell)
                }
                LeafKind::Opaque => LeafVars::Opaque,
            });
        }
        Cells { leaves, vars }
    }

    /// The sort of arrays from these sorts, one after the other, to the last.
    fn nested(&mut self, sorts: &[SortId], last: SortId) -> SortId {
        let wrap = |sort, index: &SortId| self.program.terms.array_sort(*index, sort);
        sorts.iter().rev().fold(last, wrap)
    }

    /// Which indices of pointers to a cell are not always zero: that into whole objects if they may be
    /// arrays, and those into arrays inside of them.
    pub fn stored_indices(&self, cell: &Cell) -> Vec<bool> {
        let cell = self.regions.find(cell);
        let inner = cell.path.iter().filter(|step| **step == Step::Element).map(|_| true);
        std::iter::once(self.regions.node(cell.node).is_indexed).chain(inner).collect()
    }

    /// How the way to a leaf is written.
    fn path_name(&self, leaf: &Leaf) -> String {
        let mut name = String::new();
        for step in &leaf.path {
            if let Step::Field(index) = step {
                name.push_str(&format!(".{index}"));
            }
        }
        name
    }

    /// The leaves of a type; none, and said, if it is not treated.
    pub fn leaves_of(&mut self, ty: TypeId, span: Span) -> Vec<Leaf> {
        match leaves(&self.unit.types, &self.regions.unions, ty) {
            Ok(leaves) => leaves,
            Err(what) => {
                self.untreated(what, span);
                Vec::new()
            }
        }
    }

    /// The variables of a variable that is not in memory.
    pub fn make_own(&mut self, var: VarId) -> Cells {
        let declared = self.unit.var(var);
        let leaves = self.leaves_of(declared.ty, declared.span);
        let making = Making { name: &declared.name, span: declared.span, outer: &[] };
        let mut pointee =
            |lower: &mut Self, path: &Path| lower.regions.held(Holder::Variable(var), path);
        let origin = |path: &Path, part| Origin::Variable { var, path: path.clone(), part };
        self.make_cells(leaves, &making, &mut pointee, &origin)
    }

    /// The cell of a variable in memory.
    pub fn variable_cell(&mut self, var: VarId) -> Cell {
        let cell = self.regions.site(Site::Variable(var));
        self.regions.find(&cell)
    }

    /// Finds a place. `is_end` says that the place behind the last element is one, since only the address
    /// is wanted.
    pub fn place(&mut self, place: &Place, is_end: bool) -> Spot {
        match &place.kind {
            PlaceKind::Var(var) => self.variable(*var),
            PlaceKind::Deref(pointer) => self.dereference(pointer, place.ty),
            PlaceKind::Element(array, index) => self.element(array, index, place, is_end),
            PlaceKind::Member(record, id, field) => {
                let spot = self.place(record, false);
                self.member(spot, *id, *field, place.span)
            }
            PlaceKind::Text(text) => self.text(*text, place),
            PlaceKind::Literal(var, init) => {
                self.own_home(*var);
                let spot = self.variable(*var);
                self.initialise(*var, init, place.span);
                spot
            }
        }
    }

    /// The place of a variable.
    pub fn variable(&mut self, var: VarId) -> Spot {
        let ty = self.unit.var(var).ty;
        if !is_in_memory(self.unit, var) {
            return Spot {
                base: Base::Own(var),
                path: Vec::new(),
                indices: Vec::new(),
                ty,
                is_whole: false,
                is_bounded: true,
            };
        }
        let object = match self.homes.get(&var) {
            Some(Home::Fixed(object)) => self.object_literal(object.clone()),
            Some(Home::Object(var)) => self.term(*var),
            _ => {
                let span = self.unit.var(var).span;
                self.untreated("a variable in memory outside its scope", span);
                return self.lost(ty);
            }
        };
        let cell = self.variable_cell(var);
        self.object_spot(cell, object, ty)
    }

    /// The place of a whole object.
    pub fn object_spot(&mut self, cell: Cell, object: TermId, ty: TypeId) -> Spot {
        let zero = self.index_literal(0);
        let count = self.stored_indices(&cell).len();
        Spot {
            base: Base::Memory(cell.node, object),
            path: cell.path,
            indices: vec![zero; count],
            ty,
            is_whole: matches!(self.unit.types.get(ty), Type::Array(..))
                || self.grains_of(cell.node).is_some(),
            is_bounded: true,
        }
    }

    /// A place that is not treated.
    pub fn lost(&self, ty: TypeId) -> Spot {
        let (path, indices) = (Vec::new(), Vec::new());
        Spot { base: Base::Lost, path, indices, ty, is_whole: false, is_bounded: true }
    }

    /// What a pointer points to.
    fn dereference(&mut self, pointer: &Expr, ty: TypeId) -> Spot {
        let span = pointer.span;
        let Some(pointer) = self.pointer(pointer) else { return self.lost(ty) };
        self.pointed(&pointer, ty, span)
    }

    /// What a pointer points to, as a place of a type.
    pub fn pointed(&mut self, pointer: &Pointer, ty: TypeId, span: Span) -> Spot {
        match &pointer.cell {
            Some(cell) => {
                let cell = self.regions.find(cell);
                Spot {
                    base: Base::Memory(cell.node, pointer.object),
                    path: cell.path,
                    is_bounded: pointer.indices.len() <= 1,
                    indices: pointer.indices.clone(),
                    ty,
                    is_whole: false,
                }
            }
            None => {
                // A null pointer, or a number that is no address.
                self.invalid(TermId::FALSE, span);
                self.lost(ty)
            }
        }
    }

    /// An element: the index must lie in the array.
    fn element(&mut self, array: &Place, index: &Expr, place: &Place, is_end: bool) -> Spot {
        let spot = self.place(array, false);
        let mut spot = if has_effects(index) { self.keep_spot(spot, place.span) } else { spot };
        let Some(index) = self.index(index) else { return self.lost(place.ty) };
        if let Type::Array(_, length) = self.unit.types.get(array.ty) {
            self.bound(*length, index, is_end, place.span);
        }
        if self.grains(&spot).is_some() {
            return self.grain_element(spot, index, place.ty, place.span);
        }
        spot.ty = place.ty;
        match (&spot.base, spot.is_whole) {
            (Base::Memory(..), true) => {
                // Behind a whole object that is an array the first index counts its elements.
                let last = spot.indices.pop().expect("memory has an index");
                let moved = self.move_index(last, index);
                spot.indices.push(moved);
                spot.is_whole = false;
            }
            (Base::Lost, _) => {}
            _ => {
                spot.path.push(Step::Element);
                spot.indices.push(index);
            }
        }
        spot
    }

    /// A member: that which stands for it.
    pub fn member(&mut self, mut spot: Spot, record: RecordId, field: usize, span: Span) -> Spot {
        let types = &self.unit.types;
        if self.grains(&spot).is_some() {
            let member = &types.record(record).fields[field];
            if member.bits.is_some() {
                self.untreated("a bit-field in memory that is used with different types", span);
                return self.lost(member.ty);
            }
            return self.behind(spot, member.offset, member.ty, span);
        }
        let only = match types.record(record).is_union {
            true => self.regions.unions.member(types, record).ok().flatten(),
            false => None,
        };
        spot.path.push(Step::Field(only.unwrap_or(field as u32)));
        spot.ty = types.record(record).fields[field].ty;
        spot
    }

    /// The index must lie in an array of a length.
    fn bound(&mut self, length: Length, index: TermId, is_end: bool, span: Span) {
        let length = match length {
            // An array of no elements at the end of a structure stands for any number of them.
            Length::Fixed(0) | Length::Unknown => return,
            Length::Fixed(length) => self.index_literal(length),
            Length::Variable(var) => {
                let spot = self.variable(var);
                let ty = spot.ty;
                match self.load(&spot, span).pop() {
                    Some(Scalar::Number(number)) => self.index_of(ty, &number),
                    _ => return,
                }
            }
        };
        let zero = self.index_literal(0);
        let low = self.index_order(zero, index, false);
        let high = self.index_order(index, length, !is_end);
        let formula = self.program.terms.and(&[low, high]);
        self.out_of_bounds(formula, span);
    }

    /// `left <= right`, or `<`.
    pub fn index_order(&mut self, left: TermId, right: TermId, is_strict: bool) -> TermId {
        use crate::c::tree::Compare;
        let kind = self.index_kind();
        let number = |term| Number { term, range: kind.range() };
        let op = if is_strict { Compare::Lt } else { Compare::Le };
        let numbers = self.options.numbers;
        number::compare(&mut self.program.terms, numbers, op, kind, &number(left), &number(right))
    }

    /// An index moved forwards.
    pub fn move_index(&mut self, index: TermId, by: TermId) -> TermId {
        use crate::c::evidence::Numbers;
        let store = &mut self.program.terms;
        match self.options.numbers {
            Numbers::Integers => store.add(&[index, by]),
            Numbers::Words => store.mk(alphorn_term::Op::BvAdd, &[index, by]),
        }
    }

    /// A number as an index.
    pub fn index_of(&mut self, ty: TypeId, number: &Number) -> TermId {
        use crate::c::evidence::Numbers;
        match (self.options.numbers, self.number_kind(ty)) {
            (Numbers::Words, Some(kind)) => {
                let bits = self.index_kind().bits;
                super::words::resize(&mut self.program.terms, kind, bits, number.term)
            }
            // Numbers are what they are.
            _ => number.term,
        }
    }

    /// The kind of a type of numbers.
    pub fn number_kind(&self, ty: TypeId) -> Option<Kind> {
        self.unit.types.int_kind(ty).map(|kind| Kind::of(kind, self.unit.types.model))
    }

    /// The variables of the leaves at a place.
    pub fn cells_at(&self, spot: &Spot) -> Vec<(Leaf, LeafVars)> {
        let cells = match &spot.base {
            Base::Own(var) => match self.homes.get(var) {
                Some(Home::Own(cells)) => cells,
                _ => return Vec::new(),
            },
            Base::Memory(node, _) => match self.memory.regions.get(node) {
                Some(region) => &region.cells,
                None => return Vec::new(),
            },
            Base::Lost => return Vec::new(),
        };
        let below = cells.leaves.iter().zip(&cells.vars);
        let below = below.filter(|(leaf, _)| leaf.path.starts_with(&spot.path));
        below.map(|(leaf, vars)| (leaf.clone(), vars.clone())).collect()
    }

    /// The terms that the variables of a place are selected at.
    pub fn selectors(&self, spot: &Spot) -> Vec<TermId> {
        match &spot.base {
            Base::Memory(node, object) => {
                let Some(region) = self.memory.regions.get(node) else { return Vec::new() };
                let (first, inner) = spot.indices.split_first().expect("memory has an index");
                let object = (!region.is_solo).then_some(*object);
                let first = self.regions.node(*node).is_indexed.then_some(*first);
                let all = object.into_iter().chain(first).chain(inner.iter().copied());
                let mut all: Vec<TermId> = all.collect();
                // A whole array is all of its elements.
                if spot.is_whole {
                    all.pop();
                }
                all
            }
            _ => spot.indices.clone(),
        }
    }

    /// What is at a place. Values in arrays lie in their ranges, which is said here.
    pub fn load(&mut self, spot: &Spot, span: Span) -> Value {
        let is_shared = self.is_shared(spot);
        if is_shared {
            self.before_access(spot, self.cells_at(spot).len(), false, span);
        }
        self.access(spot, span);
        let value = self.peek(spot, span);
        if matches!(spot.base, Base::Lost) {
            return self.any_of(spot.ty, span);
        }
        if is_shared { self.keep(value, span) } else { value }
    }

    /// What is at a place that was just written: nothing needs to be said.
    pub fn peek_quietly(&mut self, spot: &Spot) -> Value {
        if self.grains(spot).is_some() {
            return self.load_grains(spot, Span::NONE);
        }
        let selectors = self.selectors(spot);
        let cells = self.cells_at(spot);
        let read = &mut |store: &mut Store, term| {
            selectors.iter().fold(term, |term, &index| store.select(term, index))
        };
        cells.iter().map(|(_, vars)| self.leaf_value(vars, read)).collect()
    }

    /// What is at a place, without looking whether it may be read.
    pub fn peek(&mut self, spot: &Spot, span: Span) -> Value {
        if self.grains(spot).is_some() {
            return self.load_grains(spot, span);
        }
        let selectors = self.selectors(spot);
        let mut value = Value::new();
        for (leaf, vars) in self.cells_at(spot) {
            let scalar = self.leaf_value(&vars, &mut |store, term| {
                selectors.iter().fold(term, |term, &index| store.select(term, index))
            });
            let inner = leaf.dims.len() - dims_of(&spot.path);
            if !selectors.is_empty() && inner == 0 {
                self.say_range(&vars, &scalar, span);
            }
            value.push(scalar);
        }
        value
    }

    /// The scalar that variables hold, each read by `read`.
    pub fn leaf_value(
        &mut self,
        vars: &LeafVars,
        read: &mut dyn FnMut(&mut Store, TermId) -> TermId,
    ) -> Scalar {
        let zero = self.index_literal(0);
        let (program, store) = (&self.program.vars, &mut self.program.terms);
        let mut term = |var: &form::VarId| read(store, program[var.0 as usize].term);
        match vars {
            LeafVars::Number(var, kind) => {
                Scalar::Number(Number { term: term(var), range: kind.range() })
            }
            LeafVars::Pointer(object, indices, cell) => Scalar::Pointer(Pointer {
                object: term(object),
                indices: indices
                    .iter()
                    .map(|index| index.as_ref().map_or(zero, &mut term))
                    .collect(),
                cell: Some(cell.clone()),
            }),
            LeafVars::Opaque => Scalar::Opaque,
        }
    }

    /// Says that a value lies in the range of its kind.
    pub fn say_range(&mut self, vars: &LeafVars, scalar: &Scalar, span: Span) {
        if let (LeafVars::Number(_, kind), Scalar::Number(number)) = (vars, scalar) {
            let (store, numbers) = (&mut self.program.terms, self.options.numbers);
            let formula = number::in_range(store, numbers, *kind, number.term);
            self.say(formula, span);
        }
    }

    /// Stores a value at a place.
    pub fn store(&mut self, spot: &Spot, value: &[Scalar], span: Span) {
        if self.is_shared(spot) {
            self.before_access(spot, value.len(), true, span);
        }
        self.access(spot, span);
        self.poke(spot, value, span);
    }

    /// Stores a value at a place, without looking whether it may be written.
    pub fn poke(&mut self, spot: &Spot, value: &[Scalar], span: Span) {
        if self.grains(spot).is_some() {
            return self.store_grains(spot, value, span);
        }
        let selectors = self.selectors(spot);
        let mut changes = Vec::new();
        for ((_, vars), scalar) in self.cells_at(spot).into_iter().zip(value) {
            for (var, term) in self.leaf_terms(&vars, scalar, span) {
                let old = self.term(var);
                let new = stored(&mut self.program.terms, old, &selectors, term);
                if new != old {
                    changes.push((var, new));
                }
            }
        }
        if !changes.is_empty() {
            self.emit(Action::Assign(changes), span);
        }
    }

    /// The index zero, below as many arrays as an object is.
    fn zero_index_like(&mut self, object: TermId) -> TermId {
        let mut sorts = Vec::new();
        let mut sort = self.program.terms.sort(object);
        while let Sort::Array(index, element) = *self.program.terms.sort_of(sort) {
            sorts.push(index);
            sort = element;
        }
        let zero = self.index_literal(0);
        self.everywhere(&sorts, zero)
    }

    /// The terms of a scalar for the variables that hold it: pointers must agree in what they point to.
    pub fn leaf_terms(
        &mut self,
        vars: &LeafVars,
        scalar: &Scalar,
        span: Span,
    ) -> Vec<(form::VarId, TermId)> {
        match (vars, scalar) {
            (LeafVars::Number(var, _), Scalar::Number(number)) => vec![(*var, number.term)],
            (LeafVars::Pointer(object, indices, cell), Scalar::Pointer(pointer)) => {
                if let Some(other) = &pointer.cell
                    && !self.regions.is_same(cell, other)
                {
                    self.untreated("pointers into regions that do not agree", span);
                }
                let mut terms = vec![(*object, pointer.object)];
                let zero = self.zero_index_like(pointer.object);
                let given = pointer.indices.iter().copied().chain(std::iter::repeat(zero));
                for (index, term) in indices.iter().zip(given) {
                    terms.extend(index.map(|var| (var, term)));
                }
                terms
            }
            (LeafVars::Opaque, _) => Vec::new(),
            _ => {
                self.untreated("a value that does not fit its place", span);
                Vec::new()
            }
        }
    }
}

/// How many elements are on a way.
fn dims_of(path: &[Step]) -> usize {
    path.iter().filter(|step| **step == Step::Element).count()
}

/// An array of arrays with the value at some indices replaced.
pub fn stored(store: &mut Store, array: TermId, indices: &[TermId], value: TermId) -> TermId {
    let Some((&first, rest)) = indices.split_first() else { return value };
    let inner = store.select(array, first);
    let inner = stored(store, inner, rest, value);
    store.store(array, first, inner)
}
