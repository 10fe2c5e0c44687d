//! A count of work that has a limit.
//!
//! Evidence comes from anywhere, and a few bytes of it can ask for more work than any machine does.
//! Whoever reads or checks it counts *ticks*: about one for each word of memory that is written and
//! for every few nanoseconds of work, and always before the work is done. The limit follows from the
//! sizes of problem and evidence, so the same evidence is accepted on every machine or on none.

use std::cell::Cell;
use std::fmt;

/// Work done so far, and how much may be done. Copies of a reference share the count.
#[derive(Clone, Debug)]
pub struct Meter {
    limit: u64,
    spent: Cell<u64>,
}

/// The limit of a meter would have been exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this takes more work than the sizes of problem and evidence allow")
    }
}

impl std::error::Error for Exhausted {}

impl From<Exhausted> for String {
    fn from(exhausted: Exhausted) -> String {
        exhausted.to_string()
    }
}

impl Meter {
    /// A meter for at most `limit` ticks.
    pub fn new(limit: u64) -> Meter {
        Meter { limit, spent: Cell::new(0) }
    }

    /// A meter that counts and allows everything, for those who trust what they work on.
    pub fn unlimited() -> Meter {
        Meter::new(u64::MAX)
    }

    /// Counts `ticks` that are about to be spent, unless that would exceed the limit.
    ///
    /// Once the limit was met nothing is allowed any more.
    pub fn spend(&self, ticks: u64) -> Result<(), Exhausted> {
        let spent = self.spent.get().saturating_add(ticks);
        self.spent.set(spent);
        if spent > self.limit { Err(Exhausted) } else { Ok(()) }
    }

    /// The ticks spent so far.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// The ticks that may be spent.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether more was asked for than is allowed.
    pub fn is_exhausted(&self) -> bool {
        self.spent.get() > self.limit
    }
}

/// The ticks of a number or word of `bits` bits: one for each machine word.
pub fn words_of(bits: u64) -> u64 {
    1 + bits / 64
}
