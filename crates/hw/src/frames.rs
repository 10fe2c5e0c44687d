//! Over-approximations of the states reachable in 0, 1, 2, … steps, as clauses.
//!
//! A *lemma* is a cube of states that cannot be reached in so many steps; its negation is a clause. The
//! trace is kept by differences: a lemma is stored at the highest level at which it is known, and a
//! frame consists of the lemmas of its level and all higher ones. Level 0 is the start and holds no
//! lemmas; above all levels is the infinite frame, whose lemmas hold in all reachable states.
//!
//! Invariants: every lemma of level i follows by one step from frame i − 1 and holds at the start;
//! no lemma is implied by another one of its level or a higher one. So a level without lemmas below
//! the last one means that two frames are equal, and then they are an inductive invariant.
//!
//! After Bradley (VMCAI 2011) and Eén, Mishchenko, Brayton, "Efficient Implementation of Property
//! Directed Reachability" (FMCAD 2011); the infinite frame is that of Ivrii, Gurfinkel, "Pushing to
//! the Top" (FMCAD 2015).

use alphorn_sat::Lit;

/// A conjunction of literals of latches, sorted, with a signature for quick comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cube {
    lits: Vec<Lit>,
    signature: u64,
}

impl Cube {
    /// The conjunction of the literals.
    pub(crate) fn new(mut lits: Vec<Lit>) -> Cube {
        lits.sort_unstable();
        lits.dedup();
        let signature = lits.iter().fold(0, |all, lit| all | 1 << spread(*lit));
        Cube { lits, signature }
    }

    /// The literals, ascending.
    pub(crate) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// How many literals there are.
    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }

    /// Whether all literals of this cube are in the other.
    pub(crate) fn subsumes(&self, other: &Cube) -> bool {
        if self.lits.len() > other.lits.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.lits.iter();
        self.lits.iter().all(|lit| rest.by_ref().any(|other| other == lit))
    }

    /// The negation, as a clause.
    pub(crate) fn negation(&self) -> Vec<Lit> {
        self.lits.iter().map(|lit| !*lit).collect()
    }
}

/// The bit of the signature for a literal.
fn spread(lit: Lit) -> u32 {
    (lit.code().wrapping_mul(0x9e37_79b9)) >> 26
}

/// The levels and what is known on each.
pub(crate) struct Frames {
    levels: Vec<Vec<Cube>>,
    infinite: Vec<Cube>,
    /// The lowest level with a lemma that nobody has tried to push.
    changed: usize,
}

impl Frames {
    /// The start alone.
    pub(crate) fn new() -> Frames {
        Frames { levels: vec![Vec::new()], infinite: Vec::new(), changed: 1 }
    }

    /// The number of the last level.
    pub(crate) fn last(&self) -> usize {
        self.levels.len() - 1
    }

    /// Adds a level of which nothing is known.
    pub(crate) fn extend(&mut self) {
        self.levels.push(Vec::new());
    }

    /// The lemmas of one level.
    pub(crate) fn level(&self, level: usize) -> &[Cube] {
        &self.levels[level]
    }

    /// The lemmas of the infinite frame.
    pub(crate) fn infinite(&self) -> &[Cube] {
        &self.infinite
    }

    /// The highest level at which the cube is known to be unreachable by a single lemma, if that is
    /// `from` or higher; the number after the last level stands for the infinite frame.
    pub(crate) fn blocked(&self, cube: &Cube, from: usize) -> Option<usize> {
        if self.infinite.iter().any(|lemma| lemma.subsumes(cube)) {
            return Some(self.levels.len());
        }
        let levels = (from.max(1)..self.levels.len()).rev();
        levels.into_iter().find(|level| self.levels[*level].iter().any(|l| l.subsumes(cube)))
    }

    /// A lemma of the level that subsumes the cube.
    pub(crate) fn parent(&self, cube: &Cube, level: usize) -> Option<&Cube> {
        self.levels[level].iter().find(|lemma| lemma.subsumes(cube))
    }

