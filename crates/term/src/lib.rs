//! Sorts, hash-consed terms, exact numbers, and evaluation: the reference semantics.
//!
//! Everything the platform reasons about is a term of a [`Store`]. This crate says what terms are
//! (`id`, `store`, `op`, `sort`), how they are made (`build`), what they mean (`eval`), and how they
//! look (`print`). It depends on nothing of ours and knows nothing of problems or solvers.

mod annotate;
mod annotation;
mod build;
mod bv;
pub mod eval;
mod id;
mod intern;
pub mod meter;
pub mod num;
pub mod odd;
mod op;
mod pages;
pub mod parts;
pub mod print;
mod slots;
mod sort;
mod store;
mod subst;
mod table;
mod typing;
pub mod value;
mod walk;

pub use annotation::Annotations;
pub use bv::Bv;
pub use eval::{EvalError, Model, eval};
pub use id::{CtorId, DataId, FuncId, SymbolId, TermId};
pub use meter::{Exhausted, Meter};
pub use num::{Int, Rat};
pub use op::Op;
pub use slots::Slots;
pub use sort::{Sort, SortId};
pub use store::{Ctor, Data, Func, Store};
pub use subst::Substitution;
pub use typing::{MAX_WIDTH, SortError};
pub use value::Value;
