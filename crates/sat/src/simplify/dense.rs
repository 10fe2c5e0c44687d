//! Occurrence lists instead of watches, for techniques that look at all clauses of a literal.
//!
//! Entering drops all watches and lists the clauses of the formula under each of their literals.
//! Literals found true meanwhile are fixed at once and propagated only on leaving, when every clause
//! is cleaned until nothing more is fixed, and watched again. Learned clauses are not listed; those
//! that mention variables taken out are deleted on leaving.
//!
//! A variable is tried anew only after one of its clauses went or was shortened, and a clause is compared with
//! others only while it is fresh: both are remembered from one round to the next, so that a round costs what
//! has changed.

use super::occurrences::Occurrences;
use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Subsumption and variable elimination, each within `budget` ticks; on level 0.
    pub(crate) fn simplify_densely(&mut self, budget: u64) {
        let is_same = self.simplifier.eliminated_at == self.formula_state();
        if !self.consistent || is_same || !self.has_work_for_lists() {
            return;
        }
        self.hold_query(true);
        let mut occurrences = self.enter_dense();
        if self.options.subsume != 0 {
            self.subsume(&mut occurrences, budget);
        }
        if self.options.eliminate != 0 {
            self.eliminate(&mut occurrences, budget);
        }
        self.leave_dense();
        self.hold_query(false);
        self.simplifier.eliminated_at = self.formula_state();
    }

    /// What is fixed, how many clauses the formula has, and how many were shortened otherwise: while
    /// this stays, there is nothing to find.
    fn formula_state(&self) -> (usize, usize, u64) {
        let shortened = self.stats.shortened + self.stats.forward_shortened;
        (self.fixed, self.irredundant.len(), shortened)
    }

    /// Whether a variable is worth trying again or a clause was not compared yet.
    fn has_work_for_lists(&self) -> bool {
        let is_due = |var: Var| self.simplifier.touched[var.index()] && self.may_be_taken_out(var);
        let is_fresh =
            |clause: &ClauseRef| !self.arena.is_garbage(*clause) && !self.arena.is_tried(*clause);
        self.options.eliminate != 0 && (0..self.variables()).map(Var).any(is_due)
            || self.options.subsume != 0 && self.irredundant.iter().any(is_fresh)
    }

    fn enter_dense(&mut self) -> Occurrences {
        self.simplifier.is_dense = true;
        self.watches.lists.iter_mut().for_each(Vec::clear);
        self.irredundant.retain(|clause| !self.arena.is_garbage(*clause));
        self.learned.retain(|clause| !self.arena.is_garbage(*clause));
        let mut lengths = vec![0u32; self.values.len()];
        for &clause in &self.irredundant {
            self.arena.literals(clause).for_each(|lit| lengths[lit.index()] += 1);
        }
        let mut occurrences = Occurrences::with_room(&lengths);
        occurrences.made_from = self.arena.words.len() as u32;
        // A clause can only subsume a fresh one if fresh clauses mention all of its variables.
        let mut is_fresh = vec![false; self.variables() as usize];
        for &clause in &self.irredundant {
            occurrences.add(clause, self.arena.literals(clause));
            if !self.arena.is_tried(clause) {
                self.arena.literals(clause).for_each(|lit| is_fresh[lit.var().index()] = true);
            }
        }
        let Solver { irredundant, arena, .. } = self;
        let may_subsume =
            |clause: &&ClauseRef| arena.literals(**clause).all(|lit| is_fresh[lit.var().index()]);
        occurrences.queue.extend(irredundant.iter().filter(may_subsume));
        occurrences
    }

    /// Adds a derived clause of the formula; a unit is fixed.
    pub(crate) fn add_densely(
        &mut self,
        literals: &[Lit],
        id: ClauseId,
        occurrences: &mut Occurrences,
    ) {
        match literals {
            [] => self.contradict(id),
            [unit] => self.fix_densely(*unit, id),
            _ => {
                let clause = self.arena.add(literals, false, 0, id.0);
                self.irredundant.push(clause);
                if self.groups.is_used() {
                    self.groups.note(literals, clause, false);
                }
                occurrences.add(clause, literals.iter().copied());
                occurrences.queue.push(clause);
            }
        }
    }

    /// Fixes the literal of a unit clause, if it is open.
    pub(crate) fn fix_densely(&mut self, lit: Lit, id: ClauseId) {
        if self.is_open(lit) {
            self.fix(lit, id);
            self.fix_units();
        } else if self.is_false(lit) {
            let unit = self.trace.is_some().then(|| self.unit_ids[lit.var().index()]);
            let empty = match &mut self.trace {
                Some(trace) => trace.derive(&[], unit.into_iter().chain([id])),
                None => ClauseId::NONE,
            };
            self.contradict(empty);
        }
    }

    /// Replaces the literals of a listed clause by fewer ones.
    pub(crate) fn shorten_densely(
        &mut self,
        clause: ClauseRef,
        literals: &[Lit],
        id: ClauseId,
        occurrences: &mut Occurrences,
    ) {
        if literals.len() < 2 {
            self.delete_clause(clause);
            self.add_densely(literals, id, occurrences);
            return;
        }
        if let Some(trace) = &mut self.trace {
            trace.delete(self.arena.id(clause));
        }
        self.touch(clause);
        self.arena.shrink(clause, literals, id.0);
        occurrences.queue.push(clause);
    }

    fn leave_dense(&mut self) {
        for index in 0..self.learned.len() {
            let clause = self.learned[index];
            let mentions = |var: Var| !self.simplifier.is_active(var);
            if self.arena.literals(clause).any(|lit| mentions(lit.var())) {
                self.delete_clause(clause);
            }
        }
        // Cleaning can fix literals, which makes more to clean.
        let mut cleaned = usize::MAX;
        while self.consistent && cleaned != self.trail.len() {
            cleaned = self.trail.len();
            for index in 0..self.irredundant.len() {
                self.clean_densely(self.irredundant[index]);
            }
            for index in 0..self.learned.len() {
                self.clean_densely(self.learned[index]);
            }
        }
        self.irredundant.retain(|clause| !self.arena.is_garbage(*clause));
        self.learned.retain(|clause| !self.arena.is_garbage(*clause));
        self.simplifier.is_dense = false;
        self.simplifier.cleaned = self.fixed;
        self.head = self.trail.len();
        for &clause in self.irredundant.iter().chain(&self.learned) {
            if self.consistent {
                self.watches.attach(&self.arena, clause);
            }
        }
        self.collect_if_worthwhile();
    }

    fn clean_densely(&mut self, clause: ClauseRef) {
        if !self.consistent || self.arena.is_garbage(clause) {
            return;
        }
        if self.arena.literals(clause).all(|lit| self.is_open(lit)) {
            return;
        }
        let mut literals: Vec<Lit> = self.arena.literals(clause).collect();
        if literals.iter().any(|lit| self.is_true(*lit)) {
            self.delete_clause(clause);
            return;
        }
        let before = literals.len();
        self.remove_fixed(&mut literals);
        if literals.len() == before {
            return;
        }
        let id = self.derive_shorter(&literals, ClauseId(self.arena.id(clause)));
        match literals[..] {
            [] => self.contradict(id),
            [unit] => {
                self.delete_clause(clause);
                self.fix_densely(unit, id);
            }
            _ => {
                if let Some(trace) = &mut self.trace {
                    trace.delete(self.arena.id(clause));
                }
                self.touch(clause);
                self.arena.shrink(clause, &literals, id.0);
            }
        }
    }
}
