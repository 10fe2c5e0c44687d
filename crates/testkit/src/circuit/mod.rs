//! Circuits for tests: by hand, at random, and what is right about small ones.

pub mod build;
pub mod games;
pub mod justice;
pub mod oracle;
pub mod random;
