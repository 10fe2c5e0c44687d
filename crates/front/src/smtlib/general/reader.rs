//! Reading the commands of a general script, one after the other or the script as a whole.
//!
//! A command with an error is reported and left, and nothing it declared stays. Declarations end
//! with the level they were made in, unless the script keeps them with `:global-declarations`.
//! Of a script read as a whole, nothing is returned if anything worse than a warning was found.

use super::{Command, Fixedpoint, Script, partition};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::smtlib::Fallible;
use crate::smtlib::command::MOST_LEVELS;
use crate::smtlib::context::{Context, Declared};
use crate::smtlib::cursor::{Cursor, shorten};
use crate::smtlib::lex::{Kind, Token};
use crate::smtlib::recover::recover;
use crate::smtlib::suggest::nearest;
use alphorn_problem::Span;
use alphorn_term::Store;

/// The commands that are read.
const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-rel",
    "declare-sort",
    "declare-var",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-interpolants",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "query",
    "reset",
    "reset-assertions",
    "rule",
    "set-info",
    "set-logic",
    "set-option",
    "simplify",
];

/// Commands of other tools and versions, and what to say about them.
const REFUSED: &[(&str, &str)] = &[
    ("check-sat-using", "a solver's tactics are not treated"),
    ("declare-sort-parameter", "declarations over sort parameters are not treated"),
    ("maximize", "there is no optimisation"),
    ("minimize", "there is no optimisation"),
];

fn is_command(word: &[u8]) -> bool {
    COMMANDS.iter().any(|name| name.as_bytes() == word)
}

/// A script that is read command by command: what is declared, and what was declared before each
/// level. The terms are in a store that the caller keeps.
#[derive(Clone, Debug)]
pub struct Live {
    context: Context,
    /// What was declared before the script began, and before each level.
    base: Declared,
    levels: Vec<Declared>,
    /// Whether declarations outlive `pop`: now, and after `reset`.
    keeps_declarations: bool,
    keeps_from_start: bool,
    /// How many warnings were handed out.
    told: usize,
}

impl Live {
    /// A script before its first command, and the store that its commands are to be read with.
    /// Whether declarations outlive `pop` before the script says so is up to the caller.
    pub fn new(keeps_declarations: bool) -> (Live, Store) {
        let mut context = Context::new(Store::new());
        let base = context.declared();
        let store = std::mem::take(&mut context.store);
        let live = Live {
            context,
            base,
            levels: Vec::new(),
            keeps_declarations,
            keeps_from_start: keeps_declarations,
            told: 0,
        };
        (live, store)
    }

    /// Reads the next command of `text` from `at` on, and moves `at` behind it; nothing at the end.
    /// What is wrong with a command changes nothing but the place.
    pub fn next(
        &mut self,
        store: &mut Store,
        text: &[u8],
        at: &mut usize,
    ) -> Option<Result<(Command, Span), Diagnostic>> {
        std::mem::swap(&mut self.context.store, store);
        let mut reader = Reader {
            context: &mut self.context,
            cursor: Cursor::at(text, *at),
            base: self.base,
            levels: &mut self.levels,
            keeps_declarations: &mut self.keeps_declarations,
            keeps_from_start: self.keeps_from_start,
        };
        let result = reader.next();
        *at = reader.cursor.last_end() as usize;
        std::mem::swap(&mut self.context.store, store);
        result
    }

    /// What was noticed since it was last asked for, and changes nothing.
    pub fn warnings(&mut self) -> Vec<Diagnostic> {
        let list = &self.context.diagnostics.list;
        let new = list[self.told..].to_vec();
        self.told = list.len();
        new
    }
}

/// The state of reading a command.
pub(super) struct Reader<'a> {
    pub(super) context: &'a mut Context,
    pub(super) cursor: Cursor<'a>,
    base: Declared,
    pub(super) levels: &'a mut Vec<Declared>,
    pub(super) keeps_declarations: &'a mut bool,
    keeps_from_start: bool,
}

