//! Which engines a word-level system with large arrays gets, and how they share the time.
//!
//! Where nothing speaks for words, the circuit itself is given to the engines for circuits. The weights
//! were measured on designs with memories (`bench/notes/horn-arrays.md`).

use crate::engines;
use crate::settings::PLAN_INDEX_BITS;
use alphorn_engine::{Card, Entry, Plan};
use alphorn_hw::engines as words;
use alphorn_problem::Words;
use alphorn_term::Sort;

/// A row of a plan.
const fn share(card: &'static Card<Words>, weight: u32) -> Entry<Words> {
    Entry::share(card, weight)
}

/// Whether a system has an array that engines on words should see.
pub fn has_large_arrays(words: &Words) -> bool {
    let is_large = |sort| match *words.terms.sort_of(sort) {
        Sort::Array(index, _) => match *words.terms.sort_of(index) {
            Sort::BitVec(width) => width >= PLAN_INDEX_BITS.short(),
            _ => true,
        },
        _ => false,
    };
    words.states.iter().any(|state| is_large(words.terms.sort(state.var)))
}

/// Systems that cannot be written out in bits.
static WORDS: Plan<Words> = Plan {
    about: "systems that cannot be written out in bits",
    rows: &[
        share(&words::WORDS_SIM, 1),
        share(&words::WORDS_EXPLICIT, 1),
        share(&words::WORDS_MEMORY, 4),
        share(&engines::WORDS_PDR, 6),
        share(&engines::WORDS_CELLS, 4),
        share(&engines::WORDS_BMC, 3),
    ],
};

/// Systems with large arrays that can be written out in bits, beside the engines on words.
static BITS: Plan<Words> = Plan {
    about: "systems with large arrays that can be written out in bits, beside the engines on words",
    rows: &[share(&engines::WORDS_BITS_IC3, 4), share(&engines::WORDS_BITS_BMC, 3)],
};

/// All plans for word-level systems.
pub static WORDS_PLANS: &[&Plan<Words>] = &[&WORDS, &BITS];

/// The engines for a system with large arrays, of which some may be written out in bits.
pub fn plan_words(has_circuit: bool) -> Vec<Entry<Words>> {
    let bits = if has_circuit { BITS.rows } else { &[] };
    WORDS.rows.iter().chain(bits).copied().collect()
}
