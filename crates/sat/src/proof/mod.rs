//! How learned clauses follow: a clausal trace in memory.
//!
//! Every clause has a number, counted from 1 in the order of arrival. Leaves are clauses of the
//! user, each with a partition label, temporary clauses, and lemmas of the theory. A derived clause
//! has *hints*: the numbers of the clauses that refute its negation by unit propagation, each in
//! turn implying one literal and the last one false. Read backwards, they are a chain of
//! resolutions: the last hint resolved with each hint before it on the literal that hint implies.
//!
//! What is not needed any more can be dropped (`live.rs`).
//!
//! A trace can also go *without hints*, which takes less time and memory while the solver searches; what
//! a conclusion needs is then found afterwards (`restore.rs`).
//!
//! Invariant: hints are smaller than the number of the clause they derive.
//!
//! After Heule et al. (LRAT, CADE 2017).

mod export;
mod live;
mod restore;
mod trim;

pub use export::{Refutation, Step};
pub use trim::Trimmed;

use crate::literal::Lit;

/// The number of a clause in a trace, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClauseId(pub u32);

impl ClauseId {
    /// Stands for no clause, when nothing is recorded.
    pub(crate) const NONE: ClauseId = ClauseId(0);
}

/// Where a clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user gave it, with a partition label.
    Input(u32),
    /// The user gave it for one call.
    Temporary,
    /// The theory gave it.
    Theory,
    /// It follows from the clauses its hints name.
    Derived,
    /// It was dropped because nothing depends on it.
    Dropped,
}

#[derive(Clone, Copy)]
struct Record {
    origin: Origin,
    /// Where its literals end.
    literals: u64,
    /// Where its hints end.
    hints: u64,
}

/// All clauses in the order of arrival, and how those that were learned follow.
#[derive(Default)]
pub struct Trace {
    records: Vec<Record>,
    literals: Vec<Lit>,
    hints: Vec<ClauseId>,
    /// Deletions: how many clauses there were before, and which one went.
    deletions: Vec<(u32, ClauseId)>,
    /// The temporary clause in use.
    pub(crate) temporary: ClauseId,
    /// Words in use after the last trimming.
    trimmed_words: u64,
    /// The most words it may have.
    limit: u64,
    /// Whether hints are left out, but for temporary clauses.
    without_hints: bool,
    /// Activation literals that went back to be used anew: after how many clauses, and which one.
    retired: Vec<(u32, Lit)>,
    /// Whether it outgrew the limit, so that nothing is left and nothing is recorded.
    pub(crate) is_lost: bool,
}

impl Trace {
    /// An empty trace of at most so many words.
    pub(crate) fn new(limit: u64) -> Trace {
        Trace { limit, ..Trace::default() }
    }

    /// An empty trace of at most so many words that leaves out hints.
    pub(crate) fn new_without_hints(limit: u64) -> Trace {
        Trace { limit, without_hints: true, ..Trace::default() }
    }

    /// Whether derived clauses have hints.
    #[inline]
    pub fn has_hints(&self) -> bool {
        !self.without_hints
    }

    /// How many clauses there are; they are numbered from 1.
    pub fn len(&self) -> u32 {
        self.records.len() as u32
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Where the clause comes from.
    pub fn origin(&self, id: ClauseId) -> Origin {
        self.records[id.0 as usize - 1].origin
    }

    /// The literals of the clause.
    pub fn literals(&self, id: ClauseId) -> &[Lit] {
        let index = id.0 as usize - 1;
        let start = index.checked_sub(1).map_or(0, |before| self.records[before].literals);
        &self.literals[start as usize..self.records[index].literals as usize]
    }

    /// The hints of the clause, empty for leaves.
    pub fn hints(&self, id: ClauseId) -> &[ClauseId] {
        let index = id.0 as usize - 1;
        let start = index.checked_sub(1).map_or(0, |before| self.records[before].hints);
        &self.hints[start as usize..self.records[index].hints as usize]
    }

    /// The deletions: after how many clauses, and which clause.
    pub fn deletions(&self) -> &[(u32, ClauseId)] {
        &self.deletions
    }

    fn push(&mut self, origin: Origin, literals: &[Lit]) -> ClauseId {
        if self.is_lost {
            return ClauseId::NONE;
        }
        self.literals.extend_from_slice(literals);
        let (literals, hints) = (self.literals.len() as u64, self.hints.len() as u64);
        self.records.push(Record { origin, literals, hints });
        if self.words() > self.limit || self.records.len() >= u32::MAX as usize {
            let without_hints = self.without_hints;
            *self = Trace { is_lost: true, without_hints, ..Trace::default() };
            return ClauseId::NONE;
        }
        ClauseId(self.records.len() as u32)
    }

    pub(crate) fn input(&mut self, literals: &[Lit], partition: u32) -> ClauseId {
        self.push(Origin::Input(partition), literals)
    }

    pub(crate) fn temporary(&mut self, literals: &[Lit]) -> ClauseId {
        self.temporary = self.push(Origin::Temporary, literals);
        self.temporary
    }

    pub(crate) fn theory_lemma(&mut self, literals: &[Lit]) -> ClauseId {
        self.push(Origin::Theory, literals)
    }

    pub(crate) fn derive(
        &mut self,
        literals: &[Lit],
        hints: impl IntoIterator<Item = ClauseId>,
    ) -> ClauseId {
        if self.is_lost {
            return ClauseId::NONE;
        }
        let before = self.hints.len();
        // Which conclusions have a temporary clause behind them could not be found out afterwards.
        let is_kept = |id: &ClauseId| !self.without_hints || *id == self.temporary;
        self.hints.extend(hints.into_iter().filter(is_kept));
        debug_assert!(self.hints[before..].iter().all(|id| *id != ClauseId::NONE));
        self.push(Origin::Derived, literals)
    }

    pub(crate) fn delete(&mut self, id: u32) {
        if self.is_lost {
            return;
        }
        if id == self.temporary.0 {
            self.temporary = ClauseId::NONE;
        }
        self.deletions.push((self.len(), ClauseId(id)));
    }

    /// Notes that the clauses so far that have the negation of an activation literal mean nothing to
    /// those that come; where there are hints, these tell.
    pub(crate) fn retire(&mut self, activation: Lit) {
        if self.without_hints && !self.is_lost {
            self.retired.push((self.len(), activation));
        }
    }

    /// The resolution chain of a derived clause: the clause it starts from, then for each
    /// resolution the literal resolved away and the clause that contains its negation.
    pub fn chain(&self, id: ClauseId) -> (ClauseId, Vec<(Lit, ClauseId)>) {
        let hints = self.hints(id);
        let (&start, rest) = hints.split_last().expect("a derived clause has hints");
        let mut steps = Vec::with_capacity(rest.len());
        let mut truths: Vec<Lit> = self.literals(id).iter().map(|lit| !*lit).collect();
        truths.sort_unstable();
        for &hint in rest {
            let open = |lit: &&Lit| truths.binary_search(&!**lit).is_err();
            let implied = *self.literals(hint).iter().find(open).expect("a hint implies a literal");
            let place = truths.binary_search(&implied).unwrap_or_else(|place| place);
            truths.insert(place, implied);
            steps.push((!implied, hint));
        }
        steps.reverse();
        (start, steps)
    }
}
