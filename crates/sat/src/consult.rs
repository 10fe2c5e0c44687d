//! How the search asks its theory, and takes over what it gives (`theory.rs`).
//!
//! What is implied goes on the trail with the theory as its reason, which becomes a clause if conflict
//! analysis asks; a lemma is stored like a clause of the user, and the search goes back to where it says
//! something new.

use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::state::Reason;
use crate::theory::{Context, FinalCheck, Gifts, Theory};

/// What came of asking the theory.
pub(crate) enum Progress {
    None,
    Some,
    Conflict(ClauseRef),
}

/// What came of a complete assignment.
pub(crate) enum Verdict {
    Consistent,
    Conflict(ClauseRef),
    GoOn,
    GiveUp,
}

impl<T: Theory> Solver<T> {
    pub(crate) fn theory_new_level(&mut self) {
        self.inform_theory();
        self.theory.new_level();
    }

    pub(crate) fn theory_backtrack(&mut self, level: u32, length: usize) {
        self.theory_head = self.theory_head.min(length);
        self.theory.backtrack(level);
    }

    fn inform_theory(&mut self) {
        while self.theory_head < self.trail.len() {
            let lit = self.trail[self.theory_head];
            self.theory_head += 1;
            self.theory.assign(lit);
        }
    }

    fn ask<R>(&mut self, question: impl FnOnce(&mut T, &mut Context<'_>) -> R) -> (R, Gifts) {
        self.inform_theory();
        let mut gifts = std::mem::take(&mut self.gifts);
        gifts.clear();
        let phases = (&self.phases, self.mode.is_stable());
        let mut context = Context::new(&self.values, phases, &self.vmtf, &mut gifts);
        (question(&mut self.theory, &mut context), gifts)
    }

    /// Lets the theory propagate.
    pub(crate) fn theory_propagate(&mut self) -> Progress {
        let ((), gifts) = self.ask(|theory, context| theory.propagate(context));
        self.accept(gifts)
    }

    pub(crate) fn theory_decision(&mut self) -> Option<Lit> {
        let (lit, gifts) = self.ask(|theory, context| theory.decide(context));
        debug_assert!(gifts.implied.is_empty() && gifts.ends.is_empty(), "deciding gives nothing");
        self.gifts = gifts;
        lit.filter(|lit| self.is_open(*lit))
    }

    /// Asks the theory about a complete assignment.
    pub(crate) fn final_check(&mut self) -> Verdict {
        if !T::ACTIVE {
            return Verdict::Consistent;
        }
        let (check, gifts) = self.ask(|theory, context| theory.final_check(context));
        let fresh = gifts.fresh;
        match (self.accept(gifts), check) {
            (Progress::Conflict(clause), _) => Verdict::Conflict(clause),
            (Progress::Some, _) => Verdict::GoOn,
            (Progress::None, FinalCheck::Consistent) if fresh == 0 => Verdict::Consistent,
            (Progress::None, FinalCheck::Consistent) => Verdict::GoOn,
            (Progress::None, FinalCheck::GoOn) => Verdict::GoOn,
            (Progress::None, FinalCheck::Unknown) => Verdict::GiveUp,
        }
    }

    /// Takes over what a theory gave, and keeps the memory.
    fn accept(&mut self, mut gifts: Gifts) -> Progress {
        self.gifts.clause = std::mem::take(&mut gifts.clause);
        let progress = self.accept_all(&gifts);
        gifts.clause = std::mem::take(&mut self.gifts.clause);
        self.gifts = gifts;
        progress
    }

    fn accept_all(&mut self, gifts: &Gifts) -> Progress {
        for _ in 0..gifts.fresh {
            self.new_var();
        }
        let mut is_news = false;
        for &lit in &gifts.implied {
            if self.is_true(lit) {
                continue;
            }
            is_news = true;
            if self.is_false(lit) {
                let clause = self.explanation(lit);
                return self.face_lemma(clause);
            }
            self.assign(lit, Reason::THEORY);
        }
        let mut start = 0;
        for &end in &gifts.ends {
            if !self.consistent {
                break;
            }
            is_news = true;
            let lemma = &gifts.lemmas[start..end as usize];
            start = end as usize;
            if let Some(clause) = self.add_lemma(lemma) {
                let progress = self.face_lemma(clause);
                if matches!(progress, Progress::Conflict(_)) || !self.consistent {
                    return progress;
                }
            }
        }
        if is_news { Progress::Some } else { Progress::None }
    }

    /// Stores a lemma of at least two open or false literals; smaller ones take effect at once.
    fn add_lemma(&mut self, lemma: &[Lit]) -> Option<ClauseRef> {
        self.stats.lemmas += 1;
        self.reactivate(lemma);
        let id = match &mut self.trace {
            Some(trace) => trace.theory_lemma(lemma),
            None => ClauseId::NONE,
        };
        let mut literals = std::mem::take(&mut self.gifts.clause);
        literals.clear();
        literals.extend_from_slice(lemma);
        let stored = self.store_lemma(&mut literals, id);
        self.gifts.clause = literals;
        stored
    }

    fn store_lemma(&mut self, literals: &mut Vec<Lit>, id: ClauseId) -> Option<ClauseRef> {
        literals.sort_unstable();
        literals.dedup();
        let is_tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || literals.iter().any(|lit| self.fixed_value(*lit) == Some(true)) {
            return None;
        }
        let before = literals.len();
        self.remove_fixed(literals);
        let id = if literals.len() < before { self.derive_shorter(literals, id) } else { id };
        match literals[..] {
            [] => self.contradict(id),
            [unit] => self.add_unit(unit, id),
            _ => {
                self.latest_first(literals);
                return Some(self.store(literals, false, 0, id));
            }
        }
        None
    }

    /// Sorts true and open literals to the front, then false ones by descending level.
    fn latest_first(&self, literals: &mut [Lit]) {
        literals.sort_by_key(|lit| match self.is_false(*lit) {
            false => 0,
            true => u32::MAX - self.level_of(lit.var()),
        });
    }

    /// Goes back to where a clause, sorted by `latest_first`, is a conflict or implies a literal.
    fn face_lemma(&mut self, clause: ClauseRef) -> Progress {
        let (first, second) = (self.arena.literal(clause, 0), self.arena.literal(clause, 1));
        if !self.is_false(second) {
            return Progress::Some;
        }
        let (top, below) = (self.level_of(first.var()), self.level_of(second.var()));
        if self.is_true(first) {
            if top > below {
                self.backtrack(below);
                self.assign(first, Reason::clause(clause));
            }
            return Progress::Some;
        }
        if self.is_false(first) {
            self.backtrack(top);
            if top == below {
                return Progress::Conflict(clause);
            }
        }
        self.backtrack(below);
        self.assign(first, Reason::clause(clause));
        Progress::Some
    }

    /// Replaces the theory as the reason of `var` by a clause.
    pub(crate) fn explain(&mut self, var: Var) -> ClauseRef {
        let lit = self.trail[self.assigned[var.index()].trail as usize];
        let clause = self.explanation(lit);
        self.assigned[var.index()].reason = Reason::clause(clause);
        clause
    }

    /// The theory's reason for `lit`, as a clause that only lives while it is needed.
    fn explanation(&mut self, lit: Lit) -> ClauseRef {
        let mut literals = std::mem::take(&mut self.gifts.clause);
        literals.clear();
        self.theory.explain(lit, &mut literals);
        debug_assert!(literals.iter().all(|other| self.is_false(*other)), "reasons are false");
        literals.push(lit);
        let id = match &mut self.trace {
            Some(trace) => trace.theory_lemma(&literals),
            None => ClauseId::NONE,
        };
        self.latest_first(&mut literals);
        if literals.len() == 1 {
            // Two literals are what everything else expects; repeating one is sound.
            literals.push(literals[0]);
        }
        let clause = self.arena.add(&literals, false, 0, id.0);
        self.arena.delete(clause);
        self.gifts.clause = literals;
        clause
    }
}
