//! Transforms and engines for circuits and word-level transition systems.
//!
//! `circuit` and `words` hold what stays within a representation, the other modules the ways
//! between representations, each with its way back. `engines` is the registry.

pub mod bits;
pub mod checkable;
pub mod circuit;
pub mod engines;
mod luby;
pub mod select;
pub mod words;
