//! A formula whose clauses come in groups.
//!
//! A group is kept or left out as a whole: the clauses of one gate, one step or one lemma. Clauses
//! of no group are hard: they are part of every core without being counted.

use crate::cnf::Cnf;
use crate::literal::Lit;

/// Stands for no group, in `group_of`.
const HARD: u32 = u32::MAX;

/// Hard clauses and groups of clauses; groups are numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Grouped {
    literals: Vec<Lit>,
    ends: Vec<usize>,
    group_of: Vec<u32>,
    groups: usize,
    variables: usize,
}

impl Grouped {
    /// The formula in which each clause of `cnf` is a group of its own.
    pub fn of_clauses(cnf: &Cnf) -> Grouped {
        let mut formula = Grouped::default();
        for clause in &cnf.clauses {
            let group = formula.new_group();
            formula.add(group, clause);
        }
        formula
    }

    /// Begins a group, and returns its number.
    pub fn new_group(&mut self) -> usize {
        self.groups += 1;
        self.groups - 1
    }

    /// Adds a clause to a group.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn add(&mut self, group: usize, clause: &[Lit]) {
        assert!(group < self.groups, "the group was begun");
        self.push(clause, group as u32);
    }

    /// Adds a clause that is in every core.
    pub fn add_hard(&mut self, clause: &[Lit]) {
        self.push(clause, HARD);
    }

    fn push(&mut self, clause: &[Lit], group: u32) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
        self.group_of.push(group);
        let largest = clause.iter().map(|lit| lit.var().index() + 1).max();
        self.variables = self.variables.max(largest.unwrap_or(0));
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// How many variables there are, if they are numbered from 0.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many clauses there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The clause at a position.
    pub(super) fn clause(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start..self.ends[index]]
    }

    /// The group of the clause at a position, if it has one.
    pub(super) fn group_of(&self, index: usize) -> Option<usize> {
        let group = self.group_of[index];
        (group != HARD).then_some(group as usize)
    }

    /// The clauses with their groups.
    pub(super) fn clauses(&self) -> impl Iterator<Item = (Option<usize>, &[Lit])> {
        (0..self.len()).map(|index| (self.group_of(index), self.clause(index)))
    }
}
