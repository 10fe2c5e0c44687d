//! Readers and writers: the only crate that knows what files look like.

pub mod aiger;
pub mod btor2;
pub mod c;
pub mod diag;
pub mod dimacs;
pub mod evidence;
mod infix;
pub mod prolog;
pub mod property;
pub mod sha256;
pub mod smtlib;
mod suggest;
pub mod witness;
pub mod yaml;

pub use diag::{Code, Diagnostic, Diagnostics, Read, Severity};
