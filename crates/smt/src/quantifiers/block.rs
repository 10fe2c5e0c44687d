//! Exists–forall: a universal formula over truth values, words and numbers, asked for a counterexample.
//!
//! The assignment of the search is a candidate for the existential variables, and a block says for which
//! values of the universal ones it fails. Before that, once:
//!
//! - universal formulas inside join the block (`nest`); existential ones inside are eliminated where numbers
//!   are quantified, and otherwise are for the solver that looks for the counterexample, which has blocks of its own;
//! - variables that equations determine are replaced by their terms (`determined`). A circuit with its gates as
//!   variables becomes a formula over its inputs; otherwise each counterexample would exclude one candidate.
//!
//! With a candidate's values the block is a question of its own. What is learned is an
//! instance: with terms that say why the values violate the body (`bounds`), or with the values. Each
//! violates the body for the candidate, so that no candidate comes twice, and over truth values and words
//! this ends.
//!
//! After Dutertre, Solving exists/forall problems with Yices (SMT 2015), and Gascón, Subramanyan, Dutertre,
//! Tiwari, Jovanović, Malik, Template-based circuit understanding (FMCAD 2014).

use std::sync::Arc;

use alphorn_sat::{Answer, Budget};
use alphorn_term::{Model, Op, Sort, Store, Substitution, TermId, Value, eval};

use super::bounds::Bounds;
use super::determined::resolved;
use super::nest::Nest;
use super::{QuantifierLimits, UNLIMITED_ROUNDS};
use crate::options::Options;
use crate::project::{Limits, eliminate_all, symbols};
use crate::smt::Smt;

/// A universal formula, ready to be asked.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) nest: Nest,
    /// The names that nothing determines.
    open: Vec<TermId>,
    /// The others, with their terms.
    determined: Vec<(TermId, TermId)>,
    /// What is true of the open names where the body is violated.
    violated: TermId,
    /// What else `violated` mentions.
    symbols: Vec<TermId>,
}

/// What was found about a candidate.
pub(super) enum Found {
    /// It satisfies the formula.
    Nothing,
    /// Terms for the names that violate the body, the better ones first.
    Violated(Vec<Substitution>),
    /// It cannot be told.
    Unknown,
}

/// Whether a formula is about truth values, words and numbers alone.
pub(super) fn is_plain(store: &Store, formula: TermId) -> bool {
    store.subterms(&[formula]).into_iter().all(|term| {
        let sort = store.sort_of(store.sort(term));
        let args = store.args(term);
        let is_function = match store.op(term) {
            Op::Apply(_) => !args.is_empty(),
            // What division by zero gives is for a model to say.
            Op::IntDiv | Op::Mod | Op::RealDiv => is_zero(store, args[1]),
            _ => false,
        };
        matches!(sort, Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)) && !is_function
    })
}

fn is_zero(store: &Store, number: TermId) -> bool {
    store.int_value(number).is_some_and(|value| value.is_zero())
        || store.real_value(number).is_some_and(|value| value.is_zero())
}

impl Block {
    /// The block of a formula that is about truth values, words and numbers.
    pub(super) fn new(store: &mut Store, quantifier: TermId, limits: &QuantifierLimits) -> Block {
        let (nest, body) = Nest::new(store, quantifier);
        let is_positive = store.op(quantifier) == Op::Forall;
        let names = nest.names();
        let mut violated = if is_positive { store.not(body) } else { body };
        let has_numbers = names.iter().any(|name| store.sort(*name).is_arithmetic());
        if store.has_quantifier(violated) && has_numbers {
            let mut oracle = Smt::default();
            oracle.set_budget(limits.budget);
            oracle.set_interrupt(Arc::clone(&limits.interrupt));
            let without = eliminate_all(store, violated, &mut oracle, &Limits::default());
            violated = without.unwrap_or(violated);
        }
        let determined = resolved(store, &names, violated, true);
        let map: Substitution = determined.iter().copied().collect();
        violated = store.substitute(violated, &map);
        let open: Vec<TermId> = names.into_iter().filter(|name| !map.contains_key(name)).collect();
        let mut symbols = symbols(store, violated);
        symbols.retain(|symbol| !open.contains(symbol));
        Block { nest, open, determined, violated, symbols }
    }

