//! Pointers: addresses, what they point to, moving them, indices; and calls.
//!
//! Source: C11 6.5.2.1, 6.5.2.2, 6.5.3.2, 6.5.6.

use super::{Operand, Res, Typer, Why};
use crate::diag::Code;
use alphorn_problem::Span;
use alphorn_program::c::layout::Length;
use alphorn_program::c::{Expr, ExprKind, Place, PlaceKind, Type, TypeId};

impl Typer {
    /// `&operand`
    pub fn address(&mut self, operand: Operand, span: Span) -> Res<Expr> {
        match operand {
            Operand::Function(..) => Ok(Expr { span, ..self.value(operand) }),
            Operand::Place(place) => {
                if self.field_bits(&place).is_some() {
                    let message = "a bit-field has no address";
                    return Err(self.report.error(Code::CType, span, message));
                }
                if let PlaceKind::Deref(pointer) = place.kind {
                    return Ok(Expr { span, ..*pointer });
                }
                self.take_address(&place);
                let ty = self.pointer_to(place.ty);
                Ok(Expr { kind: ExprKind::Address(Box::new(place)), ty, span })
            }
            Operand::Value(_) => {
                let message = "this is a value and has no address";
                Err(self.report.error(Code::CType, span, message))
            }
        }
    }

    /// `*operand`
    pub fn target(&mut self, operand: Operand, span: Span) -> Res<Operand> {
        match operand {
            Operand::Function(function, ty, _) => Ok(Operand::Function(function, ty, span)),
            Operand::Place(place) if matches!(self.types().get(place.ty), Type::Array(..)) => {
                let zero = self.constant(0, self.int(), place.span);
                Ok(Operand::Place(self.element(place, zero, span)))
            }
            operand => {
                let pointer = self.value(operand);
                let Type::Pointer(target) = *self.types().get(pointer.ty) else {
                    let message = format!("{} is no pointer", self.show(pointer.ty));
                    return Err(self.report.error(Code::CType, span, message));
                };
                let kind = PlaceKind::Deref(Box::new(pointer));
                Ok(Operand::Place(Place { kind, ty: target, span }))
            }
        }
    }

    fn element(&mut self, array: Place, index: Expr, span: Span) -> Place {
        let ty = self.types().target(array.ty).expect("an array has elements");
        Place { kind: PlaceKind::Element(Box::new(array), Box::new(index)), ty, span }
    }

    /// `base[index]`
    pub fn index(&mut self, base: Operand, index: Operand, span: Span) -> Res<Operand> {
        let is_integer = |typer: &Typer, operand: &Operand| typer.is_integer(operand.ty());
        let (base, index) = if is_integer(self, &base) && !is_integer(self, &index) {
            (index, base)
        } else {
            (base, index)
        };
        if !is_integer(self, &index) {
            let message = format!("an index is an integer and not {}", self.show(index.ty()));
            return Err(self.report.error(Code::CType, index.span(), message));
        }
        let index = self.value(index);
        let index = self.promote(index);
        match base {
            Operand::Place(place) if matches!(self.types().get(place.ty), Type::Array(..)) => {
                Ok(Operand::Place(self.element(place, index, span)))
            }
            base => {
                let pointer = self.value(base);
                let target = self.types().target(pointer.ty).map(|target| self.types().get(target));
                if !self.is_pointer(pointer.ty) || matches!(target, Some(Type::Function(_))) {
                    let message = format!("{} has no elements", self.show(pointer.ty));
                    return Err(self.report.error(Code::CType, span, message));
                }
                let moved = self.moved(pointer, index, true, span)?;
                self.target(Operand::Value(moved), span)
            }
        }
    }

    /// Refuses to move a pointer by objects whose size is not known.
    pub fn need_step(&mut self, pointer: TypeId, span: Span) -> Res<()> {
        let target = self.types().target(pointer).expect("a pointer has a target");
        if self.types().size(target).is_some() || self.is_variable(target) {
            return Ok(());
        }
        let message = format!("the size of {} is not known here", self.show(target));
        Err(self.report.error(Code::CIncomplete, span, message))
    }

    /// Whether a type has a size that is known only when the program runs.
    pub fn is_variable(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        let mut is_variable = false;
        while let Type::Array(element, length) = self.types().get(ty) {
            match length {
                Length::Variable(_) => is_variable = true,
                Length::Unknown => return false,
                Length::Fixed(_) => {}
            }
            ty = *element;
        }
        is_variable && self.types().size(ty).is_some()
    }

