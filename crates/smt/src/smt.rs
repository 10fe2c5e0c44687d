//! The solver: assertions in scopes, queries under assumptions, and what follows from the answers.
//!
//! Formulas become literals once and for all (`encode`); a scope is an activation literal that its
//! assertions are guarded by and that every query in it assumes, so nothing is rebuilt when scopes
//! come and go. Queries are calls of the search under these and the caller's assumptions.
//!
//! What theories tell on demand is added outside of the search: they look at a model of the clauses,
//! and if one objects with clauses of its own, the search is called again.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alphorn_sat::{Answer, Budget, Lit, Solver, Stats, Var};
use alphorn_term::{Model, Store, TermId};
use rustc_hash::FxHashSet;

use crate::encode::{Encoder, Encoding, Search};
use crate::fuel::Fuel;
use crate::options::Options;
use crate::quantifiers::find_alive;
use crate::theories::{Table, Theories, TheoryStats};

/// Why an answer is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The budget ran out, or the search was interrupted.
    Budget,
    /// An operator or a product of unknowns is not understood well enough.
    Incomplete,
}

/// An assertion, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AssertionId(pub u32);

/// An assertion with what switches it on.
pub(crate) struct Assertion {
    pub(crate) term: TermId,
    /// The literal that stands for it in cores.
    guard: Option<Lit>,
}

/// A scope.
struct Scope {
    guard: Lit,
    assertions: usize,
}

/// A solver for formulas over Booleans, equality with functions, and linear arithmetic.
///
/// ```
/// use alphorn_smt::{Answer, Options, Smt};
/// use alphorn_term::{SortId, Store};
///
/// let mut store = Store::new();
/// let x = store.var("x", SortId::INT);
/// let (two, seven) = (store.int(2), store.int(7));
/// let double = store.mk(alphorn_term::Op::Mul, &[two, x]);
/// let equation = store.eq(double, seven);
/// let mut smt = Smt::new(Options::default());
/// smt.assert(&mut store, equation);
/// assert_eq!(smt.check(&mut store, &[]), Answer::Unsat);
/// ```
pub struct Smt {
    options: Options,
    pub(crate) search: Search,
    pub(crate) encoder: Encoder,
    pub(crate) assertions: Vec<Assertion>,
    scopes: Vec<Scope>,
    /// The assumptions of the last query, with their literals.
    pub(crate) assumed: Vec<(Lit, TermId)>,
    pub(crate) guards: Vec<Lit>,
    /// Variables that are guards.
    pub(crate) guard_vars: FxHashSet<Var>,
    /// Whether terms were seen that no formula in force is about.
    pub(crate) has_dead: bool,
    /// Whether something was not understood that came up in a search.
    pub(crate) has_unclear_lemmas: bool,
    /// What all queries, also those of other solvers, may use together.
    fuel: Option<Fuel>,
    /// The work that fuel was used for.
    paid: u64,
    answer: Option<Answer>,
    reason: Option<Reason>,
}

impl Default for Smt {
    fn default() -> Smt {
        Smt::new(Options::default())
    }
}

impl Smt {
    /// A solver without assertions.
    pub fn new(options: Options) -> Smt {
        let search_options = alphorn_sat::Options {
            proof: u32::from(options.proofs),
            seed: options.seed,
            // Variables of theories and of later formulas must stay.
            eliminate: 0,
            equivalence: 0,
            ..alphorn_sat::Options::default()
        };
        let mut search = Solver::with_theory(search_options, Theories::new(options.proofs));
        let encoder = Encoder::new(&mut search, options.proofs);
        search.theory_mut().quantifiers.is_on = options.instance_rounds > 0;
        Smt {
            options,
            search,
            encoder,
            assertions: Vec::new(),
            scopes: Vec::new(),
            assumed: Vec::new(),
            guards: Vec::new(),
            guard_vars: FxHashSet::default(),
            has_dead: false,
            has_unclear_lemmas: false,
            fuel: None,
            paid: 0,
            answer: None,
            reason: None,
        }
    }

    /// The theories.
    pub(crate) fn theory(&self) -> &Theories {
        self.search.theory()
    }

    /// The theories, to be told something.
    pub(crate) fn theory_mut(&mut self) -> &mut Theories {
        self.search.theory_mut()
    }

