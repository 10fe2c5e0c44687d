//! The search: propagate, learn from conflicts, decide, until a model or a contradiction.
//!
//! A call keeps the levels it has in common with the last one, so that queries that share a prefix
//! of assumptions share its propagation. Nothing is allocated on the way and nothing is done for
//! all variables, so that a small query costs in proportion to what it touches.
//!
//! After MiniSat (Eén, Sörensson, SAT 2003).

use crate::arena::ClauseRef;
use crate::consult::{Progress, Verdict};
use crate::decide::Decision;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::{Answer, Solver};
use crate::state::Reason;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Looks for a model in which the assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.solve_query(assumptions, None, false)
    }

    /// Looks for a model in which the assumptions and `clause` hold; the clause is then forgotten.
    ///
    /// Nothing is left of the clause: what is learned meanwhile follows without it.
    pub fn solve_with_clause(&mut self, assumptions: &[Lit], clause: &[Lit]) -> Answer {
        self.solve_query(assumptions, Some(clause), false)
    }

    /// `solve` where clauses were added to what the last call found, whose assumptions were the same: decisions that
    /// these clauses leave stay, and the search goes on from there.
    pub fn resume(&mut self, assumptions: &[Lit]) -> Answer {
        let is_same = self.assumptions == assumptions && self.temporary.is_empty();
        self.solve_query(assumptions, None, is_same)
    }

    fn solve_query(
        &mut self,
        assumptions: &[Lit],
        clause: Option<&[Lit]>,
        is_resumed: bool,
    ) -> Answer {
        self.stats.solves += 1;
        self.begin(assumptions, clause.unwrap_or(&[]), is_resumed);
        self.trim_trace_if_due();
        let temporary = match (&mut self.trace, clause) {
            (Some(trace), Some(clause)) => trace.temporary(clause),
            _ => ClauseId::NONE,
        };
        let answer = if self.consistent && clause.is_some_and(<[Lit]>::is_empty) {
            self.conclusion = self.trace.is_some().then_some(temporary);
            Answer::Unsat
        } else {
            self.search(temporary)
        };
        if let (Some(trace), Some(_)) = (&mut self.trace, clause) {
            trace.delete(temporary.0);
        }
        if answer == Answer::Unsat && !self.consistent {
            self.conclusion = self.trace.is_some().then_some(self.simplifier.empty_clause);
        }
        if answer == Answer::Sat {
            self.extend_model();
        }
        self.settle_trace();
        answer
    }

    /// Prepares a query, keeping the levels that it shares with the last one, all if it is resumed.
    fn begin(&mut self, assumptions: &[Lit], clause: &[Lit], is_resumed: bool) {
        self.clear_failed();
        self.simplifier.forget_model();
        self.reactivate(assumptions);
        self.reactivate(clause);
        self.include_all(assumptions);
        self.include_all(clause);
        let pairs = self.assumptions.iter().zip(assumptions);
        let shared = pairs.take_while(|(old, new)| old == new).count() as u32;
        let kept = match self.options.reuse_trail != 0 {
            true if is_resumed => self.level(),
            true => shared.min(self.level()),
            false => 0,
        };
        self.stats.reused_levels += u64::from(kept);
        self.backtrack(kept);
        self.reduce_between_queries();
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.temporary.clear();
        self.temporary.extend_from_slice(clause);
        self.follow_list();
        self.vmtf.cool();
        self.definitions.rewind();
        self.phases.restart_targets();
        self.start_budget();
    }

    fn search(&mut self, temporary: ClauseId) -> Answer {
        while self.consistent {
            if let Some(conflict) = self.propagate_all() {
                self.resolve_conflict(conflict);
                continue;
            }
            if !self.consistent {
                break;
            }
            if self.is_exhausted() {
                return Answer::Unknown;
            }
            if self.maintain() {
                continue;
            }
            match self.decide_next() {
                Decision::Made => {}
                Decision::FailedAssumption(lit) => {
                    self.fail_assumption(lit);
                    return Answer::Unsat;
                }
                Decision::FailedTemporary => {
                    self.fail_temporary(temporary);
                    return Answer::Unsat;
                }
                Decision::Complete => match self.final_check() {
                    Verdict::Consistent => return Answer::Sat,
                    Verdict::Conflict(clause) => self.resolve_conflict(clause),
                    Verdict::GoOn => {}
                    Verdict::GiveUp => return Answer::Unknown,
                },
            }
        }
        Answer::Unsat
    }

    /// Propagates clauses and theory to the end.
    fn propagate_all(&mut self) -> Option<ClauseRef> {
        loop {
            let conflict = self.propagate();
            if !T::ACTIVE || conflict.is_some() || !self.consistent {
                return conflict;
            }
            match self.theory_propagate() {
                Progress::None => return None,
                Progress::Some => {}
                Progress::Conflict(clause) => return Some(clause),
            }
        }
    }

    /// Does what is due between decisions; whether the trail has to be propagated again.
    fn maintain(&mut self) -> bool {
        if self.is_restarting() {
            self.restart();
        } else if self.is_reducing() {
            self.reduce();
            return false;
        } else if self.is_rephasing() {
            self.rephase();
        } else if self.is_switching() {
            self.switch_mode();
        } else if self.is_simplifying() {
            self.inprocess();
        } else {
            return false;
        }
        true
    }

    /// Learns from a conflict and goes back.
    fn resolve_conflict(&mut self, conflict: ClauseRef) {
        self.stats.conflicts += 1;
        if self.level() == 0 {
            self.contradict_by(conflict);
            return;
        }
        if !self.face_conflict(conflict) {
            return;
        }
        let (jump, lbd) = self.analyze(conflict);
        self.bump_analyzed();
        self.restarts.learned(lbd);
        self.phases.agreed = if self.mode.is_stable() && !self.domain.is_restricted() {
            self.levels[self.level() as usize].start as usize
        } else {
            0
        };
        let id = self.derive_collected();
        self.clear_analysis();
        let level = self.backtrack_level(jump);
        self.stats.chrono += u64::from(level != jump);
        self.backtrack(level);
        if !self.domain.keeps_heap() {
            self.follow_scores();
        }
        self.learn(lbd, id, jump);
    }

    /// Stores `scratch.clause`, whose first literal it implies on `level`.
    pub(crate) fn learn(&mut self, lbd: u32, id: ClauseId, level: u32) {
        self.stats.learned += 1;
        let clause = std::mem::take(&mut self.scratch.clause);
        if let [unit] = clause[..] {
            self.fix(unit, id);
        } else {
            let used = if lbd <= self.options.reduce_tier2 { 2 } else { 1 };
            let stored = self.store(&clause, true, lbd, id);
            self.arena.set_used(stored, used);
            self.assign_on(clause[0], Reason::clause(stored), level);
        }
        self.scratch.clause = clause;
    }
}
