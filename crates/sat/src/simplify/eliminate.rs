//! Bounded variable elimination.
//!
//! A variable is resolved away if the resolvents are not more than the clauses they replace. Where
//! some clauses define the variable (`gates.rs`), only resolvents of a clause of the definition with
//! one of the others are needed. Removed clauses go to the stack of `reconstruct.rs`. Variables of
//! groups' clauses stay, because such clauses must not outlive their group there.
//!
//! After Eén, Biere (SatELite, SAT 2005).

use super::occurrences::Occurrences;
use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

/// The clauses of a variable by the polarity of its literal, each with whether it is in a definition.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) positive: Vec<(ClauseRef, bool)>,
    pub(super) negative: Vec<(ClauseRef, bool)>,
    pub(super) has_definition: bool,
}

/// What is used for one variable after the other, so that it is allocated once.
struct Workshop {
    /// For each literal, whether it is in the clause at hand.
    marks: Vec<bool>,
    sides: Sides,
    resolvents: Resolvents,
    /// The literals of one clause.
    literals: Vec<Lit>,
}

/// Resolvents, one after the other.
#[derive(Default)]
struct Resolvents {
    literals: Vec<Lit>,
    /// Where each ends, and its hints.
    ends: Vec<(usize, [ClauseId; 2])>,
}

impl<T: Theory> Solver<T> {
    /// Eliminates variables within `budget` ticks.
    pub(crate) fn eliminate(&mut self, occurrences: &mut Occurrences, budget: u64) {
        let end = self.stats.ticks + budget;
        let mut workshop = Workshop {
            marks: vec![false; self.values.len()],
            sides: Sides::default(),
            resolvents: Resolvents::default(),
            literals: Vec::new(),
        };
        for _ in 0..3 {
            let Some(mut schedule) = self.elimination_schedule(occurrences) else { break };
            for few in 0..schedule.len() {
                // Neighbours lie side by side in memory, and those that occur more often now came later.
                schedule[few].sort_unstable();
                let mut next = 0;
                while next < schedule[few].len() {
                    if !self.consistent || self.stats.ticks > end {
                        return;
                    }
                    let var = schedule[few][next];
                    next += 1;
                    let count = occurrence_count(var, occurrences).min(schedule.len() - 1);
                    if count > few {
                        schedule[count].push(var);
                    } else if self.may_be_taken_out(var) {
                        self.simplifier.touched[var.index()] = false;
                        self.eliminate_variable(var, occurrences, &mut workshop);
                    }
                }
            }
            if self.options.subsume != 0 {
                self.subsume(occurrences, budget / 4);
            }
        }
    }

    /// The variables that are worth trying, by how often they occur; none if there are none.
    fn elimination_schedule(&self, occurrences: &Occurrences) -> Option<Vec<Vec<Var>>> {
        let most = 2 * self.options.eliminate_occurs as usize + 1;
        let mut schedule = vec![Vec::new(); most + 1];
        let mut is_empty = true;
        for var in (0..self.variables()).map(Var) {
            if self.simplifier.touched[var.index()] && self.may_be_taken_out(var) {
                schedule[occurrence_count(var, occurrences).min(most)].push(var);
                is_empty = false;
            }
        }
        (!is_empty).then_some(schedule)
    }

    fn eliminate_variable(
        &mut self,
        var: Var,
        occurrences: &mut Occurrences,
        workshop: &mut Workshop,
    ) {
        let Workshop { marks, sides, resolvents, literals } = workshop;
        if !self.find_sides(var, occurrences, sides) {
            return;
        }
        if self.options.eliminate_gates != 0 {
            self.find_definition(var, sides, marks);
        }
        let bound = sides.positive.len() + sides.negative.len();
        if !self.resolve(var, sides, bound, marks, resolvents) {
            return;
        }
        self.stats.eliminated += 1;
        let mut begin = 0;
        for (end, hints) in &resolvents.ends {
            literals.clear();
            literals.extend_from_slice(&resolvents.literals[begin..*end]);
            begin = *end;
            let id = match &mut self.trace {
                Some(trace) => trace.derive(literals, *hints),
                None => ClauseId::NONE,
            };
            self.add_densely_fixed(literals, id, occurrences);
        }
        let all = sides.positive.iter().map(|(clause, _)| (*clause, var.positive()));
        let all = all.chain(sides.negative.iter().map(|(clause, _)| (*clause, var.negative())));
        for (clause, witness) in all {
            literals.clear();
            literals.extend(self.arena.literals(clause));
            let id = ClauseId(self.arena.id(clause));
            self.simplifier.stack.push(witness, literals, id);
            self.delete_clause(clause);
        }
        occurrences.clear(var.positive());
        occurrences.clear(var.negative());
        self.simplifier.set_active(var, false);
    }

    /// Adds a resolvent, which literals fixed by earlier ones may satisfy or shorten.
    fn add_densely_fixed(
        &mut self,
        literals: &mut Vec<Lit>,
        id: ClauseId,
        occurrences: &mut Occurrences,
    ) {
        if !self.consistent || literals.iter().any(|lit| self.is_true(*lit)) {
            return;
        }
        let before = literals.len();
        self.remove_fixed(literals);
        let id = if literals.len() < before { self.derive_shorter(literals, id) } else { id };
        self.add_densely(literals, id, occurrences);
    }

    /// Finds the live clauses of a variable; not if it occurs too often or in a group.
    fn find_sides(&mut self, var: Var, occurrences: &mut Occurrences, sides: &mut Sides) -> bool {
        let most = self.options.eliminate_occurs as usize;
        let Sides { positive, negative, has_definition } = sides;
        *has_definition = false;
        for (lit, clauses) in [(var.positive(), &mut *positive), (var.negative(), &mut *negative)] {
            clauses.clear();
            occurrences.retain(lit, |clause| {
                let is_live = !self.arena.is_garbage(clause)
                    && self.arena.literals(clause).any(|other| other == lit);
                if is_live {
                    clauses.push((clause, false));
                }
                is_live
            });
            self.stats.ticks += 1 + clauses.len() as u64;
        }
        let is_unused = positive.is_empty() && negative.is_empty();
        if is_unused || positive.len() > most || negative.len() > most {
            return false;
        }
        let mut literals = positive
            .iter()
            .chain(negative.iter())
            .flat_map(|(clause, _)| self.arena.literals(*clause));
        !literals.any(|lit| self.groups.is_activation(lit.var()) || !self.is_open(lit))
    }

    /// Makes the resolvents; not if they are more than `bound` or too large.
    fn resolve(
        &mut self,
        var: Var,
        sides: &Sides,
        bound: usize,
        marks: &mut [bool],
        resolvents: &mut Resolvents,
    ) -> bool {
        let Resolvents { literals, ends } = resolvents;
        literals.clear();
        ends.clear();
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
                let begin = literals.len();
                literals.extend(self.arena.literals(first).filter(|lit| lit.var() != var));
                let others = self.arena.literals(second);
                literals.extend(others.filter(|lit| lit.var() != var && !marks[lit.index()]));
                fits &= literals.len() - begin <= self.options.eliminate_clause as usize;
                let hints = [ClauseId(self.arena.id(first)), ClauseId(self.arena.id(second))];
                ends.push((literals.len(), hints));
                fits &= ends.len() <= bound;
                if !fits {
                    break;
                }
            }
            for lit in self.arena.literals(first) {
                marks[lit.index()] = false;
            }
            if !fits {
                return false;
            }
        }
        true
    }
}

fn occurrence_count(var: Var, occurrences: &Occurrences) -> usize {
    occurrences.count(var.positive()) + occurrences.count(var.negative())
}
