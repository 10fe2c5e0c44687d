//! Checks an invariant that is a list of states, by evaluation.
//!
//! The list speaks about some of the latches. Every first state in which the constraints can hold
//! must be in the list; from every state in the list, under every input for which the constraints
//! hold, the next state must be in the list and the property must not be violated. Inputs, and
//! latches that the list does not speak about, are enumerated 64 patterns at a time, and only
//! those that anything evaluated depends on.
//!
//! The work is known beforehand; up to `MAX_WORK` it is never too much.

use std::collections::BTreeSet;

use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::obligation::circuit::{cone, first_cone};

use super::simulate::Simulation;
use crate::Refusal;
use crate::work::FLOOR;
use alphorn_term::Meter;

/// How many word operations are a tick.
const PER_TICK: u64 = 8;

/// The number of word operations that are spent on any list of states: for each word of patterns an
/// operation per gate, and for each pattern one per latch.
pub const MAX_WORK: u64 = FLOOR * PER_TICK;

/// Accepts `states`, rows of values for `latches`, if it is an inductive invariant of `circuit`
/// without bad states.
pub(super) fn check_states(
    circuit: &Circuit,
    bad: Lit,
    latches: &[u32],
    states: &[Vec<bool>],
    meter: &Meter,
) -> Result<(), Refusal> {
    check_shape(circuit, latches, states)?;
    let listed: Vec<Lit> = latches.iter().map(|index| circuit.latch(*index as usize)).collect();
    let mut simulation =
        Simulation::<u64>::new(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let set: BTreeSet<&[bool]> = states.iter().map(Vec::as_slice).collect();

    let free_at_first = |var: u32| {
        let latch = var.checked_sub(circuit.inputs + 1).map(|index| index as usize);
        let is_latch = latch.filter(|index| *index < circuit.latches.len());
        var <= circuit.inputs || is_latch.is_some_and(|index| circuit.is_uninitialised(index))
    };
    let free_later = |var: u32| {
        let last_latch = circuit.inputs as usize + circuit.latches.len();
        var as usize <= last_latch && listed.binary_search(&Lit::new(var, false)).is_err()
    };
    let constraints = || circuit.constraints.iter().copied();
    let nexts: Vec<Lit> = latches.iter().map(|l| circuit.latches[*l as usize].next).collect();
    let first_vars = first_cone(circuit, listed.iter().copied().chain(constraints()));
    let first = Patterns::of(first_vars.iter().copied().filter(|var| free_at_first(*var)));
    let later_vars = cone(circuit, nexts.iter().copied().chain(constraints()).chain([bad]));
    let later = Patterns::of(later_vars.iter().copied().filter(|var| free_later(*var)));
    let first_work = first.work(circuit.max_var() as usize + 1, latches.len());
    let later_work = later.work(later_vars.len() + 1, latches.len());
    let work = first_work.saturating_add(later_work.saturating_mul(set.len()));
    meter.spend(work as u64 / PER_TICK).map_err(|exhausted| {
        Refusal::new("states", format!("too large to check by evaluation: {exhausted}"))
    })?;

    let mut state = Vec::with_capacity(latches.len());
    for word in 0..first.words() {
        first.apply(word, &mut simulation);
        simulation.reset();
        simulation.settle_only(&first_vars);
        let allowed = allowed(circuit, &simulation) & first.lanes();
        for lane in lanes(allowed) {
            read(&simulation, &listed, lane, &mut state);
            if !set.contains(&state[..]) {
                let reason = format!("the first state {} is missing", digits(&state));
                return Err(Refusal::new("states", reason));
            }
        }
    }
    for &here in &set {
        let refused = |reason: String| Refusal::new(format!("state {}", digits(here)), reason);
        for (latch, value) in listed.iter().zip(here) {
            simulation.set(latch.var(), if *value { !0 } else { 0 });
        }
        for word in 0..later.words() {
            later.apply(word, &mut simulation);
            simulation.settle_only(&later_vars);
            let allowed = allowed(circuit, &simulation) & later.lanes();
            if allowed & simulation.value(bad) != 0 {
                return Err(refused("the property is violated in it".into()));
            }
            for lane in lanes(allowed) {
                read(&simulation, &nexts, lane, &mut state);
                if !set.contains(&state[..]) {
                    return Err(refused(format!("it leads to {}", digits(&state))));
                }
            }
        }
    }
    Ok(())
}

/// Checks that latches and rows are what the evidence says they are.
fn check_shape(circuit: &Circuit, latches: &[u32], states: &[Vec<bool>]) -> Result<(), Refusal> {
    if !latches.is_sorted_by(|a, b| a < b) {
        return Err(Refusal::new("states", "the latches are not in ascending order"));
    }
    if let Some(latch) = latches.last().filter(|l| **l as usize >= circuit.latches.len()) {
        return Err(Refusal::new("states", format!("the circuit has no latch {latch}")));
    }
    for (index, state) in states.iter().enumerate() {
        if state.len() != latches.len() {
            let reason = format!("{} values for {} latches", state.len(), latches.len());
            return Err(Refusal::new(format!("state {index}"), reason));
        }
    }
    Ok(())
}

/// The values of `lits` in pattern `lane`.
fn read(simulation: &Simulation<u64>, lits: &[Lit], lane: u32, state: &mut Vec<bool>) {
    state.clear();
    state.extend(lits.iter().map(|lit| simulation.value(*lit) >> lane & 1 == 1));
}

/// The patterns in which all constraints hold.
fn allowed(circuit: &Circuit, simulation: &Simulation<u64>) -> u64 {
    circuit.constraints.iter().fold(!0, |word, lit| word & simulation.value(*lit))
}

/// The positions of the bits that are set.
fn lanes(word: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS).filter(move |lane| word >> lane & 1 == 1)
}

/// A state as a row of digits, latch 0 first.
fn digits(state: &[bool]) -> String {
    state.iter().map(|bit| if *bit { '1' } else { '0' }).collect()
}

/// All valuations of some variables, in words of 64.
struct Patterns {
    variables: Vec<u32>,
}

/// Bit `p` of word `j` is bit `j` of `p`.
const COUNTING: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

impl Patterns {
    fn of(variables: impl Iterator<Item = u32>) -> Patterns {
        Patterns { variables: variables.collect() }
    }

    /// How many words there are, `usize::MAX` standing for more than can be counted.
    fn words(&self) -> usize {
        let doublings = self.variables.len().saturating_sub(COUNTING.len());
        if doublings < usize::BITS as usize { 1 << doublings } else { usize::MAX }
    }

    /// The bits of a word that stand for different valuations.
    fn lanes(&self) -> u64 {
        if self.variables.len() < COUNTING.len() {
            (1 << (1 << self.variables.len())) - 1
        } else {
            !0
        }
    }

    /// The word operations it takes to evaluate `variables` variables under all of them, and
    /// `latches` latches in each.
    fn work(&self, variables: usize, latches: usize) -> usize {
        let per_word = latches.saturating_mul(self.lanes().count_ones() as usize);
        let per_word = per_word.saturating_add(variables);
        self.words().saturating_mul(per_word)
    }

    /// Sets the variables to their values in the patterns of `word`.
    fn apply(&self, word: usize, simulation: &mut Simulation<u64>) {
        for (position, var) in self.variables.iter().enumerate() {
            let value = match COUNTING.get(position) {
                Some(value) => *value,
                None if word >> (position - COUNTING.len()) & 1 == 1 => !0,
                None => 0,
            };
            simulation.set(*var, value);
        }
    }
}
