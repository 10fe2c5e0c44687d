//! The verbs, one file each.

pub mod check;
pub mod convert;
pub mod decide;
pub mod doctor;
pub mod engines;
pub mod generate;
pub mod sat;
pub mod smt;
