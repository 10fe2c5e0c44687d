//! Conditions: expressions as formulas, and as jumps.
//!
//! What has no effects becomes one formula; the right side of `&&` and `||` is under the guard of the left,
//! so that what must be checked in it is checked only if it is evaluated. With effects on the right the
//! ways part and meet again.

use super::Lower;
use super::number::{self, Number};
use super::shape::LeafKind;
use super::value::{Pointer, Scalar, Value};
use crate::c::layout::TypeId;
use crate::c::tree::{Compare, Expr, ExprKind};
use crate::c::walk::has_effects;
use crate::form::{Action, BlockId};
use alphorn_problem::Span;
use alphorn_term::{SortId, TermId};

impl Lower<'_> {
    /// That an expression is not zero.
    pub fn truth(&mut self, expr: &Expr) -> TermId {
        match &expr.kind {
            ExprKind::Not(operand) => {
                let truth = self.truth(operand);
                self.program.terms.not(truth)
            }
            ExprKind::Compare(op, left, right) => self.comparison(*op, left, right, expr.span),
            ExprKind::Both(left, right) if !has_effects(right) => {
                let first = self.truth(left);
                self.guard(first);
                let second = self.truth(right);
                self.unguard();
                self.program.terms.and(&[first, second])
            }
            ExprKind::Either(left, right) if !has_effects(right) => {
                let first = self.truth(left);
                let negated = self.program.terms.not(first);
                self.guard(negated);
                let second = self.truth(right);
                self.unguard();
                self.program.terms.or(&[first, second])
            }
            ExprKind::Both(..) | ExprKind::Either(..) => self.parted(expr),
            // A conversion of a truth value to an integer keeps it.
            ExprKind::Cast(operand, _)
                if is_truth(operand) && self.number_kind(expr.ty).is_some() =>
            {
                self.truth(operand)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.truth(second)
            }
            _ => {
                let value = self.expr(expr);
                self.truth_of(&value, expr.ty, expr.span)
            }
        }
    }

    /// That a value is not zero.
    pub fn truth_of(&mut self, value: &Value, ty: TypeId, span: Span) -> TermId {
        match value.first() {
            Some(Scalar::Number(number)) => {
                let kind = self.number_kind(ty).expect("numbers have a kind");
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                match number.range.low.is_positive() || number.range.high.is_negative() {
                    true => TermId::TRUE,
                    false => number::is_true(store, numbers, kind, number),
                }
            }
            Some(Scalar::Pointer(pointer)) => {
                let is_null = self.is_null(pointer);
                self.program.terms.not(is_null)
            }
            Some(Scalar::Opaque) => self.any_truth(span),
            None => {
                self.untreated("a condition of this type", span);
                TermId::TRUE
            }
        }
    }

    /// What a comparison of floating numbers comes to: that is not followed, and it may be either.
    fn any_truth(&mut self, span: Span) -> TermId {
        self.loosely("floating numbers", span);
        let var = self.new_temporary("truth", SortId::BOOL, span);
        self.emit(Action::Havoc(vec![var]), span);
        self.term(var)
    }

    /// That a pointer is null: no object, and not moved.
    pub fn is_null(&mut self, pointer: &Pointer) -> TermId {
        let (null, zero) = (self.object_literal(0), self.index_literal(0));
        let store = &mut self.program.terms;
        let mut parts = vec![store.eq(pointer.object, null)];
        if parts[0] != TermId::FALSE {
            parts.extend(pointer.indices.iter().map(|&index| store.eq(index, zero)));
        }
        store.and(&parts)
    }

    /// A comparison of numbers or of pointers.
    fn comparison(&mut self, op: Compare, left: &Expr, right: &Expr, span: Span) -> TermId {
        // A truth value compared with a constant is that truth value, or its negation.
        if let (Compare::Eq | Compare::Ne, ExprKind::Int(0)) = (op, &right.kind)
            && is_truth(left)
        {
            let truth = self.truth(left);
            return if op == Compare::Ne { truth } else { self.program.terms.not(truth) };
        }
        let (a, b) = self.operands(left, right);
        match (a.first(), b.first()) {
            (Some(Scalar::Number(a)), Some(Scalar::Number(b))) => {
                let kind = self.number_kind(left.ty).expect("numbers have a kind");
                let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                decided(op, a, b).unwrap_or_else(|| number::compare(store, numbers, op, kind, a, b))
            }
            (Some(Scalar::Pointer(a)), Some(Scalar::Pointer(b))) => {
                let (a, b) = (a.clone(), b.clone());
                self.pointer_comparison(op, &a, &b, span)
            }
            (Some(Scalar::Opaque), _) | (_, Some(Scalar::Opaque)) => self.any_truth(span),
            _ => {
                self.untreated("a comparison of this type", span);
                TermId::TRUE
            }
        }
    }

    fn pointer_comparison(&mut self, op: Compare, a: &Pointer, b: &Pointer, span: Span) -> TermId {
        match op {
            Compare::Eq => self.same_pointer(a, b, span),
            Compare::Ne => {
                let same = self.same_pointer(a, b, span);
                self.program.terms.not(same)
            }
            _ => self.pointer_order(op, a, b, span),
        }
    }

    /// That two pointers are equal. In different regions they are if both are null or the same number. What
    /// was null and was moved is a number that is not followed.
    fn same_pointer(&mut self, a: &Pointer, b: &Pointer, span: Span) -> TermId {
        match (&a.cell, &b.cell) {
            (None, _) if self.is_literal_null(a) => return self.is_null(b),
            (_, None) if self.is_literal_null(b) => return self.is_null(a),
            _ => {}
        }
        let objects = self.program.terms.eq(a.object, b.object);
        let is_one_region = match (&a.cell, &b.cell) {
            (Some(x), Some(y)) => self.regions.is_same(x, y),
            _ => false,
        };
        let zero = self.index_literal(0);
        let moved: Vec<TermId> =
            a.indices.iter().chain(&b.indices).copied().filter(|index| *index != zero).collect();
        if !moved.is_empty() && objects != TermId::FALSE {
            let (x, y) = (self.is_object(a.object), self.is_object(b.object));
            let unmoved: Vec<TermId> =
                moved.iter().map(|&index| self.program.terms.eq(index, zero)).collect();
            let unmoved = self.program.terms.and(&unmoved);
            let followed = self.program.terms.or(&[x, y, unmoved]);
            self.follow(followed, span);
        }
        let store = &mut self.program.terms;
        let mut parts = vec![objects];
        if is_one_region {
            let pairs = a.indices.iter().zip(&b.indices);
            parts.extend(pairs.map(|(&x, &y)| store.eq(x, y)));
        }
        store.and(&parts)
    }

    fn is_literal_null(&mut self, pointer: &Pointer) -> bool {
        pointer.object == self.object_literal(0) && pointer.indices.is_empty()
    }

    /// The order of two pointers into one object; of others there is none.
    fn pointer_order(&mut self, op: Compare, a: &Pointer, b: &Pointer, span: Span) -> TermId {
        let (x, y) = (self.is_object(a.object), self.is_object(b.object));
        let both = self.program.terms.and(&[x, y]);
        self.follow(both, span);
        let same = self.program.terms.eq(a.object, b.object);
        self.assume(same, span);
        let (Some((&x, outer)), Some((&y, others))) =
            (a.indices.split_last(), b.indices.split_last())
        else {
            self.untreated("the order of pointers that are constants", span);
            return TermId::TRUE;
        };
        for (&left, &right) in outer.iter().zip(others) {
            let same = self.program.terms.eq(left, right);
            self.follow(same, span);
        }
        match op {
            Compare::Lt => self.index_order(x, y, true),
            Compare::Le => self.index_order(x, y, false),
            Compare::Gt => self.index_order(y, x, true),
            _ => self.index_order(y, x, false),
        }
    }

    /// `&&` or `||` with effects on the right: the ways part and meet.
    fn parted(&mut self, expr: &Expr) -> TermId {
        let span = expr.span;
        let [yes, no, end] = [(); 3].map(|()| self.new_block(None, span));
        self.branch_on(expr, yes, no);
        let var = self.new_temporary("truth", SortId::BOOL, span);
        for (block, truth) in [(yes, TermId::TRUE), (no, TermId::FALSE)] {
            self.enter(block);
            self.assign(var, truth, span);
            self.goto(end);
        }
        self.enter(end);
        self.term(var)
    }

    /// Goes to the first block if an expression is not zero, else to the second.
    pub fn branch_on(&mut self, expr: &Expr, then: BlockId, otherwise: BlockId) {
        match &expr.kind {
            ExprKind::Not(operand) => self.branch_on(operand, otherwise, then),
            ExprKind::Both(left, right) if has_effects(right) => {
                let next = self.new_block(None, right.span);
                self.branch_on(left, next, otherwise);
                self.enter(next);
                self.branch_on(right, then, otherwise);
            }
            ExprKind::Either(left, right) if has_effects(right) => {
                let next = self.new_block(None, right.span);
                self.branch_on(left, then, next);
                self.enter(next);
                self.branch_on(right, then, otherwise);
            }
            _ => {
                let truth = self.truth(expr);
                self.branch(truth, then, otherwise);
            }
        }
    }

    /// The kind of leaf that a value of a type is.
    pub fn leaf_kind(&self, ty: TypeId) -> Option<LeafKind> {
        super::shape::scalar_kind(&self.unit.types, ty)
    }
}

/// What a comparison comes to by the intervals of its sides alone.
fn decided(op: Compare, a: &Number, b: &Number) -> Option<TermId> {
    let (below, above) = (a.range.high < b.range.low, b.range.high < a.range.low);
    let (not_above, not_below) = (a.range.high <= b.range.low, b.range.high <= a.range.low);
    let truth = match op {
        Compare::Eq if below || above => false,
        Compare::Ne if below || above => true,
        Compare::Lt if below => true,
        Compare::Lt if not_below => false,
        Compare::Gt if above => true,
        Compare::Gt if not_above => false,
        Compare::Le if not_above => true,
        Compare::Le if above => false,
        Compare::Ge if not_below => true,
        Compare::Ge if below => false,
        _ => return None,
    };
    Some(if truth { TermId::TRUE } else { TermId::FALSE })
}

/// Whether an expression is zero or one because of what it is.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::Both(..) | ExprKind::Either(..) => {
            true
        }
        ExprKind::Cast(operand, _) => is_truth(operand),
        _ => false,
    }
}
