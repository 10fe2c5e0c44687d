//! Which assumptions an answer needs.
//!
//! When an assumption is found false, or all literals of the temporary clause are, the reasons are
//! followed back to the assumptions that were decided. Their negations, with that of the false
//! assumption, form a clause that follows from the others; the proof gets it as its conclusion.
//!
//! After Eén, Sörensson, "Temporal Induction by Incremental SAT Solving" (2003).

use crate::analyze::SETTLED;
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Forgets the failed assumptions of the last answer.
    pub(crate) fn clear_failed(&mut self) {
        for lit in self.failed.drain(..) {
            self.failed_marks[lit.index()] = false;
        }
        self.conclusion = None;
    }

    fn add_failed(&mut self, assumption: Lit) {
        if !self.failed_marks[assumption.index()] {
            self.failed_marks[assumption.index()] = true;
            self.failed.push(assumption);
        }
    }

    /// Finds the assumptions that make the assumption `lit` false.
    pub(crate) fn fail_assumption(&mut self, lit: Lit) {
        self.add_failed(lit);
        let place = self.assigned[lit.var().index()];
        if place.level == 0 {
            self.conclusion = self.trace.is_some().then(|| self.unit_ids[lit.var().index()]);
            return;
        }
        if self.trace.is_none() {
            self.follow_reasons(lit);
            return;
        }
        self.follow_reasons(lit);
        if !self.is_failed(!lit) {
            self.conclude();
        } else {
            self.drop_collected();
        }
    }

    /// Finds the assumptions that make all literals of the temporary clause false.
    pub(crate) fn fail_temporary(&mut self, id: ClauseId) {
        for index in 0..self.temporary.len() {
            self.follow_reasons(!self.temporary[index]);
        }
        if self.trace.is_some() {
            self.scratch.chain.push((u32::MAX, id));
            self.conclude();
        }
    }

    /// Collects the assumptions behind the value of `lit`, and the hints if there is a proof.
    fn follow_reasons(&mut self, lit: Lit) {
        let mut decisions = std::mem::take(&mut self.scratch.literals);
        decisions.clear();
        self.trace_back(lit.var(), &mut decisions);
        for lit in decisions.drain(..) {
            self.add_failed(lit);
        }
        self.scratch.literals = decisions;
        if self.trace.is_none() {
            self.clear_marks();
        }
    }

    /// Collects the decisions behind the value of `var` that are not settled, and the hints if there
    /// is a proof; marks stay until `clear_marks`.
    pub(crate) fn trace_back(&mut self, var: Var, decisions: &mut Vec<Lit>) {
        let has_trace = self.trace.is_some();
        self.scratch.stack.push(var);
        while let Some(var) = self.scratch.stack.pop() {
            if self.scratch.marks[var.index()] & SETTLED != 0 {
                continue;
            }
            self.scratch.marks[var.index()] |= SETTLED;
            self.scratch.minimized.push(var);
            let place = self.assigned[var.index()];
            if place.level == 0 {
                if has_trace {
                    self.scratch.units.push(self.unit_ids[var.index()]);
                }
                continue;
            }
            match self.reason_clause(var) {
                None => decisions.push(self.trail[place.trail as usize]),
                Some(reason) => {
                    let Solver { arena, scratch, .. } = self;
                    if has_trace {
                        scratch.chain.push((place.trail, ClauseId(arena.id(reason))));
                    }
                    scratch.stack.extend(arena.literals(reason).map(Lit::var));
                }
            }
        }
    }

    fn conclude(&mut self) {
        self.scratch.clause.clear();
        self.scratch.clause.extend(self.failed.iter().map(|lit| !*lit));
        self.conclusion = Some(self.derive_collected());
        self.clear_marks();
    }

    pub(crate) fn drop_collected(&mut self) {
        self.scratch.chain.clear();
        self.scratch.units.clear();
        self.clear_marks();
    }

    pub(crate) fn clear_marks(&mut self) {
        for var in self.scratch.minimized.drain(..) {
            self.scratch.marks[var.index()] = 0;
        }
    }
}
