//! The commands of a script.
//!
//! Declarations take effect where they stand. Bodies of procedures, annotations and calls to verify are read
//! at the end, when all procedures and tags are known.

mod entry;

use super::place::{Header, Place};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::smtlib::{Context, Cursor, Fallible, Kind, codatatypes_refused, next_command};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{Proc, ProcId, VarId, Variable};
use alphorn_term::{Op, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The commands that are understood, or known to have no effect.
const COMMANDS: &[&str] = &[
    "annotate-tag",
    "assert",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-var",
    "define-const",
    "define-fun",
    "define-proc",
    "define-sort",
    "echo",
    "exit",
    "get-witness",
    "set-info",
    "set-logic",
    "set-option",
    "verify-call",
];

/// What the procedure that makes the calls is called.
const CALLER: &str = "verify-call";

pub(super) fn error<T>(code: Code, span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(code, span, message)))
}

/// A call to verify: where its arguments stand, and how many assertions were made before it.
struct Question {
    at: u32,
    asserted: usize,
}

/// The state of reading a script.
pub(super) struct Reader<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) context: Context,
    pub(super) program: Program,
    pub(super) tags: BTreeMap<String, Vec<Place>>,
    globals: BTreeMap<String, VarId>,
    locals: BTreeMap<String, VarId>,
    headers: Vec<Header>,
    annotations: Vec<u32>,
    asserted: Vec<(TermId, Span)>,
    questions: Vec<Question>,
    diagnostics: Diagnostics,
}

/// Reads a script as a program.
pub fn read(bytes: &[u8]) -> Read<Program> {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostic) = crate::smtlib::general::unreadable(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let mut reader = Reader {
        cursor: Cursor::new(bytes),
        context: Context::new(Store::new()),
        program: Program::default(),
        tags: BTreeMap::new(),
        globals: BTreeMap::new(),
        locals: BTreeMap::new(),
        headers: Vec::new(),
        annotations: Vec::new(),
        asserted: Vec::new(),
        questions: Vec::new(),
        diagnostics,
    };
    reader.commands();
    reader.bodies(bytes);
    reader.finish(bytes)
}

