//! C: from bytes to the tree of a program.
//!
//! Bytes become tokens (`lex`), directives and macros are carried out (`preprocess`), and the parser
//! (`parse`) makes a tree of what is left, in which all types and conversions are said (`typing`).
//!
//! Source: ISO/IEC 9899:2011 (C11), and the GNU C manual for what gcc adds.

mod anonymous;
mod constant;
mod expression;
mod fixed;
pub mod harness;
pub mod lex;
pub mod origin;
mod parse;
pub mod preprocess;
pub mod print;
mod scope;
mod source;
pub mod token;
mod typing;

use crate::diag::{Diagnostics, Read};
use alphorn_program::Unit;
use alphorn_program::c::Types;

pub use anonymous::anonymous;
pub use expression::read_expression;
pub use parse::{MAX_CHAIN, MAX_DEPTH};
pub use preprocess::Options;

/// Reads a program.
pub fn read(source: &[u8], options: &Options<'_>) -> Read<Unit> {
    let mut diagnostics = Diagnostics::default();
    let mut tokens = preprocess::tokens(source, options, &mut diagnostics);
    let annotations = std::mem::take(&mut tokens.annotations);
    let unit = Unit { types: Types::new(options.model), annotations, ..Unit::default() };
    let mut parser = parse::Parser::new(&tokens, unit);
    parser.typer.report.list = diagnostics;
    parser.file();
    let typing::Typer { unit, mut report, .. } = parser.typer;
    // The preprocessor has spoken before the parser; people read from top to bottom.
    report.list.list.sort_by_key(|diagnostic| diagnostic.span.start);
    (report.list.is_clean().then_some(unit), report.list)
}
