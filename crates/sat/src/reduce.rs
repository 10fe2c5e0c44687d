//! Forgetting learned clauses, in three tiers by LBD.
//!
//! Clauses of the first tier (LBD at most 2) stay for good; those of the second (at most 6) while
//! they were used since the reduction before last; of the others that were not used since the last
//! reduction, three quarters go, those of large LBD and size first. Intervals grow linearly.
//!
//! After Audemard, Simon (IJCAI 2009), Oh (SAT 2015), CaDiCaL (Biere, 2018).

use crate::arena::ClauseRef;
use crate::options::Options;
use crate::solver::{Reason, Solver};
use crate::theory::Theory;

/// When to reduce next.
pub(crate) struct Reductions {
    reduce_at: u64,
}

impl Reductions {
    pub(crate) fn new(options: &Options) -> Reductions {
        Reductions { reduce_at: u64::from(options.reduce_interval) }
    }
}

impl<T: Theory> Solver<T> {
    pub(crate) fn is_reducing(&self) -> bool {
        self.options.reduce != 0 && self.stats.conflicts >= self.reductions.reduce_at
    }

    /// Whether the clause is the reason of a literal on the trail.
    pub(crate) fn is_reason(&self, clause: ClauseRef) -> bool {
        let size = self.arena.size(clause).min(2);
        (0..size).any(|position| {
            let lit = self.arena.literal(clause, position);
            self.is_true(lit) && self.assigned[lit.var().index()].reason == Reason::clause(clause)
        })
    }

    /// Deletes learned clauses.
    pub(crate) fn reduce(&mut self) {
        self.stats.reductions += 1;
        let mut candidates = Vec::new();
        for index in 0..self.learned.len() {
            let clause = self.learned[index];
            if self.arena.is_garbage(clause) {
                continue;
            }
            let used = self.arena.used(clause);
            self.arena.set_used(clause, used.saturating_sub(1));
            let lbd = self.arena.lbd(clause);
            let size = self.arena.size(clause);
            let stays =
                size == 2 || lbd <= self.options.reduce_tier1 || used > 0 || self.is_reason(clause);
            if !stays {
                candidates.push((lbd, size as u32, clause));
            }
        }
        candidates.sort_by_key(|(lbd, size, _)| (*lbd, *size));
        let kept = candidates.len() * (100 - self.options.reduce_percent as usize) / 100;
        for (_, _, clause) in candidates.drain(..).skip(kept) {
            self.delete_clause(clause);
            self.stats.reduced += 1;
        }
        self.collect_if_worthwhile();
        let mut interval = u64::from(self.options.reduce_interval) * (self.stats.reductions + 1);
        if self.irredundant.len() > 100_000 {
            let factor = (self.irredundant.len() as f64 / 1e4).log10();
            interval = (interval as f64 * factor) as u64;
        }
        self.reductions.reduce_at = self.stats.conflicts + interval;
    }
}
