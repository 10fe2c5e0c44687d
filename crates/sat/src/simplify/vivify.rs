//! Shorter clauses by propagation: vivification.
//!
//! The negations of a clause's literals are decided one after the other while the clause itself is
//! ignored. A conflict, or a literal of the clause implied true, shows that the decisions behind it
//! suffice; a literal implied false can go. Literals that occur often are decided first and clauses
//! with common beginnings follow each other, so that decisions are shared. A learned clause that
//! the others imply without getting shorter is deleted.
//!
//! After Piette, Hamadi, Saïs (ECAI 2008), Luo et al. (IJCAI 2017), Li et al. (AIJ 2020).

use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::{Reason, Solver};
use crate::theory::Theory;

/// Longer clauses are rarely worth the propagation.
const LONGEST: usize = 100;

/// What propagating a clause's negation has shown.
enum Outcome {
    /// This clause became false.
    Conflict(ClauseRef),
    /// This literal of the clause became true.
    Implied(Lit),
    /// Neither; some literals may have become false.
    Open,
}

impl<T: Theory> Solver<T> {
    /// Vivifies learned clauses of low LBD, within `budget` ticks; on level 0.
    pub(crate) fn vivify(&mut self, budget: u64) {
        if !self.consistent {
            return;
        }
        let end = self.stats.ticks + budget;
        let counts = self.count_occurrences();
        let mut schedule = self.vivify_schedule(&counts);
        while let Some((clause, literals)) = schedule.pop() {
            if self.stats.ticks > end || !self.consistent {
                break;
            }
            if !self.arena.is_garbage(clause) {
                self.vivify_clause(clause, &literals);
            }
        }
        self.backtrack(0);
    }

    fn count_occurrences(&self) -> Vec<u32> {
        let mut counts = vec![0; self.values.len()];
        for &clause in self.irredundant.iter().chain(&self.learned) {
            if !self.arena.is_garbage(clause) {
                self.arena.literals(clause).for_each(|lit| counts[lit.index()] += 1);
            }
        }
        counts
    }

    /// The clauses to try with their literals in order of decision; the last one comes first.
    fn vivify_schedule(&mut self, counts: &[u32]) -> Vec<(ClauseRef, Vec<Lit>)> {
        let candidates: Vec<ClauseRef> = self
            .learned
            .iter()
            .copied()
            .filter(|clause| {
                let size = self.arena.size(*clause);
                !self.arena.is_garbage(*clause)
                    && (3..=LONGEST).contains(&size)
                    && self.arena.lbd(*clause) <= self.options.reduce_tier2
            })
            .collect();
        let fresh = candidates.iter().filter(|clause| !self.arena.is_vivified(**clause)).count();
        let mut schedule = Vec::new();
        for clause in candidates {
            if fresh > 0 && self.arena.is_vivified(clause) {
                continue;
            }
            let mut literals: Vec<Lit> = self.arena.literals(clause).collect();
            literals.sort_unstable_by_key(|lit| (u32::MAX - counts[lit.index()], *lit));
            schedule.push((clause, literals));
        }
        let key = |lit: &Lit| (counts[lit.index()], u32::MAX - lit.code());
        schedule.sort_by(|(_, a), (_, b)| a.iter().map(key).cmp(b.iter().map(key)));
        schedule
    }

    fn vivify_clause(&mut self, clause: ClauseRef, literals: &[Lit]) {
        self.stats.vivified += 1;
        self.arena.set_vivified(clause, true);
        if literals.iter().any(|lit| self.fixed_value(*lit) == Some(true)) {
            self.backtrack(0);
            self.delete_clause(clause);
            return;
        }
        self.share_decisions(clause, literals);
        let outcome = self.decide_negations(clause, literals);
        let mut decisions = Vec::new();
        let mut shorter = Vec::new();
        match outcome {
            Outcome::Conflict(conflict) => {
                for position in 0..self.arena.size(conflict) {
                    let var = self.arena.literal(conflict, position).var();
                    self.trace_back(var, &mut decisions);
                }
                self.note_hint(conflict);
            }
            Outcome::Implied(lit) => {
                self.trace_back(lit.var(), &mut decisions);
                shorter.push(lit);
            }
            Outcome::Open => {
                for lit in literals {
                    let place = self.assigned[lit.var().index()];
                    let is_decided = place.level > 0 && place.reason == Reason::NONE;
                    if self.is_false(*lit) && !is_decided {
                        self.trace_back(lit.var(), &mut Vec::new());
                    } else {
                        shorter.push(*lit);
                    }
                }
                self.note_hint(clause);
            }
        }
        shorter.extend(decisions.iter().map(|lit| !*lit));
        self.conclude_vivification(clause, &shorter, &outcome);
    }

    /// Goes back to the decisions that the clause shares with the last one.
    fn share_decisions(&mut self, clause: ClauseRef, literals: &[Lit]) {
        let wanted = literals.iter().filter(|lit| self.fixed_value(**lit).is_none());
        let shared = self.levels[1..].iter().zip(wanted);
        let kept = shared.take_while(|(level, lit)| level.decision == !**lit).count() as u32;
        self.backtrack(kept);
        // What the clause itself implied must not count for it.
        for position in 0..2 {
            let lit = self.arena.literal(clause, position);
            let place = self.assigned[lit.var().index()];
            if self.is_true(lit) && place.reason.as_clause() == Some(clause) {
                self.backtrack(place.level - 1);
            }
        }
    }

    fn decide_negations(&mut self, clause: ClauseRef, literals: &[Lit]) -> Outcome {
        for &lit in literals {
            if self.is_true(lit) {
                return Outcome::Implied(lit);
            }
            if self.is_false(lit) {
                continue;
            }
            self.decide(!lit);
            if let Some(conflict) = self.propagate_without(clause) {
                return Outcome::Conflict(conflict);
            }
        }
        Outcome::Open
    }

    fn note_hint(&mut self, clause: ClauseRef) {
        if self.trace.is_some() {
            self.scratch.chain.push((u32::MAX, ClauseId(self.arena.id(clause))));
        }
    }

    fn conclude_vivification(&mut self, clause: ClauseRef, shorter: &[Lit], outcome: &Outcome) {
        let size = self.arena.size(clause);
        if shorter.len() >= size {
            self.drop_collected();
            match outcome {
                Outcome::Implied(_) if self.arena.is_learned(clause) => {
                    self.stats.implied += 1;
                    self.backtrack(0);
                    self.delete_clause(clause);
                }
                // The last level is half propagated and must not be shared.
                Outcome::Conflict(_) => self.backtrack(self.level() - 1),
                _ => {}
            }
            return;
        }
        self.stats.strengthened += 1;
        self.scratch.clause.clear();
        self.scratch.clause.extend_from_slice(shorter);
        let id = self.derive_collected();
        self.clear_marks();
        self.backtrack(0);
        if let [unit] = shorter[..] {
            self.delete_clause(clause);
            self.add_unit(unit, id);
        } else {
            self.replace(clause, shorter, id);
            self.arena.set_vivified(clause, false);
        }
    }
}
