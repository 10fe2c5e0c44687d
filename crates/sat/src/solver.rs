//! The state of a solver, and the questions about it that need no search.
//!
//! The state is one structure of named parts; each technique is a file of methods on it. Literal
//! values are bytes, indexed by literal: 1 true, -1 false, 0 open, and 2 for both literals of an
//! open variable outside the domain of the query (`domain.rs`). Propagation skips a clause with a
//! positive byte, so that variables outside the domain cost nothing.
//!
//! Invariants between calls: level 0 is propagated completely, outside the domain too; the literals
//! fixed there have no reasons; `consistent` is false once the clauses alone are contradictory.

use crate::arena::{Arena, ClauseRef};
use crate::literal::{Lit, Var};
use crate::options::Options;
use crate::proof::{ClauseId, Trace};
use crate::random::Random;
use crate::state::{
    Assigned, Definitions, Domain, Evsids, FALSE, Groups, IN_ORDER, Level, Limits, Mode, OPEN,
    OUTSIDE, Phases, Reason, Reductions, Restarts, Scratch, Simplifier, TRUE, Vmtf,
};
use crate::stats::Stats;
use crate::theory::{Gifts, NoTheory, Theory};
use crate::watch::Watches;

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model; `value` reads it until the solver is next changed.
    Sat,
    /// There is none under the assumptions; `failed` says which of them matter.
    Unsat,
    /// The budget ran out, the search was interrupted, or a theory cannot tell.
    Unknown,
}

/// An incremental CDCL solver; `T` is the theory its literals may speak about.
pub struct Solver<T: Theory = NoTheory> {
    pub(crate) options: Options,
    pub(crate) stats: Stats,
    pub(crate) theory: T,
    pub(crate) consistent: bool,

    pub(crate) values: Vec<i8>,
    pub(crate) assigned: Vec<Assigned>,
    pub(crate) trail: Vec<Lit>,
    pub(crate) levels: Vec<Level>,
    /// How much of the trail is propagated.
    pub(crate) head: usize,
    /// The lowest level whose literals may come after those of higher ones (`chrono.rs`).
    pub(crate) disorder: u32,
    /// How much of the trail the theory knows.
    pub(crate) theory_head: usize,
    /// How much of the trail is fixed and has its unit clauses in the proof.
    pub(crate) fixed: usize,

    pub(crate) arena: Arena,
    pub(crate) watches: Watches,
    pub(crate) irredundant: Vec<ClauseRef>,
    pub(crate) learned: Vec<ClauseRef>,

    pub(crate) evsids: Evsids,
    pub(crate) vmtf: Vmtf,
    pub(crate) phases: Phases,
    pub(crate) mode: Mode,
    pub(crate) restarts: Restarts,
    pub(crate) reductions: Reductions,
    pub(crate) random: Random,

    pub(crate) assumptions: Vec<Lit>,
    pub(crate) temporary: Vec<Lit>,
    pub(crate) failed: Vec<Lit>,
    pub(crate) failed_marks: Vec<bool>,
    pub(crate) domain: Domain,
    pub(crate) definitions: Definitions,
    pub(crate) groups: Groups,
    pub(crate) limits: Limits,
    pub(crate) simplifier: Simplifier,

    pub(crate) trace: Option<Box<Trace>>,
    pub(crate) unit_ids: Vec<ClauseId>,
    pub(crate) conclusion: Option<ClauseId>,

    pub(crate) scratch: Scratch,
    pub(crate) gifts: Gifts,
}

impl Solver {
    /// A solver without clauses and without a theory.
    pub fn new(options: Options) -> Solver {
        Solver::with_theory(options, NoTheory)
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(Options::default())
    }
}

impl<T: Theory> Solver<T> {
    /// A solver without clauses whose literals may speak about `theory`.
    pub fn with_theory(options: Options, theory: T) -> Solver<T> {
        Solver {
            stats: Stats::default(),
            theory,
            consistent: true,
            values: Vec::new(),
            assigned: Vec::new(),
            trail: Vec::new(),
            levels: vec![Level::new(0, Lit::NONE)],
            head: 0,
            disorder: IN_ORDER,
            theory_head: 0,
            fixed: 0,
            arena: Arena::default(),
            watches: Watches::default(),
            irredundant: Vec::new(),
            learned: Vec::new(),
            evsids: Evsids::new(),
            vmtf: Vmtf::new(),
            phases: Phases::new(&options),
            mode: Mode::new(&options),
            restarts: Restarts::new(&options),
            reductions: Reductions::new(&options),
            random: Random::new(options.seed),
            assumptions: Vec::new(),
            temporary: Vec::new(),
            failed: Vec::new(),
            failed_marks: Vec::new(),
            domain: Domain::default(),
            definitions: Definitions::default(),
            groups: Groups::default(),
            limits: Limits::default(),
            simplifier: Simplifier::new(&options),
            trace: options.new_trace().map(Box::new),
            unit_ids: Vec::new(),
            conclusion: None,
            scratch: Scratch { level_stamp: vec![0], ..Scratch::default() },
            gifts: Gifts::default(),
            options,
        }
    }

