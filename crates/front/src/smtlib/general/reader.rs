//! Reading the commands of a general script, one after the other or the script as a whole.
//!
//! A command with an error is reported and left, and nothing it declared stays. Declarations end
//! with the level they were made in, unless the script keeps them with `:global-declarations`.
//! Of a script read as a whole, nothing is returned if anything worse than a warning was found.

use super::{Command, Fixedpoint, Script, partition};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::smtlib::Fallible;
use crate::smtlib::commands::{self, Readers, Reads, Word, popped, pushed, refused};
use crate::smtlib::context::{Context, Declared};
use crate::smtlib::cursor::Cursor;
use crate::smtlib::lex::{Kind, Token};
use alphorn_problem::Span;
use alphorn_term::Store;

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
    Diagnostic::too_large(bytes)
}

impl<'a> Reads<'a> for Reader<'a> {
    type Read = Command;
    const READER: Readers = Readers::General;

    fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }

    fn context(&mut self) -> &mut Context {
        self.context
    }

    fn arguments(&mut self, word: Word, token: Token, start: u32) -> Fallible<Command> {
        let (context, cursor, span) = (&mut *self.context, &mut self.cursor, token.span());
        Ok(match word {
            Word::Assert => self.assert()?,
            Word::CheckSat => Command::CheckSat,
            Word::CheckSatAssuming => self.check_sat_assuming()?,
            Word::DeclareConst => Command::DeclareFun(context.declare_const(cursor)?),
            Word::DeclareFun => Command::DeclareFun(context.declare_fun(cursor)?),
            Word::DeclareCodatatype => declared(context.declare_codatatype(cursor))?,
            Word::DeclareCodatatypes => declared(context.declare_codatatypes(cursor))?,
            Word::DeclareDatatype => declared(context.declare_datatype(cursor))?,
            Word::DeclareDatatypes => declared(context.declare_datatypes(cursor))?,
            Word::DeclareSort => declared(context.declare_sort_command(cursor))?,
            Word::DefineConst => declared(context.define_const(cursor))?,
            Word::DefineFun => declared(context.define_fun(cursor, start))?,
            Word::DefineFunRec => {
                let signature = context.signature(cursor)?;
                self.define_all(&[signature], start)?
            }
            Word::DefineFunsRec => self.define_funs(start)?,
            Word::DefineSort => declared(context.define_sort(cursor))?,
            Word::Echo => self.echo()?,
            Word::Exit => Command::Exit,
            Word::DeclareRel | Word::DeclareVar | Word::Rule => {
                self.fixedpoint(Fixedpoint::Rule)?
            }
            Word::Query => self.fixedpoint(Fixedpoint::Query)?,
            Word::GetAssertions => Command::GetAssertions,
            Word::GetAssignment => Command::GetAssignment,
            Word::GetInfo => self.get_info()?,
            Word::GetInterpolants => Command::GetInterpolants(partition::read(context, cursor)?),
            Word::GetModel => Command::GetModel,
            Word::GetOption => self.get_option()?,
            Word::GetProof => Command::GetProof,
            Word::GetUnsatAssumptions => Command::GetUnsatAssumptions,
            Word::GetUnsatCore => Command::GetUnsatCore,
            Word::GetValue => self.get_value()?,
            Word::Pop => Command::Pop(popped(cursor, self.levels.len(), span)?),
            Word::Push => Command::Push(pushed(cursor, self.levels.len())?),
            Word::Reset => Command::Reset,
            Word::ResetAssertions => Command::ResetAssertions,
            Word::SetInfo => self.set_info()?,
            Word::SetLogic => {
                let logic = cursor.symbol("the name of a logic")?;
                Command::SetLogic(cursor.text_of(logic).to_owned())
            }
            Word::SetOption => self.set_option()?,
            Word::Simplify => Command::Simplify(self.term()?.term),
            Word::DeclareHeap => {
                return Err(refused(span, "the theory of heaps is treated in Horn clauses only"));
            }
            Word::CheckSatUsing => Command::CheckSatUsing(self.tactic(span)?),
            Word::DeclareSortParameter => {
                return Err(refused(span, "declarations over sort parameters are not treated"));
            }
            Word::Maximize | Word::Minimize => {
                return Err(refused(span, "there is no optimisation"));
            }
        })
    }
}

impl Reader<'_> {
    /// Reads the next command, which then has its effect on what is declared.
    fn next(&mut self) -> Option<Result<(Command, Span), Diagnostic>> {
        let before = self.context.declared();
        let next = commands::next(self)?;
        match &next {
            Ok((command, _)) => self.take_effect(command),
            Err(_) => self.context.undeclare(before),
        }
        Some(next)
    }

    fn take_effect(&mut self, command: &Command) {
        match command {
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
    }

    /// Leaves what a command of the fixedpoint dialect says to the reader of Horn clauses.
    fn fixedpoint(&mut self, kind: Fixedpoint) -> Fallible<Command> {
        while self.cursor.peek().kind != Kind::Close {
            self.cursor.skip_expression("a closing parenthesis")?;
        }
        Ok(Command::Fixedpoint(kind))
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
