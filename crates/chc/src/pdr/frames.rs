//! Lemmas: cubes that cannot be derived, up to a height of derivations.
//!
//! A lemma of level k says that no derivation of height at most k concludes its cube. Levels are
//! stored as differences: what holds at a level is what lemmas of this level and of those above say.
//! At level 0 nothing can be derived. If no lemma has exactly level k, then those above are
//! inductive. Lemmas that are inductive already, together with others that are, have the level
//! [`INFINITY`]: nobody has to look at them again.
//!
//! Invariant: no lemma follows from another by having more or stronger literals and no higher level.

use super::literal::Inequality;
use super::system::Pred;
use alphorn_smt::Linear;
use alphorn_term::{Rat, Store, TermId};
use rustc_hash::FxHashMap;

/// The level of lemmas that hold for derivations of any height.
pub(super) const INFINITY: usize = usize::MAX;

/// A cube that cannot be derived up to a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lemma {
    /// The literals over the predicate's parameters, sorted.
    pub(super) cube: Vec<TermId>,
    /// The negation of the cube.
    pub(super) formula: TermId,
    /// Up to which height of derivations.
    pub(super) level: usize,
}

/// The lemmas of all predicates.
pub(super) struct Frames {
    lemmas: Vec<Vec<Lemma>>,
    bounds: Bounds,
}

impl Frames {
    /// No lemmas for this many predicates.
    pub(super) fn new(preds: usize) -> Frames {
        Frames { lemmas: vec![Vec::new(); preds], bounds: Bounds::default() }
    }

    /// How many predicates there are.
    pub(super) fn preds(&self) -> usize {
        self.lemmas.len()
    }

    /// The lemmas of a predicate.
    pub(super) fn of(&self, pred: Pred) -> &[Lemma] {
        &self.lemmas[pred]
    }

    /// How many lemmas there are.
    pub(super) fn count(&self) -> usize {
        self.lemmas.iter().map(Vec::len).sum()
    }

    /// How many lemmas have this level.
    pub(super) fn count_at(&self, level: usize) -> usize {
        self.lemmas.iter().flatten().filter(|lemma| lemma.level == level).count()
    }

    /// Notes what a literal says, if it is an inequality.
    pub(super) fn note(&mut self, store: &Store, literal: TermId) {
        self.bounds.note(store, literal);
    }

    /// Whether a lemma that excludes the cube at a level is there, part for part.
    pub(super) fn subsumes(&self, pred: Pred, cube: &[TermId], level: usize) -> bool {
        let bounds = &self.bounds;
        self.lemmas[pred]
            .iter()
            .any(|lemma| lemma.level >= level && bounds.covers(&lemma.cube, cube))
    }

    /// The highest level at which a lemma excludes the cube, part for part.
    pub(super) fn excluded_up_to(&self, pred: Pred, cube: &[TermId]) -> usize {
        let subsuming =
            self.lemmas[pred].iter().filter(|lemma| self.bounds.covers(&lemma.cube, cube));
        subsuming.map(|lemma| lemma.level).max().unwrap_or(0)
    }

    /// Adds a lemma, whose cube is sorted, and removes those that say less; false if it says
    /// nothing that another does not say.
    pub(super) fn add(&mut self, pred: Pred, lemma: Lemma) -> bool {
        if self.subsumes(pred, &lemma.cube, lemma.level) {
            return false;
        }
        let bounds = &self.bounds;
        let says_more =
            |other: &Lemma| lemma.level >= other.level && bounds.covers(&lemma.cube, &other.cube);
        self.lemmas[pred].retain(|other| !says_more(other));
        self.lemmas[pred].push(lemma);
        true
    }

    /// Whether no lemma has exactly this level.
    pub(super) fn is_level_empty(&self, level: usize) -> bool {
        self.lemmas.iter().flatten().all(|lemma| lemma.level != level)
    }
}

/// What literals say as bounds on polynomials.
#[derive(Default)]
struct Bounds {
    forms: FxHashMap<Linear, u32>,
    /// A polynomial without its constant, by number, the constant, and whether it is strict.
    known: FxHashMap<TermId, (u32, Rat, bool)>,
}

impl Bounds {
    fn note(&mut self, store: &Store, literal: TermId) {
        if self.known.contains_key(&literal) {
            return;
        }
        if let Some(Inequality { mut form, is_strict }) = Inequality::of(store, literal) {
            let constant = std::mem::replace(&mut form.constant, Rat::ZERO);
            let next = self.forms.len() as u32;
            let number = *self.forms.entry(form).or_insert(next);
            self.known.insert(literal, (number, constant, is_strict));
        }
    }

    /// Whether one literal implies another, as far as their bounds tell.
    fn implies(&self, strong: TermId, weak: TermId) -> bool {
        let (Some(strong), Some(weak)) = (self.known.get(&strong), self.known.get(&weak)) else {
            return false;
        };
        // Both say that the polynomial with the constant is at most zero.
        strong.0 == weak.0 && (strong.1 > weak.1 || strong.1 == weak.1 && (strong.2 || !weak.2))
    }

    /// Whether each literal of a cube follows from one of another, both sorted.
    fn covers(&self, small: &[TermId], large: &[TermId]) -> bool {
        small.len() <= large.len() && is_subset(small, large)
            || small.iter().all(|&weak| {
                large.binary_search(&weak).is_ok()
                    || large.iter().any(|&strong| self.implies(strong, weak))
            })
    }
}

/// Whether all elements of a sorted list are in another.
pub(super) fn is_subset(small: &[TermId], large: &[TermId]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.by_ref().any(|found| found == wanted))
}
