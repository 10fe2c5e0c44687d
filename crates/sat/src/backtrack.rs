//! Undoing levels.
//!
//! The literals above a level are taken from the trail; the value each had is saved as its
//! variable's phase, and both decision orders hear that the variable is open again.

use crate::solver::{OPEN, Solver};
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Goes back to the end of `level`.
    pub(crate) fn backtrack(&mut self, level: u32) {
        if level >= self.level() {
            return;
        }
        self.update_target();
        let start = self.levels[level as usize + 1].start as usize;
        let is_restricted = self.domain.is_restricted();
        let keeps_heap = self.domain.keeps_heap();
        self.domain.rewind();
        self.definitions.rewind();
        let Solver { trail, values, phases, evsids, vmtf, .. } = self;
        for &lit in trail[start..].iter().rev() {
            values[lit.index()] = OPEN;
            values[(!lit).index()] = OPEN;
            phases.save(lit);
            if keeps_heap && (!is_restricted || evsids.is_hot(lit.var())) {
                evsids.push(lit.var());
            }
            if !is_restricted {
                vmtf.unassign(lit.var());
            }
        }
        self.trail.truncate(start);
        self.levels.truncate(level as usize + 1);
        self.head = self.head.min(start);
        if T::ACTIVE {
            self.theory_backtrack(level, start);
        }
    }
}
