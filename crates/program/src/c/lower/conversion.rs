//! Conversions between numbers and pointers.
//!
//! Numbers are wrapped or extended. The number of an address is not known, except that it is zero for null
//! alone; only constants become pointers.

use super::Lower;
use super::number::{self, Kind, Number};
use super::shape::{LeafKind, scalar_kind};
use super::value::{Pointer, Scalar, Value};
use crate::c::evidence::Numbers;
use crate::c::layout::{Type, TypeId};
use crate::form::Action;
use alphorn_problem::Span;
use alphorn_term::{Int, TermId};

impl Lower<'_> {
    /// A conversion.
    pub fn cast(&mut self, value: Value, from: TypeId, to: TypeId, span: Span) -> Value {
        let types = &self.unit.types;
        if matches!(types.get(to), Type::Void) {
            return Value::new();
        }
        let (Some(source), Some(target)) = (scalar_kind(types, from), scalar_kind(types, to))
        else {
            return value;
        };
        let Some(scalar) = value.into_iter().next() else { return self.any_of(to, span) };
        vec![match (source, target, scalar) {
            (LeafKind::Number(from), LeafKind::Number(to), Scalar::Number(number)) => {
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                Scalar::Number(number::convert(store, numbers, from, to, &number))
            }
            (LeafKind::Pointer, LeafKind::Number(kind), Scalar::Pointer(pointer)) => {
                Scalar::Number(self.pointer_to_number(&pointer, kind, span))
            }
            (LeafKind::Number(_), LeafKind::Pointer, Scalar::Number(number)) => {
                Scalar::Pointer(self.number_to_pointer(&number, span))
            }
            (LeafKind::Pointer, LeafKind::Pointer, scalar) => scalar,
            (LeafKind::Opaque, LeafKind::Number(kind), _) => {
                self.loosely("floating numbers", span);
                Scalar::Number(self.any_number(kind, "floating", span))
            }
            (_, LeafKind::Opaque, _) => Scalar::Opaque,
            _ => return self.any_of(to, span),
        }]
    }

    /// A pointer as a number: whether it is null, for `_Bool`; else any number, zero only for null.
    fn pointer_to_number(&mut self, pointer: &Pointer, kind: Kind, span: Span) -> Number {
        let null = self.object_literal(0);
        let is_null = self.program.terms.eq(pointer.object, null);
        let numbers = self.options.numbers;
        if kind.is_truth {
            let truth = self.program.terms.not(is_null);
            return number::of_truth(&mut self.program.terms, numbers, kind, truth);
        }
        let zero = number::constant(&mut self.program.terms, numbers, kind, &Int::ZERO);
        if is_null == TermId::TRUE {
            return zero;
        }
        if let Some(value) = self.constant_address(pointer) {
            let (wide, store) =
                (Kind { is_signed: false, ..self.index_kind() }, &mut self.program.terms);
            let number = number::constant(store, numbers, wide, &value);
            return number::convert(store, numbers, wide, kind, &number);
        }
        self.loosely("the number of an address", span);
        let sort = number::sort(&mut self.program.terms, numbers, kind);
        let var = self.new_temporary("address", sort, span);
        self.emit(Action::Havoc(vec![var]), span);
        let term = self.term(var);
        let in_range = number::in_range(&mut self.program.terms, numbers, kind, term);
        self.assume(in_range, span);
        let same = self.program.terms.eq(term, zero.term);
        let follows = self.program.terms.implies(is_null, same);
        self.assume(follows, span);
        Number { term, range: kind.range() }
    }

    /// The number that a constant pointer is.
    fn constant_address(&self, pointer: &Pointer) -> Option<Int> {
        let store = &self.program.terms;
        let object = match self.options.numbers {
            Numbers::Integers => store.int_value(pointer.object).cloned(),
            Numbers::Words => store.bv_value(pointer.object).map(|word| word.to_signed()),
        };
        object.filter(|_| pointer.cell.is_none()).map(|object| -object)
    }

    /// A number as a pointer: only constants are.
    fn number_to_pointer(&mut self, number: &Number, span: Span) -> Pointer {
        match number.range.value().and_then(Int::to_i64) {
            Some(value) => self.numbered_pointer(value.into(), span),
            None => {
                self.untreated("an integer as a pointer", span);
                self.null()
            }
        }
    }
}
