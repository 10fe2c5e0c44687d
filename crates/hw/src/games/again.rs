//! What the environment played before, played again.
//!
//! Whether a play leads to a layer is seen from where it leads: the states that are reached are few, and only the part of
//! the layer that they see is looked at. What each play leads to from each state takes much longer, and is needed only
//! where no play of before will do.

use super::symbolic::Play;
use crate::bdd::{Diagram, Ref};
use alphorn_engine::{Ctx, Stop};

/// What is played in the inputs that promises leave open.
#[derive(Clone)]
pub(super) struct Open {
    /// The inputs, each after those that its function reads.
    pub(super) order: Vec<usize>,
    /// Their functions, of latches and of these inputs.
    pub(super) made: Vec<Diagram>,
}

/// What was played, and what need not be looked at.
pub(super) struct Plays {
    /// Plays of whole steps, the last one first.
    pub(super) made: Vec<Open>,
    /// Latches that the controller alone sets.
    pub(super) own: Vec<usize>,
}

/// States in which constants are made right before it is given up.
const EXAMPLES: usize = 8;

/// What a play leads to.
enum Led {
    /// These states, all of which are where they should be.
    There(Ref),
    /// Something else, from a state with these values.
    Wrong(Vec<(usize, bool)>),
}

impl Play {
    /// A play of before for the same inputs that leads from the states that are pinned as those that are reached to `before`,
    /// and where it leads.
    pub(super) fn again(
        &mut self,
        before: &Diagram,
        step: usize,
        count: usize,
        open: &[usize],
        plays: &mut Plays,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(Open, Ref)>, Stop> {
        let Plays { made, own } = plays;
        for at in 0..made.len() {
            let order = &made[at].order;
            if order.len() != open.len() || !open.iter().all(|input| order.contains(input)) {
                continue;
            }
            if let Led::There(there) = self.leads(before, step, count, &made[at], own, ctx)? {
                return Ok(Some((made.remove(at), there)));
            }
        }
        self.constants(before, step, count, open, own, ctx)
    }

    /// Where a play leads to, if that is in `before` whatever the controller does.
    fn leads(
        &mut self,
        before: &Diagram,
        step: usize,
        count: usize,
        play: &Open,
        own: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Led, Stop> {
        let base = self.bdd.pins();
        let here = self.step_played(step, play, ctx)?;
        let found = self.led(before, here, count, own, ctx)?;
        self.bdd.unpin(base);
        Ok(found)
    }

    /// Constants that are right in all states that are pinned as reached, and where they lead: those that are right in some
    /// state are tried, then those that are right also in the state where that was wrong.
    fn constants(
        &mut self,
        before: &Diagram,
        step: usize,
        count: usize,
        open: &[usize],
        own: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(Open, Ref)>, Stop> {
        let right = self.bdd.pin(Ref::TRUE);
        let mut state = self.some(self.lost());
        for _ in 0..EXAMPLES {
            let moves = self.right_in(&state, before, step, count, ctx)?;
            let sofar = self.bdd.pinned(right);
            let base = self.bdd.pin(moves);
            let moves = self.bdd.whole(ctx, |bdd, ctx| bdd.and(sofar, moves, ctx))?;
            self.bdd.unpin(base);
            self.bdd.set_pin(right, moves);
            if moves == Ref::FALSE {
                break;
            }
            let mut made = vec![Ref::FALSE; open.len()];
            for (input, value) in self.some(moves) {
                let at = open.iter().position(|open| *open == input);
                if let Some(at) = at.filter(|_| value) {
                    made[at] = Ref::TRUE;
                }
            }
            let made = made.iter().map(|value| Diagram::new(&self.bdd, *value)).collect();
            let play = Open { order: open.to_vec(), made };
            match self.leads(before, step, count, &play, own, ctx)? {
                Led::There(there) => {
                    self.bdd.unpin(right);
                    return Ok(Some((play, there)));
                }
                Led::Wrong(found) => state = found,
            }
        }
        self.bdd.unpin(right);
        Ok(None)
    }

    /// Literals that make a function true.
    fn some(&self, f: Ref) -> Vec<(usize, bool)> {
        let mut literals = Vec::new();
        let mut at = f;
        while let Some((var, high, low)) = self.bdd.parts(at) {
            literals.push((var, low == Ref::FALSE));
            at = if low == Ref::FALSE { high } else { low };
        }
        literals
    }

    /// What can be played in a state so that the game goes on to `before`.
    fn right_in(
        &mut self,
        state: &[(usize, bool)],
        before: &Diagram,
        step: usize,
        count: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Stop> {
        let all = self.bdd.pin(self.lost());
        let state: Vec<(usize, bool)> = (0..self.latches)
            .map(|latch| {
                state.iter().copied().find(|(at, _)| *at == latch).unwrap_or((latch, false))
            })
            .collect();
        let state = self.bdd.literals(&state);
        self.set_lost(state);
        let base = self.bdd.pins();
        for pin in step..step + self.latches + 2 {
            let part = self.bdd.pinned(pin);
            let part = self.bdd.whole(ctx, |bdd, ctx| bdd.restrict(part, state, ctx))?;
            self.bdd.pin(part);
        }
        let layer = self.seen(before, base, count, ctx)?;
        let forced = self.forced(&layer, base, ctx)?;
        let here = self.bdd.pinned(all);
        self.set_lost(here);
        self.bdd.unpin(all);
        Ok(forced)
    }

    /// Pins of a step in which this is played, as it is in the states that are pinned as those that are reached; the first
    /// of them.
    pub(super) fn step_played(
        &mut self,
        step: usize,
        play: &Open,
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Stop> {
        let (base, count) = (self.bdd.pins(), self.variables());
        for var in 0..count {
            let variable = self.bdd.variable(var);
            self.bdd.pin(variable);
        }
        for (input, function) in play.order.iter().zip(&play.made) {
            let function = self.replaced(function, base, ctx)?;
            self.bdd.set_pin(base + *input, function);
        }
        self.step_with(step, base, count, ctx)
    }

    /// Pins of a step with functions of latches, in the place of variables; the first of them.
    fn step_with(
        &mut self,
        step: usize,
        functions: usize,
        count: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Stop> {
        let base = self.bdd.pins();
        let by: Vec<Option<Ref>> = (0..count)
            .map(|var| self.others.contains(&var).then(|| self.bdd.pinned(functions + var)))
            .collect();
        for pin in 0..self.latches + 2 {
            let (part, here) = (self.bdd.pinned(step + pin), self.lost());
            let part = self.bdd.whole(ctx, |bdd, ctx| {
                let part = bdd.replace(part, &by, ctx)?;
                bdd.hold(part);
                bdd.restrict(part, here, ctx)
            })?;
            self.bdd.pin(part);
        }
        Ok(base)
    }

    /// The states that a step without inputs of the environment leads to, if all are in `before` and the game goes on.
    fn led(
        &mut self,
        before: &Diagram,
        step: usize,
        count: usize,
        own: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Led, Stop> {
        let (holds, here) = (self.bdd.pinned(step + self.latches + 1), self.lost());
        let over = self.bdd.whole(ctx, |bdd, ctx| bdd.and(here, !holds, ctx))?;
        if over != Ref::FALSE {
            return Ok(Led::Wrong(self.some(over)));
        }
        let there = self.image(step, self.latches + 2, count, ctx)?;
        let base = self.bdd.pin(there);
        let wide = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(own);
            bdd.hold(cube);
            bdd.exists(there, cube, ctx)
        })?;
        self.bdd.pin(wide);
        let mut outside = Ref::FALSE;
        // What the controller sets matters only in the step after, if at all.
        for pin in [base + 1, base] {
            let there = self.bdd.pinned(pin);
            let layer = self.bdd.agreeing(before, there, ctx)?;
            outside = self.bdd.whole(ctx, |bdd, ctx| bdd.and(there, !layer, ctx))?;
            if outside == Ref::FALSE {
                let there = self.bdd.pinned(pin);
                self.bdd.unpin(base);
                return Ok(Led::There(there));
            }
        }
        self.bdd.unpin(base);
        // A state from which the first of them is reached without an error.
        let bad = self.bdd.pinned(step + self.latches);
        let mut from = self.bdd.whole(ctx, |bdd, ctx| bdd.and(here, !bad, ctx))?;
        for (latch, value) in self.some(outside) {
            let pin = self.bdd.pin(from);
            let next = self.bdd.pinned(step + latch);
            let next = if value { next } else { !next };
            from = self.bdd.whole(ctx, |bdd, ctx| bdd.and(from, next, ctx))?;
            self.bdd.unpin(pin);
        }
        Ok(Led::Wrong(self.some(from)))
    }
}
