//! The Horn engines and transforms: data and one helper per area, evidence always checked.

#![allow(clippy::unwrap_used)]

mod agreement;
mod judge;
mod quantified;
mod random;
mod small;
mod theories;
mod words;
