//! The verbs, one file each.

pub mod batch;
mod bundle;
pub mod check;
pub mod convert;
pub mod decide;
pub mod doctor;
pub mod engines;
pub mod explain;
pub mod explore;
pub mod generate;
mod live;
pub mod lsp;
pub mod matching;
pub mod pareto;
pub mod reduce;
pub mod runs;
pub mod sat;
pub mod smt;
pub mod synth;
pub mod table;
pub mod transforms;

use crate::args::Given;
use crate::{interrupt, speak};
use alphorn_driver::open::{Opened, open_asking, read_bytes};
use alphorn_driver::program::Wishes;
use alphorn_driver::report::Exit;
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

/// The bytes of a file, or how the program ends without them.
fn bytes_of(path: &str, given: &Given, as_json: bool) -> Result<Vec<u8>, Exit> {
    read_bytes(path, memory_limit(given.memory)).map_err(|diagnostic| {
        speak::list(path, &[], &[diagnostic], as_json);
        Exit::Input
    })
}

/// The problem that a file states, or how the program ends without one.
fn opened(path: &str, given: &Given, as_json: bool) -> Result<Opened, Exit> {
    opened_asking(path, given, &Wishes::default(), as_json)
}

/// The same, with what is asked about it.
fn opened_asking(
    path: &str,
    given: &Given,
    wishes: &Wishes,
    as_json: bool,
) -> Result<Opened, Exit> {
    let bytes = bytes_of(path, given, as_json)?;
    let opened = open_asking(path, bytes, given.format, wishes);
    speak::diagnostics(&opened, as_json);
    speak::exit_of(&opened).map_or(Ok(opened), Err)
}
