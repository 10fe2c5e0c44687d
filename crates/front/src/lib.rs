//! Readers and writers: the only crate that knows what files look like.

pub mod aiger;
pub mod btor2;
pub mod c;
pub mod diag;
pub mod dimacs;
pub mod evidence;
pub mod smtlib;
mod suggest;

pub use diag::{Code, Diagnostic, Diagnostics, Read, Severity};
