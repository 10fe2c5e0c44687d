//! Proof obligations: cubes that must be shown to be underivable, or derived.
//!
//! An obligation asks whether a derivation of at most some height concludes a cube of a predicate.
//! The lowest level comes first, and within a level what is nearest to the goal. An obligation that
//! is settled at its level may be asked again one level higher: it was once a way to the goal, so
//! its level's lemma is probably needed there too, and long counterexamples are found without
//! finding their parts again. The queue is bounded; what does not fit is what is farthest. The goal always
//! fits.

use super::system::Pred;
use alphorn_term::TermId;
use std::collections::BTreeSet;

/// An obligation, by its position.
pub(super) type ObligationId = usize;

/// A cube at a level.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    /// The predicate.
    pub(super) pred: Pred,
    /// The literals over the predicate's parameters, sorted.
    pub(super) cube: Vec<TermId>,
    /// The height of derivations that are asked for.
    pub(super) level: usize,
    /// Steps from the goal.
    pub(super) depth: usize,
}

/// The obligations that wait.
#[derive(Default)]
pub(super) struct Queue {
    obligations: Vec<Obligation>,
    waiting: BTreeSet<(usize, usize, ObligationId)>,
    /// The most that wait.
    most: usize,
}

impl Queue {
    /// A queue in which at most `most` obligations wait.
    pub(super) fn new(most: usize) -> Queue {
        Queue { most, ..Queue::default() }
    }

    /// Adds an obligation.
    pub(super) fn push(&mut self, obligation: Obligation) -> ObligationId {
        let id = self.obligations.len();
        self.waiting.insert((obligation.level, obligation.depth, id));
        self.obligations.push(obligation);
        self.trim();
        id
    }

    /// Lets an obligation wait again, at a level.
    pub(super) fn push_again(&mut self, id: ObligationId, level: usize) {
        let obligation = &mut self.obligations[id];
        obligation.level = level;
        self.waiting.insert((level, obligation.depth, id));
        self.trim();
    }

    /// Takes the first obligation whose level is at most `level`.
    pub(super) fn pop(&mut self, level: usize) -> Option<ObligationId> {
        let first = *self.waiting.first().filter(|(at, ..)| *at <= level)?;
        self.waiting.remove(&first);
        Some(first.2)
    }

    /// An obligation.
    pub(super) fn obligation(&self, id: ObligationId) -> &Obligation {
        &self.obligations[id]
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How many there have been.
    pub(super) fn count(&self) -> usize {
        self.obligations.len()
    }

    fn trim(&mut self) {
        if self.waiting.len() > self.most
            && let Some(&last) = self.waiting.iter().rev().find(|(_, depth, _)| *depth > 0)
        {
            self.waiting.remove(&last);
        }
    }
}
