//! The verbs, one file each.

pub mod check;
pub mod convert;
pub mod decide;
pub mod doctor;
pub mod engines;
pub mod generate;
pub mod sat;
pub mod smt;

use alphorn_driver::run::{Limit, resident_bytes};
use std::time::{Duration, Instant};

/// The limit that work begun at `begun` has passed, if any.
fn over_limit(begun: Instant, time: Duration, memory: Option<u64>) -> Option<Limit> {
    if begun.elapsed() >= time {
        return Some(Limit::Time);
    }
    let most = memory?;
    resident_bytes().is_some_and(|held| held > most).then_some(Limit::Memory)
}
pub mod transforms;
