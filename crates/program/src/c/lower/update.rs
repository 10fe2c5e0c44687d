//! Assignments: plain ones, `op=`, `++` and `--`.
//!
//! The place is found first, then the operand is evaluated, then the place is read.

use super::Lower;
use super::number::{self, Kind, Number};
use super::place::{Base, Spot};
use super::value::{Scalar, Value};
use crate::c::layout::{Type, TypeId};
use crate::c::tree::{Arith, Expr, ExprKind, Place};
use crate::c::walk::has_effects;
use alphorn_problem::Span;
use alphorn_term::Int;

impl Lower<'_> {
    /// `place = value`
    pub fn assignment(&mut self, place: &Place, value: &Expr, span: Span) -> Value {
        let spot = self.place(place, false);
        let spot = if has_effects(value) { self.keep_spot(spot, span) } else { spot };
        let value = self.expr(value);
        let value = self.steady(&spot, value, span);
        let written = self.write(&spot, value, place.span);
        self.stable(&spot, written, span)
    }

    /// The place whose structure an expression is, if it is nothing but that.
    pub fn copied_record<'e>(&self, value: &'e Expr) -> Option<&'e Place> {
        match &value.kind {
            ExprKind::Load(place) if matches!(self.unit.types.get(place.ty), Type::Record(_)) => {
                Some(place)
            }
            _ => None,
        }
    }

    /// `place = source` for structures whose value nobody wants otherwise.
    pub fn assign_record(&mut self, place: &Place, source: &Place) {
        let spot = self.place(place, false);
        self.copy_record(&spot, source, place.span);
    }

    /// A structure goes to a place: among grains with whatever is in it, else by its leaves.
    pub fn copy_record(&mut self, spot: &Spot, source: &Place, span: Span) {
        let from = self.place(source, false);
        let size = self.unit.types.size(spot.ty).unwrap_or(0);
        if self.can_copy(spot, &from, size) {
            if self.is_shared(spot) || self.is_shared(&from) {
                self.untreated("a structure that threads share, as a whole", span);
            }
            self.access(&from, source.span);
            self.access(spot, span);
            return self.copy_grains(spot, &from, size, span);
        }
        let value = self.read(&from, source.span);
        self.write(spot, value, span);
    }

    /// A value that is to be written: among grains it is not read again, so it must stay what it is.
    fn steady(&mut self, spot: &Spot, value: Value, span: Span) -> Value {
        if self.grains(spot).is_some() { self.keep(value, span) } else { value }
    }

    /// What was written is what is there: the value as the variable that has it now, where that is one.
    /// A term may mention what was just changed.
    fn stable(&mut self, spot: &Spot, written: Value, span: Span) -> Value {
        // What threads share may be something else by now.
        if self.grains(spot).is_some() || self.is_shared(spot) {
            return written;
        }
        let mut value = self.read_again(spot, span);
        for (new, old) in value.iter_mut().zip(&written) {
            if let (Scalar::Number(new), Scalar::Number(old)) = (new, old) {
                new.range = new.range.meet(&old.range);
            }
        }
        value
    }

    /// What is at a place that was just written.
    fn read_again(&mut self, spot: &Spot, span: Span) -> Value {
        if matches!(spot.base, Base::Lost) {
            return self.any_of(spot.ty, span);
        }
        let value = self.peek_quietly(spot);
        match (self.stored_kind(spot), self.number_kind(spot.ty), value.as_slice()) {
            (Some(from), Some(to), [Scalar::Number(number)]) => {
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                vec![Scalar::Number(number::convert(store, numbers, from, to, number))]
            }
            _ => value,
        }
    }

    /// `place op= value`
    pub fn update(
        &mut self,
        place: &Place,
        op: Arith,
        ty: TypeId,
        value: &Expr,
        span: Span,
    ) -> Value {
        let spot = self.place(place, false);
        let spot = if has_effects(value) { self.keep_spot(spot, span) } else { spot };
        let operand = self.expr(value);
        let is_atomic = self.begin_change(&spot, span);
        let old = self.read(&spot, place.span);
        let new = match (old.as_slice(), operand.as_slice(), self.number_kind(ty)) {
            ([Scalar::Pointer(pointer)], [Scalar::Number(by)], _) => {
                let by = self.index_of(value.ty, by);
                let by = if op == Arith::Sub { self.negate_index(by) } else { by };
                vec![Scalar::Pointer(self.advance(pointer.clone(), by, place.ty, span))]
            }
            ([Scalar::Number(_)], [Scalar::Number(by)], Some(kind)) => {
                let by = by.clone();
                let left = self.cast(old, place.ty, ty, span);
                let Some(Scalar::Number(left)) = left.into_iter().next() else {
                    self.end_change(is_atomic, span);
                    return self.any_of(place.ty, span);
                };
                let result = self.combine(op, kind, &left, &by, value.ty, span);
                self.cast(vec![Scalar::Number(result)], ty, place.ty, span)
            }
            ([Scalar::Opaque], _, _) => vec![Scalar::Opaque],
            // The operation is done in a floating type, and its result converted back.
            ([Scalar::Number(_)], _, None) => self.cast(vec![Scalar::Opaque], ty, place.ty, span),
            _ => {
                self.untreated("floating numbers", span);
                self.any_of(place.ty, span)
            }
        };
        let new = self.steady(&spot, new, span);
        let written = self.write(&spot, new, place.span);
        self.end_change(is_atomic, span);
        self.stable(&spot, written, span)
    }

    /// `++` and `--`: the operation is done in the promoted type, as `+= 1` does.
    pub fn step(&mut self, place: &Place, is_up: bool, is_before: bool, span: Span) -> Value {
        let spot = self.place(place, false);
        let is_atomic = self.begin_change(&spot, span);
        let old = self.read(&spot, place.span);
        let old = if is_before { old } else { self.keep(old, span) };
        let new = match old.as_slice() {
            [Scalar::Pointer(pointer)] => {
                let by = self.index_literal(if is_up { 1 } else { -1 });
                vec![Scalar::Pointer(self.advance(pointer.clone(), by, place.ty, span))]
            }
            [Scalar::Number(number)] => {
                let number = number.clone();
                let bits = place.bits(&self.unit.types);
                vec![Scalar::Number(self.stepped(&spot, bits, &number, is_up, span))]
            }
            _ => vec![Scalar::Opaque],
        };
        let new = self.steady(&spot, new, span);
        let written = self.write(&spot, new, place.span);
        self.end_change(is_atomic, span);
        if is_before { self.stable(&spot, written, span) } else { old }
    }

    /// A number of a place's type, which may be a bit-field, one more or less.
    fn stepped(
        &mut self,
        spot: &Spot,
        bits: Option<u32>,
        number: &Number,
        is_up: bool,
        span: Span,
    ) -> Number {
        let numbers = self.options.numbers;
        let own = self.number_kind(spot.ty).expect("numbers have a kind");
        let int = self.promoted(Kind { bits: bits.unwrap_or(own.bits), ..own });
        let store = &mut self.program.terms;
        let wide = number::convert(store, numbers, own, int, number);
        let one = number::constant(store, numbers, int, &Int::ONE);
        let op = if is_up { Arith::Add } else { Arith::Sub };
        let result = self.combine(op, int, &wide, &one, spot.ty, span);
        number::convert(&mut self.program.terms, numbers, int, own, &result)
    }

    /// What a kind is promoted to: `int` if it is smaller.
    fn promoted(&self, kind: Kind) -> Kind {
        let int = Kind { bits: 32, is_signed: true, is_truth: false };
        if kind.bits < int.bits { int } else { kind }
    }
}
