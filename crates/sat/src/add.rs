//! Clauses enter at any time, also while the trail of the last call stands.
//!
//! A clause is normalised under what is fixed: duplicates and false literals go, tautologies and
//! satisfied clauses are dropped. Then two literals are found to watch that are not false, or the
//! trail is undone until there are.
//!
//! Invariant: the proof has the clause as the user gave it; where literals were removed, the
//! shorter clause is derived from it and the units.

use crate::arena::ClauseRef;
use crate::literal::Lit;
use crate::proof::ClauseId;
use crate::solver::Solver;
use crate::state::Reason;
use crate::theory::Theory;

impl<T: Theory> Solver<T> {
    /// Adds a clause, in partition 0 of the proof.
    pub fn add_clause(&mut self, literals: &[Lit]) {
        self.add_clause_in(literals, 0);
    }

    /// Adds a clause with a partition label, which interpolation reads from the proof.
    ///
    /// Returns the clause's number in the proof, if one is recorded.
    pub fn add_clause_in(&mut self, literals: &[Lit], partition: u32) -> Option<ClauseId> {
        self.reactivate(literals);
        let id = match &mut self.trace {
            Some(trace) => trace.input(literals, partition),
            None => ClauseId::NONE,
        };
        self.insert(literals, id);
        self.settle_trace();
        self.trace.is_some().then_some(id)
    }

    /// Adds a clause that the proof has under `id`; returns it if it is stored.
    pub(crate) fn insert(&mut self, literals: &[Lit], id: ClauseId) -> Option<ClauseRef> {
        if !self.consistent {
            return None;
        }
        let mut clause = std::mem::take(&mut self.scratch.literals);
        clause.clear();
        clause.extend_from_slice(literals);
        let stored = self.insert_normalized(&mut clause, id);
        self.scratch.literals = clause;
        stored
    }

    fn insert_normalized(&mut self, clause: &mut Vec<Lit>, id: ClauseId) -> Option<ClauseRef> {
        clause.sort_unstable();
        clause.dedup();
        let is_tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || clause.iter().any(|lit| self.fixed_value(*lit) == Some(true)) {
            return None;
        }
        let before = clause.len();
        self.remove_fixed(clause);
        let id = if clause.len() < before { self.derive_shorter(clause, id) } else { id };
        match clause.len() {
            0 => self.contradict(id),
            1 => self.add_unit(clause[0], id),
            _ => {
                self.choose_watches(clause);
                let stored = self.store(clause, false, 0, id);
                return Some(stored);
            }
        }
        None
    }

    /// Removes the literals fixed to false, leaving their units in `scratch.units`.
    pub(crate) fn remove_fixed(&mut self, clause: &mut Vec<Lit>) {
        self.scratch.units.clear();
        clause.retain(|lit| {
            let is_fixed = self.is_false(*lit) && self.level_of(lit.var()) == 0;
            if is_fixed && self.trace.is_some() {
                self.scratch.units.push(self.unit_ids[lit.var().index()]);
            }
            !is_fixed
        });
    }

    /// Derives what `remove_fixed` left of the clause `id`.
    pub(crate) fn derive_shorter(&mut self, clause: &[Lit], id: ClauseId) -> ClauseId {
        let Some(trace) = &mut self.trace else { return ClauseId::NONE };
        let units = self.scratch.units.drain(..);
        trace.derive(clause, units.chain([id]))
    }

    /// Notes that the clauses are contradictory, by the empty clause `id`.
    pub(crate) fn contradict(&mut self, id: ClauseId) {
        self.consistent = false;
        self.simplifier.empty_clause = id;
    }

    /// Fixes a literal by the unit clause `id`, and propagates.
    pub(crate) fn add_unit(&mut self, lit: Lit, id: ClauseId) {
        self.backtrack(0);
        self.fix(lit, id);
        if let Some(conflict) = self.propagate() {
            self.contradict_by(conflict);
        }
    }

    /// Fixes an open literal on level 0 by the unit clause `id`, without propagating.
    pub(crate) fn fix(&mut self, lit: Lit, id: ClauseId) {
        debug_assert_eq!(self.level(), 0);
        self.assign(lit, Reason::NONE);
        if self.trace.is_some() {
            self.unit_ids[lit.var().index()] = id;
        }
    }

    /// Turns the literals implied on level 0 into unit clauses.
    pub(crate) fn fix_units(&mut self) {
        while self.fixed < self.trail.len() {
            let lit = self.trail[self.fixed];
            self.fixed += 1;
            self.stats.fixed += 1;
            if self.trace.is_some()
                && let Some(reason) = self.reason_clause(lit.var())
            {
                let id = self.derive_at_root(reason, Some(lit));
                self.unit_ids[lit.var().index()] = id;
            }
            self.assigned[lit.var().index()].reason = Reason::NONE;
        }
    }

    /// Notes that `conflict` is false on level 0.
    pub(crate) fn contradict_by(&mut self, conflict: ClauseRef) {
        // A theory may have implied literals since units were last fixed.
        self.fix_units();
        let id = self.derive_at_root(conflict, None);
        self.contradict(id);
    }

    /// Derives `implied`, or the empty clause, from a clause whose other literals are fixed.
    fn derive_at_root(&mut self, clause: ClauseRef, implied: Option<Lit>) -> ClauseId {
        let Solver { trace, arena, unit_ids, .. } = self;
        let Some(trace) = trace else { return ClauseId::NONE };
        let others = arena.literals(clause).filter(|lit| Some(*lit) != implied);
        let units = others.map(|lit| unit_ids[lit.var().index()]);
        trace.derive(implied.as_slice(), units.chain([ClauseId(arena.id(clause))]))
    }

    /// Puts two literals first that can be watched, undoing levels as far as that takes.
    fn choose_watches(&mut self, clause: &mut [Lit]) {
        for position in 0..2 {
            let rank = |lit: Lit| match self.is_false(lit) {
                false => u32::MAX,
                true => self.level_of(lit.var()),
            };
            let best = (position..clause.len()).max_by_key(|index| rank(clause[*index]));
            clause.swap(position, best.expect("a clause to be watched has two literals"));
        }
        let [first, second] = [clause[0], clause[1]];
        if self.is_false(second) {
            let level = self.level_of(second.var());
            if !self.is_true(first) || self.level_of(first.var()) > level {
                self.backtrack(level - 1);
            }
        }
    }

    /// Stores and watches a clause of at least two literals.
    pub(crate) fn store(
        &mut self,
        literals: &[Lit],
        learned: bool,
        lbd: u32,
        id: ClauseId,
    ) -> ClauseRef {
        let clause = self.arena.add(literals, learned, lbd, id.0);
        self.watches.attach(&self.arena, clause);
        if learned {
            self.learned.push(clause)
        } else {
            self.irredundant.push(clause)
        }
        let is_grouped = self.groups.is_used() && self.groups.note(literals, clause, learned);
        if !learned && !is_grouped {
            self.definitions.note(clause);
        }
        clause
    }
}
