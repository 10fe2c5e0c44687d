//! What formulas of a script say in a model: the interpretation, and what must be refuted in it.
//!
//! An interpretation is a store of its own in which the formulas are said again. A declared sort that
//! the model gives n elements is an enumeration of n values there, so that everything that depends on
//! how many there are (quantifiers, equality of arrays over it, values of datatypes with them) has one
//! meaning: that of finite datatypes, by the same semantics as for all others. Sorts that are not given
//! a number stay declared, and are infinite.
//!
//! - `world`: sorts, values, functions and formulas in the interpretation
//! - `close`: formulas with the model written out
//!
//! Provers and the checker call this code. They must get the same terms, so an interpretation begins
//! with an empty store, and the order of calls decides the ids: `formula` and `obligation` for one
//! formula after the other, in the order of the question.

mod close;
mod world;

pub use world::{Interpretation, MAX_UNIVERSE};
