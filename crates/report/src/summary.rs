//! Several files in one view: a row each, and totals.

use crate::answer::Outcome;
use crate::exit::Exit;
use crate::printable;
use crate::text::{paint, seconds};
use serde::Serialize;
use std::fmt::Write;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Became {
    /// Every property holds.
    Safe,
    /// Some property is violated.
    Unsafe,
    /// No property is violated, some are undecided.
    Unknown,
    /// It could not be treated.
    Error,
}

impl Became {
    /// All of them, in the order of totals.
    pub const ALL: [Became; 4] = [Became::Safe, Became::Unsafe, Became::Unknown, Became::Error];

    /// What a file became whose run ended so.
    pub fn of(exit: Exit) -> Became {
        match exit {
            Exit::Safe => Became::Safe,
            Exit::Unsafe => Became::Unsafe,
            Exit::Unknown => Became::Unknown,
            _ => Became::Error,
        }
    }

    /// The word for it.
    pub fn human(self) -> &'static str {
        match self {
            Became::Safe => Outcome::Safe.human(),
            Became::Unsafe => Outcome::Unsafe.human(),
            Became::Unknown => Outcome::Unknown.human(),
            Became::Error => "ERROR",
        }
    }
}

/// A file and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileLine {
    /// The file, as the user named it.
    pub file: String,
    /// The worst of its answers.
    pub verdict: Became,
    /// How many properties have an answer, safe, unsafe and unknown.
    pub properties: [u64; 3],
    /// One phrase about it.
    pub detail: String,
    /// How long it took.
    pub milliseconds: u64,
    /// The page about it, if one was written.
    pub page: Option<String>,
}

/// How many files became what: "3 files, 2 safe, 1 error".
pub fn totals(files: &[FileLine]) -> String {
    let mut out = format!("{} files", files.len());
    for became in Became::ALL {
        let count = files.iter().filter(|line| line.verdict == became).count();
        if count > 0 {
            let several = if became == Became::Error && count > 1 { "s" } else { "" };
            let _ = write!(out, ", {count} {}{several}", became.human().to_lowercase());
        }
    }
    out
}

/// The longest name that the table makes room for, and the longest phrase.
const WIDEST: usize = 50;

/// The table, ending with a newline; with colours if `colour`.
pub fn table(files: &[FileLine], colour: bool) -> String {
    let names: Vec<_> = files.iter().map(|line| printable::line(&line.file)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(WIDEST);
    let mut out = String::from("\n");
    for (name, line) in names.iter().zip(files) {
        let word = format!("{:<7}", line.verdict.human());
        let word = match line.verdict {
            Became::Safe => paint(&word, Outcome::Safe, colour),
            Became::Unsafe | Became::Error => paint(&word, Outcome::Unsafe, colour),
            Became::Unknown => paint(&word, Outcome::Unknown, colour),
        };
        let mut detail: String = printable::line(&line.detail).chars().take(WIDEST).collect();
        if detail.len() < line.detail.len() && detail.chars().count() == WIDEST {
            detail.push('…');
        }
        let (time, row) = (seconds(line.milliseconds), format!("{name:<width$}"));
        let _ = writeln!(out, "{word}  {time:>9}  {row}  {}", detail.trim_end());
    }
    let time = files.iter().map(|line| line.milliseconds).sum();
    let _ = writeln!(out, "{}, {}", totals(files), seconds(time));
    out
}
