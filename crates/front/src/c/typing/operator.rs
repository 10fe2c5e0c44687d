//! Operators on values: arithmetic, comparisons, logic, the conditional, assignment.
//!
//! Source: C11 6.5.3, 6.5.5–6.5.17.

use super::{Operand, Res, Stop, Typer, Why};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_program::c::tree::{Arith, Compare};
use alphorn_program::c::{Expr, ExprKind, Place, Type, TypeId};

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Arithmetic.
    Arith(Arith),
    /// A comparison.
    Compare(Compare),
    /// `&&`
    Both,
    /// `||`
    Either,
}

impl Operator {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Arith(op) => op.text(),
            Operator::Compare(op) => op.text(),
            Operator::Both => "&&",
            Operator::Either => "||",
        }
    }
}

impl Typer {
    /// A binary operator applied to two values.
    pub fn binary(&mut self, op: Operator, left: Expr, right: Expr) -> Res<Expr> {
        match op {
            Operator::Both | Operator::Either => {
                let span = left.span.to(right.span);
                let left = Box::new(self.condition(left)?);
                let right = Box::new(self.condition(right)?);
                let kind = match op {
                    Operator::Both => ExprKind::Both(left, right),
                    _ => ExprKind::Either(left, right),
                };
                Ok(Expr { kind, ty: self.int(), span })
            }
            Operator::Compare(compare) => self.compare(compare, left, right),
            Operator::Arith(arith) => self.arithmetic(arith, left, right),
        }
    }

    fn arithmetic(&mut self, op: Arith, left: Expr, right: Expr) -> Res<Expr> {
        let span = left.span.to(right.span);
        let is_arithmetic = self.is_arithmetic(left.ty) && self.is_arithmetic(right.ty);
        let is_integer = self.is_integer(left.ty) && self.is_integer(right.ty);
        match op {
            Arith::Add if self.is_pointer(left.ty) && self.is_integer(right.ty) => {
                self.moved(left, right, true, span)
            }
            Arith::Add if self.is_integer(left.ty) && self.is_pointer(right.ty) => {
                self.moved(right, left, true, span)
            }
            Arith::Sub if self.is_pointer(left.ty) && self.is_integer(right.ty) => {
                self.moved(left, right, false, span)
            }
            Arith::Sub if self.is_pointer(left.ty) && self.is_pointer(right.ty) => {
                self.distance(left, right, span)
            }
            Arith::Shl | Arith::Shr if is_integer => {
                let (left, right) = (self.promote(left), self.promote(right));
                let ty = left.ty;
                let kind = ExprKind::Arith(op, Box::new(left), Box::new(right));
                Ok(Expr { kind, ty, span })
            }
            Arith::Add | Arith::Sub | Arith::Mul | Arith::Div if is_arithmetic => {
                Ok(self.balanced(op, left, right, span))
            }
            Arith::Rem | Arith::And | Arith::Or | Arith::Xor if is_integer => {
                Ok(self.balanced(op, left, right, span))
            }
            _ => self.unfit(Operator::Arith(op), left, right, span),
        }
    }

    fn balanced(&mut self, op: Arith, left: Expr, right: Expr, span: Span) -> Expr {
        let (left, right, ty) = self.balance(left, right);
        Expr { kind: ExprKind::Arith(op, Box::new(left), Box::new(right)), ty, span }
    }

    fn unfit(&mut self, op: Operator, left: Expr, right: Expr, span: Span) -> Res<Expr> {
        let complex = [left.ty, right.ty].into_iter().find(|&ty| self.is_complex(ty));
        if let Some(ty) = complex
            && [left.ty, right.ty]
                .into_iter()
                .all(|ty| self.is_complex(ty) || self.is_arithmetic(ty))
        {
            let ty = if matches!(op, Operator::Compare(_)) { self.int() } else { ty };
            return Ok(self.untreated("arithmetic on complex numbers", ty, span));
        }
        let message = format!(
            "`{}` does not go with {} and {}",
            op.text(),
            self.show(left.ty),
            self.show(right.ty)
        );
        Err(self.misfit(span, message))
    }

