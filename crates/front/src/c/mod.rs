//! C: from bytes to the tree of a program.
//!
//! Bytes become tokens (`lex`), directives and macros are carried out (`preprocess`).
//!
//! Source: ISO/IEC 9899:2011 (C11), and the GNU C manual for what gcc adds.

pub mod lex;
pub mod preprocess;
mod source;
pub mod token;
