//! Unit propagation.
//!
//! For each literal that has become true, the clauses watching its negation are visited: a clause
//! whose blocker is positive is left alone; otherwise another literal that is not false takes over
//! the watch; failing that, the other watched literal is implied, or the clause is the conflict.
//!
//! Switches fixed at compile time: `FULL` looks through the domain's restriction and is used on level
//! 0, whose consequences must be complete; `IGNORE` skips one clause, for vivification; `CHRONO` reads
//! the level of what is implied from the reason, for a trail that is out of order (`chrono.rs`).
//!
//! Invariant: when propagation ends without conflict, each clause has no false watched literal, or
//! a positive blocker or watch that was so no later than the false one on this branch.
//!
//! After Moskewicz et al. (DAC 2001), in the shape of MiniSat and CaDiCaL.

use crate::arena::{ClauseRef, GARBAGE, HEADER};
use crate::chrono::IN_ORDER;
use crate::literal::Lit;
use crate::solver::{Assigned, FALSE, OPEN, Reason, Solver, TRUE};
use crate::theory::Theory;
use crate::watch::Watch;

/// Watches per cache line.
const LINE: u64 = 8;

impl<T: Theory> Solver<T> {
    /// Propagates all literals of the trail; returns a clause that became false, if one did.
    pub(crate) fn propagate(&mut self) -> Option<ClauseRef> {
        if self.disorder != IN_ORDER {
            return self.run::<false, false, true>(ClauseRef(0));
        }
        if self.level() > 0 {
            return self.run::<false, false, false>(ClauseRef(0));
        }
        let conflict = if self.domain.is_restricted() {
            self.run::<true, false, false>(ClauseRef(0))
        } else {
            self.run::<false, false, false>(ClauseRef(0))
        };
        self.fix_units();
        conflict
    }

    /// Propagates as if `ignored` were not there; only above level 0.
    pub(crate) fn propagate_without(&mut self, ignored: ClauseRef) -> Option<ClauseRef> {
        self.run::<false, true, false>(ignored)
    }

    fn run<const FULL: bool, const IGNORE: bool, const CHRONO: bool>(
        &mut self,
        ignored: ClauseRef,
    ) -> Option<ClauseRef> {
        let begin = self.head;
        let mut conflict = None;
        while conflict.is_none() && self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            conflict = self.visit::<FULL, IGNORE, CHRONO>(lit, ignored);
        }
        self.stats.propagations += (self.head - begin) as u64;
        conflict
    }

    /// Visits the clauses in which `lit`, being true, makes a literal false.
    #[inline]
    fn visit<const FULL: bool, const IGNORE: bool, const CHRONO: bool>(
        &mut self,
        lit: Lit,
        ignored: ClauseRef,
    ) -> Option<ClauseRef> {
        let falsified = !lit;
        let level = self.level();
        let mut list = std::mem::take(&mut self.watches.lists[falsified.index()]);
        let mut ticks = 1 + list.len() as u64 / LINE;
        let mut conflict = None;
        let (mut from, mut to) = (0, 0);
        let end = list.len();
        while from < end {
            let watch = list[from];
            list[to] = watch;
            from += 1;
            to += 1;
            let blocker = self.values[watch.blocker.index()];
            if is_positive::<FULL>(blocker) {
                continue;
            }
            if watch.is_binary() {
                if IGNORE && watch.clause() == ignored {
                    continue;
                }
                if blocker == FALSE {
                    conflict = Some(watch.clause());
                    break;
                }
                if CHRONO {
                    let reason = Reason::clause(watch.clause());
                    self.assign_on(watch.blocker, reason, self.level_of(lit.var()));
                } else {
                    self.imply(watch.blocker, watch.clause(), level);
                }
                continue;
            }
            ticks += 1;
            let clause = watch.clause();
            if IGNORE && clause == ignored {
                continue;
            }
            let start = clause.0 as usize;
            let size = self.arena.words[start];
            if size & GARBAGE != 0 {
                to -= 1;
                continue;
            }
            let words = &mut self.arena.words[start + HEADER..start + HEADER + size as usize];
            let other = Lit::from_code(words[0] ^ words[1] ^ falsified.code());
            let other_value = self.values[other.index()];
            if is_positive::<FULL>(other_value) {
                list[to - 1].blocker = other;
                continue;
            }
            let found = words[2..].iter().position(|&code| self.values[code as usize] != FALSE);
            let Some(found) = found else {
                if other_value == FALSE {
                    conflict = Some(clause);
                    break;
                }
                if CHRONO {
                    let level = self.implied_level(clause, other);
                    self.assign_on(other, Reason::clause(clause), level);
                } else {
                    self.imply(other, clause, level);
                }
                continue;
            };
            let replacement = Lit::from_code(words[found + 2]);
            if is_positive::<FULL>(self.values[replacement.index()]) {
                list[to - 1].blocker = replacement;
                continue;
            }
            words[0] = other.code();
            words[1] = replacement.code();
            words[found + 2] = falsified.code();
            self.watches.lists[replacement.index()].push(Watch::new(clause, other, false));
            to -= 1;
        }
        if to < from {
            list.copy_within(from..end, to);
            list.truncate(to + end - from);
        }
        self.watches.lists[falsified.index()] = list;
        self.stats.ticks += ticks;
        conflict
    }

    #[inline]
    fn imply(&mut self, lit: Lit, clause: ClauseRef, level: u32) {
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        let trail = self.trail.len() as u32;
        let reason = Reason::clause(clause);
        self.assigned[lit.var().index()] = Assigned { level, reason, trail };
        self.trail.push(lit);
    }
}

/// Whether a clause with a literal of this value needs no attention.
#[inline]
fn is_positive<const FULL: bool>(value: i8) -> bool {
    if FULL { value == TRUE } else { value > OPEN }
}
