//! Readers and writers: the only crate that knows what files look like.

pub mod aiger;
pub mod btor2;
pub mod c;
pub mod diag;
pub mod dimacs;
pub mod evidence;
<<<<<<< HEAD
pub mod property;
pub mod sha256;
=======
mod infix;
pub mod prolog;
>>>>>>> 709c9c5 (front: Horn clauses in Prolog's syntax are read and written)
pub mod smtlib;
mod suggest;
pub mod witness;
pub mod yaml;

pub use diag::{Code, Diagnostic, Diagnostics, Read, Severity};
