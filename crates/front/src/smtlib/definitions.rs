//! Commands that declare or define symbols and sorts.

use super::Fallible;
use super::context::Macro;
use super::cursor::shorten;
use super::lex::Kind;
use super::operators::fit;
use super::scope::{Meaning, NameId};
use super::script::Reader;
use super::sorts::SortMeaning;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{SortId, TermId};

impl Reader<'_> {
    /// Reads the name of a function that is being declared.
    pub(super) fn new_name(&mut self) -> Fallible<(NameId, Span)> {
        let token = self.cursor.symbol("a name")?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        if !self.context.scope.is_free(name) {
            return Err(self.context.redeclared(name, token.span()));
        }
        Ok((name, token.span()))
    }

    pub(super) fn declare_sort(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("the name of a sort")?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        self.context.check_new_sort(name, token.span())?;
        let arity = match self.cursor.peek().kind {
            Kind::Close => 0,
            _ => self.cursor.small_numeral("the number of arguments")? as usize,
        };
        self.context.sorts.declare(name, SortMeaning::Declared(arity));
        Ok(())
    }

    pub(super) fn define_sort(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("the name of a sort")?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        self.context.check_new_sort(name, token.span())?;
        self.cursor.open("the list of parameters")?;
        let mut params = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            let token = self.cursor.symbol("a parameter")?;
            let param = self.context.scope.name(self.cursor.bytes_of(token));
            if params.contains(&param) {
                return Err(self.context.redeclared(param, token.span()));
            }
            params.push(param);
        }
        let body = self.context.parse_template(&mut self.cursor, &params, 0)?;
        self.context.sorts.declare(name, SortMeaning::Macro(params.len(), body));
        Ok(())
    }

    pub(super) fn declare_fun(&mut self, start: u32) -> Fallible<()> {
        let (name, _) = self.new_name()?;
        self.cursor.open("the list of the arguments' sorts")?;
        let args = self.sorts()?;
        let result = self.context.parse_sort(&mut self.cursor)?;
        self.declare(name, &args, result, start);
        Ok(())
    }

    /// Reads sorts up to and with a closing parenthesis.
    pub(super) fn sorts(&mut self) -> Fallible<Vec<SortId>> {
        let mut sorts = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            sorts.push(self.context.parse_sort(&mut self.cursor)?);
        }
        Ok(sorts)
    }

    pub(super) fn declare_const(&mut self, start: u32) -> Fallible<()> {
        let (name, _) = self.new_name()?;
        let result = self.context.parse_sort(&mut self.cursor)?;
        self.declare(name, &[], result, start);
        Ok(())
    }

    /// Declares a function; with value Bool it is a predicate.
    pub(super) fn declare(&mut self, name: NameId, args: &[SortId], result: SortId, start: u32) {
        let func = self.context.store.declare(self.context.scope.text(name), args, result);
        self.context.scope.declare(name, Meaning::Func(func));
        if result != SortId::BOOL {
            self.predicates.has_background = true;
        } else if self.asked.is_none() {
            let span = Span { start, end: self.cursor.peek().end };
            self.preds.push((func, span));
        }
    }

    pub(super) fn define_fun(&mut self, start: u32) -> Fallible<()> {
        let (name, _) = self.new_name()?;
        self.cursor.open("the list of parameters")?;
        let mark = self.context.scope.mark();
        let result = self.definition();
        self.context.scope.undo(mark);
        let (params, body) = result?;
        self.define(name, params, body, start)
    }

    /// Reads parameters, a sort and a term; the parameters stay bound.
    fn definition(&mut self) -> Fallible<(Vec<TermId>, TermId)> {
        let mut names = Vec::new();
        let mut params = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            self.cursor.open("a parameter with its sort")?;
            let token = self.cursor.symbol("a parameter")?;
            let sort = self.context.parse_sort(&mut self.cursor)?;
            self.cursor.close("a closing parenthesis after the parameter's sort")?;
            let name = self.context.scope.name(self.cursor.bytes_of(token));
            if names.contains(&name) {
                let name = shorten(self.cursor.text_of(token));
                let message = format!("the parameter `{name}` is repeated");
                let diagnostic = Diagnostic::error(Code::SmtRedeclared, token.span(), message);
                return Err(Box::new(diagnostic));
            }
            names.push(name);
            let context = &mut self.context;
            params.push(context.scope.bind_var(&mut context.store, name, sort));
        }
        let body = self.typed_term()?;
        Ok((params, body))
    }

    /// Reads a sort and a term of that sort.
    fn typed_term(&mut self) -> Fallible<TermId> {
        let sort = self.context.parse_sort(&mut self.cursor)?;
        let start = self.cursor.peek().start;
        let mut body = [self.context.parse_term(&mut self.cursor)?];
        fit(&mut self.context.store, &mut body, &[sort]);
        let [body] = body;
        let store = &self.context.store;
        if store.sort(body) == sort {
            return Ok(body);
        }
        let (wants, got) = (store.show_sort(sort), store.show_sort(store.sort(body)));
        let message = format!(
            "the definition should have sort {}, but has sort {}",
            shorten(&wants),
            shorten(&got)
        );
        let span = self.cursor.span_from(start);
        Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)))
    }

    fn define(
        &mut self,
        name: NameId,
        params: Vec<TermId>,
        body: TermId,
        start: u32,
    ) -> Fallible<()> {
        // A name inside the body may have taken this one.
        if !self.context.scope.is_free(name) {
            let span = self.cursor.span_from(start);
            return Err(self.context.redeclared(name, span));
        }
        let meaning = if params.is_empty() {
            Meaning::Value(body)
        } else {
            self.context.macros.push(Macro { params, body });
            Meaning::Macro(self.context.macros.len() as u32 - 1)
        };
        self.context.scope.declare(name, meaning);
        Ok(())
    }

    pub(super) fn define_const(&mut self) -> Fallible<()> {
        let start = self.cursor.peek().start;
        let (name, _) = self.new_name()?;
        let body = self.typed_term()?;
        self.define(name, Vec::new(), body, start)
    }
}
