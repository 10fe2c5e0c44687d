//! Cubes that lead to bad states and are to be excluded, level by level.
//!
//! They are taken in the order of [`Queue`]. An obligation knows what it leads to, so a chain of them is a
//! path of abstract states.

pub(super) use alphorn_engine::obligations::Id;

use super::cubes::Cube;
use alphorn_engine::obligations::Queue;

/// A cube and where it leads.
struct Obligation {
    cube: Cube,
    /// What it leads to; nothing if it contains bad states.
    successor: Option<Id>,
    /// How many steps there are to a bad state.
    depth: usize,
}

/// Obligations, and which of them wait at which level.
#[derive(Default)]
pub(super) struct Obligations {
    all: Vec<Obligation>,
    waiting: Queue,
}

impl Obligations {
    /// Adds an obligation at a level.
    pub(super) fn add(&mut self, level: usize, cube: Cube, successor: Option<Id>) {
        let depth = successor.map_or(0, |id| self.all[id].depth + 1);
        self.all.push(Obligation { cube, successor, depth });
        self.wait(level, self.all.len() - 1);
    }

    /// Lets an obligation wait at a level.
    pub(super) fn wait(&mut self, level: usize, id: Id) {
        let Obligation { cube, depth, .. } = &self.all[id];
        self.waiting.wait(level, *depth, cube.len(), id);
    }

    /// Takes the next obligation that waits at `last` or below.
    pub(super) fn take(&mut self, last: usize) -> Option<(usize, Id)> {
        self.waiting.take(last)
    }

    /// The cube of an obligation.
    pub(super) fn cube(&self, id: Id) -> &Cube {
        &self.all[id].cube
    }

    /// The cubes from an obligation to a bad state.
    pub(super) fn chain(&self, id: Id) -> Vec<Cube> {
        let next = |obligation: &&Obligation| obligation.successor.map(|id| &self.all[id]);
        std::iter::successors(Some(&self.all[id]), next).map(|o| o.cube.clone()).collect()
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.waiting.clear();
    }
}
