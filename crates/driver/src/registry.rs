//! All engines, as the user sees them.

use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_cross::engines::{
    HORN_WORD_ENGINES, PROGRAM_ENGINES, WORDS_BITS_ENGINES, WORDS_HORN_ENGINES,
};
use alphorn_engine::Card;
use alphorn_flow::engines::{FLOW_ENGINES, TEMPORAL_ENGINES};
use alphorn_flow::transform::{FLOW_TRANSFORMS, FlowTransform};
use alphorn_horn::{TRANSFORMS, TransformCard};
use alphorn_hw::engines::{CIRCUIT_ENGINES, CIRCUIT_VARIANTS, GAME_ENGINES, WORDS_ENGINES};
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, CircuitTransform};
use alphorn_problem::Problem;
use alphorn_setting::{MAX_VALUE, Setting};

/// An engine, as `alphorn engines` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineLine {
    /// Its name.
    pub name: &'static str,
    /// What it works on: `horn`, `circuit`, `words`. Engines for circuits work on word-level systems
    /// that are made of bits, too.
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
    [
        lines("horn", HORN_ENGINES),
        lines("horn", HORN_WORD_ENGINES),
        lines("horn", HORN_VARIANTS),
        lines("circuit", CIRCUIT_ENGINES),
        lines("circuit", CIRCUIT_VARIANTS),
        lines("words", WORDS_ENGINES),
        lines("words", WORDS_HORN_ENGINES),
        lines("words", WORDS_BITS_ENGINES),
        lines("program", PROGRAM_ENGINES),
        lines("flow", FLOW_ENGINES),
        lines("temporal", TEMPORAL_ENGINES),
        lines("game", GAME_ENGINES),
    ]
    .concat()
}

/// The cards with the given names, in the order of the registry, `also` being found by name only; all
/// cards if no names are given. The error names what there is.
pub fn choose<P: Problem>(
    cards: &'static [Card<P>],
    also: &[&'static [Card<P>]],
    names: &[String],
) -> Result<Vec<&'static Card<P>>, String> {
    let all = || cards.iter().chain(also.iter().copied().flatten());
    for name in names {
        if !all().any(|card| card.name == name) {
            let known: Vec<&str> = all().map(|card| card.name).collect();
            let known = known.join(", ");
            return Err(format!("no engine '{name}' for this kind of problem; there are: {known}"));
        }
    }
    if names.is_empty() {
        return Ok(cards.iter().collect());
    }
    Ok(all().filter(|card| names.iter().any(|name| name == card.name)).collect())
}

/// A row of a table of transforms.
pub trait Transform: 'static {
    /// Its name, whether it is applied by itself, and what it does.
    fn row(&self) -> (&'static str, bool, &'static str);
}

impl Transform for TransformCard {
    fn row(&self) -> (&'static str, bool, &'static str) {
        (self.name, self.is_default, self.about)
    }
}

impl Transform for FlowTransform {
    fn row(&self) -> (&'static str, bool, &'static str) {
        (self.name, self.is_default, self.about)
    }
}

impl Transform for CircuitTransform {
    fn row(&self) -> (&'static str, bool, &'static str) {
        (self.name, self.is_default, self.about)
    }
}

/// The transforms of a table that `--with` and `--without` leave. The error names what there is.
pub fn choose_transforms<T: Transform>(
    table: &'static [T],
    with: &[String],
    without: &[String],
) -> Result<Vec<&'static T>, String> {
    for name in with.iter().chain(without.iter().filter(|name| *name != "all")) {
        if !table.iter().any(|card| card.row().0 == name) {
            let known: Vec<&str> = table.iter().map(|card| card.row().0).collect();
            let known = known.join(", ");
            return Err(format!(
                "no transform '{name}' for this kind of problem; there are: {known}"
            ));
        }
    }
    let named = |names: &[String], name: &str| names.iter().any(|other| other == name);
    let is_chosen = |card: &&T| {
        let (name, is_default, _) = card.row();
        let by_default = is_default && !named(without, "all") && !named(without, name);
        by_default || named(with, name)
    };
    Ok(table.iter().filter(is_chosen).collect())
}

/// All numbers that can be set for an experiment.
pub fn settings() -> impl Iterator<Item = &'static Setting> {
    let all = [
        alphorn_smt::settings::SETTINGS,
        alphorn_engine::settings::SETTINGS,
        alphorn_horn::settings::SETTINGS,
        alphorn_chc::settings::SETTINGS,
        alphorn_flow::settings::SETTINGS,
        alphorn_hw::settings::SETTINGS,
        alphorn_cross::settings::SETTINGS,
        crate::settings::SETTINGS,
    ];
    all.into_iter().flatten().copied()
}

/// Sets what these words say, each `NAME=VALUE`, for the rest of the process: to be called before the first
/// run, and the last thing to be done where it fails. The error says what there is.
pub fn set(words: &[String]) -> Result<(), String> {
    for word in words {
        let (name, value) =
            word.split_once('=').ok_or_else(|| format!("'{word}' is not NAME=VALUE"))?;
        let setting = settings().find(|setting| setting.name == name);
        let setting = setting.ok_or_else(|| {
            let part = |name: &'static str| name.split('.').next();
            let of_part = |it: &&Setting| part(it.name) == name.split('.').next();
            match settings().filter(of_part).map(|it| it.name).collect::<Vec<&str>>() {
                known if known.is_empty() => {
                    format!("no setting '{name}'; alphorn engines --settings lists them")
                }
                known => format!("no setting '{name}'; there are: {}", known.join(", ")),
            }
        })?;
        let number = value.replace('_', "").parse().ok().filter(|&number| setting.allows(number));
        let number = number.ok_or_else(|| {
            let least = setting.least;
            format!("'{value}' is not a number that {name} can be, from {least} to {MAX_VALUE}")
        })?;
        setting.set(number);
    }
    Ok(())
}

/// A transform, as `alphorn transforms` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformLine {
    /// Its name.
    pub name: &'static str,
    /// What it works on: `horn`, `circuit`.
    pub works_on: &'static str,
    /// Whether it is applied by itself.
    pub is_default: bool,
    /// One sentence.
    pub about: &'static str,
}

/// Every transform, in the order of application.
pub fn transforms() -> Vec<TransformLine> {
    fn lines<T: Transform>(works_on: &'static str, table: &'static [T]) -> Vec<TransformLine> {
        let line = |card: &T| {
            let (name, is_default, about) = card.row();
            TransformLine { name, works_on, is_default, about }
        };
        table.iter().map(line).collect()
    }
    let (horn, flow) = (lines("horn", TRANSFORMS), lines("flow", FLOW_TRANSFORMS));
    [horn, lines("circuit", CIRCUIT_TRANSFORMS), flow].concat()
}
