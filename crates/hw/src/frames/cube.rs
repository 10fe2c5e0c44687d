//! Cubes: conjunctions of literals of latches, as sets of states.
//!
//! A cube keeps its literals sorted, so that equal cubes are equal and one pass tells whether a
//! cube is part of another. A signature, a bit for each literal's hash, answers most such questions
//! with one operation.

use alphorn_sat::Lit;

/// A conjunction of literals of latches, sorted, with a signature for quick comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cube {
    lits: Box<[Lit]>,
    signature: u64,
}

impl Cube {
    /// The conjunction of the literals.
    pub(crate) fn new(mut lits: Vec<Lit>) -> Cube {
        lits.sort_unstable();
        lits.dedup();
        let signature = lits.iter().fold(0, |all, lit| all | 1 << spread(*lit));
        Cube { lits: lits.into_boxed_slice(), signature }
    }

    /// The literals, ascending.
    pub(crate) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// How many literals there are.
    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }

    /// Whether the literal is one of the cube's.
    pub(crate) fn contains(&self, lit: Lit) -> bool {
        self.lits.binary_search(&lit).is_ok()
    }

    /// The cube without one literal.
    pub(crate) fn without(&self, lit: Lit) -> Cube {
        Cube::new(self.lits.iter().copied().filter(|other| *other != lit).collect())
    }

    /// Whether all literals of this cube are in the other: its states contain the other's.
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
    fn a_literal_is_left_out() {
        let wide = cube(&[3, -1, 2]).without(Var(1).negative());
        assert_eq!(wide, cube(&[2, 3]));
        assert!(wide.contains(Var(2).positive()) && !wide.contains(Var(1).negative()));
    }
}
