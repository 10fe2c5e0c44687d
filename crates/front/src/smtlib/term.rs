//! Terms: from tokens to the store in one pass, with a stack of our own.
//!
//! A frame is an expression that has been opened: an application waiting for arguments, a `let`
//! waiting for values or its body, a quantifier, an annotation, a `match`. Finished arguments
//! wait on a stack beside. So depth costs memory but no recursion, and an application is built
//! from a slice of that stack without copying. What binders do is in `binders`, `match` in
//! `matching`.
//!
//! In an *assertion* the outermost universal quantifiers are not built but collected: they are a
//! clause's variables, and the store would drop those that do not occur.

use super::Fallible;
use super::context::{Context, Macro};
use super::cursor::{Cursor, shorten};
use super::indexed::{Indexed, takes_no_arguments};
use super::lex::{Kind, Token};
use super::matching::Match;
use super::operators::{self, How, OPERATORS, Place, fit, sort_error};
use super::scope::{Mark, Meaning, NameId};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Bv, CtorId, FuncId, Int, MAX_WIDTH, Op, Rat, Sort, SortId, TermId};

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
    ConstArray(SortId),
}

/// An expression that has been opened.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// An application; its arguments start at `base`.
    Apply { callee: Callee, base: u32, start: u32, head: Token },
    /// A value of a `let`; the names of this `let` start at `names`, the values at `base`.
    LetValue { names: u32, base: u32, start: u32 },
    /// The body of a `let`.
    LetBody { mark: Mark, start: u32 },
    /// The body of a quantifier; its variables start at `vars`.
    Quantifier { op: Op, mark: Mark, vars: u32, start: u32, is_outermost: bool },
    /// The term under an annotation.
    Annotated { start: u32, is_outermost: bool },
    /// The term a `match` looks at.
    Scrutinee { start: u32 },
    /// The term of a case.
    Case { mark: Mark, start: u32 },
}

/// Storage that is kept between terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) frames: Vec<Frame>,
    pub(super) terms: Vec<TermId>,
    pub(super) spans: Vec<Span>,
    pub(super) names: Vec<NameId>,
    pub(super) vars: Vec<TermId>,
    pub(super) matches: Vec<Match>,
}

/// An assertion: a formula under universally quantified variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Assertion {
    pub(super) vars: Vec<TermId>,
    pub(super) body: Option<TermId>,
    pub(super) name: Option<String>,
}

pub(super) struct TermParser<'c, 'p, 't> {
    pub(super) context: &'c mut Context,
    pub(super) cursor: &'p mut Cursor<'t>,
    pub(super) stack: Buffers,
    /// In an assertion, what its outermost binders gave.
    pub(super) assertion: Option<Assertion>,
    /// How many frames from the bottom are outermost binders of an assertion.
    pub(super) outermost: usize,
}

/// A finished expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) term: TermId,
    pub(super) span: Span,
}

impl Context {
    /// Reads a term.
    pub fn parse_term(&mut self, cursor: &mut Cursor<'_>) -> Fallible<TermId> {
        self.run_parser(cursor, None).map(|(term, _)| term)
    }

    /// Reads a formula; its outermost universal quantifiers become variables of the assertion.
    pub(super) fn parse_assertion(&mut self, cursor: &mut Cursor<'_>) -> Fallible<Assertion> {
        let start = cursor.peek().start;
        let (term, assertion) = self.run_parser(cursor, Some(Assertion::default()))?;
        if self.store.sort(term) != SortId::BOOL {
            let sort = shorten(&self.store.show_sort(self.store.sort(term)));
            let message = format!("a formula expected, but the term has sort {sort}");
            let span = cursor.span_from(start);
            return Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)));
        }
        Ok(Assertion { body: Some(term), ..assertion.unwrap_or_default() })
    }

    fn run_parser(
        &mut self,
        cursor: &mut Cursor<'_>,
        assertion: Option<Assertion>,
    ) -> Fallible<(TermId, Option<Assertion>)> {
        self.atoms.clear();
        let stack = std::mem::take(&mut self.buffers);
        let mark = self.scope.mark();
        let mut parser = TermParser { context: self, cursor, stack, assertion, outermost: 0 };
        let result = parser.run();
        let (mut stack, assertion) = (parser.stack, parser.assertion);
        if result.is_err() {
            stack.frames.clear();
            stack.terms.clear();
            stack.spans.clear();
            stack.names.clear();
            stack.vars.clear();
            stack.matches.clear();
            self.scope.undo(mark);
        }
        self.buffers = stack;
        Ok((result?, assertion))
    }
}

