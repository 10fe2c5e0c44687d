//! Property-directed reachability for Horn clauses, in the style of Spacer.
//!
//! Generalized PDR (Hoder and Bjørner, SAT 2012) keeps, level by level, lemmas about what the
//! predicates can be up to a height of derivations, and asks backwards from the queries what would
//! have to be derivable. Spacer (Komuravelli, Gurfinkel and Chaki, CAV 2014) adds facts found from
//! below, and chooses per atom of a body between lemmas and facts, so that clauses with several
//! atoms need no unfolding into trees; predecessors come from model-based projection.
//!
//! - `system`: clauses as rules
//! - `rules`: a solver per rule, with lemmas and facts
//! - `frames`: lemmas by level
//! - `queue`: obligations
//! - `search`: one step for an obligation
//! - `generalize`: stronger lemmas, higher levels
//! - `separate`: weaker cubes by interpolation
//! - `witness`: counterexamples to induction, kept
//! - `guidance`: what lemmas that look alike say together
//! - `combine`: one inequality for several; `literal`: inequalities in one form
//! - `reduce`: the lemmas that a proof needs; `derivation`: values for facts
//!
//! Safe answers are the lemmas of an inductive level, proved clause by clause (`evidence`).

mod combine;
mod derivation;
mod exchange;
mod frames;
mod generalize;
mod guidance;
pub(crate) mod literal;
mod queue;
mod reduce;
mod rules;
mod search;
mod separate;
mod system;
#[cfg(test)]
mod tests;
mod witness;

use crate::settings::PDR_MAX_WAITING;
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::readable::Names;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::{Finding, Horn};
use alphorn_smt::project::Cone;
use alphorn_term::TermId;
use frames::{Frames, INFINITY, Lemma};
use guidance::Guidance;
use queue::{Obligation, Queue};
use rules::Solvers;
use rustc_hash::FxHashMap;
use search::{FactId, Search, Step};
use system::System;
use witness::Witnesses;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "pdr",
    about: "excludes or derives what queries need, level by level, with lemmas and facts [KGC14]",
    proves: true,
    refutes: true,
    build: || engine(Settings::default()),
};

/// The engine without guidance, which some small systems are better off with.
pub const UNGUIDED: Card<Horn> = Card {
    name: "pdr-unguided",
    about: "pdr that learns nothing from lemmas that look alike",
    proves: true,
    refutes: true,
    build: || engine(Settings { is_guided: false, ..Settings::default() }),
};

/// The engine with interpolation in generalization.
pub const SEPARATING: Card<Horn> = Card {
    name: "pdr-separating",
    about: "pdr that puts half-spaces from Farkas' certificates in the place of literals [HB12]",
    proves: true,
    refutes: true,
    build: || engine(Settings { is_separating: true, ..Settings::default() }),
};

/// What can be chosen about the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether families of lemmas guide generalization.
    pub is_guided: bool,
    /// Whether lemmas are tried at the infinite level.
    pub has_infinity: bool,
    /// Whether cluttered solvers are made anew.
    pub is_tidy: bool,
    /// Whether generalization leaves out literals first that few lemmas have.
    pub is_ordered: bool,
    /// Whether counterexamples to induction are kept.
    pub keeps_witnesses: bool,
    /// Whether lemmas that a proof does not need are left out of it.
    pub is_reduced: bool,
    /// Whether cubes are made weaker by interpolation.
    pub is_separating: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            is_guided: true,
            has_infinity: true,
            is_tidy: true,
            is_ordered: true,
            keeps_witnesses: true,
            is_reduced: true,
            is_separating: false,
        }
    }
}

/// The engine with these settings.
pub fn engine(settings: Settings) -> Box<dyn Engine<Horn>> {
    Box::new(Pdr { settings })
}

struct Pdr {
    settings: Settings,
}

impl Engine<Horn> for Pdr {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut search = Search::new(horn, self.settings.clone())?;
        loop {
            let hints = search.hear(ctx);
            search.add_level();
            search.try_hints(hints, ctx)?;
            if let Some(goal) = search.settle(ctx)? {
                return Ok(Finding::Fails(search.derivation(goal, ctx)?));
            }
            search.tell(ctx);
            search.remember(ctx);
            if let Some(level) = search.propagate(ctx)? {
                return search.model(level, ctx);
            }
        }
    }
}

