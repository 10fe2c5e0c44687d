//! The circuits that strategies of a game leave, made of the game as read and the strategy alone.
//!
//! With a controller the *controlled* circuit has the environment's inputs left, and must be safe. With a
//! strategy of the environment the *opposed* circuit has the controllable inputs left, counts its steps,
//! remembers whether an error has shown, and is bad where the last step has passed without one; it must be
//! safe, too. Both are ordinary circuits with one safety property, so that ordinary certificates prove
//! them: there is no rule for games. PROOFS.md has the argument.
//!
//! Invariant: what is made is valid and depends on the game and the strategy alone; latches of the game come
//! first and in order. A strategy reads what it is given as inputs of its own circuit and nothing else, so that
//! it cannot read what it must not.

use super::circuit::MAX_SIZE;
use crate::circuit::{And, Circuit, Latch, Lit};
use crate::evidence::game::Spoiler;
use crate::game::Game;

/// The bits of a counter that goes up to `steps`.
pub fn counter_bits(steps: u32) -> usize {
    (u32::BITS - steps.leading_zeros()) as usize
}

/// The circuit of a game whose controllable inputs are those that `controller` says, or why it is none. Its only
/// property is that nothing is bad.
pub fn controlled(game: &Game, controller: &Circuit) -> Result<Circuit, String> {
    let spec = game.circuit();
    let (controls, others) = (game.controls(), game.others());
    let latches = spec.latches.len();
    is_strategy(controller, latches + others.len(), controls.len())?;
    let mut build = Builder::new(others.len(), latches);
    let latch: Vec<Lit> = (0..latches).map(|index| build.latch(index)).collect();
    let free: Vec<Lit> = (0..others.len()).map(|index| build.input(index)).collect();
    let chosen = build.strategy(controller, latch.iter().chain(&free).copied());
    let mut inputs = vec![Lit::FALSE; spec.inputs as usize];
    others.iter().zip(&free).for_each(|(input, lit)| inputs[*input] = *lit);
    controls.iter().zip(&chosen).for_each(|(input, lit)| inputs[*input] = *lit);
    let map = build.copy(spec, &inputs, &latch);
    let at = |lit: Lit| map[lit.var() as usize].xor(lit.is_negated());
    for (made, given) in build.made.latches.iter_mut().zip(&spec.latches) {
        *made = Latch { next: at(given.next), reset: at(given.reset) };
    }
    build.made.constraints = spec.constraints.iter().map(|lit| at(*lit)).collect();
    let bads: Vec<Lit> = spec.safety().iter().map(|lit| at(*lit)).collect();
    build.finish(&bads)
}

/// The circuit of a game whose environment plays as `spoiler` says, or why it is none. Its only property is that
/// an error has shown before its steps have passed.
///
/// Its latches are those of the game, then whether an error has shown, then whether a constraint has failed (if
/// the game has constraints), then the bits of the counter.
pub fn opposed(game: &Game, spoiler: &Spoiler) -> Result<Circuit, String> {
    let spec = game.circuit();
    let (controls, others) = (game.controls(), game.others());
    let (latches, bits) = (spec.latches.len(), counter_bits(spoiler.steps));
    if spoiler.steps == 0 {
        return Err("no error shows within no steps".into());
    }
    if spoiler.start.len() != latches {
        let count = spoiler.start.len();
        return Err(format!("{count} first values are given for {latches} latches"));
    }
    is_strategy(&spoiler.circuit, latches + bits, others.len())?;
    let is_constrained = !spec.constraints.is_empty();
    let added = 1 + usize::from(is_constrained);
    let mut build = Builder::new(controls.len(), latches + added + bits);
    let latch: Vec<Lit> = (0..latches).map(|index| build.latch(index)).collect();
    let counter: Vec<Lit> = (0..bits).map(|bit| build.latch(latches + added + bit)).collect();

    let played = build.strategy(&spoiler.circuit, latch.iter().chain(&counter).copied());
    let mut inputs = vec![Lit::FALSE; spec.inputs as usize];
    others.iter().zip(&played).for_each(|(input, lit)| inputs[*input] = *lit);
    for (position, input) in controls.iter().enumerate() {
        inputs[*input] = build.input(position);
    }
    let map = build.copy(spec, &inputs, &latch);
    let at = |lit: Lit| map[lit.var() as usize].xor(lit.is_negated());
    for (index, given) in spec.latches.iter().enumerate() {
        let reset = match spec.is_uninitialised(index) {
            true => Lit::FALSE.xor(spoiler.start[index]),
            false => given.reset,
        };
        build.made.latches[index] = Latch { next: at(given.next), reset };
    }

    let mut error = Lit::FALSE;
    for bad in spec.safety() {
        error = build.or(error, at(*bad));
    }
    if is_constrained {
        let broken = build.latch(latches + 1);
        let mut holds = !broken;
        for constraint in &spec.constraints {
            holds = build.and(holds, at(*constraint));
        }
        build.made.latches[latches + 1].next = !holds;
        error = build.and(error, holds);
    }
    let shown = build.latch(latches);
    let shows = build.or(shown, error);
    build.made.latches[latches].next = shows;
    let end = build.count(&counter, latches + added, spoiler.steps);
    let bad = build.and(end, !shown);
    build.finish(&[bad])
}

