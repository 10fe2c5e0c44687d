//! Over-approximations of the states reachable in 0, 1, 2, … steps, as excluded cubes.
//!
//! A cube is kept at the highest level at which it is known to be excluded; the frame of a level is
//! what its cubes and those of all higher levels leave. Level 0 is the initial states and keeps no
//! cubes; above all levels is the infinite frame, whose cubes no reachable state is in.
//!
//! Invariants: each cube of a level has no state in the frame below as a predecessor and contains no
//! initial state; no cube is subsumed by another one of its level or a higher one. So a level
//! without cubes below the last one means that two frames are equal, and they are an invariant.
//!
//! After Eén, Mishchenko, Brayton (FMCAD 2011); the infinite frame after Ivrii, Gurfinkel (FMCAD
//! 2015).

use super::cubes::Cube;

/// The levels, and what is excluded at each.
pub(super) struct Frames {
    levels: Vec<Vec<Cube>>,
    infinite: Vec<Cube>,
}

impl Frames {
    /// The initial states alone.
    pub(super) fn new() -> Frames {
        Frames { levels: vec![Vec::new()], infinite: Vec::new() }
    }

    /// The number of the last level.
    pub(super) fn last(&self) -> usize {
        self.levels.len() - 1
    }

    /// Adds a level at which nothing is excluded.
    pub(super) fn extend(&mut self) {
        self.levels.push(Vec::new());
    }

    /// The cubes of one level.
    pub(super) fn level(&self, level: usize) -> &[Cube] {
        &self.levels[level]
    }

    /// The cubes of the infinite frame.
    pub(super) fn infinite(&self) -> &[Cube] {
        &self.infinite
    }

    /// How many cubes there are at all levels.
    pub(super) fn count(&self) -> usize {
        self.levels.iter().map(Vec::len).sum::<usize>() + self.infinite.len()
    }

    /// The highest level at which one cube excludes the given one, if that is `from` or higher; the
    /// number after the last level stands for the infinite frame.
    pub(super) fn excluded(&self, cube: &Cube, from: usize) -> Option<usize> {
        if self.infinite.iter().any(|other| other.subsumes(cube)) {
            return Some(self.levels.len());
        }
        let mut levels = (from.max(1)..self.levels.len()).rev();
        levels.find(|level| self.levels[*level].iter().any(|other| other.subsumes(cube)))
    }

    /// A cube of a level that subsumes the given one.
    pub(super) fn parent(&self, cube: &Cube, level: usize) -> Option<&Cube> {
        self.levels.get(level)?.iter().find(|other| other.subsumes(cube))
    }

    /// Adds a cube to a level; the number after the last one stands for the infinite frame.
    pub(super) fn add(&mut self, cube: Cube, level: usize) {
        let top = level.min(self.last());
        for cubes in &mut self.levels[..=top] {
            cubes.retain(|other| !cube.subsumes(other));
        }
        if level > top {
            self.infinite.retain(|other| !cube.subsumes(other));
            self.infinite.push(cube);
        } else {
            self.levels[level].push(cube);
        }
    }

    /// The cubes that an invariant excludes, if two frames are equal.
    pub(super) fn invariant(&self) -> Option<Vec<Cube>> {
        let closed = (1..self.last()).find(|level| self.levels[*level].is_empty())?;
        let above = self.levels[closed..].iter().flatten();
        Some(above.chain(&self.infinite).cloned().collect())
    }
}
