//! The trace with the solvers that keep it one: what `ic3` and `avy` share.
//!
//! Whoever finds out what must be excluded, from obligations or from interpolants, has it excluded here: a
//! cube that has no predecessor in the frame below is generalized (`generalize`), pushed to the highest
//! level at which it holds, and learned. Lemmas move up (`propagate`), at last to the infinite frame
//! (`infinite`).

use super::queries::Queries;
use super::question::Reduced;
use super::settings::{Effort, Settings};
use crate::frames::{Consecution, Cube, Frames};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::{Lit, Var};

/// The frames of a circuit, and its solvers.
pub(crate) struct Trace<'a> {
    pub(super) settings: Settings,
    pub(super) reduced: &'a Reduced<'a>,
    pub(super) queries: Queries<'a>,
    pub(crate) frames: Frames,
}

impl<'a> Trace<'a> {
    /// The start alone.
    pub(crate) fn new(reduced: &'a Reduced<'a>, settings: Settings) -> Trace<'a> {
        let queries = Queries::new(&reduced.circuit, &reduced.signals);
        Trace { settings, reduced, queries, frames: Frames::new() }
    }

    /// Adds a level of which nothing is known.
    pub(crate) fn extend(&mut self) {
        self.frames.extend();
        self.queries.extend();
    }

    /// The literal in cubes of one whose variable is the position of a latch.
    pub(crate) fn latch(&self, lit: Lit) -> Lit {
        Var(lit.var().0 + self.reduced.circuit.inputs + 1).lit(!lit.is_negated())
    }

    /// The gates that cubes may speak about, those that depend on others first.
    pub(crate) fn gates(&self) -> Vec<Var> {
        let signals = &self.reduced.signals;
        let mut gates: Vec<Var> = signals.all().filter(|var| signals.is_gate(*var)).collect();
        gates.reverse();
        gates
    }

    /// Learns a lemma that excludes the cube at a level; none if the cube has a first state or a
    /// predecessor in the frame below.
    pub(crate) fn block(
        &mut self,
        cube: &Cube,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        if self.queries.is_initial(cube, ctx)? {
            return Ok(None);
        }
        let Some(core) = self.queries.unreachable_from(cube, level - 1, ctx)? else {
            return Ok(None);
        };
        let effort = self.settings.effort(0.0);
        self.learn(core, level, effort, ctx).map(|(lemma, _)| Some(lemma))
    }

    /// Learns a lemma from a cube without predecessors in the frame below a level; returns it with the
    /// level that it reached.
    pub(super) fn learn(
        &mut self,
        cube: Cube,
        level: usize,
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Cube, usize), Stop> {
        let cube = self.generalize(cube, level, effort, ctx)?;
        let (lemma, reached) = self.push(cube, level, ctx)?;
        self.frames.learn(lemma.clone(), reached, &mut self.queries);
        Ok((lemma, reached))
    }

    /// The highest level at which a lemma of `level` holds, and what of it matters there.
    fn push(&mut self, cube: Cube, level: usize, ctx: &mut Ctx<'_>) -> Result<(Cube, usize), Stop> {
        let (mut cube, mut level) = (cube, level);
        while level < self.frames.last()
            && let Some(core) = self.queries.unreachable_from(&cube, level, ctx)?
        {
            (cube, level) = (core, level + 1);
        }
        Ok((cube, level))
    }
}
