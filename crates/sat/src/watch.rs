//! For each literal, the clauses to look at when it becomes false.
//!
//! A watch holds one more literal of the clause, the *blocker*: if that is true, the clause need
//! not be touched at all. In a clause of two literals the blocker is all there is to know, so a
//! flag in the watch says so and propagation never visits such clauses.
//!
//! Invariant: a clause of more than two literals that is not deleted is watched by the literals at
//! its positions 0 and 1; a clause of two literals by both; deleted clauses of two literals are
//! unwatched at once, longer ones when next met.
//!
//! After Moskewicz et al. (DAC 2001); blockers after Chu, Harwood, Stuckey (2008) and MiniSat 2.1.

use crate::arena::{Arena, ClauseRef};
use crate::literal::Lit;

const BINARY: u32 = 1 << 31;

/// One entry of a watch list.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    /// Another literal of the clause.
    pub(crate) blocker: Lit,
    clause: u32,
}

impl Watch {
    #[inline]
    pub(crate) fn new(clause: ClauseRef, blocker: Lit, is_binary: bool) -> Watch {
        Watch { blocker, clause: clause.0 | if is_binary { BINARY } else { 0 } }
    }

    #[inline]
    pub(crate) fn is_binary(self) -> bool {
        self.clause & BINARY != 0
    }

    #[inline]
    pub(crate) fn clause(self) -> ClauseRef {
        ClauseRef(self.clause & !BINARY)
    }
}

/// The watch lists, by literal.
#[derive(Default)]
pub(crate) struct Watches {
    pub(crate) lists: Vec<Vec<Watch>>,
}

impl Watches {
    /// Makes room for the two literals of one more variable.
    pub(crate) fn grow(&mut self) {
        self.lists.push(Vec::new());
        self.lists.push(Vec::new());
    }

    /// Watches the first two literals of a clause.
    pub(crate) fn attach(&mut self, arena: &Arena, clause: ClauseRef) {
        let (a, b) = (arena.literal(clause, 0), arena.literal(clause, 1));
        let is_binary = arena.size(clause) == 2;
        self.lists[a.index()].push(Watch::new(clause, b, is_binary));
        self.lists[b.index()].push(Watch::new(clause, a, is_binary));
    }

    /// Removes the watches of a clause, which must not have been changed since `attach`.
    pub(crate) fn detach(&mut self, arena: &Arena, clause: ClauseRef) {
        for position in 0..2 {
            self.remove(arena.literal(clause, position), clause);
        }
    }

    /// Removes the watch of `lit` in a clause.
    pub(crate) fn remove(&mut self, lit: Lit, clause: ClauseRef) {
        let list = &mut self.lists[lit.index()];
        let found = list.iter().position(|watch| watch.clause() == clause);
        list.remove(found.expect("a clause is watched by its first two literals"));
    }
}
