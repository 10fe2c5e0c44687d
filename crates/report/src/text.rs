//! Answers as text for people: one line, then a few indented ones.

use crate::answer::{Answer, Outcome, Partial};
use crate::printable;
use alphorn_engine::{Event, Note};
use std::fmt::Write;

/// How much to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// The answer line only.
    Quiet,
    /// The answer and what belongs to it.
    #[default]
    Normal,
    /// Also what each engine did and where the time went.
    Verbose,
    /// Also every event.
    Debug,
}

/// A duration for people.
pub fn seconds(milliseconds: u64) -> String {
    format!("{}.{:02} s", milliseconds / 1000, milliseconds % 1000 / 10)
}

/// Words in the colour of an outcome, if colours are wanted.
pub fn paint(words: &str, outcome: Outcome, colour: bool) -> String {
    let code = match outcome {
        Outcome::Safe => 32,
        Outcome::Unsafe => 31,
        Outcome::Unknown => 33,
    };
    if colour { format!("\x1b[1;{code}m{words}\x1b[0m") } else { words.to_owned() }
}

/// The column in which the time of an answer stands, if what stands before it leaves room.
const TIME_COLUMN: usize = 62;

/// An answer as text, ending with a newline; the verdict has its colour if `colour`. What comes from
/// files is printable.
pub fn answer(answer: &Answer, verbosity: Verbosity, colour: bool) -> String {
    let mut out = String::new();
    let (file, detail) = (printable::line(&answer.file), printable::line(&answer.detail));
    let word = answer.question.human(answer.verdict);
    let width = [&file, word, &detail].iter().map(|part| part.chars().count()).sum::<usize>() + 4;
    let room = " ".repeat(TIME_COLUMN.saturating_sub(width));
    let word = paint(word, answer.verdict, colour);
    let _ = writeln!(out, "{file}: {word}  {detail}{room}  {}", seconds(answer.milliseconds));
    if verbosity == Verbosity::Quiet {
        return out;
    }
    let mut line = |key: &str, text: &str| {
        let _ = writeln!(out, "  {key:<9} {}", printable::line(text));
    };
    if answer.property != "horn" {
        match &answer.name {
            Some(name) => line("property", &format!("{}  \"{name}\"", answer.property)),
            None => line("property", &answer.property),
        }
    }
    if let Some(checked) = &answer.checked {
        let time = seconds(checked.milliseconds);
        line("checked", &format!("{}, by alphorn-check, {time}", checked.what));
    }
    if let Some(file) = &answer.evidence {
        line("evidence", file);
    }
    if !answer.assumptions.is_empty() {
        line("assumed", &answer.assumptions.join("; "));
    }
    if answer.verdict == Outcome::Unknown
        && let Some(bound) = answer.bound
    {
        line("reached", &format!("no counterexample up to depth {bound}"));
    }
    let show_attempts = verbosity >= Verbosity::Verbose || answer.verdict == Outcome::Unknown;
    if show_attempts {
        for attempt in &answer.attempts {
            let mut time = seconds(attempt.milliseconds);
            if let Some(bound) = attempt.bound {
                time = format!("{time}, depth {bound}");
            }
            if let Some(lemmas) = attempt.lemmas {
                time = format!("{time}, {lemmas} lemmas");
            }
            line("engine", &format!("{}: {} ({time})", attempt.engine, attempt.ended));
        }
    }
    if let Some(found) = &answer.partial {
        for (key, text) in partial(found) {
            line(key, &text);
        }
    }
    if verbosity >= Verbosity::Verbose {
        for phase in &answer.phases {
            line("time", &format!("{} {}", phase.name, seconds(phase.milliseconds)));
        }
    }
    for why in &answer.why {
        line("why", why);
    }
    for hint in &answer.hints {
        line("try", hint);
    }
    out
}

