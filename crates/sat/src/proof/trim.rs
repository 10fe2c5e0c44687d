//! The part of a trace that one clause needs.
//!
//! One pass backwards from the clause marks what its hints reach. The leaves among it are a core.
//! A second pass gives each clause its last use, after which it can be deleted.

use super::{ClauseId, Origin, Trace};

/// What a clause needs, in the order of the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trimmed {
    /// The clauses needed, leaves and derived ones, ascending; the clause itself is last.
    pub clauses: Vec<ClauseId>,
}

impl Trace {
    /// The clauses from which `goal` follows, with those in between.
    pub fn trim(&self, goal: ClauseId) -> Trimmed {
        let mut needed = vec![false; goal.0 as usize + 1];
        needed[goal.0 as usize] = true;
        let mut clauses = Vec::new();
        for number in (1..=goal.0).rev() {
            if needed[number as usize] {
                clauses.push(ClauseId(number));
                for hint in self.hints(ClauseId(number)) {
                    needed[hint.0 as usize] = true;
                }
            }
        }
        clauses.reverse();
        Trimmed { clauses }
    }

    /// The leaves from which `goal` follows.
    pub fn core(&self, goal: ClauseId) -> Vec<ClauseId> {
        let mut clauses = self.trim(goal).clauses;
        clauses.retain(|id| self.origin(*id) != Origin::Derived);
        clauses
    }
}
