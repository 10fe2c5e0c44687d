//! SV-LIB 1.0: programs over the theories of SMT-LIB, read and written.
//!
//! A script declares sorts, functions and global variables as in SMT-LIB, defines procedures of structured
//! statements with labels and jumps, says with tags what must hold where, and asks with `verify-call` whether
//! all of it does for a call. The reader stands on that of SMT-LIB: terms, sorts and declarations are its.
//!
//! What annotations mean: `:check-true` must hold whenever its statement is reached, `:invariant` whenever the
//! condition of its loop is evaluated (or its statement is reached, if that is no loop), and `:ensures`
//! whenever its statement has ended, or the procedure returns from it, if `:requires` held when it was
//! reached. Annotations about termination are not treated.
//!
//! Invariant: what `read` returns is a valid program (`Program::validate`), and what `write` writes reads as
//! a program with the same runs and checks.
//!
//! After Beyer, Ernst, Jonáš, Lingsch-Rosenfeld, "SV-LIB 1.0" (2025). Procedures may be called before they
//! are defined.

mod annotate;
mod commands;
mod place;
mod statement;
mod write;

pub use commands::read;
pub use write::write;
