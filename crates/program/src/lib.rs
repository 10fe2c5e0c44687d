//! Programs: what is read of them, what they mean, and the Horn clauses that they stand for.
//!
//! A C program is a typed tree (`c`), in which every conversion that the language leaves unsaid is said.
//! Programs of all languages have a common form (`form`): procedures of blocks over unbounded integers,
//! words and arrays, with checks in them. Horn clauses come from that form, with a predicate at every
//! place where a run may come by again. Whether runs end is asked of a flow, which comes from it, too (`runs`), or
//! from rules between places (`rules`).

pub mod c;
pub mod clauses;
pub mod form;
pub mod rules;
mod runs;
mod unstacked;
mod weave;

pub use c::Unit;
pub use form::Program;
pub use runs::program_to_flow;