    /// What makes terms literals.
    pub(crate) fn encoding<'a>(&'a mut self, store: &'a mut Store) -> Encoding<'a> {
        Encoding { encoder: &mut self.encoder, search: &mut self.search, store }
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets how many rounds of instances the following queries may have.
    pub fn set_instance_rounds(&mut self, rounds: u32) {
        self.options.instance_rounds = rounds;
    }

    /// The assignment in which the last query, which answered `Unknown`, could neither be refined nor be
    /// shown to be a model of its quantified formulas, read as a model.
    pub fn candidate(&self, store: &Store) -> Option<Model> {
        let is_stuck = self.answer == Some(Answer::Unknown) && self.theory().quantifiers.is_stuck;
        is_stuck.then(|| self.model(store))
    }

    /// Asserts a formula in the current scope.
    pub fn assert(&mut self, store: &mut Store, formula: TermId) -> AssertionId {
        self.assert_in(store, formula, 0)
    }

    /// Asserts a formula as part of a partition, for interpolation.
    pub fn assert_in(&mut self, store: &mut Store, formula: TermId, partition: u32) -> AssertionId {
        self.answer = None;
        self.encoder.partition = partition;
        let lit = self.encoding(store).literal(formula);
        let number = self.assertions.len();
        let mut clause = vec![lit];
        let mut guard = None;
        if self.options.cores {
            let lit = self.new_guard();
            guard = Some(lit);
            clause.push(!lit);
        }
        if let Some(scope) = self.scopes.last() {
            clause.push(!scope.guard);
        }
        self.encoder.assert(&mut self.search, &clause, number);
        let truth = self.encoder.truth;
        let scope = self.scopes.last().map_or(truth, |scope| scope.guard);
        let guards = [guard.unwrap_or(truth), scope];
        self.theory_mut().justification.push_root(lit, guards);
        self.assertions.push(Assertion { term: formula, guard });
        AssertionId(number as u32)
    }

    fn new_guard(&mut self) -> Lit {
        let var = self.search.new_var();
        self.guard_vars.insert(var);
        var.positive()
    }

    /// Begins a scope.
    pub fn push(&mut self) {
        let guard = self.new_guard();
        self.scopes.push(Scope { guard, assertions: self.assertions.len() });
    }

    /// Ends the innermost scope with its assertions; nothing if there is none.
    pub fn pop(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.answer = None;
            let scopes = self.scopes.len();
            Table::end_scopes(self.theory_mut(), scopes);
            self.has_dead |= self.assertions.len() > scope.assertions;
            self.theory_mut().truncate_roots(scope.assertions);
            self.search.add_clause(&[!scope.guard]);
            for assertion in self.assertions.drain(scope.assertions..) {
                if let Some(guard) = assertion.guard {
                    self.search.add_clause(&[!guard]);
                }
            }
        }
    }

    /// How many scopes there are.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// The formula of an assertion that is still there.
    pub fn assertion(&self, id: AssertionId) -> Option<TermId> {
        self.assertions.get(id.0 as usize).map(|assertion| assertion.term)
    }

    /// Whether the assertions and the assumptions have a model.
    pub fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Answer {
        self.assumed.clear();
        for &term in assumptions {
            let lit = self.encoding(store).literal(term);
            self.assumed.push((lit, term));
        }
        self.guards.clear();
        self.guards.extend(self.scopes.iter().map(|scope| scope.guard));
        self.guards.extend(self.assertions.iter().filter_map(|assertion| assertion.guard));
        let mut lits = self.guards.clone();
        lits.extend(self.assumed.iter().map(|(lit, _)| *lit));
        find_alive(self, store);
        let answer = self.search_for(store, &lits);
        self.has_dead |= !assumptions.is_empty();
        if cfg!(debug_assertions) && answer == Answer::Sat {
            let untrue = self.first_untrue(store, false);
            debug_assert!(untrue.is_none(), "{:?}", untrue.map(|term| store.show(term)));
        }
        answer
    }

    /// Whether the clauses have a model in which the literals are true.
    pub(crate) fn search_for(&mut self, store: &mut Store, lits: &[Lit]) -> Answer {
        let theory = self.search.theory_mut();
        theory.justification.clear_splits();
        Table::begin(theory, &self.options);
        let answer = self.search(store, lits);
        self.answer = Some(answer);
        answer
    }

