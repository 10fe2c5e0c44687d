//! Expressions: each gives a value, and adds the steps of its effects and checks.
//!
//! Operands are evaluated from left to right. A value is a term over variables; where what is evaluated
//! after it has effects, it is kept in a variable of its own first.

use super::Lower;
use super::number::{self, Kind, NeedsWords, Number, Outcome, Range};
use super::place::{Base, Spot};
use super::points::place_distance;
use super::shape::{LeafKind, Step, leaves};
use super::value::{Pointer, Scalar, Value};
use crate::c::layout::{Type, TypeId};
use crate::c::property::Property;
use crate::c::tree::{Arith, Expr, ExprKind, Stmt, StmtKind};
use crate::c::walk::has_effects;
use crate::form::BlockId;
use alphorn_problem::Span;
use alphorn_term::{Int, TermId};

impl Lower<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, expr: &Expr) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => vec![self.constant(*value, expr.ty, span)],
            ExprKind::Float(_) => vec![Scalar::Opaque],
            ExprKind::Load(place) => {
                let spot = self.place(place, false);
                self.read(&spot, place.span)
            }
            ExprKind::Address(place) => {
                // A member of what a null pointer points to is a number, and nothing is looked at.
                if let Some(distance) = place_distance(&self.unit.types, place) {
                    return vec![Scalar::Pointer(self.numbered_pointer(distance.into(), span))];
                }
                let spot = self.place(place, true);
                vec![Scalar::Pointer(self.address_of(spot, span))]
            }
            ExprKind::Decay(place) => {
                let spot = self.place(place, false);
                vec![Scalar::Pointer(self.decay(spot, span))]
            }
            ExprKind::Function(function) => {
                let object = self.memory.functions.get(function).cloned().unwrap_or_default();
                let object = self.object_literal(object);
                let cell = self.regions.site(super::regions::Site::Functions);
                vec![Scalar::Pointer(self.object_pointer(&cell, object))]
            }
            ExprKind::LabelAddress(_) => self.give_up("the address of a label", expr),
            ExprKind::Neg(operand) => self.negative(operand, expr),
            ExprKind::BitNot(operand) => self.complement(operand, expr),
            ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::Both(..)
            | ExprKind::Either(..) => {
                let truth = self.truth(expr);
                vec![self.truth_value(truth, expr.ty)]
            }
            ExprKind::Arith(op, left, right) => self.arithmetic(*op, left, right, expr),
            ExprKind::Move(pointer, by, is_forwards) => self.moved(pointer, by, *is_forwards, expr),
            ExprKind::Distance(left, right) => self.distance(left, right, expr),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, expr)
            }
            ExprKind::Cast(operand, _) => {
                let value = self.expr(operand);
                self.cast(value, operand.ty, expr.ty, span)
            }
            ExprKind::Assign(place, value) => self.assignment(place, value, span),
            ExprKind::Update(place, op, ty, value) => self.update(place, *op, *ty, value, span),
            ExprKind::Step(place, is_up, is_before) => self.step(place, *is_up, *is_before, span),
            ExprKind::Comma(first, second) => {
                self.expr(first);
                self.expr(second)
            }
            ExprKind::Call(function, args) => self.call(*function, args, expr),
            ExprKind::CallPointer(pointer, args) => self.call_pointer(pointer, args, expr),
            ExprKind::Block(stmts) => self.block_value(stmts, expr),
            ExprKind::SizeOf(ty) => self.size_value(*ty, expr),
            ExprKind::Member(record, field) => self.value_member(record, *field, expr),
            ExprKind::Untreated(what) => self.give_up(what, expr),
        }
    }

    /// Says that an expression is not treated; its value is nothing.
    fn give_up(&mut self, what: &str, expr: &Expr) -> Value {
        self.untreated(what, expr.span);
        self.any_of(expr.ty, expr.span)
    }

    /// The number that an expression is.
    pub fn number(&mut self, expr: &Expr) -> Option<Number> {
        let value = self.expr(expr);
        self.as_number(value, expr.span)
    }

    fn as_number(&mut self, mut value: Value, span: Span) -> Option<Number> {
        match value.pop() {
            Some(Scalar::Number(number)) => Some(number),
            _ => {
                self.untreated("floating numbers", span);
                None
            }
        }
    }

    /// The pointer that an expression is.
    pub fn pointer(&mut self, expr: &Expr) -> Option<Pointer> {
        match self.expr(expr).pop() {
            Some(Scalar::Pointer(pointer)) => Some(pointer),
            _ => {
                self.untreated("a pointer that is none", expr.span);
                None
            }
        }
    }

    /// The index that an expression is.
    pub fn index(&mut self, expr: &Expr) -> Option<TermId> {
        let number = self.number(expr)?;
        Some(self.index_of(expr.ty, &number))
    }

    /// A constant: a number, or as a pointer null or a number that is no address.
    pub fn constant(&mut self, value: i128, ty: TypeId, span: Span) -> Scalar {
        match self.number_kind(ty) {
            Some(kind) => {
                let value = unfold(kind, value);
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                Scalar::Number(number::constant(store, numbers, kind, &value))
            }
            None => Scalar::Pointer(self.numbered_pointer(value, span)),
        }
    }

    /// A pointer that is a number: no object at all.
    pub fn numbered_pointer(&mut self, value: i128, span: Span) -> Pointer {
        if !(0..-i128::from(super::FOREIGN)).contains(&value) {
            self.untreated("a large number as a pointer", span);
        }
        let object = self.object_literal(-value);
        Pointer { object, indices: Vec::new(), cell: None }
    }

    /// A truth value as a number of a type.
    pub fn truth_value(&mut self, truth: TermId, ty: TypeId) -> Scalar {
        let kind = self.number_kind(ty).expect("truth values are integers");
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        Scalar::Number(number::of_truth(store, numbers, kind, truth))
    }

    /// What is at a place, as a value of the place's type: what is stored may be a bit-field, or a number
    /// with the other sign.
    pub fn read(&mut self, spot: &Spot, span: Span) -> Value {
        let value = self.load(spot, span);
        match (self.stored_kind(spot), self.number_kind(spot.ty), value.as_slice()) {
            (Some(from), Some(to), [Scalar::Number(number)]) => {
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                vec![Scalar::Number(number::convert(store, numbers, from, to, number))]
            }
            _ => value,
        }
    }

    /// Stores a value of the place's type, and gives the value that is there then.
    pub fn write(&mut self, spot: &Spot, value: Value, span: Span) -> Value {
        let (Some(to), Some(from), [Scalar::Number(number)]) =
            (self.stored_kind(spot), self.number_kind(spot.ty), value.as_slice())
        else {
            self.store(spot, &value, span);
            return value;
        };
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let stored = number::convert(store, numbers, from, to, number);
        self.store(spot, &[Scalar::Number(stored.clone())], span);
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        vec![Scalar::Number(number::convert(store, numbers, to, from, &stored))]
    }

    /// The kind of the number that is stored at a place.
    pub fn stored_kind(&self, spot: &Spot) -> Option<Kind> {
        if self.grains(spot).is_some() {
            return self.number_kind(spot.ty);
        }
        let types = &self.unit.types;
        let whole = match &spot.base {
            Base::Own(var) => self.unit.var(*var).ty,
            Base::Memory(node, _) => self.regions.node(*node).ty?,
            Base::Lost => return self.number_kind(spot.ty),
        };
        let (last, before) = match spot.path.split_last() {
            Some((Step::Field(field), before)) => (*field, before),
            _ => {
                let ty = super::shape::type_at(types, whole, &spot.path)?;
                return self.number_kind(ty);
            }
        };
        let record = super::shape::type_at(types, whole, before)?;
        let Type::Record(record) = types.get(record) else { return None };
        let field = types.record(*record).fields.get(last as usize)?;
        let mut kind = self.number_kind(field.ty)?;
        if let Some((_, bits)) = field.bits {
            kind.bits = bits;
        }
        Some(kind)
    }

    /// The address of the first element of an array.
    fn decay(&mut self, mut spot: Spot, span: Span) -> Pointer {
        if !spot.is_whole && matches!(spot.base, Base::Memory(..)) && self.grains(&spot).is_none() {
            let zero = self.index_literal(0);
            spot.path.push(Step::Element);
            spot.indices.push(zero);
        }
        self.address_of(spot, span)
    }

    /// A value that stays what it is whatever is done next.
    pub fn keep(&mut self, value: Value, span: Span) -> Value {
        value.iter().map(|scalar| self.keep_scalar(scalar, span)).collect()
    }

    fn keep_scalar(&mut self, scalar: &Scalar, span: Span) -> Scalar {
        let terms: Vec<TermId> =
            scalar.terms().into_iter().map(|term| self.keep_term(term, span)).collect();
        scalar.with_terms(&terms)
    }

    /// A term that stays what it is.
    pub fn keep_term(&mut self, term: TermId, span: Span) -> TermId {
        if self.program.terms.is_literal(term) {
            return term;
        }
        let sort = self.program.terms.sort(term);
        let var = self.new_temporary("kept", sort, span);
        self.assign(var, term, span);
        self.term(var)
    }

    /// A place that stays the same whatever is done next.
    pub fn keep_spot(&mut self, mut spot: Spot, span: Span) -> Spot {
        spot.indices = spot.indices.iter().map(|&index| self.keep_term(index, span)).collect();
        if let Base::Memory(_, object) = &mut spot.base {
            *object = self.keep_term(*object, span);
        }
        spot
    }

    /// Two operands, the first kept if the second has effects.
    pub fn operands(&mut self, left: &Expr, right: &Expr) -> (Value, Value) {
        let first = self.expr(left);
        let first = if has_effects(right) { self.keep(first, left.span) } else { first };
        (first, self.expr(right))
    }

    /// Two operands that are numbers.
    pub fn numbers(&mut self, left: &Expr, right: &Expr) -> Option<(Number, Number)> {
        let (a, b) = self.operands(left, right);
        let (a, b) = (self.as_number(a, left.span), self.as_number(b, right.span));
        Some((a?, b?))
    }

    /// `-x`
    fn negative(&mut self, operand: &Expr, expr: &Expr) -> Value {
        let Some(kind) = self.number_kind(expr.ty) else {
            self.expr(operand);
            return vec![Scalar::Opaque];
        };
        let Some(number) = self.number(operand) else { return self.any_of(expr.ty, expr.span) };
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let outcome = number::neg(store, numbers, kind, &number);
        vec![Scalar::Number(self.checked(outcome, kind, false, expr.span))]
    }

    /// `~x`
    fn complement(&mut self, operand: &Expr, expr: &Expr) -> Value {
        let (Some(kind), Some(number)) = (self.number_kind(expr.ty), self.number(operand)) else {
            return self.any_of(expr.ty, expr.span);
        };
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        vec![Scalar::Number(number::bit_not(store, numbers, kind, &number))]
    }

    /// What an operation gives: a signed result must fit if that is asked, and wraps otherwise.
    /// The least value divided by −1 ends the run.
    fn checked(&mut self, outcome: Outcome, kind: Kind, is_quotient: bool, span: Span) -> Number {
        if kind.is_signed && (self.asks(Property::NoOverflow) || is_quotient) {
            self.demand(Property::NoOverflow, outcome.fits, span);
            return outcome.fitting;
        }
        outcome.wrapped
    }

    /// Arithmetic.
    fn arithmetic(&mut self, op: Arith, left: &Expr, right: &Expr, expr: &Expr) -> Value {
        let Some(kind) = self.number_kind(expr.ty) else {
            self.operands(left, right);
            return vec![Scalar::Opaque];
        };
        let Some((a, b)) = self.numbers(left, right) else {
            return self.any_of(expr.ty, expr.span);
        };
        vec![Scalar::Number(self.combine(op, kind, &a, &b, right.ty, expr.span))]
    }

    /// An operation on two numbers: divisors must not be zero, amounts of shifts must be below the width.
    pub fn combine(
        &mut self,
        op: Arith,
        kind: Kind,
        left: &Number,
        right: &Number,
        right_ty: TypeId,
        span: Span,
    ) -> Number {
        let mut right = right.clone();
        match op {
            Arith::Div | Arith::Rem => self.check_divisor(op, kind, left, &right, span),
            Arith::Shl | Arith::Shr => {
                let amount = self.number_kind(right_ty).expect("amounts are integers");
                right = self.check_amount(kind, amount, &right, span);
            }
            _ => {}
        }
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        match number::arith(store, numbers, op, kind, left, &right) {
            // Bits that a shift loses are lost: `no-overflow` speaks about arithmetic alone.
            Ok(outcome) if op == Arith::Shl => outcome.wrapped,
            Ok(outcome) => self.checked(outcome, kind, op == Arith::Div, span),
            Err(NeedsWords) => {
                self.needs_words(format!("`{}` on integers", op.text()), span);
                number::constant(&mut self.program.terms, numbers, kind, &Int::ZERO)
            }
        }
    }

    /// The divisor is not zero. The remainder of the least value by −1, whose quotient overflows, is
    /// undefined.
    fn check_divisor(&mut self, op: Arith, kind: Kind, left: &Number, right: &Number, span: Span) {
        let numbers = self.options.numbers;
        let not_zero = match right.range.low.is_positive() || right.range.high.is_negative() {
            true => TermId::TRUE,
            false => number::is_true(&mut self.program.terms, numbers, kind, right),
        };
        self.demand(Property::NoDivisionByZero, not_zero, span);
        let minus_one = Range::point(Int::MINUS_ONE);
        let may_overflow =
            kind.is_signed && left.range.low == kind.min() && minus_one.is_within(&right.range);
        if op == Arith::Rem && may_overflow {
            let store = &mut self.program.terms;
            let least = number::constant(store, numbers, kind, &kind.min());
            let minus_one = number::constant(store, numbers, kind, &Int::MINUS_ONE);
            let (a, b) = (store.eq(left.term, least.term), store.eq(right.term, minus_one.term));
            let both = store.and(&[a, b]);
            let defined = store.not(both);
            self.assume(defined, span);
        }
    }

    /// The amount of a shift, as a number of the kind that is shifted; the run ends if it is too large.
    fn check_amount(&mut self, kind: Kind, amount: Kind, number: &Number, span: Span) -> Number {
        let numbers = self.options.numbers;
        let fitting = Range { low: Int::ZERO, high: Int::from(kind.bits - 1) };
        if !number.range.is_within(&fitting) {
            let store = &mut self.program.terms;
            let zero = number::constant(store, numbers, amount, &Int::ZERO);
            let most =
                number::constant(store, numbers, amount, &fitting.high.clone().min(amount.max()));
            use crate::c::tree::Compare;
            let low = number::compare(store, numbers, Compare::Le, amount, &zero, number);
            let high = number::compare(store, numbers, Compare::Le, amount, number, &most);
            let both = store.and(&[low, high]);
            self.assume(both, span);
        }
        let plain = Kind { is_truth: false, ..kind };
        let store = &mut self.program.terms;
        let mut number = match numbers {
            crate::c::evidence::Numbers::Integers => number.clone(),
            crate::c::evidence::Numbers::Words => {
                number::convert(store, numbers, amount, plain, number)
            }
        };
        number.range = number.range.meet(&fitting);
        number
    }

    /// A pointer moved by elements.
    fn moved(&mut self, pointer: &Expr, by: &Expr, is_forwards: bool, expr: &Expr) -> Value {
        let (value, amount) = self.operands(pointer, by);
        let (Some(Scalar::Pointer(start)), Some(Scalar::Number(amount))) =
            (value.into_iter().next(), amount.into_iter().next())
        else {
            return self.any_of(expr.ty, expr.span);
        };
        let amount = self.index_of(by.ty, &amount);
        let amount = if is_forwards { amount } else { self.negate_index(amount) };
        vec![Scalar::Pointer(self.advance(start, amount, expr.ty, expr.span))]
    }

    /// The negative of an index.
    pub fn negate_index(&mut self, index: TermId) -> TermId {
        match self.options.numbers {
            crate::c::evidence::Numbers::Integers => self.program.terms.neg(index),
            crate::c::evidence::Numbers::Words => {
                self.program.terms.mk(alphorn_term::Op::BvNeg, &[index])
            }
        }
    }

    /// A pointer of a type with its last index moved. What is no object stays none; null is not null any more.
    pub fn advance(&mut self, mut pointer: Pointer, by: TermId, ty: TypeId, span: Span) -> Pointer {
        if by == self.index_literal(0) {
            return pointer;
        }
        let Some(cell) = &pointer.cell else {
            self.untreated("arithmetic with a constant pointer", span);
            return pointer;
        };
        if let Some(grains) = self.grains_of(self.regions.find(cell).node) {
            let target = self.unit.types.target(ty).unwrap_or(ty);
            return self.advance_grains(pointer, &grains, by, target, span);
        }
        if let Some(last) = pointer.indices.pop() {
            let moved = self.move_index(last, by);
            pointer.indices.push(moved);
        }
        pointer
    }

    /// How many elements lie between two pointers, which must be into one object.
    fn distance(&mut self, left: &Expr, right: &Expr, expr: &Expr) -> Value {
        let (a, b) = self.operands(left, right);
        let (Some(Scalar::Pointer(a)), Some(Scalar::Pointer(b)), Some(kind)) =
            (a.into_iter().next(), b.into_iter().next(), self.number_kind(expr.ty))
        else {
            return self.any_of(expr.ty, expr.span);
        };
        let (Some(&from), Some(&to)) = (b.indices.last(), a.indices.last()) else {
            return self.give_up("a distance from what is no object", expr);
        };
        let same = self.program.terms.eq(a.object, b.object);
        self.assume(same, expr.span);
        let is_object = self.is_object(a.object);
        self.follow(is_object, expr.span);
        let outer = a.indices.iter().zip(&b.indices).rev().skip(1);
        for (left, right) in outer.collect::<Vec<_>>() {
            let same = self.program.terms.eq(*left, *right);
            self.follow(same, expr.span);
        }
        let from = self.negate_index(from);
        let term = self.move_index(to, from);
        if let Some(cell) = &a.cell
            && let Some(grains) = self.grains_of(self.regions.find(cell).node)
        {
            let target = self.unit.types.target(left.ty).unwrap_or(left.ty);
            if self.unit.types.size(target) != Some(grains.size) {
                return self
                    .give_up("a distance in memory that is used with different types", expr);
            }
        }
        let (store, numbers) = (&mut self.program.terms, self.options.numbers);
        let fits = number::in_range(store, numbers, kind, term);
        self.assume(fits, expr.span);
        vec![Scalar::Number(Number { term, range: kind.range() })]
    }

    /// `c ? a : b`: one term if neither has effects, else two ways that meet.
    fn conditional(
        &mut self,
        condition: &Expr,
        then: Option<&Expr>,
        otherwise: &Expr,
        expr: &Expr,
    ) -> Value {
        let span = expr.span;
        let is_plain = !then.is_some_and(has_effects) && !has_effects(otherwise);
        let Some(then) = then else { return self.elvis(condition, otherwise, expr) };
        if is_plain {
            let condition = self.truth(condition);
            self.guard(condition);
            let first = self.expr(then);
            self.unguard();
            let negated = self.program.terms.not(condition);
            self.guard(negated);
            let second = self.expr(otherwise);
            self.unguard();
            return self.choose(condition, first, second, span);
        }
        let [yes, no] = [(); 2].map(|()| self.new_block(None, span));
        self.branch_on(condition, yes, no);
        self.enter(yes);
        let first = self.expr(then);
        let yes = self.body.current();
        self.enter(no);
        let second = self.expr(otherwise);
        let no = self.body.current();
        self.join((yes, first), (no, second), span)
    }

    /// `c ?: b`
    fn elvis(&mut self, condition: &Expr, otherwise: &Expr, expr: &Expr) -> Value {
        let span = expr.span;
        let value = self.expr(condition);
        let value = if has_effects(otherwise) { self.keep(value, span) } else { value };
        let truth = self.truth_of(&value, condition.ty, span);
        let first = self.cast(value, condition.ty, expr.ty, span);
        if has_effects(otherwise) {
            let [yes, no] = [(); 2].map(|()| self.new_block(None, span));
            self.branch(truth, yes, no);
            self.enter(no);
            let second = self.expr(otherwise);
            let no = self.body.current();
            return self.join((Some(yes), first), (no, second), span);
        }
        let negated = self.program.terms.not(truth);
        self.guard(negated);
        let second = self.expr(otherwise);
        self.unguard();
        self.choose(truth, first, second, span)
    }

    /// A value or another, by a condition.
    fn choose(&mut self, condition: TermId, first: Value, second: Value, span: Span) -> Value {
        let both = first.into_iter().zip(second);
        both.map(|(a, b)| self.choose_scalar(condition, a, b, span)).collect()
    }

    fn choose_scalar(&mut self, condition: TermId, a: Scalar, b: Scalar, span: Span) -> Scalar {
        match (a, b) {
            (Scalar::Number(a), Scalar::Number(b)) => Scalar::Number(Number {
                term: self.program.terms.ite(condition, a.term, b.term),
                range: match condition {
                    TermId::TRUE => a.range,
                    TermId::FALSE => b.range,
                    _ => a.range.hull(&b.range),
                },
            }),
            (Scalar::Pointer(a), Scalar::Pointer(b)) => {
                let (a, b) = (self.widen(a, &b, span), b);
                let b = self.widen(b, &a, span);
                let ite = |lower: &mut Self, x, y| lower.program.terms.ite(condition, x, y);
                let object = ite(self, a.object, b.object);
                let indices = a.indices.iter().zip(&b.indices);
                let indices = indices.map(|(&x, &y)| ite(self, x, y)).collect();
                Scalar::Pointer(Pointer { object, indices, cell: a.cell })
            }
            _ => Scalar::Opaque,
        }
    }

    /// A pointer with as many indices and the cell of another, if it has none of its own.
    fn widen(&mut self, mut pointer: Pointer, other: &Pointer, span: Span) -> Pointer {
        match (&pointer.cell, &other.cell) {
            (None, Some(cell)) => {
                let zero = self.index_literal(0);
                pointer.indices = vec![zero; other.indices.len()];
                pointer.cell = Some(cell.clone());
            }
            (Some(a), Some(b)) if !self.regions.is_same(a, b) => {
                self.untreated("pointers into regions that do not agree", span);
            }
            _ => {}
        }
        pointer
    }

    /// Two ways meet: the values they bring go to variables. A way on which control does not come to its
    /// end brings none.
    pub fn join(
        &mut self,
        (first_end, first): (Option<BlockId>, Value),
        (second_end, second): (Option<BlockId>, Value),
        span: Span,
    ) -> Value {
        let (Some(first_end), Some(second_end)) = (first_end, second_end) else {
            let (end, value) = match first_end {
                Some(end) => (Some(end), first),
                None => (second_end, second),
            };
            self.body.resume(end);
            return value;
        };
        let end = self.new_block(None, span);
        let mut result = Value::new();
        for (a, b) in first.into_iter().zip(second) {
            result.push(self.join_scalar((first_end, a), (second_end, b), span));
        }
        for way in [first_end, second_end] {
            self.enter(way);
            self.goto(end);
        }
        self.enter(end);
        result
    }

    fn join_scalar(
        &mut self,
        (first_end, a): (BlockId, Scalar),
        (second_end, b): (BlockId, Scalar),
        span: Span,
    ) -> Scalar {
        let (a, b) = match (a, b) {
            (Scalar::Pointer(a), Scalar::Pointer(b)) => {
                let a = self.widen(a, &b, span);
                let b = self.widen(b, &a, span);
                (Scalar::Pointer(a), Scalar::Pointer(b))
            }
            pair => pair,
        };
        let mut vars = Vec::new();
        for (x, y) in a.terms().into_iter().zip(b.terms()) {
            let sort = self.program.terms.sort(x);
            let var = self.new_temporary("either", sort, span);
            self.enter(first_end);
            self.assign(var, x, span);
            self.enter(second_end);
            self.assign(var, y, span);
            vars.push(self.term(var));
        }
        match (&a, &b) {
            (Scalar::Number(x), Scalar::Number(y)) => {
                Scalar::Number(Number { term: vars[0], range: x.range.hull(&y.range) })
            }
            (Scalar::Pointer(_), Scalar::Pointer(_)) => a.with_terms(&vars),
            _ => Scalar::Opaque,
        }
    }

    /// `({ … })`
    fn block_value(&mut self, stmts: &[Stmt], expr: &Expr) -> Value {
        let outer = self.open_scope(expr.span, stmts);
        let value = match stmts.split_last() {
            Some((Stmt { kind: StmtKind::Expr(last), .. }, first)) => {
                first.iter().for_each(|stmt| self.stmt(stmt));
                let value = self.expr(last);
                self.keep(value, last.span)
            }
            _ => {
                stmts.iter().for_each(|stmt| self.stmt(stmt));
                Value::new()
            }
        };
        self.close_scope(outer, expr.span);
        value
    }

    /// The size of a type that is known only when the program runs.
    fn size_value(&mut self, ty: TypeId, expr: &Expr) -> Value {
        let kind = self.number_kind(expr.ty).expect("sizes are integers");
        match self.size_of(ty, expr.span) {
            Some(term) => {
                let index = self.index_kind();
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                let term = match numbers {
                    crate::c::evidence::Numbers::Integers => term,
                    crate::c::evidence::Numbers::Words => {
                        super::words::resize(store, index, kind.bits, term)
                    }
                };
                vec![Scalar::Number(Number { term, range: kind.range() })]
            }
            None => self.give_up("the size of an incomplete type", expr),
        }
    }

    /// A member of a structure that is a value.
    fn value_member(&mut self, record: &Expr, field: usize, expr: &Expr) -> Value {
        let value = self.expr(record);
        let types = &self.unit.types;
        let Type::Record(id) = types.get(record.ty) else {
            return self.give_up("a member of what has none", expr);
        };
        let only = match types.record(*id).is_union {
            true => self.regions.unions.member(types, *id).ok().flatten(),
            false => None,
        };
        let step = Step::Field(only.unwrap_or(field as u32));
        let Ok(all) = leaves(types, &self.regions.unions, record.ty) else {
            return self.give_up("a union whose members are used with different types", expr);
        };
        let below = all.iter().zip(value).filter(|(leaf, _)| leaf.path.first() == Some(&step));
        let found: Vec<(LeafKind, Scalar)> =
            below.map(|(leaf, scalar)| (leaf.kind, scalar)).collect();
        match (found.as_slice(), self.number_kind(expr.ty)) {
            ([(LeafKind::Number(from), Scalar::Number(number))], Some(to)) => {
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                vec![Scalar::Number(number::convert(store, numbers, *from, to, number))]
            }
            _ => found.into_iter().map(|(_, scalar)| scalar).collect(),
        }
    }
}

/// The number that a constant of a kind is: the widest unsigned ones are stored as signed.
fn unfold(kind: Kind, value: i128) -> Int {
    if !kind.is_signed && value < 0 { Int::from(value as u128) } else { Int::from(value) }
}
