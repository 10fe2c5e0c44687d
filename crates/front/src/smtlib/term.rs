//! Terms: from tokens to the store in one pass, with a stack of our own.
//!
//! A frame is an expression that has been opened: an application waiting for arguments, a `let`
//! waiting for values or its body, a quantifier, an annotation, a `match`. Finished arguments
//! wait on a stack beside. So depth costs memory but no recursion, and an application is built
//! from a slice of that stack without copying. Applications are in `apply`, binders in
//! `binders`, `match` in `matching`.
//!
//! In an *assertion* the outermost universal quantifiers are not built but collected: they are a
//! clause's variables, and the store would drop those that do not occur.

mod literal;

use super::Fallible;
use super::apply::Callee;
use super::context::Context;
use super::cursor::{Cursor, shorten};
use super::indexed::Indexed;
use super::lex::{Kind, Token};
use super::matching::Match;
use super::scope::{Mark, NameId};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Annotations, Op, SortId, TermId};

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
    /// What is said about the quantifiers that are open, the innermost last.
    pub(super) annotations: Vec<Annotations>,
}

/// An assertion: a formula under universally quantified variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Assertion {
    pub(super) vars: Vec<TermId>,
    pub(super) body: Option<TermId>,
    pub(super) name: Option<String>,
    /// What is said about its variables.
    pub(super) annotations: Vec<Annotations>,
}

pub(super) struct TermParser<'c, 'p, 't> {
    pub(super) context: &'c mut Context,
    pub(super) cursor: &'p mut Cursor<'t>,
    pub(super) stack: Buffers,
    /// In an assertion, what its outermost binders gave.
    pub(super) assertion: Option<Assertion>,
    /// How many frames from the bottom are outermost binders of an assertion.
    pub(super) outermost: usize,
    /// Whether the term being read belongs to a pattern.
    pub(super) is_in_pattern: bool,
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
        self.named.clear();
        let stack = std::mem::take(&mut self.buffers);
        let mark = self.scope.mark();
        let mut parser = TermParser {
            context: self,
            cursor,
            stack,
            assertion,
            outermost: 0,
            is_in_pattern: false,
        };
        let result = parser.run();
        let (mut stack, assertion) = (parser.stack, parser.assertion);
        if result.is_err() {
            stack.frames.clear();
            stack.terms.clear();
            stack.spans.clear();
            stack.names.clear();
            stack.vars.clear();
            stack.matches.clear();
            stack.annotations.clear();
            self.scope.undo(mark);
        }
        self.buffers = stack;
        Ok((result?, assertion))
    }
}

impl TermParser<'_, '_, '_> {
    /// Reads a term on top of the frames that are open.
    pub(super) fn run(&mut self) -> Fallible<TermId> {
        let base = self.stack.frames.len();
        loop {
            let Some(mut done) = self.begin()? else { continue };
            self.check_effort(done.span)?;
            // A finished expression may finish the ones around it.
            loop {
                let open = &self.stack.frames[base..];
                let Some(frame) = open.last().copied() else { return Ok(done.term) };
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
                    Some(outer) => {
                        self.check_effort(outer.span)?;
                        done = outer;
                    }
                    None => break,
                }
                self.stack.frames.pop();
                self.outermost = self.outermost.min(self.stack.frames.len());
            }
        }
    }

    fn check_effort(&self, span: Span) -> Fallible<()> {
        if !self.context.is_exhausted() {
            return Ok(());
        }
        let message = "the terms up to here take more memory than the length of the text allows";
        Err(Box::new(Diagnostic::unsupported(Code::SmtSyntax, span, message)))
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

    /// Reads what follows an opening parenthesis up to the first argument.
    fn begin_list(&mut self, open: Token) -> Fallible<Option<Done>> {
        let head = self.cursor.peek();
        let start = open.start;
        match head.kind {
            Kind::Symbol => {
                let word = self.cursor.bytes_of(head);
                match word {
                    b"let" => self.begin_let(start).map(|()| None),
                    b"forall" => self.begin_quantifier(Op::Forall, start).map(|()| None),
                    b"exists" => self.begin_quantifier(Op::Exists, start).map(|()| None),
                    b"!" => self.begin_annotation(start).map(|()| None),
                    b"match" => {
                        self.cursor.take();
                        self.stack.frames.push(Frame::Scrutinee { start });
                        Ok(None)
                    }
                    b"_" => {
                        self.cursor.take();
                        let Indexed::Value(term) =
                            self.context.parse_indexed(self.cursor, start)?
                        else {
                            return Err(self.needs_arguments(start));
                        };
                        Ok(Some(self.done(term, start)))
                    }
                    b"as" => {
                        self.cursor.take();
                        let term = self.qualified_constant(start)?;
                        Ok(Some(self.done(term, start)))
                    }
                    b"lambda" => {
                        let message = "there is no treatment of functions as values";
                        let diagnostic =
                            Diagnostic::unsupported(Code::SmtSyntax, head.span(), message);
                        Err(Box::new(diagnostic))
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
}
