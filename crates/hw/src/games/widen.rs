//! Sets of states between those that plays reach and those from which the plan wins: a plan needs any of them to be
//! proved, and simple ones make short proofs.
//!
//! From the last step of the plan back, the states are computed from which what is played leads to the set of the step
//! after, whatever the controller does. The set of a step is then something simple between that and what plays reach.
//! What all states that are reached have in common stays as it is.
//!
//! Invariant: the set of a step has all states that plays reach, and what is played there leads to the set of the step
//! after; a proof that fails would say so.

use super::again::Open;
use super::chase::Move;
use super::promises::Promises;
use super::respond::briefly;
use super::symbolic::Play;
use crate::bdd::{Diagram, Ref};
use alphorn_engine::{Ctx, Stop};

/// Ticks for one step.
const STEP_TICKS: u64 = 200_000;

/// How a step of a plan was made.
pub(super) struct Way {
    /// The inputs that promises decide, and the first pin of the step with their functions.
    pub(super) decided: Vec<usize>,
    pub(super) step: usize,
    /// What is played in the others.
    pub(super) open: Open,
}

impl Play {
    /// Gives the last steps of a plan, those whose way is known, sets of states that are simple.
    pub(super) fn widen(
        &mut self,
        moves: &mut [Move],
        ways: &[Way],
        promises: &Promises,
        own: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let mut after = Diagram::new(&self.bdd, Ref::FALSE);
        let known = moves.len() - ways.len();
        for (step, way) in moves[known..].iter_mut().zip(ways).rev() {
            let base = self.bdd.pins();
            let wide = briefly(STEP_TICKS, ctx, |ctx| {
                self.wide(&step.reached, &after, way, promises, own, ctx).map(Some)
            })?;
            self.bdd.unpin(base);
            let Some(wide) = wide else { break };
            after = wide.clone();
            step.reached = wide;
        }
        Ok(())
    }

    /// A simple set between what is reached and what leads to `after`.
    fn wide(
        &mut self,
        reached: &Diagram,
        after: &Diagram,
        way: &Way,
        promises: &Promises,
        own: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Diagram, Stop> {
        let reached = self.bdd.agreeing(reached, Ref::TRUE, ctx)?;
        let least = self.bdd.pin(reached);
        let fixed = self.common(least, ctx)?;
        let cube = self.bdd.literals(&fixed);
        self.set_lost(cube);
        let here = self.step_played(way.step, &way.open, ctx)?;
        let won = self.forced(after, here, ctx)?;
        let most = self.bdd.pin(won);
        for input in &way.decided {
            let (sofar, decided) =
                (self.bdd.pinned(most), self.bdd.pinned(promises.pin(*input - self.latches)));
            let both = self.bdd.whole(ctx, |bdd, ctx| bdd.and(sofar, decided, ctx))?;
            self.bdd.set_pin(most, both);
        }
        for (latch, value) in &fixed {
            let f = self.bdd.pinned(most);
            let left = self.bdd.whole(ctx, |bdd, ctx| bdd.with_value(f, *latch, *value, ctx))?;
            self.bdd.set_pin(most, left);
        }
        // What the controller sets is left out where what is reached does not say it.
        let support = self.bdd.support(self.bdd.pinned(least));
        if !own.iter().any(|latch| support.contains(latch)) {
            let f = self.bdd.pinned(most);
            let left = self.bdd.whole(ctx, |bdd, ctx| {
                let cube = bdd.cube(own);
                bdd.hold(cube);
                bdd.exists(!f, cube, ctx)
            })?;
            self.bdd.set_pin(most, !left);
        }
        let (low, high) = (self.bdd.pinned(least), self.bdd.pinned(most));
        let care = self.bdd.whole(ctx, |bdd, ctx| bdd.or(low, !high, ctx))?;
        let care = self.bdd.pin(care);
        let mut best = least;
        let outside = self.bdd.whole(ctx, |bdd, ctx| bdd.and(low, !high, ctx))?;
        if outside == Ref::FALSE {
            for pin in [least, most] {
                let (f, care) = (self.bdd.pinned(pin), self.bdd.pinned(care));
                let narrow = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(f, care, ctx))?;
                let narrow = self.bdd.pin(narrow);
                for made in [pin, narrow] {
                    let size = |pin: usize| self.bdd.size(&[self.bdd.pinned(pin)]);
                    if size(made) < size(best) {
                        best = made;
                    }
                }
            }
        }
        let best = self.bdd.pinned(best);
        let all = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.literals(&fixed);
            bdd.hold(cube);
            bdd.and(cube, best, ctx)
        })?;
        Ok(Diagram::new(&self.bdd, all))
    }
}
