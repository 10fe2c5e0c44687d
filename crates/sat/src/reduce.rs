//! Forgetting learned clauses, in three tiers by LBD.
//!
//! Clauses of the first tier (LBD at most 2) stay for good; those of the second (at most 6) while
//! they were used since the reduction before last; of the others that were not used since the last
//! reduction, three quarters go, those of large LBD and size first. Intervals grow linearly.
//!
//! Many small queries learn much that serves one of them only and is in the way of all others; if asked
//! to, a solver forgets half of it between queries whenever it grows out of proportion.
//!
//! After Audemard, Simon (IJCAI 2009), Oh (SAT 2015), CaDiCaL (Biere, 2018).

use crate::arena::ClauseRef;
use crate::solver::Solver;
use crate::state::Reason;
use crate::theory::Theory;

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

    /// Forgets most of what earlier queries in domains have learned, if that is much beside the formula.
    pub(crate) fn reduce_between_queries(&mut self) {
        let (share, count) = (self.options.reduce_between as usize, self.learned.len());
        if share == 0
            || !self.domain.is_restricted()
            || count * share <= self.irredundant.len()
            || count <= 2 * self.reductions.left
        {
            return;
        }
        self.stats.reductions += 1;
        let mut candidates = Vec::new();
        for (age, clause) in self.learned.iter().rev().enumerate() {
            let stays = self.arena.is_garbage(*clause)
                || self.arena.size(*clause) == 2
                || self.is_reason(*clause);
            if !stays {
                let unused = 2 - self.arena.used(*clause).min(2);
                candidates.push((unused, self.arena.lbd(*clause), age, *clause));
            }
        }
        candidates.sort_unstable_by_key(|(unused, lbd, age, _)| (*unused, *lbd, *age));
        let kept = candidates.len() / 2;
        for (place, (_, _, _, clause)) in candidates.into_iter().enumerate() {
            if place < kept {
                let used = self.arena.used(clause);
                self.arena.set_used(clause, used.saturating_sub(1));
            } else {
                self.delete_clause(clause);
                self.stats.reduced += 1;
            }
        }
        let Solver { learned, arena, .. } = self;
        learned.retain(|clause| !arena.is_garbage(*clause));
        self.reductions.left = self.learned.len();
        self.collect_if_worthwhile();
    }
}
