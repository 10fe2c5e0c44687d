//! What expressions mean on an edge: terms, calls, frames.

mod operator;

use crate::diag::{Code, Diagnostic};
use crate::infix::{Cursor, Fallible, Node, Shape, Tree, decimal, integer};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::VarId;
use alphorn_term::{SortId, TermId};
use std::collections::BTreeMap;

/// The variables that can be named, and what stands for their values after an edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'t> {
    pub vars: BTreeMap<&'t str, VarId>,
    /// The terms of primed names; none where there is nothing after.
    pub next: BTreeMap<VarId, TermId>,
    pub has_next: bool,
}

/// A call as it is written.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub name: Span,
    pub args: Vec<TermId>,
    pub results: Vec<VarId>,
}

/// What an expression is.
#[derive(Clone, Debug)]
enum Value {
    /// A name, not looked at yet.
    Name(Span),
    Term(TermId),
    /// `havoc(…)`.
    Frame(Vec<VarId>),
    Call(Call),
    /// A conjunction with calls or frames in it.
    Parts(Parts),
}

/// What an edge says, taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub formulas: Vec<TermId>,
    /// The variables that may change, if the edge says.
    pub frame: Option<Vec<VarId>>,
    pub call: Option<Call>,
}

pub(super) fn error<T>(code: Code, span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(code, span, message)))
}

/// Evaluates expressions of one system.
pub(super) struct Evaluator<'t, 'a> {
    pub cursor: &'a Cursor<'t>,
    pub program: &'a mut Program,
    pub names: &'a mut Names<'t>,
    /// What quantifiers bind, innermost last.
    pub bound: Vec<Vec<(&'t str, TermId)>>,
}

impl<'t> Evaluator<'t, '_> {
    /// A formula without calls and frames.
    pub(super) fn formula(&mut self, tree: &Tree) -> Fallible<TermId> {
        let value = self.value(tree)?;
        self.truth(value, tree.span)
    }

    /// What an edge says.
    pub(super) fn parts(&mut self, tree: &Tree) -> Fallible<Parts> {
        match self.value(tree)? {
            Value::Parts(parts) => Ok(parts),
            Value::Frame(frame) => Ok(Parts { frame: Some(frame), ..Parts::default() }),
            Value::Call(call) => Ok(Parts { call: Some(call), ..Parts::default() }),
            other => {
                let formulas = vec![self.truth(other, tree.span)?];
                Ok(Parts { formulas, ..Parts::default() })
            }
        }
    }

    fn value(&mut self, tree: &Tree) -> Fallible<Value> {
        tree.fold(|node, operands| {
            if node.shape == Shape::Binding {
                let bound = self.bindings(node.span)?;
                self.bound.push(bound);
                return Ok(None);
            }
            self.node(node, operands).map(Some)
        })
    }

    fn node(&mut self, node: Node, mut operands: Vec<Value>) -> Fallible<Value> {
        let span = node.span;
        let term = match node.shape {
            Shape::Name => return Ok(Value::Name(span)),
            Shape::Number => {
                let value = integer(self.cursor.text(span));
                self.program.terms.int(value)
            }
            Shape::Decimal => {
                let value = decimal(self.cursor.text(span));
                self.program.terms.real(value)
            }
            Shape::Call(_) if self.cursor.text(span) == "havoc" => {
                return self.frame(operands).map(Value::Frame);
            }
            Shape::Call(_) => {
                let args: Fallible<Vec<TermId>> =
                    operands.into_iter().map(|operand| self.term(operand, span)).collect();
                return Ok(Value::Call(Call { name: span, args: args?, results: Vec::new() }));
            }
            Shape::Binder(word) => {
                let body = self.truth(operands.remove(0), span)?;
                let bound = self.bound.pop().unwrap_or_default();
                let vars: Vec<TermId> = bound.into_iter().map(|(_, term)| term).collect();
                match word {
                    "forall" => self.program.terms.forall(&vars, body),
                    _ => self.program.terms.exists(&vars, body),
                }
            }
            Shape::Prefix("-") => {
                let inner = self.number(operands.remove(0), span)?;
                self.program.terms.neg(inner)
            }
            Shape::Prefix(_) => {
                let inner = self.truth(operands.remove(0), span)?;
                self.program.terms.not(inner)
            }
            Shape::Infix("and" | "&&") => return self.conjunction(operands, span),
            Shape::Infix(word @ ("or" | "||" | "imply" | "->" | "equiv" | "<->")) => {
                let terms: Fallible<Vec<TermId>> =
                    operands.into_iter().map(|operand| self.truth(operand, span)).collect();
                let (terms, store) = (terms?, &mut self.program.terms);
                match word {
                    "or" | "||" => store.or(&terms),
                    "imply" | "->" => store.implies(terms[0], terms[1]),
                    _ => store.eq(terms[0], terms[1]),
                }
            }
            Shape::Infix(word @ ("+" | "-" | "*" | "/" | "%")) => {
                self.arithmetic(word, operands, span)?
            }
            Shape::Infix(word) => {
                if let (Value::Name(name), Value::Call(call), true) =
                    (&operands[0], &operands[1], matches!(word, "=" | "=="))
                {
                    let results = vec![self.primed(*name)?];
                    return Ok(Value::Call(Call { results, ..call.clone() }));
                }
                self.comparison(word, operands, span)?
            }
            _ => return error(Code::NtsSyntax, span, "this is neither a number nor a formula"),
        };
        Ok(Value::Term(term))
    }

