//! What a run without an answer found out: collected from the engines' events.
//!
//! An unknown should still be worth its time. Per engine we keep the depth it excluded and how many
//! lemmas it had; of formulas, those proved for good, and the latest candidates with the clauses that
//! do not keep them. Where many formulas differ only in their numbers, the search follows a sequence
//! that may not end, and saying so tells the user which relation is missing.

use alphorn_engine::{Event, Note};
use alphorn_report::answer::{Formula, Partial};
use std::collections::{BTreeMap, BTreeSet};

/// An event about the clauses that engines see, as one about those of the problem as read;
/// `origins` says for each clause which of these it was made of.
pub(crate) fn with_origins(mut event: Event, origins: &[Vec<u64>]) -> Event {
    if let Event::Candidate { clauses, .. } = &mut event {
        let found = clauses.iter().filter_map(|&clause| origins.get(clause as usize));
        *clauses = found.flatten().copied().collect();
    }
    event
}

/// The most formulas of one kind that are kept.
const MAX_FORMULAS: usize = 400;
/// The longest formula that is kept, in characters.
const LONGEST: usize = 400;
/// How many formulas that differ only in numbers are a pattern.
const PATTERN: usize = 4;

/// How far one engine came, by what it said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) bound: Option<u64>,
    pub(crate) lemmas: Option<u64>,
}

/// What all engines of a run said.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    engines: BTreeMap<&'static str, Progress>,
    proved: Vec<Formula>,
    candidates: Vec<Formula>,
}

impl Collector {
    /// Remembers of an event what matters if there is no verdict.
    pub(crate) fn hear(&mut self, note: &Note) {
        let progress = self.engines.entry(note.engine).or_default();
        match &note.event {
            Event::Bound { depth } => progress.bound = progress.bound.max(Some(*depth)),
            Event::Lemmas { count } => progress.lemmas = Some(*count),
            Event::Frames { sizes, infinite } => {
                let all = sizes.iter().chain([infinite]).map(|&size| u64::from(size)).sum();
                progress.lemmas = Some(all);
            }
            Event::Proved { predicate, formula } => {
                keep(&mut self.proved, note.engine, (predicate, formula), &[]);
            }
            Event::Candidate { predicate, formula, clauses } => {
                keep(&mut self.candidates, note.engine, (predicate, formula), clauses);
            }
            Event::Explored { .. }
            | Event::Simulated { .. }
            | Event::Unwinding { .. }
            | Event::Remark(_) => {}
        }
    }

    /// The greatest depth without a counterexample.
    pub(crate) fn bound(&self) -> Option<u64> {
        self.engines.values().filter_map(|progress| progress.bound).max()
    }

    /// How far an engine came; nowhere if it said nothing.
    pub(crate) fn progress(&self, engine: &str) -> Progress {
        self.engines.get(engine).copied().unwrap_or_default()
    }

    /// What was found out, if anything.
    pub(crate) fn partial(&self) -> Option<Partial> {
        if self.proved.is_empty() && self.candidates.is_empty() {
            return None;
        }
        let proved: BTreeSet<&Formula> = self.proved.iter().collect();
        let patterns = patterns(self.proved.iter().chain(&self.candidates));
        let mut candidates: Vec<Formula> = Vec::new();
        for candidate in self.candidates.iter().rev() {
            let known = candidates.iter().any(|known| same(known, candidate));
            if !known && !proved.iter().any(|known| same(known, candidate)) {
                candidates.push(candidate.clone());
            }
        }
        let proved = proved.into_iter().cloned().collect();
        Some(Partial { proved, candidates, patterns })
    }
}

fn same(one: &Formula, other: &Formula) -> bool {
    one.predicate == other.predicate && one.formula == other.formula
}

fn keep(
    list: &mut Vec<Formula>,
    engine: &str,
    (predicate, formula): (&str, &str),
    clauses: &[u64],
) {
    if formula.len() > LONGEST {
        return;
    }
    if list.len() >= MAX_FORMULAS {
        list.drain(..MAX_FORMULAS / 2);
    }
    let (engine, predicate) = (engine.to_owned(), predicate.to_owned());
    let (formula, clauses) = (formula.to_owned(), clauses.to_vec());
    list.push(Formula { engine, predicate, formula, clauses });
}

/// Formulas of one predicate that differ only in their numbers, in words.
fn patterns<'a>(formulas: impl Iterator<Item = &'a Formula>) -> Vec<String> {
    let mut families: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for formula in formulas {
        let Some(skeleton) = skeleton(&formula.formula) else { continue };
        let family = families.entry((&formula.predicate, skeleton)).or_default();
        if !family.contains(&formula.formula.as_str()) {
            family.push(&formula.formula);
        }
    }
    families.retain(|_, family| family.len() >= PATTERN);
    let words = |((predicate, _), family): (&(&str, String), &Vec<&str>)| {
        let (first, last) = (family[0], family[family.len() - 1]);
        let count = family.len();
        format!("{predicate}: {count} formulas like {first}, at last {last}: a relation is missing")
    };
    families.iter().map(words).collect()
}

/// A formula with its numbers left out; none if it has no numbers.
fn skeleton(formula: &str) -> Option<String> {
    let mut out = String::with_capacity(formula.len());
    let (mut in_word, mut in_number, mut found) = (false, false, false);
    for c in formula.chars() {
        let digit = c.is_ascii_digit();
        if digit && !in_word {
            if !in_number {
                out.push('#');
            }
            (in_number, found) = (true, true);
            continue;
        }
        in_number = false;
        in_word = c.is_alphanumeric() || c == '_' || c == '!' || (in_word && c == '.');
        out.push(c);
    }
    found.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn candidate(formula: &str) -> Note {
        let event = Event::Candidate {
            predicate: "P".to_owned(),
            formula: formula.to_owned(),
            clauses: vec![1],
        };
        Note { engine: "pdr", at: Duration::ZERO, event }
    }

    #[test]
    fn formulas_that_differ_in_numbers_are_a_pattern() {
        let mut collector = Collector::default();
        for bound in 1..=5 {
            collector.hear(&candidate(&format!("(<= x1 {bound})")));
        }
        collector.hear(&candidate("(<= x2 7)"));
        let partial = collector.partial().expect("something was said");
        assert_eq!(partial.patterns.len(), 1, "{:?}", partial.patterns);
        assert!(partial.patterns[0].contains("5 formulas like (<= x1 1), at last (<= x1 5)"));
        assert_eq!(partial.candidates[0].formula, "(<= x2 7)");
        assert_eq!(partial.candidates[0].clauses, [1]);
    }

    #[test]
    fn clauses_are_those_as_read() {
        let origins = [vec![0], vec![2, 5]];
        let Event::Candidate { clauses, .. } = with_origins(candidate("x").event, &origins) else {
            panic!("the event stays what it is")
        };
        assert_eq!(clauses, [2, 5]);
    }

    #[test]
    fn numbers_in_names_are_no_numbers() {
        assert_eq!(skeleton("(<= x1 12)"), Some("(<= x1 #)".to_owned()));
        assert_eq!(skeleton("(not b2)"), None);
    }

    #[test]
    fn without_events_nothing_is_said_to_be_known() {
        assert_eq!(Collector::default().partial(), None);
    }
}
