//! General scripts: commands as data, in the order of the text.
//!
//! A script is read as a whole, or command by command as they arrive. Terms are built and symbols
//! resolved on the way, under the declarations in force where they stand; what is left of `push`,
//! `pop` and `reset` for whoever runs the commands are the levels of assertions. So a command needs
//! no names, and every term of every command lives in one store.
//!
//! - `split`: where a command ends, in a text that is still arriving
//! - `reader`: the commands, one after the other
//! - `recursive`: definitions that may mention themselves
//! - `ask`: commands that ask for something
//! - `partition`: what interpolants are to separate
//! - `reply`: values, models and strings as replies
//!
//! After Barrett, Fontaine, Tinelli, "The SMT-LIB Standard, Version 2.7" (2025), and for
//! interpolants Christ, Hoenicke, "Interpolation in SMTLIB 2.0" (2012). We differ where solvers
//! agree against the letter: `push` and `pop` without a number mean one level.

mod ask;
mod partition;
mod reader;
mod recursive;
pub mod reply;
mod split;

pub use ask::option_shape;
pub use partition::Partition;
pub use reader::{Live, read, unreadable};
pub use split::Splitter;

use alphorn_problem::Span;
use alphorn_term::{FuncId, Store, TermId};

/// A script as read.
#[derive(Clone, Debug)]
pub struct Script {
    /// The terms of all commands.
    pub store: Store,
    /// The commands, and where each stands.
    pub commands: Vec<(Command, Span)>,
}

/// A keyword with its value as text, blanks and comments left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The keyword, with its colon.
    pub keyword: String,
    /// The value, if there is one.
    pub value: Option<String>,
}

/// A term and where it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The term.
    pub term: TermId,
    /// Its place.
    pub span: Span,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `set-logic`
    SetLogic(String),
    /// `set-option`
    SetOption(Attribute),
    /// `set-info`
    SetInfo(Attribute),
    /// `declare-fun`, `declare-const`
    DeclareFun(FuncId),
    /// A sort, a datatype or a definition: the terms that use it say what it means.
    Declare,
    /// Definitions that mention themselves or each other.
    Define {
        /// The functions.
        funcs: Vec<FuncId>,
        /// What each is for all arguments; the place is that of the body.
        axioms: Vec<Written>,
    },
    /// `assert`
    Assert {
        /// The formula.
        formula: Written,
        /// The name of the whole formula.
        name: Option<String>,
        /// All names given to formulas within, that of the whole included.
        named: Vec<(String, TermId)>,
    },
    /// `check-sat`
    CheckSat,
    /// `check-sat-assuming`
    CheckSatAssuming(Vec<Written>),
    /// `check-sat-using`, with a tactic by its name alone, which changes no meaning; the milliseconds it may take.
    CheckSatUsing(Option<u64>),
    /// `push`
    Push(usize),
    /// `pop`; never more levels than there are.
    Pop(usize),
    /// `get-model`
    GetModel,
    /// `get-value`
    GetValue(Vec<Written>),
    /// `get-assignment`
    GetAssignment,
    /// `get-unsat-core`
    GetUnsatCore,
    /// `get-unsat-assumptions`
    GetUnsatAssumptions,
    /// `get-proof`
    GetProof,
    /// `get-interpolants`
    GetInterpolants(Partition),
    /// `get-assertions`
    GetAssertions,
    /// `get-info`
    GetInfo(String),
    /// `get-option`
    GetOption(String),
    /// `echo`, with the string as written, quotes included.
    Echo(String),
    /// `simplify`, as Z3 has it.
    Simplify(TermId),
    /// A command of Z3's fixedpoint dialect, which the reader of Horn clauses understands.
    Fixedpoint(Fixedpoint),
    /// `reset`
    Reset,
    /// `reset-assertions`
    ResetAssertions,
    /// `exit`
    Exit,
}

/// Commands of Z3's fixedpoint dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixedpoint {
    /// `declare-rel`, `declare-var`, `rule`
    Rule,
    /// `query`
    Query,
}

/// A piece of a script on one line: its tokens, blanks and comments left out.
pub fn text_at(bytes: &[u8], span: Span) -> String {
    use super::{Kind, Lexer};
    let mut lexer = Lexer::new(bytes, span.start as usize);
    let mut text = String::new();
    loop {
        let token = lexer.next_token();
        if token.kind == Kind::End || token.end > span.end {
            return text;
        }
        let needs_space = !text.is_empty() && !text.ends_with('(') && token.kind != Kind::Close;
        if needs_space {
            text.push(' ');
        }
        text.push_str(&String::from_utf8_lossy(&bytes[token.start as usize..token.end as usize]));
    }
}
