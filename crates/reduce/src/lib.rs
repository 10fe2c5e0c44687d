//! Problems made smaller, step by step, as long as something stays true of them.
//!
//! A kind of problem says which steps make it smaller ([`Reduce`]), the large ones first: parts of lists left out, then
//! terms and gates by simpler ones. [`reduce`] takes a step whenever what is asked still holds, goes on where it was, and
//! ends when a whole round of steps is refused. Horn systems, circuits and word-level systems are made smaller as
//! problems, so that every candidate is well formed; what has no such form, or cannot be read at all, as a text
//! with brackets ([`text`]).
//!
//! Invariant: every step makes its problem smaller in an order without infinite descents, so that reducing ends; and
//! the result is one of which everything was true that was asked.
//!
//! After Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), from which the
//! order of chunks is, and Misherghi and Su, "HDD: Hierarchical Delta Debugging" (ICSE 2006), for texts.

mod chunks;
pub mod circuit;
mod clauses;
pub mod horn;
mod search;
pub mod terms;
pub mod text;
pub mod words;

pub use chunks::{chunks, shorter};
pub use search::{Reduce, reduce};

#[cfg(test)]
mod tests;
