//! Boogie programs: the part that verifiers of C write and that small programs use.
//!
//! Types are `int`, `bool`, `real`, words, maps and names of types. Maps are arrays. Constants are variables
//! that nothing changes, and functions without a body are arrays that nothing changes; axioms say what holds
//! of them at the beginning. Bodies of functions take the place of their calls.
//!
//! What is verified: all runs from an *entry*. That is a procedure with the attribute `{:entrypoint}`; where
//! none has it, `ULTIMATE.start`; where there is none, any procedure with a body, each from any state that
//! satisfies its preconditions. A call runs the callee's body where there is one, else it gives what `modifies`
//! names and the results any values such that the postconditions hold. Preconditions are checked at calls,
//! postconditions at the end of bodies, invariants whenever the condition of their loop is evaluated; what is
//! `free` is assumed instead. So an assertion that only a missing contract makes unprovable is proved here.
//!
//! Invariant: what `read` returns is a valid program (`Program::validate`).
//!
//! After Leino, "This is Boogie 2" (2008). Not treated: type constructors and polymorphism, lambdas,
//! recursive functions with bodies, asynchronous calls; triggers are skipped.

mod body;
mod contract;
mod declare;
mod sorts;
mod value;

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Assoc, Cursor, Fallible, Grammar, Lexis, infix};
use alphorn_problem::Span;
use alphorn_program::Program;

pub(super) const MARKS: &[u8] = b"_.$#'`~^\\?@";

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    has_block_comments: true,
    has_decimals: true,
    has_escapes: true,
    has_words: true,
    begins_name: |byte| byte.is_ascii_alphabetic() || MARKS.contains(&byte),
    continues_name: |byte| byte.is_ascii_alphanumeric() || MARKS.contains(&byte),
    symbols: &[
        "<==>", "==>", "<==", "::", ":=", "==", "!=", "<=", ">=", "<:", "&&", "||", "++", "**",
        "<", ">", "!", "+", "-", "*", "/", "(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "|",
    ],
};

static GRAMMAR: Grammar = Grammar {
    prefix: &[("!", 90), ("-", 90)],
    infix: &[
        infix(10, Assoc::Left, &["<==>"]),
        infix(20, Assoc::Right, &["==>"]),
        infix(21, Assoc::Left, &["<=="]),
        infix(30, Assoc::Chain, &["||"]),
        infix(35, Assoc::Chain, &["&&"]),
        infix(40, Assoc::None, &["==", "!=", "<", "<=", ">", ">="]),
        infix(50, Assoc::Left, &["++"]),
        infix(60, Assoc::Chain, &["+"]),
        infix(60, Assoc::Left, &["-"]),
        infix(70, Assoc::Chain, &["*"]),
        infix(70, Assoc::Left, &["div", "mod", "/"]),
    ],
    calls: &[("(", ")")],
    has_indices: true,
    has_conditional: true,
    binders: &["forall", "exists"],
    bindings: bound,
    reserved: &[
        "div",
        "mod",
        "then",
        "else",
        "if",
        "while",
        "call",
        "assert",
        "assume",
        "havoc",
        "goto",
        "return",
        "break",
        "var",
        "invariant",
        "free",
        "returns",
        "requires",
        "ensures",
        "modifies",
        "lambda",
    ],
};

/// Takes what a quantifier binds, with its triggers: `x, y: int, z: bool :: { f(x) }`.
fn bound(cursor: &mut Cursor<'_>) -> Fallible<()> {
    if cursor.is("<") {
        let message = "quantifiers over types are not treated";
        let place = cursor.peek().span;
        return Err(Box::new(Diagnostic::unsupported(Code::BoogieUnsupported, place, message)));
    }
    loop {
        cursor.names("a variable")?;
        cursor.expect(":")?;
        sorts::skip(cursor)?;
        if cursor.eat(",").is_none() {
            break;
        }
    }
    cursor.expect("::")?;
    while cursor.is("{") {
        braces(cursor)?;
    }
    Ok(())
}

/// Skips from an opening brace to the one that closes it.
pub(super) fn braces(cursor: &mut Cursor<'_>) -> Fallible<Span> {
    let start = cursor.expect("{")?.span;
    let mut depth = 1;
    while depth > 0 {
        if cursor.is_at_end() {
            let message = "this brace is not closed";
            return Err(Box::new(Diagnostic::error(Code::BoogieSyntax, start, message)));
        }
        if cursor.is("{") {
            depth += 1;
        } else if cursor.is("}") {
            depth -= 1;
        }
        cursor.take();
    }
    Ok(cursor.span_from(start))
}

/// Reads a program.
pub fn read(bytes: &[u8]) -> Read<Program> {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let program = contract::program(bytes, &mut diagnostics);
    (program.filter(|_| diagnostics.is_clean()), diagnostics)
}