    /// The number of variables.
    pub fn var_count(&self) -> usize {
        self.assigned.len()
    }

    /// A variable that no clause mentions.
    pub fn new_var(&mut self) -> Var {
        let var = Var(self.assigned.len() as u32);
        let value = if self.domain.is_restricted() { OUTSIDE } else { OPEN };
        self.values.extend([value, value]);
        self.assigned.push(Assigned { level: 0, reason: Reason::NONE, trail: 0 });
        self.watches.grow();
        self.evsids.grow();
        if !self.domain.is_restricted() {
            self.evsids.push(var);
        }
        self.vmtf.grow();
        self.phases.grow();
        self.failed_marks.extend([false, false]);
        self.groups.grow();
        self.simplifier.grow();
        self.scratch.marks.push(0);
        if self.trace.is_some() {
            self.unit_ids.push(ClauseId::NONE);
        }
        var
    }

    /// How many variables there are; they are numbered from 0.
    pub fn variables(&self) -> u32 {
        self.assigned.len() as u32
    }

    /// Whether the clauses were found contradictory without any assumption.
    pub fn is_contradictory(&self) -> bool {
        !self.consistent
    }

    /// The value of `lit` in the model of the last answer `Sat`; `None` if the model leaves it open.
    ///
    /// Only variables outside the domain are left open, and with definitions (`define_and`) those that
    /// the model need not fix. Valid until the solver is next changed.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        if let Some(value) = self.simplifier.extended_value(lit) {
            return Some(value);
        }
        match self.values[lit.index()] {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// The value that `lit` has in all models, if propagation has found it.
    pub fn fixed_value(&self, lit: Lit) -> Option<bool> {
        let value = self.values[lit.index()];
        let is_fixed = (value == TRUE || value == FALSE) && self.level_of(lit.var()) == 0;
        is_fixed.then_some(value == TRUE)
    }

    /// The assumptions that the last answer `Unsat` needed.
    pub fn failed(&self) -> &[Lit] {
        &self.failed
    }

    /// Whether the last answer `Unsat` needed the assumption `lit`.
    #[inline]
    pub fn is_failed(&self, lit: Lit) -> bool {
        self.failed_marks[lit.index()]
    }

    /// The clause of negated failed assumptions in the proof, after an answer `Unsat`.
    ///
    /// There is none if two assumptions contradict each other or no proof is recorded.
    pub fn conclusion(&self) -> Option<ClauseId> {
        self.conclusion
    }

    /// The proof, if the option says to record one and it was not given up.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref().and_then(Trace::if_recorded)
    }

    /// What was counted.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The theory, as it is between calls of `solve`.
    pub fn theory(&self) -> &T {
        &self.theory
    }

    /// The theory, for telling it what its literals mean.
    pub fn theory_mut(&mut self) -> &mut T {
        &mut self.theory
    }

    /// Prefers `lit` over its negation whenever its variable is decided.
    pub fn set_phase(&mut self, lit: Lit) {
        self.phases.force(lit);
    }

    /// Withdraws the preference that `set_phase` stated.
    pub fn reset_phase(&mut self, var: Var) {
        self.phases.release(var);
    }

    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    #[inline]
    pub(crate) fn level_of(&self, var: Var) -> u32 {
        self.assigned[var.index()].level
    }

    #[inline]
    pub(crate) fn byte(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    #[inline]
    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] == TRUE
    }

    #[inline]
    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] == FALSE
    }

    #[inline]
    pub(crate) fn is_open(&self, lit: Lit) -> bool {
        !self.is_true(lit) && !self.is_false(lit)
    }

    /// Makes an open literal true on the current level.
    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(self.is_open(lit));
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        let (level, trail) = (self.level(), self.trail.len() as u32);
        self.assigned[lit.var().index()] = Assigned { level, reason, trail };
        self.trail.push(lit);
    }

    /// Begins a level with a decision.
    pub(crate) fn push_level(&mut self, decision: Lit) {
        self.levels.push(Level::new(self.trail.len(), decision));
        if self.scratch.level_stamp.len() < self.levels.len() {
            self.scratch.level_stamp.push(0);
        }
        if T::ACTIVE {
            self.theory_new_level();
        }
    }

    /// Decides an open literal.
    pub(crate) fn decide(&mut self, lit: Lit) {
        self.push_level(lit);
        self.assign(lit, Reason::NONE);
        self.stats.decisions += 1;
    }
}
