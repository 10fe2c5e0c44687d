//! The solver for formulas with quantifiers, which stays from question to question.
//!
//! It is made when a question first needs it and then has the assertions in force, level by level.
//! Instances and witnesses that it states hold always, so what it has learned is there for the next
//! question, and an assertion is looked at when it is new. The budget and the alarm end its search;
//! no number of instances does, unless functions are defined by themselves. What it was told and is
//! no longer in force stays in its tables, so when that is most of what it knows it is made anew.
//!
//! Invariant: its levels are the outer ones of the session, and it has their first assertions in
//! their order, so that the numbers in its refutations are those of the session.

use crate::kernel::Settings;
use alphorn_smt::ef::exactly_one;
use alphorn_smt::quantifiers::{Quantified, UNLIMITED_ROUNDS};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Store, TermId};
use std::sync::Arc;

/// How many formulas that are no longer in force are always borne, and how many for each that is.
const DEAD_BORNE: usize = 64;
const DEAD_PER_LIVING: usize = 2;

/// How many rounds of instances, and how many out of models, there are at most where functions are
/// defined by themselves: each may unfold them once more, without an end.
pub(crate) const UNFOLDINGS: u32 = 128;
const UNFOLDINGS_OF_MODELS: u32 = 4;

/// A solver that is behind the session.
pub(crate) struct Instances {
    smt: Smt,
    /// Whether functions are defined by themselves.
    unfolds: bool,
    /// How many assertions it has.
    count: usize,
    /// How many formulas it was told that are no longer in force.
    dead: usize,
}

impl Instances {
    /// A solver that was told nothing; whether functions are defined by themselves matters to it.
    pub(crate) fn new(settings: &Settings, unfolds: bool) -> Instances {
        let mut smt = Smt::new(Options {
            proofs: true,
            instance_rounds: UNLIMITED_ROUNDS,
            far_instances: true,
            model_rounds: if unfolds { UNFOLDINGS_OF_MODELS } else { u32::MAX },
            seed: settings.seed,
            ..Options::default()
        });
        smt.set_interrupt(Arc::clone(&settings.interrupt));
        Instances { smt, unfolds, count: 0, dead: 0 }
    }

    /// What its search has counted.
    pub(crate) fn statistics(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let stats = self.smt.theory_stats();
        let counts = stats.instances;
        let instances = [
            ("array lemmas", stats.array_lemmas),
            ("product lemmas", stats.product_lemmas),
            ("instances", counts.all),
            ("conflicting instances", counts.conflicting),
            ("inducing instances", counts.inducing),
            ("rounds of instances", counts.rounds),
            ("rounds with conflicting instances", counts.conflicting_rounds),
        ];
        self.smt.stats().entries().chain(instances)
    }

    /// Ends levels until there are `levels`, before which there were `count` assertions.
    pub(crate) fn pop_to(&mut self, levels: usize, count: usize) {
        while self.smt.scopes() > levels {
            self.smt.pop();
        }
        self.dead += self.count.saturating_sub(count);
        self.count = self.count.min(count);
    }

    /// Catches up with assertions and the number of them before each level.
    fn follow(&mut self, store: &mut Store, assertions: &[TermId], levels: &[usize]) {
        loop {
            let level = levels.get(self.smt.scopes());
            let end = level.copied().unwrap_or(assertions.len());
            let new = &assertions[self.count.min(end)..end];
            for formula in new {
                self.smt.assert(store, *formula);
            }
            if !new.is_empty() {
                for truth in exactly_one(store, &assertions[..end]) {
                    self.smt.prefer(store, truth);
                }
            }
            self.count = self.count.max(end);
            if level.is_none() {
                return;
            }
            self.smt.push();
        }
    }

    /// Whether it was told anything that is no longer in force.
    pub(crate) fn has_dead(&self) -> bool {
        self.dead > 0
    }

    /// Whether most of what it knows is in force, with so many assertions, and whether it was made for
    /// functions like these.
    pub(crate) fn is_fit(&self, assertions: usize, unfolds: bool) -> bool {
        self.dead <= DEAD_BORNE + DEAD_PER_LIVING * assertions && self.unfolds == unfolds
    }

    /// The assignment in which the last search got stuck, as a model of what it could judge.
    pub(crate) fn candidate(&self, store: &Store) -> Option<Model> {
        self.smt.candidate(store)
    }

    /// The assignment that the last search did not object to, where that does not make it a model.
    pub(crate) fn guess(&self, store: &Store) -> Option<Model> {
        self.smt.guess(store)
    }

    /// Decides assertions, of which there were so many before each level, and assumptions, in so many
    /// rounds if there is a limit.
    pub(crate) fn decide(
        &mut self,
        store: &mut Store,
        (assertions, levels): (&[TermId], &[usize]),
        assumptions: &[TermId],
        (settings, most): (&Settings, Option<u32>),
    ) -> Quantified {
        self.smt.set_instance_rounds(most.unwrap_or(UNLIMITED_ROUNDS));
        self.follow(store, assertions, levels);
        self.smt.set_budget(settings.budget());
        let found = match self.smt.check(store, assumptions) {
            Answer::Unknown => Quantified::Unknown,
            Answer::Sat => Quantified::Model(Box::new(self.smt.model(store))),
            Answer::Unsat => {
                let refutation = self.smt.refutation(store);
                refutation.map_or(Quantified::Unknown, |found| Quantified::Refuted(Box::new(found)))
            }
        };
        self.dead += assumptions.len();
        found
    }
}
