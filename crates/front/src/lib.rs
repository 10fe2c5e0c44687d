//! Readers and writers: the only crate that knows what files look like.

pub mod aiger;
pub mod anonymous;
mod background;
mod blocks;
pub mod boogie;
pub mod btor2;
pub mod c;
pub mod costs;
pub mod counters;
pub mod ctl;
pub mod cubicle;
pub mod diag;
pub mod dimacs;
pub mod evidence;
pub mod fts;
pub mod hints;
mod infix;
pub mod its;
pub mod lemma_text;
pub mod murphi;
pub mod nts;
pub mod prolog;
pub mod property;
pub mod response;
pub mod sdn;
pub mod sha256;
pub mod smtlib;
mod suggest;
pub mod svlib;
pub mod t2;
pub mod template;
pub mod timed;
mod views;
pub mod witness;
pub mod yaml;

pub use diag::{Code, Diagnostic, Diagnostics, Read, Severity};
