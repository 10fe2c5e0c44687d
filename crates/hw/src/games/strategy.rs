//! Functions as the circuits and invariants that evidence about a game is made of.

use super::arena::{Arena, State};
use super::chase::Move;
use super::extract::Functions;
use super::symbolic::to_edge;
use alphorn_problem::Game;
use alphorn_problem::circuit::{And, Circuit, Lit};
use alphorn_problem::evidence::circuit::{Certificate, Invariant};
use alphorn_problem::evidence::game::Spoiler;
use alphorn_problem::obligation::game::counter_bits;
use alphorn_sat::aig::{Aig, Edge};

/// A circuit without latches of this many inputs whose outputs are `roots`; `place` says which input of it an
/// input of the graph is.
pub(super) fn plain(
    aig: &Aig,
    roots: &[Edge],
    inputs: usize,
    place: impl Fn(u32) -> usize,
) -> Circuit {
    let mut lits = vec![Lit::FALSE; aig.len() as usize];
    let mut made = Circuit { inputs: inputs as u32, ..Circuit::default() };
    for index in aig.support(roots) {
        lits[aig.input(index).node() as usize] = made.input(place(index));
    }
    let at = |lits: &[Lit], edge: Edge| lits[edge.node() as usize].xor(edge.is_negated());
    for node in aig.cone(roots) {
        if let Some((left, right)) = aig.operands(node) {
            let (left, right) = (at(&lits, left), at(&lits, right));
            made.ands.push(And { left: left.max(right), right: left.min(right) });
            lits[node as usize] = made.gate(made.ands.len() - 1);
        }
    }
    made.outputs = roots.iter().map(|root| at(&lits, *root)).collect();
    made
}

/// The circuit of a controller.
pub(super) fn controller(game: &Game, arena: &Arena, functions: &Functions) -> Circuit {
    let latches = game.circuit().latches.len();
    let inputs = latches + arena.others;
    plain(&functions.aig, &functions.controls, inputs, |index| {
        match (index as usize).checked_sub(arena.latches.len()) {
            None => arena.latches[index as usize],
            Some(other) => latches + other,
        }
    })
}

/// An invariant of the controlled circuit, given over the latches that matter.
pub(super) fn region(game: &Game, arena: &Arena, aig: &Aig, holds: Edge) -> Invariant {
    let latches = game.circuit().latches.len();
    let place = |index: u32| arena.latches[index as usize];
    Invariant::Aig(Box::new(plain(aig, &[holds], latches, place)))
}

/// An invariant of the controlled circuit: to be outside of cubes over the latches that matter.
pub(super) fn outside<'c>(arena: &Arena, cubes: impl Iterator<Item = &'c [State]>) -> Invariant {
    let clauses = cubes.map(|cube| {
        let lits = cube.iter().map(|(latch, value)| {
            let place = arena.latches[*latch as usize];
            Lit::new((arena.others + 1 + place) as u32, *value)
        });
        lits.collect()
    });
    Invariant::Clauses(clauses.collect())
}

/// What the environment plays and why it wins, over the latches that matter.
pub(super) struct Plan {
    pub(super) aig: Aig,
    /// What loses within so many steps, beginning with none; each has the one before.
    pub(super) layers: Vec<Edge>,
    /// What is played, for each input of the environment.
    pub(super) play: Vec<Edge>,
    /// A first state that loses.
    pub(super) start: Vec<bool>,
}

impl Plan {
    /// The evidence, without its proofs.
    pub(super) fn spoiler(mut self, game: &Game, arena: &Arena) -> Spoiler {
        let value = |index: u32| self.start.get(index as usize) == Some(&true);
        let lost = self.aig.evaluate(&self.layers, value);
        let steps = lost.iter().position(|is| *is).unwrap_or(self.layers.len()).max(1);
        let latches = game.circuit().latches.len();
        let mut start = vec![false; latches];
        for (place, value) in arena.latches.iter().zip(&self.start) {
            start[*place] = *value;
        }
        let bits = counter_bits(steps as u32);
        let place = |index: u32| arena.latches[index as usize];
        let circuit = plain(&self.aig, &self.play, latches + bits, place);
        let is_constrained = !game.circuit().constraints.is_empty();
        let invariant = self.invariant(arena, latches, steps, bits, is_constrained);
        let certificate = Certificate { property: 0, invariant, obligations: Vec::new() };
        Spoiler { start, circuit, steps: steps as u32, certificate }
    }