/// What was decided about several properties, in a line.
pub fn summary(decided: &[(String, Outcome)]) -> String {
    let asks = |name: &str| name.starts_with("check-sat") || name.starts_with("query");
    let is_script = decided.iter().all(|(name, _)| asks(name));
    let noun = if is_script { "questions" } else { "properties" };
    let mut parts = vec![format!("{} {noun}", decided.len())];
    for (outcome, word) in
        [(Outcome::Safe, "safe"), (Outcome::Unsafe, "unsafe"), (Outcome::Unknown, "unknown")]
    {
        let names: Vec<&str> =
            decided.iter().filter(|(_, o)| *o == outcome).map(|(name, _)| name.as_str()).collect();
        match (outcome, names.len()) {
            (_, 0) => {}
            (Outcome::Safe, count) => parts.push(format!("{count} {word}")),
            (_, count) => {
                let more = if count > MAX_LINES { ", …" } else { "" };
                let names = names[..count.min(MAX_LINES)].join(", ");
                parts.push(format!("{count} {word} ({names}{more})"));
            }
        }
    }
    parts.join(", ")
}

fn candidate(predicate: &str, formula: &str, clauses: &[u64]) -> String {
    match clauses {
        [] => format!("{predicate}: {formula} so far"),
        [clause] => format!("{predicate}: {formula} so far, not kept by clause {clause}"),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(u64::to_string).collect();
            let rest = rest.join(", ");
            format!("{predicate}: {formula} so far, not kept by clauses {rest} and {last}")
        }
    }
}

/// The most lines about what a run without an answer found.
const MAX_LINES: usize = 5;

/// What a run without an answer found, as lines with their keys.
fn partial(partial: &Partial) -> Vec<(&'static str, String)> {
    let mut lines: Vec<(&'static str, String)> = Vec::new();
    let mut list = |key: &'static str, all: Vec<String>| {
        let rest = all.len().saturating_sub(MAX_LINES);
        lines.extend(all.into_iter().take(MAX_LINES).map(|text| (key, text)));
        if rest > 0 {
            lines.push((key, format!("… and {rest} more")));
        }
    };
    let proved = partial.proved.iter();
    list("proved", proved.map(|f| format!("{}: {}", f.predicate, f.formula)).collect());
    let candidates = partial.candidates.iter();
    list(
        "candidate",
        candidates.map(|c| candidate(&c.predicate, &c.formula, &c.clauses)).collect(),
    );
    list("pattern", partial.patterns.clone());
    lines
}

/// A row of the frame table, in at most `width` characters if that can be: the number of the last
/// level, the lemmas of each level, and those that hold at all. What does not fit is left out on the
/// left, where little happens.
pub fn frames(sizes: &[u32], infinite: u32, width: usize) -> String {
    let head = format!("{:>4} :", sizes.len());
    let tail = if infinite > 0 { format!("  ∞ {infinite}") } else { String::new() };
    let room = width.saturating_sub(head.chars().count() + tail.chars().count() + 4);
    let mut shown = String::new();
    let mut first = sizes.len();
    for (level, size) in sizes.iter().enumerate().rev() {
        let cell = format!(" {size}");
        if shown.len() + cell.len() > room && first < sizes.len() {
            break;
        }
        shown.insert_str(0, &cell);
        first = level;
    }
    let dots = if first > 0 { " ..." } else { "" };
    format!("{head}{dots}{shown}{tail}")
}

/// An event as one line, without a newline.
pub fn note(note: &Note) -> String {
    let text = match &note.event {
        Event::Bound { depth } => format!("no counterexample up to depth {depth}"),
        Event::Explored { seen, waiting } => format!("{seen} states, {waiting} to expand"),
        Event::Simulated { steps } => format!("{steps} random steps"),
        Event::Lemmas { count } => format!("{count} lemmas"),
        Event::Frames { sizes, infinite } => frames(sizes, *infinite, usize::MAX),
        Event::Proved { predicate, formula } => format!("{predicate}: always {formula}"),
        Event::Candidate { predicate, formula, clauses } => candidate(predicate, formula, clauses),
        Event::Unwinding { count, .. } => format!("unwound into {count} instances"),
        Event::Remark(text) => text.clone(),
    };
    let time = seconds(u64::try_from(note.at.as_millis()).unwrap_or(u64::MAX));
    format!("{time:>9}  {:<10} {}", note.engine, printable::line(&text))
}
