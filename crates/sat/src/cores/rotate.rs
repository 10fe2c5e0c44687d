//! Model rotation: one model shows many groups to be necessary.
//!
//! A model of all groups but one shows that this one is necessary. Flip a variable of a clause that
//! it falsifies: if the only falsified clauses are then those of one other group, that group is
//! necessary as well, and rotation goes on from it. Each step costs the occurrences of a variable
//! instead of a query.
//!
//! Invariant: `satisfied` counts the true literals of each watched clause under `values`; `broken`
//! counts the falsified clauses of each group, and of the hard clauses at its end; `broken_groups`
//! and `broken_sum` are the number of groups in question with a falsified clause and the sum of
//! their numbers, so that a single one is known at once.
//!
//! After Belov, Marques-Silva, "Accelerating MUS Extraction with Recursive Model Rotation" (FMCAD
//! 2011), for groups.

use super::Grouped;
use crate::literal::{Lit, Var};

/// An assignment, and which clauses it falsifies.
pub(super) struct Rotation<'a> {
    formula: &'a Grouped,
    /// Positions of the clauses in which a literal occurs, from `starts` of its code on.
    occurrences: Vec<u32>,
    starts: Vec<usize>,
    /// The clauses of each group.
    members: Vec<Vec<u32>>,
    values: Vec<bool>,
    satisfied: Vec<u32>,
    broken: Vec<u32>,
    broken_groups: usize,
    broken_sum: usize,
    /// Whether a group is still in question; hard clauses always are.
    is_live: Vec<bool>,
}

/// A necessary group, and the variables to flip in search of others.
struct Frame {
    /// The variable whose flip led here.
    flipped: Option<Var>,
    variables: Vec<Var>,
}

impl<'a> Rotation<'a> {
    /// Watches the hard clauses and those of the active groups.
    pub(super) fn new(formula: &'a Grouped, is_active: &[bool]) -> Rotation<'a> {
        let hard = formula.groups();
        let mut is_live = is_active.to_vec();
        is_live.push(true);
        let mut members = vec![Vec::new(); hard + 1];
        let mut starts = vec![0; 2 * formula.variables() + 1];
        let is_watched = |index: usize| is_live[formula.group_of(index).unwrap_or(hard)];
        for index in (0..formula.len()).filter(|index| is_watched(*index)) {
            members[formula.group_of(index).unwrap_or(hard)].push(index as u32);
            formula.clause(index).iter().for_each(|lit| starts[lit.index() + 1] += 1);
        }
        for code in 1..starts.len() {
            starts[code] += starts[code - 1];
        }
        let mut occurrences = vec![0; starts.last().copied().unwrap_or(0)];
        let mut place = starts.clone();
        for index in (0..formula.len()).filter(|index| is_watched(*index)) {
            for lit in formula.clause(index) {
                occurrences[place[lit.index()]] = index as u32;
                place[lit.index()] += 1;
            }
        }
        let mut rotation = Rotation {
            formula,
            occurrences,
            starts,
            members,
            values: vec![false; formula.variables()],
            satisfied: vec![0; formula.len()],
            broken: vec![0; hard + 1],
            broken_groups: 0,
            broken_sum: 0,
            is_live,
        };
        rotation.count();
        rotation
    }

    /// Establishes the counts for the assignment in which every variable is false.
    fn count(&mut self) {
        for group in 0..self.members.len() {
            for position in 0..self.members[group].len() {
                let index = self.members[group][position] as usize;
                let clause = self.formula.clause(index);
                let negated = clause.iter().filter(|lit| lit.is_negated()).count();
                self.satisfied[index] = negated as u32;
                if negated == 0 {
                    self.add_broken(index);
                }
            }
        }
    }

    fn place(&self, clause: usize) -> usize {
        self.formula.group_of(clause).unwrap_or(self.formula.groups())
    }

    fn add_broken(&mut self, clause: usize) {
        let group = self.place(clause);
        self.broken[group] += 1;
        if self.broken[group] == 1 && self.is_live[group] {
            self.broken_groups += 1;
            self.broken_sum += group;
        }
    }

    fn remove_broken(&mut self, clause: usize) {
        let group = self.place(clause);
        self.broken[group] -= 1;
        if self.broken[group] == 0 && self.is_live[group] {
            self.broken_groups -= 1;
            self.broken_sum -= group;
        }
    }

    /// The group that contains all falsified clauses, if there is one.
    fn only_broken(&self) -> Option<usize> {
        (self.broken_groups == 1 && self.broken_sum < self.formula.groups())
            .then_some(self.broken_sum)
    }

    fn flip(&mut self, var: Var) {
        let is_true = !self.values[var.index()];
        self.values[var.index()] = is_true;
        let (gained, lost) = (var.lit(is_true), var.lit(!is_true));
        for at in self.starts[gained.index()]..self.starts[gained.index() + 1] {
            let clause = self.occurrences[at] as usize;
            self.satisfied[clause] += 1;
            if self.satisfied[clause] == 1 {
                self.remove_broken(clause);
            }
        }
        for at in self.starts[lost.index()]..self.starts[lost.index() + 1] {
            let clause = self.occurrences[at] as usize;
            self.satisfied[clause] -= 1;
            if self.satisfied[clause] == 0 {
                self.add_broken(clause);
            }
        }
    }

    /// Takes a group out of the question.
    pub(super) fn remove(&mut self, group: usize) {
        if self.is_live[group] && self.broken[group] > 0 {
            self.broken_groups -= 1;
            self.broken_sum -= group;
        }
        self.is_live[group] = false;
    }

    /// The groups that a model of all live groups but `start` shows to be necessary.
    ///
    /// Groups for which `is_known` holds are not looked for again.
    pub(super) fn rotate(
        &mut self,
        start: usize,
        value: impl Fn(Lit) -> bool,
        is_known: &mut [bool],
    ) -> Vec<usize> {
        for index in 0..self.values.len() {
            let var = Var(index as u32);
            if value(var.positive()) != self.values[index] {
                self.flip(var);
            }
        }
        let mut found = Vec::new();
        debug_assert_eq!(self.only_broken(), Some(start), "the model is one of all other groups");
        if self.only_broken() != Some(start) {
            return found;
        }
        let mut stack = vec![Frame { flipped: None, variables: self.falsified_variables(start) }];
        while let Some(frame) = stack.last_mut() {
            let Some(var) = frame.variables.pop() else {
                let flipped = frame.flipped;
                stack.pop();
                flipped.into_iter().for_each(|var| self.flip(var));
                continue;
            };
            self.flip(var);
            match self.only_broken() {
                Some(group) if !is_known[group] => {
                    is_known[group] = true;
                    found.push(group);
                    let variables = self.falsified_variables(group);
                    stack.push(Frame { flipped: Some(var), variables });
                }
                _ => self.flip(var),
            }
        }
        found
    }

    /// The variables of the falsified clauses of a group.
    fn falsified_variables(&self, group: usize) -> Vec<Var> {
        let members = self.members[group].iter().map(|index| *index as usize);
        let falsified = members.filter(|index| self.satisfied[*index] == 0);
        let mut variables: Vec<Var> =
            falsified.flat_map(|index| self.formula.clause(index)).map(|lit| lit.var()).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}