impl<'a> Search<'a> {
    fn new(horn: &'a Horn, settings: Settings) -> Result<Search<'a>, Stop> {
        let mut store = horn.terms.clone();
        let system = System::new(horn, &mut store)?;
        let solvers = Solvers::new(&system, &mut store);
        let (preds, rules) = (system.params.len(), system.rules.len());
        let root = Obligation {
            pred: system.goal(),
            cube: Vec::new(),
            level: 1,
            depth: 0,
            conjecture: None,
        };
        let mut search = Search {
            horn,
            store,
            system,
            solvers,
            frames: Frames::new(preds),
            facts: Vec::new(),
            facts_of: vec![Vec::new(); preds],
            queue: Queue::new(PDR_MAX_WAITING.size()),
            guidance: Guidance::new(settings.is_guided),
            settings,
            witnesses: Witnesses::new(rules),
            activity: FxHashMap::default(),
            cone: Cone::default(),
            breaking: None,
            separated: 0,
            names: Names::of(horn),
            top: 0,
        };
        search.queue.push(root);
        search.begin();
        Ok(search)
    }

    /// Settles obligations until the goal is derived, or excluded at the top level.
    fn settle(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<FactId>, Stop> {
        while let Some(id) = self.queue.pop() {
            ctx.tick(1)?;
            if !self.queue.spend(id) {
                continue;
            }
            let obligation = self.queue.obligation(id).clone();
            let Obligation { pred, level, depth, conjecture, .. } = obligation;
            for &literal in &obligation.cube {
                self.frames.note(&self.store, literal);
            }
            let excluded = self.frames.excluded_up_to(pred, &obligation.cube);
            if excluded == INFINITY {
                if depth == 0 {
                    return Ok(None);
                }
            } else if excluded >= level {
                self.queue.push_again(id, excluded + 1);
            } else {
                match self.expand(&obligation, ctx)? {
                    Step::Derived(fact) if depth == 0 => return Ok(Some(fact)),
                    Step::Derived(_) => self.queue.derived(id),
                    Step::Needs(pred, cube) => {
                        let (level, depth) = (level - 1, depth + 1);
                        self.queue.push_again(id, level + 1);
                        self.queue.push(Obligation { pred, cube, level, depth, conjecture });
                    }
                    Step::Excluded(core) => {
                        let cube = self.generalize(pred, level, core, ctx)?;
                        let level = self.raise(pred, level, &cube, ctx)?;
                        self.add_lemma(pred, cube, level, ctx);
                        if level < INFINITY {
                            self.queue.push_again(id, level + 1);
                        } else if depth == 0 {
                            return Ok(None);
                        }
                        for (pred, cube) in std::mem::take(&mut self.guidance.pending) {
                            self.queue.conjecture(pred, cube, &obligation);
                        }
                    }
                }
            }
            if depth == 0 && self.queue.obligation(id).level > self.top {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Says how far the search is.
    fn tell(&self, ctx: &mut Ctx<'_>) {
        ctx.emit(Event::Bound { depth: self.top as u64 });
        ctx.emit(Event::Lemmas { count: self.frames.count() as u64 });
        ctx.emit(Event::Remark(format!(
            "level {}: {} lemmas of which {} are invariants, {} facts, {} obligations of which {} \
             wait, {} questions besides {} that were known, {} cubes made weaker by interpolation, \
             {} solvers made anew",
            self.top,
            self.frames.count(),
            self.frames.count_at(INFINITY),
            self.facts.len(),
            self.queue.count(),
            self.queue.waiting(),
            self.solvers.questions,
            self.witnesses.used,
            self.separated,
            self.solvers.rebuilt
        )));
    }

    /// The model that the lemmas above a level are.
    fn model(mut self, level: usize, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut lemmas: Vec<Vec<Lemma>> = Vec::with_capacity(self.frames.preds());
        for pred in 0..self.frames.preds() {
            let above = self.frames.of(pred).iter().filter(|lemma| lemma.level > level);
            lemmas.push(above.cloned().collect());
        }
        if self.settings.is_reduced {
            lemmas = self.reduce(lemmas, ctx)?;
        }
        let mut definitions = Vec::with_capacity(self.horn.preds.len());
        for pred in 0..self.horn.preds.len() {
            let lemmas: Vec<TermId> = lemmas[pred].iter().map(|lemma| lemma.formula).collect();
            let params = self.system.params[pred].clone();
            definitions.push(Definition { params, body: self.store.and(&lemmas) });
        }
        Ok(Finding::Holds(HornClaim::of(self.store, definitions)))
    }
}
