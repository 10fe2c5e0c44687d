//! What the lines read so far define, by their numbers.
//!
//! Numbers grow from line to line, so the table is a sorted list, and in files without gaps the
//! place of a line is its number less the first one. Memory is in proportion to the lines,
//! whatever their numbers are.

use alphorn_term::{SortId, TermId};

/// What a line defines.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// A sort, and how deep arrays are nested in it.
    Sort(SortId, u32),
    /// A value.
    Node(Node),
    /// Nothing that other lines can refer to.
    Nothing,
    /// The line is wrong, and that was reported.
    Failed,
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The term. A Boolean stands for a word of one bit.
    pub term: TermId,
    /// What the value depends on.
    pub depends: Depends,
    /// The state's position, if the line declares one.
    pub state: Option<u32>,
}

/// What a value depends on, as far as initial values care.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Depends {
    /// The number of the last input it depends on; 0 for none.
    pub input: u64,
    /// One more than the position of the last state it depends on; 0 for none.
    pub states: u32,
}

impl Depends {
    /// What a value made of two depends on.
    pub fn with(self, other: Depends) -> Depends {
        Depends { input: self.input.max(other.input), states: self.states.max(other.states) }
    }
}

/// The lines so far.
#[derive(Default)]
pub(super) struct Table {
    lines: Vec<(u64, Entry)>,
}

impl Table {
    /// The largest number of a line; 0 before the first one.
    pub fn last(&self) -> u64 {
        self.lines.last().map_or(0, |line| line.0)
    }

    /// Adds a line with a number that is larger than all others.
    pub fn push(&mut self, id: u64, entry: Entry) {
        self.lines.push((id, entry));
    }

    /// Adds a line anywhere, unless its number is taken.
    pub fn insert(&mut self, id: u64, entry: Entry) {
        if let Err(place) = self.lines.binary_search_by_key(&id, |line| line.0) {
            self.lines.insert(place, (id, entry));
        }
    }

    /// What the line with this number defines.
    pub fn find(&self, id: u64) -> Option<Entry> {
        let first = self.lines.first()?.0;
        let guess = usize::try_from(id.checked_sub(first)?).ok()?;
        match self.lines.get(guess) {
            Some(line) if line.0 == id => Some(line.1),
            _ => {
                let place = self.lines.binary_search_by_key(&id, |line| line.0).ok()?;
                Some(self.lines[place].1)
            }
        }
    }
}