    fn compare(&mut self, op: Compare, left: Expr, right: Expr) -> Res<Expr> {
        let span = left.span.to(right.span);
        let (left, right) = if self.is_arithmetic(left.ty) && self.is_arithmetic(right.ty) {
            let (left, right, _) = self.balance(left, right);
            (left, right)
        } else if self.is_pointer(left.ty) && self.is_pointer(right.ty) {
            self.meet_pointers(left, right)
        } else if self.is_pointer(left.ty) && self.is_integer(right.ty) {
            let right = self.convert(right, left.ty, Why::Meet)?;
            (left, right)
        } else if self.is_integer(left.ty) && self.is_pointer(right.ty) {
            let left = self.convert(left, right.ty, Why::Meet)?;
            (left, right)
        } else {
            return self.unfit(Operator::Compare(op), left, right, span);
        };
        let kind = ExprKind::Compare(op, Box::new(left), Box::new(right));
        Ok(Expr { kind, ty: self.int(), span })
    }

    /// A value whose truth is asked for.
    pub fn condition(&mut self, expr: Expr) -> Res<Expr> {
        if self.is_arithmetic(expr.ty) || self.is_pointer(expr.ty) {
            return Ok(expr);
        }
        if self.is_complex(expr.ty) {
            return Ok(self.untreated("a complex number", self.int(), expr.span));
        }
        let message = match self.types().get(expr.ty) {
            Type::Void => "this has no value, and a condition is wanted here".to_owned(),
            _ => format!("{} is neither true nor false", self.show(expr.ty)),
        };
        Err(self.report.error(Code::CType, expr.span, message))
    }

    /// `-` (true) or `+` before a value.
    pub fn signed(&mut self, expr: Expr, is_minus: bool, span: Span) -> Res<Expr> {
        if self.is_complex(expr.ty) {
            return Ok(self.untreated("arithmetic on complex numbers", expr.ty, span));
        }
        if !self.is_arithmetic(expr.ty) {
            return Err(self.unfit_alone(if is_minus { "-" } else { "+" }, expr.ty, span));
        }
        let inner = self.promote(expr);
        let ty = inner.ty;
        Ok(if is_minus {
            Expr { kind: ExprKind::Neg(Box::new(inner)), ty, span }
        } else {
            Expr { span, ..inner }
        })
    }

    /// `~`
    pub fn bit_not(&mut self, expr: Expr, span: Span) -> Res<Expr> {
        if self.is_complex(expr.ty) {
            return Ok(self.untreated("arithmetic on complex numbers", expr.ty, span));
        }
        if !self.is_integer(expr.ty) {
            return Err(self.unfit_alone("~", expr.ty, span));
        }
        let inner = self.promote(expr);
        let ty = inner.ty;
        Ok(Expr { kind: ExprKind::BitNot(Box::new(inner)), ty, span })
    }

    /// `!`
    pub fn not(&mut self, expr: Expr, span: Span) -> Res<Expr> {
        let inner = self.condition(expr)?;
        Ok(Expr { kind: ExprKind::Not(Box::new(inner)), ty: self.int(), span })
    }

    fn unfit_alone(&mut self, op: &str, ty: TypeId, span: Span) -> Stop {
        let message = format!("`{op}` does not go with {}", self.show(ty));
        self.misfit(span, message)
    }

    /// Says that an operator is not made for its operands.
    fn misfit(&mut self, span: Span, message: String) -> Stop {
        let hint = "convert an operand, or name the member or the element that is meant";
        self.report.push(Diagnostic::error(Code::CType, span, message).hint(hint));
        Stop
    }

    /// `condition ? then : other`, or `condition ?: other`.
    pub fn conditional(&mut self, condition: Expr, then: Option<Expr>, other: Expr) -> Res<Expr> {
        let span = condition.span.to(other.span);
        let condition = self.condition(condition)?;
        let (first, first_span) = match &then {
            Some(then) => (then, then.span),
            None => (&condition, condition.span),
        };
        let ty = if first.ty == other.ty && !self.is_integer(first.ty) {
            first.ty
        } else if self.is_arithmetic(first.ty) && self.is_arithmetic(other.ty) {
            let facts = (first.ty, self.bits_of(first));
            let other_facts = (other.ty, self.bits_of(&other));
            self.common(facts, other_facts)
        } else if *self.types().get(first.ty) == Type::Void
            || *self.types().get(other.ty) == Type::Void
        {
            self.void()
        } else if self.is_pointer(first.ty) && self.is_pointer(other.ty) {
            self.pointer_in_common(first, &other)
        } else if self.is_pointer(first.ty) && self.is_integer(other.ty) {
            first.ty
        } else if self.is_integer(first.ty) && self.is_pointer(other.ty) {
            other.ty
        } else if self.is_complex(first.ty) {
            first.ty
        } else if self.is_complex(other.ty) {
            other.ty
        } else {
            let message = format!(
                "the two values of `?:` have the types {} and {}",
                self.show(first.ty),
                self.show(other.ty)
            );
            return Err(self.report.error(Code::CType, first_span.to(other.span), message));
        };
        let is_void = ty == self.void();
        let then = match then {
            Some(then) if is_void => Some(Box::new(self.discard(then))),
            Some(then) => Some(Box::new(self.convert(then, ty, Why::Meet)?)),
            None => None,
        };
        let other = if is_void { self.discard(other) } else { self.convert(other, ty, Why::Meet)? };
        let kind = ExprKind::Conditional(Box::new(condition), then, Box::new(other));
        Ok(Expr { kind, ty, span })
    }

