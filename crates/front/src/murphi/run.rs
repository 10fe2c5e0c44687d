//! Statements and calls, run with values that are terms.

use super::scene::{Meaning, Place, Scene, unfit, untreated};
use super::shape::TypeId;
use super::tree::{Body, Expr, ExprKind, Stmt, StmtKind};
use crate::infix::Fallible;
use alphorn_problem::Span;
use alphorn_term::{TermId, Value};

/// The most calls inside each other: recursion is not treated.
const MAX_CALLS: usize = 32;
/// The most rounds of a loop whose condition depends on the state.
const MAX_OPEN_ROUNDS: usize = 64;
/// The most rounds of any loop: one more is an error of the model, as Murphi has it.
const MAX_ROUNDS: usize = 1000;

impl Scene<'_> {
    /// Runs what has declarations of its own, which are forgotten behind it.
    pub(super) fn body(&mut self, body: &Body) -> Fallible<()> {
        let (names, slots) = (self.scope.len(), self.slots.len());
        let result = self.declare(&body.declarations).and_then(|()| self.stmts(&body.stmts));
        self.scope.truncate(names);
        self.slots.truncate(slots);
        result
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Fallible<()> {
        for (position, stmt) in stmts.iter().enumerate() {
            match self.store.literal_value(self.returned) {
                Some(Value::Bool(true)) => return Ok(()),
                Some(_) => self.stmt(stmt)?,
                None => {
                    let goes_on = self.store.not(self.returned);
                    let no = self.store.bool(false);
                    let rest = |scene: &mut Self| {
                        scene.returned = no;
                        scene.stmts(&stmts[position..])
                    };
                    return self.branch(goes_on, rest, |_| Ok(()));
                }
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Fallible<()> {
        self.spend(stmt.span)?;
        match &stmt.kind {
            StmtKind::Nothing => Ok(()),
            StmtKind::Assign(place, value) => {
                let (place, ty) = self.place(place)?;
                self.assign(&place, ty, value)
            }
            StmtKind::If(cases, otherwise) => self.cases(cases, otherwise),
            StmtKind::Switch(subject, cases, otherwise) => {
                let subject_value = self.value(subject)?;
                let mut conditions = Vec::new();
                for (values, _) in cases {
                    let mut any = self.store.bool(false);
                    for value in values {
                        let value_here = self.value(value)?;
                        let equal = self.equal(subject_value, value_here, value.span)?;
                        any = self.store.or(&[any, equal]);
                    }
                    conditions.push(any);
                }
                self.switch(&conditions, cases, otherwise)
            }
            StmtKind::For(over, body) => {
                for value in self.values(&over.range, over.span)? {
                    self.scope.push((over.name.clone(), Meaning::Value(value)));
                    let result = self.stmts(body);
                    self.scope.pop();
                    result?;
                }
                Ok(())
            }
            StmtKind::While(condition, body) => self.rounds(condition, body, 0, 0),
            StmtKind::Alias(names, body) => {
                let before = self.scope.len();
                let result = self.aliases(names).and_then(|()| self.stmts(body));
                self.scope.truncate(before);
                result
            }
            StmtKind::Call(name, args) => self.call(name, args, stmt.span, false).map(drop),
            StmtKind::Clear(place) => {
                let (place, ty) = self.place(place)?;
                self.fill(&place, ty, 1);
                Ok(())
            }
            StmtKind::Undefine(place) => {
                let (place, ty) = self.place(place)?;
                self.fill(&place, ty, 0);
                Ok(())
            }
            StmtKind::Error => {
                let always = self.store.bool(true);
                self.fail(always);
                Ok(())
            }
            StmtKind::Assert(condition) => {
                let holds = self.truth(condition)?;
                let fails = self.store.not(holds);
                self.fail(fails);
                Ok(())
            }
            StmtKind::Return(value) => {
                match (value, self.result) {
                    (Some(value), Some((slot, ty))) => {
                        let place = vec![(self.store.bool(true), slot)];
                        self.assign(&place, ty, value)?;
                    }
                    (Some(value), None) => {
                        return Err(unfit(value.span, "there is no result here"));
                    }
                    (None, _) => {}
                }
                self.returned = self.store.bool(true);
                Ok(())
            }
        }
    }

    fn cases(&mut self, cases: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) -> Fallible<()> {
        let Some(((condition, then), rest)) = cases.split_first() else {
            return self.stmts(otherwise);
        };
        let condition = self.truth(condition)?;
        self.branch(condition, |scene| scene.stmts(then), |scene| scene.cases(rest, otherwise))
    }

    fn switch(
        &mut self,
        conditions: &[TermId],
        cases: &[(Vec<Expr>, Vec<Stmt>)],
        otherwise: &[Stmt],
    ) -> Fallible<()> {
        let (Some((condition, later)), Some(((_, then), rest))) =
            (conditions.split_first(), cases.split_first())
        else {
            return self.stmts(otherwise);
        };
        let other = |scene: &mut Self| scene.switch(later, rest, otherwise);
        self.branch(*condition, |scene| scene.stmts(then), other)
    }

    /// The rounds of a loop from here on; `open` of those before had a condition that depends on the state.
    fn rounds(
        &mut self,
        condition: &Expr,
        body: &[Stmt],
        done: usize,
        open: usize,
    ) -> Fallible<()> {
        let mut done = done;
        loop {
            let holds = self.truth(condition)?;
            if done == MAX_ROUNDS {
                self.fail(holds);
                return Ok(());
            }
            match self.store.literal_value(holds) {
                Some(Value::Bool(true)) => {
                    self.stmts(body)?;
                    done += 1;
                    if self.returned == self.store.bool(true) {
                        return Ok(());
                    }
                }
                Some(_) => return Ok(()),
                None if open == MAX_OPEN_ROUNDS => {
                    return Err(untreated(
                        condition.span,
                        "how often this loop goes round is not known",
                    ));
                }
                None => {
                    let again = |scene: &mut Self| {
                        scene.stmts(body)?;
                        scene.rounds(condition, body, done + 1, open + 1)
                    };
                    return self.branch(holds, again, |_| Ok(()));
                }
            }
        }
    }

    /// Makes names of places and values known.
    pub(super) fn aliases(&mut self, names: &[(String, Expr)]) -> Fallible<()> {
        for (name, expr) in names {
            let is_place = match &expr.kind {
                ExprKind::Name(name) => {
                    matches!(self.meaning(name, expr.span)?, Meaning::Place(..))
                }
                ExprKind::Field(..) | ExprKind::Index(..) => true,
                _ => false,
            };
            let meaning = match is_place {
                true => {
                    let (place, ty) = self.place(expr)?;
                    Meaning::Place(place, ty)
                }
                false => Meaning::Value(self.value(expr)?),
            };
            self.scope.push((name.clone(), meaning));
        }
        Ok(())
    }

    /// Copies a value to a place; what is undefined stays so.
    fn assign(&mut self, place: &Place, ty: TypeId, value: &Expr) -> Fallible<()> {
        if self.types.simple(ty).is_some() {
            let value_here = self.value(value)?;
            let is_copy = matches!(
                value.kind,
                ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Call(..)
            );
            let code = self.code(value_here, ty, is_copy, value.span)?;
            self.write(place, 0, code);
            return Ok(());
        }
        let (from, from_type) = self.place(value)?;
        if !self.types.is_alike(ty, from_type) {
            return Err(unfit(value.span, "a value of another type is expected here"));
        }
        let codes: Vec<TermId> =
            (0..self.types.size(ty)).map(|offset| self.read(&from, offset)).collect();
        for (offset, code) in codes.into_iter().enumerate() {
            self.write(place, offset, code);
        }
        Ok(())
    }

    fn write(&mut self, place: &Place, offset: usize, code: TermId) {
        for (when, first) in place {
            let slot = first + offset;
            self.slots[slot] = self.store.ite(*when, code, self.slots[slot]);
        }
    }

    /// Gives all parts of a place this code: 0 is undefined, 1 the first value.
    fn fill(&mut self, place: &Place, ty: TypeId, code: u64) {
        let mut parts = Vec::new();
        self.types.slots(ty, "", &mut parts);
        for (offset, (_, part)) in parts.into_iter().enumerate() {
            let simple = self.types.simple(part).expect("a slot has a simple type");
            let code = simple.term(&mut self.store, code);
            self.write(place, offset, code);
        }
    }

    /// Runs a procedure; where its result lies, if it is a function.
    pub(super) fn call(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
        is_function: bool,
    ) -> Fallible<(Place, TypeId)> {
        let Some(&procedure) = self.procedures.get(name) else {
            return Err(unfit(span, &format!("`{name}` is no procedure")));
        };
        if procedure.params.len() != args.len() || is_function && procedure.result.is_none() {
            return Err(unfit(span, &format!("`{name}` is called in another way than declared")));
        }
        if self.calls == MAX_CALLS {
            return Err(untreated(span, "recursion is not treated"));
        }
        let always = self.store.bool(true);
        let mut bound = Vec::new();
        // The result and the parameters lie above all that is there, and are forgotten by whoever called.
        let first = match &procedure.result {
            Some(result) => {
                let ty = self.ty(result, None)?;
                Some((self.allocate(ty, span)?, ty))
            }
            None => None,
        };
        for (param, arg) in procedure.params.iter().zip(args) {
            let ty = self.ty(&param.ty, None)?;
            let place = if param.is_var {
                let (place, given) = self.place(arg)?;
                if !self.types.is_alike(ty, given) {
                    return Err(unfit(arg.span, "a variable of another type is expected here"));
                }
                place
            } else {
                let place = vec![(always, self.allocate(ty, arg.span)?)];
                self.assign(&place, ty, arg)?;
                place
            };
            bound.push((param.name.clone(), Meaning::Place(place, ty)));
        }
        let outside = self.scope.split_off(self.globals);
        self.scope.extend(bound);
        let no = self.store.bool(false);
        let (returned, result) =
            (std::mem::replace(&mut self.returned, no), std::mem::replace(&mut self.result, first));
        self.calls += 1;
        let done = self.body(&procedure.body);
        self.calls -= 1;
        (self.returned, self.result) = (returned, result);
        self.scope.truncate(self.globals);
        self.scope.extend(outside);
        done?;
        Ok(match first {
            Some((slot, ty)) => (vec![(always, slot)], ty),
            None => (Vec::new(), super::shape::TRUTH),
        })
    }
}