    /// Adds a lemma, and drops those that it implies; returns how many went at each level up to its own.
    pub(crate) fn add(&mut self, cube: Cube, level: usize) -> Vec<usize> {
        let dropped = self.drop_implied(&cube, level);
        self.levels[level].push(cube);
        self.changed = self.changed.min(level);
        dropped
    }

    /// Adds a lemma to the infinite frame, and drops those that it implies; returns how many went at
    /// each level.
    pub(crate) fn add_infinite(&mut self, cube: Cube) -> Vec<usize> {
        let dropped = self.drop_implied(&cube, self.last());
        self.infinite.retain(|lemma| !cube.subsumes(lemma));
        self.infinite.push(cube);
        dropped
    }

    fn drop_implied(&mut self, cube: &Cube, level: usize) -> Vec<usize> {
        let drop = |lemmas: &mut Vec<Cube>| {
            let before = lemmas.len();
            lemmas.retain(|lemma| !cube.subsumes(lemma));
            before - lemmas.len()
        };
        self.levels[..=level].iter_mut().map(drop).collect()
    }

    /// The lowest level at which pushing may succeed where it did not before; from here on none.
    pub(crate) fn take_changed(&mut self) -> usize {
        std::mem::replace(&mut self.changed, usize::MAX).min(self.last() - 1).max(1)
    }

    /// The invariant, if two frames are equal.
    pub(crate) fn invariant(&self) -> Option<Vec<Cube>> {
        let closed = (1..self.last()).find(|level| self.levels[*level].is_empty())?;
        let above = self.levels[closed..].iter().flatten();
        Some(above.chain(&self.infinite).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_sat::Var;

    fn cube(numbers: &[i32]) -> Cube {
        Cube::new(numbers.iter().map(|n| Var(n.unsigned_abs()).lit(*n > 0)).collect())
    }

    #[test]
    fn subsumption_compares_literals() {
        assert!(cube(&[1, -3]).subsumes(&cube(&[-3, 2, 1])));
        assert!(!cube(&[1, 3]).subsumes(&cube(&[-3, 2, 1])));
        assert!(!cube(&[-3, 2, 1]).subsumes(&cube(&[1, -3])));
        assert!(cube(&[]).subsumes(&cube(&[7])));
        // As many as it takes for signatures to collide.
        for number in 1..200 {
            assert!(!cube(&[number, 200]).subsumes(&cube(&[number, number + 200])));
        }
    }

    #[test]
    fn lemmas_drop_what_they_imply() {
        let mut frames = Frames::new();
        (0..3).for_each(|_| frames.extend());
        assert_eq!(frames.add(cube(&[1, 2]), 1), [0, 0]);
        frames.add(cube(&[1, 3]), 2);
        frames.add(cube(&[4]), 3);
        assert_eq!(frames.blocked(&cube(&[1, 2, 9]), 1), Some(1));
        assert_eq!(frames.blocked(&cube(&[1, 2, 9]), 2), None);
        assert_eq!(frames.blocked(&cube(&[1, 3, 4]), 1), Some(3));
        assert_eq!(frames.parent(&cube(&[1, 3, 9]), 2), Some(&cube(&[1, 3])));
        assert!(frames.invariant().is_none());
        assert_eq!(frames.add(cube(&[1]), 2), [0, 1, 1]);
        // Level 1 is empty, so frames 1 and 2 are equal.
        assert_eq!(frames.invariant(), Some(vec![cube(&[1]), cube(&[4])]));
        assert_eq!(frames.add_infinite(cube(&[4])), [0, 0, 0, 1]);
        assert_eq!(frames.blocked(&cube(&[4, 5]), 2), Some(4));
        assert_eq!(frames.invariant(), Some(vec![cube(&[1]), cube(&[4])]));
    }
}
