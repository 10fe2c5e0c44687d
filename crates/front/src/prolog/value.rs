//! What expressions mean: numbers, formulas, or a name that may become either.

use super::Reader;
use crate::diag::{Code, Diagnostic};
use crate::infix::{Fallible, Node, Shape, Tree, compare, divide, integer, remainder};
use alphorn_problem::Span;
use alphorn_problem::horn::PredId;
use alphorn_term::{Op, SortId, TermId};

/// What an expression is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// A name alone: a variable among numbers, a relation among literals.
    Name(Span),
    /// A number.
    Number(TermId, Span),
    /// A formula, and whether relations are in it.
    Formula { term: TermId, has_relation: bool, span: Span },
}

impl Value {
    fn span(self) -> Span {
        match self {
            Value::Name(span) | Value::Number(_, span) | Value::Formula { span, .. } => span,
        }
    }
}

fn wrong_kind<T>(span: Span, message: &str) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(Code::PrologKind, span, message)))
}

impl Reader<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, tree: &Tree) -> Fallible<Value> {
        tree.fold(|node, operands| self.node(node, operands).map(Some))
    }

    fn node(&mut self, node: Node, operands: Vec<Value>) -> Fallible<Value> {
        let span = node.span;
        match node.shape {
            Shape::Name => Ok(Value::Name(span)),
            Shape::Number => {
                let value = integer(self.cursor.text(span));
                Ok(Value::Number(self.horn.terms.int(value), span))
            }
            Shape::Call(_) => {
                let term = self.atom(span, operands)?;
                let has_relation = term != TermId::FALSE;
                Ok(Value::Formula { term, has_relation, span })
            }
            Shape::Prefix("\\+") => self.negation(operands[0], span),
            Shape::Prefix(word) => {
                let term = self.number(operands[0])?;
                let negated = if word == "-" { self.horn.terms.neg(term) } else { term };
                Ok(Value::Number(negated, span))
            }
            Shape::Infix(word @ ("," | ";")) => self.connective(word, operands, span),
            Shape::Infix(word @ ("+" | "-" | "*" | "/" | "mod")) => {
                let numbers: Fallible<Vec<TermId>> =
                    operands.into_iter().map(|operand| self.number(operand)).collect();
                let (numbers, store) = (numbers?, &mut self.horn.terms);
                let term = match word {
                    "+" => store.add(&numbers),
                    "-" => store.sub(numbers[0], numbers[1]),
                    "*" => store.mul(&numbers),
                    "/" => divide(store, numbers[0], numbers[1]),
                    _ => remainder(store, numbers[0], numbers[1]),
                };
                Ok(Value::Number(term, span))
            }
            Shape::Infix(word) => {
                let left = self.number(operands[0])?;
                let right = self.number(operands[1])?;
                let term = compare(&mut self.horn.terms, word, left, right);
                Ok(Value::Formula { term, has_relation: false, span })
            }
            _ => wrong_kind(span, "this is neither a number nor a formula"),
        }
    }

    /// A value as a number; a name is a variable, `_` one that occurs nowhere else.
    pub(super) fn number(&mut self, value: Value) -> Fallible<TermId> {
        match value {
            Value::Number(term, _) => Ok(term),
            Value::Name(span) => match self.cursor.text(span) {
                "_" => Ok(self.horn.terms.fresh_var("_", SortId::INT)),
                name => Ok(self.horn.terms.var(name, SortId::INT)),
            },
            Value::Formula { span, .. } => {
                wrong_kind(span, "a number is needed here, and this is a formula or a relation")
            }
        }
    }

    /// A value as a formula and whether it has relations; a name is a relation without arguments.
    pub(super) fn formula(&mut self, value: Value) -> Fallible<(TermId, bool)> {
        match value {
            Value::Formula { term, has_relation, .. } => Ok((term, has_relation)),
            Value::Name(span) => match self.cursor.text(span) {
                "true" => Ok((TermId::TRUE, false)),
                "false" | "fail" => Ok((TermId::FALSE, false)),
                "_" => wrong_kind(span, "a literal is needed here, and `_` is a variable"),
                _ => Ok((self.atom(span, Vec::new())?, true)),
            },
            Value::Number(_, span) => {
                wrong_kind(span, "a literal is needed here, and this is a number")
            }
        }
    }

    fn negation(&mut self, operand: Value, span: Span) -> Fallible<Value> {
        let (inner, has_relation) = self.formula(operand)?;
        if has_relation {
            let message = "a relation is negated, which Horn clauses do not allow";
            let place = span.to(operand.span());
            return Err(Box::new(Diagnostic::error(Code::PrologNotHorn, place, message)));
        }
        let term = self.horn.terms.not(inner);
        Ok(Value::Formula { term, has_relation: false, span })
    }

    fn connective(&mut self, word: &str, operands: Vec<Value>, span: Span) -> Fallible<Value> {
        let (mut terms, mut has_relation) = (Vec::with_capacity(operands.len()), false);
        for operand in operands {
            let (term, has) = self.formula(operand)?;
            terms.push(term);
            has_relation |= has;
        }
        let store = &mut self.horn.terms;
        let term = if word == "," { store.and(&terms) } else { store.or(&terms) };
        Ok(Value::Formula { term, has_relation, span })
    }

    /// The relation at `name` on arguments.
    fn atom(&mut self, name: Span, arguments: Vec<Value>) -> Fallible<TermId> {
        let arguments: Fallible<Vec<TermId>> =
            arguments.into_iter().map(|argument| self.number(argument)).collect();
        let arguments = arguments?;
        if arguments.is_empty() && self.cursor.text(name) == "false" {
            return Ok(TermId::FALSE);
        }
        let pred = self.relation(name, arguments.len());
        let func = self.horn.pred(pred).func;
        Ok(self.horn.terms.mk(Op::Apply(func), &arguments))
    }

    /// The relation of a name with so many arguments, declared at its first use. One that shares its
    /// name with another has the number of its arguments in it.
    fn relation(&mut self, name: Span, arity: usize) -> PredId {
        let word = self.cursor.text(name);
        if let Some(&pred) = self.relations.get(&(word, arity)) {
            return pred;
        }
        let is_taken = self.relations.range((word, 0)..=(word, usize::MAX)).next().is_some();
        let full = if is_taken { format!("{word}/{arity}") } else { word.to_owned() };
        let func = self.horn.terms.declare(&full, &vec![SortId::INT; arity], SortId::BOOL);
        let pred = self.horn.add_pred(func, name);
        self.relations.insert((word, arity), pred);
        pred
    }
}
