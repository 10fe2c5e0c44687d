//! The clauses of each literal, in one array.
//!
//! Each literal has a span of the array; where a span is full it moves to the end with twice the room.
//! So listing a formula takes one allocation, and what elimination adds takes hardly any, where a vector
//! for each literal spent a tenth of the time of a round in the allocator.
//!
//! An entry has a set of the clause's variables, as bits, beside the clause: most comparisons end there,
//! without touching the clause.
//!
//! Invariant: each live listed clause is in the list of each of its literals; lists may also hold clauses
//! that are deleted or have lost the literal, and sets of bits that are too large, never too small.
//!
//! After Kissat's vectors of watches (Biere et al., 2020).

use crate::arena::ClauseRef;
use crate::literal::Lit;

/// Room that a list has when it first grows.
const FEWEST: u32 = 4;

/// A clause with a set of its variables, as bits.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) clause: ClauseRef,
    pub(crate) signature: u32,
}

#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    length: u32,
    room: u32,
}

/// The occurrence lists.
pub(crate) struct Occurrences {
    entries: Vec<Listed>,
    spans: Vec<Span>,
    /// Clauses that may subsume others: those that are fresh or were shortened.
    pub(crate) queue: Vec<ClauseRef>,
    /// Where in the arena the clauses begin that were made since the lists were.
    pub(crate) made_from: u32,
}

/// A set of the variables of the literals, as bits.
pub(crate) fn signature(literals: impl Iterator<Item = Lit>) -> u32 {
    literals.fold(0, |bits, lit| bits | 1 << (lit.var().0.wrapping_mul(0x9e37_79b1) >> 27))
}

impl Occurrences {
    /// Empty lists with room for so many clauses of each literal.
    pub(crate) fn with_room(lengths: &[u32]) -> Occurrences {
        let mut start = 0;
        let mut spans = Vec::with_capacity(lengths.len());
        for &room in lengths {
            spans.push(Span { start, length: 0, room });
            start += room;
        }
        let nothing = Listed { clause: ClauseRef(0), signature: 0 };
        let mut entries = Vec::with_capacity(start as usize + start as usize / 2);
        entries.resize(start as usize, nothing);
        Occurrences { entries, spans, queue: Vec::new(), made_from: u32::MAX }
    }

    /// Lists a clause.
    pub(crate) fn add(&mut self, clause: ClauseRef, literals: impl Iterator<Item = Lit> + Clone) {
        let listed = Listed { clause, signature: signature(literals.clone()) };
        for lit in literals {
            self.push(lit, listed);
        }
    }

    fn push(&mut self, lit: Lit, listed: Listed) {
        let span = &mut self.spans[lit.index()];
        if span.length == span.room {
            let (start, end) = (span.start as usize, (span.start + span.length) as usize);
            span.start = self.entries.len() as u32;
            span.room = (2 * span.room).max(FEWEST);
            self.entries.extend_from_within(start..end);
            self.entries.resize((span.start + span.room) as usize, listed);
        }
        self.entries[(span.start + span.length) as usize] = listed;
        span.length += 1;
    }

    /// How many clauses are listed for the literal.
    #[inline]
    pub(crate) fn count(&self, lit: Lit) -> usize {
        self.spans[lit.index()].length as usize
    }

    /// The clauses of the literal.
    #[inline]
    pub(crate) fn of(&self, lit: Lit) -> &[Listed] {
        let span = self.spans[lit.index()];
        &self.entries[span.start as usize..(span.start + span.length) as usize]
    }

    /// Keeps the clauses of the literal that are wanted.
    pub(crate) fn retain(&mut self, lit: Lit, mut is_wanted: impl FnMut(ClauseRef) -> bool) {
        let span = &mut self.spans[lit.index()];
        let list = &mut self.entries[span.start as usize..(span.start + span.length) as usize];
        let mut kept = 0;
        for at in 0..list.len() {
            if is_wanted(list[at].clause) {
                list[kept] = list[at];
                kept += 1;
            }
        }
        span.length = kept as u32;
    }

    /// Forgets the clauses of the literal.
    pub(crate) fn clear(&mut self, lit: Lit) {
        self.spans[lit.index()].length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::Var;

    #[test]
    fn lists_that_outgrow_their_room_keep_what_they_had() {
        let [x, y] = [0, 1].map(|index| Var(index).positive());
        let mut lists = Occurrences::with_room(&[1, 0, 2, 0]);
        for number in 0..20 {
            lists.add(ClauseRef(number), [x, y].into_iter());
        }
        let numbers = |lists: &Occurrences, lit| -> Vec<u32> {
            lists.of(lit).iter().map(|listed| listed.clause.0).collect()
        };
        assert_eq!(numbers(&lists, x), (0..20).collect::<Vec<u32>>());
        lists.retain(y, |clause| clause.0 % 2 == 1);
        assert_eq!(numbers(&lists, y), (0..20).filter(|n| n % 2 == 1).collect::<Vec<u32>>());
        assert_eq!(lists.count(y), 10);
        lists.clear(x);
        assert_eq!((lists.count(x), lists.count(!x)), (0, 0));
    }
}
