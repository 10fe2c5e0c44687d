//! Folds, which are functions on datatypes by structural recursion, in proofs.
//!
//! Models may define predicates with folds (`evidence::fold`). Here is what proving such models takes:
//!
//! - `data`: which datatypes are recursive
//! - `instances`: equations and laws of folds at the terms of a clause
//! - `laws`: laws, by induction
//! - `refute`, `closure`, `triggers`: refutations with functions that have parameters

mod closure;
pub mod data;
mod instances;
mod laws;
mod refute;
mod triggers;

pub use closure::tree_size;
pub use instances::{Instances, fields_of};
pub use laws::with_laws;
pub use refute::{Effort, refute};
