//! All clauses in one flat array of 32-bit words.
//!
//! A clause is three header words (size, flags with LBD, number in the proof) followed by its
//! literals, and is named by the position of its first word. Propagation reads the size and the
//! literals, which lie on one cache line for short clauses. Deleting a clause only sets a flag; the
//! words are reclaimed by copying the live clauses to a fresh array (`collect.rs`), which leaves a
//! forwarding address behind.
//!
//! Invariant: the words from a `ClauseRef` on are a header and as many literals as its size says.
//!
//! After MiniSat's region allocator (Eén, Sörensson, SAT 2003).

use crate::literal::Lit;

/// Names a clause by its position in the arena; collecting garbage changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClauseRef(pub(crate) u32);

/// Words before the literals.
pub(crate) const HEADER: usize = 3;

/// In the size word: the clause is deleted.
pub(crate) const GARBAGE: u32 = 1 << 31;

/// Largest number of words: references share a word with one flag, and two are reserved.
const CAPACITY: usize = (1 << 31) - 2;

const LEARNED: u32 = 1;
const MOVED: u32 = 1 << 1;
const USED_SHIFT: u32 = 2;
const USED: u32 = 3 << USED_SHIFT;
/// Tried by vivification since it was last changed.
const VIVIFIED: u32 = 1 << 4;
/// Compared with all others by forward subsumption since it was last changed.
const COMPARED: u32 = 1 << 5;
/// Compared with all it may subsume since it was last changed.
const TRIED: u32 = 1 << 6;
const LBD_SHIFT: u32 = 8;
const LARGEST_LBD: u32 = (1 << 12) - 1;
const LBD: u32 = LARGEST_LBD << LBD_SHIFT;
/// Where in the flags it is remembered how far propagation has searched the clause.
pub(crate) const POSITION_SHIFT: u32 = 20;
pub(crate) const LARGEST_POSITION: u32 = (1 << 12) - 1;

/// The clauses.
#[derive(Default)]
pub(crate) struct Arena {
    pub(crate) words: Vec<u32>,
    /// Words that belong to deleted clauses or were cut off shortened ones.
    pub(crate) wasted: usize,
}

impl Arena {
    /// Stores a clause.
    pub(crate) fn add(&mut self, literals: &[Lit], learned: bool, lbd: u32, id: u32) -> ClauseRef {
        let position = self.words.len();
        assert!(position + HEADER + literals.len() <= CAPACITY, "clauses fit into 8 GB");
        let flags = (u32::from(learned) * LEARNED) | (lbd.min(LARGEST_LBD) << LBD_SHIFT);
        self.words.extend([literals.len() as u32, flags, id]);
        self.words.extend(literals.iter().map(|lit| lit.code()));
        ClauseRef(position as u32)
    }

    #[inline]
    pub(crate) fn size(&self, clause: ClauseRef) -> usize {
        (self.words[clause.0 as usize] & !GARBAGE) as usize
    }

    #[inline]
    pub(crate) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize] & GARBAGE != 0
    }

    /// The words of the literals.
    #[inline]
    fn words(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.0 as usize + HEADER;
        &self.words[start..start + self.size(clause)]
    }

    /// The literals of the clause.
    #[inline]
    pub(crate) fn literals(
        &self,
        clause: ClauseRef,
    ) -> impl ExactSizeIterator<Item = Lit> + Clone + '_ {
        self.words(clause).iter().map(|code| Lit::from_code(*code))
    }

    /// The literal at `position` of the clause.
    #[inline]
    pub(crate) fn literal(&self, clause: ClauseRef, position: usize) -> Lit {
        Lit::from_code(self.words[clause.0 as usize + HEADER + position])
    }

    pub(crate) fn swap(&mut self, clause: ClauseRef, a: usize, b: usize) {
        let start = clause.0 as usize + HEADER;
        self.words.swap(start + a, start + b);
    }

    #[inline]
    pub(crate) fn id(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 2]
    }

    #[inline]
    fn flags(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1]
    }

    #[inline]
    fn flags_mut(&mut self, clause: ClauseRef) -> &mut u32 {
        &mut self.words[clause.0 as usize + 1]
    }

    fn set_flag(&mut self, clause: ClauseRef, flag: u32, on: bool) {
        let flags = self.flags_mut(clause);
        *flags = if on { *flags | flag } else { *flags & !flag };
    }

    #[inline]
    pub(crate) fn is_learned(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & LEARNED != 0
    }

    /// Makes a learned clause one of the formula, or the reverse.
    pub(crate) fn set_learned(&mut self, clause: ClauseRef, on: bool) {
        self.set_flag(clause, LEARNED, on);
    }

    #[inline]
    pub(crate) fn lbd(&self, clause: ClauseRef) -> u32 {
        (self.flags(clause) & LBD) >> LBD_SHIFT
    }

    #[inline]
    pub(crate) fn set_lbd(&mut self, clause: ClauseRef, lbd: u32) {
        let flags = self.flags_mut(clause);
        *flags = *flags & !LBD | lbd.min(LARGEST_LBD) << LBD_SHIFT;
    }

    /// For how many more reductions the clause counts as recently used.
    pub(crate) fn used(&self, clause: ClauseRef) -> u32 {
        (self.flags(clause) & USED) >> USED_SHIFT
    }

    pub(crate) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        let flags = self.flags_mut(clause);
        *flags = *flags & !USED | used << USED_SHIFT;
    }

    pub(crate) fn is_vivified(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & VIVIFIED != 0
    }

    pub(crate) fn set_vivified(&mut self, clause: ClauseRef, on: bool) {
        self.set_flag(clause, VIVIFIED, on);
    }

    pub(crate) fn is_compared(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & COMPARED != 0
    }

    pub(crate) fn set_compared(&mut self, clause: ClauseRef, on: bool) {
        self.set_flag(clause, COMPARED, on);
    }

    pub(crate) fn is_tried(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & TRIED != 0
    }

    pub(crate) fn set_tried(&mut self, clause: ClauseRef, on: bool) {
        self.set_flag(clause, TRIED, on);
    }

    /// Deletes the clause; its words stay until the next collection.
    pub(crate) fn delete(&mut self, clause: ClauseRef) {
        self.wasted += HEADER + self.size(clause);
        self.words[clause.0 as usize] |= GARBAGE;
    }

    /// Replaces the literals by fewer ones, under another number in the proof.
    pub(crate) fn shrink(&mut self, clause: ClauseRef, literals: &[Lit], id: u32) {
        let size = self.size(clause);
        debug_assert!(literals.len() <= size);
        self.wasted += size - literals.len();
        let start = clause.0 as usize;
        self.words[start] = literals.len() as u32;
        self.words[start + 2] = id;
        self.set_flag(clause, COMPARED | TRIED, false);
        for (word, lit) in self.words[start + HEADER..].iter_mut().zip(literals) {
            *word = lit.code();
        }
        let lbd = self.lbd(clause).min(literals.len().max(2) as u32 - 1);
        self.set_lbd(clause, lbd);
    }

    /// Copies the clause to `to` unless that was done before, and returns where it is there.
    pub(crate) fn relocate(&mut self, clause: ClauseRef, to: &mut Arena) -> ClauseRef {
        if self.flags(clause) & MOVED != 0 {
            return ClauseRef(self.id(clause));
        }
        let start = clause.0 as usize;
        let end = start + HEADER + self.size(clause);
        let target = ClauseRef(to.words.len() as u32);
        to.words.extend_from_slice(&self.words[start..end]);
        self.set_flag(clause, MOVED, true);
        self.words[start + 2] = target.0;
        target
    }
}