/// Reads a script.
pub fn read(bytes: &[u8]) -> Read<Script> {
    let mut diagnostics = Diagnostics::default();
    let (mut live, mut store) = Live::new(false);
    let mut commands: Vec<(Command, Span)> = Vec::new();
    if let Some(diagnostic) = unreadable(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let mut at = 0;
    while !diagnostics.is_full() {
        let next = live.next(&mut store, bytes, &mut at);
        diagnostics.list.extend(live.warnings());
        match next {
            None => break,
            Some(Err(diagnostic)) => diagnostics.push(diagnostic),
            Some(Ok((Command::Fixedpoint(_), span))) => {
                let message = "rules and queries are for the reader of Horn clauses";
                diagnostics.push(Diagnostic::unsupported(Code::SmtCommand, span, message));
            }
            Some(Ok(command)) => {
                let is_last = command.0 == Command::Exit;
                commands.push(command);
                if is_last {
                    break;
                }
            }
        }
    }
    (diagnostics.is_clean().then_some(Script { store, commands }), diagnostics)
}

/// What is wrong with a text as a whole.
pub fn unreadable(bytes: &[u8]) -> Option<Diagnostic> {
    if bytes.trim_ascii().is_empty() {
        return Some(Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty"));
    }
    let message = "the file is larger than 4 GiB, more than this reader takes";
    let is_large = u32::try_from(bytes.len()).is_err();
    is_large.then(|| Diagnostic::error(Code::FileTooLarge, Span::NONE, message))
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Result<(Command, Span), Diagnostic>> {
        let token = self.cursor.peek();
        match token.kind {
            Kind::End => None,
            Kind::Open => Some(match self.command() {
                Ok(command) => {
                    let span = self.cursor.span_from(token.start);
                    if command == Command::Exit {
                        self.warn_after_exit();
                    }
                    Ok((command, span))
                }
                Err(diagnostic) => {
                    let text = self.cursor.text();
                    let (diagnostic, resume) = recover(text, token.start, *diagnostic, is_command);
                    self.cursor = Cursor::at(text, resume as usize);
                    Err(diagnostic)
                }
            }),
            Kind::Close => {
                self.cursor.take();
                let message = "this parenthesis closes nothing";
                Some(Err(Diagnostic::error(Code::SmtParen, token.span(), message)))
            }
            _ => {
                let diagnostic = self.cursor.unexpected("a command");
                // One complaint for all that stands between two commands.
                while !matches!(self.cursor.peek().kind, Kind::End | Kind::Open) {
                    self.cursor.take();
                }
                Some(Err(*diagnostic))
            }
        }
    }

    fn warn_after_exit(&mut self) {
        let next = self.cursor.peek();
        if next.kind != Kind::End {
            let message = "what comes after (exit) has no effect";
            self.context.warn(Diagnostic::warning(Code::SmtIgnored, next.span(), message));
        }
    }

    fn command(&mut self) -> Fallible<Command> {
        let before = self.context.declared();
        let command = self.whole_command().inspect_err(|_| self.context.undeclare(before))?;
        match &command {
            Command::Push(count) => {
                let declared = self.context.declared();
                self.levels.extend(std::iter::repeat_n(declared, *count));
            }
            Command::Pop(count) => {
                let base = self.levels.len() - count;
                if let Some(level) = self.levels.drain(base..).next()
                    && !*self.keeps_declarations
                {
                    self.context.undeclare(level);
                }
            }
            Command::Reset => self.reset(true),
            Command::ResetAssertions => self.reset(false),
            Command::SetOption(attribute) if attribute.keyword == ":global-declarations" => {
                *self.keeps_declarations = attribute.value.as_deref() == Some("true");
            }
            _ => {}
        }
        Ok(command)
    }

    /// Reads a command up to its end, before it has an effect on the levels.
    fn whole_command(&mut self) -> Fallible<Command> {
        let start = self.cursor.open("a command")?.start;
        let token = self.cursor.symbol("the name of a command")?;
        let command = self.arguments(token, start)?;
        self.cursor.close("a closing parenthesis at the end of the command")?;
        Ok(command)
    }

    /// Reads what follows the name of a command.
    fn arguments(&mut self, token: Token, start: u32) -> Fallible<Command> {
        let (context, cursor) = (&mut *self.context, &mut self.cursor);
        Ok(match cursor.text_of(token) {
            "assert" => self.assert()?,
            "check-sat" => Command::CheckSat,
            "check-sat-assuming" => self.check_sat_assuming()?,
            "declare-const" => Command::DeclareFun(context.declare_const(cursor)?),
            "declare-fun" => Command::DeclareFun(context.declare_fun(cursor)?),
            "declare-datatype" => declared(context.declare_datatype(cursor))?,
            "declare-datatypes" => declared(context.declare_datatypes(cursor))?,
            "declare-sort" => declared(context.declare_sort_command(cursor))?,
            "define-const" => declared(context.define_const(cursor))?,
            "define-fun" => declared(context.define_fun(cursor, start))?,
            "define-fun-rec" => {
                let signature = context.signature(cursor)?;
                self.define_all(&[signature], start)?
            }
            "define-funs-rec" => self.define_funs(start)?,
            "define-sort" => declared(context.define_sort(cursor))?,
            "echo" => self.echo()?,
            "exit" => Command::Exit,
            "declare-rel" | "declare-var" | "rule" => self.fixedpoint(Fixedpoint::Rule)?,
            "query" => self.fixedpoint(Fixedpoint::Query)?,
            "get-assertions" => Command::GetAssertions,
            "get-assignment" => Command::GetAssignment,
            "get-info" => self.get_info()?,
            "get-interpolants" => Command::GetInterpolants(partition::read(context, cursor)?),
            "get-model" => Command::GetModel,
            "get-option" => self.get_option()?,
            "get-proof" => Command::GetProof,
            "get-unsat-assumptions" => Command::GetUnsatAssumptions,
            "get-unsat-core" => Command::GetUnsatCore,
            "get-value" => self.get_value()?,
            "pop" => self.pop(token.span())?,
            "push" => self.push()?,
            "reset" => Command::Reset,
            "reset-assertions" => Command::ResetAssertions,
            "set-info" => self.set_info()?,
            "set-logic" => {
                let logic = cursor.symbol("the name of a logic")?;
                Command::SetLogic(cursor.text_of(logic).to_owned())
            }
            "set-option" => self.set_option()?,
            "simplify" => Command::Simplify(self.term()?.term),
            word => return Err(not_read(word, token.span())),
        })
    }

    fn push(&mut self) -> Fallible<Command> {
        let place = self.cursor.peek().span();
        let count = self.cursor.levels()?;
        if self.levels.len() + count > MOST_LEVELS {
            let message = format!("more than {MOST_LEVELS} levels");
            return Err(Box::new(Diagnostic::unsupported(Code::SmtCommand, place, message)));
        }
        Ok(Command::Push(count))
    }

    /// Leaves what a command of the fixedpoint dialect says to the reader of Horn clauses.
    fn fixedpoint(&mut self, kind: Fixedpoint) -> Fallible<Command> {
        while self.cursor.peek().kind != Kind::Close {
            self.cursor.skip_expression("a closing parenthesis")?;
        }
        Ok(Command::Fixedpoint(kind))
    }

    fn pop(&mut self, span: Span) -> Fallible<Command> {
        let count = self.cursor.levels()?;
        if count > self.levels.len() {
            let message = format!("there are only {} levels to pop", self.levels.len());
            return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
        }
        Ok(Command::Pop(count))
    }

    fn reset(&mut self, with_options: bool) {
        self.levels.clear();
        if with_options || !*self.keeps_declarations {
            self.context.undeclare(self.base);
        }
        if with_options {
            *self.keeps_declarations = self.keeps_from_start;
        }
    }
}

fn declared(result: Fallible<()>) -> Fallible<Command> {
    result.map(|()| Command::Declare)
}

/// What to say about a command that is not read.
fn not_read(word: &str, span: Span) -> Box<Diagnostic> {
    if let Some((_, reason)) = REFUSED.iter().find(|(name, _)| *name == word) {
        return Box::new(Diagnostic::unsupported(Code::SmtCommand, span, *reason));
    }
    let message = format!("there is no command `{}`", shorten(word));
    let diagnostic = Diagnostic::error(Code::SmtSyntax, span, message);
    Box::new(match nearest(word, COMMANDS.iter().copied()) {
        Some(name) => diagnostic.hint(format!("did you mean `{name}`?")),
        None => diagnostic,
    })
}
