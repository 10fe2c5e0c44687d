//! The commands of scripts: one table of their names, and the one loop that reads them.
//!
//! The table has every command of SMT-LIB and of Z3's dialect. What a command comes to is up to a
//! `Reads`: the reader of Horn clauses makes clauses and questions, that of general scripts commands
//! as data. What is alike for all stands here: a command with an error is reported and left, and
//! reading goes on at the next one, so that one run shows several errors.

use super::Fallible;
use super::context::Context;
use super::cursor::{Cursor, shorten};
use super::lex::{Kind, Token};
use super::recover::next_command;
use crate::diag::{Code, Diagnostic};
use crate::suggest::nearest;
use alphorn_problem::Span;

/// More levels than any script needs; a level costs memory.
const MAX_LEVELS: usize = 1 << 16;

/// Which readers take a name for one of theirs, when they look for the next command or for a name
/// that was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// That of Horn clauses.
    Horn,
    /// That of general scripts.
    General,
    /// Both.
    All,
    /// None: a name that is only known in order to be refused.
    Nobody,
}

macro_rules! commands {
    ($($word:ident $name:literal $readers:ident,)*) => {
        /// A command, by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Word { $(#[doc = concat!("`", $name, "`")] $word,)* }

        /// All names, in order.
        const COMMANDS: &[(&str, Word, Readers)] =
            &[$(($name, Word::$word, Readers::$readers),)*];
    };
}

commands! {
    Assert "assert" All,
    CheckSat "check-sat" All,
    CheckSatAssuming "check-sat-assuming" All,
    CheckSatUsing "check-sat-using" Horn,
    DeclareCodatatype "declare-codatatype" General,
    DeclareCodatatypes "declare-codatatypes" General,
    DeclareConst "declare-const" All,
    DeclareDatatype "declare-datatype" All,
    DeclareDatatypes "declare-datatypes" All,
    DeclareFun "declare-fun" All,
    DeclareHeap "declare-heap" Horn,
    DeclareRel "declare-rel" All,
    DeclareSort "declare-sort" All,
    DeclareSortParameter "declare-sort-parameter" Horn,
    DeclareVar "declare-var" All,
    DefineConst "define-const" All,
    DefineFun "define-fun" All,
    DefineFunRec "define-fun-rec" All,
    DefineFunsRec "define-funs-rec" All,
    DefineSort "define-sort" All,
    Echo "echo" All,
    Exit "exit" All,
    GetAssertions "get-assertions" All,
    GetAssignment "get-assignment" All,
    GetInfo "get-info" All,
    GetInterpolants "get-interpolants" General,
    GetModel "get-model" All,
    GetOption "get-option" All,
    GetProof "get-proof" All,
    GetUnsatAssumptions "get-unsat-assumptions" All,
    GetUnsatCore "get-unsat-core" All,
    GetValue "get-value" All,
    Maximize "maximize" Nobody,
    Minimize "minimize" Nobody,
    Pop "pop" All,
    Push "push" All,
    Query "query" All,
    Reset "reset" All,
    ResetAssertions "reset-assertions" All,
    Rule "rule" All,
    SetInfo "set-info" All,
    SetLogic "set-logic" All,
    SetOption "set-option" All,
    Simplify "simplify" General,
}

impl Word {
    fn of(name: &str) -> Option<Word> {
        COMMANDS.iter().find(|(known, ..)| *known == name).map(|(_, word, _)| *word)
    }

    /// The command's name.
    pub(super) fn name(self) -> &'static str {
        COMMANDS.iter().find(|(_, word, _)| *word == self).map_or("", |(name, ..)| name)
    }
}

/// The names that a reader takes for its own.
fn names(readers: Readers) -> impl Iterator<Item = &'static str> {
    let is_own = move |&&(_, _, own): &&(_, _, Readers)| own == readers || own == Readers::All;
    COMMANDS.iter().filter(is_own).map(|(name, ..)| *name)
}

