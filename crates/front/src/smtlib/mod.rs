//! SMT-LIB 2.7: Horn problems in, in both dialects, general scripts in, problems and obligations
//! out.
//!
//! Tokens (`lex`, `cursor`) become terms in one pass (`term`), under the symbols of a `Context`.
//! One loop (`commands`) goes from command to command; of Horn clauses (`horn`) every assertion
//! becomes clauses (`clause`), every rule of Z3's fixedpoint dialect too (`fixedpoint`). Nothing recurses on
//! terms, so depth is bounded by memory alone. Nothing is dropped in silence: what has no effect
//! is a warning, what is outside of our fragment an error with its place.
//!
//! Scripts that are not Horn clauses are read by `general`, with the same terms and declarations.
//!
//! `print_horn` writes a system so that reading it gives the same system.
//!
//! After Barrett, Fontaine, Tinelli, "The SMT-LIB Standard, Version 2.7" (2025), and the format
//! of CHC-COMP. We differ where solvers agree against the letter: integers among reals are made
//! real, and datatypes may be declared as before version 2.6.

mod annotations;
mod anonymous;
mod apply;
mod binders;
mod body;
mod clause;
mod commands;
mod context;
mod cursor;
mod datatypes;
mod definitions;
mod distinct;
mod every;
mod fixedpoint;
pub mod general;
mod heap_clauses;
mod heaps;
mod horn;
mod indexed;
mod instances;
mod lex;
mod matching;
mod operators;
mod print;
mod quantified;
mod recover;
mod resolve;
mod scope;
mod script;
mod sizes;
mod sorts;
mod term;

pub use anonymous::anonymous;
pub use context::Context;
pub use cursor::Cursor;
pub(crate) use datatypes::codatatypes_refused;
pub(crate) use distinct::distinct_names;
pub use lex::{Kind, Lexer, Malformed, Token};
pub use print::{Declarations, print_horn, print_queries, print_questions, print_script};
pub(crate) use recover::next_command;
pub use script::{Dialect, Request, Script, Status, read};

/// Whether a name is one of the theories, or a word that cannot be declared.
pub(crate) fn is_reserved_name(name: &str) -> bool {
    cursor::is_reserved(name.as_bytes()) || operators::theory_symbols().any(|known| known == name)
}

/// The result of reading a piece of text.
pub type Fallible<T> = Result<T, Box<crate::diag::Diagnostic>>;
