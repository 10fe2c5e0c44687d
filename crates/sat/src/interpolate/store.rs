//! The clauses of a replayed proof, with what interpolation knows about them.
//!
//! For each cut a clause follows from side A alone, from side B alone, or needs both. In the first
//! two cases its partial interpolant is read off its literals, as if the clause were a leaf; only
//! in the third is it stored. For a sequence that is a number of edges equal to the span of
//! partitions behind the clause, mostly small.

use crate::aig::Edge;
use crate::literal::Lit;

/// What a clause is in the proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A clause of the formula.
    Leaf,
    /// A lemma of the theory.
    Lemma,
    /// A consequence of earlier clauses.
    Derived,
}

/// Clauses, numbered from 0.
pub(super) struct Store {
    words: usize,
    literals: Vec<Lit>,
    literal_ends: Vec<u32>,
    kinds: Vec<Kind>,
    /// The largest partition behind the clause.
    colors: Vec<u32>,
    /// For each clause the cuts with side A behind it, then those with side B.
    sides: Vec<u64>,
    edges: Vec<Edge>,
    edge_ends: Vec<u32>,
    /// The cuts at which derived clauses never count as leaves.
    always: Vec<u64>,
}

impl Store {
    pub(super) fn new(words: usize, always: Vec<u64>) -> Store {
        Store {
            words,
            literals: Vec::new(),
            literal_ends: Vec::new(),
            kinds: Vec::new(),
            colors: Vec::new(),
            sides: Vec::new(),
            edges: Vec::new(),
            edge_ends: Vec::new(),
            always,
        }
    }

    /// Adds a clause without stored edges; `sides` has the cuts with side A, then with side B.
    pub(super) fn push(
        &mut self,
        literals: &[Lit],
        kind: Kind,
        color: u32,
        sides: &[u64],
    ) -> usize {
        debug_assert_eq!(sides.len(), 2 * self.words);
        self.literals.extend_from_slice(literals);
        let offset = |length: usize| u32::try_from(length).expect("a proof fits into 2^32 words");
        self.literal_ends.push(offset(self.literals.len()));
        self.edge_ends.push(offset(self.edges.len()));
        self.kinds.push(kind);
        self.colors.push(color);
        self.sides.extend_from_slice(sides);
        self.kinds.len() - 1
    }

    /// Stores an edge of the last clause; cuts come in ascending order.
    pub(super) fn push_edge(&mut self, edge: Edge) {
        self.edges.push(edge);
        *self.edge_ends.last_mut().expect("an edge belongs to a clause") += 1;
    }

    #[inline]
    pub(super) fn literals(&self, clause: usize) -> &[Lit] {
        let start = clause.checked_sub(1).map_or(0, |before| self.literal_ends[before]);
        &self.literals[start as usize..self.literal_ends[clause] as usize]
    }

    #[inline]
    pub(super) fn color(&self, clause: usize) -> u32 {
        self.colors[clause]
    }

    #[inline]
    pub(super) fn sides(&self, clause: usize) -> &[u64] {
        &self.sides[2 * clause * self.words..2 * (clause + 1) * self.words]
    }

    /// Whether side A of the cut is behind the clause.
    #[inline]
    pub(super) fn has_a(&self, clause: usize, cut: usize) -> bool {
        self.sides(clause)[cut / 64] >> (cut % 64) & 1 != 0
    }

    /// The cuts for which the clause stores edges, as one word.
    #[inline]
    pub(super) fn stored(&self, clause: usize, word: usize) -> u64 {
        let sides = self.sides(clause);
        let both = sides[word] & sides[self.words + word];
        match self.kinds[clause] {
            Kind::Leaf => 0,
            Kind::Lemma => both,
            Kind::Derived => both | (self.always[word] & (sides[word] | sides[self.words + word])),
        }
    }

    /// The stored partial interpolant at a cut, if there is one.
    #[inline]
    pub(super) fn edge(&self, clause: usize, cut: usize) -> Option<Edge> {
        let (word, bit) = (cut / 64, cut % 64);
        let stored = self.stored(clause, word);
        if stored >> bit & 1 == 0 {
            return None;
        }
        let start = clause.checked_sub(1).map_or(0, |before| self.edge_ends[before]);
        let before: u32 = (0..word).map(|word| self.stored(clause, word).count_ones()).sum();
        let rank = before + (stored & ((1 << bit) - 1)).count_ones();
        Some(self.edges[(start + rank) as usize])
    }
}
