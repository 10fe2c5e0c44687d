//! Proof obligations: cubes that must be shown to be underivable, or derived.
//!
//! An obligation asks whether a derivation of at most some height concludes a cube of a predicate.
//! The lowest level comes first, and within a level what is nearest to the goal. An obligation that
//! is settled at its level is asked again one level higher when the goal is: it was once a way to the
//! goal, so its lemma is probably needed there too, and long counterexamples are found without
//! finding their parts again. Not before: its level and its distance to the goal together stay
//! at most the goal's level, or obligations would go on for ever below a level.
//!
//! The queue is bounded; what does not fit is what is farthest. The goal always fits.

use super::system::Pred;
use crate::settings::PDR_CONJECTURE_STEPS;
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
    /// The conjecture that it is for, if it is not for the goal.
    pub(super) conjecture: Option<ConjectureId>,
}

/// A conjecture, by its position.
pub(super) type ConjectureId = usize;

/// The obligations that wait.
#[derive(Default)]
pub(super) struct Queue {
    obligations: Vec<Obligation>,
    /// Each conjecture's obligation, and the steps that are left for it.
    conjectures: Vec<(ObligationId, u32)>,
    /// Those of the present goal: level, depth, position.
    waiting: BTreeSet<(usize, usize, ObligationId)>,
    /// Those of later goals: the goal's level, position.
    later: BTreeSet<(usize, ObligationId)>,
    /// The goal's level.
    top: usize,
    /// The most that wait.
    most: usize,
}

impl Queue {
    /// A queue in which at most `most` obligations wait.
    pub(super) fn new(most: usize) -> Queue {
        Queue { most, ..Queue::default() }
    }

    /// Raises the goal's level.
    pub(super) fn raise(&mut self, top: usize) {
        self.top = top;
        while let Some(&(goal, id)) = self.later.first()
            && goal <= top
        {
            self.later.pop_first();
            self.wait(id);
        }
    }

    /// Adds a conjecture, beside an obligation.
    pub(super) fn conjecture(&mut self, pred: Pred, cube: Vec<TermId>, beside: &Obligation) {
        let conjecture = Some(self.conjectures.len());
        self.conjectures.push((self.obligations.len(), PDR_CONJECTURE_STEPS.short()));
        let (level, depth) = (beside.level, beside.depth);
        self.push(Obligation { pred, cube, level, depth, conjecture });
    }

    /// Spends a step on an obligation; false if it is for a conjecture that is given up.
    pub(super) fn spend(&mut self, id: ObligationId) -> bool {
        let Some(conjecture) = self.obligations[id].conjecture else { return true };
        let (_, left) = &mut self.conjectures[conjecture];
        *left = left.saturating_sub(1);
        *left > 0
    }

    /// An obligation is derived, and does not wait; if it is a conjecture, it is given up.
    pub(super) fn derived(&mut self, id: ObligationId) {
        if let Some(conjecture) = self.obligations[id].conjecture
            && let (own, left) = &mut self.conjectures[conjecture]
            && *own == id
        {
            *left = 0;
        }
    }

    /// Adds an obligation.
    pub(super) fn push(&mut self, obligation: Obligation) -> ObligationId {
        let id = self.obligations.len();
        self.obligations.push(obligation);
        self.wait(id);
        id
    }

    /// Lets an obligation wait again, at a level.
    pub(super) fn push_again(&mut self, id: ObligationId, level: usize) {
        self.obligations[id].level = level;
        self.wait(id);
    }

    fn wait(&mut self, id: ObligationId) {
        let Obligation { level, depth, .. } = self.obligations[id];
        if level + depth <= self.top {
            self.waiting.insert((level, depth, id));
        } else {
            self.later.insert((level + depth, id));
        }
        if self.waiting() > self.most {
            let is_far = |id: ObligationId| self.obligations[id].depth > 0;
            if let Some(&last) = self.later.iter().rev().find(|(_, id)| is_far(*id)) {
                self.later.remove(&last);
            } else if let Some(&last) = self.waiting.iter().rev().find(|(.., id)| is_far(*id)) {
                self.waiting.remove(&last);
            }
        }
    }

    /// Takes the first obligation.
    pub(super) fn pop(&mut self) -> Option<ObligationId> {
        self.waiting.pop_first().map(|(.., id)| id)
    }

    /// An obligation.
    pub(super) fn obligation(&self, id: ObligationId) -> &Obligation {
        &self.obligations[id]
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len() + self.later.len()
    }

    /// How many there have been.
    pub(super) fn count(&self) -> usize {
        self.obligations.len()
    }
}
