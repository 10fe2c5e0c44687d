//! Bit-blasting: a word-level system as a circuit, the same for those who prove and those who check.
//!
//! Every followed state becomes latches, every other variable inputs. What an `Abstraction` leaves
//! out (states that are not followed, cells of large arrays) may be anything in every step, so the
//! circuit has all runs of the system and perhaps more: what is unreachable in the circuit is
//! unreachable in the system. Only what the goal needs is there.
//!
//! `aig` builds gates, `word` knows arithmetic, `shape` says how values look as bits, `gates`
//! translates the terms of a system, `layout` says which bits are whose. `bits` translates formulas
//! over words, term by term.
//!
//! Invariant: circuit and layout depend on the system, the goal and the abstraction alone.

pub mod aig;
pub mod bits;
pub mod gates;
mod layout;
pub mod shape;
#[cfg(test)]
mod tests;
pub mod word;

pub use layout::{Layout, Source};

use crate::circuit::{And, Circuit, Latch, Lit};
use crate::evidence::words::Abstraction;
use crate::words::Words;
use alphorn_term::{Meter, TermId};
use gates::Blaster;
use layout::Infinite;

/// About how many gates a term needs, and for how many there is room at the beginning.
const GATES_PER_TERM: usize = 16;
const MAX_ROOM: usize = 1 << 21;

/// What a circuit is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The safety property with this position, which becomes the circuit's only property.
    Safety(usize),
    /// The justice property with this position, which becomes the circuit's only property, with all
    /// fairness constraints.
    Justice(usize),
    /// All properties; then all inputs stay, needed or not.
    All,
}

/// A circuit, and which of its bits are whose.
#[derive(Clone, Debug)]
pub struct Blasted {
    /// The circuit, without names.
    pub circuit: Circuit,
    /// Whose bits its inputs and latches are.
    pub layout: Layout,
}

/// The circuit of a system, or what in it is not made of bits.
pub fn blast(words: &Words, goal: Goal, abstraction: &Abstraction) -> Result<Blasted, String> {
    blast_within(words, goal, abstraction, &Meter::unlimited())
}

/// `blast`, where what is made is counted on a meter before it is made.
pub fn blast_within(
    words: &Words,
    goal: Goal,
    abstraction: &Abstraction,
    meter: &Meter,
) -> Result<Blasted, String> {
    let layout = Layout::new(words, goal, abstraction)?;
    let shape = layout.shape(words);
    let leaves = layout.inputs_len() + layout.latches_len();
    meter.spend((leaves + layout.needed().len() * abstraction.cells.len().max(1)) as u64)?;
    let mut blaster = Blaster::new(&words.terms, &shape, leaves as u32);
    layout.declare(words, &mut blaster);
    blaster.aig.reserve((layout.needed().len() * GATES_PER_TERM).min(MAX_ROOM));
    blaster.translate_within(layout.needed(), meter)?;

    let bits =
        |term: TermId| blaster.bits(term).ok_or_else(|| "a term was not translated".to_owned());
    let bit = |term: TermId| bits(term).map(|bits| bits[0]);
    let mut circuit = Circuit { inputs: layout.inputs_len() as u32, ..Circuit::default() };
    for (place, &state) in layout.states().iter().enumerate() {
        let state = &words.states[state];
        let nexts = match state.next {
            Some(next) => bits(next)?.to_vec(),
            None => layout.next_word(place),
        };
        let resets = match state.init {
            Some(init) => bits(init)?.to_vec(),
            None => layout.latch_word(place),
        };
        let pairs = nexts.into_iter().zip(resets);
        circuit.latches.extend(pairs.map(|(next, reset)| Latch { next, reset }));
    }
    for bad in layout::bads(words, goal)? {
        circuit.bads.push(bit(bad)?);
    }
    for constraint in &words.constraints {
        circuit.constraints.push(bit(constraint.term)?);
    }
    let Infinite { justice, fairness } = layout::infinite(words, goal)?;
    for set in justice {
        let set = set.terms.iter().map(|&term| bit(term));
        circuit.justice.push(set.collect::<Result<_, _>>()?);
    }
    for fairness in fairness {
        circuit.fairness.push(bit(fairness.term)?);
    }
    circuit.ands = blaster.aig.into_ands();
    let circuit = without_unused_gates(circuit);
    circuit.validate()?;
    Ok(Blasted { circuit, layout })
}

/// The circuit without the gates that nothing uses: simplification leaves some behind.
fn without_unused_gates(circuit: Circuit) -> Circuit {
    let first = 1 + circuit.inputs + circuit.latches.len() as u32;
    let roots = (circuit.latches.iter().flat_map(|latch| [latch.next, latch.reset]))
        .chain(circuit.bads.iter().copied())
        .chain(circuit.constraints.iter().copied())
        .chain(circuit.justice.iter().flatten().copied())
        .chain(circuit.fairness.iter().copied());
    let mut used = vec![false; circuit.ands.len()];
    let index = |lit: Lit| lit.var().checked_sub(first).map(|index| index as usize);
    roots.filter_map(index).for_each(|gate| used[gate] = true);
    for gate in (0..used.len()).rev().collect::<Vec<_>>() {
        if used[gate] {
            let And { left, right } = circuit.ands[gate];
            [left, right].into_iter().filter_map(index).for_each(|below| used[below] = true);
        }
    }
    let mut moved = vec![0u32; circuit.ands.len()];
    let kept = used.iter().enumerate().filter(|(_, used)| **used);
    kept.zip(first..).for_each(|((gate, _), var)| moved[gate] = var);
    let lit = |lit: Lit| match index(lit) {
        Some(gate) => Lit::new(moved[gate], lit.is_negated()),
        None => lit,
    };
    let all = |lits: &[Lit]| -> Vec<Lit> { lits.iter().map(|&l| lit(l)).collect() };
    let kept = circuit.ands.iter().zip(&used).filter(|(_, used)| **used);
    Circuit {
        ands: kept.map(|(a, _)| And { left: lit(a.left), right: lit(a.right) }).collect(),
        latches: (circuit.latches.iter())
            .map(|latch| Latch { next: lit(latch.next), reset: lit(latch.reset) })
            .collect(),
        bads: all(&circuit.bads),
        constraints: all(&circuit.constraints),
        justice: circuit.justice.iter().map(|set| all(set)).collect(),
        fairness: all(&circuit.fairness),
        ..circuit
    }
}
