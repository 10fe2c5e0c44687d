//! The trace: over-approximations of the states reachable in 0, 1, 2, … steps, as clauses.
//!
//! A *lemma* is a cube of states that cannot be reached in so many steps; its negation is a clause. The
//! trace is kept by differences: a lemma is stored at the highest level at which it is known, and a
//! frame consists of the lemmas of its level and all higher ones. Level 0 is the start and holds no
//! lemmas; above all levels is the infinite frame, whose lemmas hold in all reachable states.
//!
//! The trace knows no solver: whoever can tell whether a cube has predecessors in a frame is a
//! `Consecution`, and `propagate` moves lemmas up with its help. So engines of different kinds share
//! one trace, whether their lemmas come from obligations, interpolants or elsewhere.
//!
//! Each lemma is listed under all its literals, and under one of them once more. What a cube makes
//! superfluous is found in the shortest list of its literals; a lemma that covers a cube has the one
//! literal among the cube's.
//!
//! Invariants: every lemma of level i follows by one step from frame i − 1 and holds at the start;
//! no lemma is implied by another one of its level or a higher one. So a level without lemmas below
//! the last one means that two frames are equal, and then they are an inductive invariant.
//!
//! After Bradley (VMCAI 2011) and Eén, Mishchenko, Brayton, "Efficient Implementation of Property
//! Directed Reachability" (FMCAD 2011); the infinite frame is that of Ivrii, Gurfinkel, "Pushing to
//! the Top" (FMCAD 2015).

mod activity;
mod cube;

pub(crate) use activity::Activity;
pub(crate) use cube::Cube;

use alphorn_engine::{Ctx, Event, Stop};

/// Tells which cubes have no predecessors, and hears what was learned.
pub(crate) trait Consecution {
    /// The part of the cube that no state of the frame outside the cube leads to, and that excludes
    /// the start; nothing if there is such a state. Levels beyond the last are the infinite frame.
    fn unreachable_from(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop>;

    /// A lemma has come to a level; `superfluous` are those that it made so, with their levels.
    fn learned(&mut self, cube: &Cube, level: usize, superfluous: &[(Cube, usize)]);
}

/// Names a lemma until the next level is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LemmaId(u32);

/// A cube and the level at which it is known to be unreachable.
struct Lemma {
    cube: Cube,
    /// The number of the level, `INFINITE` or `GONE`.
    level: u32,
}

/// The level of lemmas that hold in all reachable states.
const INFINITE: u32 = u32::MAX - 1;
/// The level of lemmas that others have made superfluous.
const GONE: u32 = u32::MAX;

/// The levels and what is known on each.
pub(crate) struct Frames {
    lemmas: Vec<Lemma>,
    /// The lemmas of each level, among others that have left it.
    levels: Vec<Vec<u32>>,
    /// How many lemmas each level has.
    counts: Vec<usize>,
    infinite: Vec<u32>,
    gone: usize,
    /// By literal: the lemmas that contain it.
    occurrences: Vec<Vec<u32>>,
    /// By literal: the lemmas listed under it alone.
    chosen: Vec<Vec<u32>>,
    /// Lemmas without literals.
    empty: Vec<u32>,
    /// The lowest level with a lemma that nobody has tried to push.
    changed: usize,
}

impl Frames {
    /// The start alone.
    pub(crate) fn new() -> Frames {
        Frames {
            lemmas: Vec::new(),
            levels: vec![Vec::new()],
            counts: vec![0],
            infinite: Vec::new(),
            gone: 0,
            occurrences: Vec::new(),
            chosen: Vec::new(),
            empty: Vec::new(),
            changed: 1,
        }
    }

    /// The number of the last level.
    pub(crate) fn last(&self) -> usize {
        self.levels.len() - 1
    }

    /// Adds a level of which nothing is known.
    pub(crate) fn extend(&mut self) {
        self.levels.push(Vec::new());
        self.counts.push(0);
        if 2 * self.gone > self.lemmas.len() {
            self.compact();
        }
    }

    /// The lemmas of one level.
    pub(crate) fn level(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.ids(level).map(|id| &self.lemmas[id.0 as usize].cube)
    }

