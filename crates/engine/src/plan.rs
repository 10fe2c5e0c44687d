//! Plans: which engines a problem gets, and how they share the time.
//!
//! A plan's rows name engines by their cards, so that one that does not exist does not compile. No engine
//! is best everywhere, so several run side by side; but on few cores each one more takes time from the
//! others. The weights are shares, measured on problems of each shape; those that seldom answer begin
//! late, and those that answer what others leave open after a while have more from then on.

use crate::Card;
use alphorn_problem::Problem;

/// An engine in a plan.
pub struct Entry<P: Problem> {
    /// The engine, by its card: a name that is no engine does not compile.
    pub card: &'static Card<P>,
    /// Its share of the time, against those of the others.
    pub weight: u32,
    /// How much of their time, each divided by its weight, the others have before it begins, in
    /// milliseconds.
    pub late: u64,
    /// After how many milliseconds, counted like those, it has another share, and which.
    pub later: Option<(u64, u32)>,
}

impl<P: Problem> Clone for Entry<P> {
    fn clone(&self) -> Entry<P> {
        *self
    }
}

impl<P: Problem> Copy for Entry<P> {}

impl<P: Problem> Entry<P> {
    /// An engine that begins at once.
    pub const fn share(card: &'static Card<P>, weight: u32) -> Entry<P> {
        Entry { card, weight, late: 0, later: None }
    }

    /// The same after the others have had so many milliseconds, each by its weight.
    pub const fn late(self, milliseconds: u64) -> Entry<P> {
        Entry { late: milliseconds, ..self }
    }

    /// The same with another share after so many milliseconds.
    pub const fn later(self, milliseconds: u64, weight: u32) -> Entry<P> {
        Entry { later: Some((milliseconds, weight)), ..self }
    }

    /// Its share when everybody has had so many milliseconds, each by its weight.
    pub(crate) fn weight_after(&self, had: u64) -> u32 {
        match self.later {
            Some((after, weight)) if had >= after => weight.max(1),
            _ => self.weight.max(1),
        }
    }
}

/// The engines for problems of some shape.
pub struct Plan<P: Problem + 'static> {
    /// Which problems, in a few words.
    pub about: &'static str,
    /// The engines, in the order of their first turns.
    pub rows: &'static [Entry<P>],
}

impl<P: Problem> Plan<P> {
    /// Whether an engine is in the plan.
    pub fn has(&self, name: &str) -> bool {
        self.rows.iter().any(|entry| entry.card.name == name)
    }
}
