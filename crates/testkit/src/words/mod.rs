//! Word-level systems for tests: by hand, at random, and what is right about small ones.

pub mod build;
pub mod judge;
pub mod justice;
pub mod oracle;
pub mod random;
pub mod text;
