//! Symbols as SMT-LIB writes them.

/// Words that a simple symbol must not be: the reserved ones, and the names of the commands.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "!", "_", "as", "BINARY", "DECIMAL", "exists", "HEXADECIMAL", "forall", "lambda", "let",
    "match", "NUMERAL", "par", "STRING", "assert", "check-sat", "check-sat-assuming",
    "declare-const", "declare-datatype", "declare-datatypes", "declare-fun", "declare-sort",
    "declare-sort-parameter", "define-const", "define-fun", "define-fun-rec", "define-funs-rec",
    "define-sort", "echo", "exit", "get-assertions", "get-assignment", "get-info", "get-model",
    "get-option", "get-proof", "get-unsat-assumptions", "get-unsat-core", "get-value", "pop",
    "push", "reset", "reset-assertions", "set-info", "set-logic", "set-option",
];

/// Whether a name can stand without bars.
pub fn is_simple_symbol(name: &str) -> bool {
    let ok = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
    !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(ok)
        && !RESERVED.contains(&name)
}

/// The name as an SMT-LIB symbol, between bars where it must be. Bars and backslashes cannot be
/// written at all; they become `%7C` and `%5C`.
pub fn quote(name: &str) -> String {
    if is_simple_symbol(name) {
        name.to_owned()
    } else if name.contains(['|', '\\']) {
        format!("|{}|", name.replace('|', "%7C").replace('\\', "%5C"))
    } else {
        format!("|{name}|")
    }
}