    /// The lemmas that hold at a level.
    pub(crate) fn frame(&self, level: usize) -> impl Iterator<Item = &Cube> {
        let levels = (level.max(1)..=self.last()).flat_map(|level| self.level(level));
        levels.chain(self.infinite())
    }

    /// The names of the lemmas of one level.
    pub(crate) fn ids(&self, level: usize) -> impl Iterator<Item = LemmaId> {
        let stays = move |id: &&u32| self.lemmas[**id as usize].level == level as u32;
        self.levels[level].iter().filter(stays).map(|id| LemmaId(*id))
    }

    /// A lemma and its level, unless it is superfluous or holds in the infinite frame.
    pub(crate) fn lemma(&self, id: LemmaId) -> Option<(&Cube, usize)> {
        let lemma = &self.lemmas[id.0 as usize];
        (lemma.level < INFINITE).then_some((&lemma.cube, lemma.level as usize))
    }

    /// How many lemmas a level has.
    pub(crate) fn count(&self, level: usize) -> usize {
        self.counts[level]
    }

    /// The lemmas of the infinite frame.
    pub(crate) fn infinite(&self) -> impl Iterator<Item = &Cube> {
        let lemmas = self.infinite.iter().map(|id| &self.lemmas[*id as usize]);
        lemmas.filter(|lemma| lemma.level == INFINITE).map(|lemma| &lemma.cube)
    }

    /// The highest level at which the cube is known to be unreachable by a single lemma, if that is
    /// `from` or higher; the number after the last level stands for the infinite frame.
    pub(crate) fn blocked(&self, cube: &Cube, from: usize) -> Option<usize> {
        let mut best = None;
        for lemma in self.candidates(cube) {
            let is_better = lemma.level != GONE
                && lemma.level as usize >= from.max(1)
                && best.is_none_or(|level| lemma.level > level);
            if is_better && lemma.cube.subsumes(cube) {
                best = Some(lemma.level);
                if lemma.level == INFINITE {
                    break;
                }
            }
        }
        best.map(|level| (level as usize).min(self.levels.len()))
    }

    /// The shortest lemma of the level that covers the cube.
    pub(crate) fn parent(&self, cube: &Cube, level: usize) -> Option<&Cube> {
        let covers = |lemma: &&Lemma| lemma.level == level as u32 && lemma.cube.subsumes(cube);
        let cubes = self.candidates(cube).filter(covers).map(|lemma| &lemma.cube);
        cubes.min_by_key(|cube| (cube.len(), *cube))
    }

    /// Lemmas among which are all that cover the cube.
    fn candidates(&self, cube: &Cube) -> impl Iterator<Item = &Lemma> {
        let lists = cube.lits().iter().filter_map(|lit| self.chosen.get(lit.index()));
        lists.flatten().chain(&self.empty).map(|id| &self.lemmas[*id as usize])
    }

    /// Adds a lemma, and drops those that it implies; returns these with their levels.
    pub(crate) fn add(&mut self, cube: Cube, level: usize) -> Vec<(Cube, usize)> {
        let superfluous = self.drop_implied(&cube, level as u32);
        let id = self.store(cube, level as u32);
        self.levels[level].push(id);
        self.counts[level] += 1;
        self.changed = self.changed.min(level);
        superfluous
    }

    /// Adds a lemma to the infinite frame, and drops those that it implies; returns these with their
    /// levels, as far as they are finite.
    pub(crate) fn add_infinite(&mut self, cube: Cube) -> Vec<(Cube, usize)> {
        let superfluous = self.drop_implied(&cube, INFINITE);
        let id = self.store(cube, INFINITE);
        self.infinite.push(id);
        superfluous
    }

    fn store(&mut self, cube: Cube, level: u32) -> u32 {
        let id = self.lemmas.len() as u32;
        self.lemmas.push(Lemma { cube, level });
        self.list(id);
        id
    }

    /// Lists a lemma under its literals.
    fn list(&mut self, id: u32) {
        let lits = self.lemmas[id as usize].cube.lits();
        let most = lits.last().map_or(0, |lit| lit.index() + 1);
        if self.occurrences.len() < most {
            self.occurrences.resize_with(most, Vec::new);
            self.chosen.resize_with(most, Vec::new);
        }
        let rarest = lits.iter().min_by_key(|lit| self.chosen[lit.index()].len());
        match rarest {
            Some(lit) => self.chosen[lit.index()].push(id),
            None => self.empty.push(id),
        }
        for lit in lits {
            self.occurrences[lit.index()].push(id);
        }
    }

