//! Evidence about matches of templates in circuits.
//!
//! That a solution is a match is a safety property of a circuit that `obligation::matching` makes: the specialised circuit and the
//! template beside each other never differ. That there are no others is one, too: the circuit whose
//! inputs are a solution, and which is bad where the solution is right for some inputs of the given circuit and none of
//! those listed. So proofs are ordinary certificates of circuits.

use super::circuit::Certificate;
use crate::matching::Solution;

/// A match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The orders and settings.
    pub solution: Solution,
    /// That the circuit so specialised is the template (`obligation::matching::specialised`).
    pub equivalence: Certificate,
}

/// All matches that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllMatches {
    /// The matches.
    pub matches: Vec<Match>,
    /// Values for all inputs of the circuit; those of control inputs do not matter.
    pub vectors: Vec<Vec<bool>>,
    /// That no other solution is right for these values (`obligation::matching::exclusion`).
    pub exclusion: Certificate,
}

impl AllMatches {
    /// The solutions of the matches.
    pub fn solutions(&self) -> Vec<Solution> {
        self.matches.iter().map(|found| found.solution.clone()).collect()
    }
}
