//! Latches that never change, by ternary simulation, and values that constraints force.
//!
//! The simulation begins with the resets, inputs being unknown, and joins the values of all steps:
//! a latch that takes a second value becomes unknown, and so does what depends on it, until nothing
//! changes. What has a value then has it in every reachable state, and these facts are inductive
//! together. (A simulation that follows the steps one by one sees more, but what it sees is not a
//! conjunction of facts about latches.)
//!
//! A constraint that is a conjunction is split. One that is an input or its negation gives the input
//! its value and goes. One that is a latch or a gate stays, and all others read the value it forces.
//! A latch whose reset and next value are what the constraint asks for needs no constraint.

use super::facts::Facts;
use super::graph::Graph;
use super::{Change, size};
use crate::circuit::{first_gate, gate_of, latch_of};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_sat::aig::Edge;
use std::collections::BTreeSet;

/// The transform.
pub(super) fn apply(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Option<Change>, Stop> {
    let conjuncts = conjuncts(circuit);
    let mut forced = vec![None; circuit.max_var() as usize + 1];
    for lit in &conjuncts {
        forced[lit.var() as usize].get_or_insert(!lit.is_negated());
    }
    let values = Ternary::new(circuit, &forced).settled(ctx)?;
    let need_constraints = conjuncts.iter().any(|lit| lit.var() > circuit.inputs);
    let mut facts = Facts { need_constraints, ..Facts::default() };
    for index in 0..circuit.latches.len() {
        if let Some(value) = values.constant(circuit.latch(index)) {
            facts.values.push((index, Lit::FALSE.xor(value)));
        }
    }
    let inputs = (0..circuit.inputs as usize).map(|index| (index, forced[1 + index]));
    facts.forced = inputs.filter_map(|(index, value)| Some((index, value?))).collect();

    let mut defined = vec![Edge::FALSE; circuit.max_var() as usize + 1];
    let mut graph = Graph::new(circuit, |_, var, edge| {
        defined[var as usize] = edge;
        let is_latch = latch_of(circuit, var).is_some();
        let latch = is_latch.then(|| values.constant(Lit::new(var, false))).flatten();
        match latch.or(forced[var as usize]) {
            Some(value) => Edge::FALSE.xor(value),
            None => edge,
        }
    });
    let resets = graph.resets(circuit, |var, edge| match forced[var as usize] {
        Some(value) => Edge::FALSE.xor(value),
        None => edge,
    });
    let constraint = |lit: Lit| {
        let edge = match lit.var() <= circuit.inputs {
            true => graph.edge(lit),
            false => defined[lit.var() as usize].xor(lit.is_negated()),
        };
        (edge != Edge::TRUE && !is_kept_anyway(circuit, &values, lit)).then_some(edge)
    };
    let constraints: Vec<Edge> = conjuncts.iter().filter_map(|lit| constraint(*lit)).collect();
    let small = graph.circuit(circuit, &resets, &constraints);
    if size(&small) == size(circuit) {
        return Ok(None);
    }
    let (latches, inputs) = (facts.values.len(), facts.forced.len());
    let about = format!("{latches} latches are constant, {inputs} inputs forced");
    let back = facts.back(circuit, &small);
    Ok(Some(Change { circuit: small, back, about }))
}

/// The constraints, those that are conjunctions split, without repetitions.
fn conjuncts(circuit: &Circuit) -> Vec<Lit> {
    let mut seen = BTreeSet::new();
    let mut conjuncts = Vec::new();
    let mut stack: Vec<Lit> = circuit.constraints.iter().rev().copied().collect();
    while let Some(lit) = stack.pop() {
        if lit == Lit::TRUE || !seen.insert(lit) {
            continue;
        }
        match gate_of(circuit, lit.var()) {
            Some(and) if !lit.is_negated() => stack.extend([and.right, and.left]),
            _ => conjuncts.push(lit),
        }
    }
    conjuncts
}

/// Whether a latch begins with and keeps the value that the constraint `lit` asks for.
fn is_kept_anyway(circuit: &Circuit, values: &Ternary<'_>, lit: Lit) -> bool {
    let Some(index) = latch_of(circuit, lit.var()) else { return false };
    let latch = circuit.latches[index];
    let wanted = Some(!lit.is_negated());
    latch.reset.var() == 0
        && Some(latch.reset == Lit::TRUE) == wanted
        && values.constant(latch.next) == wanted
}

/// Which values a variable can have: bit 0 for false, bit 1 for true.
const EITHER: u8 = 3;

/// What each variable can be in some step.
struct Ternary<'a> {
    circuit: &'a Circuit,
    forced: &'a [Option<bool>],
    values: Vec<u8>,
}

