//! What is applied, and applying it.
//!
//! The head of an application is a symbol, `(_ …)` with indices, or `(as …)` with a sort. Its
//! meaning is settled when it is read, and the arguments' sorts are checked when the application
//! closes; integers are made real where a real is wanted.

use super::Fallible;
use super::context::Macro;
use super::cursor::shorten;
use super::indexed::{Indexed, takes_no_arguments};
use super::lex::Token;
use super::operators::{self, How, OPERATORS, Place, fit, sort_error};
use super::scope::{Meaning, NameId};
use super::term::{Done, TermParser};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{CtorId, FuncId, Op, Sort, SortError, SortId, TermId};

/// What is applied.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    Operator(How),
    Func(FuncId),
    Macro(u32),
    Data(NameId),
    Tester(NameId),
    Ctor(CtorId),
    Indexed(Indexed),
    Size,
    ConstArray(SortId),
}

impl TermParser<'_, '_, '_> {
    pub(super) fn callee(&mut self, head: Token) -> Fallible<Callee> {
        let text = self.cursor.bytes_of(head);
        let name = self.context.scope.name(text);
        Ok(match self.context.scope.meaning(name) {
            Meaning::Operator(position) => {
                let operator = &OPERATORS[position as usize];
                if let Some(note) = operator.note {
                    let message = format!("`{}` {note}", operator.name);
                    let hint = "ubv_to_int and sbv_to_int mean the same everywhere";
                    let warning = Diagnostic::warning(Code::SmtMeaning, head.span(), message);
                    self.context.warn_once(operator.name, warning.hint(hint));
                }
                Callee::Operator(operator.how)
            }
            Meaning::Func(func) => Callee::Func(func),
            Meaning::Macro(position) => Callee::Macro(position),
            Meaning::Data => Callee::Data(name),
            Meaning::Value(_) => {
                return Err(takes_no_arguments(self.cursor.text_of(head), head.span()));
            }
            Meaning::Undeclared if text == b"_size" && self.context.sizes.is_treated => {
                Callee::Size
            }
            Meaning::Undeclared => {
                let tester = text.strip_prefix(b"is-");
                let tester = tester.and_then(|ctor| self.context.scope.find(ctor));
                match tester {
                    Some(ctor) if !self.context.datatypes.candidates(ctor).is_empty() => {
                        Callee::Tester(ctor)
                    }
                    _ => return Err(self.context.undeclared(self.cursor, head)),
                }
            }
        })
    }

    /// Reads `_ …)` or `as …)` in the place of an operator.
    pub(super) fn qualified_callee(&mut self, start: u32) -> Fallible<Callee> {
        if self.cursor.is_word("_") {
            self.cursor.take();
            let indexed = self.context.parse_indexed(self.cursor, start)?;
            return Ok(Callee::Indexed(indexed));
        }
        if !self.cursor.is_word("as") {
            return Err(self.cursor.unexpected("`_` or `as`"));
        }
        self.cursor.take();
        if self.cursor.is_word("const") {
            self.cursor.take();
            let sort = self.context.parse_sort(self.cursor)?;
            self.cursor.close("a closing parenthesis after the sort")?;
            if !matches!(self.context.store.sort_of(sort), Sort::Array(..)) {
                let shown = shorten(&self.context.store.show_sort(sort));
                let message = format!("`const` makes arrays, but the sort is {shown}");
                let span = self.cursor.span_from(start);
                return Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)));
            }
            return Ok(Callee::ConstArray(sort));
        }
        let (token, sort) = self.qualified()?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        if let Some(data) = self.context.data_of(sort)
            && let Some(ctor) = self.context.constructor_in(name, data)
        {
            return Ok(Callee::Ctor(ctor));
        }
        match self.context.scope.meaning(name) {
            Meaning::Func(func) if self.context.store.func(func).result == sort => {
                Ok(Callee::Func(func))
            }
            _ => Err(self.no_such(token, sort)),
        }
    }

    /// Reads `name sort)`.
    fn qualified(&mut self) -> Fallible<(Token, SortId)> {
        let token = self.cursor.symbol("an identifier")?;
        let sort = self.context.parse_sort(self.cursor)?;
        self.cursor.close("a closing parenthesis after the sort")?;
        Ok((token, sort))
    }

    pub(super) fn qualified_constant(&mut self, start: u32) -> Fallible<TermId> {
        let (token, sort) = self.qualified()?;
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        if let Some(data) = self.context.data_of(sort)
            && let Some(ctor) = self.context.constructor_in(name, data)
        {
            let whole = self.cursor.span_from(start);
            let place = Place { name: self.cursor.text_of(token), spans: &[], whole };
            return self.context.construct(ctor, &mut [], &place);
        }
        let term = self.constant(token)?;
        if self.context.store.sort(term) == sort {
            Ok(term)
        } else {
            Err(self.no_such(token, sort))
        }
    }

    fn no_such(&self, token: Token, sort: SortId) -> Box<Diagnostic> {
        let name = shorten(self.cursor.text_of(token));
        let sort = shorten(&self.context.store.show_sort(sort));
        let message = format!("there is no `{name}` of sort {sort}");
        Box::new(Diagnostic::error(Code::SmtSort, token.span(), message))
    }

    /// Builds an application from the arguments on the stack.
    pub(super) fn apply(
        &mut self,
        callee: Callee,
        base: usize,
        start: u32,
        head: Token,
    ) -> Fallible<Done> {
        let whole = self.cursor.span_from(start);
        let mut terms = std::mem::take(&mut self.stack.terms);
        let mut spans = std::mem::take(&mut self.stack.spans);
        let args = &mut terms[base..];
        let result = match callee {
            Callee::Func(func) => self.apply_func(func, args, &spans[base..], whole, head),
            _ => {
                let name = self.cursor.text_of(head);
                let place = Place { name, spans: &spans[base..], whole };
                match callee {
                    Callee::Operator(how) => {
                        operators::apply(&mut self.context.store, how, args, &place)
                    }
                    Callee::Macro(position) => self.apply_macro(position, args, &place),
                    Callee::Data(name) => self.context.apply_data(name, args, &place),
                    Callee::Tester(name) => self.context.apply_tester(name, args, &place),
                    Callee::Ctor(ctor) => self.context.construct(ctor, args, &place),
                    Callee::Indexed(indexed) => self.context.apply_indexed(indexed, args, &place),
                    Callee::Size => self.context.apply_size(args, &place),
                    Callee::ConstArray(sort) => self.apply_const(sort, args, &place),
                    Callee::Func(_) => Err(takes_no_arguments(name, whole)),
                }
            }
        };
        terms.truncate(base);
        spans.truncate(base);
        (self.stack.terms, self.stack.spans) = (terms, spans);
        Ok(Done { term: result?, span: whole })
    }

    pub(super) fn apply_func(
        &mut self,
        func: FuncId,
        args: &mut [TermId],
        spans: &[Span],
        whole: Span,
        head: Token,
    ) -> Fallible<TermId> {
        let store = &mut self.context.store;
        let decl = store.func(func);
        let is_atom = decl.result == SortId::BOOL;
        let wants = decl.args.len();
        if wants != args.len() {
            let name = shorten(self.cursor.text_of(head));
            let message = format!("`{name}` takes {wants} arguments, but got {}", args.len());
            return Err(Box::new(Diagnostic::error(Code::SmtSort, whole, message)));
        }
        if decl.args.contains(&SortId::REAL) {
            let sorts = decl.args.clone();
            fit(store, args, &sorts);
        }
        let term = store.app(Op::Apply(func), args).map_err(|error| {
            let place = Place { name: self.cursor.text_of(head), spans, whole };
            sort_error(store, &place, &error, |index| index)
        })?;
        if is_atom {
            self.context.atoms.push((term, whole));
        }
        Ok(term)
    }

    fn apply_macro(
        &mut self,
        position: u32,
        args: &mut [TermId],
        place: &Place<'_>,
    ) -> Fallible<TermId> {
        let context = &mut *self.context;
        let Macro { params, body } = &context.macros[position as usize];
        let body = *body;
        if params.len() != args.len() {
            let name = shorten(place.name);
            let message =
                format!("`{name}` takes {} arguments, but got {}", params.len(), args.len());
            return Err(Box::new(Diagnostic::error(Code::SmtSort, place.whole, message)));
        }
        let params = params.clone();
        let sorts: Vec<SortId> = params.iter().map(|&param| context.store.sort(param)).collect();
        fit(&mut context.store, args, &sorts);
        for (position, (&arg, &sort)) in args.iter().zip(&sorts).enumerate() {
            let got = context.store.sort(arg);
            if got != sort {
                let wants = format!("of sort {}", shorten(&context.store.show_sort(sort)));
                let error = SortError::Argument { index: position, wants, got };
                return Err(sort_error(&context.store, place, &error, |index| index));
            }
        }
        context.has_mixed_names |= context.store.has_quantifier(body);
        let term = context.store.rename(body, &params, args);
        // The atoms of the definition stand where it is used.
        if context.store.has_apply(term) {
            context.atoms.push((term, place.whole));
        }
        Ok(term)
    }

    fn apply_const(
        &mut self,
        sort: SortId,
        args: &mut [TermId],
        place: &Place<'_>,
    ) -> Fallible<TermId> {
        let store = &mut self.context.store;
        let Sort::Array(_, element) = *store.sort_of(sort) else {
            return Err(takes_no_arguments(place.name, place.whole));
        };
        fit(store, args, &[element]);
        match *args {
            [value] if store.sort(value) == element => Ok(store.const_array(sort, value)),
            [value] => {
                let wants = format!("of sort {}", shorten(&store.show_sort(element)));
                let got = store.sort(value);
                let error = SortError::Argument { index: 0, wants, got };
                Err(sort_error(store, place, &error, |index| index))
            }
            _ => {
                let error = SortError::Arity { wants: "one argument", got: args.len() };
                Err(sort_error(store, place, &error, |index| index))
            }
        }
    }
}
