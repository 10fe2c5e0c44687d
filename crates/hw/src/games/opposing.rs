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
}
