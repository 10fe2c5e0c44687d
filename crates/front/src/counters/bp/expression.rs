//! Formulas of Boolean programs, and what they may be.
//!
//! Each `*` chooses for itself, so the parts of a formula choose independently, and what a formula may be is found from
//! what its parts may be.

use super::{Reader, Variable};
use crate::diag::{Code, Diagnostic};
use crate::infix::{Fallible, Kind};

/// The deepest nesting that is read.
pub(super) const MAX_DEPTH: u32 = 200;

/// A formula.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Constant(bool),
    Choice,
    Old(Variable),
    /// The value after the statement.
    New(Variable),
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Equal(Box<(Expression, Expression)>),
    Ite(Box<(Expression, Expression, Expression)>),
}

impl Expression {
    /// Whether it may be 0, and whether it may be 1, with the values before and after.
    pub fn values(
        &self,
        old: &dyn Fn(Variable) -> bool,
        new: &dyn Fn(Variable) -> bool,
    ) -> [bool; 2] {
        let is = |value: bool| [!value, value];
        match self {
            Expression::Constant(value) => is(*value),
            Expression::Choice => [true, true],
            Expression::Old(variable) => is(old(*variable)),
            Expression::New(variable) => is(new(*variable)),
            Expression::Not(part) => {
                let [no, yes] = part.values(old, new);
                [yes, no]
            }
            Expression::And(parts) => parts.iter().fold([false, true], |[no, yes], part| {
                let part = part.values(old, new);
                [no || part[0], yes && part[1]]
            }),
            Expression::Or(parts) => parts.iter().fold([true, false], |[no, yes], part| {
                let part = part.values(old, new);
                [no && part[0], yes || part[1]]
            }),
            Expression::Equal(pair) => {
                let (left, right) = (pair.0.values(old, new), pair.1.values(old, new));
                let same = (left[0] && right[0]) || (left[1] && right[1]);
                let other = (left[0] && right[1]) || (left[1] && right[0]);
                [other, same]
            }
            Expression::Ite(parts) => {
                let condition = parts.0.values(old, new);
                let (then, otherwise) = (parts.1.values(old, new), parts.2.values(old, new));
                let may = |at: usize| (condition[1] && then[at]) || (condition[0] && otherwise[at]);
                [may(0), may(1)]
            }
        }
    }

    /// Whether it has a part of some kind.
    pub fn has(&self, kind: &dyn Fn(&Expression) -> bool) -> bool {
        kind(self)
            || match self {
                Expression::Constant(_)
                | Expression::Choice
                | Expression::Old(_)
                | Expression::New(_) => false,
                Expression::Not(part) => part.has(kind),
                Expression::And(parts) | Expression::Or(parts) => {
                    parts.iter().any(|part| part.has(kind))
                }
                Expression::Equal(pair) => pair.0.has(kind) || pair.1.has(kind),
                Expression::Ite(parts) => {
                    parts.0.has(kind) || parts.1.has(kind) || parts.2.has(kind)
                }
            }
    }

    fn not(self) -> Expression {
        Expression::Not(Box::new(self))
    }
}

impl Reader<'_> {
    /// A formula. `&` binds more strongly than `|`; beside other operators parentheses are asked for.
    pub(super) fn expression(&mut self) -> Fallible<Expression> {
        self.enter()?;
        let expression = self.whole_expression();
        self.depth -= 1;
        expression
    }

    /// Goes one level deeper.
    pub(super) fn enter(&mut self) -> Fallible<()> {
        if self.depth == MAX_DEPTH {
            let span = self.cursor.peek().span;
            let message = "this is nested more deeply than this program reads";
            return Err(Box::new(Diagnostic::error(Code::BooleanSyntax, span, message)));
        }
        self.depth += 1;
        Ok(())
    }

    fn whole_expression(&mut self) -> Fallible<Expression> {
        let (left, is_plain) = self.disjunction()?;
        let operator = self.cursor.peek();
        let Kind::Symbol(symbol @ ("=" | "==" | "!=" | "^" | "=>" | "?")) = operator.kind else {
            return Ok(left);
        };
        if !is_plain {
            return Err(self.cursor.unexpected("parentheses around what stands beside this"));
        }
        self.cursor.take();
        let (right, is_plain) = self.disjunction()?;
        if !is_plain {
            return Err(self.cursor.unexpected("parentheses around what stands before this"));
        }
        Ok(match symbol {
            "=" | "==" => Expression::Equal(Box::new((left, right))),
            "!=" | "^" => Expression::Equal(Box::new((left, right))).not(),
            "=>" => Expression::Or(vec![left.not(), right]),
            _ => {
                self.cursor.expect(":")?;
                let (otherwise, _) = self.disjunction()?;
                Expression::Ite(Box::new((left, right, otherwise)))
            }
        })
    }

    /// A disjunction; whether it is a single part.
    fn disjunction(&mut self) -> Fallible<(Expression, bool)> {
        let (first, mut is_plain) = self.conjunction()?;
        let mut parts = vec![first];
        while self.cursor.eat("|").or_else(|| self.cursor.eat("||")).is_some() {
            parts.push(self.conjunction()?.0);
            is_plain = false;
        }
        let only = parts.len() == 1;
        Ok((if only { parts.remove(0) } else { Expression::Or(parts) }, is_plain))
    }

    fn conjunction(&mut self) -> Fallible<(Expression, bool)> {
        let mut parts = vec![self.unary()?];
        while self.cursor.eat("&").or_else(|| self.cursor.eat("&&")).is_some() {
            parts.push(self.unary()?);
        }
        let only = parts.len() == 1;
        Ok((if only { parts.remove(0) } else { Expression::And(parts) }, only))
    }

    fn unary(&mut self) -> Fallible<Expression> {
        let mut is_negated = false;
        while self.cursor.eat("!").or_else(|| self.cursor.eat("~")).is_some() {
            is_negated = !is_negated;
        }
        let expression = self.operand()?;
        Ok(if is_negated { expression.not() } else { expression })
    }

    fn operand(&mut self) -> Fallible<Expression> {
        if self.cursor.eat("(").is_some() {
            let expression = self.expression()?;
            self.cursor.expect(")")?;
            return Ok(expression);
        }
        if self.cursor.eat("*").is_some() {
            return Ok(Expression::Choice);
        }
        if self.cursor.eat("'").is_some() {
            return Ok(Expression::New(self.variable()?));
        }
        if self.cursor.eat("schoose").is_some() {
            // The first says that it is 1, the second that it is 0; if neither does, it is either.
            self.cursor.expect("[")?;
            let yes = self.expression()?;
            self.cursor.expect(",")?;
            let no = self.expression()?;
            self.cursor.expect("]")?;
            let otherwise = Expression::And(vec![no.not(), Expression::Choice]);
            return Ok(Expression::Or(vec![yes, otherwise]));
        }
        let token = self.cursor.peek();
        match (token.kind, self.cursor.text(token.span)) {
            (Kind::Number, value @ ("0" | "1")) => {
                self.cursor.take();
                Ok(Expression::Constant(value == "1"))
            }
            (Kind::Name, _) => Ok(Expression::Old(self.variable()?)),
            _ => Err(self.cursor.unexpected("a formula")),
        }
    }
}
