//! Recursion-free systems: shapes, the engine, and proofs of candidates; evidence always checked.

#![allow(clippy::unwrap_used)]

mod candidates;
mod judge;
mod qbf;
mod random;
mod rules;
mod small;
mod thesis;
