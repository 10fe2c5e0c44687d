//! The solver: assertions in scopes, queries under assumptions, and what follows from the answers.
//!
//! A query is a call of the search under the guards of what is in force (`theories::kernel`) and the
//! caller's assumptions. Besides there are minimal reasons (`cores`), greatest values (`maximize`), and
//! questions that are paid for while they are answered (`paying`).
//!
//! What theories tell on demand is added outside of the search: they look at a model of the clauses,
//! and if one objects with clauses of its own, the search is called again.

mod cores;
mod maximize;
mod oracle;
mod paying;
mod ranged;
mod residues;
mod small;
mod valued;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alphorn_sat::{Answer, Budget, Lit, Stats};
use alphorn_term::{Model, Store, TermId};

use crate::fuel::Fuel;
use crate::options::Options;
use crate::quantifiers::{find_alive, hold_as_named};
use crate::settings::SEARCH_RESUMES;
use crate::theories::encode::Search;
use crate::theories::equality::tokens;
use crate::theories::kernel::{Assertion, Kernel};
use crate::theories::proof::Refutation;
use crate::theories::words::{has_wrong_products, state_related};
use crate::theories::{Table, Theories, TheoryStats};

pub use cores::Core;
pub use maximize::Supremum;

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
    pub(crate) kernel: Kernel,
    /// What all queries, also those of other solvers, may use together.
    fuel: Option<Fuel>,
    /// The work that fuel was used for.
    paid: u64,
    answer: Option<Answer>,
    reason: Option<Reason>,
    /// Whether the last query ended with an assignment that is a guess.
    has_guess: bool,
    /// The formulas that ranges of words were looked at of last.
    ranged: Vec<TermId>,
}

impl Default for Smt {
    fn default() -> Smt {
        Smt::new(Options::default())
    }
}

impl Smt {
    /// A solver without assertions.
    pub fn new(options: Options) -> Smt {
        let kernel = Kernel::new(&options);
        Smt {
            options,
            kernel,
            fuel: None,
            paid: 0,
            answer: None,
            reason: None,
            has_guess: false,
            ranged: Vec::new(),
        }
    }

