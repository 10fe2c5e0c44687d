//! Lemmas move up, and what stands in their way is blocked.
//!
//! A lemma that does not hold at the next level has a *counterexample to propagation*: a state of its
//! frame that leads into its cube. If that state is itself easily shown unreachable, a lemma about it is
//! added and the question is asked again, a few times.
//!
//! After Suda, "Triggered Clause Pushing for IC3" (2013), and the `ctp` of rIC3.

use super::trace::Trace;
use crate::frames::{Consecution, LemmaId};
use crate::settings::IC3_MAX_BLOCKED;
use alphorn_engine::{Ctx, Stop};

impl Trace<'_> {
    /// Moves lemmas to the highest levels at which they hold; ends early when two frames are equal.
    pub(crate) fn propagate(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        if !self.settings.block_in_propagation {
            return self.frames.propagate(&mut self.queries, ctx);
        }
        for level in 1..self.frames.last() {
            let mut ids: Vec<LemmaId> = self.frames.ids(level).collect();
            ids.sort_by_key(|id| self.frames.lemma(*id).map_or(0, |(cube, _)| cube.len()));
            for id in ids {
                self.raise_one_level(id, level, ctx)?;
            }
            if self.frames.count(level) == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Moves a lemma of a level to the next one, if it holds there or can be made to.
    fn raise_one_level(
        &mut self,
        id: LemmaId,
        level: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        for _ in 0..=IC3_MAX_BLOCKED.size() {
            let lemma = self.frames.lemma(id).filter(|(_, at)| *at == level);
            let Some(cube) = lemma.map(|(cube, _)| cube.clone()) else { return Ok(()) };
            if let Some(core) = self.queries.unreachable_from(&cube, level, ctx)? {
                self.frames.learn(core, level + 1, &mut self.queries);
                return Ok(());
            }
            let target = self.queries.successor(&cube);
            let state = self.queries.predecessor(&target, ctx)?;
            if !self.block_quickly(&state, level, &mut 1, ctx)? {
                return Ok(());
            }
        }
        Ok(())
    }
}
