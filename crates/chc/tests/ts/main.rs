//! The engines for transition systems: small systems, and random ones; evidence is always checked.

#![allow(clippy::unwrap_used)]

#[path = "../horn/generator.rs"]
mod generator;
#[path = "../horn/judge.rs"]
mod judge;
mod random;
mod small;
