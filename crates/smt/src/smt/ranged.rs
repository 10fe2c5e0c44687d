//! What ranges of words say, shown by the search itself.
//!
//! Where a question about words is not answered soon, the formulas that ranges give (`words/ranges.rs`) are refuted one after the other:
//! each is a step from those before, so that its negation contradicts itself after few conflicts, and what is learned on the way has the search
//! know it by unit propagation from then on. Nothing is added to the clauses, so there is nothing to prove but what the search
//! has a record of anyway. Where a formula is not refuted within its few conflicts, nothing is lost but these. Who counts conflicts is not
//! surprised by others: it is done where a question has as many as it likes.
//!
//! Invariant: the question is the same as before.

use alphorn_sat::{Answer, Budget, Lit};
use alphorn_term::{Store, TermId};

use super::Smt;
use crate::settings::{RANGES_AFTER, RANGES_CONFLICTS, RANGES_MAX_FAILURES};
use crate::theories::words::ranges;

impl Smt {
    /// Whether the clauses have a model in which the literals are true, with ranges of words where that takes long.
    pub(super) fn search_with_ranges(&mut self, store: &mut Store, lits: &[Lit]) -> Answer {
        let after = RANGES_AFTER.get();
        let own = self.kernel.search.budget();
        let theory = self.theory();
        let is_off = after == 0
            || !self.options.word_ranges
            || theory.words.is_empty()
            || !theory.quantifiers.is_empty()
            || self.kernel.is_partitioned
            || own.conflicts.is_some();
        if is_off {
            return self.search_for(store, lits);
        }
        let before = self.stats().conflicts;
        self.kernel.search.set_budget(Budget { conflicts: Some(after), ..own });
        let answer = self.search_for(store, lits);
        let spent = self.stats().conflicts - before;
        self.kernel.search.set_budget(own);
        if answer != Answer::Unknown || spent < after {
            return answer;
        }
        self.try_ranges(store, lits);
        self.search_for(store, lits)
    }

    /// Has the search refute the negations of what ranges say of the formulas in force, once.
    fn try_ranges(&mut self, store: &mut Store, lits: &[Lit]) {
        let formulas: Vec<TermId> = self.kernel.in_force().collect();
        if formulas == self.ranged {
            return;
        }
        let found = ranges::consequences(store, &formulas);
        self.ranged = formulas;
        let own = self.kernel.search.budget();
        let mut failures = 0;
        for formula in found {
            let lit = self.kernel.encoding(store).literal(formula);
            let mut assumed = lits.to_vec();
            assumed.push(!lit);
            let budget = Budget { conflicts: Some(RANGES_CONFLICTS.get()), ..own };
            self.kernel.search.set_budget(budget);
            let answer = self.solve_with_fuel(&assumed, false);
            if answer != Some(Answer::Unsat) {
                failures += 1;
            }
            // Without it the formulas contradict each other, which the question will tell.
            let is_over = answer == Some(Answer::Unsat) && !self.kernel.search.is_failed(!lit);
            if answer.is_none() || is_over || failures > RANGES_MAX_FAILURES.get() {
                break;
            }
        }
        self.kernel.search.set_budget(own);
    }
}
