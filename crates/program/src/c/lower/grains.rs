//! Memory that is used with different types: grains of a few bytes.
//!
//! A region that is mixed has no leaves but grains: pieces of as many bytes as divide every size and every
//! distance that the program uses there, mostly one or that of a word. A pointer into it is an object and a
//! number of grains. A number of several grains is composed of theirs, the lowest first, and stored in parts;
//! a pointer is kept beside the first of its grains, and the others say that they belong to one. Grains know
//! which they are: to read a part of an address as a number is not followed, nor is an address of which a part
//! was overwritten. A null pointer is the number zero, and another number that is read as a pointer is no object.
//!
//! Invariant: every distance in such a region is a multiple of its grain (`Regions::grain`), or said to be
//! untreated.

use super::Lower;
use super::number::{self, Kind, Number};
use super::place::{Base, Spot, stored};
use super::regions::{Cell, NodeId};
use super::shape::{Leaf, LeafKind, leaves};
use super::value::{Pointer, Scalar, Value};
use crate::c::evidence::Numbers;
use crate::c::layout::TypeId;
use crate::c::tree::Compare;
use crate::form::{self, Action, Part};
use alphorn_problem::Span;
use alphorn_term::{Int, Op, TermId};

/// Beside a grain that is a number, or a part of one.
const PLAIN: i64 = i32::MIN as i64 + 1;
/// Beside a grain of a pointer that is not its first.
const REST: i64 = i32::MIN as i64 + 2;
/// How wide objects are as words.
const OBJECT_BITS: u32 = 32;
/// The most grains that are read or written one by one.
const MAX_GRAINS: u64 = 64;

/// The variables of a region of grains: arrays by objects, if there are several, and by grains.
#[derive(Clone, Debug)]
pub struct Grains {
    /// How many bytes a grain has.
    pub size: u64,
    /// The number that each is, without sign.
    pub value: form::VarId,
    /// The pointers, if the region has any.
    pub pointers: Option<PointerGrains>,
}

/// The pointers among grains.
#[derive(Clone, Debug)]
pub struct PointerGrains {
    /// Which object the pointer that begins here points to, or what else the grain is.
    pub object: form::VarId,
    /// The index there, as far as it is not always zero.
    pub indices: Vec<Option<form::VarId>>,
    /// What all of them point to.
    pub cell: Cell,
}

impl Grains {
    /// All variables.
    pub fn vars(&self) -> Vec<form::VarId> {
        let pointers = self.pointers.iter();
        let pointers = pointers.flat_map(|pointers| {
            std::iter::once(pointers.object).chain(pointers.indices.iter().flatten().copied())
        });
        std::iter::once(self.value).chain(pointers).collect()
    }

    /// The kind of the number that a grain is.
    fn kind(&self) -> Kind {
        unsigned(self.size)
    }
}

/// Numbers of so many bytes without sign.
fn unsigned(bytes: u64) -> Kind {
    Kind { bits: 8 * bytes as u32, is_signed: false, is_truth: false }
}

