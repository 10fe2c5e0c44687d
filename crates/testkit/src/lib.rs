//! What tests share, and nothing that is linked into a product.
//!
//! | | |
//! |---|---|
//! | [`Rng`] | one source of random numbers |
//! | [`horn`], [`circuit`], [`words`], [`cnf`], [`formulas`], [`terms`] | random problems of each kind, and what is right about the small ones, by brute force |
//! | [`shrink`] | failing inputs made small |
//! | [`read`] | problems from texts without mistakes |
//!
//! Crates have this one as a dev-dependency, also those it is made of: their tests in `tests/` may use all of it,
//! their tests in `src/` what does not speak of their own types, because there they are two crates.

pub mod formulas;
pub mod horn;
pub mod read;
mod rng;
pub mod shrink;
pub mod terms;

pub use rng::{Count, Rng};
