//! The queue of proof obligations of IC3 and its relatives.
//!
//! The next obligation is always at the lowest level, because only there an answer is certain; among those
//! the one furthest from the bad states, then the shortest, then the oldest. What an obligation is, is the
//! business of those who have them: here they are numbers.
//!
//! After Bradley, "SAT-Based Model Checking without Unrolling" (VMCAI 2011), and Eén, Mishchenko, Brayton,
//! "Efficient Implementation of Property Directed Reachability" (FMCAD 2011).

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The number of an obligation.
pub type Id = usize;

/// The obligations that wait, by level.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    waiting: BTreeSet<(usize, Reverse<usize>, usize, Id)>,
}

impl Queue {
    /// Lets an obligation wait at a level; it is `depth` steps from a bad state and has so many literals.
    pub fn wait(&mut self, level: usize, depth: usize, literals: usize, id: Id) {
        self.waiting.insert((level, Reverse(depth), literals, id));
    }

    /// Takes the next obligation that waits at `last` or below, with its level.
    pub fn take(&mut self, last: usize) -> Option<(usize, Id)> {
        let &(level, _, _, id) = self.waiting.first()?;
        if level > last {
            return None;
        }
        self.waiting.pop_first();
        Some((level, id))
    }

    /// Forgets all obligations that wait.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_level_comes_first_then_the_furthest_then_the_shortest() {
        let mut queue = Queue::default();
        for (id, (level, depth, literals)) in
            [(2, 9, 1), (1, 0, 1), (1, 3, 5), (1, 3, 4), (3, 9, 1)].into_iter().enumerate()
        {
            queue.wait(level, depth, literals, id);
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.take(2)).collect();
        assert_eq!(order, [(1, 3), (1, 2), (1, 1), (2, 0)]);
        assert_eq!(queue.take(3), Some((3, 4)));
    }
}
