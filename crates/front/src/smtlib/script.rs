//! Reading a whole script.
//!
//! Commands are read one after another, as `commands` has it; the problem is returned only if nothing
//! worse than a warning was found.
//!
//! Every `check-sat` is a question of its own, about the clauses in force at that point, and so is
//! every `query`.

use super::body::Predicates;
use super::clause::{Extracted, extract, not_horn};
use super::commands::{self, Word};
use super::context::{Context, Declared};
use super::cursor::Cursor;
use super::distinct::{clause_terms, distinct_names};
use super::every::{Interpretations, for_every_interpretation};
use super::heap_clauses::restrict;
use super::heaps::not_treated;
use super::quantified::{instantiate, quantified_parts};
use super::term::Assertion;
use crate::diag::{Code, Diagnostic, Read, Severity};
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_term::{Annotations, FuncId, Op, Sort, SortId, Store, TermId};
use std::collections::BTreeSet;
use std::rc::Rc;

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

/// What a script asks for besides verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The model that shows the last answer.
    Model,
    /// The derivation that shows the last answer.
    Proof,
    /// This piece of information, with its colon: `:reason-unknown`.
    Info(String),
    /// This text.
    Echo(String),
    /// Something that this program does not tell.
    Unsupported(&'static str),
}

/// A script as read.
#[derive(Clone, Debug)]
pub struct Script {
    /// The problem: what the first question is about.
    pub horn: Horn,
    /// What further questions are about, in order.
    pub more: Vec<Horn>,
    /// What is asked for, and after how many questions.
    pub requests: Vec<(usize, Request)>,
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

/// What a question is about.
#[derive(Clone, Debug)]
pub(super) struct Question {
    preds: Vec<(FuncId, Span)>,
    clauses: Vec<Rc<Found>>,
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
    pub(super) clauses: Vec<Rc<Found>>,
    pub(super) preds: Vec<(FuncId, Span)>,
    /// The questions asked with `check-sat` or `query`.
    pub(super) questions: Vec<Question>,
    pub(super) requests: Vec<(usize, Request)>,
    /// Assertions and rules since the last question.
    pub(super) unasked: Vec<Span>,
    pub(super) levels: Vec<Level>,
    pub(super) dialect: Option<Dialect>,
    pub(super) status: Option<Status>,
    /// Where the last question was asked.
    pub(super) asked: Option<Span>,
    /// Whether declarations outlive `pop`.
    pub(super) keeps_declarations: bool,
    /// Which interpretations of declared functions the clauses are to hold for.
    pub(super) interpretations: Interpretations,
    /// Names given to clauses, to keep those we make apart from them.
    clause_names: BTreeSet<String>,
}

/// Reads a script.
pub fn read(bytes: &[u8]) -> Read<Script> {
    let mut reader = Reader::new(bytes);
    if bytes.is_empty() {
        reader.report(Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty"));
    } else if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        reader.report(diagnostic);
    } else {
        reader.run();
    }
    reader.finish()
}

impl<'t> Reader<'t> {
    fn new(bytes: &'t [u8]) -> Reader<'t> {
        let mut context = Context::new(Store::new());
        context.sizes.is_treated = true;
        Reader {
            context,
            cursor: Cursor::new(bytes),
            predicates: Predicates::default(),
            clauses: Vec::new(),
            preds: Vec::new(),
            questions: Vec::new(),
            requests: Vec::new(),
            unasked: Vec::new(),
            levels: Vec::new(),
            dialect: None,
            status: None,
            asked: None,
            keeps_declarations: false,
            interpretations: Interpretations::default(),
            clause_names: BTreeSet::new(),
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Warning => self.context.warn(diagnostic),
            _ => self.context.diagnostics.push(diagnostic),
        }
    }

    fn run(&mut self) {
        while !self.context.diagnostics.is_full() {
            match commands::next(self) {
                None | Some(Ok((Word::Exit, _))) => return,
                Some(Ok(_)) => {}
                Some(Err(diagnostic)) => self.report(diagnostic),
            }
        }
    }

    /// Notes what a declared function is to clauses; with value Bool it is a predicate.
    pub(super) fn note_function(&mut self, func: FuncId, start: u32) {
        if self.context.store.func(func).result != SortId::BOOL {
            self.predicates.has_background = true;
        } else {
            let span = Span { start, end: self.cursor.peek().end };
            self.preds.push((func, span));
        }
    }

    /// Turns a formula into clauses.
    pub(super) fn add_clauses(&mut self, assertion: Assertion, formula: TermId, span: Span) {
        self.add_sizes();
        let store = &mut self.context.store;
        match extract(store, &mut self.predicates, assertion.vars, formula) {
            Ok(clauses) => {
                let count = clauses.len();
                for (position, mut clause) in clauses.into_iter().enumerate() {
                    if self.context.sizes.are_used()
                        && let Err(diagnostic) = self.context.expand_sizes(&mut clause, span)
                    {
                        return self.report(*diagnostic);
                    }
                    let Context { store, heap, .. } = &mut self.context;
                    if let Some(heap) = heap
                        && let Err(what) = restrict(store, heap, &mut clause)
                    {
                        let diagnostic = *not_treated(span, what);
                        return self.report(diagnostic);
                    }
                    if !quantified_parts(&self.context.store, clause.body).is_empty() {
                        self.warn_of_instances(span);
                    }
                    annotate(&mut self.context.store, &clause, &assertion.annotations);
                    let name = assertion.name.as_ref().map(|name| match count {
                        1 => name.clone(),
                        _ => self.part_name(name, position + 1),
                    });
                    self.clause_names.extend(name.clone());
                    self.clauses.push(Rc::new(Found { clause, name, span }));
                }
            }
            Err(reason) => {
                let diagnostic = not_horn(&self.context.store, reason, &self.context.atoms, span);
                self.report(diagnostic);
            }
        }
    }

    /// Complains about assertions that may be axioms or queries: what they spoke of may have been simplified away.
    fn refuse_unclear(&mut self, question: &Question) {
        for found in &question.clauses {
            let Extracted { body, head, .. } = &found.clause;
            let store = &self.context.store;
            let speaks = [*body, *head].iter().any(|&term| store.has_apply(term));
            if !speaks && *body != TermId::FALSE {
                let message = "the assertion speaks of neither functions nor predicates, so that it is not clear \
                               whether it is an axiom, which functions have to satisfy, or has to hold";
                let hint = "leave it out, or ask for (set-option :functions some)";
                let diagnostic = Diagnostic::unsupported(Code::SmtOption, found.span, message);
                self.report(diagnostic.hint(hint));
            }
        }
    }

    fn warn_of_instances(&mut self, span: Span) {
        let message =
            "a body asks for a predicate at all values of a variable; instances stand for it";
        let hint =
            "SAFE is about the clauses as they are; a derivation from instances counts for nothing";
        let warning = Diagnostic::warning(Code::SmtInstances, span, message).hint(hint);
        self.context.warn_once("quantified bodies", warning);
    }

    /// Adds what defines the sizes that have come up.
    fn add_sizes(&mut self) {
        for (pred, span, clauses) in self.context.new_sizes() {
            if !self.levels.is_empty() {
                let message = "a size that is mentioned first after push is not treated";
                self.report(Diagnostic::unsupported(Code::SmtCommand, span, message));
            }
            // The placeholders are no predicates.
            self.predicates.has_background = true;
            self.preds.push((pred, span));
            let found = |clause| Rc::new(Found { clause, name: None, span });
            self.clauses.extend(clauses.into_iter().map(found));
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

    /// Asks about the clauses in force.
    pub(super) fn ask(&mut self, span: Span) {
        self.asked = Some(span);
        self.unasked.clear();
        self.questions.push(Question { preds: self.preds.clone(), clauses: self.clauses.clone() });
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
        for span in std::mem::take(&mut self.unasked) {
            let message = match self.dialect {
                Some(Dialect::Fixedpoint) => {
                    "this rule comes after the last query and has no effect"
                }
                _ => "this assertion comes after the question and has no effect",
            };
            self.report(Diagnostic::warning(Code::SmtIgnored, span, message));
        }
        let mut questions = std::mem::take(&mut self.questions);
        if questions.is_empty() {
            let (preds, clauses) = (std::mem::take(&mut self.preds), self.clauses.drain(..));
            questions.push(Question { preds, clauses: clauses.collect() });
        }
        self.clauses.clear();
        if self.interpretations == Interpretations::Every {
            questions.iter().for_each(|question| self.refuse_unclear(question));
        }
        let mixed = self.context.scope.has_late_names || self.context.has_mixed_names;
        let further = questions.split_off(1);
        let asked = self.interpretations;
        let more = further
            .into_iter()
            .map(|question| system(self.context.store.clone(), question, mixed, asked));
        let more: Vec<Horn> = more.collect();
        let first = questions.pop().expect("there is a question");
        let horn = system(self.context.store, first, mixed, asked);
        let (dialect, requests) = (self.dialect.unwrap_or(Dialect::Horn), self.requests);
        let script = Script { horn, more, requests, dialect, status: self.status };
        let diagnostics = self.context.diagnostics;
        (diagnostics.is_clean().then_some(script), diagnostics)
    }
}

/// The system that a question is about.
fn system(
    terms: Store,
    question: Question,
    has_mixed_names: bool,
    interpretations: Interpretations,
) -> Horn {
    let mut horn = Horn::new(terms);
    for (func, span) in question.preds {
        horn.add_pred(func, span);
    }
    for found in question.clauses {
        let Found { clause: Extracted { vars, body, head }, name, span } =
            Rc::unwrap_or_clone(found);
        let head = match horn.terms.op(head) {
            Op::Apply(func) => match horn.pred_of(func) {
                Some(pred) => Head::Atom(pred, horn.terms.args(head).to_vec()),
                None => continue,
            },
            _ => Head::False,
        };
        horn.clauses.push(Clause { vars, body, head, name, span });
    }
    if interpretations == Interpretations::Every {
        horn = for_every_interpretation(&horn);
    }
    let binds =
        |clause: &Clause| clause_terms(clause).iter().any(|&term| horn.terms.has_quantifier(term));
    if has_mixed_names || horn.clauses.iter().any(binds) {
        horn = distinct_names(&horn).unwrap_or(horn);
        instantiate(&mut horn);
    }
    let is_declared = |sort| matches!(horn.terms.sort_of(sort), Sort::Uninterpreted(..));
    horn.every_sort =
        interpretations == Interpretations::Every && horn.terms.sorts().any(is_declared);
    horn
}

/// Keeps what was said about an assertion's variables, by the formula that each clause is.
fn annotate(store: &mut Store, clause: &Extracted, annotations: &[Annotations]) {
    if annotations.is_empty() {
        return;
    }
    let holds = store.implies(clause.body, clause.head);
    let formula = store.forall(&clause.vars, holds);
    for said in annotations {
        store.annotate(formula, said.clone());
    }
}