    /// A pointer moved by so many elements.
    pub(super) fn moved(
        &mut self,
        pointer: Expr,
        by: Expr,
        is_forwards: bool,
        span: Span,
    ) -> Res<Expr> {
        self.need_step(pointer.ty, span)?;
        let (ty, by) = (pointer.ty, self.promote(by));
        let kind = ExprKind::Move(Box::new(pointer), Box::new(by), is_forwards);
        Ok(Expr { kind, ty, span })
    }

    /// How many elements lie between two pointers.
    pub(super) fn distance(&mut self, left: Expr, right: Expr, span: Span) -> Res<Expr> {
        self.need_step(left.ty, span)?;
        let right =
            if left.ty == right.ty { right } else { self.convert(right, left.ty, Why::Meet)? };
        let kind = ExprKind::Distance(Box::new(left), Box::new(right));
        Ok(Expr { kind, ty: self.distance_type(), span })
    }

    /// Two pointers that are compared, with one type.
    pub(super) fn meet_pointers(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let ty = self.pointer_in_common(&left, &right);
        (self.cast(left, ty, false), self.cast(right, ty, false))
    }

    /// The type in which two pointers meet: that of the other one for null, `void *` if there is one.
    pub(super) fn pointer_in_common(&mut self, left: &Expr, right: &Expr) -> TypeId {
        if left.ty == right.ty || self.is_null(right) {
            return left.ty;
        }
        if self.is_null(left) {
            return right.ty;
        }
        let is_void = |typer: &Typer, ty| typer.types().target(ty) == Some(typer.void());
        if is_void(self, left.ty) {
            return left.ty;
        }
        if is_void(self, right.ty) {
            return right.ty;
        }
        if !self.are_compatible(left.ty, right.ty) {
            let message = format!("{} meets {}", self.show(left.ty), self.show(right.ty));
            self.report.warn(Code::CConversion, left.span.to(right.span), message);
            return self.void_pointer();
        }
        left.ty
    }

    /// A call; its right parenthesis ends `span`.
    pub fn call(&mut self, callee: Operand, args: Vec<Operand>, span: Span) -> Res<Expr> {
        let (ty, named) = match &callee {
            Operand::Function(function, ty, _) => (*ty, Some(*function)),
            other => (other.ty(), None),
        };
        let mut pointer = None;
        let ty = if named.is_some() {
            ty
        } else {
            let value = self.value(callee);
            let target = match self.types().get(value.ty) {
                Type::Pointer(target) => *target,
                _ => value.ty,
            };
            pointer = Some(value);
            target
        };
        let Some(signature) = self.signature(ty).cloned() else {
            let message = format!("{} is no function", self.show(ty));
            return Err(self.report.error(Code::CType, span, message));
        };
        let (wanted, given) = (signature.params.len(), args.len());
        if !signature.is_open && (given < wanted || given > wanted && !signature.is_variadic) {
            let what = match named {
                Some(function) => format!("`{}`", self.unit.function(function).name),
                None => "this function".to_owned(),
            };
            let few = if given < wanted { "few" } else { "many" };
            let message = format!("{what} takes {wanted} arguments and gets {given}: too {few}");
            let is_old = named.is_some_and(|function| self.old_style.contains(&function));
            if !is_old {
                return Err(self.report.error(Code::CCall, span, message));
            }
            self.report.warn(Code::CCall, span, message);
        }
        let mut values = Vec::with_capacity(given);
        for (index, arg) in args.into_iter().enumerate() {
            let value = self.value(arg);
            values.push(match signature.params.get(index) {
                Some(&param) => self.convert(value, param, Why::Argument)?,
                None if value.ty == self.void() => {
                    let message = "this has no value, and an argument is wanted here";
                    return Err(self.report.error(Code::CType, value.span, message));
                }
                None => self.promote_argument(value),
            });
        }
        let kind = match (named, pointer) {
            (Some(function), _) => ExprKind::Call(function, values),
            (None, Some(pointer)) => match pointer.kind {
                ExprKind::Function(function) => ExprKind::Call(function, values),
                _ => ExprKind::CallPointer(Box::new(pointer), values),
            },
            (None, None) => unreachable!("what is called is a name or a value"),
        };
        Ok(Expr { kind, ty: signature.result, span })
    }
}