    /// The names of a frame.
    fn frame(&mut self, operands: Vec<Value>) -> Fallible<Vec<VarId>> {
        let mut vars = Vec::with_capacity(operands.len());
        for operand in operands {
            let Value::Name(span) = operand else {
                return error(Code::NtsSyntax, Span::NONE, "havoc takes names of variables");
            };
            let var = self.variable(self.cursor.text(span), span)?;
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
        Ok(vars)
    }

    /// The variable of a primed name.
    pub(super) fn primed(&mut self, span: Span) -> Fallible<VarId> {
        let text = self.cursor.text(span);
        match text.strip_suffix('\'') {
            Some(name) => self.variable(name, span),
            None => {
                let message =
                    format!("what a call returns goes to primed names, and `{text}` has no prime");
                error(Code::NtsSyntax, span, message)
            }
        }
    }

    fn variable(&self, name: &str, span: Span) -> Fallible<VarId> {
        if let Some(&var) = self.names.vars.get(name) {
            return Ok(var);
        }
        let message = format!("`{name}` is not declared");
        let mut diagnostic = Diagnostic::error(Code::NtsUndeclared, span, message);
        if let Some(near) = nearest(name, self.names.vars.keys().copied()) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        Err(Box::new(diagnostic))
    }

    /// The value of a name.
    fn named(&mut self, span: Span) -> Fallible<TermId> {
        let text = self.cursor.text(span);
        let bound = self.bound.iter().rev().flatten().find(|(name, _)| *name == text);
        if let Some((_, term)) = bound {
            return Ok(*term);
        }
        if !self.names.vars.contains_key(text) && matches!(text, "true" | "false") {
            return Ok(self.program.terms.bool(text == "true"));
        }
        let Some(name) = text.strip_suffix('\'') else {
            return Ok(self.program.term(self.variable(text, span)?));
        };
        let var = self.variable(name, span)?;
        if !self.names.has_next {
            return error(
                Code::NtsSyntax,
                span,
                "there is no value after the beginning: leave the prime out",
            );
        }
        Ok(self.next(var))
    }

    /// What stands for the value of a variable after an edge.
    pub(super) fn next(&mut self, var: VarId) -> TermId {
        if let Some(&term) = self.names.next.get(&var) {
            return term;
        }
        let (name, sort) = (format!("{}'", self.program.var(var).name), self.program.var(var).sort);
        let term = self.program.terms.fresh_var(&name, sort);
        self.names.next.insert(var, term);
        term
    }

    fn term(&mut self, value: Value, span: Span) -> Fallible<TermId> {
        match value {
            Value::Name(name) => self.named(name),
            Value::Term(term) => Ok(term),
            Value::Call(call) => error(
                Code::NtsSyntax,
                call.name,
                "a call stands alone on its edge, or as what a name is",
            ),
            Value::Frame(_) | Value::Parts(_) => {
                error(Code::NtsSyntax, span, "havoc stands beside formulas, not within them")
            }
        }
    }

    fn truth(&mut self, value: Value, span: Span) -> Fallible<TermId> {
        let term = self.term(value, span)?;
        match self.program.terms.sort(term) == SortId::BOOL {
            true => Ok(term),
            false => error(Code::NtsSort, span, "a formula is needed here, and this is a number"),
        }
    }

    fn number(&mut self, value: Value, span: Span) -> Fallible<TermId> {
        let term = self.term(value, span)?;
        match self.program.terms.sort(term).is_arithmetic() {
            true => Ok(term),
            false => error(Code::NtsSort, span, "a number is needed here, and this is a formula"),
        }
    }
}
