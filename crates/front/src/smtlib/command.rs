//! Commands of scripts.
//!
//! One table lists every command of SMT-LIB and of Z3's fixedpoint dialect with what we do about
//! it. Every `check-sat` asks about the clauses that are in force there, as `push` and `pop` have
//! them; what the script wants to see of an answer is kept for those who print (`Request`).

use super::Fallible;
use super::cursor::shorten;
use super::lex::Kind;
use super::script::{Dialect, Level, Reader, Request, Status};
use super::suggest::nearest;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::TermId;

/// What we do about a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    SetLogic,
    SetInfo,
    SetOption,
    DeclareSort,
    DefineSort,
    DeclareDatatype,
    DeclareDatatypes,
    DeclareFun,
    DeclareConst,
    DefineFun,
    DefineConst,
    Assert,
    CheckSat,
    Push,
    Pop,
    Exit,
    GetModel,
    GetProof,
    GetInfo,
    /// Asks for something that is never told.
    Get(&'static str),
    Echo,
    DeclareRel,
    DeclareVar,
    Rule,
    Query,
    /// Nothing; the text says why.
    Refuse(&'static str),
}

const COMMANDS: &[(&str, Command)] = &[
    ("assert", Command::Assert),
    ("check-sat", Command::CheckSat),
    ("check-sat-assuming", Command::Refuse("questions under assumptions are not treated")),
    ("check-sat-using", Command::Refuse("a solver's tactics are not treated")),
    ("declare-const", Command::DeclareConst),
    ("declare-datatype", Command::DeclareDatatype),
    ("declare-datatypes", Command::DeclareDatatypes),
    ("declare-fun", Command::DeclareFun),
    ("declare-rel", Command::DeclareRel),
    ("declare-sort", Command::DeclareSort),
    (
        "declare-sort-parameter",
        Command::Refuse("declarations over sort parameters are not treated"),
    ),
    ("declare-var", Command::DeclareVar),
    ("define-const", Command::DefineConst),
    ("define-fun", Command::DefineFun),
    ("define-fun-rec", Command::Refuse("recursive definitions are not treated")),
    ("define-funs-rec", Command::Refuse("recursive definitions are not treated")),
    ("define-sort", Command::DefineSort),
    ("echo", Command::Echo),
    ("exit", Command::Exit),
    ("get-assertions", Command::Get("get-assertions")),
    ("get-assignment", Command::Get("get-assignment")),
    ("get-info", Command::GetInfo),
    ("get-model", Command::GetModel),
    ("get-option", Command::Get("get-option")),
    ("get-proof", Command::GetProof),
    ("get-unsat-assumptions", Command::Get("get-unsat-assumptions")),
    ("get-unsat-core", Command::Get("get-unsat-core")),
    ("get-value", Command::Get("get-value")),
    ("pop", Command::Pop),
    ("push", Command::Push),
    ("query", Command::Query),
    ("reset", Command::Refuse("a script is one problem and cannot start over")),
    ("reset-assertions", Command::Refuse("a script is one problem and cannot start over")),
    ("rule", Command::Rule),
    ("set-info", Command::SetInfo),
    ("set-logic", Command::SetLogic),
    ("set-option", Command::SetOption),
];

/// Options that ask for what happens anyway.
const HARMLESS: &[&str] = &[
    ":interactive-mode",
    ":print-success",
    ":produce-assertions",
    ":produce-assignments",
    ":produce-models",
    ":produce-proofs",
    ":produce-unsat-assumptions",
    ":produce-unsat-cores",
];

/// More levels than any script needs; a level costs memory.
pub(super) const MOST_LEVELS: usize = 1 << 16;

/// Whether a word is the name of a command.
pub(super) fn is_command(word: &[u8]) -> bool {
    COMMANDS.iter().any(|(name, _)| name.as_bytes() == word)
}

impl Reader<'_> {
    /// Reads a command.
    pub(super) fn command(&mut self) -> Fallible<()> {
        let start = self.cursor.open("a command")?.start;
        let token = self.cursor.symbol("the name of a command")?;
        let word = self.cursor.text_of(token);
        let known = COMMANDS.iter().find(|(name, _)| *name == word);
        let Some(&(_, command)) = known else {
            let message = format!("there is no command `{}`", shorten(word));
            let diagnostic = Diagnostic::error(Code::SmtSyntax, token.span(), message);
            return Err(Box::new(match nearest(word, COMMANDS.iter().map(|(name, _)| *name)) {
                Some(name) => diagnostic.hint(format!("did you mean `{name}`?")),
                None => diagnostic,
            }));
        };
        match command {
            Command::SetLogic => self.set_logic()?,
            Command::SetInfo => self.set_info()?,
            Command::SetOption => self.set_option()?,
            Command::DeclareSort => self.context.declare_sort_command(&mut self.cursor)?,
            Command::DefineSort => self.context.define_sort(&mut self.cursor)?,
            Command::DeclareDatatype => self.context.declare_datatype(&mut self.cursor)?,
            Command::DeclareDatatypes => self.context.declare_datatypes(&mut self.cursor)?,
            Command::DeclareFun => {
                let func = self.context.declare_fun(&mut self.cursor)?;
                self.note_function(func, start);
            }
            Command::DeclareConst => {
                let func = self.context.declare_const(&mut self.cursor)?;
                self.note_function(func, start);
            }
            Command::DefineFun => self.context.define_fun(&mut self.cursor, start)?,
            Command::DefineConst => self.context.define_const(&mut self.cursor)?,
            Command::Assert => self.assert(start)?,
            Command::CheckSat => self.check_sat(token.span())?,
            Command::Push => self.push()?,
            Command::Pop => self.pop(token.span())?,
            Command::Exit => self.exit()?,
            Command::GetModel => self.request(Request::Model),
            Command::GetProof => self.request(Request::Proof),
            Command::GetInfo => self.get_info()?,
            Command::Get(word) => self.untold(token.span(), word)?,
            Command::Echo => self.echo()?,
            Command::DeclareRel => self.declare_rel(start)?,
            Command::DeclareVar => self.declare_var(start)?,
            Command::Rule => self.rule(start)?,
            Command::Query => self.query(start)?,
            Command::Refuse(reason) => {
                let diagnostic = Diagnostic::unsupported(Code::SmtCommand, token.span(), reason);
                return Err(Box::new(diagnostic));
            }
        }
        self.cursor.close("a closing parenthesis at the end of the command").map(|_| ())
    }

    /// Settles on a dialect, or says that the script mixes two.
    pub(super) fn speak(&mut self, dialect: Dialect, span: Span) -> Fallible<()> {
        if *self.dialect.get_or_insert(dialect) == dialect {
            return Ok(());
        }
        let message = "the script mixes assertions with the rules of the fixedpoint dialect";
        let hint = "write assert and check-sat, or rule and query";
        Err(Box::new(Diagnostic::unsupported(Code::SmtCommand, span, message).hint(hint)))
    }

    fn set_logic(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("the name of a logic")?;
        let logic = self.cursor.text_of(token);
        if logic == "HORN" {
            return Ok(());
        }
        let message = format!("the logic {} is not Horn clauses", shorten(logic));
        let hint =
            "if these are Horn clauses, write (set-logic HORN); alphorn smt runs other scripts";
        Err(Box::new(Diagnostic::unsupported(Code::SmtLogic, token.span(), message).hint(hint)))
    }

    fn set_info(&mut self) -> Fallible<()> {
        let Some(token) = self.cursor.eat(Kind::Keyword) else {
            return Err(self.cursor.unexpected("a keyword"));
        };
        if self.cursor.bytes_of(token) == b":status" {
            let value = self.cursor.symbol("sat, unsat or unknown")?;
            self.status = match self.cursor.bytes_of(value) {
                b"sat" => Some(Status::Sat),
                b"unsat" => Some(Status::Unsat),
                b"unknown" => Some(Status::Unknown),
                _ => {
                    let message = "the status must be sat, unsat or unknown";
                    let diagnostic = Diagnostic::error(Code::SmtSyntax, value.span(), message);
                    return Err(Box::new(diagnostic));
                }
            };
        } else if self.cursor.peek().kind != Kind::Close {
            self.cursor.skip_expression("a value")?;
        }
        Ok(())
    }

    fn set_option(&mut self) -> Fallible<()> {
        let Some(token) = self.cursor.eat(Kind::Keyword) else {
            return Err(self.cursor.unexpected("a keyword"));
        };
        let option = self.cursor.text_of(token);
        if option == ":global-declarations" {
            self.keeps_declarations = self.cursor.is_word("true");
        }
        if self.cursor.peek().kind != Kind::Close {
            self.cursor.skip_expression("a value")?;
        }
        if !HARMLESS.contains(&option) && option != ":global-declarations" {
            let message = format!("the option {} has no effect here", shorten(option));
            self.report(Diagnostic::warning(Code::SmtOption, token.span(), message));
        }
        Ok(())
    }

    fn assert(&mut self, start: u32) -> Fallible<()> {
        self.speak(Dialect::Horn, Span { start, end: self.cursor.last_end() })?;
        let assertion = self.context.parse_assertion(&mut self.cursor)?;
        let close = self.cursor.peek();
        let span = Span { start, end: close.end };
        if self.asked.is_some() {
            self.unasked.push(span);
        }
        let formula = assertion.body.unwrap_or(TermId::TRUE);
        self.add_clauses(assertion, formula, span);
        Ok(())
    }

    fn check_sat(&mut self, span: Span) -> Fallible<()> {
        self.speak(Dialect::Horn, span)?;
        self.ask(span);
        Ok(())
    }

    fn push(&mut self) -> Fallible<()> {
        let place = self.cursor.peek().span();
        let count = self.cursor.levels()?;
        if self.levels.len() + count > MOST_LEVELS {
            let message = format!("more than {MOST_LEVELS} levels");
            return Err(Box::new(Diagnostic::unsupported(Code::SmtCommand, place, message)));
        }
        let level = Level {
            declared: self.context.declared(),
            clauses: self.clauses.len(),
            preds: self.preds.len(),
        };
        self.levels.extend(std::iter::repeat_n(level, count));
        Ok(())
    }

    fn pop(&mut self, span: Span) -> Fallible<()> {
        let count = self.cursor.levels()?;
        if count > self.levels.len() {
            let message = format!("there are only {} levels to pop", self.levels.len());
            return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
        }
        let base = self.levels.len() - count;
        let Some(level) = self.levels.drain(base..).next() else { return Ok(()) };
        if !self.keeps_declarations {
            self.context.undeclare(level.declared);
            self.preds.truncate(level.preds);
        }
        self.clauses.truncate(level.clauses);
        Ok(())
    }

    fn exit(&mut self) -> Fallible<()> {
        if self.cursor.peek().kind == Kind::Close {
            self.is_over = true;
            let mut rest = self.cursor.clone();
            rest.take();
            let next = rest.peek();
            if next.kind != Kind::End {
                let message = "what comes after (exit) has no effect";
                self.report(Diagnostic::warning(Code::SmtIgnored, next.span(), message));
            }
        }
        Ok(())
    }

    fn request(&mut self, request: Request) {
        self.requests.push((self.questions.len(), request));
    }

    fn get_info(&mut self) -> Fallible<()> {
        let Some(token) = self.cursor.eat(Kind::Keyword) else {
            return Err(self.cursor.unexpected("a keyword"));
        };
        let keyword = self.cursor.text_of(token).to_owned();
        self.request(Request::Info(keyword));
        Ok(())
    }

    fn echo(&mut self) -> Fallible<()> {
        let Some(token) = self.cursor.eat(Kind::String) else {
            return Err(self.cursor.unexpected("a string"));
        };
        let text = self.cursor.text_of(token);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        self.request(Request::Echo(inner.replace("\"\"", "\"")));
        Ok(())
    }

    fn untold(&mut self, span: Span, word: &'static str) -> Fallible<()> {
        while self.cursor.peek().kind != Kind::Close {
            self.cursor.skip_expression("an argument")?;
        }
        let message = format!("the command {word} has no effect here");
        let hint = "evidence is always produced; the command line says where it goes";
        self.context
            .warn_once(word, Diagnostic::warning(Code::SmtIgnored, span, message).hint(hint));
        self.request(Request::Unsupported(word));
        Ok(())
    }
}
