//! From a conflict to a clause that would have avoided it: the first unique implication point.
//!
//! Starting from the false clause, the latest literals are resolved with their reasons until one
//! literal of the conflict's level is left. What remains is false below that level, so going back to
//! the level of its second latest literal makes it imply the negation of the one.
//!
//! With a proof, every resolution leaves its clause's number behind. Sorted by the trail position
//! of what they imply, the numbers are the hints by which unit propagation refutes the negation of
//! the learned clause: the order of LRAT, and backwards the resolution chain that interpolation
//! follows. Literals fixed on level 0 are resolved with their unit clauses, which come first.
//!
//! The LBD of a clause is the number of its levels below the highest; the clauses resolved with are
//! marked as used and given their LBD of today if that is smaller.
//!
//! After Marques-Silva, Sakallah (GRASP, 1996), Zhang et al. (ICCAD 2001), Audemard, Simon (IJCAI
//! 2009); hints after Pollitt, Fleury, Biere (SAT 2023).

use crate::arena::ClauseRef;
use crate::literal::{Lit, Var};
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::state::{Reason, Scratch};
use crate::theory::Theory;

/// In `Scratch::marks`: met by the analysis.
pub(crate) const SEEN: u8 = 1;
/// Implied by the other literals of the clause.
pub(crate) const REMOVABLE: u8 = 2;
/// Known not to be implied.
pub(crate) const POISON: u8 = 4;
/// In the clause as it will be learned, or already among the proof's hints.
pub(crate) const SETTLED: u8 = 8;

impl<T: Theory> Solver<T> {
    /// Derives a clause from `conflict`, which has a literal on the current level, into
    /// `scratch.clause`, the literal to be implied first, then one of the level to go back to.
    /// Returns that level and the LBD.
    pub(crate) fn analyze(&mut self, conflict: ClauseRef) -> (u32, u32) {
        self.scratch.clause.clear();
        self.scratch.clause.push(Lit::NONE);
        self.scratch.levels.clear();
        let uip = self.resolve_to_uip(conflict);
        self.scratch.clause[0] = !uip;
        self.stats.literals += self.scratch.clause.len() as u64;
        let lbd = self.scratch.levels.len() as u32;
        self.minimize(lbd);
        if self.has_hints() {
            self.collect_minimized();
        }
        let target = self.order_watches();
        (target, lbd)
    }

    fn resolve_to_uip(&mut self, conflict: ClauseRef) -> Lit {
        let mut open = 0;
        let mut position = self.trail.len();
        let mut reason = conflict;
        let mut uip = Lit::NONE;
        loop {
            self.use_clause(reason);
            open += self.analyze_clause(reason, uip);
            if self.has_hints() {
                let implied = if uip == Lit::NONE { u32::MAX } else { position as u32 };
                let id = ClauseId(self.arena.id(reason));
                self.scratch.chain.push((implied, id));
            }
            loop {
                position -= 1;
                uip = self.trail[position];
                let is_met = self.scratch.marks[uip.var().index()] & SEEN != 0;
                if is_met && self.level_of(uip.var()) == self.level() {
                    break;
                }
            }
            open -= 1;
            if open == 0 {
                return uip;
            }
            reason = self.reason_clause(uip.var()).expect("only the last literal has no reason");
        }
    }

    /// Marks the literals of a clause, apart from `implied`; returns how many of them are new and
    /// on the current level.
    fn analyze_clause(&mut self, clause: ClauseRef, implied: Lit) -> u32 {
        let current = self.level();
        let Solver { arena, assigned, scratch, levels, trace, unit_ids, .. } = self;
        let has_hints = trace.as_ref().is_some_and(|trace| trace.has_hints());
        let mut open = 0;
        for lit in arena.literals(clause) {
            let var = lit.var();
            if lit == implied || scratch.marks[var.index()] & SEEN != 0 {
                continue;
            }
            let place = assigned[var.index()];
            if place.level == 0 {
                if has_hints {
                    scratch.marks[var.index()] |= SEEN;
                    scratch.minimized.push(var);
                    scratch.units.push(unit_ids[var.index()]);
                }
                continue;
            }
            scratch.marks[var.index()] |= SEEN;
            scratch.marked.push(var);
            if place.level == current {
                open += 1;
                continue;
            }
            scratch.clause.push(lit);
            let level = &mut levels[place.level as usize];
            if level.seen == 0 {
                scratch.levels.push(place.level);
            }
            level.seen += 1;
            level.seen_trail = level.seen_trail.min(place.trail);
        }
        open
    }