    /// That an error has shown, or the state loses within the steps that are left.
    fn invariant(
        &mut self,
        arena: &Arena,
        latches: usize,
        steps: usize,
        bits: usize,
        is_constrained: bool,
    ) -> Invariant {
        let aig = &mut self.aig;
        while (aig.inputs() as usize) < arena.latches.len() {
            aig.add_input();
        }
        let first_added = aig.inputs();
        let shown = aig.add_input();
        let broken = if is_constrained { aig.add_input() } else { Edge::FALSE };
        let counter: Vec<Edge> = (0..bits).map(|_| aig.add_input()).collect();
        let mut cases = Vec::new();
        for (layer, lost) in self.layers.iter().enumerate().take(steps + 1).skip(1) {
            let passed = at_most(aig, &counter, (steps - layer) as u32);
            cases.push(aig.and(*lost, passed));
        }
        let losing = aig.or_n(cases);
        let losing = aig.and(losing, !broken);
        let holds = aig.or(shown, losing);
        let added = 1 + usize::from(is_constrained) + bits;
        let place = |index: u32| match index.checked_sub(first_added) {
            None => arena.latches[index as usize],
            Some(at) => latches + at as usize,
        };
        Invariant::Aig(Box::new(plain(aig, &[holds], latches + added, place)))
    }
}

/// The evidence, without its proofs, where the environment plays by the number of steps that have passed.
pub(super) fn timed(game: &Game, arena: &Arena, moves: &[Move], first: &[bool]) -> Spoiler {
    let (latches, steps) = (game.circuit().latches.len(), moves.len());
    let mut start = vec![false; latches];
    for (place, value) in arena.latches.iter().zip(first) {
        start[*place] = *value;
    }
    let bits = counter_bits(steps as u32);
    let mut aig = arena.of_latches();
    let first_other = aig.inputs();
    for _ in 0..arena.others {
        aig.add_input();
    }
    let first_added = aig.inputs();
    let counter: Vec<Edge> = (0..bits).map(|_| aig.add_input()).collect();
    let shown = aig.add_input();
    let is_constrained = !game.circuit().constraints.is_empty();
    let broken = if is_constrained { aig.add_input() } else { Edge::FALSE };
    let mut play = vec![Edge::FALSE; arena.others];
    let mut cases = Vec::new();
    for (passed, step) in moves.iter().enumerate() {
        let lits = counter.iter().enumerate().map(|(at, bit)| bit.xor(passed >> at & 1 == 0));
        let lits: Vec<Edge> = lits.collect();
        let now = aig.and_n(lits);
        // What states have in common is said apart, so that proofs find it.
        let mut all = vec![now, to_edge(&step.reached, &mut aig)];
        all.extend(step.fixed.iter().map(|(latch, value)| arena.latch(*latch).xor(!*value)));
        cases.push(aig.and_n(all));
        let mut made = vec![Edge::FALSE; arena.others];
        for at in &step.order {
            let function = to_edge(&step.play[*at], &mut aig);
            made[*at] = aig.substitute(&[function], |input| {
                let other = input.checked_sub(first_other)? as usize;
                made.get(other).copied()
            })[0];
        }
        for (input, function) in play.iter_mut().zip(made) {
            *input = aig.ite(now, function, *input);
        }
    }
    let losing = aig.or_n(cases);
    let losing = aig.and(losing, !broken);
    let holds = aig.or(shown, losing);
    let added = 1 + usize::from(is_constrained);
    let place = |index: u32, counted: usize| match index.checked_sub(first_added) {
        None => arena.latches[index as usize],
        Some(at) if (at as usize) < bits => counted + at as usize,
        Some(at) => latches + at as usize - bits,
    };
    let circuit = plain(&aig, &play, latches + bits, |index| place(index, latches));
    let invariant =
        plain(&aig, &[holds], latches + added + bits, |index| place(index, latches + added));
    let invariant = Invariant::Aig(Box::new(invariant));
    let certificate = Certificate { property: 0, invariant, obligations: Vec::new() };
    Spoiler { start, circuit, steps: steps as u32, certificate }
}

/// Whether a number, given by its bits, is at most `most`.
fn at_most(aig: &mut Aig, bits: &[Edge], most: u32) -> Edge {
    let mut holds = Edge::TRUE;
    for (at, bit) in bits.iter().enumerate() {
        holds = match most >> at & 1 {
            1 => aig.or(!*bit, holds),
            _ => aig.and(!*bit, holds),
        };
    }
    holds
}
