//! Undoing levels.
//!
//! The literals above a level are taken from the trail; the value each had is saved as its
//! variable's phase, and both decision orders hear that the variable is open again.

use crate::literal::Lit;
use crate::solver::Solver;
use crate::state::IN_ORDER;
use crate::state::OPEN;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Goes back to the end of `level`.
    pub(crate) fn backtrack(&mut self, level: u32) {
        if level >= self.level() {
            return;
        }
        self.update_target();
        let start = self.levels[level as usize + 1].start as usize;
        self.domain.rewind();
        self.definitions.rewind_to(start);
        if self.disorder == IN_ORDER {
            for position in (start..self.trail.len()).rev() {
                self.unassign(self.trail[position]);
            }
            self.trail.truncate(start);
        } else {
            self.undo_disordered(level, start);
        }
        self.levels.truncate(level as usize + 1);
        self.head = self.head.min(start);
        if T::ACTIVE {
            self.theory_backtrack(level, start);
        }
    }

    /// Opens the variable of a literal that leaves the trail.
    #[inline]
    pub(crate) fn unassign(&mut self, lit: Lit) {
        self.values[lit.index()] = OPEN;
        self.values[(!lit).index()] = OPEN;
        self.phases.save(lit);
        let is_restricted = self.domain.is_restricted();
        let is_wanted = !is_restricted || self.evsids.is_hot(lit.var());
        if self.domain.keeps_heap() && is_wanted {
            self.evsids.push(lit.var());
        }
        if !is_restricted {
            self.vmtf.unassign(lit.var());
        }
    }
}
