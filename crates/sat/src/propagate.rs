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
//! Half of the time of a large formula goes into waiting for watch lists. Which ones will be needed is known
//! from the trail, so one word of each is read ahead of time, which brings it into the cache while others
//! are visited.
//!
//! Invariant: when propagation ends without conflict, each clause has no false watched literal, or
//! a positive blocker or watch that was so no later than the false one on this branch.
//!
//! After Moskewicz et al. (DAC 2001), in the shape of MiniSat and CaDiCaL; the remembered position
//! after Gent (JAIR 2013).

use crate::arena::{ClauseRef, GARBAGE, HEADER, LARGEST_POSITION, POSITION_SHIFT};
use crate::literal::Lit;
use crate::solver::Solver;
use crate::state::IN_ORDER;
use crate::state::{Assigned, FALSE, OPEN, Reason, TRUE};
use crate::theory::Theory;
use crate::watch::Watch;

/// Watches per cache line.
const LINE: u64 = 8;
/// So many unwatched literals are searched from the beginning.
const SHORT: usize = 6;
/// How far ahead on the trail a list is looked up.
const FAR: usize = 3;

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
        let level = self.level();
        let Solver { values, assigned, trail, arena, watches, disorder, head, stats, .. } = self;
        let (words, lists) = (&mut arena.words[..], &mut watches.lists[..]);
        let mut state =
            State { values, assigned, trail, words, lists, level, disorder, ticks: 0, read: 0 };
        let begin = *head;
        let mut conflict = None;
        while conflict.is_none() && *head < state.trail.len() {
            let falsified = !state.trail[*head];
            *head += 1;
            state.read_ahead(*head);
            let mut list = std::mem::take(&mut state.lists[falsified.index()]);
            conflict = state.visit::<FULL, IGNORE, CHRONO>(falsified, &mut list, ignored);
            state.lists[falsified.index()] = list;
        }
        std::hint::black_box(state.read);
        stats.ticks += state.ticks;
        stats.propagations += (*head - begin) as u64;
        conflict
    }
}

/// The parts of a solver that propagation works on, borrowed apart from each other.
struct State<'a> {
    values: &'a mut [i8],
    assigned: &'a mut [Assigned],
    trail: &'a mut Vec<Lit>,
    words: &'a mut [u32],
    lists: &'a mut [Vec<Watch>],
    level: u32,
    disorder: &'a mut u32,
    ticks: u64,
    /// What was read ahead, so that reading is not left out.
    read: usize,
}

impl State<'_> {
    /// Reads the first entry of the list after the next one, and where a later one lies.
    #[inline]
    fn read_ahead(&mut self, head: usize) {
        let Some(next) = self.trail.get(head + 1) else { return };
        let first = self.lists[(!*next).index()].first();
        self.read ^= first.map_or(0, |watch| watch.blocker.index());
        if let Some(later) = self.trail.get(head + FAR) {
            self.read ^= self.lists[(!*later).index()].len();
        }
    }

    /// Visits the clauses of `list`, which watch the literal that has become false.
    #[inline]
    fn visit<const FULL: bool, const IGNORE: bool, const CHRONO: bool>(
        &mut self,
        falsified: Lit,
        list: &mut Vec<Watch>,
        ignored: ClauseRef,
    ) -> Option<ClauseRef> {
        let mut conflict = None;
        let (mut from, mut to) = (0, 0);
        let entries = &mut list[..];
        let mut ticks = 1 + entries.len() as u64 / LINE;
        while from < entries.len() {
            let watch = entries[from];
            entries[to] = watch;
            from += 1;
            to += 1;
            let blocker = self.values[watch.blocker.index()];
            if is_positive::<FULL>(blocker) {
                continue;
            }
            let clause = watch.clause();
            if IGNORE && clause == ignored {
                continue;
            }
            if watch.is_binary() {
                if blocker == FALSE {
                    conflict = Some(clause);
                    break;
                }
                let level = self.implied_level::<CHRONO>(&[falsified.code()]);
                self.imply(watch.blocker, clause, level);
                continue;
            }
            ticks += 1;
            let start = clause.0 as usize;
            let [size, flags, _, first, second, rest @ ..] = &mut self.words[start..] else {
                unreachable!("a clause has a header and two literals");
            };
            if *size & GARBAGE != 0 {
                to -= 1;
                continue;
            }
            let other = Lit::from_code(*first ^ *second ^ falsified.code());
            let other_value = self.values[other.index()];
            if is_positive::<FULL>(other_value) {
                entries[to - 1].blocker = other;
                continue;
            }
            let rest = &mut rest[..*size as usize - 2];
            let Some(found) = find(self.values, rest, flags) else {
                if other_value == FALSE {
                    conflict = Some(clause);
                    break;
                }
                (*first, *second) = (other.code(), falsified.code());
                let end = start + HEADER + *size as usize;
                let level = self.implied_level::<CHRONO>(&self.words[start + HEADER + 1..end]);
                self.imply(other, clause, level);
                continue;
            };
            let replacement = Lit::from_code(rest[found]);
            if is_positive::<FULL>(self.values[replacement.index()]) {
                entries[to - 1].blocker = replacement;
                continue;
            }
            (*first, *second) = (other.code(), replacement.code());
            rest[found] = falsified.code();
            self.lists[replacement.index()].push(Watch::new(clause, other, false));
            to -= 1;
        }
        self.ticks += ticks;
        let end = entries.len();
        if to < from {
            entries.copy_within(from..end, to);
            list.truncate(to + end - from);
        }
        conflict
    }

    /// The level of what a clause implies whose other literals are `others`.
    #[inline]
    fn implied_level<const CHRONO: bool>(&self, others: &[u32]) -> u32 {
        if !CHRONO {
            return self.level;
        }
        let level = |code: &u32| self.assigned[Lit::from_code(*code).var().index()].level;
        others.iter().map(level).max().unwrap_or(0)
    }

    #[inline]
    fn imply(&mut self, lit: Lit, clause: ClauseRef, level: u32) {
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        let trail = self.trail.len() as u32;
        let reason = Reason::clause(clause);
        self.assigned[lit.var().index()] = Assigned { level, reason, trail };
        self.trail.push(lit);
        if level < self.level {
            *self.disorder = level.min(*self.disorder);
        }
    }
}

/// Where `rest`, the unwatched literals of a clause, has one that is not false. Long clauses are
/// searched from where the last search ended, or else their false beginnings are read again and again.
#[inline]
fn find(values: &[i8], rest: &[u32], flags: &mut u32) -> Option<usize> {
    let is_candidate = |code: &u32| values[*code as usize] != FALSE;
    if rest.len() <= SHORT {
        return rest.iter().position(is_candidate);
    }
    let middle = ((*flags >> POSITION_SHIFT) as usize).min(rest.len());
    let (before, after) = rest.split_at(middle);
    let found = match after.iter().position(is_candidate) {
        Some(ahead) => middle + ahead,
        None => before.iter().position(is_candidate)?,
    };
    let position = (found as u32).min(LARGEST_POSITION);
    *flags = *flags & ((1 << POSITION_SHIFT) - 1) | position << POSITION_SHIFT;
    Some(found)
}

/// Whether a clause with a literal of this value needs no attention.
#[inline]
fn is_positive<const FULL: bool>(value: i8) -> bool {
    if FULL { value == TRUE } else { value > OPEN }
}
