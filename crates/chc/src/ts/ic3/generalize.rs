//! From a cube without predecessors to a smaller one, which excludes more.
//!
//! Literals are left out one by one, the least active first, as long as the rest has no predecessor
//! in the frame below and no initial state. Literals that a cube of the level below does not have
//! go first, after Xia et al. (CAV 2023). After some attempts in vain the rest stays.

use super::Run;
use super::cubes::{Cube, Literal};
use crate::settings::TS_IC3_MAX_FAILURES;
use alphorn_engine::{Ctx, Stop};

impl Run<'_> {
    /// A smaller cube that has no predecessor in the frame below `level` and no initial state.
    pub(super) fn generalize(
        &mut self,
        mut cube: Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Cube, Stop> {
        let mut failures = 0;
        for literal in self.order(&cube, level) {
            if !cube.literals().contains(&literal) || cube.len() == 1 {
                continue;
            }
            if failures >= TS_IC3_MAX_FAILURES.size() {
                break;
            }
            let rest = cube.literals().iter().copied().filter(|other| *other != literal);
            let candidate = Cube::new(rest.collect());
            let is_initial =
                self.queries.is_initial(&mut self.store, &self.predicates, &candidate, ctx)?;
            if is_initial || self.has_predecessor(&candidate, level - 1, ctx)? {
                failures += 1;
            } else {
                cube = self.core(&candidate, level - 1, ctx)?;
            }
        }
        self.predicates.bump(&cube);
        Ok(cube)
    }

    /// The literals in the order in which they are to be left out.
    fn order(&self, cube: &Cube, level: usize) -> Vec<Literal> {
        let mut order = self.predicates.by_activity(cube);
        order.reverse();
        let below = level.checked_sub(1).filter(|below| *below > 0);
        if let Some(parent) = below.and_then(|below| self.frames.parent(cube, below)) {
            order.sort_by_key(|literal| parent.literals().binary_search(literal).is_ok());
        }
        order
    }
}
