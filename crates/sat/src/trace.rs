//! What the solver does with its proof as a whole: dropping what nothing depends on, and giving it up.
//!
//! What stays, and why that is safe, is in `proof/live.rs`.

use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Whether a proof is recorded that says how clauses follow.
    #[inline]
    pub(crate) fn has_hints(&self) -> bool {
        self.trace.as_ref().is_some_and(|trace| trace.has_hints())
    }

    /// Drops from the proof what nothing depends on any more; see `Trace::is_dropped`.
    ///
    /// The user's clauses and what the conclusion of the last answer follows from stay, under their
    /// numbers. Conclusions of earlier answers may go. A proof without hints does not tell what depends
    /// on what, and stays as it is.
    pub fn trim_trace(&mut self) {
        self.settle_trace();
        if !self.has_hints() {
            return;
        }
        let Some(mut trace) = self.trace.take() else { return };
        let mut needed = vec![false; trace.len() as usize + 1];
        let mut need = |id: ClauseId| needed[id.0 as usize] = true;
        for clause in self.irredundant.iter().chain(&self.learned) {
            if !self.arena.is_garbage(*clause) {
                need(ClauseId(self.arena.id(*clause)));
            }
        }
        for lit in &self.trail {
            need(self.unit_ids[lit.var().index()]);
            if let Some(clause) = self.assigned[lit.var().index()].reason.as_clause() {
                need(ClauseId(self.arena.id(clause)));
            }
        }
        self.simplifier.stack.ids().for_each(&mut need);
        need(self.simplifier.empty_clause);
        need(trace.temporary);
        need(self.conclusion.unwrap_or(ClauseId::NONE));
        trace.retain(needed);
        self.trace = Some(trace);
        self.stats.trimmed += 1;
    }

    /// Trims the proof if the options say so and it has grown enough.
    pub(crate) fn trim_trace_if_due(&mut self) {
        let fewest = 1000 * u64::from(self.options.proof_trim);
        if fewest > 0 && self.trace.as_ref().is_some_and(|trace| trace.is_trim_due(fewest)) {
            self.trim_trace();
        }
    }

    /// Whether the proof was given up because it outgrew its limit.
    pub fn is_proof_lost(&self) -> bool {
        self.stats.lost_proofs > 0 || self.trace.as_ref().is_some_and(|trace| trace.is_lost)
    }

    /// Leaves the proof behind if it was given up; only where no hints are being collected.
    #[inline]
    pub(crate) fn settle_trace(&mut self) {
        if self.trace.as_ref().is_some_and(|trace| trace.is_lost) {
            self.trace = None;
            self.conclusion = None;
            self.simplifier.empty_clause = ClauseId::NONE;
            self.stats.lost_proofs += 1;
        }
    }
}
