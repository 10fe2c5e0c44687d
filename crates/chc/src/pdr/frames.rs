//! Lemmas: cubes that cannot be derived, up to a height of derivations.
//!
//! A lemma of level k says that no derivation of height at most k concludes its cube. Levels are
//! stored as differences: what holds at a level is what lemmas of this level and of those above say.
//! At level 0 nothing can be derived. If no lemma has exactly level k, then those above are
//! inductive.
//!
//! Invariant: no lemma follows from another by having more literals and no higher level.

use super::system::Pred;
use alphorn_term::TermId;

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
}

impl Frames {
    /// No lemmas for this many predicates.
    pub(super) fn new(preds: usize) -> Frames {
        Frames { lemmas: vec![Vec::new(); preds] }
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

    /// Whether a lemma that excludes the cube at a level is there, part for part.
    pub(super) fn subsumes(&self, pred: Pred, cube: &[TermId], level: usize) -> bool {
        self.lemmas[pred].iter().any(|lemma| lemma.level >= level && is_subset(&lemma.cube, cube))
    }

    /// The highest level at which a lemma excludes the cube, part for part.
    pub(super) fn excluded_up_to(&self, pred: Pred, cube: &[TermId]) -> usize {
        let subsuming = self.lemmas[pred].iter().filter(|lemma| is_subset(&lemma.cube, cube));
        subsuming.map(|lemma| lemma.level).max().unwrap_or(0)
    }

    /// Adds a lemma, whose cube is sorted, and removes those that say less; false if it says
    /// nothing that another does not say.
    pub(super) fn add(&mut self, pred: Pred, lemma: Lemma) -> bool {
        if self.subsumes(pred, &lemma.cube, lemma.level) {
            return false;
        }
        let says_more =
            |other: &Lemma| lemma.level >= other.level && is_subset(&lemma.cube, &other.cube);
        self.lemmas[pred].retain(|other| !says_more(other));
        self.lemmas[pred].push(lemma);
        true
    }

    /// Whether no lemma has exactly this level.
    pub(super) fn is_level_empty(&self, level: usize) -> bool {
        self.lemmas.iter().flatten().all(|lemma| lemma.level != level)
    }
}

/// Whether all elements of a sorted list are in another.
pub(super) fn is_subset(small: &[TermId], large: &[TermId]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.by_ref().any(|found| found == wanted))
}