    fn drop_implied(&mut self, cube: &Cube, level: u32) -> Vec<(Cube, usize)> {
        let Frames { lemmas, occurrences, counts, gone, .. } = self;
        let mut superfluous = Vec::new();
        let mut drop = |lemma: &mut Lemma| {
            if lemma.level <= level && cube.subsumes(&lemma.cube) {
                if lemma.level != INFINITE {
                    superfluous.push((lemma.cube.clone(), lemma.level as usize));
                    counts[lemma.level as usize] -= 1;
                }
                lemma.level = GONE;
                *gone += 1;
            }
        };
        let size = |index: usize| occurrences.get(index).map_or(0, Vec::len);
        match cube.lits().iter().min_by_key(|lit| size(lit.index())) {
            None => lemmas.iter_mut().for_each(drop),
            Some(lit) => {
                for id in occurrences.get(lit.index()).into_iter().flatten() {
                    drop(&mut lemmas[*id as usize]);
                }
            }
        }
        superfluous
    }

    /// Forgets what is gone.
    fn compact(&mut self) {
        let lemmas = std::mem::take(&mut self.lemmas);
        let lists = self.occurrences.iter_mut().chain(&mut self.chosen).chain(&mut self.levels);
        lists.chain([&mut self.infinite, &mut self.empty]).for_each(Vec::clear);
        self.gone = 0;
        for lemma in lemmas.into_iter().filter(|lemma| lemma.level != GONE) {
            let (id, level) = (self.lemmas.len() as u32, lemma.level);
            self.lemmas.push(lemma);
            self.list(id);
            match level {
                INFINITE => self.infinite.push(id),
                level => self.levels[level as usize].push(id),
            }
        }
    }

    /// Moves lemmas to the highest levels at which they hold, from the lowest level that changed; ends
    /// early when two frames are equal.
    pub(crate) fn propagate(
        &mut self,
        solver: &mut impl Consecution,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let first = std::mem::replace(&mut self.changed, usize::MAX).min(self.last() - 1).max(1);
        for level in first..self.last() {
            let mut ids: Vec<LemmaId> = self.ids(level).collect();
            ids.sort_by_key(|id| self.lemmas[id.0 as usize].cube.len());
            for id in ids {
                let Some((cube, at)) = self.lemma(id) else { continue };
                if at != level {
                    continue;
                }
                if let Some(core) = solver.unreachable_from(&cube.clone(), level, ctx)? {
                    self.learn(core, level + 1, solver);
                }
            }
            if self.count(level) == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Adds a lemma and tells the solver.
    pub(crate) fn learn(&mut self, cube: Cube, level: usize, solver: &mut impl Consecution) {
        let superfluous = self.add(cube.clone(), level);
        solver.learned(&cube, level, &superfluous);
    }

    /// Adds a lemma that holds in all reachable states and tells the solver.
    pub(crate) fn learn_forever(&mut self, cube: Cube, solver: &mut impl Consecution) {
        let superfluous = self.add_infinite(cube.clone());
        solver.learned(&cube, self.levels.len(), &superfluous);
    }

    /// The row of the frame table.
    pub(crate) fn sizes(&self) -> Event {
        let sizes = (1..=self.last()).map(|level| self.count(level) as u32);
        Event::Frames { sizes: sizes.collect(), infinite: self.infinite().count() as u32 }
    }

    /// The invariant, if two frames are equal.
    pub(crate) fn invariant(&self) -> Option<Vec<Cube>> {
        self.invariant_below(self.last())
    }

    /// The invariant, if a frame below `end` is equal to the next one.
    pub(crate) fn invariant_below(&self, end: usize) -> Option<Vec<Cube>> {
        let closed = (1..end).find(|level| self.counts[*level] == 0)?;
        Some(self.frame(closed).cloned().collect())
    }
}

#[cfg(test)]
mod tests;
