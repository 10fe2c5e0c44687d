//! Cubes that lead to a bad state and must be shown unreachable, level by level.
//!
//! They are taken in the order of [`Queue`]. An obligation remembers the step that leads from it to its
//! successor, so that a chain of them is a counterexample.
//!
//! An obligation that comes back again and again lies in a region that is hard to exclude. How often
//! it came is its activity; above a threshold it is dropped, because its successor will ask for
//! another one if it is still needed, and activity near an obligation says how much effort
//! generalization is worth.
//!
//! Activity is that of rIC3 (Su, Yang, Ci, Bu, CAV 2025).

pub(super) use alphorn_engine::obligations::Id;

use super::lift::Step;
use crate::settings::IC3_FADE;
use alphorn_engine::obligations::Queue;

/// A cube and how it leads to a bad state.
pub(super) struct Obligation {
    pub(super) step: Step,
    /// What the step leads to; nothing if the step itself is bad.
    pub(super) successor: Option<Id>,
    /// How many steps there are to the bad one.
    depth: usize,
    /// How often it was treated, of late.
    activity: f64,
}

/// Obligations, and which of them wait at which level.
#[derive(Default)]
pub(super) struct Obligations {
    all: Vec<Obligation>,
    waiting: Queue,
}

impl Obligations {
    /// Adds an obligation at a level.
    pub(super) fn add(&mut self, level: usize, step: Step, successor: Option<Id>) -> Id {
        let depth = successor.map_or(0, |id| self.all[id].depth + 1);
        self.all.push(Obligation { step, successor, depth, activity: 0.0 });
        self.wait(level, self.all.len() - 1);
        self.all.len() - 1
    }

    /// How many obligations there have been.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Lets an obligation wait at a level.
    pub(super) fn wait(&mut self, level: usize, id: Id) {
        let Obligation { step, depth, .. } = &self.all[id];
        self.waiting.wait(level, *depth, step.cube.len(), id);
    }

    /// Lets an obligation rise from a level to a higher one.
    pub(super) fn rise(&mut self, from: usize, to: usize, id: Id) {
        for _ in from..to {
            self.all[id].activity *= IC3_FADE.percent();
        }
        self.wait(to, id);
    }

    /// Takes the next obligation that waits at `last` or below.
    pub(super) fn take(&mut self, last: usize) -> Option<(usize, Id)> {
        self.waiting.take(last)
    }

    /// Notes that the obligation is treated; returns its activity.
    pub(super) fn bump(&mut self, id: Id) -> f64 {
        self.all[id].activity += 1.0;
        self.all[id].activity
    }

    /// The largest activity of the obligation and of the next few it leads to.
    pub(super) fn activity_near(&self, id: Id) -> f64 {
        self.chain(id).take(4).map(|obligation| obligation.activity).fold(0.0, f64::max)
    }

    /// The obligation with the number.
    pub(super) fn get(&self, id: Id) -> &Obligation {
        &self.all[id]
    }

    /// The obligations from `id` to the bad state.
    pub(super) fn chain(&self, id: Id) -> impl Iterator<Item = &Obligation> {
        std::iter::successors(Some(&self.all[id]), |obligation| {
            obligation.successor.map(|id| &self.all[id])
        })
    }
}
