//! What is fixed on level 0 leaves the clauses.
//!
//! Satisfied clauses are deleted and false literals removed from the others. This needs one pass
//! over all clauses, so it is done only when something was fixed since the last time.

use crate::arena::ClauseRef;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Removes satisfied clauses and false literals; only on level 0, propagated.
    pub(crate) fn clean(&mut self) {
        debug_assert_eq!(self.level(), 0);
        if self.options.simplify == 0 || !self.consistent || self.simplifier.cleaned == self.fixed {
            return;
        }
        self.simplifier.cleaned = self.fixed;
        for index in 0..self.irredundant.len() {
            self.clean_clause(self.irredundant[index]);
        }
        for index in 0..self.learned.len() {
            self.clean_clause(self.learned[index]);
        }
        self.collect_if_worthwhile();
    }

    fn clean_clause(&mut self, clause: ClauseRef) {
        if self.arena.is_garbage(clause) {
            return;
        }
        let mut literals = std::mem::take(&mut self.scratch.literals);
        literals.clear();
        literals.extend(self.arena.literals(clause));
        if literals.iter().any(|lit| self.is_true(*lit)) {
            self.delete_clause(clause);
        } else if literals.iter().any(|lit| self.is_false(*lit)) {
            self.remove_fixed(&mut literals);
            let id = ClauseId(self.arena.id(clause));
            let shorter = self.derive_shorter(&literals, id);
            self.replace(clause, &literals, shorter);
        }
        self.scratch.literals = literals;
    }

    /// Replaces a clause by a shorter one of at least two literals, on level 0.
    pub(crate) fn replace(
        &mut self,
        clause: ClauseRef,
        literals: &[crate::literal::Lit],
        id: ClauseId,
    ) {
        if let Some(trace) = &mut self.trace {
            trace.delete(self.arena.id(clause));
        }
        self.touch(clause);
        let keeps_watches = literals.len() > 2
            && literals[..2] == [self.arena.literal(clause, 0), self.arena.literal(clause, 1)];
        if keeps_watches {
            self.arena.shrink(clause, literals, id.0);
            return;
        }
        self.watches.detach(&self.arena, clause);
        self.arena.shrink(clause, literals, id.0);
        self.watches.attach(&self.arena, clause);
    }
}
