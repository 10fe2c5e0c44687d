//! Bounded variable elimination.
//!
//! A variable is resolved away if the resolvents are not more than the clauses they replace. Where
//! some clauses define the variable (`gates.rs`), only resolvents of a clause of the definition with
//! one of the others are needed. Removed clauses go to the stack of `reconstruct.rs`. Variables of
//! groups' clauses stay, because such clauses must not outlive their group there.
//!
//! After Eén, Biere (SatELite, SAT 2005).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::dense::Occurrences;
use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

/// The clauses of a variable by the polarity of its literal, each with whether it is in a definition.
pub(super) struct Sides {
    pub(super) positive: Vec<(ClauseRef, bool)>,
    pub(super) negative: Vec<(ClauseRef, bool)>,
    pub(super) has_definition: bool,
}

impl<T: Theory> Solver<T> {
    /// Eliminates variables within `budget` ticks.
    pub(crate) fn eliminate(&mut self, occurrences: &mut Occurrences, budget: u64) {
        let end = self.stats.ticks + budget;
        let mut marks = vec![false; self.values.len()];
        for _ in 0..3 {
            let mut schedule = BinaryHeap::new();
            for var in (0..self.variables()).map(Var) {
                if std::mem::take(&mut occurrences.touched[var.index()])
                    && self.may_be_taken_out(var)
                {
                    schedule.push(Reverse((occurrence_count(var, occurrences), var)));
                }
            }
            if schedule.is_empty() {
                break;
            }
            while let Some(Reverse((count, var))) = schedule.pop() {
                if !self.consistent || self.stats.ticks > end {
                    return;
                }
                let today = occurrence_count(var, occurrences);
                if today > count {
                    schedule.push(Reverse((today, var)));
                } else if self.may_be_taken_out(var) {
                    self.eliminate_variable(var, occurrences, &mut marks);
                }
            }
            if self.options.subsume != 0 {
                self.subsume(occurrences, budget / 4);
            }
        }
    }

    fn eliminate_variable(&mut self, var: Var, occurrences: &mut Occurrences, marks: &mut [bool]) {
        let Some(mut sides) = self.sides(var, occurrences) else { return };
        if self.options.eliminate_gates != 0 {
            self.find_definition(var, &mut sides, marks);
        }
        let bound = sides.positive.len() + sides.negative.len();
        let Some(resolvents) = self.resolvents(var, &sides, bound, marks) else { return };
        self.stats.eliminated += 1;
        for (literals, hints) in resolvents {
            let id = match &mut self.trace {
                Some(trace) => trace.derive(&literals, hints),
                None => ClauseId::NONE,
            };
            self.add_densely_fixed(literals, id, occurrences);
        }
        let all = sides.positive.iter().map(|(clause, _)| (*clause, var.positive()));
        let all = all.chain(sides.negative.iter().map(|(clause, _)| (*clause, var.negative())));
        for (clause, witness) in all {
            let literals: Vec<Lit> = self.arena.literals(clause).collect();
            for lit in &literals {
                occurrences.touched[lit.var().index()] = true;
            }
            let id = ClauseId(self.arena.id(clause));
            self.simplifier.stack.push(witness, &literals, id);
            self.delete_clause(clause);
        }
        occurrences.lists[var.positive().index()] = Vec::new();
        occurrences.lists[var.negative().index()] = Vec::new();
        self.simplifier.set_active(var, false);
    }

    /// Adds a resolvent, which literals fixed by earlier ones may satisfy or shorten.
    fn add_densely_fixed(
        &mut self,
        mut literals: Vec<Lit>,
        id: ClauseId,
        occurrences: &mut Occurrences,
    ) {
        if !self.consistent || literals.iter().any(|lit| self.is_true(*lit)) {
            return;
        }
        let before = literals.len();
        self.remove_fixed(&mut literals);
        let id = if literals.len() < before { self.derive_shorter(&literals, id) } else { id };
        self.add_densely(&literals, id, occurrences);
    }

    /// The live clauses of a variable; none if it occurs too often or in a group.
    fn sides(&mut self, var: Var, occurrences: &mut Occurrences) -> Option<Sides> {
        let most = self.options.eliminate_occurs as usize;
        let mut collect = |lit: Lit| {
            let mut list = std::mem::take(&mut occurrences.lists[lit.index()]);
            let mut clauses = Vec::new();
            list.retain(|index| {
                let clause = occurrences.clauses[*index as usize].clause;
                let is_live = !self.arena.is_garbage(clause)
                    && self.arena.literals(clause).any(|other| other == lit);
                if is_live {
                    clauses.push((clause, false));
                }
                is_live
            });
            self.stats.ticks += 1 + list.len() as u64;
            occurrences.lists[lit.index()] = list;
            clauses
        };
        let (positive, negative) = (collect(var.positive()), collect(var.negative()));
        let is_unused = positive.is_empty() && negative.is_empty();
        if is_unused || positive.len() > most || negative.len() > most {
            return None;
        }
        let mut literals =
            positive.iter().chain(&negative).flat_map(|(clause, _)| self.arena.literals(*clause));
        if literals.any(|lit| self.groups.is_activation(lit.var()) || !self.is_open(lit)) {
            return None;
        }
        Some(Sides { positive, negative, has_definition: false })
    }

    /// The resolvents with their hints, unless they are more than `bound` or too large.
    fn resolvents(
        &mut self,
        var: Var,
        sides: &Sides,
        bound: usize,
        marks: &mut [bool],
    ) -> Option<Vec<(Vec<Lit>, [ClauseId; 2])>> {
        let mut resolvents = Vec::new();
        for &(first, first_defines) in &sides.positive {
            for lit in self.arena.literals(first) {
                marks[lit.index()] = true;
            }
            let mut fits = true;
            for &(second, second_defines) in &sides.negative {
                self.stats.ticks += 1;
                if sides.has_definition && first_defines == second_defines {
                    continue;
                }
                let mut others = self.arena.literals(second).filter(|lit| lit.var() != var);
                if others.any(|lit| marks[(!lit).index()]) {
                    continue;
                }
                let others = self.arena.literals(second);
                let others = others.filter(|lit| lit.var() != var && !marks[lit.index()]);
                let own = self.arena.literals(first).filter(|lit| lit.var() != var);
                let literals: Vec<Lit> = own.chain(others).collect();
                fits &= literals.len() <= self.options.eliminate_clause as usize;
                let hints = [ClauseId(self.arena.id(first)), ClauseId(self.arena.id(second))];
                resolvents.push((literals, hints));
                fits &= resolvents.len() <= bound;
                if !fits {
                    break;
                }
            }
            for lit in self.arena.literals(first) {
                marks[lit.index()] = false;
            }
            if !fits {
                return None;
            }
        }
        Some(resolvents)
    }
}

fn occurrence_count(var: Var, occurrences: &Occurrences) -> usize {
    let length = |lit: Lit| occurrences.lists[lit.index()].len();
    length(var.positive()) + length(var.negative())
}
