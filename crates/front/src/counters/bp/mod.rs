//! Boolean programs with any number of threads, in the language of CProver's tools.
//!
//! ```text
//! decl lock := 0;
//! void main() begin
//!   decl mine := *;
//!   1: start_thread goto 1;
//!   2: assume(!lock);
//!   3: lock, mine := 1, * constrain ('mine = lock);
//!   4: assert(lock);
//! end
//! ```
//!
//! Runs begin with one thread at the first statement of `main`. A statement is a step, and steps of threads are
//! interleaved. `start_thread goto L` goes on and lets a new thread begin at L with the same local
//! values; `wait` blocks until some thread does `broadcast`, which lets all go on who wait at that moment; between
//! `atomic_begin` and `atomic_end` nobody else runs. Each `*` is 0 or 1, anew each time. What must not happen is that an
//! `assert` is reached whose formula may be 0.
//!
//! Shared values are locations and local ones, with the place in the program, are counted (`steps`).
//!
//! After the grammar of CProver's Boolean programs, and Ucob's programs \[LW14\]. Procedures other than `main` are read,
//! and may not be called.

mod expression;
mod statement;
mod steps;

use super::Builder;
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Kind, Lexis};
use alphorn_problem::{Horn, Span};
use expression::Expression;
use std::collections::BTreeMap;

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    has_block_comments: true,
    begins_name: |byte| byte.is_ascii_alphabetic() || byte == b'_',
    continues_name: |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'),
    symbols: &[
        ":=", "=>", "==", "!=", "&&", "||", ":", ";", ",", "(", ")", "[", "]", "{", "}", "!", "~",
        "&", "|", "^", "=", "?", "*", "'",
    ],
    ..Lexis::PLAIN
};

/// The most shared, and the most local variables.
const MAX_VARIABLES: usize = 24;

/// A variable: a shared or a local one, by its position among these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Shared(usize),
    Local(usize),
}

/// A place in the program.
type Place = usize;

/// What a statement does.
#[derive(Clone, Debug)]
enum Action {
    Skip,
    Goto(Vec<Place>),
    /// Goes to the first place if the formula is 1 and to the second if it is 0; on, where there is none.
    Branch(Expression, [Option<Place>; 2]),
    Assume(Expression),
    Assert(Expression),
    Assign(Vec<(Variable, Expression)>, Option<Expression>),
    Start(Place),
    Wait,
    Broadcast,
    AtomicBegin,
    AtomicEnd,
    End,
}

/// A statement.
#[derive(Clone, Debug)]
struct Statement {
    action: Action,
    span: Span,
}

/// A declared variable with what it may be at the beginning.
#[derive(Clone, Debug)]
struct Declared {
    name: String,
    /// Whether it may be 0, and whether it may be 1.
    may_be: [bool; 2],
}

/// The program that matters.
#[derive(Debug, Default)]
struct Program {
    shared: Vec<Declared>,
    locals: Vec<Declared>,
    statements: Vec<Statement>,
}

/// Whether a text begins as these files do, behind comments.
pub fn begins(bytes: &[u8]) -> bool {
    let mut cursor = Cursor::new(bytes, 0, &LEXIS, Code::BooleanSyntax);
    let is_decl = cursor.eat("decl").is_some();
    let is_void = cursor.eat("void").is_some();
    if cursor.take().kind != Kind::Name {
        return false;
    }
    match (is_decl, is_void) {
        (true, _) => [":=", ",", ";"].iter().any(|symbol| cursor.is(symbol)),
        (false, true) => {
            cursor.eat("(").is_some() && cursor.eat(")").is_some() && cursor.is("begin")
        }
        (false, false) => false,
    }
}

/// Reads a program.
pub fn read(bytes: &[u8]) -> Read<Horn> {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let cursor = Cursor::new(bytes, 0, &LEXIS, Code::BooleanSyntax);
    let mut reader =
        Reader { cursor, names: BTreeMap::new(), program: Program::default(), depth: 0 };
    let horn = match reader.program().and_then(|()| steps::system(&reader.program)) {
        Ok(horn) => Some(horn),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    };
    (horn, diagnostics)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    names: BTreeMap<&'t str, Variable>,
    program: Program,
    /// How deep expressions and statements are nested here.
    depth: u32,
}

