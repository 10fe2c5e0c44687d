//! Binders in terms: `let` and quantifiers.
//!
//! `let` binds in parallel: all values are read in the scope outside, then all names are bound at
//! once. It leaves no trace in the term. Quantified variables go through `Scope::bind_var`, which
//! keeps printed names apart.

use super::Fallible;
use super::cursor::shorten;
use super::lex::Kind;
use super::scope::Mark;
use super::term::{Done, Frame, TermParser};
use crate::diag::{Code, Diagnostic};
use alphorn_term::{Annotations, Op, SortId};
use rustc_hash::FxHashSet;

impl TermParser<'_, '_, '_> {
    /// Whether the frame about to be opened stands directly under outermost binders only.
    pub(super) fn at_outermost(&self) -> bool {
        self.assertion.is_some() && self.stack.frames.len() == self.outermost
    }

    pub(super) fn begin_let(&mut self, start: u32) -> Fallible<()> {
        self.cursor.take();
        self.cursor.open("the list of bindings")?;
        let names = self.stack.names.len() as u32;
        let base = self.stack.terms.len() as u32;
        self.begin_let_value()?;
        self.stack.frames.push(Frame::LetValue { names, base, start });
        Ok(())
    }

    fn begin_let_value(&mut self) -> Fallible<()> {
        self.cursor.open("a binding")?;
        let token = self.cursor.symbol("a name to bind")?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        self.stack.names.push(name);
        Ok(())
    }

    pub(super) fn end_let_value(
        &mut self,
        done: Done,
        names: usize,
        base: usize,
        start: u32,
    ) -> Fallible<()> {
        self.cursor.close("a closing parenthesis after the bound term")?;
        self.stack.terms.push(done.term);
        self.stack.spans.push(done.span);
        if self.cursor.peek().kind != Kind::Close {
            return self.begin_let_value();
        }
        self.cursor.take();
        let bound = &self.stack.names[names..];
        let repeated = match bound {
            [_] => None,
            [first, second] => (first == second).then_some(*second),
            _ => {
                let mut seen = FxHashSet::default();
                bound.iter().copied().find(|&name| !seen.insert(name))
            }
        };
        if let Some(name) = repeated {
            let name = shorten(self.context.scope.text(name));
            let message = format!("`{name}` is bound twice in one `let`");
            let span = self.cursor.span_from(start);
            return Err(Box::new(Diagnostic::error(Code::SmtRedeclared, span, message)));
        }
        let mark = self.context.scope.mark();
        for (&name, &term) in bound.iter().zip(&self.stack.terms[base..]) {
            self.context.scope.bind(name, term);
        }
        self.stack.names.truncate(names);
        self.stack.terms.truncate(base);
        self.stack.spans.truncate(base);
        self.stack.frames.pop();
        if self.at_outermost() {
            self.outermost += 1;
        }
        self.stack.frames.push(Frame::LetBody { mark, start });
        Ok(())
    }

    pub(super) fn end_let(&mut self, done: Done, mark: Mark, start: u32) -> Fallible<Done> {
        self.cursor.close("a closing parenthesis after the body of `let`")?;
        self.context.scope.undo(mark);
        Ok(self.done(done.term, start))
    }

    pub(super) fn begin_quantifier(&mut self, op: Op, start: u32) -> Fallible<()> {
        if self.is_in_pattern {
            return Err(self.not_in_pattern("a quantifier"));
        }
        self.cursor.take();
        self.cursor.open("the list of variables")?;
        let is_outermost = op == Op::Forall && self.at_outermost();
        let vars = self.stack.vars.len();
        let mark = self.context.scope.mark();
        // Sorts are read before the variables are bound, so that a name may repeat outside.
        let names = self.stack.names.len();
        while self.cursor.eat(Kind::Close).is_none() {
            self.cursor.open("a variable with its sort")?;
            let token = self.cursor.symbol("a variable")?;
            let sort = self.context.parse_sort(self.cursor)?;
            self.cursor.close("a closing parenthesis after the variable's sort")?;
            let context = &mut *self.context;
            let name = context.scope.name(self.cursor.bytes_of(token));
            self.stack.names.push(name);
            let var = context.scope.bind_var(&mut context.store, name, sort);
            self.stack.vars.push(var);
        }
        let bound = &self.stack.names[names..];
        // A quantifier over several variables is several quantifiers, so a name that is repeated is the last one's, and the
        // one before is not used (SMT-LIB 2.6, section 3.6.1).
        let mut seen = FxHashSet::default();
        for place in (0..bound.len()).rev() {
            if !seen.insert(bound[place]) {
                self.stack.vars.remove(vars + place);
            }
        }
        if bound.is_empty() {
            let message = "a quantifier needs variables";
            let span = self.cursor.span_from(start);
            return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
        }
        self.stack.names.truncate(names);
        if is_outermost {
            self.outermost += 1;
            if let Some(assertion) = &mut self.assertion {
                assertion.vars.extend(&self.stack.vars[vars..]);
            }
        }
        let vars = vars as u32;
        self.stack.annotations.push(Annotations::default());
        self.stack.frames.push(Frame::Quantifier { op, mark, vars, start, is_outermost });
        Ok(())
    }

    pub(super) fn end_quantifier(
        &mut self,
        done: Done,
        op: Op,
        mark: Mark,
        vars: usize,
        start: u32,
        is_outermost: bool,
    ) -> Fallible<Done> {
        self.cursor.close("a closing parenthesis after the quantifier's body")?;
        self.context.scope.undo(mark);
        let store = &mut self.context.store;
        if store.sort(done.term) != SortId::BOOL {
            let sort = shorten(&store.show_sort(store.sort(done.term)));
            let message = format!("the body of a quantifier should be Bool, but has sort {sort}");
            return Err(Box::new(Diagnostic::error(Code::SmtSort, done.span, message)));
        }
        let annotations = self.stack.annotations.pop().unwrap_or_default();
        let term = if is_outermost {
            if let Some(assertion) = &mut self.assertion {
                assertion.annotations.extend((!annotations.is_empty()).then_some(annotations));
            }
            done.term
        } else {
            self.stack.vars.push(done.term);
            let term = store.mk(op, &self.stack.vars[vars..]);
            store.annotate(term, annotations);
            term
        };
        self.stack.vars.truncate(vars);
        Ok(self.done(term, start))
    }
}
