//! The statements of a procedure, one after the other, with places for labels.

use super::expression::Expression;
use super::{Action, Place, Reader, Statement, Variable, untreated};
use crate::diag::{Code, Diagnostic};
use crate::infix::{Fallible, Kind};
use alphorn_problem::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Labels of a procedure, and where they are asked for.
#[derive(Default)]
struct Labels<'t> {
    places: BTreeMap<&'t str, Place>,
    /// What is filled in when all labels are known: a statement, which of its places, and the label.
    wanted: Vec<(usize, usize, &'t str, Span)>,
}

impl<'t> Reader<'t> {
    /// The statements up to `end`, and the thread's end behind them.
    pub(super) fn body(&mut self) -> Fallible<()> {
        let mut labels = Labels::default();
        self.block(&["end"], &mut labels)?;
        let span = self.cursor.expect("end")?.span;
        self.push(Action::End, span);
        for (at, which, label, span) in labels.wanted {
            let Some(&place) = labels.places.get(label) else {
                let message = format!("there is no label {label}");
                return Err(Box::new(Diagnostic::error(Code::BooleanName, span, message)));
            };
            match &mut self.program.statements[at].action {
                Action::Goto(places) => places[which] = place,
                Action::Start(to) => *to = place,
                Action::Branch(_, places) => places[which] = Some(place),
                _ => unreachable!("labels are asked for by these"),
            }
        }
        Ok(())
    }

    fn push(&mut self, action: Action, span: Span) -> usize {
        self.program.statements.push(Statement { action, span });
        self.program.statements.len() - 1
    }

