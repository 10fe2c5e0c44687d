//! Horn systems over words: the engines for them that need more than the crate of Horn engines, and
//! how all engines share the time.
//!
//! - `bits`: linear systems as circuits, for the engines for circuits
//! - words read as integers, for the engines for linear arithmetic (`alphorn_chc::integers`)
//!
//! Here because no other crate may see both kinds of engines.

mod bits;
mod watch;

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_chc::integers::{Reading, on_integers};
use alphorn_engine::{Card, Engine, Entry};
use alphorn_problem::Horn;
use alphorn_term::Sort;

/// The engines for Horn systems over words, beside those for all Horn systems.
pub(crate) static HORN_WORD_ENGINES: &[Card<Horn>] = &[
    card("bits-ic3", "linear systems over words as circuits, by ic3 on circuits", true, || {
        bits::engine("ic3")
    }),
    card("bits-bmc", "linear systems over words as circuits, by bmc on circuits", false, || {
        bits::engine("bmc")
    }),
    card("bits-watch", "like bits-ic3, with comparisons of words in its clauses", true, || {
        bits::watching()
    }),
    card(
        "ideal-watch",
        "like ideal-pdr, with what it finds in the clauses of bits-watch",
        true,
        || bits::guided(),
    ),
    card("bits-imc", "linear systems over words as circuits, by imc on circuits", true, || {
        bits::engine("imc")
    }),
    card("bits-sim", "linear systems over words as circuits, by simulation", false, || {
        bits::engine("sim")
    }),
    card("int-pdr", "words as integers that wrap around, by pdr", true, || {
        on_integers("pdr", Reading::Exact)
    }),
    card("int-duality", "words as integers that wrap around, by duality", true, || {
        on_integers("duality", Reading::Exact)
    }),
    card("ideal-pdr", "words as integers that do not wrap around, by pdr", true, || {
        on_integers("pdr", Reading::Ideal)
    }),
    card("ideal-duality", "words as integers that do not wrap around, by duality", true, || {
        on_integers("duality", Reading::Ideal)
    }),
];

const fn card(
    name: &'static str,
    about: &'static str,
    proves: bool,
    build: fn() -> Box<dyn Engine<Horn>>,
) -> Card<Horn> {
    Card { name, about, proves, refutes: true, build }
}

/// Shares of engines, by name, with how late they begin in milliseconds: those that seldom answer let
/// the others have that much of their time first, each divided by its weight.
type Shares = &'static [(&'static str, u32, u64)];

/// Linear systems.
const LINEAR: Shares = &[
    ("vacuous", 1, 0),
    ("forward", 2, 0),
    ("int-pdr", 10, 0),
    ("bits-ic3", 10, 0),
    ("ideal-watch", 4, 0),
    ("bits-bmc", 2, 0),
    ("bits-watch", 2, 100),
    ("pdr", 2, 200),
    ("bits-sim", 1, 50),
    ("bits-imc", 2, 400),
];

/// Systems with several atoms in some body.
const TREES: Shares = &[
    ("vacuous", 1, 0),
    ("forward", 2, 0),
    ("int-pdr", 8, 0),
    ("ideal-pdr", 4, 0),
    ("int-duality", 2, 50),
    ("ideal-duality", 2, 50),
];

/// Whether a system has arguments or variables that are words.
pub(crate) fn has_words(horn: &Horn) -> bool {
    let store = &horn.terms;
    let args = horn.pred_ids().flat_map(|pred| horn.pred_args(pred)).copied();
    let vars = horn.clauses.iter().flat_map(|clause| &clause.vars).map(|&var| store.sort(var));
    args.chain(vars).any(|sort| matches!(store.sort_of(sort), Sort::BitVec(_)))
}

/// Whether a system has arguments or variables that are neither words nor truth values.
fn has_others(horn: &Horn) -> bool {
    let store = &horn.terms;
    let args = horn.pred_ids().flat_map(|pred| horn.pred_args(pred)).copied();
    let vars = horn.clauses.iter().flat_map(|clause| &clause.vars).map(|&var| store.sort(var));
    args.chain(vars).any(|sort| !matches!(store.sort_of(sort), Sort::BitVec(_) | Sort::Bool))
}

/// The engines for a system over words, with their shares of the time; where there is more than words,
/// beside those for systems without.
pub(crate) fn plan(horn: &Horn) -> Vec<Entry<Horn>> {
    let shares = if horn.is_linear() { LINEAR } else { TREES };
    let entry = |&(name, weight, late): &(&str, u32, u64)| {
        let card = HORN_ENGINES.iter().chain(HORN_WORD_ENGINES).find(|card| card.name == name)?;
        Some(Entry { card, weight, late })
    };
    let mut entries: Vec<Entry<Horn>> = shares.iter().filter_map(entry).collect();
    if has_others(horn) {
        let is_other = |other: &Entry<Horn>| !shares.iter().any(|share| share.0 == other.card.name);
        entries.extend(alphorn_chc::plan(horn).into_iter().filter(is_other));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_engine() {
        for (name, weight, _) in LINEAR.iter().chain(TREES) {
            let mut cards = HORN_ENGINES.iter().chain(HORN_WORD_ENGINES);
            assert!(cards.any(|card| card.name == *name), "{name}");
            assert!(*weight > 0);
        }
    }
}
