//! Answers as text for people: one line, then a few indented ones.

use crate::answer::{Answer, Outcome};
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

/// An answer as text, ending with a newline.
pub fn answer(answer: &Answer, verbosity: Verbosity) -> String {
    let mut out = String::new();
    let head = format!("{}: {}  {}", answer.file, answer.verdict.human(), answer.detail);
    let _ = writeln!(out, "{head:<62}  {}", seconds(answer.milliseconds));
    if verbosity == Verbosity::Quiet {
        return out;
    }
    let mut line = |key: &str, text: &str| {
        let _ = writeln!(out, "  {key:<9} {text}");
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
    if answer.verdict == Outcome::Unknown
        && let Some(bound) = answer.bound
    {
        line("reached", &format!("no counterexample up to depth {bound}"));
    }
    let show_attempts = verbosity >= Verbosity::Verbose || answer.verdict == Outcome::Unknown;
    if show_attempts {
        for attempt in &answer.attempts {
            let time = seconds(attempt.milliseconds);
            line("engine", &format!("{}: {} ({time})", attempt.engine, attempt.ended));
        }
    }
    if verbosity >= Verbosity::Verbose {
        for phase in &answer.phases {
            line("time", &format!("{} {}", phase.name, seconds(phase.milliseconds)));
        }
    }
    for hint in &answer.hints {
        line("try", hint);
    }
    out
}

/// An event as one line, without a newline.
pub fn note(note: &Note) -> String {
    let text = match &note.event {
        Event::Bound { depth } => format!("no counterexample up to depth {depth}"),
        Event::Explored { seen, waiting } => format!("{seen} states, {waiting} to expand"),
        Event::Simulated { steps } => format!("{steps} random steps"),
        Event::Remark(text) => text.clone(),
    };
    let time = seconds(u64::try_from(note.at.as_millis()).unwrap_or(u64::MAX));
    format!("{time:>9}  {:<10} {text}", note.engine)
}