impl<'t> Reader<'t> {
    fn program(&mut self) -> Fallible<()> {
        while self.cursor.is("decl") {
            self.declaration(Variable::Shared)?;
        }
        let mut has_main = false;
        while !self.cursor.is_at_end() {
            has_main |= self.procedure(has_main)?;
        }
        let place = self.cursor.peek().span;
        if !has_main {
            let message = "there is no procedure main with statements";
            return Err(Box::new(Diagnostic::error(Code::BooleanSyntax, place, message)));
        }
        let asks = |statement: &Statement| matches!(statement.action, Action::Assert(_));
        if !self.program.statements.iter().any(asks) {
            let message = "main has no assert, so that nothing is asked";
            return Err(Box::new(Diagnostic::error(Code::BooleanSyntax, place, message)));
        }
        Ok(())
    }

    /// A procedure; whether it is the one where runs begin. Of the others the grammar is asked alone.
    fn procedure(&mut self, has_main: bool) -> Fallible<bool> {
        let start = self.cursor.peek().span;
        for word in ["void", "bool"] {
            self.cursor.eat(word);
        }
        let (name, span) = self.cursor.name("the name of a procedure")?;
        self.cursor.expect("(")?;
        if self.cursor.eat(")").is_none() {
            let message = "procedures with arguments are not treated";
            return Err(untreated(self.cursor.span_from(start), message));
        }
        self.cursor.expect("begin")?;
        if name == "main" && has_main {
            let message = "there are two procedures main";
            return Err(Box::new(Diagnostic::error(Code::BooleanName, span, message)));
        }
        let (names, shared) = (self.names.clone(), self.program.shared.clone());
        let before = std::mem::take(&mut self.program);
        self.program.shared = shared;
        while self.cursor.is("decl") {
            self.declaration(Variable::Local)?;
        }
        self.body()?;
        self.names = names;
        if name == "main" {
            return Ok(true);
        }
        self.program = before;
        Ok(false)
    }

    fn declaration(&mut self, kind: fn(usize) -> Variable) -> Fallible<()> {
        self.cursor.expect("decl")?;
        loop {
            let (name, span) = self.cursor.name("the name of a variable")?;
            let mut may_be = [true, true];
            if self.cursor.eat(":=").is_some() {
                let known = std::mem::take(&mut self.names);
                let value = self.expression();
                self.names = known;
                let value = value.map_err(|diagnostic| {
                    Box::new(diagnostic.hint("variables begin as 0, as 1, or as * for either"))
                })?;
                may_be = value.values(&|_| false, &|_| false);
            }
            let is_shared = matches!(kind(0), Variable::Shared(_));
            let Program { shared, locals, .. } = &mut self.program;
            let list = if is_shared { shared } else { locals };
            if list.len() == MAX_VARIABLES {
                let message =
                    format!("more than {MAX_VARIABLES} variables of one kind are not treated");
                return Err(untreated(span, &message));
            }
            let variable = kind(list.len());
            list.push(Declared { name: name.to_owned(), may_be });
            if self.names.insert(name, variable).is_some() {
                let message = format!("the variable {name} is declared twice");
                return Err(Box::new(Diagnostic::error(Code::BooleanName, span, message)));
            }
            if self.cursor.eat(",").is_none() {
                break;
            }
        }
        self.cursor.expect(";")?;
        Ok(())
    }

    /// A variable that is named here.
    fn variable(&mut self) -> Fallible<Variable> {
        let (name, span) = self.cursor.name("a variable")?;
        self.names.get(name).copied().ok_or_else(|| {
            let message = format!("the variable {name} is not declared");
            let diagnostic = Diagnostic::error(Code::BooleanName, span, message);
            Box::new(match crate::suggest::nearest(name, self.names.keys().copied()) {
                Some(other) => diagnostic.hint(format!("is {other} meant?")),
                None => diagnostic,
            })
        })
    }
}

fn untreated(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(Code::BooleanUntreated, span, message))
}