impl<'a> Ternary<'a> {
    /// The first step.
    fn new(circuit: &'a Circuit, forced: &'a [Option<bool>]) -> Ternary<'a> {
        let mut values = vec![EITHER; circuit.max_var() as usize + 1];
        values[0] = 1;
        let mut ternary = Ternary { circuit, forced, values };
        for (index, latch) in circuit.latches.iter().enumerate() {
            let value = match latch.reset {
                Lit::FALSE => 1,
                Lit::TRUE => 2,
                _ => EITHER,
            };
            ternary.values[circuit.latch(index).var() as usize] = value;
        }
        for (var, forced) in forced.iter().enumerate().skip(1) {
            if let Some(value) = forced {
                ternary.values[var] = 1 << u8::from(*value);
            }
        }
        for var in first_gate(circuit)..=circuit.max_var() {
            ternary.evaluate(var);
        }
        ternary
    }

    fn value(&self, lit: Lit) -> u8 {
        let value = self.values[lit.var() as usize];
        if lit.is_negated() { value >> 1 | (value & 1) << 1 } else { value }
    }

    /// The only value of `lit`, if there is one.
    fn constant(&self, lit: Lit) -> Option<bool> {
        match self.value(lit) {
            1 => Some(false),
            2 => Some(true),
            _ => None,
        }
    }

    /// Recomputes a gate; whether it changed.
    fn evaluate(&mut self, var: u32) -> bool {
        let Some(and) = gate_of(self.circuit, var) else { return false };
        if self.forced[var as usize].is_some() {
            return false;
        }
        let (left, right) = (self.value(and.left), self.value(and.right));
        let value = left & right & 2 | (left | right) & 1;
        std::mem::replace(&mut self.values[var as usize], value) != value
    }

    /// All steps joined.
    fn settled(mut self, ctx: &mut Ctx<'_>) -> Result<Ternary<'a>, Stop> {
        let circuit = self.circuit;
        let readers = Readers::new(circuit);
        let mut waiting: Vec<usize> = (0..circuit.latches.len()).collect();
        let mut changed: Vec<u32> = Vec::new();
        while let Some(index) = waiting.pop() {
            let var = circuit.latch(index).var();
            let joined = self.values[var as usize] | self.value(circuit.latches[index].next);
            if joined == self.values[var as usize] || self.forced[var as usize].is_some() {
                continue;
            }
            self.values[var as usize] = joined;
            changed.push(var);
            while let Some(var) = changed.pop() {
                ctx.tick(1)?;
                for &reader in readers.of(var) {
                    if self.evaluate(reader) {
                        changed.push(reader);
                    }
                }
                waiting.extend(readers.latches_of(var));
            }
        }
        Ok(self)
    }
}

/// Which gates read a variable, and of which latches it is the next value.
struct Readers {
    starts: Vec<u32>,
    gates: Vec<u32>,
    latches: Vec<(u32, usize)>,
}

impl Readers {
    fn new(circuit: &Circuit) -> Readers {
        let count = circuit.max_var() as usize + 1;
        let mut starts = vec![0u32; count + 1];
        let pairs = || {
            let gates = circuit.ands.iter().zip(first_gate(circuit)..);
            gates.flat_map(|(and, var)| [(and.left.var(), var), (and.right.var(), var)])
        };
        for (var, _) in pairs() {
            starts[var as usize + 1] += 1;
        }
        for var in 0..count {
            starts[var + 1] += starts[var];
        }
        let mut ends = starts.clone();
        let mut gates = vec![0; 2 * circuit.ands.len()];
        for (var, reader) in pairs() {
            gates[ends[var as usize] as usize] = reader;
            ends[var as usize] += 1;
        }
        let nexts = circuit.latches.iter().enumerate();
        let mut latches: Vec<(u32, usize)> = nexts.map(|(i, l)| (l.next.var(), i)).collect();
        latches.sort_unstable();
        Readers { starts, gates, latches }
    }

    fn of(&self, var: u32) -> &[u32] {
        let var = var as usize;
        &self.gates[self.starts[var] as usize..self.starts[var + 1] as usize]
    }

    fn latches_of(&self, var: u32) -> impl Iterator<Item = usize> {
        let begin = self.latches.partition_point(|(next, _)| *next < var);
        self.latches[begin..].iter().take_while(move |(next, _)| *next == var).map(|(_, i)| *i)
    }
}
