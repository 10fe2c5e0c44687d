//! The Horn engines and transforms: data and one helper per area, evidence always checked.

mod judge;
mod random;
mod words;
