//! Lazy annotation.

pub(crate) mod annotation;
pub(crate) mod bounded;
mod derivation;
pub(crate) mod goal;
mod interpolants;
pub mod mark;
pub(crate) mod position;
pub(crate) mod system;
mod whole;