    /// A value that nobody wants.
    fn discard(&self, expr: Expr) -> Expr {
        if expr.ty == self.void() {
            return expr;
        }
        let span = expr.span;
        Expr { kind: ExprKind::Cast(Box::new(expr), false), ty: self.void(), span }
    }

    /// An operand that can be stored to.
    pub fn storable(&mut self, operand: Operand, span: Span) -> Res<Place> {
        let message = match operand {
            Operand::Place(place) => match self.types().get(place.ty) {
                Type::Array(..) => "an array cannot be assigned to as a whole".to_owned(),
                Type::Function(_) => "a function cannot be assigned to".to_owned(),
                Type::Void => "nothing can be stored in a `void`".to_owned(),
                Type::Record(record) if !self.types().record(*record).is_complete => {
                    format!("the members of {} are not known here", self.show(place.ty))
                }
                _ => return Ok(place),
            },
            _ => "this is a value and not a place that can be assigned to".to_owned(),
        };
        Err(self.report.error(Code::CType, span, message))
    }

    /// `place = value`
    pub fn assign(&mut self, to: Operand, value: Expr) -> Res<Expr> {
        let span = to.span().to(value.span);
        let at = to.span();
        let place = self.storable(to, at)?;
        let value = self.convert(value, place.ty, Why::Assign)?;
        let ty = place.ty;
        Ok(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span })
    }

    /// `place op= value`
    pub fn update(&mut self, op: Arith, to: Operand, value: Expr) -> Res<Expr> {
        let span = to.span().to(value.span);
        let at = to.span();
        let place = self.storable(to, at)?;
        let ty = place.ty;
        let is_integer = self.is_integer(ty) && self.is_integer(value.ty);
        let is_arithmetic = self.is_arithmetic(ty) && self.is_arithmetic(value.ty);
        let (computed, value) = match op {
            Arith::Add | Arith::Sub if self.is_pointer(ty) && self.is_integer(value.ty) => {
                self.need_step(ty, span)?;
                (ty, self.promote(value))
            }
            Arith::Shl | Arith::Shr if is_integer => {
                (self.promoted_type(&place), self.promote(value))
            }
            Arith::Add | Arith::Sub | Arith::Mul | Arith::Div if is_arithmetic => {
                self.meet_place(&place, value)
            }
            Arith::Rem | Arith::And | Arith::Or | Arith::Xor if is_integer => {
                self.meet_place(&place, value)
            }
            _ if self.is_complex(ty) => {
                return Ok(self.untreated("arithmetic on complex numbers", ty, span));
            }
            _ => {
                let message = format!(
                    "`{}=` does not go with {} and {}",
                    Operator::Arith(op).text(),
                    self.show(ty),
                    self.show(value.ty)
                );
                return Err(self.misfit(span, message));
            }
        };
        let kind = ExprKind::Update(Box::new(place), op, computed, Box::new(value));
        Ok(Expr { kind, ty, span })
    }

    fn meet_place(&mut self, place: &Place, value: Expr) -> (TypeId, Expr) {
        let ty = self.common_with(place, &value);
        let value = self.promote(value);
        (ty, self.cast(value, ty, false))
    }

    /// `++` (true) or `--`, before (true) or after a place.
    pub fn step(&mut self, at: Operand, is_up: bool, is_before: bool, span: Span) -> Res<Expr> {
        let place_span = at.span();
        let place = self.storable(at, place_span)?;
        let ty = place.ty;
        if self.is_pointer(ty) {
            self.need_step(ty, span)?;
        } else if self.is_complex(ty) {
            return Ok(self.untreated("arithmetic on complex numbers", ty, span));
        } else if !self.is_arithmetic(ty) {
            return Err(self.unfit_alone(if is_up { "++" } else { "--" }, ty, span));
        }
        Ok(Expr { kind: ExprKind::Step(Box::new(place), is_up, is_before), ty, span })
    }

    /// `left, right`
    pub fn comma(&mut self, left: Expr, right: Expr) -> Expr {
        let (ty, span) = (right.ty, left.span.to(right.span));
        Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span }
    }
}
