//! Shorter learned clauses, literal by literal.
//!
//! A literal of a learned clause can go if it is implied by the others. *Recursively*: its reason's
//! literals are all in the clause, fixed, or such literals themselves; what was found out about a
//! variable is remembered for the rest of the conflict, and two cheap tests per level cut most
//! searches short. *By clauses of two literals*: where the first literal `u` and such a clause
//! `u ∨ l` exist, `¬l` can go; that is tried only on clauses that are short already.
//!
//! Invariant: `scratch.literals` holds what was removed recursively, for the proof's hints.
//!
//! After Sörensson, Biere (SAT 2009), Van Gelder (SAT 2009); binary after Glucose (2009).

use crate::analyze::{POISON, REMOVABLE, SEEN};
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

/// Clauses longer than this, or of larger LBD, are not minimised by binary clauses.
const LONGEST: usize = 30;
const LARGEST_LBD: u32 = 6;

impl<T: Theory> Solver<T> {
    /// Removes literals from `scratch.clause`.
    pub(crate) fn minimize(&mut self, lbd: u32) {
        let before = self.scratch.clause.len();
        self.scratch.literals.clear();
        match (self.options.minimize, self.options.minimize_shrink) {
            (0, _) => {}
            (_, 0) => self.remove_implied(),
            _ => self.shrink_blocks(),
        }
        let is_short = self.scratch.clause.len() <= LONGEST && lbd <= LARGEST_LBD;
        if self.options.minimize_binary != 0 && is_short {
            self.minimize_by_binaries();
        }
        self.stats.minimized += (before - self.scratch.clause.len()) as u64;
    }

    /// Removes the literals that the others imply.
    fn remove_implied(&mut self) {
        let mut clause = std::mem::take(&mut self.scratch.clause);
        let mut kept = 1;
        for index in 1..clause.len() {
            let lit = clause[index];
            if self.is_removable(lit, 0) {
                self.scratch.literals.push(lit);
            } else {
                clause[kept] = lit;
                kept += 1;
            }
        }
        clause.truncate(kept);
        self.scratch.clause = clause;
    }

    /// Whether a literal of the clause, or one that is `depth` reasons away from it, follows from the others.
    pub(crate) fn is_removable(&mut self, lit: Lit, depth: u32) -> bool {
        let var = lit.var();
        let place = self.assigned[var.index()];
        let marks = self.scratch.marks[var.index()];
        if place.level == 0 || marks & REMOVABLE != 0 {
            return true;
        }
        if depth > 0 && marks & SEEN != 0 && place.level < self.level() {
            return true;
        }
        if marks & POISON != 0 || place.level == self.level() {
            return false;
        }
        let Some(reason) = place.reason.as_clause() else { return false };
        let level = self.levels[place.level as usize];
        if depth == 0 && level.seen < 2
            || place.trail <= level.seen_trail
            || depth > self.options.minimize_depth
        {
            return false;
        }
        let mut all = true;
        for position in 0..self.arena.size(reason) {
            let other = self.arena.literal(reason, position);
            if other.var() != var && !self.is_removable(other, depth + 1) {
                all = false;
                break;
            }
        }
        self.scratch.marks[var.index()] |= if all { REMOVABLE } else { POISON };
        self.scratch.minimized.push(var);
        all
    }

    fn minimize_by_binaries(&mut self) {
        let Solver { scratch, watches, arena, trace, values, .. } = self;
        if scratch.clause.len() < 2 {
            return;
        }
        let first = scratch.clause[0];
        scratch.clock += 1;
        // Candidates are told by a mark on their variables that nothing else uses here.
        const CANDIDATE: u8 = 1 << 7;
        for lit in &scratch.clause[1..] {
            scratch.marks[lit.var().index()] |= CANDIDATE;
        }
        let mut removed = 0;
        for watch in &watches.lists[first.index()] {
            let var = watch.blocker.var();
            if !watch.is_binary()
                || scratch.marks[var.index()] & CANDIDATE == 0
                || values[watch.blocker.index()] != crate::state::TRUE
            {
                continue;
            }
            scratch.marks[var.index()] &= !CANDIDATE;
            removed += 1;
            if trace.as_ref().is_some_and(|trace| trace.has_hints()) {
                scratch.units.push(ClauseId(arena.id(watch.clause())));
                scratch.marks[var.index()] |= crate::analyze::SETTLED;
            }
        }
        if removed > 0 {
            let marks = &scratch.marks;
            let mut position = 0;
            scratch.clause.retain(|lit| {
                position += 1;
                position == 1 || marks[lit.var().index()] & CANDIDATE != 0
            });
        }
        for lit in &scratch.clause {
            scratch.marks[lit.var().index()] &= !CANDIDATE;
        }
    }
}
