//! Expressions and places, run with values that are terms.

use super::scene::{Meaning, Place, Scene, unfit};
use super::shape::{Class, TRUTH, Type, TypeId};
use super::tree::{Binary, Expr, ExprKind, Over};
use super::value::{Number, Sym, coded, extended, literal, recoded, resized, width};
use crate::infix::Fallible;
use alphorn_problem::Span;
use alphorn_term::{Bv, Op, TermId};

/// The largest magnitude of what is computed with: products have room.
const MAX_NUMBER: i64 = 1 << 31;

impl Scene<'_> {
    /// A value that is known without the state.
    pub(super) fn known(&mut self, expr: &Expr) -> Fallible<(i64, Class)> {
        match self.value(expr)? {
            Sym::Known(value, class) => Ok((value, class)),
            _ => Err(unfit(expr.span, "this is not a constant")),
        }
    }

    pub(super) fn known_number(&mut self, expr: &Expr) -> Fallible<i64> {
        match self.known(expr)? {
            (value, Class::Number) => Ok(value),
            _ => Err(unfit(expr.span, "this is not a number")),
        }
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Fallible<Sym> {
        self.spend(expr.span)?;
        match &expr.kind {
            ExprKind::Number(value) => Ok(Sym::Known(*value, Class::Number)),
            ExprKind::Name(name) => match self.meaning(name, expr.span)? {
                Meaning::Value(value) => Ok(value),
                Meaning::Type(_) => Err(unfit(expr.span, &format!("`{name}` is a type"))),
                Meaning::Place(place, ty) => self.held(&place, ty, expr.span),
            },
            ExprKind::Field(..) | ExprKind::Index(..) => {
                let (place, ty) = self.place(expr)?;
                self.held(&place, ty, expr.span)
            }
            ExprKind::Call(name, args) => {
                let (place, ty) = self.call(name, args, expr.span, true)?;
                self.held(&place, ty, expr.span)
            }
            ExprKind::Not(operand) => {
                let operand = self.truth(operand)?;
                Ok(self.decided(operand, true))
            }
            ExprKind::Neg(operand) => {
                let zero = Number { term: literal(&mut self.store, 1, 0), lo: 0, hi: 0 };
                let operand = self.number(operand)?;
                self.arithmetic(Binary::Sub, zero, operand, expr.span)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.span),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise)
            }
            ExprKind::Forall(over, body) => self.quantified(over, body, true),
            ExprKind::Exists(over, body) => self.quantified(over, body, false),
            ExprKind::IsUndefined(place) => {
                let (place, ty) = self.place(place)?;
                let Some(simple) = self.types.simple(ty).cloned() else {
                    return Err(unfit(expr.span, "only single values are undefined"));
                };
                let code = self.read(&place, 0);
                let zero = simple.term(&mut self.store, 0);
                let is_undefined = self.store.eq(code, zero);
                Ok(self.decided(is_undefined, false))
            }
        }
    }

    /// A truth value, negated if asked for; known if the term is.
    fn decided(&mut self, term: TermId, is_negated: bool) -> Sym {
        let term = if is_negated { self.store.not(term) } else { term };
        match self.store.literal_value(term) {
            Some(alphorn_term::Value::Bool(value)) => Sym::Known(i64::from(value), Class::Truth),
            _ => Sym::Truth(term),
        }
    }

    /// What a place of a simple type holds.
    fn held(&mut self, place: &Place, ty: TypeId, span: Span) -> Fallible<Sym> {
        let Some(simple) = self.types.simple(ty) else {
            return Err(unfit(span, "this is not a single value"));
        };
        let simple = simple.clone();
        let code = self.read(place, 0);
        let known = self.store.bv_value(code).and_then(Bv::to_u64);
        match known.and_then(|code| simple.value(code)) {
            Some(value) if simple.class == Class::Mixed => {
                Ok(Sym::Known(value, self.types.class_of(value)))
            }
            Some(value) => Ok(Sym::Known(value, simple.class)),
            None => Ok(Sym::Code(code, ty)),
        }
    }

    /// The code in a slot of a place.
    pub(super) fn read(&mut self, place: &Place, offset: usize) -> TermId {
        let mut ways = place.iter().rev();
        let (_, last) = ways.next().expect("a place is somewhere");
        let mut code = self.slots[last + offset];
        for (when, first) in ways {
            code = self.store.ite(*when, self.slots[first + offset], code);
        }
        code
    }

    /// Where something lies.
    pub(super) fn place(&mut self, expr: &Expr) -> Fallible<(Place, TypeId)> {
        match &expr.kind {
            ExprKind::Name(name) => match self.meaning(name, expr.span)? {
                Meaning::Place(place, ty) => Ok((place, ty)),
                _ => Err(unfit(expr.span, &format!("`{name}` is no variable"))),
            },
            ExprKind::Field(inner, field) => {
                let (mut place, ty) = self.place(inner)?;
                let Type::Record(fields) = self.types.get(ty) else {
                    return Err(unfit(expr.span, "this is no record"));
                };
                let mut offset = 0;
                for (name, ty) in fields {
                    if name == field {
                        place.iter_mut().for_each(|(_, first)| *first += offset);
                        return Ok((place, *ty));
                    }
                    offset += self.types.size(*ty);
                }
                Err(unfit(expr.span, &format!("the record has no field `{field}`")))
            }
            ExprKind::Index(inner, index) => {
                let (place, ty) = self.place(inner)?;
                let Type::Array(index_type, element) = *self.types.get(ty) else {
                    return Err(unfit(expr.span, "this is no array"));
                };
                self.element(&place, index_type, element, index)
            }
            ExprKind::Call(name, args) => self.call(name, args, expr.span, true),
            _ => Err(unfit(expr.span, "this is no variable")),
        }
    }

    fn element(
        &mut self,
        place: &Place,
        index_type: TypeId,
        element: TypeId,
        index: &Expr,
    ) -> Fallible<(Place, TypeId)> {
        let simple = self.types.simple(index_type).expect("an index type is simple").clone();
        let size = self.types.size(element);
        let value = self.value(index)?;
        if let Sym::Known(value, _) = value {
            let Some(code) = simple.code(value) else {
                // As where the index depends on the state: it is wrong to come here.
                let (always, never) = (self.store.bool(true), self.store.bool(false));
                self.fail(always);
                return Ok((vec![(never, place[0].1)], element));
            };
            let by = (code as usize - 1) * size;
            return Ok((place.iter().map(|(when, first)| (*when, first + by)).collect(), element));
        }
        let code = self.code(value, index_type, false, index.span)?;
        let mut found = Vec::new();
        for (when, first) in place {
            for at in 0..simple.count() {
                let here = simple.term(&mut self.store, at as u64 + 1);
                let is_here = self.store.eq(code, here);
                found.push((self.store.and(&[*when, is_here]), first + at * size));
            }
        }
        Ok((found, element))
    }

    /// The code of a value in a type; what is not in it is wrong, and what is undefined unless it may be handed on.
    pub(super) fn code(
        &mut self,
        value: Sym,
        ty: TypeId,
        may_be_undefined: bool,
        span: Span,
    ) -> Fallible<TermId> {
        let simple = self.types.simple(ty).expect("codes have simple types").clone();
        let class = self.class(value);
        if class != simple.class && class != Class::Mixed && simple.class != Class::Mixed {
            return Err(unfit(span, "a value of another type is expected here"));
        }
        let (code, has) = match value {
            Sym::Known(value, _) => {
                let Some(code) = simple.code(value) else {
                    let always = self.store.bool(true);
                    self.fail(always);
                    return Ok(simple.term(&mut self.store, 0));
                };
                return Ok(simple.term(&mut self.store, code));
            }
            Sym::Truth(term) => {
                let [no, yes] = [1, 2].map(|code| simple.code(code - 1).unwrap_or(0));
                let [no, yes] = [no, yes].map(|code| simple.term(&mut self.store, code));
                return Ok(self.store.ite(term, yes, no));
            }
            Sym::Number(number) => coded(&mut self.store, number, &simple),
            Sym::Code(code, from) => {
                let from = self.types.simple(from).expect("codes have simple types").clone();
                let (moved, has) = recoded(&mut self.store, code, &from, &simple);
                if !may_be_undefined {
                    (moved, has)
                } else {
                    let zero = from.term(&mut self.store, 0);
                    let is_undefined = self.store.eq(code, zero);
                    (moved, self.store.or(&[has, is_undefined]))
                }
            }
        };
        let has_none = self.store.not(has);
        self.fail(has_none);
        Ok(code)
    }

    fn class(&self, value: Sym) -> Class {
        match value {
            Sym::Known(_, class) => class,
            Sym::Code(_, ty) => self.types.simple(ty).expect("codes have simple types").class,
            Sym::Number(_) => Class::Number,
            Sym::Truth(_) => Class::Truth,
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, expr: &Expr) -> Fallible<TermId> {
        let value = self.value(expr)?;
        self.as_truth(value, expr.span)
    }

    fn as_truth(&mut self, value: Sym, span: Span) -> Fallible<TermId> {
        match value {
            Sym::Known(value, Class::Truth) => Ok(self.store.bool(value == 1)),
            Sym::Truth(term) => Ok(term),
            Sym::Code(code, TRUTH) => {
                self.used(value);
                let yes = self.store.bv(Bv::from_u64(2, 2));
                Ok(self.store.eq(code, yes))
            }
            _ => Err(unfit(span, "this is neither true nor false")),
        }
    }

    /// A value is used: it must not be undefined.
    fn used(&mut self, value: Sym) {
        if let Sym::Code(code, _) = value {
            let zero = self.store.bv(Bv::from_u64(self.store.width(code), 0));
            let is_undefined = self.store.eq(code, zero);
            self.fail(is_undefined);
        }
    }

    pub(super) fn number(&mut self, expr: &Expr) -> Fallible<Number> {
        let value = self.value(expr)?;
        self.as_number(value, expr.span)
    }

    fn as_number(&mut self, value: Sym, span: Span) -> Fallible<Number> {
        match value {
            Sym::Known(value, Class::Number) => {
                let term = literal(&mut self.store, width(value, value), value);
                Ok(Number { term, lo: value, hi: value })
            }
            Sym::Number(number) => Ok(number),
            Sym::Code(code, ty) => {
                let simple = self.types.simple(ty).expect("codes have simple types").clone();
                let (Class::Number, [(lo, hi)]) = (simple.class, &simple.parts[..]) else {
                    return Err(unfit(span, "this is not a number"));
                };
                self.used(value);
                // Undefined stands for one below, so that there is a number in any case.
                let bits = width(lo - 1, *hi).max(simple.width() + 1);
                let wide = resized(&mut self.store, code, bits);
                let by = literal(&mut self.store, bits, lo - 1);
                let term = self.store.mk(Op::BvAdd, &[wide, by]);
                let term = resized(&mut self.store, term, width(lo - 1, *hi));
                Ok(Number { term, lo: lo - 1, hi: *hi })
            }
            _ => Err(unfit(span, "this is not a number")),
        }
    }

    fn binary(&mut self, op: Binary, left: &Expr, right: &Expr, span: Span) -> Fallible<Sym> {
        match op {
            Binary::And | Binary::Or | Binary::Implies => {
                let left = self.truth(left)?;
                // What decides without the right side does.
                let goes_on = if op == Binary::Or { self.store.not(left) } else { left };
                let other = self.store.bool(op != Binary::And);
                let result = self.either(goes_on, right, other)?;
                Ok(self.decided(result, false))
            }
            Binary::Equal | Binary::Different => {
                let (left_value, right_value) = (self.value(left)?, self.value(right)?);
                let equal = self.equal(left_value, right_value, span)?;
                Ok(self.decided(equal, op == Binary::Different))
            }
            Binary::Less => self.order(left, right, false),
            Binary::More => self.order(right, left, false),
            Binary::AtMost => self.order(left, right, true),
            Binary::AtLeast => self.order(right, left, true),
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.arithmetic(op, left, right, span)
            }
        }
    }

    /// The truth of an expression under a condition, `other` otherwise.
    fn either(&mut self, condition: TermId, expr: &Expr, other: TermId) -> Fallible<TermId> {
        let mut found = other;
        self.branch(
            condition,
            |scene| {
                found = scene.truth(expr)?;
                Ok(())
            },
            |_| Ok(()),
        )?;
        Ok(self.store.ite(condition, found, other))
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Fallible<Sym> {
        let condition = self.truth(condition)?;
        let (mut first, mut second) = (None, None);
        self.branch(
            condition,
            |scene| {
                first = Some(scene.value(then)?);
                Ok(())
            },
            |scene| {
                second = Some(scene.value(otherwise)?);
                Ok(())
            },
        )?;
        let (first, second) = match (first, second) {
            (Some(first), Some(second)) => (first, second),
            (Some(value), None) | (None, Some(value)) => return Ok(value),
            (None, None) => unreachable!("one of two ways is gone"),
        };
        if self.class(first) == Class::Truth {
            let (first, second) =
                (self.as_truth(first, then.span)?, self.as_truth(second, otherwise.span)?);
            let chosen = self.store.ite(condition, first, second);
            return Ok(self.decided(chosen, false));
        }
        if let (Sym::Code(a, ty), Sym::Code(b, other)) = (first, second)
            && ty == other
        {
            return Ok(Sym::Code(self.store.ite(condition, a, b), ty));
        }
        let (a, b) = (self.as_number(first, then.span)?, self.as_number(second, otherwise.span)?);
        let (lo, hi) = (a.lo.min(b.lo), a.hi.max(b.hi));
        let bits = width(lo, hi);
        let [a, b] = [a, b].map(|number| extended(&mut self.store, number.term, bits));
        Ok(Sym::Number(Number { term: self.store.ite(condition, a, b), lo, hi }))
    }

    fn quantified(&mut self, over: &Over, body: &Expr, is_forall: bool) -> Fallible<Sym> {
        let values = self.values(&over.range, over.span)?;
        let mut result = self.store.bool(is_forall);
        for value in values {
            self.scope.push((over.name.clone(), Meaning::Value(value)));
            let goes_on = if is_forall { result } else { self.store.not(result) };
            let decided = self.store.bool(!is_forall);
            let found = self.either(goes_on, body, decided);
            self.scope.pop();
            result = found?;
        }
        Ok(self.decided(result, false))
    }

    /// Whether two values are equal.
    pub(super) fn equal(&mut self, left: Sym, right: Sym, span: Span) -> Fallible<TermId> {
        let (a, b) = (self.class(left), self.class(right));
        if a != b && a != Class::Mixed && b != Class::Mixed {
            return Err(unfit(span, "values of different types are compared"));
        }
        match (left, right) {
            (Sym::Known(a, _), Sym::Known(b, _)) => Ok(self.store.bool(a == b)),
            (Sym::Known(value, _), Sym::Code(code, ty))
            | (Sym::Code(code, ty), Sym::Known(value, _)) => {
                self.used(Sym::Code(code, ty));
                let simple = self.types.simple(ty).expect("codes have simple types").clone();
                let Some(wanted) = simple.code(value) else { return Ok(self.store.bool(false)) };
                let wanted = simple.term(&mut self.store, wanted);
                Ok(self.store.eq(code, wanted))
            }
            (Sym::Code(a, ty), Sym::Code(b, other)) => {
                self.used(left);
                self.used(right);
                let [from, to] = [ty, other]
                    .map(|ty| self.types.simple(ty).expect("codes have simple types").clone());
                let (moved, has) = recoded(&mut self.store, a, &from, &to);
                let equal = self.store.eq(moved, b);
                Ok(self.store.and(&[has, equal]))
            }
            _ if a == Class::Truth => {
                let (a, b) = (self.as_truth(left, span)?, self.as_truth(right, span)?);
                Ok(self.store.eq(a, b))
            }
            _ => {
                let (a, b) = (self.as_number(left, span)?, self.as_number(right, span)?);
                let bits = width(a.lo.min(b.lo), a.hi.max(b.hi));
                let [a, b] = [a, b].map(|number| extended(&mut self.store, number.term, bits));
                Ok(self.store.eq(a, b))
            }
        }
    }

    fn order(&mut self, left: &Expr, right: &Expr, or_equal: bool) -> Fallible<Sym> {
        let span = left.span;
        let (left_value, right_value) = (self.value(left)?, self.value(right)?);
        if let (Sym::Code(a, ty), Sym::Code(b, other)) = (left_value, right_value)
            && ty == other
            && self.class(left_value) == Class::Number
        {
            self.used(left_value);
            self.used(right_value);
            let op = if or_equal { Op::BvUle } else { Op::BvUlt };
            let term = self.store.mk(op, &[a, b]);
            return Ok(self.decided(term, false));
        }
        let a = self.as_number(left_value, span)?;
        let b = self.as_number(right_value, right.span)?;
        let bits = width(a.lo.min(b.lo), a.hi.max(b.hi));
        let [a, b] = [a, b].map(|number| extended(&mut self.store, number.term, bits));
        let term = self.store.mk(if or_equal { Op::BvSle } else { Op::BvSlt }, &[a, b]);
        Ok(self.decided(term, false))
    }

    fn arithmetic(&mut self, op: Binary, a: Number, b: Number, span: Span) -> Fallible<Sym> {
        let magnitude = a.lo.abs().max(a.hi.abs());
        if magnitude.max(b.lo.abs()).max(b.hi.abs()) > MAX_NUMBER {
            return Err(super::scene::untreated(span, "the numbers here are too large"));
        }
        let products = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
        let (lo, hi) = match op {
            Binary::Add => (a.lo + b.lo, a.hi + b.hi),
            Binary::Sub => (a.lo - b.hi, a.hi - b.lo),
            Binary::Mul => {
                let (low, high) = (products.iter().min(), products.iter().max());
                (*low.expect("four products"), *high.expect("four products"))
            }
            _ => (-magnitude, magnitude),
        };
        let bits = width(lo.min(a.lo).min(b.lo), hi.max(a.hi).max(b.hi));
        let [x, y] = [a, b].map(|number| extended(&mut self.store, number.term, bits));
        let operator = match op {
            Binary::Add => Op::BvAdd,
            Binary::Sub => Op::BvSub,
            Binary::Mul => Op::BvMul,
            Binary::Div => Op::BvSdiv,
            _ => Op::BvSrem,
        };
        if matches!(op, Binary::Div | Binary::Rem) {
            let zero = literal(&mut self.store, bits, 0);
            let is_zero = self.store.eq(y, zero);
            self.fail(is_zero);
        }
        let term = self.store.mk(operator, &[x, y]);
        let term = resized(&mut self.store, term, width(lo, hi));
        if let Some(value) = self.store.bv_value(term).and_then(|value| value.to_signed().to_i64())
        {
            return Ok(Sym::Known(value, Class::Number));
        }
        Ok(Sym::Number(Number { term, lo, hi }))
    }
}
