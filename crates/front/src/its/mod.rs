//! Transition systems of the termination competition, read and written as flows.
//!
//! The SMT-LIB form (`smt`) defines two formulas: `init_main` says where runs begin, and `next_main` how they
//! go on, as a disjunction of `cfg_trans2` between two locations. Existential quantifiers of a relation become
//! inputs (`inputs`). The ARI form (`ari`) has a rewrite rule per transition, between function symbols that are
//! the locations.
//!
//! Invariant: what is read is a valid flow (`Flow::validate`), in which no two formulas share an input.
//!
//! After the category "Integer Transition Systems" of the termination competition and its database TPDB.

mod ari;
mod inputs;
mod smt;
mod words;
mod write;

pub use ari::{begins as begins_ari, read as read_ari};
pub use smt::{begins, read};
pub use write::write;
