//! From a cube without predecessors to a smaller one: fewer literals, more states.
//!
//! Literals are left out one by one, the least active first, as long as the rest has no predecessor
//! in the frame below. Where it has one, that state is a *counterexample to generalization*: if it is
//! itself easily shown unreachable, a lemma about it is added and the question is asked again;
//! otherwise the cube is widened to contain it, unless that gives up a literal that is known to be
//! needed. The steps seen are remembered: a wider cube that contains the end of one and not its
//! beginning has a predecessor, and nobody needs to ask.
//!
//! After Hassan, Bradley, Somenzi, "Better Generalization in IC3" (FMCAD 2013). Literals that a lemma of
//! the level below about the same cube does not have go first, after Xia, Becchi, Cimatti, Griggio, Li,
//! Pu (CAV 2023).

use super::settings::Effort;
use super::trace::Trace;
use crate::frames::{Consecution, Cube};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::Lit;

/// A step of the frame, as far as the literals of a cube tell it.
struct SeenStep {
    /// Literals that are false before the step.
    before: Vec<Lit>,
    /// Literals that are true after it.
    after: Vec<Lit>,
}

impl SeenStep {
    /// Whether the step leads into the cube from outside.
    fn enters(&self, cube: &Cube) -> bool {
        let mut lits = cube.lits().iter();
        lits.clone().any(|lit| self.before.contains(lit))
            && lits.all(|lit| self.after.contains(lit))
    }
}

/// What is known while one cube is generalized.
struct Attempt {
    /// The frame below which the cube is to have no predecessors, counted from the start.
    level: usize,
    effort: Effort,
    full: Cube,
    /// Literals that cannot be left out.
    needed: Vec<Lit>,
    seen: Vec<SeenStep>,
}

impl Trace<'_> {
    /// A smaller cube that has no predecessor in the frame below `level` and excludes the start.
    pub(super) fn generalize(
        &mut self,
        cube: Cube,
        level: usize,
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<Cube, Stop> {
        let (needed, seen) = (Vec::new(), Vec::new());
        let mut attempt = Attempt { level, effort, full: cube.clone(), needed, seen };
        let mut cube = cube;
        for lit in self.order(&cube, level) {
            if !cube.contains(lit) || cube.len() == 1 {
                continue;
            }
            match self.widen(cube.without(lit), &mut attempt, ctx)? {
                Some(smaller) => cube = smaller,
                None => attempt.needed.push(lit),
            }
        }
        self.queries.activity.bump(cube.lits());
        Ok(cube)
    }

    /// The literals in the order in which they are to be left out.
    fn order(&self, cube: &Cube, level: usize) -> Vec<Lit> {
        let mut order = cube.lits().to_vec();
        self.queries.activity.sort_descending(&mut order);
        order.reverse();
        let parent = level.checked_sub(1).filter(|below| *below > 0);
        if let Some(parent) = parent.and_then(|below| self.frames.parent(cube, below)) {
            order.sort_by_key(|lit| parent.contains(*lit));
        }
        order
    }

    /// The cube or a smaller one, if it has no predecessor in the frame below.
    fn widen(
        &mut self,
        cube: Cube,
        attempt: &mut Attempt,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        let below = attempt.level - 1;
        let mut cube = cube;
        let mut blocked = 0;
        loop {
            if self.queries.is_initial(&cube, ctx)? {
                return Ok(None);
            }
            if attempt.seen.iter().any(|step| step.enters(&cube)) {
                return Ok(None);
            }
            if let Some(core) = self.queries.unreachable_from(&cube, below, ctx)? {
                return Ok(Some(core));
            }
            let agrees = |lit: &Lit| self.queries.value(*lit, below) != Some(false);
            if !attempt.needed.iter().all(agrees) {
                return Ok(None);
            }
            let mut agreed: Vec<Lit> = cube.lits().iter().copied().filter(agrees).collect();
            let step = self.seen_step(&attempt.full, below);
            if attempt.effort.blocked > 0 && below > 0 {
                let target = self.queries.successor(&cube);
                let state = self.queries.predecessor(&target, ctx)?;
                let mut left = attempt.effort.nested;
                if blocked < attempt.effort.blocked
                    && self.block_quickly(&state, below, &mut left, ctx)?
                {
                    blocked += 1;
                    // What was seen may have begun in states that are excluded since.
                    attempt.seen.clear();
                    continue;
                }
                agreed.retain(|lit| state.contains(*lit));
                if !attempt.needed.iter().all(|lit| agreed.contains(lit)) {
                    return Ok(None);
                }
            }
            blocked = 0;
            attempt.seen.push(step);
            if agreed.len() == cube.len() {
                return Ok(None);
            }
            cube = Cube::new(agreed);
        }
    }

    /// The step of the last answer, in the literals of a cube.
    fn seen_step(&self, full: &Cube, level: usize) -> SeenStep {
        let value = |lit| self.queries.value(lit, level);
        let before = full.lits().iter().copied().filter(|lit| value(*lit) == Some(false));
        let after = full.lits().iter().copied();
        let after = after.filter(|lit| value(self.queries.next(*lit)) == Some(true));
        SeenStep { before: before.collect(), after: after.collect() }
    }

    /// Tries to show that a cube is unreachable at a level, looking at no more than `left` states.
    pub(super) fn block_quickly(
        &mut self,
        cube: &Cube,
        level: usize,
        left: &mut usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        if level == 0 || *left == 0 || self.queries.is_initial(cube, ctx)? {
            return Ok(false);
        }
        *left -= 1;
        loop {
            if let Some(core) = self.queries.unreachable_from(cube, level - 1, ctx)? {
                self.learn(core, level, Effort::NONE, ctx)?;
                return Ok(true);
            }
            if *left == 0 || level == 1 {
                return Ok(false);
            }
            let target = self.queries.successor(cube);
            let before = self.queries.predecessor(&target, ctx)?;
            if !self.block_quickly(&before, level - 1, left, ctx)? {
                return Ok(false);
            }
        }
    }
}