    /// Looks for a violation in a model.
    pub(super) fn ask(
        &self,
        store: &mut Store,
        model: &Model,
        (limits, budget): (&QuantifierLimits, Budget),
        ticks: &mut u64,
    ) -> Found {
        let Some(mut violation) = self.candidate(store, model) else { return Found::Unknown };
        let mut values = Substitution::default();
        for symbol in &self.symbols {
            let value = eval(store, *symbol, &violation).ok();
            let Some(value) = value.and_then(|value| store.value_term(&value)) else {
                return Found::Unknown;
            };
            values.insert(*symbol, value);
        }
        let question = store.substitute(self.violated, &values);
        let has_quantifier = store.has_quantifier(question);
        let rounds = if has_quantifier { UNLIMITED_ROUNDS } else { 0 };
        let mut smt = Smt::new(Options { instance_rounds: rounds, ..Options::default() });
        smt.set_budget(budget);
        smt.set_interrupt(Arc::clone(&limits.interrupt));
        smt.assert(store, question);
        let answer = smt.check(store, &[]);
        *ticks += smt.stats().ticks;
        match answer {
            Answer::Unsat => return Found::Nothing,
            Answer::Unknown => return Found::Unknown,
            Answer::Sat => {}
        }
        let found = smt.model_of(store, &self.open);
        for name in &self.open {
            let value = found.vars.get(name).cloned();
            let value = value.or_else(|| Value::default_of(store, store.sort(*name)));
            let Some(value) = value else { return Found::Unknown };
            violation.set(*name, value);
        }
        self.learn(store, &violation)
    }

    /// The model's values of the symbols; those that it leaves out have any.
    fn candidate(&self, store: &Store, model: &Model) -> Option<Model> {
        let mut candidate = Model { choices: model.choices.clone(), ..Model::default() };
        for &symbol in &self.symbols {
            let value = match store.op(symbol) {
                Op::Apply(func) => model.funcs.get(&func).and_then(|table| table.default.clone()),
                _ => model.vars.get(&symbol).cloned(),
            };
            let value = value.or_else(|| Value::default_of(store, store.sort(symbol)))?;
            match store.op(symbol) {
                Op::Apply(func) => {
                    candidate.funcs.entry(func).or_default().default = Some(value);
                }
                _ => candidate.set(symbol, value),
            }
        }
        Some(candidate)
    }

    /// Terms and values of a violation.
    fn learn(&self, store: &mut Store, violation: &Model) -> Found {
        let mut values = Substitution::default();
        for &name in &self.open {
            let value = violation.vars.get(&name).and_then(|value| store.value_term(value));
            let Some(value) = value else { return Found::Unknown };
            values.insert(name, value);
        }
        let is_truth = |name: &&TermId| store.sort_of(store.sort(**name)) == &Sort::Bool;
        let given: Substitution =
            self.open.iter().filter(is_truth).map(|name| (*name, values[name])).collect();
        let mut found = Vec::new();
        if given.len() < self.open.len() && !store.has_quantifier(self.violated) {
            let bounds = Bounds::new(store, self.violated, &self.open, violation);
            let terms = bounds.terms(&given);
            let terms: Substitution = self.open.iter().copied().zip(terms).collect();
            let instance = store.substitute(self.violated, &terms);
            if eval(store, instance, violation) == Ok(Value::Bool(true)) {
                found.push(terms);
            }
        }
        if found.first() != Some(&values) {
            found.push(values);
        }
        for terms in &mut found {
            for (name, term) in &self.determined {
                let term = store.substitute(*term, terms);
                terms.insert(*name, term);
            }
        }
        Found::Violated(found)
    }
}
