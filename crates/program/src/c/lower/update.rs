//! Assignments: plain ones, `op=`, `++` and `--`.
//!
//! The place is found first, then the operand is evaluated, then the place is read.

use super::Lower;
use super::number::{self, Kind, Number};
use super::place::{Base, Spot};
use super::value::{Scalar, Value};
use crate::c::layout::TypeId;
use crate::c::tree::{Arith, Expr, Place};
use crate::c::walk::has_effects;
use alphorn_problem::Span;
use alphorn_term::Int;

impl Lower<'_> {
    /// `place = value`
    pub fn assignment(&mut self, place: &Place, value: &Expr, span: Span) -> Value {
        let spot = self.place(place, false);
        let spot = if has_effects(value) { self.keep_spot(spot, span) } else { spot };
        let value = self.expr(value);
        let written = self.write(&spot, value, place.span);
        self.stable(&spot, written, span)
    }

    /// What was written is what is there: the value as the variable that has it now, where that is one.
    /// A term may mention what was just changed.
    fn stable(&mut self, spot: &Spot, written: Value, span: Span) -> Value {
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
        let old = self.read(&spot, place.span);
        let new = match (old.as_slice(), operand.as_slice(), self.number_kind(ty)) {
            ([Scalar::Pointer(pointer)], [Scalar::Number(by)], _) => {
                let by = self.index_of(value.ty, by);
                let by = if op == Arith::Sub { self.negate_index(by) } else { by };
                vec![Scalar::Pointer(self.advance(pointer.clone(), by, span))]
            }
            ([Scalar::Number(_)], [Scalar::Number(by)], Some(kind)) => {
                let by = by.clone();
                let left = self.cast(old, place.ty, ty, span);
                let Some(Scalar::Number(left)) = left.into_iter().next() else {
                    return self.any_of(place.ty, span);
                };
                let result = self.combine(op, kind, &left, &by, value.ty, span);
                self.cast(vec![Scalar::Number(result)], ty, place.ty, span)
            }
            ([Scalar::Opaque], _, _) => vec![Scalar::Opaque],
            _ => {
                self.untreated("floating numbers", span);
                self.any_of(place.ty, span)
            }
        };
        let written = self.write(&spot, new, place.span);
        self.stable(&spot, written, span)
    }

    /// `++` and `--`: the operation is done in the promoted type, as `+= 1` does.
    pub fn step(&mut self, place: &Place, is_up: bool, is_before: bool, span: Span) -> Value {
        let spot = self.place(place, false);
        let old = self.read(&spot, place.span);
        let old = if is_before { old } else { self.keep(old, span) };
        let new = match old.as_slice() {
            [Scalar::Pointer(pointer)] => {
                let by = self.index_literal(if is_up { 1 } else { -1 });
                vec![Scalar::Pointer(self.advance(pointer.clone(), by, span))]
            }
            [Scalar::Number(number)] => {
                let number = number.clone();
                vec![Scalar::Number(self.stepped(&spot, &number, is_up, span))]
            }
            _ => vec![Scalar::Opaque],
        };
        let written = self.write(&spot, new, place.span);
        if is_before { self.stable(&spot, written, span) } else { old }
    }

    /// A number of a place's type, one more or less.
    fn stepped(&mut self, spot: &Spot, number: &Number, is_up: bool, span: Span) -> Number {
        let numbers = self.options.numbers;
        let own = self.number_kind(spot.ty).expect("numbers have a kind");
        let int = self.promoted(own);
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
