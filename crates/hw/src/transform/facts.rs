//! What a transform knows of latches, and the way back that adds it to invariants.
//!
//! A fact says that a latch has a constant value in every reachable state, or that of another latch
//! or its negation. A transform may let other functions read the value in place of the latch; then
//! an invariant of the circuit after it, with the facts added, is one of the circuit before.
//! Invariant: the facts of one transform are inductive together, and no fact's value is a latch
//! that has a fact itself.
//!
//! An induction over simple paths stays one if states that differ before differ after: every latch in
//! the property's cone before is there after, or has the value of one that is. Otherwise it is lost.
//!
//! Runs are completed by simulation of the circuit before: inputs that a constraint forces get their
//! values, what was left open becomes 0, and latches start with what their resets say.

use super::sequential_cone;
use crate::model::completed;
use alphorn_engine::{Back, Lost};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Lit};
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Invariant, Trace};

/// Facts about the latches of one circuit.
#[derive(Clone, Default)]
pub(super) struct Facts {
    /// A latch's position, and the constant or latch that has its value.
    pub(super) values: Vec<(usize, Lit)>,
    /// Inputs that constraints force, and their values.
    pub(super) forced: Vec<(usize, bool)>,
    /// Whether a step into a state without inputs that satisfy the constraints may violate a fact; a
    /// list of states must have such states, too, so it cannot say the facts.
    pub(super) need_constraints: bool,
}

impl Facts {
    /// The way back to `circuit` from `small`, which has the same inputs and latches.
    pub(super) fn back(self, circuit: &Circuit, small: &Circuit) -> Back<Circuit, Circuit> {
        let before = circuit.clone();
        let keeps_paths = self.keeps_paths(circuit, small);
        let (inputs, latches) = (circuit.inputs, circuit.latches.len() as u32);
        let forced = self.forced.clone();
        Back::new(
            move |claim: CircuitClaim| {
                let invariant = on_paths(claim.invariant, keeps_paths)?;
                let invariant = self.add_to(invariant, inputs, latches);
                Ok(CircuitClaim { invariant, ..claim })
            },
            move |trace| Ok(completed_with(&before, &forced, &trace)),
        )
    }

    /// Whether states that differ in the cone of `circuit` do so in that of `small`.
    pub(super) fn keeps_paths(&self, circuit: &Circuit, small: &Circuit) -> bool {
        let (before, after) = (sequential_cone(circuit), sequential_cone(small));
        let mut known: Vec<bool> = after[..=circuit.inputs as usize + circuit.latches.len()].into();
        for (latch, value) in &self.values {
            let is_known = value.var() == 0 || after[value.var() as usize];
            known[circuit.latch(*latch).var() as usize] |= is_known;
        }
        (0..circuit.latches.len())
            .map(|latch| circuit.latch(latch).var() as usize)
            .all(|var| known[var] || !before[var])
    }

    /// The facts as clauses over the latches of a circuit with so many inputs.
    fn clauses(&self, inputs: u32) -> impl Iterator<Item = Vec<Lit>> {
        self.values.iter().flat_map(move |&(latch, value)| {
            let latch = Lit::new(1 + inputs + latch as u32, false);
            match value.var() {
                0 => vec![vec![latch.xor(value == Lit::FALSE)]],
                _ => vec![vec![!latch, value], vec![latch, !value]],
            }
        })
    }

    /// The invariant and the facts.
    pub(super) fn add_to(&self, invariant: Invariant, inputs: u32, latches: u32) -> Invariant {
        if self.values.is_empty() {
            return invariant;
        }
        match invariant {
            Invariant::Clauses(mut clauses) => {
                clauses.extend(self.clauses(inputs));
                Invariant::Clauses(clauses)
            }
            Invariant::KInductive { k, simple_path, mut lemmas } => {
                lemmas.extend(self.clauses(inputs));
                Invariant::KInductive { k, simple_path, lemmas }
            }
            Invariant::Aig(aig) => Invariant::Aig(Box::new(self.conjoined(*aig, inputs))),
            justice @ Invariant::Justice { .. } => justice,
            Invariant::States { latches: listed, states } => {
                match self.extended(&listed, &states, inputs) {
                    Some(longer) => longer,
                    None => {
                        let aig = disjunction(&listed, &states, latches);
                        Invariant::Aig(Box::new(self.conjoined(aig, inputs)))
                    }
                }
            }
        }
    }

    /// The output of `aig` and the facts.
    fn conjoined(&self, mut aig: Circuit, inputs: u32) -> Circuit {
        conjoin(&mut aig, self.clauses(inputs), inputs);
        aig
    }

