//! Calls of known functions, by their meaning in one line of `c::library`.
//!
//! Those that run over texts and bytes are followed as far as constants allow; beyond, what they write or
//! return is anything that fits.

use super::Lower;
use super::memory::HEAP;
use super::number;
use super::place::Spot;
use super::regions::{Cell, Site};
use super::value::{Pointer, Scalar, Value};
use crate::c::layout::TypeId;
use crate::c::library::{Known, is_exit};
use crate::c::property::{Malloc, Property};
use crate::c::tree::{Arith, Expr, FuncId};
use crate::c::walk::has_effects;
use crate::form::{Action, Observation, Part, ThreadOp, VarId};
use alphorn_problem::Span;
use alphorn_term::{Int, SortId, TermId};

/// The most elements that are copied or filled one by one.
const MAX_ELEMENTS: u64 = 64;

impl Lower<'_> {
    /// A call of a known function.
    pub fn call_known(
        &mut self,
        known: Known,
        function: FuncId,
        args: &[Expr],
        expr: &Expr,
    ) -> Value {
        let span = expr.span;
        if self.threads.are_created && self.is_untreated_with_threads(known) {
            self.untreated("this function in a program with threads", span);
        }
        match known {
            Known::Nondet(kind) => self.nondet(kind, function, args, expr),
            Known::NondetPointer => {
                self.arguments(args);
                vec![Scalar::Pointer(self.null())]
            }
            Known::NondetFloat => vec![Scalar::Opaque],
            Known::Assume => {
                if let Some(condition) = args.first() {
                    let truth = self.truth(condition);
                    self.assume(truth, span);
                }
                self.any_of(expr.ty, span)
            }
            Known::Error => self.violation(Property::UnreachCall, args, expr),
            Known::AssertFail => self.violation(Property::Assert, args, expr),
            Known::Assert => self.assertion(args, expr),
            Known::Stop => {
                self.arguments(args);
                self.end_inside(is_exit(&self.unit.function(function).name), span);
                self.stop();
                self.any_of(expr.ty, span)
            }
            Known::Malloc | Known::Calloc | Known::Alloca => {
                let values = self.arguments(args);
                let size = self.allocation_size(known, &values, args);
                self.allocation(known, size, span)
            }
            Known::Realloc => self.reallocation(args, expr),
            Known::Free => self.free(args, expr),
            Known::Memset => self.fill(args, expr),
            Known::Memcpy | Known::Memmove => self.copy(args, expr),
            Known::Strlen
            | Known::Memcmp
            | Known::Strcmp
            | Known::Strncmp
            | Known::Strcpy
            | Known::Strncpy
            | Known::Strcat
            | Known::Strchr => self.about_text(known, args, expr),
            Known::Strdup => self.duplicate(args, expr),
            Known::Upper | Known::Lower => self.change_case(known, args, expr),
            Known::Abs => self.absolute(args, expr),
            Known::Output => {
                self.arguments(args);
                self.any_result(function, span)
            }
            Known::First => {
                let mut values = self.arguments(args);
                if values.is_empty() { Value::new() } else { values.swap_remove(0) }
            }
            Known::Thread | Known::LongJump => {
                self.arguments(args);
                let what = match known {
                    Known::Thread => "another thread",
                    _ => "a jump out of a function",
                };
                self.untreated(what, span);
                self.any_of(expr.ty, span)
            }
            Known::Zero if args.iter().any(has_effects) => {
                self.untreated("an argument that changes something", span);
                self.any_of(expr.ty, span)
            }
            Known::Zero => match self.number_kind(expr.ty) {
                Some(_) => vec![self.constant(0, expr.ty, span)],
                None => self.any_of(expr.ty, span),
            },
            Known::Sync(_) => self.about_threads(known, args, expr),
        }
    }

    /// Any number of the function's kind, as one of what it is declared to return.
    fn nondet(
        &mut self,
        kind: crate::c::layout::IntKind,
        function: FuncId,
        args: &[Expr],
        expr: &Expr,
    ) -> Value {
        self.arguments(args);
        let kind = number::Kind::of(kind, self.unit.types.model);
        let name = self.unit.function(function).name.clone();
        let name = name.strip_prefix("__VERIFIER_").unwrap_or(&name).to_owned();
        let number = self.chosen_number(kind, &name, expr.span);
        match self.number_kind(expr.ty) {
            Some(to) => {
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                vec![Scalar::Number(number::convert(store, numbers, kind, to, &number))]
            }
            None => self.any_of(expr.ty, expr.span),
        }
    }

    /// A call that must not be: a violation if that is asked, the end of the run in any case.
    fn violation(&mut self, property: Property, args: &[Expr], expr: &Expr) -> Value {
        self.arguments(args);
        if !self.asks(property) {
            self.end_inside(true, expr.span);
        }
        self.demand(property, TermId::FALSE, expr.span);
        self.stop();
        self.any_of(expr.ty, expr.span)
    }

    /// `assert`
    fn assertion(&mut self, args: &[Expr], expr: &Expr) -> Value {
        let Some(condition) = args.first() else { return Value::new() };
        let span = expr.span;
        let truth = self.truth(condition);
        if !self.asks(Property::Assert) && self.memory.live.is_some() {
            let [yes, no] = [(); 2].map(|()| self.new_block(None, span));
            self.branch(truth, yes, no);
            self.enter(no);
            self.end_inside(true, span);
            self.stop();
            self.enter(yes);
        } else {
            self.demand(Property::Assert, truth, span);
        }
        self.any_of(expr.ty, span)
    }

    /// `abs`: the negative of a negative number, which must be one.
    fn absolute(&mut self, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let (Some(arg), Some(kind)) = (args.first(), self.number_kind(expr.ty)) else {
            self.untreated("an absolute value", span);
            return self.any_of(expr.ty, span);
        };
        let Some(number) = self.number(arg) else { return self.any_of(expr.ty, span) };
        let numbers = self.options.numbers;
        let zero = number::constant(&mut self.program.terms, numbers, kind, &Int::ZERO);
        use crate::c::tree::Compare;
        let store = &mut self.program.terms;
        let negative = number::compare(store, numbers, Compare::Lt, kind, &number, &zero);
        self.guard(negative);
        let negated = self.combine(Arith::Sub, kind, &zero, &number, arg.ty, span);
        self.unguard();
        let term = self.program.terms.ite(negative, negated.term, number.term);
        vec![Scalar::Number(number::Number { term, range: kind.range() })]
    }

    /// How many bytes are allocated, as an index.
    fn allocation_size(&mut self, known: Known, values: &[Value], args: &[Expr]) -> Option<TermId> {
        let mut sizes = Vec::new();
        for (value, arg) in values.iter().zip(args) {
            if let Some(Scalar::Number(number)) = value.first() {
                sizes.push(self.index_of(arg.ty, number));
            }
        }
        match (known, sizes.as_slice()) {
            (Known::Calloc, &[count, size]) => Some(self.scale_index(count, size)),
            (Known::Calloc, _) => None,
            (_, sizes) => sizes.first().copied(),
        }
    }

    /// A new object: whether there is one may be a choice, and so is what is in it.
    pub fn allocation(&mut self, known: Known, size: Option<TermId>, span: Span) -> Value {
        let site = self.regions.site(Site::Call(span));
        let cell = self.regions.find(&site);
        let sort = self.object_sort();
        let var = self.new_temporary("object", sort, span);
        let may_fail = self.task.malloc == Malloc::MayFail && known != Known::Alloca;
        if !may_fail {
            self.new_object(known, var, &cell, size, span);
        } else {
            let [yes, no, end] = [(); 3].map(|()| self.new_block(None, span));
            let is_there = self.new_temporary("allocated", SortId::BOOL, span);
            self.emit(Action::Havoc(vec![is_there]), span);
            let truth = self.term(is_there);
            self.emit(Action::Observe(Observation::Allocated(truth)), span);
            self.branch(truth, yes, no);
            self.enter(yes);
            self.new_object(known, var, &cell, size, span);
            self.goto(end);
            self.enter(no);
            let null = self.object_literal(0);
            self.assign(var, null, span);
            self.goto_and_enter(end);
        }
        let object = self.term(var);
        vec![Scalar::Pointer(self.object_pointer(&cell, object))]
    }

    /// The next object goes to a variable.
    fn new_object(
        &mut self,
        known: Known,
        var: VarId,
        cell: &Cell,
        size: Option<TermId>,
        span: Span,
    ) {
        self.number_object(var, span);
        let object = self.term(var);
        if self.memory.life.is_some() {
            let Some(size) = size else {
                return self.untreated("an allocation of a size that is no number", span);
            };
            match known {
                Known::Alloca => self.until_return(var, cell, size, span),
                _ => {
                    self.set_life(cell, object, HEAP, Some(size), span);
                    self.count(1, span);
                }
            }
        }
        if let (Some(char), true) = (self.char_type(), self.grains_of(cell.node).is_some()) {
            let spot = self.object_spot(cell.clone(), object, char);
            if known == Known::Calloc {
                return self.zero_grains(&spot, span);
            }
            self.fresh_grains(&spot, span);
            let parts = self.grain_parts(&spot);
            return self.emit(Action::Observe(Observation::Contents(parts)), span);
        }
        if known == Known::Calloc {
            if let Some(spot) = self.whole(cell, object) {
                self.poke_zero(&spot, span);
            }
        } else {
            let parts = self.object_parts(cell, object);
            self.emit(Action::Observe(Observation::Contents(parts)), span);
        }
    }

    /// The type of characters, for what has no other.
    fn char_type(&self) -> Option<TypeId> {
        use crate::c::layout::{IntKind, Type};
        self.unit.types.find(&Type::Int(IntKind::Char))
    }

    /// One more object on the heap, or one less.
    fn count(&mut self, by: i64, span: Span) {
        if let Some(live) = self.memory.live {
            let (old, by) = (self.term(live), self.program.terms.int(by));
            let new = self.program.terms.add(&[old, by]);
            self.assign(live, new, span);
        }
    }

    /// All of an object as a place: an array, if it may be one.
    fn whole(&mut self, cell: &Cell, object: TermId) -> Option<Spot> {
        let ty = self.regions.node(cell.node).ty?;
        let ty = super::shape::type_at(&self.unit.types, ty, &cell.path)?;
        let mut spot = self.object_spot(cell.clone(), object, ty);
        spot.is_whole = self.stored_indices(cell).last() == Some(&true);
        Some(spot)
    }

    /// What is in a new object.
    fn object_parts(&mut self, cell: &Cell, object: TermId) -> Vec<Part> {
        let Some(spot) = self.whole(cell, object) else { return Vec::new() };
        let size = self.unit.types.size(spot.ty).unwrap_or(0);
        let value = self.peek_quietly(&spot);
        let cells = self.cells_at(&spot);
        let mut parts = Vec::new();
        let base = cells.first().map_or(0, |(leaf, _)| leaf.offset);
        for ((leaf, _), scalar) in cells.iter().zip(&value) {
            let inner = leaf.path.len() - spot.path.len();
            let is_nested = leaf.path[leaf.path.len() - inner..].contains(&super::Step::Element);
            if let (Scalar::Number(number), false) = (scalar, is_nested) {
                let stride = if spot.is_whole { size } else { 0 };
                parts.push(Part { offset: leaf.offset - base, stride, term: number.term });
            }
        }
        parts
    }

    /// `realloc`: a new object with what the old one had, which is freed.
    fn reallocation(&mut self, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let values = self.arguments(args);
        let values: Vec<Value> = values.into_iter().map(|value| self.keep(value, span)).collect();
        let (Some(Scalar::Pointer(old)), Some(Scalar::Number(size))) =
            (values.first().and_then(|v| v.first()), values.get(1).and_then(|v| v.first()))
        else {
            self.untreated("a reallocation of this form", span);
            return self.any_of(expr.ty, span);
        };
        let (old, size) = (old.clone(), self.index_of(args[1].ty, size));
        self.check_free(&old, span);
        let kept = self.kept_bytes(&old, size, span);
        let value = self.allocation(Known::Malloc, Some(size), span);
        let (Some(cell), Some(Scalar::Pointer(new))) = (&old.cell, value.first()) else {
            return value;
        };
        let (cell, new) = (self.regions.find(cell), new.clone());
        let null = self.object_literal(0);
        let failed = self.program.terms.eq(new.object, null);
        let [yes, end] = [(); 2].map(|()| self.new_block(None, span));
        self.branch(failed, end, yes);
        self.enter(yes);
        if !self.copy_loop(&new, &old, kept, span) && self.grains_of(cell.node).is_some() {
            self.follow(TermId::FALSE, span);
        }
        self.release(&old, span);
        self.goto_and_enter(end);
        value
    }

    /// How many bytes of an object are in one of a new size, too; none of null.
    fn kept_bytes(&mut self, old: &Pointer, size: TermId, span: Span) -> TermId {
        let zero = self.index_literal(0);
        let (Some(end), Some(cell)) = (self.memory.end, &old.cell) else { return zero };
        let offset = self.offset(&self.regions.find(cell)).unwrap_or(0);
        let (end, offset) = (self.term(end), self.index_literal(offset));
        let end = self.program.terms.select(end, old.object);
        let offset = self.negate_index(offset);
        let had = self.move_index(end, offset);
        let (is_less, is_null) = (self.below(had, Some(size)), self.is_null(old));
        let kept = self.program.terms.ite(is_less, had, size);
        let kept = self.program.terms.ite(is_null, zero, kept);
        self.keep_term(kept, span)
    }

    /// `free`
    fn free(&mut self, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let mut values = self.arguments(args);
        self.thread_step(ThreadOp::Yield(None), span);
        if let Some(Scalar::Pointer(pointer)) = values.first_mut().and_then(Vec::pop) {
            self.check_free(&pointer, span);
            self.release(&pointer, span);
        }
        self.any_of(expr.ty, span)
    }

    /// Only null and the beginning of a living object on the heap may be freed.
    fn check_free(&mut self, pointer: &Pointer, span: Span) {
        let is_null = self.is_null(pointer);
        let Some(cell) = pointer.cell.as_ref().map(|cell| self.regions.find(cell)) else {
            return self.demand(Property::ValidFree, is_null, span);
        };
        if self.regions.node(cell.node).is_foreign {
            let foreign = self.object_literal(super::FOREIGN);
            let near = self.object_order(foreign, pointer.object);
            self.follow(near, span);
        }
        let Some(life) = self.memory.life else { return };
        let (life, heap, zero) =
            (self.term(life), self.program.terms.int(HEAP), self.index_literal(0));
        let what = self.program.terms.select(life, pointer.object);
        let mut parts = vec![self.program.terms.eq(what, heap)];
        for &index in &pointer.indices {
            parts.push(self.program.terms.eq(index, zero));
        }
        if let (Some(start), Some(offset)) = (self.memory.start, self.offset(&cell)) {
            let (start, offset) = (self.term(start), self.index_literal(offset));
            let begins = self.program.terms.select(start, pointer.object);
            parts.push(self.program.terms.eq(begins, offset));
        } else if self.offset(&cell) != Some(0) {
            parts.push(TermId::FALSE);
        }
        let whole = self.program.terms.and(&parts);
        let valid = self.program.terms.or(&[is_null, whole]);
        self.demand(Property::ValidFree, valid, span);
    }

    /// An object is not on the heap any more; null stays what it is.
    fn release(&mut self, pointer: &Pointer, span: Span) {
        let Some(life) = self.memory.life else { return };
        let null = self.object_literal(0);
        let is_null = self.program.terms.eq(pointer.object, null);
        let (old, dead) = (self.term(life), self.program.terms.int(super::memory::DEAD));
        let killed = self.program.terms.store(old, pointer.object, dead);
        let new = self.program.terms.ite(is_null, old, killed);
        self.assign(life, new, span);
        if let Some(live) = self.memory.live {
            let (old, less) = (self.term(live), self.program.terms.int(-1));
            let fewer = self.program.terms.add(&[old, less]);
            let new = self.program.terms.ite(is_null, old, fewer);
            self.assign(live, new, span);
        }
    }

    /// The places of so many bytes from a pointer on, one per element; none if they are not so many whole
    /// elements.
    fn elements(&mut self, pointer: &Pointer, size: Option<&Int>, span: Span) -> Option<Vec<Spot>> {
        let cell = self.regions.find(pointer.cell.as_ref()?);
        if self.grains_of(cell.node).is_some() {
            return None;
        }
        let ty = self.regions.node(cell.node).ty?;
        let ty = super::shape::type_at(&self.unit.types, ty, &cell.path)?;
        let each = Int::from(self.unit.types.size(ty).filter(|size| *size > 0)?);
        let count = size?.div_exact(&each)?.to_u64().filter(|count| *count <= MAX_ELEMENTS)?;
        // What lies behind a member is another member.
        let may_move = self.stored_indices(&cell).last() == Some(&true)
            && !matches!(cell.path.last(), Some(super::Step::Field(_)));
        if count > 1 && !may_move {
            return None;
        }
        let mut spots = Vec::new();
        for index in 0..count {
            let by = self.index_literal(index);
            let moved = self.advance(pointer.clone(), by, ty, span);
            spots.push(self.pointed(&moved, ty, span));
        }
        Some(spots)
    }

    /// `memset`
    fn fill(&mut self, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let values = self.arguments(args);
        let [to, byte, size] = values.as_slice() else { return self.bad_call(expr) };
        let (Some(Scalar::Pointer(to)), Some(Scalar::Number(byte)), Some(Scalar::Number(size))) =
            (to.first(), byte.first(), size.first())
        else {
            return self.bad_call(expr);
        };
        let (to, byte, size) = (to.clone(), byte.clone(), size.clone());
        let spots = self.elements(&to, size.range.value(), span);
        match (byte.range.value(), spots) {
            (Some(zero), Some(spots)) if zero.is_zero() => {
                for spot in spots {
                    self.access(&spot, span);
                    self.poke_zero(&spot, span);
                }
            }
            (_, Some(spots)) => {
                self.loosely("bytes that are set", span);
                for spot in spots {
                    self.access(&spot, span);
                    self.forget_place(&spot, span);
                }
            }
            (_, None) => self.fill_bytes(&to, &byte, args[1].ty, &size, args[2].ty, span),
        }
        vec![Scalar::Pointer(to)]
    }

    /// `memset` where no elements were counted: among grains, or any number of elements.
    fn fill_bytes(
        &mut self,
        to: &Pointer,
        byte: &number::Number,
        byte_ty: TypeId,
        size: &number::Number,
        size_ty: TypeId,
        span: Span,
    ) {
        let bytes = self.index_of(size_ty, size);
        let known = size.range.value().and_then(Int::to_u64);
        if let (Some(char), Some(count), Some(value)) =
            (self.char_type(), known, byte.range.value())
        {
            let spot = self.pointed(to, char, span);
            let value = value.clone();
            if self.grains(&spot).is_some() && self.can_fill(&spot, count) {
                self.access_bytes(&spot, bytes, span);
                return self.fill_grains(&spot, &value, count, span);
            }
        }
        let Some(from) = self.number_kind(byte_ty) else { return self.spoil(to, span) };
        let plain = number::Kind { bits: 8, is_signed: false, is_truth: false };
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let byte = number::convert(store, numbers, from, plain, byte);
        if !self.fill_loop(to, &byte, bytes, span) {
            self.spoil(to, span);
        }
    }

    /// `memcpy` and `memmove`: all is read before anything is written.
    fn copy(&mut self, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let values = self.arguments(args);
        let [to, from, size] = values.as_slice() else { return self.bad_call(expr) };
        let (Some(Scalar::Pointer(to)), Some(Scalar::Pointer(from)), Some(Scalar::Number(size))) =
            (to.first(), from.first(), size.first())
        else {
            return self.bad_call(expr);
        };
        let (to, from, size) = (to.clone(), from.clone(), size.clone());
        let bytes = self.index_of(args[2].ty, &size);
        let size = size.range.value().cloned();
        let (targets, sources) =
            (self.elements(&to, size.as_ref(), span), self.elements(&from, size.as_ref(), span));
        match (targets, sources) {
            (Some(targets), Some(sources)) if targets.len() == sources.len() => {
                let mut read = Vec::new();
                for spot in &sources {
                    let value = self.load(spot, span);
                    read.push(if sources.len() > 1 { self.keep(value, span) } else { value });
                }
                for (spot, value) in targets.iter().zip(read) {
                    self.store(spot, &value, span);
                }
            }
            _ => self.copy_bytes(&to, &from, size.as_ref().and_then(Int::to_u64), bytes, span),
        }
        vec![Scalar::Pointer(to)]
    }

    /// `memcpy` and `memmove` where no elements were counted: among grains, or any number of elements.
    fn copy_bytes(
        &mut self,
        to: &Pointer,
        from: &Pointer,
        known: Option<u64>,
        bytes: TermId,
        span: Span,
    ) {
        if let (Some(char), Some(count)) = (self.char_type(), known) {
            let (source, target) = (self.pointed(from, char, span), self.pointed(to, char, span));
            if self.can_copy(&target, &source, count) {
                self.access_bytes(&source, bytes, span);
                self.access_bytes(&target, bytes, span);
                self.copy_grains(&target, &source, count, span);
                return;
            }
        }
        if !self.copy_loop(to, from, bytes, span) {
            self.spoil(to, span);
        }
    }

    /// An object that bytes are written to, in a way that is not followed: it may be anything.
    fn spoil(&mut self, pointer: &Pointer, span: Span) {
        if self.asks(Property::ValidDeref) {
            return self.untreated("bytes that are written, where memory is asked about", span);
        }
        self.loosely("bytes that are written", span);
        let Some(cell) = pointer.cell.as_ref().map(|cell| self.regions.find(cell)) else { return };
        if self.regions.node(cell.node).is_mixed {
            return self.untreated("memory that is used with different types", span);
        }
        self.forget(&[cell.node], span);
    }

    pub fn bad_call(&mut self, expr: &Expr) -> Value {
        self.untreated("a call of a known function with other arguments", expr.span);
        self.any_of(expr.ty, expr.span)
    }
}
