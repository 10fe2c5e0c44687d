//! Lazy annotation.

pub(crate) mod annotation;
pub(crate) mod bounded;
mod derivation;
pub(crate) mod goal;
mod interpolants;
mod learn;
pub mod mark;
pub(crate) mod position;
mod propagate;
mod search;
pub(crate) mod system;
mod whole;
