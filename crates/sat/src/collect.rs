//! Reclaiming the words of deleted clauses.
//!
//! Live clauses are copied to a fresh arena, those of each list in its order, and every reference
//! is replaced: watches, reasons, lists and groups. Reasons are copied even if deleted, because a
//! theory's explanations are deleted from the start and live on as reasons only.

use crate::arena::{Arena, ClauseRef};
use crate::solver::Solver;
use crate::state::Reason;
use crate::theory::Theory;
use crate::watch::Watch;

impl<T: Theory> Solver<T> {
    /// Deletes a clause that is not a reason.
    pub(crate) fn delete_clause(&mut self, clause: ClauseRef) {
        if let Some(trace) = &mut self.trace {
            trace.delete(self.arena.id(clause));
        }
        self.touch(clause);
        // A contradictory solver propagates no more and may have left its watches behind.
        if self.arena.size(clause) == 2 && !self.simplifier.is_dense && self.consistent {
            self.watches.detach(&self.arena, clause);
        }
        self.arena.delete(clause);
    }

    /// Collects garbage if a quarter of the arena is.
    pub(crate) fn collect_if_worthwhile(&mut self) {
        if self.consistent && self.arena.wasted * 4 > self.arena.words.len() {
            self.collect();
        }
    }

    /// Collects garbage.
    pub(crate) fn collect(&mut self) {
        self.stats.collections += 1;
        let mut old = std::mem::take(&mut self.arena);
        let mut fresh = Arena::default();
        fresh.words.reserve(old.words.len() - old.wasted.min(old.words.len()));
        relocate_all(&mut self.irredundant, &mut old, &mut fresh);
        relocate_all(&mut self.learned, &mut old, &mut fresh);
        relocate_all(&mut self.definitions.stated, &mut old, &mut fresh);
        for clauses in self.groups.clause_lists() {
            relocate_all(clauses, &mut old, &mut fresh);
        }
        for lit in &self.trail {
            let assigned = &mut self.assigned[lit.var().index()];
            if let Some(clause) = assigned.reason.as_clause() {
                assigned.reason = Reason::clause(old.relocate(clause, &mut fresh));
            }
        }
        for list in &mut self.watches.lists {
            list.retain_mut(|watch| {
                let clause = watch.clause();
                let stays = !old.is_garbage(clause);
                if stays {
                    let moved = old.relocate(clause, &mut fresh);
                    *watch = Watch::new(moved, watch.blocker, watch.is_binary());
                }
                stays
            });
        }
        self.arena = fresh;
        // Clauses have moved within their lists.
        self.definitions.rewind();
    }
}

fn relocate_all(clauses: &mut Vec<ClauseRef>, old: &mut Arena, fresh: &mut Arena) {
    clauses.retain_mut(|clause| {
        let stays = !old.is_garbage(*clause);
        if stays {
            *clause = old.relocate(*clause, fresh);
        }
        stays
    });
}
