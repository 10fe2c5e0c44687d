//! Cubes that lead to a bad state and must be shown unreachable, level by level.
//!
//! The next one is always at the lowest level, because only there an answer is certain; among those,
//! the one furthest from the bad state, then the shortest. An obligation remembers the step that
//! leads from it to its successor, so that a chain of them is a counterexample.

use super::queries::Step;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The number of an obligation.
pub(crate) type Id = usize;

/// A cube and how it leads to a bad state.
pub(crate) struct Obligation {
    pub(crate) step: Step,
    /// What the step leads to; nothing if the step itself is bad.
    pub(crate) successor: Option<Id>,
    /// How many steps there are to the bad one.
    depth: usize,
}

/// Obligations, and which of them wait at which level.
#[derive(Default)]
pub(crate) struct Obligations {
    all: Vec<Obligation>,
    waiting: BTreeSet<(usize, Reverse<usize>, usize, Id)>,
}

impl Obligations {
    /// Adds an obligation at a level.
    pub(crate) fn add(&mut self, level: usize, step: Step, successor: Option<Id>) -> Id {
        let depth = successor.map_or(0, |id| self.all[id].depth + 1);
        self.all.push(Obligation { step, successor, depth });
        self.wait(level, self.all.len() - 1);
        self.all.len() - 1
    }

    /// Lets an obligation wait at a level.
    pub(crate) fn wait(&mut self, level: usize, id: Id) {
        let Obligation { step, depth, .. } = &self.all[id];
        self.waiting.insert((level, Reverse(*depth), step.cube.len(), id));
    }

    /// Takes the next obligation that waits at `last` or below.
    pub(crate) fn take(&mut self, last: usize) -> Option<(usize, Id)> {
        let &(level, _, _, id) = self.waiting.first()?;
        if level > last {
            return None;
        }
        self.waiting.pop_first();
        Some((level, id))
    }

    /// The obligation with the number.
    pub(crate) fn get(&self, id: Id) -> &Obligation {
        &self.all[id]
    }

    /// The obligations from `id` to the bad state.
    pub(crate) fn chain(&self, id: Id) -> impl Iterator<Item = &Obligation> {
        std::iter::successors(Some(&self.all[id]), |obligation| {
            obligation.successor.map(|id| &self.all[id])
        })
    }
}