    /// The clause that implied `var`; the theory is asked for its reason.
    pub(crate) fn reason_clause(&mut self, var: Var) -> Option<ClauseRef> {
        let reason = self.assigned[var.index()].reason;
        if T::ACTIVE && reason == Reason::THEORY {
            return Some(self.explain(var));
        }
        reason.as_clause()
    }

    /// Notes that a learned clause was useful.
    fn use_clause(&mut self, clause: ClauseRef) {
        if !self.arena.is_learned(clause) {
            return;
        }
        let mut lbd = self.arena.lbd(clause);
        if lbd > self.options.reduce_tier1 {
            let today = self.count_levels(clause) - 1;
            if today < lbd {
                lbd = today;
                self.arena.set_lbd(clause, lbd);
            }
        }
        let used = if lbd <= self.options.reduce_tier2 { 2 } else { 1 };
        self.arena.set_used(clause, used);
    }

    /// The number of levels among the literals of a clause that are all assigned, at least 1.
    pub(crate) fn count_levels(&mut self, clause: ClauseRef) -> u32 {
        let Solver { arena, assigned, scratch, .. } = self;
        scratch.clock += 1;
        let mut count = 0;
        for lit in arena.literals(clause) {
            let level = assigned[lit.var().index()].level as usize;
            if scratch.level_stamp[level] != scratch.clock {
                scratch.level_stamp[level] = scratch.clock;
                count += 1;
            }
        }
        count.max(1)
    }

    /// Adds the hints for the literals that minimisation removed.
    fn collect_minimized(&mut self) {
        for index in 0..self.scratch.clause.len() {
            let var = self.scratch.clause[index].var();
            self.scratch.marks[var.index()] |= SETTLED;
        }
        let mut removed = std::mem::take(&mut self.scratch.literals);
        for lit in removed.drain(..) {
            self.collect_hints(lit.var());
        }
        self.scratch.literals = removed;
    }

    /// Adds the hints that derive the value of `var` from settled literals.
    pub(crate) fn collect_hints(&mut self, var: Var) {
        self.scratch.stack.push(var);
        while let Some(var) = self.scratch.stack.pop() {
            let place = self.assigned[var.index()];
            if self.scratch.marks[var.index()] & SETTLED != 0 {
                continue;
            }
            if place.level == 0 {
                if self.scratch.marks[var.index()] & SEEN == 0 {
                    self.scratch.marks[var.index()] |= SEEN;
                    self.scratch.minimized.push(var);
                    self.scratch.units.push(self.unit_ids[var.index()]);
                }
                continue;
            }
            self.scratch.marks[var.index()] |= SETTLED;
            self.scratch.minimized.push(var);
            let reason = self.reason_clause(var).expect("a removed literal is implied");
            self.scratch.chain.push((place.trail, ClauseId(self.arena.id(reason))));
            let Solver { arena, scratch, .. } = self;
            scratch.stack.extend(arena.literals(reason).map(Lit::var));
        }
    }

    /// Writes a clause with the collected hints to the proof.
    pub(crate) fn derive_collected(&mut self) -> ClauseId {
        let Some(trace) = &mut self.trace else { return ClauseId::NONE };
        let Scratch { clause, chain, units, .. } = &mut self.scratch;
        chain.sort_unstable_by_key(|(position, _)| *position);
        let hints = units.iter().copied().chain(chain.iter().map(|(_, id)| *id));
        let id = trace.derive(clause, hints);
        chain.clear();
        units.clear();
        id
    }

    /// Puts a literal of the second highest level to position 1 and returns the level.
    fn order_watches(&mut self) -> u32 {
        let Solver { scratch, assigned, .. } = self;
        let mut target = 0;
        for index in 1..scratch.clause.len() {
            let level = assigned[scratch.clause[index].var().index()].level;
            if level > target {
                target = level;
                scratch.clause.swap(1, index);
            }
        }
        target
    }

    /// Forgets the marks of the analysis.
    pub(crate) fn clear_analysis(&mut self) {
        let Solver { scratch, levels, .. } = self;
        for var in scratch.marked.drain(..).chain(scratch.minimized.drain(..)) {
            scratch.marks[var.index()] = 0;
        }
        for level in scratch.levels.drain(..) {
            levels[level as usize].seen = 0;
            levels[level as usize].seen_trail = u32::MAX;
        }
    }
}
