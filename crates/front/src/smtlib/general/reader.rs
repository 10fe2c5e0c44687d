//! Reading the commands of a general script.
//!
//! As for Horn clauses, a command with an error is reported and left, and the script is returned
//! only if nothing worse than a warning was found. Declarations end with the level they were made
//! in, unless the script keeps them with `:global-declarations`.

use super::{Command, Script, partition};
use crate::diag::{Code, Diagnostic, Read};
use crate::smtlib::command::MOST_LEVELS;
use crate::smtlib::context::{Context, Declared};
use crate::smtlib::cursor::{Cursor, shorten};
use crate::smtlib::definitions::Signature;
use crate::smtlib::lex::{Kind, Token};
use crate::smtlib::recover::recover;
use crate::smtlib::suggest::nearest;
use crate::smtlib::{Fallible, lex::Lexer};
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
    "declare-sort",
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
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
    "simplify",
];

/// Commands of other tools and versions, and what to say about them.
const REFUSED: &[(&str, &str)] = &[
    ("check-sat-using", "a solver's tactics are not treated"),
    ("declare-rel", "rules and queries are Horn clauses: without the word smt they are decided"),
    ("declare-sort-parameter", "declarations over sort parameters are not treated"),
    ("declare-var", "rules and queries are Horn clauses: without the word smt they are decided"),
    ("maximize", "there is no optimisation"),
    ("minimize", "there is no optimisation"),
    ("query", "rules and queries are Horn clauses: without the word smt they are decided"),
    ("rule", "rules and queries are Horn clauses: without the word smt they are decided"),
];

fn is_command(word: &[u8]) -> bool {
    COMMANDS.iter().any(|name| name.as_bytes() == word)
}

/// The state of reading a script.
pub(super) struct Reader<'t> {
    pub(super) context: Context,
    pub(super) cursor: Cursor<'t>,
    commands: Vec<(Command, Span)>,
    /// What was declared before the script began, and before each level.
    base: Declared,
    levels: Vec<Declared>,
    /// Whether declarations outlive `pop`.
    pub(super) keeps_declarations: bool,
}

/// Reads a script.
pub fn read(bytes: &[u8]) -> Read<Script> {
    let context = Context::new(Store::new());
    let base = context.declared();
    let mut reader = Reader {
        context,
        cursor: Cursor::new(bytes),
        commands: Vec::new(),
        base,
        levels: Vec::new(),
        keeps_declarations: false,
    };
    if bytes.trim_ascii().is_empty() {
        reader.report(Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty"));
    } else if u32::try_from(bytes.len()).is_err() {
        let message = "the file is larger than 4 GiB, more than this reader takes";
        reader.report(Diagnostic::error(Code::FileTooLarge, Span::NONE, message));
    } else {
        reader.run();
    }
    let Reader { context, commands, .. } = reader;
    let diagnostics = context.diagnostics;
    let script = Script { store: context.store, commands };
    (diagnostics.is_clean().then_some(script), diagnostics)
}

impl Reader<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.context.diagnostics.push(diagnostic);
    }

    fn run(&mut self) {
        while !self.context.diagnostics.is_full() {
            let token = self.cursor.peek();
            match token.kind {
                Kind::End => return,
                Kind::Open => match self.command() {
                    Ok(command) => {
                        let is_last = command == Command::Exit;
                        self.commands.push((command, self.cursor.span_from(token.start)));
                        if is_last {
                            return self.warn_after_exit();
                        }
                    }
                    Err(diagnostic) => {
                        let text = self.cursor.text();
                        let (diagnostic, resume) =
                            recover(text, token.start, *diagnostic, is_command);
                        self.report(diagnostic);
                        self.cursor = Cursor::at(text, resume as usize);
                    }
                },
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

    fn warn_after_exit(&mut self) {
        let next = self.cursor.peek();
        if next.kind != Kind::End {
            let message = "what comes after (exit) has no effect";
            self.context.warn(Diagnostic::warning(Code::SmtIgnored, next.span(), message));
        }
    }

    fn command(&mut self) -> Fallible<Command> {
        let start = self.cursor.open("a command")?.start;
        let token = self.cursor.symbol("the name of a command")?;
        let command = self.arguments(token, start)?;
        self.cursor.close("a closing parenthesis at the end of the command")?;
        Ok(command)
    }

    /// Reads what follows the name of a command.
    fn arguments(&mut self, token: Token, start: u32) -> Fallible<Command> {
        let (context, cursor) = (&mut self.context, &mut self.cursor);
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
            "reset" => self.reset(true),
            "reset-assertions" => self.reset(false),
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

    /// Reads definitions that may mention each other; they are treated if each mentions earlier
    /// ones only.
    fn define_funs(&mut self, start: u32) -> Fallible<Command> {
        self.cursor.open("the list of signatures")?;
        let mut signatures: Vec<Signature> = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            let open = self.cursor.open("a signature")?;
            let signature = self.context.signature(&mut self.cursor)?;
            if signatures.iter().any(|other| other.name == signature.name) {
                let span = self.cursor.span_from(open.start);
                return Err(self.context.redeclared(signature.name, span));
            }
            self.cursor.close("a closing parenthesis after the signature")?;
            signatures.push(signature);
        }
        self.cursor.open("the list of bodies")?;
        let command = self.define_all(&signatures, start)?;
        self.cursor.close("as many bodies as signatures, then a closing parenthesis")?;
        Ok(command)
    }

    fn define_all(&mut self, signatures: &[Signature], start: u32) -> Fallible<Command> {
        for signature in signatures {
            let result = self.context.define_body(&mut self.cursor, signature, start);
            result.map_err(|diagnostic| self.unless_recursive(diagnostic, signatures))?;
        }
        Ok(Command::Declare)
    }

    /// The complaint, unless it is about a function that is being defined.
    fn unless_recursive(
        &self,
        diagnostic: Box<Diagnostic>,
        signatures: &[Signature],
    ) -> Box<Diagnostic> {
        let text = self.cursor.text();
        let token = Lexer::new(text, diagnostic.span.start as usize).next_token();
        let name = self.context.scope.find(self.cursor.bytes_of(token));
        let is_own = signatures.iter().any(|signature| Some(signature.name) == name);
        if diagnostic.code != Code::SmtUndeclared || !is_own {
            return diagnostic;
        }
        let message = "recursive definitions are not treated";
        Box::new(Diagnostic::unsupported(Code::SmtCommand, diagnostic.span, message))
    }

    fn push(&mut self) -> Fallible<Command> {
        let place = self.cursor.peek().span();
        let count = self.cursor.levels()?;
        if self.levels.len() + count > MOST_LEVELS {
            let message = format!("more than {MOST_LEVELS} levels");
            return Err(Box::new(Diagnostic::unsupported(Code::SmtCommand, place, message)));
        }
        self.levels.extend(std::iter::repeat_n(self.context.declared(), count));
        Ok(Command::Push(count))
    }

    fn pop(&mut self, span: Span) -> Fallible<Command> {
        let count = self.cursor.levels()?;
        if count > self.levels.len() {
            let message = format!("there are only {} levels to pop", self.levels.len());
            return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
        }
        let base = self.levels.len() - count;
        if let Some(level) = self.levels.drain(base..).next()
            && !self.keeps_declarations
        {
            self.context.undeclare(level);
        }
        Ok(Command::Pop(count))
    }

    fn reset(&mut self, with_options: bool) -> Command {
        self.levels.clear();
        if with_options || !self.keeps_declarations {
            self.context.undeclare(self.base);
        }
        if with_options {
            self.keeps_declarations = false;
            return Command::Reset;
        }
        Command::ResetAssertions
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