    fn search(&mut self, store: &mut Store, lits: &[Lit]) -> Answer {
        self.reason = None;
        let begin = (self.search.stats().conflicts, self.work());
        loop {
            let theory = self.search.theory_mut();
            theory.has_stopped = false;
            theory.is_at_a_loss = false;
            let Some(answer) = self.solve_with_fuel(lits) else {
                return self.unknown(Reason::Budget);
            };
            if answer == Answer::Unsat {
                return Answer::Unsat;
            }
            let theory = self.search.theory();
            if answer == Answer::Unknown && !theory.has_stopped {
                let is_beyond = theory.is_at_a_loss;
                return self.unknown(if is_beyond { Reason::Incomplete } else { Reason::Budget });
            }
            // A model of the clauses, though perhaps not of what the operators mean.
            let is_refined = match answer {
                Answer::Sat => Table::refine(self, store),
                _ => Table::resume(self, store),
            };
            match (is_refined, answer) {
                (true, _) if self.is_spent(begin) => return self.unknown(Reason::Budget),
                (true, _) => {}
                (false, Answer::Sat)
                    if !self.theory().is_at_a_loss && !self.theory().quantifiers.is_stuck =>
                {
                    // What is not understood may be in no formula that is still there.
                    let theory = self.search.theory();
                    let is_guess = theory.unclear > 0 || Table::is_open(theory);
                    let is_about_all = lits.len() == self.guards.len() + self.assumed.len();
                    let is_model = !is_guess
                        || (is_about_all
                            && (self.first_untrue(store, true).is_none()
                                || self.understands_what_is_in_force(store)));
                    return match is_model {
                        true => Answer::Sat,
                        false => self.unknown(Reason::Incomplete),
                    };
                }
                (false, _) => return self.unknown(Reason::Incomplete),
            }
        }
    }

    /// Whether nothing in the formulas in force, nor in what they lead to, is beyond the theories: what
    /// is was in formulas of the past. Formulas are made into clauses once, so they are made again,
    /// for a solver that never searches, to see what there is to say about them.
    fn understands_what_is_in_force(&self, store: &mut Store) -> bool {
        if !self.has_dead || self.has_unclear_lemmas {
            return false;
        }
        let mut other = Smt::new(Options { proofs: false, ..self.options.clone() });
        let assertions = self.assertions.iter().map(|assertion| assertion.term);
        let assumed = self.assumed.iter().map(|(_, term)| *term);
        for formula in assertions.chain(assumed).chain(self.theory().quantifiers.stated_and_alive())
        {
            other.encoding(store).literal(formula);
            let theory = other.search.theory();
            if theory.unclear > 0 || Table::is_open(theory) {
                return false;
            }
        }
        true
    }

    /// Calls the search, if there is any fuel for it.
    fn solve_with_fuel(&mut self, lits: &[Lit]) -> Option<Answer> {
        let Some(fuel) = self.fuel.clone() else { return Some(self.search.solve(lits)) };
        // What was found wrong with the last assignment is paid for here as well.
        let left = fuel.left().checked_sub(self.unpaid()).filter(|left| *left > 0);
        fuel.take(self.unpaid());
        self.paid = self.work();
        let (left, own) = (left?, self.search.budget());
        let ticks = Some(own.ticks.map_or(left, |ticks| ticks.min(left)));
        self.search.set_budget(Budget { ticks, ..own });
        let answer = self.search.solve(lits);
        self.search.set_budget(own);
        fuel.take(self.unpaid());
        self.paid = self.work();
        Some(answer)
    }

    /// The work done so far, in ticks.
    fn work(&self) -> u64 {
        let theory = self.theory();
        self.search.stats().ticks + theory.arithmetic.simplex.ticks_used() + theory.arrays.ticks
    }

    /// The work that no fuel was used for.
    fn unpaid(&self) -> u64 {
        self.work() - self.paid
    }

    fn unknown(&mut self, reason: Reason) -> Answer {
        self.reason = Some(reason);
        Answer::Unknown
    }

    /// Whether the calls of the search since then have used up the budget of one query.
    fn is_spent(&self, (conflicts, ticks): (u64, u64)) -> bool {
        let (budget, stats) = (self.search.budget(), self.search.stats());
        self.theory().quantifiers.is_spent(&budget)
            || budget.conflicts.is_some_and(|most| stats.conflicts - conflicts >= most)
            || budget.ticks.is_some_and(|most| self.work() - ticks >= most)
    }

