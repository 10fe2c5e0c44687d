//! Numerical transition systems (NTS), read as programs.
//!
//! A file has global variables and systems: locations, and edges with relations on the variables before
//! and after (primed). An edge may call another system instead. A system becomes a procedure with a block
//! per location and one per edge.
//!
//! What relations mean: with `havoc(x, …)` all other variables keep their values; without it nothing is
//! kept, and `{ }` allows everything. A call runs its callee from an initial to a final location: inputs are
//! copied, locals are arbitrary, globals are shared, and outputs go to the primed names; of the caller's own
//! variables, those not in the call's `havoc` are kept. `init` restricts the globals at the beginning. A call
//! of a system that the file does not have changes nothing but its results, which is a warning. Integer
//! division is that of SMT-LIB.
//!
//! Invariant: what `read` returns is a valid program (`Program::validate`) that violates a check exactly
//! if an error location is reached.
//!
//! After the format of \[Hoj13\] §2 and the files of its library; instances in parallel and arrays are not
//! treated.

mod edge;
mod file;
mod lower;
mod value;

use crate::diag::{Code, Diagnostic, Read, by_parts};
use crate::infix::{Assoc, Cursor, Fallible, Grammar, Lexis, infix};
use alphorn_program::Program;

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    has_block_comments: true,
    has_decimals: true,
    has_escapes: false,
    has_words: false,
    begins_name: |byte| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$',
    continues_name: |byte| byte.is_ascii_alphanumeric() || b"_'$".contains(&byte),
    symbols: &[
        "<->", "->", "&&", "||", "<=", ">=", "!=", "==", "=", "<", ">", "!", "+", "-", "*", "/",
        "%", "(", ")", "{", "}", "[", "]", ",", ";", ":", ".", "@", "|",
    ],
};

static GRAMMAR: Grammar = Grammar {
    prefix: &[("not", 50), ("!", 50), ("-", 90)],
    infix: &[
        infix(10, Assoc::Left, &["equiv", "<->"]),
        infix(20, Assoc::Right, &["imply", "->"]),
        infix(30, Assoc::Chain, &["or", "||"]),
        infix(40, Assoc::Chain, &["and", "&&"]),
        infix(60, Assoc::None, &["=", "==", "!=", "<", "<=", ">", ">="]),
        infix(70, Assoc::Chain, &["+"]),
        infix(70, Assoc::Left, &["-"]),
        infix(80, Assoc::Chain, &["*"]),
        infix(80, Assoc::Left, &["/", "%"]),
    ],
    calls: &[("(", ")")],
    has_indices: false,
    has_conditional: false,
    binders: &["forall", "exists"],
    bindings: bound,
    reserved: &["not", "equiv", "imply", "or", "and"],
};

/// Takes what a quantifier binds: `x, y : int .`
fn bound(cursor: &mut Cursor<'_>) -> Fallible<()> {
    loop {
        cursor.names("a variable")?;
        cursor.expect(":")?;
        cursor.name("a type")?;
        if cursor.is("[") {
            let message = "quantifiers over ranges are not treated";
            let place = cursor.peek().span;
            return Err(Box::new(Diagnostic::unsupported(Code::NtsUnsupported, place, message)));
        }
        if cursor.eat(",").is_none() {
            return cursor.expect(".").map(|_| ());
        }
    }
}

/// Reads a file as a program.
pub fn read(bytes: &[u8]) -> Read<Program> {
    by_parts(bytes, file::parse, lower::program)
}