impl<'t> Reader<'t> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.is_full() {
            self.diagnostics.push(diagnostic);
        }
    }

    fn commands(&mut self) {
        let is_command = |word: &[u8]| COMMANDS.iter().any(|name| name.as_bytes() == word);
        while !self.diagnostics.is_full() {
            let called = ("a command", is_command);
            match next_command(self, |reader| &mut reader.cursor, called, Reader::command) {
                Some(Ok(true)) => {}
                Some(Err(diagnostic)) => self.report(diagnostic),
                Some(Ok(false)) | None => return,
            }
        }
    }

    /// Reads a command; whether others follow.
    fn command(&mut self) -> Fallible<bool> {
        let start = self.cursor.open("a command")?.start;
        let token = self.cursor.symbol("the name of a command")?;
        let (name, span) = (self.cursor.text_of(token), token.span());
        match name {
            "set-logic" | "set-info" | "get-witness" | "echo" => self.rest()?,
            "set-option" => self.set_option()?,
            "exit" => return Ok(false),
            "declare-sort" => self.context.declare_sort_command(&mut self.cursor)?,
            "define-sort" => self.context.define_sort(&mut self.cursor)?,
            "declare-codatatype" | "declare-codatatypes" => {
                return Err(codatatypes_refused(span));
            }
            "declare-datatype" => self.context.declare_datatype(&mut self.cursor)?,
            "declare-datatypes" => self.context.declare_datatypes(&mut self.cursor)?,
            "declare-fun" => {
                self.context.declare_fun(&mut self.cursor)?;
            }
            "declare-const" => {
                self.context.declare_const(&mut self.cursor)?;
            }
            "define-fun" => self.context.define_fun(&mut self.cursor, start)?,
            "define-const" => self.context.define_const(&mut self.cursor)?,
            "declare-var" => self.declare_var()?,
            "define-proc" => self.define_proc()?,
            "assert" => {
                let formula = self.formula()?;
                let span = Span { start, end: self.cursor.peek().end };
                self.asserted.push((formula, span));
            }
            "annotate-tag" => {
                self.annotations.push(self.cursor.peek().start);
                self.rest()?;
            }
            "verify-call" => {
                let asserted = self.asserted.len();
                self.questions.push(Question { at: self.cursor.peek().start, asserted });
                self.rest()?;
            }
            "select-trace" | "push" | "pop" | "reset" | "define-fun-rec" | "define-funs-rec"
            | "define-procs-rec" | "check-sat" => {
                let message = format!("the command {name} is not treated");
                let code = Code::SvlibUnsupported;
                return Err(Box::new(Diagnostic::unsupported(code, span, message)));
            }
            _ => {
                let message = format!("there is no command `{name}`");
                let mut diagnostic = Diagnostic::error(Code::SmtSyntax, span, message);
                if let Some(near) = nearest(name, COMMANDS.iter().copied()) {
                    diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
                }
                return Err(Box::new(diagnostic));
            }
        }
        self.cursor.close("a closing parenthesis at the end of the command")?;
        Ok(true)
    }

    /// Skips the rest of a command.
    fn rest(&mut self) -> Fallible<()> {
        while self.cursor.peek().kind != Kind::Close {
            self.cursor.skip_expression("a closing parenthesis")?;
        }
        Ok(())
    }

    fn set_option(&mut self) -> Fallible<()> {
        let token = self.cursor.keyword()?;
        let option = self.cursor.text_of(token);
        self.rest()?;
        if !option.starts_with(":produce-") {
            let message = format!("the option {option} has no effect here");
            self.report(Diagnostic::warning(Code::SmtOption, token.span(), message));
        }
        Ok(())
    }

    /// Adds a variable.
    pub(super) fn add_var(&mut self, name: &str, sort: SortId, span: Span) -> VarId {
        let term = self.context.store_mut().fresh_var(name, sort);
        self.program.vars.push(Variable { name: name.to_owned(), sort, term, span });
        VarId(u32::try_from(self.program.vars.len() - 1).expect("texts are below 4 GiB"))
    }

    fn declare_var(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("a variable")?;
        let name = self.cursor.text_of(token).to_owned();
        let sort = self.context.parse_sort(&mut self.cursor)?;
        if self.context.is_declared(&name) {
            return error(Code::SmtRedeclared, token.span(), format!("`{name}` is declared twice"));
        }
        let var = self.add_var(&name, sort, token.span());
        self.program.globals.push(var);
        self.context.bind(&name, self.program.term(var));
        self.globals.insert(name, var);
        Ok(())
    }

    /// `(define-proc f (in) (out) (local) body)`: what can be called; the body is read later.
    fn define_proc(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("a procedure")?;
        let (name, span) = (self.cursor.text_of(token).to_owned(), token.span());
        let mut names: Vec<(String, VarId)> = Vec::new();
        let inputs = self.variables(&mut names)?;
        let outputs = self.variables(&mut names)?;
        let locals = self.variables(&mut names)?;
        let body = self.cursor.peek().start;
        self.cursor.skip_expression("a statement")?;
        if self.program.find_proc(&name).is_some() {
            let message = format!("the procedure `{name}` is defined twice");
            return error(Code::SmtRedeclared, span, message);
        }
        let blocks = Vec::new();
        let proc = Proc { name: name.clone(), inputs, outputs, locals, blocks, span };
        self.program.procs.push(proc);
        self.headers.push(Header { name, span, names, body });
        Ok(())
    }

    /// `((x Int) (y Bool))`
    fn variables(&mut self, names: &mut Vec<(String, VarId)>) -> Fallible<Vec<VarId>> {
        self.cursor.open("a list of variables")?;
        let mut vars = Vec::new();
        while self.cursor.peek().kind != Kind::Close {
            self.cursor.open("(variable sort)")?;
            let token = self.cursor.symbol("a variable")?;
            let name = self.cursor.text_of(token).to_owned();
            let sort = self.context.parse_sort(&mut self.cursor)?;
            self.cursor.close("a closing parenthesis")?;
            if names.iter().any(|(other, _)| *other == name) {
                let message = format!("`{name}` is declared twice");
                return error(Code::SmtRedeclared, token.span(), message);
            }
            let var = self.add_var(&name, sort, token.span());
            names.push((name, var));
            vars.push(var);
        }
        self.cursor.close("a closing parenthesis")?;
        Ok(vars)
    }

    /// Makes the variables of a procedure known.
    pub(super) fn bind_variables(&mut self, proc: usize) {
        self.locals.clear();
        for (name, var) in self.headers[proc].names.clone() {
            self.context.bind(&name, self.program.term(var));
            self.locals.insert(name, var);
        }
    }

    /// The variable that a name stands for.
    pub(super) fn variable(&self, name: &str) -> Option<VarId> {
        self.locals.get(name).or_else(|| self.globals.get(name)).copied()
    }

    /// The term in the sort that is wanted: an integer may stand for a real.
    pub(super) fn fitting(&mut self, term: TermId, sort: SortId, span: Span) -> Fallible<TermId> {
        let found = self.context.store().sort(term);
        if found == sort {
            return Ok(term);
        }
        if (found, sort) == (SortId::INT, SortId::REAL) {
            return Ok(self.context.store_mut().mk(Op::ToReal, &[term]));
        }
        let store = self.context.store();
        let (found, sort) = (store.show_sort(found), store.show_sort(sort));
        error(Code::SvlibSort, span, format!("{sort} is needed here, and this is {found}"))
    }

    /// Reads a procedure and its arguments.
    pub(super) fn call_head(&mut self) -> Fallible<(ProcId, Vec<TermId>)> {
        let token = self.cursor.symbol("a procedure")?;
        let name = self.cursor.text_of(token);
        let Some(proc) = self.program.find_proc(name) else {
            let message = format!("there is no procedure `{name}`");
            let mut diagnostic = Diagnostic::error(Code::SmtUndeclared, token.span(), message);
            let known = self.headers.iter().map(|header| header.name.as_str());
            if let Some(near) = nearest(name, known) {
                diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
            }
            return Err(Box::new(diagnostic));
        };
        self.cursor.open("the arguments")?;
        let inputs = self.program.proc(proc).inputs.clone();
        let mut args = Vec::with_capacity(inputs.len());
        while self.cursor.peek().kind != Kind::Close {
            let start = self.cursor.peek().start;
            let arg = self.context.parse_term(&mut self.cursor)?;
            let Some(&input) = inputs.get(args.len()) else {
                return Err(self.cursor.unexpected("the end of the arguments"));
            };
            let span = self.cursor.span_from(start);
            args.push(self.fitting(arg, self.program.var(input).sort, span)?);
        }
        if args.len() < inputs.len() {
            return Err(self.cursor.unexpected("an argument"));
        }
        self.cursor.close("a closing parenthesis")?;
        Ok((proc, args))
    }
}
