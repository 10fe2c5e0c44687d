//! What is asked of a solver, so that tests can put one in place that errs.
//!
//! Assertions count from zero among those in force; `pop` takes the last ones away.

use alphorn_problem::evidence::proof::Proof;
use alphorn_smt::interpolate::{self, InterpolationOptions};
use alphorn_smt::project::{Oracle, Outcome};
use alphorn_smt::{Answer, Budget, Options, Reason, Smt};
use alphorn_term::{Model, Store, TermId};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a solver is to be made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether refutations will be asked for.
    pub proofs: bool,
    /// Whether cores will be asked for.
    pub cores: bool,
    /// The seed of everything random.
    pub seed: u32,
    /// The most conflicts in each question.
    pub conflicts: Option<u64>,
    /// The most ticks in each question.
    pub ticks: Option<u64>,
    /// Ends the search soon after it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

impl Settings {
    /// What each question may spend.
    pub fn budget(&self) -> Budget {
        Budget { conflicts: self.conflicts, ticks: self.ticks, ..Budget::default() }
    }
}

/// What a solver says about one question; nothing here is checked yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A model.
    Sat,
    /// That there is none.
    Unsat,
    /// Nothing.
    Unknown,
}

/// A solver with levels of assertions.
pub trait Kernel {
    /// Asserts a formula in the innermost level.
    fn assert(&mut self, store: &mut Store, formula: TermId);
    /// Sets what each question from now on may spend.
    fn limit(&mut self, _settings: &Settings) {}
    /// Begins a level.
    fn push(&mut self);
    /// Ends the innermost level.
    fn pop(&mut self);
    /// Whether the assertions and the assumptions have a model.
    fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Found;
    /// The model of the last search, which found one.
    fn model(&self, store: &Store) -> Model;
    /// The assumptions that the last search, which found none, needed.
    fn failed(&self) -> Vec<TermId>;
    /// The assertions that the last search, which found none, needed.
    fn core(&self) -> Vec<usize>;
    /// A refutation of the assertions, followed by the assumptions, of the last search.
    fn refutation(&self, store: &mut Store) -> Option<Proof>;
    /// Interpolants of a tree of formulas out of one proof, one for each formula; none if the
    /// solver cannot.
    fn interpolants(
        &self,
        _store: &mut Store,
        _parts: &[TermId],
        _parents: &[Option<u32>],
    ) -> Option<Vec<TermId>> {
        None
    }
    /// Why the last search found nothing.
    fn reason(&self) -> String;
    /// How much it was told so far, also of what is no longer in force, in some measure.
    fn size(&self) -> usize {
        0
    }
    /// What was counted.
    fn statistics(&self) -> Vec<(&'static str, u64)>;
}

/// A solver that is asked for models of conjunctions.
pub(crate) struct Asking<K>(pub(crate) K);

impl<K: Kernel> Oracle for Asking<K> {
    fn check(&mut self, store: &mut Store, formulas: &[TermId]) -> Outcome {
        match self.0.check(store, formulas) {
            Found::Sat => Outcome::Sat(Box::new(self.0.model(store))),
            Found::Unsat => Outcome::Unsat,
            Found::Unknown => Outcome::Unknown,
        }
    }
}

/// The solver of `alphorn-smt` as one that scripts can ask.
pub struct Own(Smt);

impl Own {
    /// A solver without assertions.
    pub fn new(settings: &Settings) -> Own {
        let mut smt = Smt::new(Options {
            proofs: settings.proofs,
            cores: settings.cores,
            word_ranges: true,
            seed: settings.seed,
            ..Options::default()
        });
        smt.set_budget(settings.budget());
        smt.set_interrupt(Arc::clone(&settings.interrupt));
        Own(smt)
    }
}

impl Kernel for Own {
    fn assert(&mut self, store: &mut Store, formula: TermId) {
        self.0.assert(store, formula);
    }

    fn limit(&mut self, settings: &Settings) {
        self.0.set_budget(settings.budget());
    }

    fn push(&mut self) {
        self.0.push();
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn check(&mut self, store: &mut Store, assumptions: &[TermId]) -> Found {
        match self.0.check_small(store, assumptions) {
            Answer::Sat => Found::Sat,
            Answer::Unsat => Found::Unsat,
            Answer::Unknown => Found::Unknown,
        }
    }

    fn model(&self, store: &Store) -> Model {
        self.0.model(store)
    }

    fn failed(&self) -> Vec<TermId> {
        self.0.failed()
    }

    fn core(&self) -> Vec<usize> {
        self.0.core().into_iter().map(|id| id.0 as usize).collect()
    }

    fn refutation(&self, store: &mut Store) -> Option<Proof> {
        self.0.refutation(store).map(|refutation| refutation.proof)
    }

    fn interpolants(
        &self,
        store: &mut Store,
        parts: &[TermId],
        parents: &[Option<u32>],
    ) -> Option<Vec<TermId>> {
        let options = InterpolationOptions { budget: self.0.budget(), ..Default::default() };
        interpolate::tree(store, parts, parents, &options).interpolants()
    }

    fn reason(&self) -> String {
        match self.0.reason_unknown() {
            Some(Reason::Incomplete) => "the formulas are beyond what the theories decide",
            Some(Reason::Budget) | None => "out of conflicts",
        }
        .to_owned()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn statistics(&self) -> Vec<(&'static str, u64)> {
        let stats = self.0.theory_stats();
        let lemmas =
            [("array lemmas", stats.array_lemmas), ("product lemmas", stats.product_lemmas)];
        self.0.stats().entries().chain(lemmas).collect()
    }
}
