//! All engines, as the user sees them.

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_engine::Card;
use alphorn_hw::engines::{CIRCUIT_ENGINES, WORDS_ENGINES};
use alphorn_problem::Problem;

/// An engine, as `alphorn engines` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineLine {
    /// Its name.
    pub name: &'static str,
    /// What it works on: `horn`, `circuit`, `words`.
    pub works_on: &'static str,
    /// Whether it can find proofs.
    pub proves: bool,
    /// Whether it can find counterexamples.
    pub refutes: bool,
    /// One sentence.
    pub about: &'static str,
}

/// Every engine of every kind.
pub fn engines() -> Vec<EngineLine> {
    fn lines<P: Problem>(kind: &'static str, cards: &'static [Card<P>]) -> Vec<EngineLine> {
        let line = |card: &'static Card<P>| EngineLine {
            name: card.name,
            works_on: kind,
            proves: card.proves,
            refutes: card.refutes,
            about: card.about,
        };
        cards.iter().map(line).collect()
    }
    [lines("horn", HORN_ENGINES), lines("circuit", CIRCUIT_ENGINES), lines("words", WORDS_ENGINES)]
        .concat()
}

/// The cards with the given names, in the order of the registry; all if no names are given. The
/// error names what there is.
pub fn choose<P: Problem>(
    cards: &'static [Card<P>],
    names: &[String],
) -> Result<Vec<&'static Card<P>>, String> {
    for name in names {
        if !cards.iter().any(|card| card.name == name) {
            let known: Vec<&str> = cards.iter().map(|card| card.name).collect();
            let known = known.join(", ");
            return Err(format!("no engine '{name}' for this kind of problem; there are: {known}"));
        }
    }
    let chosen = |card: &&Card<P>| names.is_empty() || names.iter().any(|name| name == card.name);
    Ok(cards.iter().filter(chosen).collect())
}
