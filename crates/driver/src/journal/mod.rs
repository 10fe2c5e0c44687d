//! Journals: what a run learns goes out in lines, and what others learned comes in.
//!
//! A `Wire` carries lines (`alphorn_report::journal`) between runs: a file that one run writes and the next
//! one reads (`file`), or a broker between processes. While engines run, a `Keeper` (`keeper`) takes what they
//! tell and remember, says it of the problem as read (`speech`), and hands it to the wires; what comes from
//! there goes to the engines as hints. An answer that comes in is judged from its evidence, like one from a
//! file (`answers`).
//!
//! Invariant: nothing that comes in is believed. Lemmas are tried by engines and belong to what they prove;
//! an answer counts if the checker accepts its evidence against the problem as read. So a line can cost time,
//! and never an answer.

pub(crate) mod answers;
pub mod file;
pub(crate) mod keeper;
pub(crate) mod speech;

pub use alphorn_report::journal::{Holds, Line};
pub use file::FileJournal;

use std::fmt::Debug;
use std::sync::Arc;

/// What carries lines between runs.
pub trait Wire: Debug + Send + Sync {
    /// Hands a line on. It may be lost.
    fn tell(&self, line: &Line);

    /// The lines that have come in, from a position on.
    fn heard(&self, from: usize) -> Vec<Line>;

    /// Whether lines may come in while a run goes on.
    fn is_live(&self) -> bool {
        false
    }
}

/// All lines that have come in so far.
pub(crate) fn heard(wires: &[Arc<dyn Wire>]) -> Vec<Line> {
    wires.iter().flat_map(|wire| wire.heard(0)).collect()
}

/// Hands a line to all wires.
pub(crate) fn tell(wires: &[Arc<dyn Wire>], line: &Line) {
    wires.iter().for_each(|wire| wire.tell(line));
}