    /// The theories.
    pub(crate) fn theory(&self) -> &Theories {
        self.kernel.theory()
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

    /// The assignment of the last query, which answered `Unknown` because what the theories let pass need not be a
    /// model, read as one.
    pub fn guess(&self, store: &Store) -> Option<Model> {
        self.has_guess.then(|| self.model(store))
    }

    /// A solver with assertions to which none will be added but what is made of their parts: numbers that they only
    /// compare for equality are no business of arithmetic.
    ///
    /// If more is asserted all the same, `Sat` may become `Unknown`.
    pub fn closed(options: Options, store: &mut Store, formulas: &[TermId]) -> Smt {
        let mut smt = Smt::new(options);
        smt.kernel.theory_mut().equality.tokens = tokens::of(store, formulas);
        for &formula in formulas {
            smt.assert(store, formula);
        }
        smt
    }

    /// Asserts a formula in the current scope.
    pub fn assert(&mut self, store: &mut Store, formula: TermId) -> AssertionId {
        self.assert_as(store, formula, 0)
    }

    /// Asserts a formula as part of a partition, for interpolation.
    pub fn assert_in(&mut self, store: &mut Store, formula: TermId, partition: u32) -> AssertionId {
        self.kernel.theory_mut().words.demand.is_off = true;
        self.assert_as(store, formula, partition)
    }

    fn assert_as(&mut self, store: &mut Store, formula: TermId, partition: u32) -> AssertionId {
        self.answer = None;
        let number = self.kernel.assert(store, formula, partition, self.options.cores);
        AssertionId(number as u32)
    }

    /// Begins a scope.
    pub fn push(&mut self) {
        self.kernel.push();
    }

    /// Ends the innermost scope with its assertions; nothing if there is none.
    pub fn pop(&mut self) {
        if self.kernel.pop() {
            self.answer = None;
        }
    }

    /// How many scopes there are.
    pub fn scopes(&self) -> usize {
        self.kernel.scopes()
    }

    /// The formula of an assertion that is still there.
    pub fn assertion(&self, id: AssertionId) -> Option<TermId> {
        self.kernel.assertions.get(id.0 as usize).map(|assertion| assertion.term)
    }

    /// Whether the assertions and the assumptions have a model.
    pub fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Answer {
        let lits = self.kernel.assume(store, assumptions);
        find_alive(&mut self.kernel, store);
        state_related(&mut self.kernel, store);
        let answer = self.search_with_ranges(store, &lits);
        self.kernel.has_dead |= !assumptions.is_empty();
        if cfg!(debug_assertions) && answer == Answer::Sat {
            let untrue = self.first_untrue(store, false);
            debug_assert!(untrue.is_none(), "{:?}", untrue.map(|term| store.show(term)));
        }
        answer
    }

    /// Whether the clauses have a model in which the literals are true.
    fn search_for(&mut self, store: &mut Store, lits: &[Lit]) -> Answer {
        let theory = self.kernel.theory_mut();
        theory.justification.clear_splits();
        Table::begin(theory, &self.options);
        let answer = self.search(store, lits);
        self.answer = Some(answer);
        answer
    }

    fn search(&mut self, store: &mut Store, lits: &[Lit]) -> Answer {
        self.reason = None;
        self.has_guess = false;
        let begin = (self.kernel.search.stats().conflicts, self.work());
        let mut is_refined = false;
        loop {
            let theory = self.kernel.theory_mut();
            theory.has_stopped = false;
            theory.is_at_a_loss = false;
            // Instances are looked for in models, and models that are much the same have no end of them.
            let is_resumed = is_refined && self.theory().quantifiers.is_empty();
            let Some(answer) = self.solve_with_fuel(lits, is_resumed) else {
                return self.unknown(Reason::Budget);
            };
            if answer == Answer::Unsat {
                return Answer::Unsat;
            }
            let theory = self.theory();
            if answer == Answer::Unknown && !theory.has_stopped {
                let is_beyond = theory.is_at_a_loss;
                return self.unknown(if is_beyond { Reason::Incomplete } else { Reason::Budget });
            }
            // A model of the clauses, though perhaps not of what the operators mean.
            is_refined = match answer {
                Answer::Sat if self.is_model_as_evaluated(store, lits) => return Answer::Sat,
                Answer::Sat => Table::refine(&mut self.kernel, store),
                _ => Table::resume(&mut self.kernel, store),
            };
            match (is_refined, answer) {
                (true, _) if self.is_spent(begin) => return self.unknown(Reason::Budget),
                (true, _) => {}
                (false, Answer::Sat)
                    if !self.theory().is_at_a_loss && !self.theory().quantifiers.is_stuck =>
                {
                    // What is not understood may be in no formula that is still there.
                    let theory = self.theory();
                    let is_guess = theory.unclear > 0 || Table::is_open(theory);
                    let is_about_all = self.kernel.is_whole(lits);
                    let is_model = !is_guess
                        || (is_about_all
                            && (self.first_untrue(store, true).is_none()
                                || self.holds_as_named(store)
                                || self.understands_what_is_in_force(store)));
                    return match is_model {
                        true => Answer::Sat,
                        false => {
                            self.has_guess = true;
                            self.unknown(Reason::Incomplete)
                        }
                    };
                }
                (false, _) => return self.unknown(Reason::Incomplete),
            }
        }
    }

    /// Whether products of words are wrong in the assignment, but the values of variables make the formulas true all the same.
    fn is_model_as_evaluated(&self, store: &mut Store, lits: &[Lit]) -> bool {
        self.theory().quantifiers.is_empty()
            && has_wrong_products(&self.kernel, store)
            && self.kernel.is_whole(lits)
            && self.first_untrue(store, true).is_none()
    }

    /// Whether the formulas in force, some of which have quantifiers, are true if declared sorts have no other elements than
    /// those that the model names.
    fn holds_as_named(&self, store: &Store) -> bool {
        let formulas: Vec<TermId> = self.kernel.in_force().collect();
        formulas.iter().any(|&formula| store.has_quantifier(formula))
            && self.first_untrue(store, false).is_none()
            && hold_as_named(store, &formulas, &self.model(store))
    }

    /// Whether nothing in the formulas in force, nor in what they lead to, is beyond the theories: what
    /// is was in formulas of the past. Formulas are made into clauses once, so they are made again,
    /// for a solver that never searches, to see what there is to say about them.
    fn understands_what_is_in_force(&self, store: &mut Store) -> bool {
        if !self.kernel.has_dead || self.kernel.has_unclear_lemmas {
            return false;
        }
        let mut other = Smt::new(Options { proofs: false, ..self.options.clone() });
        let stated = self.theory().quantifiers.stated_and_alive();
        for formula in self.kernel.in_force().chain(stated) {
            other.kernel.encoding(store).literal(formula);
            let theory = other.theory();
            if theory.unclear > 0 || Table::is_open(theory) {
                return false;
            }
        }
        true
    }

    /// Calls the search, if there is any fuel for it, anew or to go on.
    fn solve_with_fuel(&mut self, lits: &[Lit], is_resumed: bool) -> Option<Answer> {
        let solve = |search: &mut Search| match is_resumed && SEARCH_RESUMES.get() > 0 {
            true => search.resume(lits),
            false => search.solve(lits),
        };
        let Some(fuel) = self.fuel.clone() else { return Some(solve(&mut self.kernel.search)) };
        // What was found wrong with the last assignment is paid for here as well.
        let left = fuel.left().checked_sub(self.unpaid()).filter(|left| *left > 0);
        fuel.take(self.unpaid());
        self.paid = self.work();
        let (left, own) = (left?, self.kernel.search.budget());
        let ticks = Some(own.ticks.map_or(left, |ticks| ticks.min(left)));
        self.kernel.search.set_budget(Budget { ticks, ..own });
        let answer = solve(&mut self.kernel.search);
        self.kernel.search.set_budget(own);
        fuel.take(self.unpaid());
        self.paid = self.work();
        Some(answer)
    }

    /// The work done so far, in ticks.
    fn work(&self) -> u64 {
        let theory = self.theory();
        self.kernel.search.stats().ticks
            + theory.arithmetic.simplex.ticks_used()
            + theory.arrays.ticks
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
        let (budget, stats) = (self.kernel.search.budget(), self.kernel.search.stats());
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

    /// The model found by the last query, which answered `Sat`.
    pub fn model(&self, store: &Store) -> Model {
        self.kernel.model(store)
    }

    /// Tries a truth value as true before it is tried as false.
    pub fn prefer(&mut self, store: &mut Store, truth: TermId) {
        let lit = self.kernel.encoding(store).literal(truth);
        self.kernel.search.set_phase(lit);
    }

    /// The terms for the bound variables in the instances of a quantified formula so far, in their order.
    pub fn instances(&self, quantifier: TermId) -> Vec<Vec<TermId>> {
        self.theory().quantifiers.instances(quantifier)
    }

    /// The values of these variables in the model found by the last query, which answered `Sat`.
    pub fn model_of(&self, store: &Store, vars: &[TermId]) -> Model {
        self.kernel.model_of(store, vars)
    }

    /// A refutation of the assertions and the assumptions of the last query, which answered `Unsat`.
    ///
    /// There is none unless the solver records proofs. Terms that the proof needs are added to `store`.
    pub fn refutation(&self, store: &mut Store) -> Option<Refutation> {
        self.refutation_or_reason(store).ok()
    }

    /// A refutation as above, or in words which step could not be written down.
    pub fn refutation_or_reason(&self, store: &mut Store) -> Result<Refutation, String> {
        self.kernel.refutation(store)
    }

    /// The assumptions that the last answer `Unsat` needed.
    pub fn failed(&self) -> Vec<TermId> {
        let failed =
            self.kernel.assumed.iter().filter(|(lit, _)| self.kernel.search.is_failed(*lit));
        failed.map(|(_, term)| *term).collect()
    }

    /// The assertions that the last answer `Unsat` needed; all of them if the option is off.
    pub fn core(&self) -> Vec<AssertionId> {
        let is_needed = |assertion: &Assertion| {
            assertion.guard.is_none_or(|guard| self.kernel.search.is_failed(guard))
        };
        let needed = self.kernel.assertions.iter().enumerate().filter(|(_, a)| is_needed(a));
        needed.map(|(number, _)| AssertionId(number as u32)).collect()
    }

    /// The literals of assertions and assumptions that the last answer `Unsat` needed.
    fn failed_literals(&self) -> Vec<Lit> {
        let guards = self.kernel.assertions.iter().filter_map(|assertion| assertion.guard);
        let mut all: Vec<Lit> =
            guards.chain(self.kernel.assumed.iter().map(|(lit, _)| *lit)).collect();
        all.retain(|lit| self.kernel.search.is_failed(*lit));
        all.dedup();
        all
    }

    /// The assertions that are always there or have one of the guards.
    fn guarded(&self, guards: &[Lit]) -> Vec<AssertionId> {
        let is_in = |assertion: &Assertion| assertion.guard.is_none_or(|lit| guards.contains(&lit));
        let all = self.kernel.assertions.iter().enumerate().filter(|(_, a)| is_in(a));
        all.map(|(number, _)| AssertionId(number as u32)).collect()
    }

    /// Limits each of the following queries.
    pub fn set_budget(&mut self, budget: Budget) {
        self.kernel.search.set_budget(budget);
    }

    /// Has all queries draw on fuel, besides what limits each.
    pub fn set_fuel(&mut self, fuel: Fuel) {
        self.paid = self.work();
        self.fuel = Some(fuel);
    }

    /// What limits each query.
    pub fn budget(&self) -> Budget {
        self.kernel.search.budget()
    }

    /// Ends queries soon after `flag` becomes true.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.kernel.theory_mut().quantifiers.interrupt = Arc::clone(&flag);
        self.kernel.search.set_interrupt(flag);
    }

    /// The number of truth values that the search knows: a measure of what it was told so far.
    pub fn size(&self) -> usize {
        self.kernel.search.var_count()
    }

    /// What the search counted.
    pub fn stats(&self) -> &Stats {
        self.kernel.search.stats()
    }

    /// What the theories counted.
    pub fn theory_stats(&self) -> TheoryStats {
        let theory = self.theory();
        let quantifier_ticks = theory.quantifiers.ticks;
        let ticks = theory.arithmetic.simplex.ticks_used() + quantifier_ticks;
        let instances = theory.quantifiers.counts;
        let array_lemmas = theory.arrays.lemma_count();
        TheoryStats { ticks, quantifier_ticks, array_lemmas, instances, ..theory.stats }
    }

    /// An assertion or assumption that the model does not make true; those with quantifiers, which are
    /// not evaluated, count as untrue or are left out.
    fn first_untrue(&self, store: &Store, counts_quantified: bool) -> Option<TermId> {
        let model: Model = self.model(store);
        let mut all = self.kernel.in_force();
        all.find(|&term| {
            let value = match store.has_quantifier(term) {
                true => return counts_quantified,
                false => alphorn_term::eval(store, term, &model),
            };
            !value.is_ok_and(|value| value.as_bool() == Some(true))
        })
    }
}