impl TermParser<'_, '_, '_> {
    fn run(&mut self) -> Fallible<TermId> {
        loop {
            let Some(mut done) = self.begin()? else { continue };
            // A finished expression may finish the ones around it.
            loop {
                let Some(frame) = self.stack.frames.last().copied() else { return Ok(done.term) };
                let next = match frame {
                    Frame::Apply { callee, base, start, head } => {
                        self.stack.terms.push(done.term);
                        self.stack.spans.push(done.span);
                        if self.cursor.peek().kind != Kind::Close {
                            break;
                        }
                        self.cursor.take();
                        Some(self.apply(callee, base as usize, start, head)?)
                    }
                    Frame::LetValue { names, base, start } => {
                        self.end_let_value(done, names as usize, base as usize, start)?;
                        None
                    }
                    Frame::LetBody { mark, start } => Some(self.end_let(done, mark, start)?),
                    Frame::Quantifier { op, mark, vars, start, is_outermost } => {
                        let vars = vars as usize;
                        Some(self.end_quantifier(done, op, mark, vars, start, is_outermost)?)
                    }
                    Frame::Annotated { start, is_outermost } => {
                        Some(self.end_annotation(done, start, is_outermost)?)
                    }
                    Frame::Scrutinee { start } => {
                        self.begin_cases(done, start)?;
                        None
                    }
                    Frame::Case { mark, start } => self.end_case(done, mark, start)?,
                };
                match next {
                    Some(outer) => done = outer,
                    None => break,
                }
                self.stack.frames.pop();
                self.outermost = self.outermost.min(self.stack.frames.len());
            }
        }
    }

    pub(super) fn done(&self, term: TermId, start: u32) -> Done {
        Done { term, span: self.cursor.span_from(start) }
    }

    /// Reads an atom, or opens a frame.
    fn begin(&mut self) -> Fallible<Option<Done>> {
        let token = self.cursor.peek();
        let term = match token.kind {
            Kind::Symbol => {
                let text = self.cursor.bytes_of(token);
                if super::cursor::is_reserved(text) {
                    return Err(self.cursor.unexpected("a term"));
                }
                self.cursor.take();
                self.constant(token)?
            }
            Kind::Open => {
                self.cursor.take();
                return self.begin_list(token);
            }
            Kind::Numeral | Kind::Decimal | Kind::Hex | Kind::Binary => {
                self.cursor.take();
                self.literal(token)?
            }
            Kind::Quoted => {
                self.cursor.take();
                self.constant(token)?
            }
            Kind::String => {
                let message = "there is no treatment of strings";
                let diagnostic = Diagnostic::unsupported(Code::SmtSort, token.span(), message);
                return Err(Box::new(diagnostic));
            }
            _ => return Err(self.cursor.unexpected("a term")),
        };
        Ok(Some(Done { term, span: token.span() }))
    }

    fn literal(&mut self, token: Token) -> Fallible<TermId> {
        let bytes = self.cursor.bytes_of(token);
        let store = &mut self.context.store;
        let too_wide = || {
            let message = format!("the word has more than {MAX_WIDTH} bits");
            Box::new(Diagnostic::unsupported(Code::SmtSort, token.span(), message))
        };
        let bad = || {
            let message = "the number cannot be read";
            Box::new(Diagnostic::error(Code::SmtLex, token.span(), message))
        };
        match token.kind {
            Kind::Numeral if bytes.len() <= 18 => {
                let value = bytes.iter().fold(0i64, |n, digit| 10 * n + i64::from(digit - b'0'));
                Ok(store.int(value))
            }
            Kind::Numeral => Ok(store.int(Int::parse_decimal(bytes).ok_or_else(bad)?)),
            Kind::Decimal => Ok(store.real(Rat::parse_decimal(bytes).ok_or_else(bad)?)),
            _ => {
                let bits = if token.kind == Kind::Hex { 4 } else { 1 };
                if (bytes.len() - 2) * bits > MAX_WIDTH as usize {
                    return Err(too_wide());
                }
                let digits = &bytes[2..];
                let value = match token.kind {
                    Kind::Hex => Bv::parse_hex(digits),
                    _ => Bv::parse_binary(digits),
                };
                Ok(store.bv(value.ok_or_else(bad)?))
            }
        }
    }

    /// A symbol that stands alone.
    fn constant(&mut self, token: Token) -> Fallible<TermId> {
        let name = self.context.scope.name(self.cursor.bytes_of(token));
        match self.context.scope.meaning(name) {
            Meaning::Value(term) => Ok(term),
            Meaning::Func(func) => self.apply_func(func, &mut [], &[], token.span(), token),
            Meaning::Data => {
                let text = self.cursor.text_of(token);
                let place = Place { name: text, spans: &[], whole: token.span() };
                self.context.apply_data(name, &mut [], &place)
            }
            Meaning::Macro(_) | Meaning::Operator(_) => {
                let name = shorten(self.cursor.text_of(token));
                let message = format!("`{name}` needs arguments");
                Err(Box::new(Diagnostic::error(Code::SmtSort, token.span(), message)))
            }
            Meaning::Undeclared => Err(self.context.undeclared(self.cursor, token)),
        }
    }

    /// Reads what follows an opening parenthesis up to the first argument.
    fn begin_list(&mut self, open: Token) -> Fallible<Option<Done>> {
        let head = self.cursor.peek();
        let start = open.start;
        match head.kind {
            Kind::Symbol => {
                let word = self.cursor.bytes_of(head);
                match word {
                    b"let" => return self.begin_let(start).map(|()| None),
                    b"forall" => return self.begin_quantifier(Op::Forall, start).map(|()| None),
                    b"exists" => return self.begin_quantifier(Op::Exists, start).map(|()| None),
                    b"!" => return self.begin_annotation(start).map(|()| None),
                    b"match" => {
                        self.cursor.take();
                        self.stack.frames.push(Frame::Scrutinee { start });
                        return Ok(None);
                    }
                    b"_" => {
                        self.cursor.take();
                        let Indexed::Value(term) =
                            self.context.parse_indexed(self.cursor, start)?
                        else {
                            return Err(self.needs_arguments(start));
                        };
                        return Ok(Some(self.done(term, start)));
                    }
                    b"as" => {
                        self.cursor.take();
                        let term = self.qualified_constant(start)?;
                        return Ok(Some(self.done(term, start)));
                    }
                    b"lambda" => {
                        let message = "there is no treatment of functions as values";
                        let diagnostic =
                            Diagnostic::unsupported(Code::SmtSyntax, head.span(), message);
                        return Err(Box::new(diagnostic));
                    }
                    _ => {
                        if super::cursor::is_reserved(word) {
                            return Err(self.cursor.unexpected("an operator"));
                        }
                        self.cursor.take();
                        let callee = self.callee(head)?;
                        self.open_application(callee, start, head)
                    }
                }
            }
            Kind::Quoted => {
                self.cursor.take();
                let callee = self.callee(head)?;
                self.open_application(callee, start, head)
            }
            Kind::Open => {
                self.cursor.take();
                let callee = self.qualified_callee(head.start)?;
                let head = Token { end: self.cursor.last_end(), ..head };
                self.open_application(callee, start, head)
            }
            _ => Err(self.cursor.unexpected("an operator")),
        }
    }

    fn open_application(
        &mut self,
        callee: Callee,
        start: u32,
        head: Token,
    ) -> Fallible<Option<Done>> {
        if self.cursor.peek().kind == Kind::Close {
            self.cursor.take();
            return Err(self.needs_arguments(start));
        }
        let base = self.stack.terms.len() as u32;
        self.stack.frames.push(Frame::Apply { callee, base, start, head });
        Ok(None)
    }

    fn needs_arguments(&self, start: u32) -> Box<Diagnostic> {
        let message = "an application needs arguments";
        let span = self.cursor.span_from(start);
        let diagnostic = Diagnostic::error(Code::SmtSyntax, span, message);
        Box::new(diagnostic.hint("a constant is written without parentheses"))
    }

    fn callee(&mut self, head: Token) -> Fallible<Callee> {
        let text = self.cursor.bytes_of(head);
        let name = self.context.scope.name(text);
        Ok(match self.context.scope.meaning(name) {
            Meaning::Operator(position) => Callee::Operator(OPERATORS[position as usize].how),
            Meaning::Func(func) => Callee::Func(func),
            Meaning::Macro(position) => Callee::Macro(position),
            Meaning::Data => Callee::Data(name),
            Meaning::Value(_) => {
                return Err(takes_no_arguments(self.cursor.text_of(head), head.span()));
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
    fn qualified_callee(&mut self, start: u32) -> Fallible<Callee> {
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

    fn qualified_constant(&mut self, start: u32) -> Fallible<TermId> {
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
    fn apply(&mut self, callee: Callee, base: usize, start: u32, head: Token) -> Fallible<Done> {
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

    fn apply_func(
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
                let error = alphorn_term::SortError::Argument { index: position, wants, got };
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
                let error = alphorn_term::SortError::Argument { index: 0, wants, got };
                Err(sort_error(store, place, &error, |index| index))
            }
            _ => {
                let error =
                    alphorn_term::SortError::Arity { wants: "one argument", got: args.len() };
                Err(sort_error(store, place, &error, |index| index))
            }
        }
    }
}
