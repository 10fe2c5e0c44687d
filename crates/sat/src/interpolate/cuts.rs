//! Where a formula is cut: families of sets of partitions.
//!
//! A cut is a set of partitions, its side A; the others are its side B. A family is *laminar* if any
//! two cuts are disjoint or one contains the other, so that the family is a forest: binary
//! interpolation is one cut, a sequence is a chain, a tree has a cut for each node, namely the
//! partitions of its subtree. Below an unstated root that is the whole formula, the cuts without a
//! parent are siblings.
//!
//! A cut may come with a partial assignment, under which alone its interpolant has to be one.

use crate::literal::Lit;

/// Sets of bits, one row of words for each of many things.
#[derive(Clone, Debug, Default)]
pub(super) struct BitRows {
    pub(super) words: usize,
    pub(super) bits: Vec<u64>,
}

impl BitRows {
    pub(super) fn new(rows: usize, words: usize) -> BitRows {
        BitRows { words, bits: vec![0; rows * words] }
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.bits[row * self.words..(row + 1) * self.words]
    }

    #[inline]
    pub(super) fn has(&self, row: usize, bit: usize) -> bool {
        self.bits[row * self.words + bit / 64] >> (bit % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn set(&mut self, row: usize, bit: usize) {
        self.bits[row * self.words + bit / 64] |= 1 << (bit % 64);
    }
}

/// What is wrong with a family of cuts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutError {
    /// The cut contains a partition that does not exist.
    NoSuchPartition(u32),
    /// Two cuts overlap and neither contains the other.
    Overlap(u32, u32),
    /// The node is its own ancestor.
    Cycle(u32),
}

/// A laminar family of cuts.
#[derive(Clone, Debug)]
pub struct Cuts {
    partitions: u32,
    /// For each partition the cuts that contain it.
    pub(super) members: BitRows,
    /// For each cut the smallest one around it.
    parents: Vec<Option<u32>>,
    assignments: Vec<Vec<Lit>>,
    is_sequence: bool,
}

impl Cuts {
    fn new(partitions: u32, parents: Vec<Option<u32>>) -> Cuts {
        let words = parents.len().max(partitions as usize).div_ceil(64);
        Cuts {
            partitions,
            members: BitRows::new(partitions as usize, words),
            assignments: vec![Vec::new(); parents.len()],
            parents,
            is_sequence: false,
        }
    }

    /// One cut: side A has the partitions of which `is_in_a` says so.
    pub fn binary(partitions: u32, is_in_a: impl Fn(u32) -> bool) -> Cuts {
        let mut cuts = Cuts::new(partitions, vec![None]);
        for partition in (0..partitions).filter(|partition| is_in_a(*partition)) {
            cuts.members.set(partition as usize, 0);
        }
        cuts
    }

    /// All ways to cut partitions in order: cut `j` has the partitions from 0 to `j`.
    pub fn sequence(partitions: u32) -> Cuts {
        let count = partitions.saturating_sub(1);
        let parents = (0..count).map(|cut| (cut + 1 < count).then_some(cut + 1)).collect();
        let mut cuts = Cuts::new(partitions, parents);
        cuts.is_sequence = true;
        for partition in 0..partitions {
            for cut in partition..count {
                cuts.members.set(partition as usize, cut as usize);
            }
        }
        cuts
    }

    /// A cut for each node of a forest whose nodes are the partitions: those of its subtree.
    pub fn tree(parents: &[Option<u32>]) -> Result<Cuts, CutError> {
        let mut cuts = Cuts::new(parents.len() as u32, parents.to_vec());
        for node in 0..parents.len() as u32 {
            let mut steps = 0;
            let mut above = Some(node);
            while let Some(ancestor) = above {
                let next = parents.get(ancestor as usize);
                above = *next.ok_or(CutError::NoSuchPartition(ancestor))?;
                steps += 1;
                if steps > parents.len() {
                    return Err(CutError::Cycle(node));
                }
                cuts.members.set(node as usize, ancestor as usize);
            }
        }
        Ok(cuts)
    }

    /// Any laminar family, given by the partitions of each cut.
    pub fn laminar(partitions: u32, sets: &[Vec<u32>]) -> Result<Cuts, CutError> {
        let mut cuts = Cuts::new(partitions, vec![None; sets.len()]);
        let mut sets_bits = BitRows::new(sets.len(), (partitions as usize).div_ceil(64));
        for (cut, set) in sets.iter().enumerate() {
            for partition in set {
                if *partition >= partitions {
                    return Err(CutError::NoSuchPartition(*partition));
                }
                cuts.members.set(*partition as usize, cut);
                sets_bits.set(cut, *partition as usize);
            }
        }
        let size =
            |cut: usize| sets_bits.row(cut).iter().map(|word| word.count_ones()).sum::<u32>();
        for cut in 0..sets.len() {
            let mut best: Option<usize> = None;
            for other in (0..sets.len()).filter(|other| *other != cut) {
                let pairs = || sets_bits.row(cut).iter().zip(sets_bits.row(other));
                let is_disjoint = pairs().all(|(left, right)| left & right == 0);
                let is_inside = pairs().all(|(left, right)| left & !right == 0);
                let is_around = pairs().all(|(left, right)| right & !left == 0);
                if !is_disjoint && !is_inside && !is_around {
                    return Err(CutError::Overlap(cut as u32, other as u32));
                }
                // Of equal cuts the later one is around the earlier one.
                let is_above = is_inside && (!is_around || other > cut);
                if is_above && best.is_none_or(|best| (size(other), other) < (size(best), best)) {
                    best = Some(other);
                }
            }
            cuts.parents[cut] = best.map(|best| best as u32);
        }
        Ok(cuts)
    }

    /// Lets the interpolant of a cut be one only under the given literals.
    ///
    /// The inductiveness of families then depends on how the assignments fit together; see
    /// Jančík et al. (FMCAD 2014), theorem 4.
    pub fn assign(&mut self, cut: u32, literals: &[Lit]) {
        self.assignments[cut as usize] = literals.to_vec();
    }

    /// How many cuts there are.
    pub fn len(&self) -> u32 {
        self.parents.len() as u32
    }

    /// Whether there is no cut.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// How many partitions there are; they are numbered from 0.
    pub fn partitions(&self) -> u32 {
        self.partitions
    }

    /// Whether side A of the cut has the partition.
    pub fn contains(&self, cut: u32, partition: u32) -> bool {
        self.members.has(partition as usize, cut as usize)
    }

    /// The smallest cut around a cut.
    pub fn parent(&self, cut: u32) -> Option<u32> {
        self.parents[cut as usize]
    }

    /// The literals under which the interpolant of the cut has to be one.
    pub fn assignment(&self, cut: u32) -> &[Lit] {
        &self.assignments[cut as usize]
    }

    /// Whether the family was made as a sequence.
    pub fn is_sequence(&self) -> bool {
        self.is_sequence
    }

    pub(super) fn words(&self) -> usize {
        self.members.words
    }

    pub(super) fn has_assignments(&self) -> bool {
        self.assignments.iter().any(|literals| !literals.is_empty())
    }
}
