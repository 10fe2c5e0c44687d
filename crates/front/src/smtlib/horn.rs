//! What the commands of a script come to where it is about Horn clauses.
//!
//! Every `check-sat` asks about the clauses that are in force there, as `push` and `pop` have them; what
//! the script wants to see of an answer is kept for those who print (`Request`).

use super::Fallible;
use super::commands::{Readers, Reads, Word, popped, pushed, refused, unknown};
use super::context::Context;
use super::cursor::{Cursor, shorten};
use super::datatypes::codatatypes_refused;
use super::every::Interpretations;
use super::lex::{Kind, Token};
use super::script::{Dialect, Level, Reader, Request, Status};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::TermId;

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

impl<'t> Reads<'t> for Reader<'t> {
    type Read = Word;
    const READER: Readers = Readers::Horn;

    fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.cursor
    }

    fn context(&mut self) -> &mut Context {
        &mut self.context
    }

    fn arguments(&mut self, word: Word, token: Token, start: u32) -> Fallible<Word> {
        let (context, cursor, span) = (&mut self.context, &mut self.cursor, token.span());
        match word {
            Word::SetLogic => self.set_logic()?,
            Word::SetInfo => self.set_info()?,
            Word::SetOption => self.set_option()?,
            Word::DeclareSort => context.declare_sort_command(cursor)?,
            Word::DefineSort => context.define_sort(cursor)?,
            Word::DeclareDatatype => context.declare_datatype(cursor)?,
            Word::DeclareDatatypes => context.declare_datatypes(cursor)?,
            Word::DeclareCodatatype | Word::DeclareCodatatypes => {
                return Err(codatatypes_refused(span));
            }
            Word::DeclareHeap if self.levels.is_empty() => context.declare_heap(cursor, span)?,
            Word::DeclareHeap => {
                return Err(refused(span, "a heap that is declared after push is not treated"));
            }
            Word::DeclareFun => {
                let func = context.declare_fun(cursor)?;
                self.note_function(func, start);
            }
            Word::DeclareConst => {
                let func = context.declare_const(cursor)?;
                self.note_function(func, start);
            }
            Word::DefineFun => context.define_fun(cursor, start)?,
            Word::DefineConst => context.define_const(cursor)?,
            Word::Assert => self.assert(start)?,
            Word::CheckSat => self.check_sat(span)?,
            Word::Push => self.push()?,
            Word::Pop => self.pop(span)?,
            Word::Exit => {}
            Word::GetModel => self.request(Request::Model),
            Word::GetProof => self.request(Request::Proof),
            Word::GetInfo => self.get_info()?,
            Word::GetAssertions
            | Word::GetAssignment
            | Word::GetOption
            | Word::GetUnsatAssumptions
            | Word::GetUnsatCore
            | Word::GetValue => self.untold(span, word.name())?,
            Word::Echo => self.echo()?,
            Word::DeclareRel => self.declare_rel(start)?,
            Word::DeclareVar => self.declare_var(start)?,
            Word::Rule => self.rule(start)?,
            Word::Query => self.query(start)?,
            Word::CheckSatAssuming => {
                return Err(refused(span, "questions under assumptions are not treated"));
            }
            Word::CheckSatUsing => return Err(refused(span, "a solver's tactics are not treated")),
            Word::DeclareSortParameter => {
                return Err(refused(span, "declarations over sort parameters are not treated"));
            }
            Word::DefineFunRec | Word::DefineFunsRec => {
                return Err(refused(span, "recursive definitions are not treated"));
            }
            Word::Reset | Word::ResetAssertions => {
                return Err(refused(span, "a script is one problem and cannot start over"));
            }
            Word::GetInterpolants | Word::Maximize | Word::Minimize | Word::Simplify => {
                return Err(unknown(word.name(), span, Self::READER));
            }
        }
        Ok(word)
    }
}

impl Reader<'_> {
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
        let token = self.cursor.keyword()?;
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
        let token = self.cursor.keyword()?;
        let option = self.cursor.text_of(token);
        if option == ":functions" {
            return self.set_interpretations();
        }
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

    /// Which interpretations of declared functions the clauses are to hold for.
    fn set_interpretations(&mut self) -> Fallible<()> {
        let value = self.cursor.symbol("some or every")?;
        let refuse = |message: &str| {
            Err(Box::new(Diagnostic::error(Code::SmtSyntax, value.span(), message)))
        };
        let wanted = match self.cursor.bytes_of(value) {
            b"some" => Interpretations::Some,
            b"every" => Interpretations::Every,
            _ => return refuse("functions are to be some or every"),
        };
        if self.asked.is_some() && wanted != self.interpretations {
            return refuse("which functions are meant must be said before the first question");
        }
        self.interpretations = wanted;
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
        let count = pushed(&mut self.cursor, self.levels.len())?;
        let level = Level {
            declared: self.context.declared(),
            clauses: self.clauses.len(),
            preds: self.preds.len(),
        };
        self.levels.extend(std::iter::repeat_n(level, count));
        Ok(())
    }

    fn pop(&mut self, span: Span) -> Fallible<()> {
        let count = popped(&mut self.cursor, self.levels.len(), span)?;
        let base = self.levels.len() - count;
        let Some(level) = self.levels.drain(base..).next() else { return Ok(()) };
        if !self.keeps_declarations {
            self.context.undeclare(level.declared);
            self.preds.truncate(level.preds);
        }
        self.clauses.truncate(level.clauses);
        Ok(())
    }

    fn request(&mut self, request: Request) {
        self.requests.push((self.questions.len(), request));
    }

    fn get_info(&mut self) -> Fallible<()> {
        let token = self.cursor.keyword()?;
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
