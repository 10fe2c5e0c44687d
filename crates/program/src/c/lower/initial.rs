//! First values: of globals when a run begins, of locals where they are declared.
//!
//! A local variable without an initialiser has any value, which is observed as a choice, and so have variables
//! from outside and the parameters of the entry.

use super::number;
use super::place::{Base, Home, LeafVars, Spot};
use super::points::is_in_memory;
use super::shape::{Dimension, Leaf, Step};
use super::value::{Scalar, Value};
use super::{FOREIGN, Lower};
use crate::c::evidence::Numbers;
use crate::c::layout::{Length, Type, TypeId};
use crate::c::tree::{Expr, ExprKind, Init, PlaceKind, Storage, VarId};
use crate::form::{self, Action, Observation, Part};
use alphorn_problem::Span;
use alphorn_term::{Bv, Int, Op, Sort, SortId, TermId};

/// The most elements of an outer array whose contents are observed one by one.
const MAX_ROWS: u64 = 64;

impl Lower<'_> {
    /// Gives a variable its first value.
    pub fn initialise(&mut self, var: VarId, init: &Init, span: Span) {
        let spot = self.variable(var);
        match init {
            Init::Value(value) => self.initialise_part(spot, value),
            Init::Parts(parts) => {
                self.poke_zero(&spot, span);
                for (positions, value) in parts {
                    let part = self.descend(spot.clone(), positions);
                    self.initialise_part(part, value);
                }
            }
            Init::Text(text) => {
                self.poke_zero(&spot, span);
                self.poke_text(&spot, *text, span);
            }
        }
    }

    /// A part gets the value of an expression; an array of characters that of a literal.
    fn initialise_part(&mut self, spot: Spot, value: &Expr) {
        if let ExprKind::Load(place) = &value.kind
            && let PlaceKind::Text(text) = place.kind
        {
            return self.poke_text(&spot, text, value.span);
        }
        if let Some(source) = self.copied_record(value) {
            return self.copy_record(&spot, source, value.span);
        }
        let stored = self.expr(value);
        self.write(&spot, stored, value.span);
    }

    /// The part of a place at positions of members and elements.
    fn descend(&mut self, mut spot: Spot, positions: &[u64]) -> Spot {
        for &position in positions {
            match self.unit.types.get(spot.ty) {
                Type::Array(element, _) => {
                    let (element, index) = (*element, self.index_literal(position));
                    spot = self.element_at(spot, index, element);
                }
                Type::Record(record) => {
                    spot = self.member(spot, *record, position as usize, Span::NONE);
                }
                _ => {}
            }
        }
        spot
    }

    /// An element of an array that is a place.
    pub fn element_at(&mut self, mut spot: Spot, index: TermId, element: TypeId) -> Spot {
        if self.grains(&spot).is_some() {
            return self.grain_element(spot, index, element, Span::NONE);
        }
        spot.ty = element;
        match (&spot.base, spot.is_whole) {
            (Base::Lost, _) => {}
            (Base::Memory(..), true) => {
                let last = spot.indices.pop().expect("memory has an index");
                let moved = self.move_index(last, index);
                spot.indices.push(moved);
                spot.is_whole = false;
            }
            _ => {
                spot.path.push(Step::Element);
                spot.indices.push(index);
            }
        }
        spot
    }

    /// The characters of a literal go to an array, as far as they fit.
    fn poke_text(&mut self, spot: &Spot, text: u32, span: Span) {
        let &Type::Array(element, length) = self.unit.types.get(spot.ty) else {
            return self.untreated("a text for what is no array", span);
        };
        let Some(kind) = self.number_kind(element) else {
            return self.untreated("a text for what is no array of characters", span);
        };
        let bytes = self.unit.strings[text as usize].clone();
        let most = match length {
            Length::Fixed(length) => usize::try_from(length).unwrap_or(usize::MAX),
            _ => bytes.len() + 1,
        };
        for (index, byte) in bytes.into_iter().take(most).enumerate() {
            let index = self.index_literal(index as u64);
            let part = self.element_at(spot.clone(), index, element);
            let value = if kind.is_signed {
                Int::from(i64::from(byte as i8))
            } else {
                Int::from(u64::from(byte))
            };
            let (store, numbers) = (&mut self.program.terms, self.options.numbers);
            let value = number::constant(store, numbers, kind, &value);
            self.poke(&part, &[Scalar::Number(value)], span);
        }
    }

    /// A string literal as a place.
    pub fn text(&mut self, text: u32, place: &crate::c::tree::Place) -> Spot {
        let site = super::regions::Site::Text(text);
        let cell = self.regions.site(site);
        let cell = self.regions.find(&cell);
        let object = self.memory.fixed.get(&site).cloned().unwrap_or_default();
        let object = self.object_literal(object);
        self.object_spot(cell, object, place.ty)
    }

    /// A place becomes all zeros.
    pub fn poke_zero(&mut self, spot: &Spot, span: Span) {
        if self.grains(spot).is_some() {
            return self.zero_grains(spot, span);
        }
        let selectors = self.selectors(spot);
        let mut changes = Vec::new();
        for (_, vars) in self.cells_at(spot) {
            for var in vars.vars() {
                let (old, sort) = self.inside(var, &selectors);
                let zero = self.zero_of(sort);
                let new = super::place::stored(&mut self.program.terms, old, &selectors, zero);
                changes.push((var, new));
            }
        }
        if !changes.is_empty() {
            self.emit(Action::Assign(changes), span);
        }
    }

    /// What a variable of the form is, and the sort of what is stored in it at some indices.
    fn inside(&mut self, var: form::VarId, selectors: &[TermId]) -> (TermId, SortId) {
        let old = self.term(var);
        let store = &mut self.program.terms;
        let inner = selectors.iter().fold(old, |term, &index| store.select(term, index));
        (old, store.sort(inner))
    }

    /// The zero of a sort: of arrays, the array that is zero everywhere.
    pub fn zero_of(&mut self, sort: SortId) -> TermId {
        match *self.program.terms.sort_of(sort) {
            Sort::Array(_, element) => {
                let zero = self.zero_of(element);
                self.program.terms.const_array(sort, zero)
            }
            Sort::BitVec(bits) => self.program.terms.bv(Bv::from_u64(bits, 0)),
            Sort::Bool => TermId::FALSE,
            _ => self.program.terms.int(0),
        }
    }

    /// A local variable gets any value, each time its declaration is passed.
    pub fn any_value(&mut self, var: VarId, span: Span) {
        let ty = self.unit.var(var).ty;
        if is_in_memory(self.unit, var) {
            if self.unit.types.size(ty).is_none() {
                self.begin_life(var, span);
                if let Some((_, vars)) = self.body.scopes.last_mut()
                    && !vars.contains(&var)
                {
                    vars.push(var);
                }
            } else if self.may_pass_again() {
                let spot = self.variable(var);
                self.forget_place(&spot, span);
            }
            let spot = self.variable(var);
            self.fresh_grains(&spot, span);
        } else if let Some(Home::Own(cells)) = self.homes.get(&var) {
            let all = cells.all();
            if !all.is_empty() {
                self.emit(Action::Havoc(all), span);
            }
        }
        let spot = self.variable(var);
        self.observe_place(&spot, span);
    }

    /// Whether a declaration may be passed again while its block is open.
    fn may_pass_again(&self) -> bool {
        self.body.function.is_none_or(|function| !self.unit.function(function).labels.is_empty())
    }

    /// What is at a place becomes anything.
    pub fn forget_place(&mut self, spot: &Spot, span: Span) {
        if self.grains(spot).is_some() {
            return self.forget_grains(spot, span);
        }
        let selectors = self.selectors(spot);
        for (_, vars) in self.cells_at(spot) {
            for var in vars.vars() {
                let (old, sort) = self.inside(var, &selectors);
                let any = self.new_temporary("any", sort, span);
                self.emit(Action::Havoc(vec![any]), span);
                let any = self.term(any);
                let new = super::place::stored(&mut self.program.terms, old, &selectors, any);
                self.assign(var, new, span);
            }
        }
    }

    /// What is at a place was chosen: says what values it has, and observes them.
    pub fn observe_place(&mut self, spot: &Spot, span: Span) {
        if self.grains(spot).is_some() {
            return self.observe_grains(spot, span);
        }
        let is_scalar = self.leaf_kind(spot.ty).is_some();
        let value = self.peek_quietly(spot);
        let cells = self.cells_at(spot);
        match (is_scalar, value.first()) {
            (true, Some(scalar)) => {
                if let Some(term) = self.choice_of(scalar) {
                    self.emit(Action::Observe(Observation::Value(term)), span);
                }
            }
            (true, None) => {}
            _ => {
                let parts = self.parts_of(spot, &cells, &value);
                self.emit(Action::Observe(Observation::Contents(parts)), span);
            }
        }
        for ((leaf, vars), scalar) in cells.iter().zip(&value) {
            if self.inner_dims(spot, leaf).is_empty() {
                self.say_range(vars, scalar, span);
                self.say_no_object(scalar, FOREIGN, span);
            }
        }
    }

    /// A pointer that was chosen is a number and no object: above `low`, and not above zero.
    pub fn say_no_object(&mut self, scalar: &Scalar, low: i64, span: Span) {
        let Scalar::Pointer(pointer) = scalar else { return };
        let low = self.object_literal(low);
        let is_object = self.is_object(pointer.object);
        let none = self.program.terms.not(is_object);
        self.assume(none, span);
        let near = self.object_order(low, pointer.object);
        self.assume(near, span);
        let zero = self.index_literal(0);
        for &index in &pointer.indices {
            let first = self.program.terms.eq(index, zero);
            self.assume(first, span);
        }
    }

    /// The number that is chosen where a scalar is.
    pub fn choice_of(&mut self, scalar: &Scalar) -> Option<TermId> {
        match scalar {
            Scalar::Number(number) => Some(number.term),
            Scalar::Pointer(pointer) => Some(match self.options.numbers {
                Numbers::Integers => self.program.terms.neg(pointer.object),
                Numbers::Words => self.program.terms.mk(Op::BvNeg, &[pointer.object]),
            }),
            Scalar::Opaque => None,
        }
    }

    /// The arrays of a leaf below a place.
    fn inner_dims(&self, spot: &Spot, leaf: &Leaf) -> Vec<Dimension> {
        let used = spot.path.iter().filter(|step| **step == Step::Element).count();
        let inner = leaf.dims[used..].iter().copied();
        match (&spot.base, spot.is_whole, self.unit.types.get(spot.ty)) {
            (Base::Memory(..), true, Type::Array(element, length)) => {
                let stride = self.unit.types.size(*element).unwrap_or(0);
                std::iter::once(Dimension { length: *length, stride }).chain(inner).collect()
            }
            _ => inner.collect(),
        }
    }

    /// The contents of a place, as far as they can be observed.
    pub fn parts_of(
        &mut self,
        spot: &Spot,
        cells: &[(Leaf, LeafVars)],
        value: &Value,
    ) -> Vec<Part> {
        let base = match &spot.base {
            Base::Memory(node, _) => match self.regions.node(*node).ty {
                Some(ty) => super::shape::offset_of(&self.unit.types, ty, &spot.path).unwrap_or(0),
                None => 0,
            },
            _ => 0,
        };
        let mut parts = Vec::new();
        for ((leaf, _), scalar) in cells.iter().zip(value) {
            let dims = self.inner_dims(spot, leaf);
            let Scalar::Number(number) = scalar else { continue };
            self.rows(&dims, leaf.offset.saturating_sub(base), number.term, &mut parts);
        }
        parts
    }

    /// The rows of arrays of arrays, one by one if there are not too many.
    fn rows(&mut self, dims: &[Dimension], offset: u64, term: TermId, parts: &mut Vec<Part>) {
        match dims {
            [] => parts.push(Part { offset, stride: 0, term }),
            [last] => parts.push(Part { offset, stride: last.stride, term }),
            [first, rest @ ..] => {
                let Length::Fixed(length) = first.length else { return };
                for row in 0..length.min(MAX_ROWS) {
                    let index = self.index_literal(row);
                    let inner = self.program.terms.select(term, index);
                    self.rows(rest, offset + row * first.stride, inner, parts);
                }
            }
        }
    }

    /// What is true when a run begins: memory, then every global in the order of the file, then the
    /// parameters of the entry.
    pub fn begin_run(&mut self, span: Span) {
        self.begin_memory(span);
        self.begin_texts(span);
        let globals: Vec<VarId> = self.unit.globals().map(|(var, _)| var).collect();
        for &var in &globals {
            if self.reach.vars.contains(&var) && is_in_memory(self.unit, var) {
                self.begin_life(var, span);
            }
        }
        for var in globals {
            match self.unit.var(var).storage {
                Storage::Extern => self.begin_extern(var),
                _ if self.reach.vars.contains(&var) => self.begin_global(var),
                _ => {}
            }
        }
    }

    /// String literals have their characters.
    fn begin_texts(&mut self, span: Span) {
        for text in self.reach.strings.clone() {
            let site = super::regions::Site::Text(text);
            let (Some(cell), Some(object)) =
                (self.regions.known_site(&site), self.memory.fixed.get(&site).cloned())
            else {
                continue;
            };
            let cell = self.regions.find(&cell);
            let object = self.object_literal(object);
            if !self.memory.regions.contains_key(&cell.node) {
                continue;
            }
            let char = self.unit.types.find(&Type::Int(crate::c::layout::IntKind::Char));
            let element = match self.grains_of(cell.node) {
                Some(_) => char,
                None => self.regions.node(cell.node).ty,
            };
            let Some(element) = element else { continue };
            let Some(kind) = self.number_kind(element).filter(|_| cell.path.is_empty()) else {
                continue;
            };
            let bytes = self.unit.strings[text as usize].clone();
            let size = self.index_literal(bytes.len() as u64 + 1);
            self.set_life(&cell, object, super::memory::SCOPED, Some(size), span);
            let spot = self.object_spot(cell, object, element);
            for (index, byte) in bytes.into_iter().chain([0]).enumerate() {
                let index = self.index_literal(index as u64);
                let mut part = spot.clone();
                part.is_whole = true;
                let part = self.element_at(part, index, element);
                let value = if kind.is_signed { i64::from(byte as i8) } else { i64::from(byte) };
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                let value = number::constant(store, numbers, kind, &value.into());
                self.poke(&part, &[Scalar::Number(value)], span);
            }
        }
    }

    /// A global is what its initialiser says, or zero.
    fn begin_global(&mut self, var: VarId) {
        let declared = self.unit.var(var);
        match &declared.init {
            Some(init) => self.initialise(var, init, declared.span),
            None => {
                let spot = self.variable(var);
                self.poke_zero(&spot, declared.span);
            }
        }
    }

    /// A variable from outside is anything. Of pointers nothing is known, and nothing is asked.
    fn begin_extern(&mut self, var: VarId) {
        let (ty, span) = (self.unit.var(var).ty, self.unit.var(var).span);
        let is_reached = self.reach.vars.contains(&var);
        let types = &self.unit.types;
        let is_asked = match types.get(ty) {
            Type::Int(_) => true,
            Type::Pointer(_) | Type::Float(_) => false,
            _ => types.size(ty).is_some() && !super::shape::has_pointers(types, ty),
        };
        if is_reached && is_asked {
            let spot = self.variable(var);
            return self.observe_place(&spot, span);
        }
        match self.number_kind(ty) {
            Some(kind) => {
                self.chosen_number(kind, &self.unit.var(var).name.clone(), span);
            }
            None if is_asked => {
                self.emit(Action::Observe(Observation::Contents(Vec::new())), span);
            }
            None if is_reached => self.begin_foreign(var, span),
            None => {}
        }
    }

    /// A variable from outside with pointers in it: they point outside.
    fn begin_foreign(&mut self, var: VarId, span: Span) {
        let spot = self.variable(var);
        let value = self.peek_quietly(&spot);
        for scalar in &value {
            self.say_foreign(scalar, span);
        }
    }

    /// A pointer is null or points outside the program; nothing is said of pointers in arrays.
    pub fn say_foreign(&mut self, scalar: &Scalar, span: Span) {
        let Scalar::Pointer(pointer) = scalar else { return };
        let object_sort = self.object_sort();
        if self.program.terms.sort(pointer.object) != object_sort {
            return;
        }
        let (foreign, null) = (self.object_literal(FOREIGN), self.object_literal(0));
        let near = self.object_order(foreign, pointer.object);
        let outside = self.program.terms.not(near);
        let is_null = self.program.terms.eq(pointer.object, null);
        let either = self.program.terms.or(&[outside, is_null]);
        self.assume(either, span);
        let zero = self.index_literal(0);
        for &index in &pointer.indices {
            let first = self.program.terms.eq(index, zero);
            self.assume(first, span);
        }
    }

    /// Any number of a kind, observed as a choice.
    pub fn chosen_number(&mut self, kind: number::Kind, name: &str, span: Span) -> number::Number {
        let term = self.any_term(kind, name, span);
        self.emit(Action::Observe(Observation::Value(term)), span);
        self.ranged(kind, term, span)
    }

    /// Any number of a kind that nobody chooses.
    pub fn any_number(&mut self, kind: number::Kind, name: &str, span: Span) -> number::Number {
        let term = self.any_term(kind, name, span);
        self.ranged(kind, term, span)
    }

    fn any_term(&mut self, kind: number::Kind, name: &str, span: Span) -> TermId {
        let sort = number::sort(&mut self.program.terms, self.options.numbers, kind);
        let var = self.new_temporary(name, sort, span);
        self.emit(Action::Havoc(vec![var]), span);
        self.term(var)
    }

    fn ranged(&mut self, kind: number::Kind, term: TermId, span: Span) -> number::Number {
        let numbers = self.options.numbers;
        let formula = number::in_range(&mut self.program.terms, numbers, kind, term);
        self.assume(formula, span);
        number::Number { term, range: kind.range() }
    }

    /// The parameters of the entry: numbers are chosen, pointers lie outside.
    pub fn begin_params(&mut self, params: &[VarId]) {
        for &var in params {
            let span = self.unit.var(var).span;
            let spot = self.variable(var);
            let value = self.peek_quietly(&spot);
            match value.first() {
                Some(Scalar::Number(_)) if self.leaf_kind(spot.ty).is_some() => {
                    self.observe_place(&spot, span);
                }
                Some(scalar @ Scalar::Pointer(_)) => self.say_foreign(&scalar.clone(), span),
                _ => self.untreated("a parameter of the entry", span),
            }
        }
    }
}
