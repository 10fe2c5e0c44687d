//! Forward subsumption: is a clause contained by what is there already?
//!
//! Clauses come in order of size. Each is compared with the smaller ones before it, which are listed
//! under one of their literals only, the rarest; a clause that contains another one has that literal
//! too, so looking through the lists of its own literals finds all. The lists of the negated
//! literals give most of those that would be contained but for one literal, which then goes. Lists
//! are short, so that learned clauses take part: backward subsumption (`subsume.rs`) lists every
//! literal of the formula's clauses and leaves learned ones alone.
//!
//! A clause was compared with all others if none of them is fresh; so it is tried only if it is
//! fresh itself or has two variables that fresh clauses mention. A learned clause that subsumes one
//! of the formula takes its place there.
//!
//! After Zhang, "On Subsumption Removal and On-the-Fly CNF Simplification" (SAT 2005), and CaDiCaL's
//! `subsume` (Biere, 2017).

use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::theory::Theory;

/// Clauses and lists longer than this are left alone.
const LONGEST_CLAUSE: usize = 100;
const LONGEST_LIST: usize = 100;

/// A clause under one of its literals, with its set of variables as bits.
#[derive(Clone, Copy)]
struct Listed {
    clause: ClauseRef,
    signature: u32,
}

/// What a clause was found to be.
enum Finding {
    Nothing,
    /// Contains this clause.
    Subsumed(ClauseRef),
    /// Would contain this clause if this literal were flipped.
    Shortened(ClauseRef, Lit),
}

/// The lists, and what is known about literals and variables.
struct Lists {
    of_literal: Vec<Vec<Listed>>,
    /// How many clauses mention a literal.
    counts: Vec<u32>,
    /// Literals of the clause at hand.
    marks: Vec<bool>,
    /// Variables that fresh clauses mention.
    is_fresh: Vec<bool>,
}

impl<T: Theory> Solver<T> {
    /// Removes and shortens clauses within `budget` ticks; on level 0.
    pub(crate) fn subsume_forward(&mut self, budget: u64) {
        if !self.consistent {
            return;
        }
        let end = self.stats.ticks + budget;
        let mut lists = Lists {
            of_literal: vec![Vec::new(); self.values.len()],
            counts: vec![0; self.values.len()],
            marks: vec![false; self.values.len()],
            is_fresh: vec![false; self.variables() as usize],
        };
        let schedule = self.forward_schedule(&mut lists);
        let mut done = 0;
        while done < schedule.len() && self.stats.ticks <= end && self.consistent {
            self.compare_forward(schedule[done], &mut lists);
            done += 1;
        }
        if done == schedule.len() {
            for clause in schedule {
                self.arena.set_compared(clause, true);
            }
        }
        self.settle_promoted();
    }

    /// The clauses that may subsume or be subsumed, small ones first.
    fn forward_schedule(&mut self, lists: &mut Lists) -> Vec<ClauseRef> {
        let all = self.irredundant.iter().chain(&self.learned).copied();
        let takes_part = |clause: &ClauseRef| {
            let is_lasting = !self.arena.is_learned(*clause)
                || self.arena.size(*clause) == 2
                || self.arena.lbd(*clause) <= self.options.reduce_tier2;
            is_lasting
                && !self.arena.is_garbage(*clause)
                && self.arena.size(*clause) <= LONGEST_CLAUSE
                && self.arena.literals(*clause).all(|lit| self.is_open(lit))
        };
        let mut schedule: Vec<ClauseRef> = all.filter(takes_part).collect();
        for &clause in &schedule {
            for lit in self.arena.literals(clause) {
                lists.counts[lit.index()] += 1;
                lists.is_fresh[lit.var().index()] |= !self.arena.is_compared(clause);
            }
        }
        schedule.retain(|clause| {
            let fresh = |lit: &Lit| lists.is_fresh[lit.var().index()];
            self.arena.literals(*clause).filter(fresh).count() >= 2
        });
        self.stats.ticks += schedule.len() as u64 / 4;
        // Of two that are equal, the formula's comes first and stays.
        schedule.sort_by_key(|clause| (self.arena.size(*clause), self.arena.is_learned(*clause)));
        schedule
    }

