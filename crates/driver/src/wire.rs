//! Wires: what carries lines of what was learned between runs.

use alphorn_report::journal::Line;
use std::fmt::Debug;
use std::sync::Arc;

/// What carries lines between runs.
pub trait Wire: Debug + Send + Sync {
    /// Hands a line on. It may be lost.
    fn tell(&self, line: &Line);

    /// Hands the lines on that an answer is worth, what its invariant is made of and the answer itself.
    fn tell_answer(&self, lines: &[Line]) {
        lines.iter().for_each(|line| self.tell(line));
    }

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