impl Lower<'_> {
    /// The grains that a place lies among.
    pub fn grains(&self, spot: &Spot) -> Option<Grains> {
        match spot.base {
            Base::Memory(node, _) => self.grains_of(node),
            _ => None,
        }
    }

    /// The grains of a region.
    pub fn grains_of(&self, node: NodeId) -> Option<Grains> {
        self.memory.regions.get(&node).and_then(|region| region.grains.clone())
    }

    /// How many grains so many bytes are.
    fn grain_count(&mut self, grains: &Grains, bytes: u64, span: Span) -> Option<u64> {
        if !bytes.is_multiple_of(grains.size) {
            self.untreated("memory that is used with different types", span);
            return None;
        }
        Some(bytes / grains.size)
    }

    /// The place that lies so many bytes behind another.
    pub fn behind(&mut self, mut spot: Spot, bytes: u64, ty: TypeId, span: Span) -> Spot {
        let Some(grains) = self.grains(&spot) else { return spot };
        let Some(count) = self.grain_count(&grains, bytes, span) else { return self.lost(ty) };
        let by = self.index_literal(count);
        spot.indices[0] = self.move_index(spot.indices[0], by);
        spot.ty = ty;
        spot.is_whole = false;
        spot
    }

    /// The element at an index of an array that lies among grains.
    pub fn grain_element(&mut self, mut spot: Spot, index: TermId, ty: TypeId, span: Span) -> Spot {
        let (Some(grains), Some(size)) = (self.grains(&spot), self.unit.types.size(ty)) else {
            self.untreated("elements of a size that is not constant", span);
            return self.lost(ty);
        };
        let Some(count) = self.grain_count(&grains, size, span) else { return self.lost(ty) };
        let stride = self.index_literal(count);
        let by = self.scale_index(index, stride);
        spot.indices[0] = self.move_index(spot.indices[0], by);
        spot.ty = ty;
        spot.is_whole = false;
        spot
    }

    /// A pointer into grains moved by so many elements of a type.
    pub fn advance_grains(
        &mut self,
        mut pointer: Pointer,
        grains: &Grains,
        by: TermId,
        target: TypeId,
        span: Span,
    ) -> Pointer {
        let Some(size) = self.unit.types.size(target) else {
            self.untreated("elements of a size that is not constant", span);
            return pointer;
        };
        let by = match self.index_value(by) {
            Some(count) => {
                let bytes = &count * &Int::from(size);
                match bytes.div_exact(&Int::from(grains.size)) {
                    Some(count) => self.index_literal(count),
                    None => {
                        self.untreated("memory that is used with different types", span);
                        return pointer;
                    }
                }
            }
            None => {
                let Some(count) = self.grain_count(grains, size, span) else { return pointer };
                let stride = self.index_literal(count);
                self.scale_index(by, stride)
            }
        };
        if let Some(index) = pointer.indices.first_mut() {
            let old = *index;
            *index = self.move_index(old, by);
        }
        pointer
    }

    /// The number that an index is, if it is constant.
    fn index_value(&self, index: TermId) -> Option<Int> {
        let store = &self.program.terms;
        match self.options.numbers {
            Numbers::Integers => store.int_value(index).cloned(),
            Numbers::Words => store.bv_value(index).map(|word| word.to_signed()),
        }
    }

    /// A variable of grains at an object and an index.
    fn grain_at(&mut self, var: form::VarId, spot: &Spot, at: TermId) -> TermId {
        let term = self.object_grains(var, spot);
        self.program.terms.select(term, at)
    }

    /// A variable of grains at an object.
    fn object_grains(&mut self, var: form::VarId, spot: &Spot) -> TermId {
        let term = self.term(var);
        match self.grain_selectors(spot) {
            Some(object) => self.program.terms.select(term, object),
            None => term,
        }
    }

    /// The object that variables are selected at, unless there is one only.
    fn grain_selectors(&self, spot: &Spot) -> Option<TermId> {
        let Base::Memory(node, object) = spot.base else { return None };
        let is_solo = self.memory.regions.get(&node).is_some_and(|region| region.is_solo);
        (!is_solo).then_some(object)
    }

    /// The indices of so many grains from a place on.
    fn grain_indices(&mut self, spot: &Spot, from: u64, count: u64) -> Vec<TermId> {
        let mut indices = Vec::new();
        for at in from..from + count {
            let by = self.index_literal(at);
            indices.push(self.move_index(spot.indices[0], by));
        }
        indices
    }

    /// The leaves of a type that is read or written among grains: scalars only.
    fn grain_leaves(&mut self, ty: TypeId, span: Span) -> Option<Vec<Leaf>> {
        let found = leaves(&self.unit.types, &self.regions.unions, ty).ok();
        let found = found.filter(|all| all.iter().all(|leaf| leaf.dims.is_empty()));
        let is_treated = |all: &Vec<Leaf>| all.iter().all(|leaf| !leaf.is_bit_field);
        match found {
            Some(all) if is_treated(&all) => Some(all),
            _ => {
                self.untreated("a structure that is copied among bytes", span);
                None
            }
        }
    }

    /// How many bytes a leaf has.
    fn leaf_size(&self, leaf: &Leaf) -> u64 {
        self.unit.types.size(leaf.ty).unwrap_or(1)
    }

    /// What is at a place among grains.
    pub fn load_grains(&mut self, spot: &Spot, span: Span) -> Value {
        let (Some(grains), Some(all)) = (self.grains(spot), self.grain_leaves(spot.ty, span))
        else {
            return self.any_of(spot.ty, span);
        };
        let mut value = Value::new();
        for leaf in &all {
            let size = self.leaf_size(leaf);
            let (Some(from), Some(count)) = (
                self.grain_count(&grains, leaf.offset, span),
                self.grain_count(&grains, size, span),
            ) else {
                return self.any_of(spot.ty, span);
            };
            let indices = self.grain_indices(spot, from, count);
            value.push(match leaf.kind {
                LeafKind::Number(kind) => {
                    self.follow_plain(&grains, spot, &indices, span);
                    Scalar::Number(self.composed(&grains, spot, &indices, kind, span))
                }
                LeafKind::Pointer => self.load_pointer(&grains, spot, &indices, span),
                LeafKind::Opaque => Scalar::Opaque,
            });
        }
        value
    }

    /// Grains that are read as a number are no parts of addresses.
    fn follow_plain(&mut self, grains: &Grains, spot: &Spot, indices: &[TermId], span: Span) {
        if let Some(pointers) = &grains.pointers {
            let plain = self.are(pointers.object, spot, indices, PLAIN);
            self.follow(plain, span);
        }
    }

    /// That all of some grains are of one sort.
    fn are(&mut self, var: form::VarId, spot: &Spot, indices: &[TermId], what: i64) -> TermId {
        let what = self.object_literal(what);
        let mut parts = Vec::new();
        for &at in indices {
            let found = self.grain_at(var, spot, at);
            parts.push(self.program.terms.eq(found, what));
        }
        self.program.terms.and(&parts)
    }

    /// The number that grains are together, as one of a kind.
    fn composed(
        &mut self,
        grains: &Grains,
        spot: &Spot,
        indices: &[TermId],
        kind: Kind,
        span: Span,
    ) -> Number {
        let (own, numbers) = (grains.kind(), self.options.numbers);
        let mut parts = Vec::new();
        for &at in indices {
            let term = self.grain_at(grains.value, spot, at);
            let formula = number::in_range(&mut self.program.terms, numbers, own, term);
            self.assume(formula, span);
            parts.push(term);
        }
        let whole = unsigned(grains.size * indices.len() as u64);
        let store = &mut self.program.terms;
        let term = match numbers {
            Numbers::Words => {
                let mut parts = parts.into_iter().rev();
                let first = parts.next().expect("a number has a grain");
                parts.fold(first, |high, low| store.mk(Op::Concat, &[high, low]))
            }
            Numbers::Integers => {
                let mut sum = Vec::new();
                for (at, part) in parts.into_iter().enumerate() {
                    let factor = store.int(number::power(own.bits * at as u32));
                    sum.push(store.mul(&[factor, part]));
                }
                store.add(&sum)
            }
        };
        let number = Number { term, range: whole.range() };
        number::convert(store, numbers, whole, kind, &number)
    }

    /// The pointer that grains are.
    fn load_pointer(
        &mut self,
        grains: &Grains,
        spot: &Spot,
        indices: &[TermId],
        span: Span,
    ) -> Scalar {
        let Some(pointers) = &grains.pointers else {
            self.untreated("a pointer where none was stored", span);
            return Scalar::Pointer(self.null());
        };
        let plain = self.are(pointers.object, spot, indices, PLAIN);
        let rest = self.are(pointers.object, spot, &indices[1..], REST);
        let object = self.grain_at(pointers.object, spot, indices[0]);
        let mut parts = vec![rest];
        for other in [PLAIN, REST] {
            let other = self.object_literal(other);
            let same = self.program.terms.eq(object, other);
            parts.push(self.program.terms.not(same));
        }
        let whole = self.program.terms.and(&parts);
        let kind = unsigned(grains.size * indices.len() as u64);
        let number = self.composed(grains, spot, indices, kind, span);
        let (negated, is_small) = self.as_no_object(&number, kind);
        let small = self.program.terms.and(&[plain, is_small]);
        let either = self.program.terms.or(&[small, whole]);
        self.follow(either, span);
        let object = self.program.terms.ite(whole, object, negated);
        let zero = self.index_literal(0);
        let mut found = Vec::new();
        for var in pointers.indices.clone() {
            let index = match var {
                Some(var) => self.grain_at(var, spot, indices[0]),
                None => zero,
            };
            found.push(self.program.terms.ite(whole, index, zero));
        }
        let cell = Some(self.regions.find(&pointers.cell));
        Scalar::Pointer(Pointer { object, indices: found, cell })
    }

    /// The object that a number is as a pointer, which is none, and that the number is not too large for it.
    fn as_no_object(&mut self, number: &Number, kind: Kind) -> (TermId, TermId) {
        let numbers = self.options.numbers;
        let store = &mut self.program.terms;
        let most = Int::from(-super::FOREIGN).min(kind.max());
        let bound = number::constant(store, numbers, kind, &most);
        let is_small = number::compare(store, numbers, Compare::Lt, kind, number, &bound);
        let object = match numbers {
            Numbers::Integers => store.neg(number.term),
            Numbers::Words => {
                let word = super::words::resize(store, kind, OBJECT_BITS, number.term);
                store.mk(Op::BvNeg, &[word])
            }
        };
        (object, is_small)
    }

    /// Stores a value at a place among grains.
    pub fn store_grains(&mut self, spot: &Spot, value: &[Scalar], span: Span) {
        let (Some(grains), Some(all)) = (self.grains(spot), self.grain_leaves(spot.ty, span))
        else {
            return;
        };
        for (leaf, scalar) in all.iter().zip(value) {
            let size = self.leaf_size(leaf);
            let (Some(from), Some(count)) = (
                self.grain_count(&grains, leaf.offset, span),
                self.grain_count(&grains, size, span),
            ) else {
                return;
            };
            let indices = self.grain_indices(spot, from, count);
            let written = self.written(&grains, leaf, &indices, scalar, span);
            self.set_grains(&grains, spot, &indices, &written, span);
        }
    }

    /// What is written for a scalar, per grain: the number, and what is beside it.
    fn written(
        &mut self,
        grains: &Grains,
        leaf: &Leaf,
        indices: &[TermId],
        scalar: &Scalar,
        span: Span,
    ) -> Vec<Written> {
        let plain = self.object_literal(PLAIN);
        let count = indices.len() as u64;
        match (scalar, leaf.kind) {
            (Scalar::Number(number), LeafKind::Number(kind)) => {
                let parts = self.parted_number(grains, kind, number, count);
                parts.into_iter().map(|value| Written::plain(value, plain)).collect()
            }
            (Scalar::Pointer(pointer), LeafKind::Pointer) => {
                self.written_pointer(grains, pointer, count, span)
            }
            (_, LeafKind::Opaque) => {
                self.loosely("floating numbers", span);
                let kind = grains.kind();
                let any = |lower: &mut Self| lower.any_number(kind, "floating", span).term;
                (0..count).map(|_| Written::plain(any(self), plain)).collect()
            }
            _ => {
                self.untreated("a value that does not fit its place", span);
                Vec::new()
            }
        }
    }

    /// A number in as many parts as it has grains.
    fn parted_number(
        &mut self,
        grains: &Grains,
        kind: Kind,
        number: &Number,
        count: u64,
    ) -> Vec<TermId> {
        let (own, numbers) = (grains.kind(), self.options.numbers);
        let whole = unsigned(grains.size * count);
        let store = &mut self.program.terms;
        let number = number::convert(store, numbers, kind, whole, number);
        if count == 1 {
            return vec![number.term];
        }
        let mut parts = Vec::new();
        for at in 0..count as u32 {
            parts.push(match numbers {
                Numbers::Words => {
                    let low = own.bits * at;
                    store.mk(Op::Extract(low + own.bits - 1, low), &[number.term])
                }
                Numbers::Integers => {
                    let (factor, modulus) = (
                        store.int(number::power(own.bits * at)),
                        store.int(number::power(own.bits)),
                    );
                    let above = store.mk(Op::IntDiv, &[number.term, factor]);
                    store.mk(Op::Mod, &[above, modulus])
                }
            });
        }
        parts
    }

    /// A pointer as grains: null is zero.
    fn written_pointer(
        &mut self,
        grains: &Grains,
        pointer: &Pointer,
        count: u64,
        span: Span,
    ) -> Vec<Written> {
        let Some(pointers) = grains.pointers.clone() else {
            self.untreated("a pointer where none is stored", span);
            return Vec::new();
        };
        if let Some(cell) = &pointer.cell
            && !self.regions.is_same(cell, &pointers.cell)
        {
            self.untreated("pointers into regions that do not agree", span);
        }
        let is_null = self.is_null(pointer);
        let (plain, rest) = (self.object_literal(PLAIN), self.object_literal(REST));
        let numbers = self.options.numbers;
        let zero = number::constant(&mut self.program.terms, numbers, grains.kind(), &Int::ZERO);
        let index = self.index_literal(0);
        let given = pointer.indices.iter().copied().chain(std::iter::repeat(index));
        let indices = given.take(pointers.indices.len()).collect();
        let mut written = Vec::new();
        for at in 0..count {
            let beside = if at == 0 { pointer.object } else { rest };
            let beside = self.program.terms.ite(is_null, plain, beside);
            written.push(Written { value: zero.term, beside, indices: None });
        }
        if let Some(first) = written.first_mut() {
            first.indices = Some(indices);
        }
        written
    }

    /// Grains become what is written.
    fn set_grains(
        &mut self,
        grains: &Grains,
        spot: &Spot,
        indices: &[TermId],
        written: &[Written],
        span: Span,
    ) {
        let object = self.grain_selectors(spot);
        let mut changes: Vec<(form::VarId, TermId)> =
            grains.vars().into_iter().map(|var| (var, self.term(var))).collect();
        for (&at, written) in indices.iter().zip(written) {
            let selectors: Vec<TermId> = object.into_iter().chain([at]).collect();
            for (var, term) in &mut changes {
                let new = match &grains.pointers {
                    _ if *var == grains.value => Some(written.value),
                    Some(pointers) if *var == pointers.object => Some(written.beside),
                    Some(pointers) => {
                        let place = pointers.indices.iter().position(|index| *index == Some(*var));
                        written.indices.as_ref().zip(place).map(|(all, place)| all[place])
                    }
                    None => None,
                };
                if let Some(new) = new {
                    *term = stored(&mut self.program.terms, *term, &selectors, new);
                }
            }
        }
        changes.retain(|(var, term)| self.program.term(*var) != *term);
        if !changes.is_empty() {
            self.emit(Action::Assign(changes), span);
        }
    }

    /// How many grains a place has, if they are not too many to be treated one by one.
    fn few_grains(&mut self, grains: &Grains, spot: &Spot, span: Span) -> Option<Vec<TermId>> {
        let size = self.unit.types.size(spot.ty)?;
        let count = self.grain_count(grains, size, span)?;
        if count > MAX_GRAINS {
            self.untreated("so many bytes of memory that is used with different types", span);
            return None;
        }
        Some(self.grain_indices(spot, 0, count))
    }

    /// A place among grains becomes all zeros.
    pub fn zero_grains(&mut self, spot: &Spot, span: Span) {
        let Some(grains) = self.grains(spot) else { return };
        let (numbers, kind) = (self.options.numbers, grains.kind());
        let zero = number::constant(&mut self.program.terms, numbers, kind, &Int::ZERO).term;
        if spot.is_whole {
            let sort = self.object_grains(grains.value, spot);
            let sort = self.program.terms.sort(sort);
            let all = self.program.terms.const_array(sort, zero);
            return self.set_object(&grains, spot, Some(all), span);
        }
        let Some(indices) = self.few_grains(&grains, spot, span) else { return };
        let plain = self.object_literal(PLAIN);
        let written: Vec<Written> = indices.iter().map(|_| Written::plain(zero, plain)).collect();
        self.set_grains(&grains, spot, &indices, &written, span);
    }

    /// A place among grains becomes any numbers.
    pub fn forget_grains(&mut self, spot: &Spot, span: Span) {
        let Some(grains) = self.grains(spot) else { return };
        if spot.is_whole {
            let sort = self.object_grains(grains.value, spot);
            let sort = self.program.terms.sort(sort);
            let any = self.new_temporary("any", sort, span);
            self.emit(Action::Havoc(vec![any]), span);
            let any = self.term(any);
            return self.set_object(&grains, spot, Some(any), span);
        }
        let Some(indices) = self.few_grains(&grains, spot, span) else { return };
        let (plain, kind) = (self.object_literal(PLAIN), grains.kind());
        let any = |lower: &mut Self| lower.any_number(kind, "any", span).term;
        let written: Vec<Written> =
            indices.iter().map(|_| Written::plain(any(self), plain)).collect();
        self.set_grains(&grains, spot, &indices, &written, span);
    }

    /// Nothing is in a new object but numbers.
    pub fn fresh_grains(&mut self, spot: &Spot, span: Span) {
        if let Some(grains) = self.grains(spot) {
            self.set_object(&grains, spot, None, span);
        }
    }

    /// All grains of an object are numbers: these, or those that are there.
    fn set_object(&mut self, grains: &Grains, spot: &Spot, values: Option<TermId>, span: Span) {
        let selectors: Vec<TermId> = self.grain_selectors(spot).into_iter().collect();
        let mut changes = Vec::new();
        if let Some(values) = values {
            let old = self.term(grains.value);
            let new = stored(&mut self.program.terms, old, &selectors, values);
            changes.push((grains.value, new));
        }
        if let Some(pointers) = &grains.pointers {
            let inner = self.object_grains(pointers.object, spot);
            let sort = self.program.terms.sort(inner);
            let plain = self.object_literal(PLAIN);
            let all = self.program.terms.const_array(sort, plain);
            let old = self.term(pointers.object);
            let new = stored(&mut self.program.terms, old, &selectors, all);
            changes.push((pointers.object, new));
        }
        if !changes.is_empty() {
            self.emit(Action::Assign(changes), span);
        }
    }

    /// Whether so many bytes can go from one place to another: both are among grains of one size, and there
    /// are not too many.
    pub fn can_copy(&self, to: &Spot, from: &Spot, bytes: u64) -> bool {
        let (Some(target), Some(source)) = (self.grains(to), self.grains(from)) else {
            return false;
        };
        let agree = match (&target.pointers, &source.pointers) {
            (Some(target), Some(source)) => {
                self.regions.is_same(&target.cell, &source.cell)
                    && target.indices.len() == source.indices.len()
            }
            (None, Some(_)) => false,
            _ => true,
        };
        target.size == source.size && agree && self.can_fill(to, bytes)
    }

    /// Whether so many bytes of a place are treated one by one.
    pub fn can_fill(&self, spot: &Spot, bytes: u64) -> bool {
        self.grains(spot).is_some_and(|grains| {
            bytes.is_multiple_of(grains.size) && bytes / grains.size <= MAX_GRAINS
        })
    }

    /// So many bytes of one place go to another; all are read before any is written.
    pub fn copy_grains(&mut self, to: &Spot, from: &Spot, bytes: u64, span: Span) {
        let (Some(target), Some(source)) = (self.grains(to), self.grains(from)) else { return };
        let count = bytes / target.size;
        let (plain, zero) = (self.object_literal(PLAIN), self.index_literal(0));
        let mut written = Vec::new();
        for at in self.grain_indices(from, 0, count) {
            let value = self.grain_at(source.value, from, at);
            let (beside, indices) = match &source.pointers {
                Some(pointers) => {
                    let beside = self.grain_at(pointers.object, from, at);
                    let mut indices = Vec::new();
                    for var in pointers.indices.clone() {
                        indices.push(match var {
                            Some(var) => self.grain_at(var, from, at),
                            None => zero,
                        });
                    }
                    (beside, Some(indices))
                }
                None => (plain, None),
            };
            written.push(Written { value, beside, indices });
        }
        let indices = self.grain_indices(to, 0, count);
        self.set_grains(&target, to, &indices, &written, span);
    }

    /// So many bytes of a place become this one.
    pub fn fill_grains(&mut self, spot: &Spot, byte: &Int, bytes: u64, span: Span) {
        let Some(grains) = self.grains(spot) else { return };
        let byte = byte.rem_euclid(&Int::from(256u32)).unwrap_or_default();
        let mut value = Int::ZERO;
        for _ in 0..grains.size {
            value = &(&value * &Int::from(256u32)) + &byte;
        }
        let numbers = self.options.numbers;
        let value = number::constant(&mut self.program.terms, numbers, grains.kind(), &value).term;
        let plain = self.object_literal(PLAIN);
        let indices = self.grain_indices(spot, 0, bytes / grains.size);
        let written: Vec<Written> = indices.iter().map(|_| Written::plain(value, plain)).collect();
        self.set_grains(&grains, spot, &indices, &written, span);
    }

    /// What a new object has in it, as a choice: a number for a scalar, else the contents.
    pub fn observe_grains(&mut self, spot: &Spot, span: Span) {
        use crate::form::Observation;
        let Some(grains) = self.grains(spot) else { return };
        self.fresh_grains(spot, span);
        let size = self.unit.types.size(spot.ty);
        let kind = match (self.leaf_kind(spot.ty), size) {
            (Some(LeafKind::Number(kind)), Some(_)) => Some(kind),
            (Some(LeafKind::Pointer), Some(size)) => Some(unsigned(size)),
            (Some(LeafKind::Opaque), _) => return,
            _ => None,
        };
        match kind {
            Some(kind) => {
                let number = self.chosen_number(kind, "first", span);
                let count = size.and_then(|size| self.grain_count(&grains, size, span));
                let Some(count) = count else { return };
                let (indices, plain) =
                    (self.grain_indices(spot, 0, count), self.object_literal(PLAIN));
                let parts = self.parted_number(&grains, kind, &number, count);
                let written: Vec<Written> =
                    parts.into_iter().map(|value| Written::plain(value, plain)).collect();
                self.set_grains(&grains, spot, &indices, &written, span);
            }
            None => {
                self.loosely("what is in new memory that is used with different types", span);
                let parts = self.grain_parts(spot);
                self.emit(Action::Observe(Observation::Contents(parts)), span);
            }
        }
    }

    /// The contents of an object of grains.
    pub fn grain_parts(&mut self, spot: &Spot) -> Vec<Part> {
        let Some(grains) = self.grains(spot) else { return Vec::new() };
        let term = self.object_grains(grains.value, spot);
        vec![Part { offset: 0, stride: grains.size, term }]
    }
}

/// What is written to a grain.
#[derive(Clone, Debug)]
struct Written {
    value: TermId,
    beside: TermId,
    /// The indices of a pointer that begins here.
    indices: Option<Vec<TermId>>,
}

impl Written {
    fn plain(value: TermId, beside: TermId) -> Written {
        Written { value, beside, indices: None }
    }
}
