//! Shorter clauses by propagation: vivification.
//!
//! The negations of a clause's literals are decided one after the other while the clause itself is
//! ignored. A conflict, or a literal of the clause implied true, shows that the decisions behind it
//! suffice; a literal implied false can go. Literals that occur often are decided first and clauses
//! with common beginnings follow each other, so that decisions are shared. A learned clause that
//! the others imply without getting shorter is deleted. A clause of the formula in that place
//! stays: what implies it may be learned, and learned clauses come and go.
//!
//! Learned clauses come first and have most of the budget; the formula's clauses are tried in turn,
//! each once before any a second time.
//!
//! After Piette, Hamadi, Saïs (ECAI 2008), Luo et al. (IJCAI 2017); the formula's clauses after Li
//! et al. (AIJ 2020).

use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::state::Reason;
use crate::theory::Theory;

/// Longer clauses are rarely worth the propagation.
const LONGEST: usize = 100;
/// Fewest ticks that trying a clause takes, for telling how many are worth scheduling.
const TICKS_PER_CLAUSE: u64 = 4;
/// The share of the budget that goes to the formula's clauses.
const FORMULA_SHARE: u64 = 4;

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
    /// Vivifies learned clauses of low LBD, and clauses of the formula, within `budget` ticks; on
    /// level 0.
    pub(crate) fn vivify(&mut self, budget: u64) {
        let for_formula = match self.options.vivify_irredundant {
            0 => 0,
            _ => budget / FORMULA_SHARE,
        };
        self.vivify_some(true, budget - for_formula);
        if for_formula > 0 {
            self.vivify_some(false, for_formula);
        }
    }

    fn vivify_some(&mut self, learned: bool, budget: u64) {
        if !self.consistent {
            return;
        }
        let end = self.stats.ticks + budget;
        let most = (budget / TICKS_PER_CLAUSE) as usize;
        let candidates =
            if learned { self.learned_candidates() } else { self.formula_candidates(most) };
        let counts = self.count_occurrences();
        let mut schedule = self.vivify_schedule(&candidates, &counts);
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

    fn is_candidate(&self, clause: ClauseRef) -> bool {
        !self.arena.is_garbage(clause) && (3..=LONGEST).contains(&self.arena.size(clause))
    }

    /// The learned clauses of low LBD: those not tried yet if there are any, else all.
    fn learned_candidates(&self) -> Vec<ClauseRef> {
        let is_good = |clause: &ClauseRef| {
            self.is_candidate(*clause) && self.arena.lbd(*clause) <= self.options.reduce_tier2
        };
        let mut candidates: Vec<ClauseRef> = self.learned.iter().copied().filter(is_good).collect();
        if candidates.iter().any(|clause| !self.arena.is_vivified(*clause)) {
            candidates.retain(|clause| !self.arena.is_vivified(*clause));
        }
        candidates
    }

    /// At most `most` clauses of the formula that were not tried in this turn.
    fn formula_candidates(&mut self, most: usize) -> Vec<ClauseRef> {
        let is_due = |solver: &Solver<T>, clause: &ClauseRef| {
            solver.is_candidate(*clause) && !solver.arena.is_vivified(*clause)
        };
        if !self.irredundant.iter().any(|clause| is_due(self, clause)) {
            for index in 0..self.irredundant.len() {
                self.arena.set_vivified(self.irredundant[index], false);
            }
        }
        let due = self.irredundant.iter().copied().filter(|clause| is_due(self, clause));
        due.take(most).collect()
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

    /// The clauses with their literals in order of decision; the last one comes first.
    fn vivify_schedule(
        &self,
        candidates: &[ClauseRef],
        counts: &[u32],
    ) -> Vec<(ClauseRef, Vec<Lit>)> {
        let mut schedule = Vec::with_capacity(candidates.len());
        for &clause in candidates {
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
        match self.arena.is_learned(clause) {
            true => self.stats.strengthened += 1,
            false => self.stats.shortened += 1,
        }
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
