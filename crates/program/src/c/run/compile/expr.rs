//! Expressions: each leaves one value on the stack, also where its type is `void`.
//!
//! The operand of `op=` is evaluated before the place is read: a call there is not in between reading and
//! writing (C11 6.5.16.2). All else goes from left to right.

use super::place::Where;
use super::{Class, Compiler};
use crate::c::layout::{Type, TypeId};
use crate::c::run::code::{Branching, Instr};
use crate::c::run::value::{Address, IntType, Value};
use crate::c::tree::{Arith, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use alphorn_problem::Span;

impl Compiler<'_> {
    /// The code of an expression. Long: one match, so that a kind without code does not compile.
    pub(super) fn expr(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(number) => {
                let number = match self.class(expr.ty) {
                    Class::Int(ty, _) => ty.wrap(*number),
                    _ => self.pointer_type().wrap(*number),
                };
                self.emit(span, Instr::Const(Value::Int(number)));
            }
            ExprKind::Float(text) => self.float(span, expr.ty, text),
            ExprKind::Load(place) => match self.place(place, false) {
                Where::Slot(home) => self.get(place.span, home),
                Where::Memory => self.read(place),
            },
            ExprKind::Address(place) => {
                if let Where::Slot(_) = self.place(place, true) {
                    self.emit(span, Instr::Untreated("the address of what is not in memory"));
                }
            }
            ExprKind::Decay(place) => self.address(place),
            ExprKind::Function(function) => {
                let address = Value::Address(Address::Function(*function));
                self.emit(span, Instr::Const(address));
            }
            ExprKind::LabelAddress(label) => match self.function {
                Some(function) => {
                    let address = Value::Address(Address::Label(function, *label));
                    self.emit(span, Instr::Const(address));
                }
                None => {
                    self.emit(span, Instr::Untreated("the address of a label outside functions"));
                }
            },
            ExprKind::Neg(operand) => {
                self.expr(operand);
                match self.class(expr.ty) {
                    Class::Int(ty, _) => self.emit(span, Instr::Neg(ty)),
                    Class::Float(_) => self.emit(span, Instr::FloatNeg),
                    _ => self.emit(span, Instr::Untreated("arithmetic of this type")),
                };
            }
            ExprKind::BitNot(operand) => {
                self.expr(operand);
                match self.class(expr.ty) {
                    Class::Int(ty, _) => self.emit(span, Instr::BitNot(ty)),
                    _ => self.emit(span, Instr::Untreated("arithmetic of this type")),
                };
            }
            ExprKind::Not(operand) => {
                self.expr(operand);
                self.emit(span, Instr::Not);
            }
            ExprKind::Arith(op, left, right) => {
                self.expr(left);
                self.expr(right);
                self.arith(span, *op, expr.ty);
            }
            ExprKind::Compare(op, left, right) => {
                self.expr(left);
                self.expr(right);
                match self.class(left.ty) {
                    Class::Int(ty, _) => self.emit(span, Instr::Compare(*op, ty)),
                    Class::Pointer => {
                        let ty = self.pointer_type();
                        self.emit(span, Instr::Compare(*op, ty))
                    }
                    Class::Float(_) => self.emit(span, Instr::FloatCompare(*op)),
                    _ => self.emit(span, Instr::Untreated("a comparison of this type")),
                };
            }
            ExprKind::Move(pointer, index, is_forwards) => {
                self.expr(pointer);
                self.expr(index);
                self.move_by(span, pointer.ty, *is_forwards);
            }
            ExprKind::Distance(left, right) => {
                self.expr(left);
                self.expr(right);
                let Class::Int(ty, _) = self.class(expr.ty) else {
                    self.emit(span, Instr::Untreated("a distance of this type"));
                    return;
                };
                let target = self.target(left.ty);
                match self.unit.types.size(target) {
                    Some(size) => {
                        self.emit(span, Instr::Distance(size, ty));
                    }
                    None => {
                        self.size(span, target);
                        self.emit(span, Instr::DistanceSized(ty));
                    }
                }
            }
            ExprKind::Both(left, right) => {
                let (zero, end) = (self.mark(), self.mark());
                self.expr(left);
                self.emit(span, Instr::Branch(Branching::Both, zero));
                self.expr(right);
                self.emit(span, Instr::Truth);
                self.emit(span, Instr::Jump(end));
                self.put(zero);
                self.emit(span, Instr::Const(Value::Int(0)));
                self.put(end);
            }
            ExprKind::Either(left, right) => {
                let (other, end) = (self.mark(), self.mark());
                self.expr(left);
                self.emit(span, Instr::Branch(Branching::Either, other));
                self.emit(span, Instr::Const(Value::Int(1)));
                self.emit(span, Instr::Jump(end));
                self.put(other);
                self.expr(right);
                self.emit(span, Instr::Truth);
                self.put(end);
            }
            ExprKind::Conditional(condition, middle, last) => {
                let (other, end) = (self.mark(), self.mark());
                self.expr(condition);
                if middle.is_none() {
                    self.emit(span, Instr::Dup);
                }
                self.emit(span, Instr::Branch(Branching::Conditional, other));
                match middle {
                    Some(middle) => self.expr(middle),
                    None => self.convert(span, condition.ty, expr.ty),
                }
                self.emit(span, Instr::Jump(end));
                self.put(other);
                if middle.is_none() {
                    self.emit(span, Instr::Pop);
                }
                self.expr(last);
                self.put(end);
            }
            ExprKind::Cast(operand, _) => {
                self.expr(operand);
                self.convert(span, operand.ty, expr.ty);
            }
            ExprKind::Assign(place, value) => match self.place(place, false) {
                Where::Slot(home) => {
                    self.expr(value);
                    self.set(place.span, home);
                }
                Where::Memory => {
                    self.expr(value);
                    self.write(place);
                }
            },
            ExprKind::Update(place, op, ty, value) => self.update(span, place, *op, *ty, value),
            ExprKind::Step(place, is_up, is_before) => self.step(span, place, *is_up, *is_before),
            ExprKind::Comma(first, second) => {
                self.expr(first);
                self.emit(span, Instr::Pop);
                self.expr(second);
            }
            ExprKind::Call(function, args) => {
                for arg in args {
                    self.expr(arg);
                }
                self.emit(span, Instr::Call(*function, args.len() as u32));
            }
            ExprKind::CallPointer(pointer, args) => {
                self.expr(pointer);
                for arg in args {
                    self.expr(arg);
                }
                self.emit(span, Instr::CallPointer(args.len() as u32));
            }
            ExprKind::Block(statements) => self.block_value(span, statements),
            ExprKind::SizeOf(ty) => self.size(span, *ty),
            ExprKind::Member(record, field) => {
                self.expr(record);
                let Type::Record(id) = self.unit.types.get(record.ty) else {
                    self.emit(span, Instr::Untreated("a member of what has none"));
                    return;
                };
                let (offset, access) = self.member(*id, *field);
                match (access, self.class(expr.ty)) {
                    (Some(access), _) => self.emit(span, Instr::Part(access, offset)),
                    (None, Class::Record(size)) => self.emit(span, Instr::PartRecord(offset, size)),
                    _ => self.emit(span, Instr::Untreated("an array in a temporary structure")),
                };
            }
            ExprKind::Untreated(what) => {
                self.emit(span, Instr::Untreated(what));
            }
        }
    }

    /// a b → value
    fn arith(&mut self, span: Span, op: Arith, ty: TypeId) {
        match self.class(ty) {
            Class::Int(ty, _) => self.emit(span, Instr::Arith(op, ty)),
            Class::Float(is_single) => self.emit(span, Instr::FloatArith(op, is_single)),
            _ => self.emit(span, Instr::Untreated("arithmetic of this type")),
        };
    }

    /// What a pointer type points to; a `void` if it is none.
    fn target(&self, ty: TypeId) -> TypeId {
        self.unit.types.target(ty).unwrap_or(ty)
    }

    /// address index → address
    fn move_by(&mut self, span: Span, pointer: TypeId, is_forwards: bool) {
        let target = self.target(pointer);
        match self.unit.types.size(target) {
            Some(size) => {
                self.emit(span, Instr::Move(size, is_forwards));
            }
            None => {
                self.size(span, target);
                self.emit(span, Instr::MoveSized(is_forwards));
            }
        }
    }

    /// value → value of another type
    pub(super) fn convert(&mut self, span: Span, from: TypeId, to: TypeId) {
        let pointer = self.pointer_type();
        let instr = match (self.class(from), self.class(to)) {
            (_, Class::Void) => {
                self.emit(span, Instr::Pop);
                Instr::Const(Value::Int(0))
            }
            (Class::Int(from, _), Class::Int(to, _)) if to.includes(from) => return,
            (Class::Int(..) | Class::Pointer, Class::Int(to, _)) => Instr::ToInt(to),
            (Class::Float(_), Class::Int(to, _)) => Instr::FloatToInt(to),
            (Class::Pointer, Class::Pointer) => return,
            (Class::Int(..), Class::Pointer) => Instr::ToInt(pointer),
            (Class::Int(from, _), Class::Float(is_single)) => Instr::IntToFloat(from, is_single),
            (Class::Float(_), Class::Float(true)) => Instr::Round,
            (Class::Float(_), Class::Float(false)) => return,
            (Class::Record(_), Class::Record(_)) => return,
            _ => Instr::Untreated("a conversion between these types"),
        };
        self.emit(span, instr);
    }

    /// `place op= value`
    fn update(&mut self, span: Span, place: &Place, op: Arith, ty: TypeId, value: &Expr) {
        let at = self.place(place, false);
        self.expr(value);
        let is_atomic = self.is_atomic(place);
        if is_atomic {
            self.emit(span, Instr::Hold);
        }
        match at {
            Where::Slot(home) => self.get(place.span, home),
            Where::Memory => {
                self.emit(span, Instr::Over);
                self.read(place);
            }
        }
        if self.class(place.ty) == Class::Pointer {
            self.emit(span, Instr::Swap);
            self.move_by(span, place.ty, op == Arith::Add);
        } else {
            self.convert(span, place.ty, ty);
            self.emit(span, Instr::Swap);
            self.arith(span, op, ty);
            self.convert(span, ty, place.ty);
        }
        match at {
            Where::Slot(home) => self.set(place.span, home),
            Where::Memory => self.write(place),
        }
        if is_atomic {
            self.emit(span, Instr::Release);
        }
    }

    /// Whether a place is a variable that threads change in one step.
    fn is_atomic(&self, place: &Place) -> bool {
        matches!(place.kind, PlaceKind::Var(var) if self.unit.var(var).is_atomic)
    }

    /// `++` and `--`
    fn step(&mut self, span: Span, place: &Place, is_up: bool, is_before: bool) {
        let at = self.place(place, false);
        let is_atomic = self.is_atomic(place);
        if is_atomic {
            self.emit(span, Instr::Hold);
        }
        match at {
            Where::Slot(home) => {
                self.get(place.span, home);
                if !is_before {
                    self.emit(span, Instr::Dup);
                }
            }
            Where::Memory => {
                self.emit(span, Instr::Dup);
                self.read(place);
                if !is_before {
                    // address old → old address old
                    self.emit(span, Instr::Swap);
                    self.emit(span, Instr::Over);
                }
            }
        }
        self.one_more(span, place, is_up);
        match at {
            Where::Slot(home) => self.set(place.span, home),
            Where::Memory => self.write(place),
        }
        if !is_before {
            self.emit(span, Instr::Pop);
        }
        if is_atomic {
            self.emit(span, Instr::Release);
        }
    }

    /// value → value and one more, or one less; what is narrower than `int` is computed as `int`
    fn one_more(&mut self, span: Span, place: &Place, is_up: bool) {
        let (ty, op) = (place.ty, if is_up { Arith::Add } else { Arith::Sub });
        match self.class(ty) {
            Class::Int(ty, _) => {
                let bits = place.bits(&self.unit.types).unwrap_or(ty.bits);
                let ty = IntType { bits, ..ty };
                self.emit(span, Instr::Const(Value::Int(1)));
                if ty.bits < 32 {
                    let int = IntType { bits: 32, is_signed: true, is_bool: false };
                    self.emit(span, Instr::Arith(op, int));
                    self.emit(span, Instr::ToInt(ty));
                } else {
                    self.emit(span, Instr::Arith(op, ty));
                }
            }
            Class::Float(is_single) => {
                self.emit(span, Instr::Const(Value::Float(1.0)));
                self.emit(span, Instr::FloatArith(op, is_single));
            }
            Class::Pointer => {
                self.emit(span, Instr::Const(Value::Int(1)));
                self.move_by(span, ty, is_up);
            }
            _ => {
                self.emit(span, Instr::Untreated("arithmetic of this type"));
            }
        }
    }

    /// `({ … })`
    fn block_value(&mut self, span: Span, statements: &[Stmt]) {
        let outer = self.open_scope(span);
        self.nesting += 1;
        let (last, first) = match statements.split_last() {
            Some((Stmt { kind: StmtKind::Expr(value), .. }, first)) => (Some(value), first),
            _ => (None, statements),
        };
        for statement in first {
            self.statement(statement);
        }
        match last {
            Some(value) => {
                self.emit(value.span, Instr::Statement);
                self.expr(value);
            }
            None => {
                self.emit(span, Instr::Const(Value::Int(0)));
            }
        }
        self.nesting -= 1;
        self.close_scope(span, outer);
    }

    /// A floating constant.
    fn float(&mut self, span: Span, ty: TypeId, text: &str) {
        let Class::Float(is_single) = self.class(ty) else {
            self.emit(span, Instr::Untreated("a long double"));
            return;
        };
        let instr = match parse_float(text, is_single) {
            Some(number) => Instr::Const(Value::Float(number)),
            None => Instr::Untreated("a floating constant of this form"),
        };
        self.emit(span, instr);
    }
}

/// The number that a floating constant is; none for hexadecimal ones of more digits than a double has.
fn parse_float(text: &str, is_single: bool) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        let (mantissa, exponent) = hex.split_once('p')?;
        let exponent: i32 = exponent.trim_end_matches(['f', 'l']).parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
        let is_exact = digits < 1 << if is_single { 24 } else { 53 };
        let exponent = exponent.checked_sub(4 * fraction.len() as i32)?;
        let fits = (-100..=100).contains(&exponent);
        return (is_exact && fits).then(|| digits as f64 * 2f64.powi(exponent));
    }
    let number = lower.trim_end_matches(['f', 'l']);
    if is_single { number.parse::<f32>().ok().map(f64::from) } else { number.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::parse_float;

    #[test]
    fn floating_constants_are_read_as_their_type_has_them() {
        assert_eq!(parse_float("1.5", false), Some(1.5));
        assert_eq!(parse_float("1e3L", false), Some(1000.0));
        assert_eq!(parse_float(".5f", true), Some(0.5));
        assert_eq!(parse_float("0.1f", true), Some(f64::from(0.1_f32)));
        assert_eq!(parse_float("0x1.8p1", false), Some(3.0));
        assert_eq!(parse_float("0x", false), None);
    }
}