/// Whoever makes something of commands.
pub(super) trait Reads<'t> {
    /// What a command comes to.
    type Read;
    /// Which reader this is.
    const READER: Readers;

    /// Where it is.
    fn cursor(&mut self) -> &mut Cursor<'t>;

    /// What is declared.
    fn context(&mut self) -> &mut Context;

    /// Reads what follows the name `token` of the command that begins at `start`, without the last
    /// parenthesis.
    fn arguments(&mut self, word: Word, token: Token, start: u32) -> Fallible<Self::Read>;
}

/// Reads the next command, and says where it stands; nothing at the end of the text.
pub(super) fn next<'t, R: Reads<'t>>(
    reader: &mut R,
) -> Option<Result<(R::Read, Span), Diagnostic>> {
    let is_command = |word: &[u8]| names(R::READER).any(|name| name.as_bytes() == word);
    next_command(reader, |reader| reader.cursor(), ("a command", is_command), command)
}

fn command<'t, R: Reads<'t>>(reader: &mut R) -> Fallible<(R::Read, Span)> {
    let cursor = reader.cursor();
    let start = cursor.open("a command")?.start;
    let token = cursor.symbol("the name of a command")?;
    let name = cursor.text_of(token);
    let word = Word::of(name).ok_or_else(|| unknown(name, token.span(), R::READER))?;
    let read = reader.arguments(word, token, start)?;
    let cursor = reader.cursor();
    cursor.close("a closing parenthesis at the end of the command")?;
    let (span, next) = (cursor.span_from(start), cursor.peek());
    if word == Word::Exit && next.kind != Kind::End {
        let message = "what comes after (exit) has no effect";
        reader.context().warn(Diagnostic::warning(Code::SmtIgnored, next.span(), message));
    }
    Ok((read, span))
}

/// What to say about a name that is not known to a reader.
pub(super) fn unknown(name: &str, span: Span, readers: Readers) -> Box<Diagnostic> {
    let message = format!("there is no command `{}`", shorten(name));
    let diagnostic = Diagnostic::error(Code::SmtSyntax, span, message);
    Box::new(match nearest(name, names(readers)) {
        Some(name) => diagnostic.hint(format!("did you mean `{name}`?")),
        None => diagnostic,
    })
}

/// What to say about a command that is known and not treated.
pub(super) fn refused(span: Span, reason: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(Code::SmtCommand, span, reason))
}

/// Reads how many levels to begin, where there are `levels` of them.
pub(super) fn pushed(cursor: &mut Cursor<'_>, levels: usize) -> Fallible<usize> {
    let place = cursor.peek().span();
    let count = cursor.levels()?;
    if levels + count > MAX_LEVELS {
        return Err(refused(place, &format!("more than {MAX_LEVELS} levels")));
    }
    Ok(count)
}

/// Reads how many levels to end, where there are `levels` of them; `span` is the command's name.
pub(super) fn popped(cursor: &mut Cursor<'_>, levels: usize, span: Span) -> Fallible<usize> {
    let count = cursor.levels()?;
    if count > levels {
        let message = format!("there are only {levels} levels to pop");
        return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_once_and_in_order() {
        assert!(COMMANDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for &(name, word, _) in COMMANDS {
            assert_eq!((Word::of(name), word.name()), (Some(word), name));
        }
    }

    #[test]
    fn a_reader_suggests_only_commands_of_its_own() {
        let hint = |name, readers| unknown(name, Span::NONE, readers).hint;
        let meant = |name: &str| Some(format!("did you mean `{name}`?"));
        assert_eq!(hint("simplifi", Readers::General), meant("simplify"));
        assert_eq!(hint("simplifi", Readers::Horn), None);
        assert_eq!(hint("maximise", Readers::General), None);
        assert_eq!(hint("chek-sat", Readers::Horn), meant("check-sat"));
    }
}
