//! The verbs, one file each.

pub mod batch;
mod bundle;
pub mod check;
pub mod convert;
pub mod decide;
pub mod doctor;
pub mod engines;
pub mod explore;
pub mod generate;
mod live;
pub mod lsp;
pub mod matching;
pub mod reduce;
pub mod runs;
pub mod sat;
pub mod smt;
pub mod table;
pub mod transforms;

use crate::interrupt;
use alphorn_driver::run::{Limit, memory_limit, resident_bytes};
use std::time::{Duration, Instant};

/// The limit that work begun at `begun` has passed, if any.
fn over_limit(begun: Instant, time: Duration, memory: Option<u64>) -> Option<Limit> {
    if interrupt::is_pending() {
        return Some(Limit::Interrupted);
    }
    if begun.elapsed() >= time {
        return Some(Limit::Time);
    }
    let most = memory_limit(memory)?;
    resident_bytes().is_some_and(|held| held > most).then_some(Limit::Memory)
}
