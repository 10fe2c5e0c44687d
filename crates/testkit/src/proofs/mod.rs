//! Term-level proofs for tests: a language to write them in, and what each rule accepts and refuses.

pub mod language;
pub mod rules;
