//! Clauses that come and go together.
//!
//! The clauses of a group carry the negation of its activation literal: they hold while the literal
//! is assumed. So does every clause learned from them, and these are noted too; releasing the group
//! deletes all of them, after which the variable is as good as unused and serves the next group.
//! Nothing is left behind, unless the activation literal was refuted for good: then the variable is
//! fixed and cannot be used again.

use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::state::{Group, Groups, NONE};
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// An empty group.
    pub fn new_group(&mut self) -> Group {
        let var = match self.groups.free.pop() {
            Some(var) => var,
            None => self.new_var(),
        };
        let groups = &mut self.groups;
        let index = groups.unused.pop().unwrap_or_else(|| {
            groups.clauses.push(Vec::new());
            groups.learned.push(Vec::new());
            groups.activations.push(var.positive());
            groups.clauses.len() as u32 - 1
        });
        groups.activations[index as usize] = var.positive();
        groups.of_var[var.index()] = index;
        groups.live += 1;
        self.freeze(var);
        self.set_phase(var.negative());
        Group(var)
    }

    /// Adds a clause to a group.
    ///
    /// Returns the clause's number in the proof, if one is recorded.
    pub fn add_to_group(&mut self, group: Group, literals: &[Lit]) -> Option<ClauseId> {
        debug_assert!(self.groups.is_activation(group.0), "the group was not released");
        let mut clause = literals.to_vec();
        clause.push(!group.lit());
        self.add_clause_in(&clause, 0)
    }

    /// Deletes one clause of a group, if it is stored as it was given; what was learned from it stays,
    /// so the caller knows that the clause follows from others that hold with the group.
    pub fn remove_from_group(&mut self, group: Group, literals: &[Lit]) -> bool {
        let index = self.groups.of_var[group.0.index()];
        if index == NONE {
            return false;
        }
        let mut wanted = literals.to_vec();
        wanted.push(!group.lit());
        let list = &self.groups.clauses[index as usize];
        let is_it = |clause: &ClauseRef| {
            !self.arena.is_garbage(*clause)
                && self.arena.size(*clause) == wanted.len()
                && self.arena.literals(*clause).all(|lit| wanted.contains(&lit))
        };
        let Some(position) = list.iter().position(is_it) else { return false };
        self.backtrack(0);
        let clause = self.groups.clauses[index as usize].swap_remove(position);
        self.delete_clause(clause);
        self.collect_if_worthwhile();
        true
    }

    /// Deletes the clauses of a group and what was learned from them.
    pub fn release_group(&mut self, group: Group) {
        let var = group.0;
        let index = std::mem::replace(&mut self.groups.of_var[var.index()], NONE);
        debug_assert!(index != NONE, "a group is released once");
        if index == NONE {
            return;
        }
        if !self.is_open(group.lit()) {
            self.backtrack(self.level_of(var).saturating_sub(1));
        }
        for is_learned in [false, true] {
            self.delete_listed(index as usize, is_learned);
        }
        self.groups.unused.push(index);
        self.groups.live -= 1;
        self.melt(var);
        self.reset_phase(var);
        if self.fixed_value(group.lit()).is_none() && self.consistent {
            self.evsids.reset(var);
            self.groups.free.push(var);
            if let Some(trace) = &mut self.trace {
                trace.retire(group.lit());
            }
        }
        self.collect_if_worthwhile();
    }

    fn delete_listed(&mut self, group: usize, is_learned: bool) {
        let list = |groups: &mut Groups| match is_learned {
            false => std::mem::take(&mut groups.clauses[group]),
            true => std::mem::take(&mut groups.learned[group]),
        };
        let mut clauses = list(&mut self.groups);
        for clause in clauses.drain(..) {
            if !self.arena.is_garbage(clause) {
                self.delete_clause(clause);
            }
        }
        let lists = &mut self.groups;
        if is_learned { lists.learned[group] = clauses } else { lists.clauses[group] = clauses }
    }
}
