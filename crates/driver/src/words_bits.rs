//! Word-level systems by single engines for circuits, beside those that work on words.
//!
//! A memory of a thousand cells can be written out in bits, but whether that is wise shows only when it is
//! tried: a proof may need every cell at once, or none. So such systems get engines of both kinds in
//! one run, and here are those on bits. Where nothing speaks for words, the circuit itself is given to the
//! engines for circuits, which then help each other.

use alphorn_engine::{Card, Ctx, Engine, Entry, Event, Stop};
use alphorn_hw::engines::CIRCUIT_ENGINES;
use alphorn_hw::property_to_circuit;
use alphorn_hw::settle::plain_run;
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, simplify_circuit};
use alphorn_problem::{Circuit, Finding, Words};
use alphorn_term::Sort;
use std::sync::Arc;

/// The engines for word-level systems that work on bits.
pub(crate) static WORDS_BITS_ENGINES: &[Card<Words>] = &[
    Card {
        name: "bits-ic3",
        about: "ic3 on the bits of words and of all cells of arrays",
        proves: true,
        refutes: true,
        build: || Box::new(OnBits { name: "ic3" }),
    },
    Card {
        name: "bits-bmc",
        about: "bmc on the bits of words and of all cells of arrays",
        proves: true,
        refutes: true,
        build: || Box::new(OnBits { name: "bmc" }),
    },
];

/// From how many index bits on an array is better kept as one.
const INDEX_BITS: u32 = 4;

/// Whether a system has an array that engines on words should see.
pub(crate) fn has_large_arrays(words: &Words) -> bool {
    let is_large = |sort| match *words.terms.sort_of(sort) {
        Sort::Array(index, _) => match *words.terms.sort_of(index) {
            Sort::BitVec(width) => width >= INDEX_BITS,
            _ => true,
        },
        _ => false,
    };
    words.states.iter().any(|state| is_large(words.terms.sort(state.var)))
}

/// How engines of all kinds share the time on systems with large arrays.
const SHARES: &[(&str, u32)] = &[
    ("words-sim", 1),
    ("words-explicit", 1),
    ("words-memory", 4),
    ("words-pdr", 6),
    ("words-cells", 4),
    ("words-bmc", 3),
    ("bits-ic3", 4),
    ("bits-bmc", 3),
];

/// The engines for a system with large arrays, of which some may be written out in bits.
pub(crate) fn plan(all: &[&'static [Card<Words>]], has_circuit: bool) -> Vec<Entry<Words>> {
    let entry = |card: &'static Card<Words>| {
        let &(_, weight) = SHARES.iter().find(|(name, _)| *name == card.name)?;
        let fits = has_circuit || !card.name.starts_with("bits-");
        fits.then_some(Entry { card, weight, late: 0 })
    };
    all.iter().copied().flatten().filter_map(entry).collect()
}

/// An engine for circuits, by its name.
struct OnBits {
    name: &'static str,
}

impl Engine<Words> for OnBits {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        let (circuit, to_words) =
            property_to_circuit(&Arc::new(system.clone()), 0).map_err(Stop::Unsupported)?;
        let (latches, gates) = (circuit.latches.len(), circuit.ands.len());
        ctx.emit(Event::Remark(format!("bits: {latches} latches, {gates} gates")));
        let chosen: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(|card| card.is_default).collect();
        let (small, back) = simplify_circuit(&circuit, &chosen, ctx)?;
        let mut engine =
            self.engine().ok_or_else(|| Stop::Unsupported(format!("no engine {}", self.name)))?;
        let finding = ctx.in_step(|ctx| engine.run(&small, ctx))?;
        let finding = match back.finding(finding, ctx)? {
            // What does not matter becomes 0, which is easier to read than what a solver chose.
            Finding::Fails(trace) => Finding::Fails(plain_run(&circuit, trace, ctx)?),
            holds => holds,
        };
        to_words.finding(finding, ctx)
    }

    fn searches_by_depth(&self) -> bool {
        self.engine().is_some_and(|engine| engine.searches_by_depth())
    }
}

impl OnBits {
    fn engine(&self) -> Option<Box<dyn Engine<Circuit>>> {
        let card = CIRCUIT_ENGINES.iter().find(|card| card.name == self.name)?;
        Some((card.build)())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words_horn::WORDS_HORN_ENGINES;
    use alphorn_hw::engines::WORDS_ENGINES;

    #[test]
    fn every_share_is_an_engines() {
        let all = [WORDS_ENGINES, WORDS_HORN_ENGINES, WORDS_BITS_ENGINES];
        assert_eq!(plan(&all, true).len(), SHARES.len());
        assert!(plan(&all, false).iter().all(|entry| !entry.card.name.starts_with("bits-")));
    }
}
