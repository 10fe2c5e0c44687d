//! Clauses made smaller: fewer of them, then shorter ones.

use crate::chunks::{chunks, without};
use crate::search::Reduce;
use std::ops::Range;

/// What is left out of clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Some of them.
    Clauses(Range<usize>),
    /// A literal of one.
    Literal(usize, usize),
}

impl Reduce for Vec<Vec<i32>> {
    type Step = Cut;

    fn steps(&self) -> Vec<Cut> {
        let literals = self.iter().enumerate().flat_map(|(at, clause)| {
            (0..clause.len()).map(move |literal| Cut::Literal(at, literal))
        });
        chunks(self.len()).map(Cut::Clauses).chain(literals).collect()
    }

    fn after(&self, step: &Cut) -> Option<Self> {
        match step {
            Cut::Clauses(range) => Some(without(self, range)),
            Cut::Literal(at, literal) => {
                let mut clauses = self.clone();
                clauses[*at].remove(*literal);
                Some(clauses)
            }
        }
    }
}