/// Whether a circuit is a strategy of these widths.
fn is_strategy(circuit: &Circuit, inputs: usize, outputs: usize) -> Result<(), String> {
    if circuit.inputs as usize != inputs {
        return Err(format!("the strategy has {} inputs, not {inputs}", circuit.inputs));
    }
    if circuit.outputs.len() != outputs {
        return Err(format!("the strategy has {} outputs, not {outputs}", circuit.outputs.len()));
    }
    let sections = [&circuit.bads, &circuit.constraints, &circuit.fairness];
    let is_plain = sections.iter().all(|section| section.is_empty());
    if !is_plain || !circuit.latches.is_empty() || !circuit.justice.is_empty() {
        return Err("the strategy has latches or properties of its own".into());
    }
    // Before `validate`, which numbers the gates and must not run out of numbers.
    if circuit.ands.len() > MAX_SIZE as usize {
        return Err(format!("the strategy has more than {MAX_SIZE} gates"));
    }
    circuit.validate()
}

/// A circuit in the making: inputs and latches first, then gates.
struct Builder {
    made: Circuit,
}

impl Builder {
    fn new(inputs: usize, latches: usize) -> Builder {
        let latch = Latch { next: Lit::FALSE, reset: Lit::FALSE };
        let latches = vec![latch; latches];
        Builder { made: Circuit { inputs: inputs as u32, latches, ..Circuit::default() } }
    }

    fn input(&self, index: usize) -> Lit {
        self.made.input(index)
    }

    fn latch(&self, index: usize) -> Lit {
        self.made.latch(index)
    }

    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        match (left.min(right), left.max(right)) {
            (Lit::FALSE, _) => Lit::FALSE,
            (Lit::TRUE, other) => other,
            (small, large) => {
                self.made.ands.push(And { left: large, right: small });
                self.made.gate(self.made.ands.len() - 1)
            }
        }
    }

    fn or(&mut self, left: Lit, right: Lit) -> Lit {
        !self.and(!left, !right)
    }

    /// The outputs of a strategy that reads these.
    fn strategy(&mut self, strategy: &Circuit, reads: impl Iterator<Item = Lit>) -> Vec<Lit> {
        let inputs: Vec<Lit> = reads.collect();
        let map = self.copy(strategy, &inputs, &[]);
        let output = |lit: &Lit| map[lit.var() as usize].xor(lit.is_negated());
        strategy.outputs.iter().map(output).collect()
    }

    /// Copies the gates of a circuit; for each of its variables, what it is in the copy.
    fn copy(&mut self, circuit: &Circuit, inputs: &[Lit], latches: &[Lit]) -> Vec<Lit> {
        let mut map = Vec::with_capacity(circuit.max_var() as usize + 1);
        map.push(Lit::FALSE);
        map.extend_from_slice(inputs);
        map.extend_from_slice(latches);
        for and in &circuit.ands {
            let at = |lit: Lit| map[lit.var() as usize].xor(lit.is_negated());
            let (left, right) = (at(and.left), at(and.right));
            let made = self.and(left, right);
            map.push(made);
        }
        map
    }

    /// Makes the counter count up to `steps` and stay there; whether it is there.
    fn count(&mut self, counter: &[Lit], first: usize, steps: u32) -> Lit {
        let mut end = Lit::TRUE;
        for (bit, lit) in counter.iter().enumerate() {
            end = self.and(end, lit.xor(steps >> bit & 1 == 0));
        }
        let mut carry = !end;
        for (bit, lit) in counter.iter().enumerate() {
            let both = self.and(*lit, carry);
            let neither = self.and(!*lit, !carry);
            let next = self.and(!both, !neither);
            self.made.latches[first + bit].next = next;
            carry = both;
        }
        end
    }

    fn finish(mut self, bads: &[Lit]) -> Result<Circuit, String> {
        let mut bad = Lit::FALSE;
        for lit in bads {
            bad = self.or(bad, *lit);
        }
        if self.made.ands.len() > MAX_SIZE as usize {
            return Err(format!("the circuit has more than {MAX_SIZE} gates"));
        }
        self.made.bads = vec![bad];
        Ok(self.made)
    }
}