    /// Rows with a column for each latch that has a fact, unless rows cannot say it or a fact is about
    /// two latches of which they say nothing.
    fn extended(&self, listed: &[u32], states: &[Vec<bool>], inputs: u32) -> Option<Invariant> {
        if self.need_constraints {
            return None;
        }
        let column = |latch: usize| listed.binary_search(&(latch as u32)).ok();
        let mut columns: Vec<(u32, Lit)> = listed.iter().map(|l| (*l, Lit::FALSE)).collect();
        let mut sources: Vec<Option<usize>> = (0..listed.len()).map(Some).collect();
        for &(latch, value) in &self.values {
            if column(latch).is_some() {
                return None;
            }
            let source = match value.var() {
                0 => None,
                var => Some(column((var - 1 - inputs) as usize)?),
            };
            columns.push((latch as u32, value));
            sources.push(source);
        }
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|place| columns[*place].0);
        let bit = |state: &[bool], place: usize| {
            let negated = columns[place].1.is_negated();
            sources[place].map_or(negated, |source| state[source] != negated)
        };
        let row = |state: &Vec<bool>| order.iter().map(|place| bit(state, *place)).collect();
        Some(Invariant::States {
            latches: order.iter().map(|place| columns[*place].0).collect(),
            states: states.iter().map(row).collect(),
        })
    }
}

/// The invariant, if it is no induction over simple paths or these are kept.
pub(super) fn on_paths(invariant: Invariant, keeps_paths: bool) -> Result<Invariant, Lost> {
    match invariant {
        Invariant::KInductive { simple_path: true, .. } if !keeps_paths => {
            Err(Lost("states differ in latches that were simplified away".into()))
        }
        other => Ok(other),
    }
}

/// Adds clauses over the latches of a circuit with so many inputs to the output of `aig`.
fn conjoin(aig: &mut Circuit, clauses: impl IntoIterator<Item = Vec<Lit>>, inputs: u32) {
    let input = |lit: Lit| Lit::new(lit.var() - inputs, lit.is_negated());
    let mut all = aig.outputs[0];
    for clause in clauses {
        let none = clause.iter().fold(Lit::TRUE, |none, lit| and(aig, none, !input(*lit)));
        all = and(aig, all, !none);
    }
    aig.outputs = vec![all];
}

/// Clauses over the latches of a circuit with so many inputs, as a circuit with an input for each of
/// `latches` latches.
pub(super) fn conjunction(clauses: Vec<Vec<Lit>>, inputs: u32, latches: u32) -> Circuit {
    let outputs = vec![Lit::TRUE];
    let mut aig = Circuit { inputs: latches, outputs, ..Circuit::default() };
    conjoin(&mut aig, clauses, inputs);
    aig
}

/// The set of states as a circuit with an input for each of `latches` latches.
pub(super) fn disjunction(listed: &[u32], states: &[Vec<bool>], latches: u32) -> Circuit {
    let mut aig = Circuit { inputs: latches, ..Circuit::default() };
    let mut none = Lit::TRUE;
    for state in states {
        let mut row = Lit::TRUE;
        for (latch, bit) in listed.iter().zip(state) {
            row = and(&mut aig, row, Lit::new(1 + latch, !bit));
        }
        none = and(&mut aig, none, !row);
    }
    aig.outputs.push(!none);
    aig
}

/// Adds a gate, unless the conjunction is one of its operands.
pub(super) fn and(circuit: &mut Circuit, left: Lit, right: Lit) -> Lit {
    match (left, right) {
        (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
        (Lit::TRUE, lit) | (lit, Lit::TRUE) => lit,
        _ => {
            circuit.ands.push(And { left, right });
            circuit.gate(circuit.ands.len() - 1)
        }
    }
}

/// The run of `circuit` with the inputs of `trace`, as far as resets leave its start open.
pub(super) fn completed_with(circuit: &Circuit, forced: &[(usize, bool)], trace: &Trace) -> Trace {
    let is_one = |bit: &Bit| *bit == Bit::One;
    let start: Vec<bool> = trace.start.iter().map(is_one).collect();
    let mut inputs: Vec<Vec<bool>> =
        trace.inputs.iter().map(|step| step.iter().map(is_one).collect()).collect();
    for step in &mut inputs {
        forced.iter().for_each(|&(input, value)| step[input] = value);
    }
    Trace { property: trace.property, ..completed(circuit, &start, &inputs) }
}
