//! Functions about texts and about bytes in any number: as the loops that they are.
//!
//! A call becomes a loop of its own over single characters, with the checks that every access has, and ends
//! where C11 7.24 says that it ends. What a copy does whose bytes overlap is undefined, so the order in which they go
//! does not matter; for `memmove` a copy that would overwrite what is still to be read is not followed. Sizes of
//! bytes in memory of larger elements must be whole elements, else that is not followed either.
//!
//! Source: C11 7.24.

use super::Lower;
use super::number::{self, Kind, Number};
use super::place::{Base, Spot};
use super::value::{Pointer, Scalar, Value};
use crate::c::evidence::Numbers;
use crate::c::layout::{IntKind, Type, TypeId};
use crate::c::library::{self, Known};
use crate::c::tree::{Compare, Expr};
use alphorn_problem::Span;
use alphorn_term::{Int, Op, TermId};
use std::ops::RangeInclusive;

impl Lower<'_> {
    /// A loop with an index that begins here and is one more each time, as long as a condition holds; what is
    /// checked or stored is part of the condition or of the body. Gives the index at the end.
    fn scan(
        &mut self,
        from: TermId,
        span: Span,
        condition: &mut dyn FnMut(&mut Self, TermId) -> TermId,
        body: &mut dyn FnMut(&mut Self, TermId),
    ) -> TermId {
        let sort = self.index_sort();
        let var = self.new_temporary("at", sort, span);
        self.assign(var, from, span);
        // The loop stands in no program, and what holds there is said to nobody.
        let head = self.new_block(Some("loop"), Span::NONE);
        let [inside, end] = [(); 2].map(|()| self.new_block(None, span));
        self.goto_and_enter(head);
        let at = self.term(var);
        let goes_on = condition(self, at);
        self.branch(goes_on, inside, end);
        self.enter(inside);
        body(self, at);
        let one = self.index_literal(1);
        let next = self.move_index(at, one);
        self.assign(var, next, span);
        self.goto(head);
        self.enter(end);
        at
    }

    /// The type of characters as these functions see them.
    fn byte_type(&self) -> Option<TypeId> {
        let find = |kind| self.unit.types.find(&Type::Int(kind));
        find(IntKind::UnsignedChar).or_else(|| find(IntKind::Char))
    }

    fn byte_kind() -> Kind {
        Kind { bits: 8, is_signed: false, is_truth: false }
    }

    /// The place of the character at an index behind a pointer.
    fn byte_place(&mut self, pointer: &Pointer, at: TermId, span: Span) -> Option<Spot> {
        let ty = self.byte_type()?;
        let moved = self.advance(pointer.clone(), at, ty, span);
        Some(self.pointed(&moved, ty, span))
    }

    /// The character at an index behind a pointer, without sign.
    fn byte(&mut self, pointer: &Pointer, at: TermId, span: Span) -> Number {
        let (kind, numbers) = (Self::byte_kind(), self.options.numbers);
        let found =
            self.byte_place(pointer, at, span).map(|spot| (spot.ty, self.read(&spot, span)));
        match found.as_ref().map(|(ty, value)| (self.number_kind(*ty), value.as_slice())) {
            Some((Some(from), [Scalar::Number(number)])) => {
                number::convert(&mut self.program.terms, numbers, from, kind, number)
            }
            _ => {
                self.untreated("a text that is no array of characters", span);
                number::constant(&mut self.program.terms, numbers, kind, &Int::ZERO)
            }
        }
    }

    /// Stores a character at an index behind a pointer.
    fn set_byte(&mut self, pointer: &Pointer, at: TermId, byte: &Number, span: Span) {
        let Some(spot) = self.byte_place(pointer, at, span) else {
            return self.untreated("a text that is no array of characters", span);
        };
        let Some(to) = self.number_kind(spot.ty) else { return };
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let value = number::convert(store, numbers, Self::byte_kind(), to, byte);
        self.write(&spot, vec![Scalar::Number(value)], span);
    }

    fn is_not_zero(&mut self, byte: &Number) -> TermId {
        let numbers = self.options.numbers;
        number::is_true(&mut self.program.terms, numbers, Self::byte_kind(), byte)
    }

    fn order(&mut self, op: Compare, left: &Number, right: &Number) -> TermId {
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        number::compare(store, numbers, op, Self::byte_kind(), left, right)
    }

    /// How many characters come before the zero.
    fn text_length(&mut self, text: &Pointer, span: Span) -> TermId {
        let zero = self.index_literal(0);
        let mut condition = |lower: &mut Self, at| {
            let byte = lower.byte(text, at, span);
            lower.is_not_zero(&byte)
        };
        self.scan(zero, span, &mut condition, &mut |_, _| {})
    }

    /// Copies characters to an index behind a pointer until the zero, that one, too.
    fn copy_text(&mut self, to: &Pointer, start: TermId, from: &Pointer, span: Span) {
        let zero = self.index_literal(0);
        let mut condition = |lower: &mut Self, at| {
            let byte = lower.byte(from, at, span);
            let byte = Number { term: lower.keep_term(byte.term, span), range: byte.range };
            let target = lower.move_index(start, at);
            lower.set_byte(to, target, &byte, span);
            lower.is_not_zero(&byte)
        };
        self.scan(zero, span, &mut condition, &mut |_, _| {});
    }

    /// Where two texts differ or end, or so many characters are equal; then how they compare.
    fn difference(
        &mut self,
        left: &Pointer,
        right: &Pointer,
        most: Option<TermId>,
        is_text: bool,
        kind: Kind,
        span: Span,
    ) -> Number {
        let zero = self.index_literal(0);
        let mut condition = |lower: &mut Self, at| {
            let inside = lower.below(at, most);
            lower.guard(inside);
            let (a, b) = (lower.byte(left, at, span), lower.byte(right, at, span));
            lower.unguard();
            let mut parts = vec![inside, lower.order(Compare::Eq, &a, &b)];
            if is_text {
                parts.push(lower.is_not_zero(&a));
            }
            lower.program.terms.and(&parts)
        };
        let at = self.scan(zero, span, &mut condition, &mut |_, _| {});
        let inside = self.below(at, most);
        self.guard(inside);
        let (a, b) = (self.byte(left, at, span), self.byte(right, at, span));
        self.unguard();
        let (less, more) = (self.order(Compare::Lt, &a, &b), self.order(Compare::Gt, &a, &b));
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let [below, equal, above] =
            [-1, 0, 1].map(|value: i64| number::constant(store, numbers, kind, &value.into()).term);
        let term = store.ite(more, above, equal);
        let term = store.ite(less, below, term);
        let term = store.ite(inside, term, equal);
        Number { term, range: number::Range::new(-1, 1) }
    }

    /// That an index is below a number, if there is one. Sizes have no sign.
    pub fn below(&mut self, at: TermId, most: Option<TermId>) -> TermId {
        match most {
            Some(most) => {
                let kind = Kind { is_signed: false, ..self.index_kind() };
                let number = |term| Number { term, range: kind.range() };
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                number::compare(store, numbers, Compare::Lt, kind, &number(at), &number(most))
            }
            None => TermId::TRUE,
        }
    }

    /// A call of a function about texts.
    pub fn about_text(&mut self, known: Known, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let values = self.arguments(args);
        let values: Vec<Value> = values.into_iter().map(|value| self.keep(value, span)).collect();
        let pointer = |at: usize| match values.get(at).and_then(|value| value.first()) {
            Some(Scalar::Pointer(pointer)) => Some(pointer.clone()),
            _ => None,
        };
        let Some(first) = pointer(0) else { return self.bad_call(expr) };
        let most = match values.get(2).and_then(|value| value.first()) {
            Some(Scalar::Number(number)) => Some(self.index_of(args[2].ty, number)),
            _ => None,
        };
        let zero = self.index_literal(0);
        match (known, pointer(1)) {
            (Known::Strlen, _) => {
                let term = self.text_length(&first, span);
                let kind = self.number_kind(expr.ty);
                match kind.filter(|kind| kind.bits == self.index_kind().bits) {
                    Some(kind) => vec![Scalar::Number(Number { term, range: kind.range() })],
                    None => self.bad_call(expr),
                }
            }
            (Known::Strcpy, Some(from)) => {
                self.copy_text(&first, zero, &from, span);
                vec![Scalar::Pointer(first)]
            }
            (Known::Strcat, Some(from)) => {
                let end = self.text_length(&first, span);
                self.copy_text(&first, end, &from, span);
                vec![Scalar::Pointer(first)]
            }
            (Known::Strncpy, Some(from)) => {
                let Some(most) = most else { return self.bad_call(expr) };
                self.copy_at_most(&first, &from, most, span);
                vec![Scalar::Pointer(first)]
            }
            (Known::Strcmp | Known::Strncmp | Known::Memcmp, Some(second)) => {
                let Some(kind) = self.number_kind(expr.ty) else { return self.bad_call(expr) };
                if known != Known::Strcmp && most.is_none() {
                    return self.bad_call(expr);
                }
                let most = if known == Known::Strcmp { None } else { most };
                let is_text = known != Known::Memcmp;
                vec![Scalar::Number(self.difference(&first, &second, most, is_text, kind, span))]
            }
            (Known::Strchr, _) => match values.get(1).and_then(|value| value.first()) {
                Some(Scalar::Number(wanted)) => {
                    let Some(from) = self.number_kind(args[1].ty) else {
                        return self.bad_call(expr);
                    };
                    let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                    let wanted = number::convert(store, numbers, from, Self::byte_kind(), wanted);
                    vec![Scalar::Pointer(self.find_byte(&first, &wanted, span))]
                }
                _ => self.bad_call(expr),
            },
            _ => self.bad_call(expr),
        }
    }

    /// `strdup`: a new object with a text in it.
    pub fn duplicate(&mut self, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let values = self.arguments(args);
        let values: Vec<Value> = values.into_iter().map(|value| self.keep(value, span)).collect();
        let Some(Scalar::Pointer(text)) = values.first().and_then(|value| value.first()) else {
            return self.bad_call(expr);
        };
        let (length, one) = (self.text_length(text, span), self.index_literal(1));
        let size = self.move_index(length, one);
        let value = self.allocation(Known::Malloc, Some(size), span);
        let Some(Scalar::Pointer(new)) = value.first() else { return value };
        let failed = self.is_null(new);
        let [there, end] = [(); 2].map(|()| self.new_block(None, span));
        self.branch(failed, end, there);
        self.enter(there);
        let zero = self.index_literal(0);
        self.copy_text(new, zero, text, span);
        self.goto_and_enter(end);
        value
    }

    /// `toupper` and `tolower`: letters become others; what is no character has no meaning.
    pub fn change_case(&mut self, known: Known, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let (Some(arg), Some(kind)) = (args.first(), self.number_kind(expr.ty)) else {
            return self.bad_call(expr);
        };
        let Some(number) = self.number(arg) else { return self.any_of(expr.ty, span) };
        let is_character = self.lies_in(kind, &number, &library::CHARACTERS);
        self.assume(is_character, span);
        let (letters, by) = library::letters(known);
        let is_letter = self.lies_in(kind, &number, &letters);
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let by = number::constant(store, numbers, kind, &Int::from(by));
        let changed = match numbers {
            Numbers::Integers => store.add(&[number.term, by.term]),
            Numbers::Words => store.mk(Op::BvAdd, &[number.term, by.term]),
        };
        let term = store.ite(is_letter, changed, number.term);
        vec![Scalar::Number(Number { term, range: kind.range() })]
    }

    /// That a number lies between two.
    fn lies_in(&mut self, kind: Kind, number: &Number, range: &RangeInclusive<i128>) -> TermId {
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let [low, high] = [range.start(), range.end()]
            .map(|end| number::constant(store, numbers, kind, &Int::from(*end)));
        let above = number::compare(store, numbers, Compare::Le, kind, &low, number);
        let below = number::compare(store, numbers, Compare::Le, kind, number, &high);
        store.and(&[above, below])
    }

    /// `strncpy`: so many characters, zeros once the text has ended.
    fn copy_at_most(&mut self, to: &Pointer, from: &Pointer, most: TermId, span: Span) {
        let zero = self.index_literal(0);
        let mut condition = |lower: &mut Self, at| {
            let inside = lower.below(at, Some(most));
            lower.guard(inside);
            let byte = lower.byte(from, at, span);
            lower.unguard();
            let more = lower.is_not_zero(&byte);
            lower.program.terms.and(&[inside, more])
        };
        let mut body = |lower: &mut Self, at| {
            let byte = lower.byte(from, at, span);
            lower.set_byte(to, at, &byte, span);
        };
        let end = self.scan(zero, span, &mut condition, &mut body);
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let nothing = number::constant(store, numbers, Self::byte_kind(), &Int::ZERO);
        self.scan(end, span, &mut |lower, at| lower.below(at, Some(most)), &mut |lower, at| {
            lower.set_byte(to, at, &nothing, span)
        });
    }

    /// `strchr`: a pointer to the first such character, or null.
    fn find_byte(&mut self, text: &Pointer, wanted: &Number, span: Span) -> Pointer {
        let zero = self.index_literal(0);
        let mut condition = |lower: &mut Self, at| {
            let byte = lower.byte(text, at, span);
            let (other, more) = (lower.order(Compare::Ne, &byte, wanted), lower.is_not_zero(&byte));
            lower.program.terms.and(&[other, more])
        };
        let at = self.scan(zero, span, &mut condition, &mut |_, _| {});
        let byte = self.byte(text, at, span);
        let found = self.order(Compare::Eq, &byte, wanted);
        let Some(ty) = self.byte_type() else { return text.clone() };
        let mut place = self.advance(text.clone(), at, ty, span);
        let null = self.object_literal(0);
        place.object = self.program.terms.ite(found, place.object, null);
        for index in &mut place.indices {
            *index = self.program.terms.ite(found, *index, zero);
        }
        place
    }

    /// How many elements of a size so many bytes are; that they are whole elements is followed only.
    fn whole_elements(&mut self, bytes: TermId, size: u64, span: Span) -> TermId {
        if size == 1 {
            return bytes;
        }
        let (size, zero) = (self.index_literal(size), self.index_literal(0));
        let (div, rem) = match self.options.numbers {
            Numbers::Integers => (Op::IntDiv, Op::Mod),
            Numbers::Words => (Op::BvUdiv, Op::BvUrem),
        };
        let rest = self.program.terms.mk(rem, &[bytes, size]);
        let whole = self.program.terms.eq(rest, zero);
        self.follow(whole, span);
        self.program.terms.mk(div, &[bytes, size])
    }

    /// The type of the elements that a pointer points to, and their size.
    fn element_of(&mut self, pointer: &Pointer) -> Option<(TypeId, u64)> {
        let cell = self.regions.find(pointer.cell.as_ref()?);
        // What lies behind a member is another member.
        if matches!(cell.path.last(), Some(super::Step::Field(_))) {
            return None;
        }
        let ty = match self.grains_of(cell.node) {
            Some(_) => return self.byte_type().map(|ty| (ty, 1)),
            None => super::shape::type_at(
                &self.unit.types,
                self.regions.node(cell.node).ty?,
                &cell.path,
            )?,
        };
        let size = self.unit.types.size(ty).filter(|size| *size > 0)?;
        Some((ty, size))
    }

    /// The place of an element behind a pointer.
    fn element_place(&mut self, pointer: &Pointer, at: TermId, ty: TypeId, span: Span) -> Spot {
        let moved = self.advance(pointer.clone(), at, ty, span);
        self.pointed(&moved, ty, span)
    }

    /// `memset` for any number of bytes. False, and nothing done, where the elements are not known.
    pub fn fill_loop(&mut self, to: &Pointer, byte: &Number, size: TermId, span: Span) -> bool {
        let Some((ty, each)) = self.element_of(to) else { return false };
        let spot = self.pointed(to, ty, span);
        if let (Some(grains), Some(value)) = (self.grains(&spot), byte.range.value()) {
            self.fill_grain_loop(&spot, grains.size, value, size, span);
            return true;
        }
        let is_zero = byte.range.value().is_some_and(Int::is_zero);
        if each > 1 && !is_zero {
            self.loosely("bytes that are set", span);
        }
        let count = self.whole_elements(size, each, span);
        let zero = self.index_literal(0);
        let mut body = |lower: &mut Self, at| {
            if each == 1 {
                return lower.set_byte(to, at, byte, span);
            }
            let spot = lower.element_place(to, at, ty, span);
            lower.access(&spot, span);
            match is_zero {
                true => lower.poke_zero(&spot, span),
                false => lower.forget_place(&spot, span),
            }
        };
        self.scan(zero, span, &mut |lower, at| lower.below(at, Some(count)), &mut body);
        true
    }

    /// The same among grains, for a byte that is constant.
    fn fill_grain_loop(&mut self, to: &Spot, grain: u64, byte: &Int, size: TermId, span: Span) {
        let count = self.whole_elements(size, grain, span);
        let (zero, each) = (self.index_literal(0), self.index_literal(grain));
        let mut body = |lower: &mut Self, at| {
            let mut spot = to.clone();
            spot.indices[0] = lower.move_index(spot.indices[0], at);
            lower.access_bytes(&spot, each, span);
            lower.fill_grains(&spot, byte, grain, span);
        };
        self.scan(zero, span, &mut |lower, at| lower.below(at, Some(count)), &mut body);
    }

    /// `memcpy` and `memmove` for any number of bytes, likewise.
    pub fn copy_loop(&mut self, to: &Pointer, from: &Pointer, size: TermId, span: Span) -> bool {
        let (Some((ty, each)), Some((other, _))) = (self.element_of(to), self.element_of(from))
        else {
            return false;
        };
        let (source, target) = (self.pointed(from, other, span), self.pointed(to, ty, span));
        if self.grains(&target).is_some() || self.grains(&source).is_some() {
            return self.copy_grain_loop(&target, &source, size, span);
        }
        if ty != other && !super::regions::is_compatible(&self.unit.types, ty, other) {
            return false;
        }
        let count = self.whole_elements(size, each, span);
        self.follow_forwards(&target, &source, count, span);
        let zero = self.index_literal(0);
        let mut body = |lower: &mut Self, at| {
            let (source, target) =
                (lower.element_place(from, at, ty, span), lower.element_place(to, at, ty, span));
            let value = lower.load(&source, span);
            lower.store(&target, &value, span);
        };
        self.scan(zero, span, &mut |lower, at| lower.below(at, Some(count)), &mut body);
        true
    }

    /// The same among grains.
    fn copy_grain_loop(&mut self, to: &Spot, from: &Spot, size: TermId, span: Span) -> bool {
        let Some(grains) = self.grains(to) else { return false };
        if !self.can_copy(to, from, grains.size) {
            return false;
        }
        let count = self.whole_elements(size, grains.size, span);
        self.follow_forwards(to, from, count, span);
        let (zero, each) = (self.index_literal(0), self.index_literal(grains.size));
        let mut body = |lower: &mut Self, at| {
            let (mut source, mut target) = (from.clone(), to.clone());
            for spot in [&mut source, &mut target] {
                spot.indices[0] = lower.move_index(spot.indices[0], at);
            }
            lower.access_bytes(&source, each, span);
            lower.access_bytes(&target, each, span);
            lower.copy_grains(&target, &source, grains.size, span);
        };
        self.scan(zero, span, &mut |lower, at| lower.below(at, Some(count)), &mut body);
        true
    }

    /// Elements that go forwards one by one overwrite none that is still to be read.
    fn follow_forwards(&mut self, to: &Spot, from: &Spot, count: TermId, span: Span) {
        let (Base::Memory(_, target), Base::Memory(_, source)) = (&to.base, &from.base) else {
            return;
        };
        let (Some(&a), Some(&b)) = (to.indices.last(), from.indices.last()) else { return };
        let same = self.program.terms.eq(*target, *source);
        let apart = self.program.terms.not(same);
        let end = self.move_index(b, count);
        let (before, behind) = (self.index_order(a, b, false), self.index_order(end, a, false));
        let followed = self.program.terms.or(&[apart, before, behind]);
        self.follow(followed, span);
    }
}