    /// Compares a clause with those listed, and lists it.
    fn compare_forward(&mut self, clause: ClauseRef, lists: &mut Lists) {
        // Units found on the way make clauses that the next cleaning takes care of.
        if !self.arena.literals(clause).all(|lit| self.is_open(lit)) {
            return;
        }
        match self.find_smaller(clause, lists) {
            Finding::Nothing => {}
            Finding::Subsumed(by) => {
                self.stats.forward_subsumed += 1;
                if self.arena.is_learned(by) && !self.arena.is_learned(clause) {
                    self.arena.set_learned(by, false);
                }
                self.delete_clause(clause);
                return;
            }
            Finding::Shortened(by, lit) => {
                self.shorten_forward(clause, lit, by);
                if self.arena.is_garbage(clause) {
                    return;
                }
            }
        }
        let rarest = self.arena.literals(clause).min_by_key(|lit| lists.counts[lit.index()]);
        let Some(rarest) = rarest else { return };
        let list = &mut lists.of_literal[rarest.index()];
        if list.len() < LONGEST_LIST {
            let signature = super::occurrences::signature(self.arena.literals(clause));
            list.push(Listed { clause, signature });
        }
    }

    /// Looks for a listed clause that subsumes or shortens `clause`.
    fn find_smaller(&mut self, clause: ClauseRef, lists: &mut Lists) -> Finding {
        let signature = super::occurrences::signature(self.arena.literals(clause));
        for lit in self.arena.literals(clause) {
            lists.marks[lit.index()] = true;
        }
        let mut finding = Finding::Nothing;
        'all: for lit in self.arena.literals(clause) {
            for side in [lit, !lit] {
                let list = &lists.of_literal[side.index()];
                self.stats.ticks += 1 + list.len() as u64 / 4;
                for listed in list {
                    if listed.signature & !signature != 0 || self.arena.is_garbage(listed.clause) {
                        continue;
                    }
                    self.stats.ticks += 1;
                    match (self.relate(listed.clause, &lists.marks), &finding) {
                        (found @ Finding::Subsumed(_), _) => {
                            finding = found;
                            break 'all;
                        }
                        (found @ Finding::Shortened(..), Finding::Nothing) => finding = found,
                        _ => {}
                    }
                }
            }
        }
        for lit in self.arena.literals(clause) {
            lists.marks[lit.index()] = false;
        }
        finding
    }

    /// How the clause of the marked literals relates to the `small` one.
    fn relate(&self, small: ClauseRef, marks: &[bool]) -> Finding {
        let mut flipped = None;
        for lit in self.arena.literals(small) {
            if marks[lit.index()] {
                continue;
            }
            if !marks[(!lit).index()] || flipped.replace(!lit).is_some() {
                return Finding::Nothing;
            }
        }
        match flipped {
            None => Finding::Subsumed(small),
            Some(lit) => Finding::Shortened(small, lit),
        }
    }

    /// Removes `lit` from a clause by resolution with `by`.
    fn shorten_forward(&mut self, clause: ClauseRef, lit: Lit, by: ClauseRef) {
        self.stats.forward_shortened += 1;
        let shorter: Vec<Lit> = self.arena.literals(clause).filter(|other| *other != lit).collect();
        let hints = [ClauseId(self.arena.id(by)), ClauseId(self.arena.id(clause))];
        let id = match &mut self.trace {
            Some(trace) => trace.derive(&shorter, hints),
            None => ClauseId::NONE,
        };
        if let [unit] = shorter[..] {
            self.delete_clause(clause);
            self.add_unit(unit, id);
        } else {
            self.replace(clause, &shorter, id);
            self.arena.set_compared(clause, false);
        }
    }

    /// Moves learned clauses that took the place of others to the formula.
    fn settle_promoted(&mut self) {
        let Solver { learned, irredundant, arena, .. } = self;
        learned.retain(|clause| {
            let stays = arena.is_learned(*clause) || arena.is_garbage(*clause);
            if !stays {
                irredundant.push(*clause);
            }
            stays
        });
    }
}
