//! Reading a whole script.
//!
//! Commands are read one after another. A command with an error is reported and left; reading
//! goes on at the next one, so that one run shows several errors. Where the next one starts is
//! found by counting parentheses, or, where those do not balance, by a command at the start of a
//! line. The problem is returned only if nothing worse than a warning was found.

use super::body::Predicates;
use super::clause::{Extracted, extract, not_horn};
use super::command::is_command;
use super::context::{Context, Declared};
use super::cursor::Cursor;
use super::distinct::{clause_terms, distinct_names};
use super::lex::Kind;
use super::recover::recover;
use super::term::Assertion;
use crate::diag::{Code, Diagnostic, Read, Severity};
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use std::collections::BTreeSet;

/// How a script asks its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `assert` and `check-sat`: sat means safe.
    Horn,
    /// Z3's `rule` and `query`: sat means that the query can be reached, so unsafe.
    Fixedpoint,
}

/// What a script says about its answer, in its own dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`
    Unknown,
}

/// A script as read.
#[derive(Clone, Debug)]
pub struct Script {
    /// The problem.
    pub horn: Horn,
    /// How the question is asked.
    pub dialect: Dialect,
    /// The answer the script promises with `(set-info :status …)`.
    pub status: Option<Status>,
}

impl Script {
    /// Whether the script promises that the problem is safe.
    pub fn promises_safe(&self) -> Option<bool> {
        match (self.status?, self.dialect) {
            (Status::Unknown, _) => None,
            (status, Dialect::Horn) => Some(status == Status::Sat),
            (status, Dialect::Fixedpoint) => Some(status == Status::Unsat),
        }
    }
}

/// What `pop` goes back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) declared: Declared,
    pub(super) clauses: usize,
    pub(super) preds: usize,
}

/// A clause with what the file says about it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    clause: Extracted,
    name: Option<String>,
    span: Span,
}

/// The state of reading a script.
pub(super) struct Reader<'t> {
    pub(super) context: Context,
    pub(super) cursor: Cursor<'t>,
    pub(super) predicates: Predicates,
    pub(super) clauses: Vec<Found>,
    pub(super) preds: Vec<(FuncId, Span)>,
    pub(super) levels: Vec<Level>,
    pub(super) dialect: Option<Dialect>,
    pub(super) status: Option<Status>,
    /// Where the question was asked.
    pub(super) asked: Option<Span>,
    /// Whether declarations outlive `pop`.
    pub(super) keeps_declarations: bool,
    /// Names given to clauses, to keep those we make apart from them.
    clause_names: BTreeSet<String>,
    pub(super) is_over: bool,
}

