//! From a cube without predecessors to a smaller one: fewer literals, more states.
//!
//! Literals are left out one by one, the least active first, as long as the rest has no predecessor
//! in the frame below. Where it has one, that state is a *counterexample to generalization*: if it is
//! itself easily shown unreachable, a lemma about it is added and the question is asked again;
//! otherwise the cube is widened to contain it, unless that gives up a literal that is known to be
//! needed.
//!
//! After Hassan, Bradley, Somenzi, "Better Generalization in IC3" (FMCAD 2013). Literals that a lemma of
//! the level below about the same cube does not have go first, after Xia, Becchi, Cimatti, Griggio, Li,
//! Pu (CAV 2023).

use super::Run;
use crate::frames::Cube;
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::Lit;
use std::collections::BTreeSet;

/// How many counterexamples in a row are blocked before the cube is widened.
const MOST_BLOCKED: usize = 3;
/// How deep the blocking of counterexamples nests.
const MOST_NESTED: usize = 1;

impl Run<'_> {
    /// A smaller cube that has no predecessor in the frame below `level` and excludes the start.
    pub(super) fn generalize(
        &mut self,
        cube: Cube,
        level: usize,
        nested: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Cube, Stop> {
        let mut cube = cube;
        let mut needed = BTreeSet::new();
        for lit in self.order(&cube, level) {
            if !cube.lits().contains(&lit) || cube.len() == 1 {
                continue;
            }
            let rest = cube.lits().iter().copied().filter(|other| *other != lit);
            let candidate = Cube::new(rest.collect());
            match self.widen(candidate, level, nested, &needed, ctx)? {
                Some(smaller) => cube = smaller,
                None => {
                    needed.insert(lit);
                }
            }
        }
        self.activity.bump(cube.lits());
        Ok(cube)
    }

    /// The literals in the order in which they are to be left out.
    fn order(&self, cube: &Cube, level: usize) -> Vec<Lit> {
        let mut order = cube.lits().to_vec();
        self.activity.sort_descending(&mut order);
        order.reverse();
        let parent = level.checked_sub(1).filter(|below| *below > 0);
        if let Some(parent) = parent.and_then(|below| self.frames.parent(cube, below)) {
            order.sort_by_key(|lit| parent.lits().binary_search(lit).is_ok());
        }
        order
    }

    /// The cube or a smaller one, if it has no predecessor in the frame below `level`.
    fn widen(
        &mut self,
        cube: Cube,
        level: usize,
        nested: usize,
        needed: &BTreeSet<Lit>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        let mut cube = cube;
        let mut blocked = 0;
        loop {
            if self.queries.is_initial(&cube, ctx)? {
                return Ok(None);
            }
            if !self.has_predecessor(&cube, level - 1, ctx)? {
                return self.core(&cube, level - 1, ctx).map(Some);
            }
            if nested >= MOST_NESTED {
                return Ok(None);
            }
            let lits = cube.lits().iter().copied();
            let agreed: Vec<Lit> =
                lits.filter(|lit| !self.queries.is_false(*lit, level - 1)).collect();
            if level > 1
                && blocked < MOST_BLOCKED
                && self.block_quickly(&cube, level, nested, ctx)?
            {
                blocked += 1;
                continue;
            }
            blocked = 0;
            let lost = cube.lits().iter().any(|lit| needed.contains(lit) && !agreed.contains(lit));
            if lost || agreed.len() == cube.len() {
                return Ok(None);
            }
            cube = Cube::new(agreed);
        }
    }

    /// Tries to show that the predecessor of the cube that was found is unreachable.
    fn block_quickly(
        &mut self,
        cube: &Cube,
        level: usize,
        nested: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let target = self.queries.successor(cube);
        let state = self.queries.lift(&target, &self.activity, ctx)?.cube;
        if self.queries.is_initial(&state, ctx)? || self.has_predecessor(&state, level - 2, ctx)? {
            return Ok(false);
        }
        let core = self.core(&state, level - 2, ctx)?;
        let (core, reached) = self.push(core, level - 1, ctx)?;
        let lemma = self.generalize(core, reached, nested + 1, ctx)?;
        self.learn(lemma, reached);
        Ok(true)
    }
}
