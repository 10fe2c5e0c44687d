//! What the environment plays where the controller loses, from the layers of a game.

use super::symbolic::Play;
use crate::bdd::{Diagram, Ref};
use alphorn_engine::{Ctx, Stop};

impl Play {
    /// What the environment plays in a state that loses: inputs that lead to a lower layer.
    pub(super) fn played(&mut self, state: &[bool], ctx: &mut Ctx<'_>) -> Result<Vec<bool>, Stop> {
        let is_there = |layer: &Diagram| layer.value(|latch| state[latch]);
        let Some(layer @ 1..) = self.layers.iter().position(is_there) else {
            return Err(Stop::Stuck("a state was followed that does not lose".into()));
        };
        let literals: Vec<(usize, bool)> = state.iter().copied().enumerate().collect();
        let base = self.bdd.pins();
        for pin in 0..self.latches + 2 {
            let part = self.bdd.pinned(pin);
            let here = self.bdd.whole(ctx, |bdd, ctx| {
                let cube = bdd.literals(&literals);
                bdd.hold(cube);
                bdd.restrict(part, cube, ctx)
            })?;
            self.bdd.pin(here);
        }
        let before = self.layers[layer - 1].clone();
        let mut at = self.forced(&before, base, ctx)?;
        self.bdd.unpin(base);
        if at == Ref::FALSE {
            return Err(Stop::Stuck("a state that loses has nothing that it loses to".into()));
        }
        let mut inputs = vec![false; self.others.len()];
        while let Some((var, high, low)) = self.bdd.parts(at) {
            let value = low == Ref::FALSE;
            inputs[var - self.others[0]] = value;
            at = if value { high } else { low };
        }
        Ok(inputs)
    }

    /// What the environment plays: a function of the latches for each of its inputs, which leads from each layer
    /// to the one before.
    pub(super) fn strategy(&mut self, ctx: &mut Ctx<'_>) -> Result<Vec<Diagram>, Stop> {
        let relation = self.bdd.pin(Ref::FALSE);
        // The layer before, then what the variables of latches are replaced by: themselves.
        let earlier = self.bdd.pin(Ref::FALSE);
        let own = self.bdd.pins();
        for latch in 0..self.latches {
            let variable = self.bdd.variable(latch);
            self.bdd.pin(variable);
        }
        for layer in 1..self.layers.len() {
            let (before, here) = (self.layers[layer - 1].clone(), self.layers[layer].clone());
            let forced = self.forced(&before, 0, ctx)?;
            let base = self.bdd.pin(forced);
            let lost = self.replaced(&here, own, ctx)?;
            self.bdd.pin(lost);
            let (moves, before) = (self.bdd.pinned(relation), self.bdd.pinned(earlier));
            let more = self.bdd.whole(ctx, |bdd, ctx| {
                let new = bdd.and(lost, !before, ctx)?;
                bdd.hold(new);
                let new = bdd.and(new, forced, ctx)?;
                bdd.hold(new);
                bdd.or(moves, new, ctx)
            })?;
            self.bdd.set_pin(relation, more);
            self.bdd.set_pin(earlier, lost);
            self.bdd.unpin(base);
        }
        let others = self.others.clone();
        let mut functions = Vec::new();
        for (at, input) in others.iter().enumerate() {
            functions.push(self.chosen(relation, *input, &others[at + 1..], ctx)?);
        }
        self.bdd.unpin(relation);
        Ok(functions)
    }

    /// A function for an input that the relation of a pin allows, which takes the input's place there.
    fn chosen(
        &mut self,
        relation: usize,
        input: usize,
        later: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Diagram, Stop> {
        let moves = self.bdd.pinned(relation);
        let function = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(later);
            bdd.hold(cube);
            let left = bdd.exists(moves, cube, ctx)?;
            bdd.hold(left);
            let one = bdd.with_value(left, input, true, ctx)?;
            bdd.hold(one);
            let zero = bdd.with_value(left, input, false, ctx)?;
            bdd.hold(zero);
            // Where both values do, or none, it does not matter.
            let different = bdd.choose(one, !zero, zero, ctx)?;
            bdd.hold(different);
            bdd.restrict(one, different, ctx)
        })?;
        let base = self.bdd.pin(function);
        let left = self.bdd.whole(ctx, |bdd, ctx| {
            let one = bdd.with_value(moves, input, true, ctx)?;
            bdd.hold(one);
            let zero = bdd.with_value(moves, input, false, ctx)?;
            bdd.hold(zero);
            bdd.choose(function, one, zero, ctx)
        })?;
        self.bdd.set_pin(relation, left);
        self.bdd.unpin(base);
        Ok(Diagram::new(&self.bdd, function))
    }
}
