//! Conjunctions of predicates and their negations.

/// A predicate by its number, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal(u32);

impl Literal {
    /// The predicate with this number, or its negation.
    pub(super) fn new(predicate: usize, is_true: bool) -> Literal {
        Literal(2 * predicate as u32 + u32::from(!is_true))
    }

    /// The predicate's number.
    pub(super) fn predicate(self) -> usize {
        self.0 as usize / 2
    }

    /// A number for each literal, dense.
    pub(super) fn code(self) -> usize {
        self.0 as usize
    }

    /// Whether it is the predicate itself.
    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

/// A conjunction of literals, sorted, with a signature for quick comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cube {
    literals: Vec<Literal>,
    signature: u64,
}

impl Cube {
    /// The conjunction of the literals.
    pub(super) fn new(mut literals: Vec<Literal>) -> Cube {
        literals.sort_unstable();
        literals.dedup();
        let signature = literals.iter().fold(0, |all, literal| all | 1 << (literal.0 % 64));
        Cube { literals, signature }
    }

    /// The literals, ascending.
    pub(super) fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// How many literals there are.
    pub(super) fn len(&self) -> usize {
        self.literals.len()
    }

    /// Whether all literals of this cube are in the other.
    pub(super) fn subsumes(&self, other: &Cube) -> bool {
        if self.literals.len() > other.literals.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.literals.iter();
        self.literals.iter().all(|literal| rest.by_ref().any(|other| other == literal))
    }
}
