//! A circuit under construction: the model with latches moved, and gates added to it, each once.

use super::{MAX_SIZE, at};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit, Symbols};
use rustc_hash::FxHashMap;

/// A circuit in the making: the model's variables, latches of its own after the model's, and gates
/// that are made once each.
pub(super) struct Builder {
    inputs: u32,
    pub(super) latches: Vec<Latch>,
    first_gate: u32,
    ands: Vec<And>,
    made: FxHashMap<(Lit, Lit), Lit>,
    /// How far the model's gates moved to make room for latches.
    shift: u32,
    model_gate: u32,
}

impl Builder {
    /// The model, with room for `added` latches.
    pub(super) fn new(model: &Circuit, added: usize) -> Result<Builder, String> {
        if u64::from(model.max_var()) + added as u64 > MAX_SIZE {
            return Err("the witness circuit is too large".into());
        }
        let model_gate = 1 + model.inputs + model.latches.len() as u32;
        let mut builder = Builder {
            inputs: model.inputs,
            latches: Vec::with_capacity(model.latches.len() + added),
            first_gate: model_gate + added as u32,
            ands: Vec::with_capacity(model.ands.len()),
            made: FxHashMap::default(),
            shift: added as u32,
            model_gate,
        };
        for latch in &model.latches {
            let (next, reset) = (builder.moved(latch.next), builder.moved(latch.reset));
            builder.latches.push(Latch { next, reset });
        }
        let free = Latch { next: Lit::FALSE, reset: Lit::FALSE };
        builder.latches.resize(model.latches.len() + added, free);
        for (index, and) in model.ands.iter().enumerate() {
            let (left, right) = (builder.moved(and.left), builder.moved(and.right));
            let (left, right) = (left.max(right), left.min(right));
            builder.ands.push(And { left, right });
            let lit = Lit::new(builder.first_gate + index as u32, false);
            builder.made.entry((left, right)).or_insert(lit);
        }
        Ok(builder)
    }

    /// A literal of the model, here.
    fn moved(&self, lit: Lit) -> Lit {
        if lit.var() < self.model_gate { lit } else { Lit(lit.0 + 2 * self.shift) }
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = (a.max(b), a.min(b));
        if right == Lit::FALSE || left == !right {
            return Lit::FALSE;
        }
        if right == Lit::TRUE || left == right {
            return left;
        }
        let fresh = Lit::new(self.first_gate + self.ands.len() as u32, false);
        let lit = *self.made.entry((left, right)).or_insert(fresh);
        if lit == fresh {
            self.ands.push(And { left, right });
        }
        lit
    }

    /// The conjunction, as a balanced tree.
    pub(super) fn conjunction(&mut self, mut lits: Vec<Lit>) -> Lit {
        while lits.len() > 1 {
            let pairs = lits.chunks(2).map(|pair| match *pair {
                [a, b] => self.and(a, b),
                _ => pair[0],
            });
            lits = pairs.collect();
        }
        lits.first().copied().unwrap_or(Lit::TRUE)
    }

    pub(super) fn or(&mut self, lits: &[Lit]) -> Lit {
        !self.conjunction(lits.iter().map(|&lit| !lit).collect())
    }

    pub(super) fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        let (both, none) = (self.and(a, b), self.and(!a, !b));
        self.or(&[both, none])
    }

    /// That `latches` have one of the rows of values: a decision diagram from the last latch up.
    pub(super) fn one_of(&mut self, latches: &[Lit], states: &[Vec<bool>]) -> Lit {
        let mut rows: Vec<&[bool]> = states.iter().map(Vec::as_slice).collect();
        rows.sort_unstable();
        rows.dedup();
        // One node per prefix of the rows, the first with that prefix standing for it.
        let mut nodes: Vec<(&[bool], Lit)> = rows.into_iter().map(|row| (row, Lit::TRUE)).collect();
        for (column, &latch) in latches.iter().enumerate().rev() {
            let mut above: Vec<(&[bool], Lit)> = Vec::with_capacity(nodes.len());
            for (row, node) in nodes {
                let branch = self.and(latch.xor(!row[column]), node);
                match above.last_mut() {
                    Some((last, known)) if last[..column] == row[..column] => {
                        *known = self.or(&[*known, branch]);
                    }
                    _ => above.push((row, branch)),
                }
            }
            nodes = above;
        }
        nodes.first().map_or(Lit::FALSE, |(_, node)| *node)
    }

    /// The wires of `circuit` over given inputs and latches, where `wanted`.
    pub(super) fn evaluate(
        &mut self,
        circuit: &Circuit,
        inputs: &[Lit],
        latches: &[Lit],
        wanted: impl Fn(u32) -> bool,
    ) -> Vec<Lit> {
        let mut values = vec![Lit::FALSE; circuit.max_var() as usize + 1];
        let leaves = inputs.iter().chain(latches);
        for (value, &leaf) in values[1..].iter_mut().zip(leaves) {
            *value = leaf;
        }
        let first = 1 + circuit.inputs + circuit.latches.len() as u32;
        for (var, and) in (first..).zip(&circuit.ands).filter(|(var, _)| wanted(*var)) {
            values[var as usize] = self.and(at(&values, and.left), at(&values, and.right));
        }
        values
    }

    /// The witness circuit with its bad states, whose model literals are named.
    pub(super) fn finish(self, model: &Circuit, bad: Lit) -> Circuit {
        let name = |lit: Lit| format!("= {}", lit.0);
        let inputs = (0..model.inputs).map(|at| (b'i', at, name(model.input(at as usize))));
        let latches = (0..model.latches.len()).map(|at| (b'l', at as u32, name(model.latch(at))));
        let entries = inputs.chain(latches).collect();
        let constraints = model.constraints.iter().map(|&lit| self.moved(lit)).collect();
        let is_output = model.safety_kind() == b'o';
        Circuit {
            inputs: self.inputs,
            latches: self.latches,
            ands: self.ands,
            outputs: if is_output { vec![bad] } else { Vec::new() },
            bads: if is_output { Vec::new() } else { vec![bad] },
            constraints,
            symbols: Symbols { entries },
            ..Circuit::default()
        }
    }
}