/// Reads a script.
pub fn read(bytes: &[u8]) -> Read<Script> {
    let mut reader = Reader::new(bytes);
    if bytes.is_empty() {
        reader.report(Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty"));
    } else if u32::try_from(bytes.len()).is_err() {
        let message = "the file is larger than 4 GiB, more than this reader takes";
        reader.report(Diagnostic::error(Code::FileTooLarge, Span::NONE, message));
    } else {
        reader.run();
    }
    reader.finish()
}

impl<'t> Reader<'t> {
    fn new(bytes: &'t [u8]) -> Reader<'t> {
        Reader {
            context: Context::new(Store::new()),
            cursor: Cursor::new(bytes),
            predicates: Predicates::default(),
            clauses: Vec::new(),
            preds: Vec::new(),
            levels: Vec::new(),
            dialect: None,
            status: None,
            asked: None,
            keeps_declarations: false,
            clause_names: BTreeSet::new(),
            is_over: false,
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Warning => self.context.warn(diagnostic),
            _ => self.context.diagnostics.push(diagnostic),
        }
    }

    fn run(&mut self) {
        while !self.is_over && !self.context.diagnostics.is_full() {
            let token = self.cursor.peek();
            match token.kind {
                Kind::End => return,
                Kind::Open => {
                    if let Err(diagnostic) = self.command() {
                        self.recover(token.start, *diagnostic);
                    }
                }
                Kind::Close => {
                    let message = "this parenthesis closes nothing";
                    self.report(Diagnostic::error(Code::SmtParen, token.span(), message));
                    self.cursor.take();
                }
                _ => {
                    let diagnostic = self.cursor.unexpected("a command");
                    self.report(*diagnostic);
                    // One complaint for all that stands between two commands.
                    while !matches!(self.cursor.peek().kind, Kind::End | Kind::Open) {
                        self.cursor.take();
                    }
                }
            }
        }
    }

    /// Reports an error in the command at `start` and goes to the next one.
    fn recover(&mut self, start: u32, diagnostic: Diagnostic) {
        let (diagnostic, resume) = recover(self.cursor.text(), start, diagnostic, is_command);
        self.report(diagnostic);
        self.cursor = Cursor::at(self.cursor.text(), resume as usize);
    }

    /// Notes what a declared function is to clauses; with value Bool it is a predicate.
    pub(super) fn note_function(&mut self, func: FuncId, start: u32) {
        if self.context.store.func(func).result != SortId::BOOL {
            self.predicates.has_background = true;
        } else if self.asked.is_none() {
            let span = Span { start, end: self.cursor.peek().end };
            self.preds.push((func, span));
        }
    }

    /// Turns a formula into clauses.
    pub(super) fn add_clauses(&mut self, assertion: Assertion, formula: TermId, span: Span) {
        let store = &mut self.context.store;
        match extract(store, &mut self.predicates, assertion.vars, formula) {
            Ok(clauses) => {
                let count = clauses.len();
                for (position, clause) in clauses.into_iter().enumerate() {
                    let name = assertion.name.as_ref().map(|name| match count {
                        1 => name.clone(),
                        _ => self.part_name(name, position + 1),
                    });
                    self.clause_names.extend(name.clone());
                    self.clauses.push(Found { clause, name, span });
                }
            }
            Err(reason) => {
                let diagnostic = not_horn(&self.context.store, reason, &self.context.atoms, span);
                self.report(diagnostic);
            }
        }
    }

    /// A name for one of several clauses of an assertion.
    fn part_name(&self, name: &str, part: usize) -> String {
        let mut text = format!("{name}.{part}");
        while self.clause_names.contains(&text)
            || self.context.scope.find(text.as_bytes()).is_some()
        {
            text.push('\'');
        }
        text
    }

    fn finish(mut self) -> Read<Script> {
        if self.asked.is_none() && self.context.diagnostics.is_clean() {
            let (message, hint) = match self.dialect {
                Some(Dialect::Fixedpoint) => ("the script has no query", "add (query …)"),
                _ => ("the script does not ask whether its clauses hold", "add (check-sat)"),
            };
            let end = Span::new(self.cursor.text().len(), self.cursor.text().len());
            self.report(Diagnostic::warning(Code::SmtNoQuery, end, message).hint(hint));
        }
        let mut horn = Horn::new(self.context.store);
        for (func, span) in self.preds {
            horn.add_pred(func, span);
        }
        for found in self.clauses {
            let Extracted { vars, body, head } = found.clause;
            let head = match horn.terms.op(head) {
                Op::Apply(func) => match horn.pred_of(func) {
                    Some(pred) => Head::Atom(pred, horn.terms.args(head).to_vec()),
                    None => continue,
                },
                _ => Head::False,
            };
            horn.clauses.push(Clause { vars, body, head, name: found.name, span: found.span });
        }
        let binds = |clause: &Clause| {
            clause_terms(clause).iter().any(|&term| horn.terms.has_quantifier(term))
        };
        let has_binders = horn.clauses.iter().any(binds);
        if self.context.scope.has_late_names || self.context.has_mixed_names || has_binders {
            horn = distinct_names(&horn).unwrap_or(horn);
        }
        let script =
            Script { horn, dialect: self.dialect.unwrap_or(Dialect::Horn), status: self.status };
        let diagnostics = self.context.diagnostics;
        (diagnostics.is_clean().then_some(script), diagnostics)
    }
}
