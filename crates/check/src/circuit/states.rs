//! Checks an invariant that is a list of states, by evaluation.
//!
//! Every first state in which the constraints can hold must be in the list; from every state in the
//! list, under every input for which the constraints hold, the next state must be in the list and
//! the property must not be violated. Inputs are enumerated 64 patterns at a time, and only those
//! that anything evaluated depends on.
//!
//! The work is known beforehand and refused where it exceeds `MAX_WORK`.

use std::collections::BTreeSet;

use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::obligation::circuit::cone;

use super::simulate::Simulation;
use crate::Refusal;

/// The largest number of word operations spent on a list of states: for each word of patterns an
/// operation per gate, and for each pattern one per latch.
pub const MAX_WORK: u64 = 1 << 30;

/// Accepts `states` if it is an inductive invariant of `circuit` without bad states.
pub(super) fn check_states(
    circuit: &Circuit,
    bad: Lit,
    states: &[Vec<bool>],
) -> Result<(), Refusal> {
    for (index, state) in states.iter().enumerate() {
        if state.len() != circuit.latches.len() {
            let (found, expected) = (state.len(), circuit.latches.len());
            let reason = format!("{found} values for {expected} latches");
            return Err(Refusal::new(format!("state {index}"), reason));
        }
    }
    let mut simulation =
        Simulation::<u64>::new(circuit).map_err(|reason| Refusal::new("circuit", reason))?;
    let set: BTreeSet<&[bool]> = states.iter().map(Vec::as_slice).collect();

    let is_input = |var: &u32| *var <= circuit.inputs;
    let constraints = || circuit.constraints.iter().copied();
    let resets = circuit.latches.iter().map(|latch| latch.reset);
    let nexts = circuit.latches.iter().map(|latch| latch.next);
    let free = (0..circuit.latches.len()).filter(|index| circuit.is_uninitialised(*index));
    let first = Patterns::of(
        (cone(circuit, resets.chain(constraints())).into_iter().take_while(is_input))
            .chain(free.map(|index| circuit.latch(index).var())),
    );
    let later = Patterns::of(
        (cone(circuit, nexts.chain(constraints()).chain([bad])).into_iter()).take_while(is_input),
    );
    let work = first.work(circuit).saturating_add(later.work(circuit).saturating_mul(set.len()));
    if work as u64 > MAX_WORK {
        return Err(Refusal::new("states", "too large to check by evaluation"));
    }

    let mut state = Vec::with_capacity(circuit.latches.len());
    for word in 0..first.words() {
        first.apply(word, &mut simulation);
        simulation.reset();
        simulation.settle();
        let allowed = allowed(circuit, &simulation) & first.lanes();
        for lane in lanes(allowed) {
            state.clear();
            state.extend(simulation.state().iter().map(|value| value >> lane & 1 == 1));
            if !set.contains(&state[..]) {
                let reason = format!("the first state {} is missing", digits(&state));
                return Err(Refusal::new("states", reason));
            }
        }
    }
    for &here in &set {
        let refused = |reason: String| Refusal::new(format!("state {}", digits(here)), reason);
        for word in 0..later.words() {
            for (index, value) in here.iter().enumerate() {
                simulation.set(circuit.latch(index).var(), if *value { !0 } else { 0 });
            }
            later.apply(word, &mut simulation);
            simulation.settle();
            let allowed = allowed(circuit, &simulation) & later.lanes();
            if allowed & simulation.value(bad) != 0 {
                return Err(refused("the property is violated in it".into()));
            }
            simulation.advance();
            for lane in lanes(allowed) {
                state.clear();
                state.extend(simulation.state().iter().map(|value| value >> lane & 1 == 1));
                if !set.contains(&state[..]) {
                    return Err(refused(format!("it leads to {}", digits(&state))));
                }
            }
        }
    }
    Ok(())
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

    /// The word operations it takes to evaluate `circuit` under all of them.
    fn work(&self, circuit: &Circuit) -> usize {
        let per_word = circuit.latches.len().saturating_mul(self.lanes().count_ones() as usize);
        let per_word = per_word.saturating_add(circuit.max_var() as usize + 1);
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
