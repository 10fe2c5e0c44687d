//! Chronological backtracking: after a conflict, undoing one level instead of a hundred.
//!
//! Jumping back far for a clause that concerns few variables undoes much of the trail, only to have
//! it decided and propagated again. Where the jump would be longer than a limit, only the level of
//! the conflict is undone; the learned literal belongs to the level of the jump all the same and so
//! comes later on the trail than literals of higher levels. From then on levels are read from
//! reasons: an implied literal gets the highest level in its reason. Going back keeps the literals
//! of levels that stay, which are propagated again, because what satisfied their clauses may be gone.
//! A conflict may lie below the current level, or have a single literal on its highest level, which
//! it then implies a level earlier.
//!
//! Invariants: `disorder` is at most the level of each literal that comes after one of a higher
//! level on the trail, and `IN_ORDER` if there is none, so that an ordered trail costs nothing; a
//! reason precedes what it implies on the trail; level 0 is in order and propagated completely,
//! because a unit clause always goes back to it. With a theory all this is off: a theory is told of
//! levels as a stack.
//!
//! After Nadel, Ryvchin (SAT 2018) and Möhle, Biere (SAT 2019).

use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::solver::Solver;
use crate::state::{Assigned, FALSE, IN_ORDER, Reason, TRUE};
use crate::theory::Theory;
use crate::watch::Watch;

impl<T: Theory> Solver<T> {
    /// How far to go back for a learned clause that asks for level `jump`.
    pub(crate) fn backtrack_level(&self, jump: u32) -> u32 {
        let is_far = self.level() - jump > self.options.chrono_jump;
        if T::ACTIVE || self.options.chrono == 0 || jump == 0 || !is_far {
            return jump;
        }
        self.level() - 1
    }

    /// Makes an open literal true on `level`, which may be below the current one.
    #[inline]
    pub(crate) fn assign_on(&mut self, lit: Lit, reason: Reason, level: u32) {
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        let trail = self.trail.len() as u32;
        self.assigned[lit.var().index()] = Assigned { level, reason, trail };
        self.trail.push(lit);
        if level < self.level() {
            self.disorder = self.disorder.min(level);
        }
    }

    /// Goes back to the highest level of `conflict`. Whether there is a conflict still: a single
    /// literal on that level is implied below it instead.
    pub(crate) fn face_conflict(&mut self, conflict: ClauseRef) -> bool {
        if self.disorder == IN_ORDER {
            return true;
        }
        self.watch_highest(conflict);
        let [first, second] = [0, 1].map(|position| self.arena.literal(conflict, position));
        let (top, below) = (self.level_of(first.var()), self.level_of(second.var()));
        if top == below {
            self.backtrack(top);
            return true;
        }
        self.backtrack(top - 1);
        self.assign_on(first, Reason::clause(conflict), below);
        self.stats.chrono_implied += 1;
        false
    }

    /// Brings the two literals of the highest levels to the front of a false clause.
    fn watch_highest(&mut self, clause: ClauseRef) {
        let size = self.arena.size(clause);
        for position in 0..2 {
            let level = |index: &usize| self.level_of(self.arena.literal(clause, *index).var());
            let start = position;
            // The first of several, so that a watch is moved only if that helps.
            let best = (start..size).rev().max_by_key(level);
            let best = best.expect("a clause has two literals");
            if best == position {
                continue;
            }
            let (old, lit) =
                (self.arena.literal(clause, position), self.arena.literal(clause, best));
            self.arena.swap(clause, position, best);
            if best >= 2 {
                let other = self.arena.literal(clause, 1 - position);
                self.watches.remove(old, clause);
                self.watches.lists[lit.index()].push(Watch::new(clause, other, false));
            }
        }
    }

    /// Takes the literals above `level` from a trail that is out of order.
    pub(crate) fn undo_disordered(&mut self, level: u32, start: usize) {
        let mut kept = std::mem::take(&mut self.scratch.kept);
        for position in (start..self.trail.len()).rev() {
            let lit = self.trail[position];
            if self.level_of(lit.var()) > level {
                self.unassign(lit);
            } else {
                kept.push(lit);
            }
        }
        self.trail.truncate(start);
        for lit in kept.drain(..).rev() {
            self.assigned[lit.var().index()].trail = self.trail.len() as u32;
            self.trail.push(lit);
        }
        self.scratch.kept = kept;
        if level <= self.disorder {
            self.disorder = IN_ORDER;
        }
    }
}