    /// Statements up to one of some words.
    fn block(&mut self, ends: &[&str], labels: &mut Labels<'t>) -> Fallible<()> {
        self.enter()?;
        while !ends.iter().any(|end| self.cursor.is(end)) {
            self.labelled(labels)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn labelled(&mut self, labels: &mut Labels<'t>) -> Fallible<()> {
        let token = self.cursor.peek();
        let is_label = matches!(token.kind, Kind::Name | Kind::Number)
            && self.cursor.peek_second().kind == Kind::Symbol(":");
        if is_label {
            self.cursor.take();
            self.cursor.take();
            let name = self.cursor.text(token.span);
            if labels.places.insert(name, self.program.statements.len()).is_some() {
                let message = format!("the label {name} stands twice");
                return Err(Box::new(Diagnostic::error(Code::BooleanName, token.span, message)));
            }
            // A label may stand before the end.
            return Ok(());
        }
        let start = token.span;
        self.statement(start, labels)
    }

    fn statement(&mut self, start: Span, labels: &mut Labels<'t>) -> Fallible<()> {
        let word = self.cursor.text(start);
        if self.cursor.peek().kind == Kind::Name && !matches!(word, "if" | "atomic") {
            let action = self.simple(word, labels)?;
            if let Some(action) = action {
                let span = self.cursor.span_from(start);
                self.push(action, span);
            }
            self.cursor.expect(";")?;
            return Ok(());
        }
        match word {
            "if" => self.choice(start, labels),
            "atomic" => {
                self.cursor.take();
                self.cursor.expect("{")?;
                self.push(Action::AtomicBegin, start);
                self.block(&["}"], labels)?;
                let end = self.cursor.expect("}")?.span;
                self.push(Action::AtomicEnd, end);
                self.cursor.eat(";");
                Ok(())
            }
            _ => Err(self.cursor.unexpected("a statement")),
        }
    }

    /// A statement that ends with a semicolon; none if it is put where it belongs already.
    fn simple(&mut self, word: &str, labels: &mut Labels<'t>) -> Fallible<Option<Action>> {
        let start = self.cursor.peek().span;
        let single = match word {
            "skip" => Some(Action::Skip),
            "wait" => Some(Action::Wait),
            "broadcast" => Some(Action::Broadcast),
            "atomic_begin" => Some(Action::AtomicBegin),
            "atomic_end" => Some(Action::AtomicEnd),
            "end_thread" | "return" => Some(Action::End),
            _ => None,
        };
        if single.is_some() {
            self.cursor.take();
            return Ok(single);
        }
        match word {
            "goto" => {
                self.cursor.take();
                self.goto(start, labels)?;
                Ok(None)
            }
            "start_thread" => {
                self.cursor.take();
                self.cursor.eat("goto");
                let at = self.program.statements.len();
                self.label(at, 0, labels)?;
                Ok(Some(Action::Start(0)))
            }
            "assume" | "assert" => {
                self.cursor.take();
                self.cursor.expect("(")?;
                let formula = self.old_expression()?;
                self.cursor.expect(")")?;
                let is_assert = word == "assert";
                Ok(Some(if is_assert { Action::Assert(formula) } else { Action::Assume(formula) }))
            }
            _ if self.cursor.peek_second().kind == Kind::Symbol("(") => {
                Err(untreated(start, "calls are not treated"))
            }
            _ => Ok(Some(self.assignment()?)),
        }
    }

    fn goto(&mut self, start: Span, labels: &mut Labels<'t>) -> Fallible<()> {
        let at = self.push(Action::Goto(Vec::new()), start);
        let mut count = 0;
        loop {
            self.label(at, count, labels)?;
            count += 1;
            if self.cursor.eat(",").is_none() {
                break;
            }
        }
        self.program.statements[at].action = Action::Goto(vec![0; count]);
        Ok(())
    }

    /// A label that a statement asks for.
    fn label(&mut self, at: usize, which: usize, labels: &mut Labels<'t>) -> Fallible<()> {
        let token = self.cursor.peek();
        if !matches!(token.kind, Kind::Name | Kind::Number) {
            return Err(self.cursor.unexpected("a label"));
        }
        self.cursor.take();
        labels.wanted.push((at, which, self.cursor.text(token.span), token.span));
        Ok(())
    }

    /// A formula about values before the statement.
    fn old_expression(&mut self) -> Fallible<Expression> {
        let start = self.cursor.peek().span;
        let expression = self.expression()?;
        let span = self.cursor.span_from(start);
        if expression.has(&|part| matches!(part, Expression::New(_))) {
            let message = "new values are named behind `constrain` only";
            return Err(Box::new(Diagnostic::error(Code::BooleanSyntax, span, message)));
        }
        Ok(expression)
    }

    /// `x, y := e, f constrain g`.
    fn assignment(&mut self) -> Fallible<Action> {
        let mut variables = Vec::new();
        let mut seen: BTreeSet<Variable> = BTreeSet::new();
        loop {
            let span = self.cursor.peek().span;
            let variable = self.variable()?;
            if !seen.insert(variable) {
                let message = "the variable gets two values at once";
                return Err(Box::new(Diagnostic::error(Code::BooleanSyntax, span, message)));
            }
            variables.push(variable);
            if self.cursor.eat(",").is_none() {
                break;
            }
        }
        self.cursor.expect(":=")?;
        let mut pairs = Vec::new();
        for (at, variable) in variables.into_iter().enumerate() {
            if at > 0 {
                self.cursor.expect(",")?;
            }
            pairs.push((variable, self.old_expression()?));
        }
        let mut constraint = None;
        if self.cursor.eat("constrain").is_some() {
            let start = self.cursor.peek().span;
            let formula = self.expression()?;
            let is_changed = |part: &Expression| matches!(part, Expression::Old(variable) if seen.contains(variable));
            if formula.has(&is_changed) {
                let span = self.cursor.span_from(start);
                let message = "a variable that the statement changes is named here without saying which value is meant";
                let diagnostic = Diagnostic::unsupported(Code::BooleanUntreated, span, message);
                return Err(Box::new(diagnostic.hint(
                    "the new value of x is written 'x; the old one can be kept in another variable",
                )));
            }
            constraint = Some(formula);
        }
        Ok(Action::Assign(pairs, constraint))
    }

    /// `if e then goto L; else goto M; fi`: one step.
    fn choice(&mut self, start: Span, labels: &mut Labels<'t>) -> Fallible<()> {
        self.cursor.take();
        let formula = self.old_expression()?;
        self.cursor.expect("then")?;
        let at = self.program.statements.len();
        let mut places = [None, None];
        for (which, word) in ["then", "else"].into_iter().enumerate() {
            if which == 1 && self.cursor.eat(word).is_none() {
                continue;
            }
            if self.cursor.eat("goto").is_some() {
                self.label(at, which, labels)?;
                places[which] = Some(0);
            } else if self.cursor.eat("skip").is_none() {
                let span = self.cursor.peek().span;
                return Err(untreated(
                    span,
                    "other than goto and skip inside an if is not treated",
                ));
            }
            self.cursor.expect(";")?;
        }
        self.cursor.expect("fi")?;
        let span = self.cursor.span_from(start);
        self.push(Action::Branch(formula, places), span);
        self.cursor.eat(";");
        Ok(())
    }
}
