//! Backward subsumption and self-subsuming resolution.
//!
//! A clause that contains another one is deleted. A clause that would contain another one if one
//! literal were flipped loses that literal. For each clause of the queue, the clauses to compare
//! with are those that contain the variable that occurs least, in either polarity; sets of
//! variables as bits rule most of them out.
//!
//! After Eén, Biere (SatELite, SAT 2005).

use super::occurrences::{Listed, Occurrences, signature};
use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

/// Clauses and lists longer than this are left alone.
const LONGEST_CLAUSE: usize = 100;
const LONGEST_LIST: usize = 1000;

/// How one clause relates to another.
enum Relation {
    None,
    Contains,
    /// But for this literal, whose negation is in the smaller one.
    ContainsExcept(Lit),
}

impl<T: Theory> Solver<T> {
    /// Works off the queue within `budget` ticks.
    pub(crate) fn subsume(&mut self, occurrences: &mut Occurrences, budget: u64) {
        let end = self.stats.ticks + budget;
        let mut marks = vec![false; self.values.len()];
        let mut literals = Vec::new();
        let mut queue = std::mem::take(&mut occurrences.queue);
        queue.sort_by_key(|clause| std::cmp::Reverse(self.arena.size(*clause)));
        while let Some(clause) = queue.pop().or_else(|| occurrences.queue.pop()) {
            if !self.consistent || self.stats.ticks > end {
                break;
            }
            if !self.arena.is_garbage(clause) && self.arena.size(clause) <= LONGEST_CLAUSE {
                literals.clear();
                literals.extend(self.arena.literals(clause));
                // A clause made since has not been compared with those that were tried before it.
                self.arena.set_tried(clause, clause.0 < occurrences.made_from);
                self.subsume_with(clause, &literals, occurrences, &mut marks);
            }
        }
        occurrences.queue.clear();
    }

    /// Compares a clause, which has these literals, with all that it may subsume.
    fn subsume_with(
        &mut self,
        small: ClauseRef,
        literals: &[Lit],
        occurrences: &mut Occurrences,
        marks: &mut [bool],
    ) {
        let wanted = signature(literals.iter().copied());
        let count = |lit: Lit| occurrences.count(lit);
        let rarest = literals.iter().copied().min_by_key(|lit| count(*lit) + count(!*lit));
        let Some(rarest) = rarest else { return };
        literals.iter().for_each(|lit| marks[lit.index()] = true);
        for side in [rarest, !rarest] {
            if occurrences.count(side) > LONGEST_LIST {
                continue;
            }
            self.stats.ticks += 1 + occurrences.count(side) as u64 / 4;
            for position in 0..occurrences.count(side) {
                let Listed { clause: large, signature } = occurrences.of(side)[position];
                if wanted & !signature != 0
                    || large == small
                    || self.arena.is_garbage(large)
                    || self.arena.is_garbage(small)
                    || self.arena.size(large) < literals.len()
                {
                    continue;
                }
                self.stats.ticks += 1;
                match self.compare(large, literals.len(), marks) {
                    Relation::None => {}
                    Relation::Contains => {
                        self.stats.subsumed += 1;
                        self.delete_clause(large);
                    }
                    Relation::ContainsExcept(lit) => {
                        self.strengthen(large, lit, small, occurrences);
                    }
                }
            }
        }
        literals.iter().for_each(|lit| marks[lit.index()] = false);
    }

    fn compare(&self, large: ClauseRef, size: usize, marks: &[bool]) -> Relation {
        let (mut same, mut flipped) = (0, None);
        for lit in self.arena.literals(large) {
            if marks[lit.index()] {
                same += 1;
            } else if marks[(!lit).index()] && flipped.replace(lit).is_some() {
                return Relation::None;
            }
        }
        match flipped {
            None if same == size => Relation::Contains,
            Some(lit) if same + 1 == size => Relation::ContainsExcept(lit),
            _ => Relation::None,
        }
    }

    /// Removes `lit` from a clause by resolution with `by`.
    fn strengthen(
        &mut self,
        clause: ClauseRef,
        lit: Lit,
        by: ClauseRef,
        occurrences: &mut Occurrences,
    ) {
        self.stats.self_subsumed += 1;
        let shorter: Vec<Lit> = self.arena.literals(clause).filter(|other| *other != lit).collect();
        let hints = [ClauseId(self.arena.id(by)), ClauseId(self.arena.id(clause))];
        let id = match &mut self.trace {
            Some(trace) => trace.derive(&shorter, hints),
            None => ClauseId::NONE,
        };
        self.shorten_densely(clause, &shorter, id, occurrences);
    }
}
