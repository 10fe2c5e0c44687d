//! `match`: a choice by constructor, as nested conditionals over testers and selectors.
//!
//! A case `((cons h t) body)` binds `h` and `t` to selectors applied to the term that is matched,
//! as `let` would. The first case that fits counts, and the last one needs no test, because the
//! cases must cover all constructors.

use super::Fallible;
use super::cursor::shorten;
use super::lex::Kind;
use super::operators::unify_numbers;
use super::scope::Mark;
use super::term::{Done, Frame, TermParser};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{CtorId, DataId, Op, TermId};

/// A `match` whose cases are being read.
#[derive(Clone, Debug)]
pub(super) struct Match {
    scrutinee: TermId,
    data: DataId,
    /// The constructor a case is for (`None`: any), its term and where that stands.
    cases: Vec<(Option<CtorId>, TermId, Span)>,
    /// What the case being read is for.
    current: Option<CtorId>,
}

fn error<T>(code: Code, span: Span, message: String) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(code, span, message)))
}

impl TermParser<'_, '_, '_> {
    pub(super) fn begin_cases(&mut self, done: Done, start: u32) -> Fallible<()> {
        let sort = self.context.store.sort(done.term);
        let Some(data) = self.context.data_of(sort) else {
            let sort = shorten(&self.context.store.show_sort(sort));
            let message = format!("`match` needs a term of a datatype, but this has sort {sort}");
            return error(Code::SmtSort, done.span, message);
        };
        self.cursor.open("the list of cases")?;
        let scrutinee = done.term;
        self.stack.matches.push(Match { scrutinee, data, cases: Vec::new(), current: None });
        self.stack.frames.pop();
        self.begin_case(start)
    }

    /// Reads `(pattern` and opens the case.
    fn begin_case(&mut self, start: u32) -> Fallible<()> {
        self.cursor.open("a case")?;
        let mark = self.context.scope.mark();
        let Some(open) = self.stack.matches.last() else {
            return Err(self.cursor.unexpected("a case"));
        };
        let (scrutinee, data) = (open.scrutinee, open.data);
        let current = if self.cursor.eat(Kind::Open).is_some() {
            Some(self.constructor_pattern(scrutinee, data)?)
        } else {
            self.name_pattern(scrutinee, data)?
        };
        if let Some(open) = self.stack.matches.last_mut() {
            open.current = current;
        }
        self.stack.frames.push(Frame::Case { mark, start });
        Ok(())
    }

    /// A constructor without fields, a variable or `_`.
    fn name_pattern(&mut self, scrutinee: TermId, data: DataId) -> Fallible<Option<CtorId>> {
        if self.cursor.is_word("_") {
            self.cursor.take();
            return Ok(None);
        }
        let token = self.cursor.symbol("a pattern")?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        let Some(ctor) = self.context.constructor_in(name, data) else {
            self.context.scope.bind(name, scrutinee);
            return Ok(None);
        };
        let fields = self.context.store.ctor(ctor).fields.len();
        if fields > 0 {
            let name = shorten(self.cursor.text_of(token));
            let message = format!("the constructor `{name}` has {fields} fields");
            return error(Code::SmtSyntax, token.span(), message);
        }
        Ok(Some(ctor))
    }

    fn constructor_pattern(&mut self, scrutinee: TermId, data: DataId) -> Fallible<CtorId> {
        let token = self.cursor.symbol("a constructor")?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        let Some(ctor) = self.context.constructor_in(name, data) else {
            let sort = self.context.store.data(data).sort;
            let sort = shorten(&self.context.store.show_sort(sort));
            let name = shorten(self.cursor.text_of(token));
            let message = format!("`{name}` is no constructor of the sort {sort}");
            return error(Code::SmtSort, token.span(), message);
        };
        let mut names = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            if self.cursor.is_word("_") {
                self.cursor.take();
                names.push(None);
                continue;
            }
            if self.cursor.peek().kind == Kind::Open {
                let message = "a pattern inside a pattern is not part of SMT-LIB".to_owned();
                return error(Code::SmtSyntax, self.cursor.peek().span(), message);
            }
            let token = self.cursor.symbol("a variable")?;
            let name = self.context.scope.name(self.cursor.bytes_of(token));
            if names.contains(&Some(name)) {
                let name = shorten(self.cursor.text_of(token));
                let message = format!("the variable `{name}` is bound twice by one pattern");
                return error(Code::SmtRedeclared, token.span(), message);
            }
            names.push(Some(name));
        }
        let fields = self.context.store.ctor(ctor).fields.len();
        if fields != names.len() {
            let name = shorten(self.cursor.text_of(token));
            let message =
                format!("the constructor `{name}` has {fields} fields, but got {}", names.len());
            return error(Code::SmtSyntax, token.span(), message);
        }
        for (field, name) in names.into_iter().enumerate() {
            if let Some(name) = name {
                let op = Op::Field(ctor, field as u32);
                let value = self.context.store.mk(op, &[scrutinee]);
                self.context.scope.bind(name, value);
            }
        }
        Ok(ctor)
    }

    /// Ends a case, and the `match` if it was the last one.
    pub(super) fn end_case(
        &mut self,
        done: Done,
        mark: Mark,
        start: u32,
    ) -> Fallible<Option<Done>> {
        self.cursor.close("a closing parenthesis after the case")?;
        self.context.scope.undo(mark);
        if let Some(open) = self.stack.matches.last_mut() {
            let current = open.current;
            open.cases.push((current, done.term, done.span));
        }
        if self.cursor.peek().kind == Kind::Open {
            self.stack.frames.pop();
            self.begin_case(start)?;
            return Ok(None);
        }
        self.cursor.close("a further case or a closing parenthesis")?;
        self.cursor.close("a closing parenthesis after the cases")?;
        let Some(finished) = self.stack.matches.pop() else {
            return Err(self.cursor.unexpected("a case"));
        };
        let term = self.build_match(&finished, self.cursor.span_from(start))?;
        Ok(Some(self.done(term, start)))
    }

    fn build_match(&mut self, finished: &Match, whole: Span) -> Fallible<TermId> {
        let store = &mut self.context.store;
        let any = finished.cases.iter().position(|(ctor, _, _)| ctor.is_none());
        let missing =
            store.data(finished.data).ctors.iter().find(|&&ctor| {
                !finished.cases.iter().any(|(covered, _, _)| *covered == Some(ctor))
            });
        if let (Some(&missing), None) = (missing, any) {
            let name = shorten(store.name(store.ctor(missing).name));
            let message = format!("no case covers the constructor `{name}`");
            let diagnostic = Diagnostic::error(Code::SmtSyntax, whole, message);
            return Err(Box::new(diagnostic.hint("add a case, or one with `_` as its pattern")));
        }
        let last = any.unwrap_or(finished.cases.len() - 1);
        let mut branches: Vec<TermId> = finished.cases.iter().map(|case| case.1).collect();
        unify_numbers(store, &mut branches);
        let sort = store.sort(branches[0]);
        if let Some(position) = branches.iter().position(|&branch| store.sort(branch) != sort) {
            let (wants, got) =
                (store.show_sort(sort), store.show_sort(store.sort(branches[position])));
            let message = format!(
                "`match`: this case has sort {}, but the first has sort {}",
                shorten(&got),
                shorten(&wants)
            );
            return error(Code::SmtSort, finished.cases[position].2, message);
        }
        let mut result = branches[last];
        for position in (0..last).rev() {
            if let Some(ctor) = finished.cases[position].0 {
                let test = store.mk(Op::Is(ctor), &[finished.scrutinee]);
                result = store.ite(test, branches[position], result);
            }
        }
        Ok(result)
    }
}