    /// The last answer, unless something has changed since.
    pub fn answer(&self) -> Option<Answer> {
        self.answer
    }

    /// Why the last answer was unknown.
    pub fn reason_unknown(&self) -> Option<Reason> {
        self.reason
    }

    /// The assumptions that the last answer `Unsat` needed.
    pub fn failed(&self) -> Vec<TermId> {
        let failed = self.assumed.iter().filter(|(lit, _)| self.search.is_failed(*lit));
        failed.map(|(_, term)| *term).collect()
    }

    /// The assertions that the last answer `Unsat` needed; all of them if the option is off.
    pub fn core(&self) -> Vec<AssertionId> {
        let is_needed = |assertion: &Assertion| {
            assertion.guard.is_none_or(|guard| self.search.is_failed(guard))
        };
        let needed = self.assertions.iter().enumerate().filter(|(_, a)| is_needed(a));
        needed.map(|(number, _)| AssertionId(number as u32)).collect()
    }

    /// How many assertions there were before each scope.
    pub(crate) fn scope_starts(&self) -> impl Iterator<Item = usize> {
        self.scopes.iter().map(|scope| scope.assertions)
    }

    /// The guards of scopes.
    pub(crate) fn scope_guards(&self) -> Vec<Lit> {
        self.scopes.iter().map(|scope| scope.guard).collect()
    }

    /// The literals of assertions and assumptions that the last answer `Unsat` needed.
    pub(crate) fn failed_literals(&self) -> Vec<Lit> {
        let guards = self.assertions.iter().filter_map(|assertion| assertion.guard);
        let mut all: Vec<Lit> = guards.chain(self.assumed.iter().map(|(lit, _)| *lit)).collect();
        all.retain(|lit| self.search.is_failed(*lit));
        all.dedup();
        all
    }

    /// The assertions that are always there or have one of the guards.
    pub(crate) fn guarded(&self, guards: &[Lit]) -> Vec<AssertionId> {
        let is_in = |assertion: &Assertion| assertion.guard.is_none_or(|lit| guards.contains(&lit));
        let all = self.assertions.iter().enumerate().filter(|(_, a)| is_in(a));
        all.map(|(number, _)| AssertionId(number as u32)).collect()
    }

    /// Limits each of the following queries.
    pub fn set_budget(&mut self, budget: Budget) {
        self.search.set_budget(budget);
    }

    /// Has all queries draw on fuel, besides what limits each.
    pub fn set_fuel(&mut self, fuel: Fuel) {
        self.paid = self.work();
        self.fuel = Some(fuel);
    }

    /// What limits each query.
    pub fn budget(&self) -> Budget {
        self.search.budget()
    }

    /// Ends queries soon after `flag` becomes true.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.theory_mut().quantifiers.interrupt = Arc::clone(&flag);
        self.search.set_interrupt(flag);
    }

    /// The number of truth values that the search knows: a measure of what it was told so far.
    pub fn size(&self) -> usize {
        self.search.var_count()
    }

    /// What the search counted.
    pub fn stats(&self) -> &Stats {
        self.search.stats()
    }

    /// What the theories counted.
    pub fn theory_stats(&self) -> TheoryStats {
        let theory = self.search.theory();
        let quantifier_ticks = theory.quantifiers.ticks;
        let ticks = theory.arithmetic.simplex.ticks_used() + quantifier_ticks;
        TheoryStats { ticks, quantifier_ticks, ..theory.stats }
    }

    /// An assertion or assumption that the model does not make true; those with quantifiers, which are
    /// not evaluated, count as untrue or are left out.
    fn first_untrue(&self, store: &Store, counts_quantified: bool) -> Option<TermId> {
        let model: Model = self.model(store);
        let asserted = self.assertions.iter().map(|assertion| assertion.term);
        let mut all = asserted.chain(self.assumed.iter().map(|(_, term)| *term));
        all.find(|&term| {
            let value = match store.has_quantifier(term) {
                true => return counts_quantified,
                false => alphorn_term::eval(store, term, &model),
            };
            !value.is_ok_and(|value| value.as_bool() == Some(true))
        })
    }
}
