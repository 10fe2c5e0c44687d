//! A journal in a file: lines are appended as they come, each once, and each is in the file when it was told.

use super::{Holds, Line, Wire};
use crate::open::Opened;
use alphorn_front::sha256;
use alphorn_report::journal::{VERSION, read_lines};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The largest journal that is read, in bytes.
const MAX_BYTES: u64 = 1 << 28;

/// A journal that is read, written, or both.
#[derive(Debug)]
pub struct FileJournal {
    read: Vec<Line>,
    written: Option<Mutex<Written>>,
}

#[derive(Debug)]
struct Written {
    file: File,
    /// What was said, without by whom.
    known: BTreeSet<String>,
    has_failed: bool,
}

/// What a file said, with what is to be said to the user about it.
#[derive(Debug)]
pub struct ReadJournal {
    /// The lines that can be used for the problem.
    pub lines: Vec<Line>,
    /// What is odd.
    pub remarks: Vec<String>,
}

/// The hash by which a journal knows its problem.
pub fn problem_hash(opened: &Opened) -> String {
    format!("sha256:{}", sha256::hex(&opened.bytes))
}

/// Reads a journal. Answers are left out where it is about another file, and where only hints are wanted.
pub fn read_journal(
    path: &Path,
    opened: &Opened,
    with_answers: bool,
) -> Result<ReadJournal, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_BYTES {
        return Err(format!("a journal of more than {} MiB is not read", MAX_BYTES >> 20));
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let (lines, wrong) = read_lines(&String::from_utf8_lossy(&bytes));
    let mut remarks = Vec::new();
    if let Some(first) = wrong.first() {
        let count = wrong.len();
        let s = if count == 1 { " is" } else { "s are" };
        remarks.push(format!("{count} line{s} left out as no fact, the first is line {first}"));
    }
    let is_other = |version: u64| version > VERSION;
    let newer =
        lines.iter().any(|line| matches!(line, Line::Head { alphorn, .. } if is_other(*alphorn)));
    if newer {
        return Err("it was written by a newer version of this program".to_owned());
    }
    let own = problem_hash(opened);
    let heads: Vec<&String> = lines
        .iter()
        .filter_map(|line| if let Line::Head { problem, .. } = line { Some(problem) } else { None })
        .collect();
    let is_own = heads.last().is_some_and(|problem| **problem == own);
    if !heads.is_empty() && !is_own && with_answers {
        remarks
            .push("it is about another file; its lemmas are tried, its answers are not".to_owned());
    }
    let keeps = |line: &Line| match line {
        Line::Answer { .. } | Line::Bound { .. } => is_own && with_answers,
        _ => true,
    };
    Ok(ReadJournal { lines: lines.into_iter().filter(keeps).collect(), remarks })
}

impl FileJournal {
    /// A journal of what was read.
    pub fn of(lines: Vec<Line>) -> FileJournal {
        FileJournal { read: lines, written: None }
    }

    /// The same, with what comes new appended to a file.
    pub fn writing(self, path: &Path, opened: &Opened) -> Result<FileJournal, String> {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| error.to_string())?;
        let known: BTreeSet<String> = self.read.iter().map(said).collect();
        let head = Line::Head {
            alphorn: VERSION,
            problem: problem_hash(opened),
            file: opened.file.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        if !known.contains(&said(&head)) {
            // A line that was cut off must not swallow the next one.
            let ends =
                std::fs::read(path).map_or(true, |text| text.last().is_none_or(|&b| b == b'\n'));
            let gap = if ends { "" } else { "\n" };
            writeln!(file, "{gap}{head}").map_err(|error| error.to_string())?;
        }
        let written = Written { file, known, has_failed: false };
        Ok(FileJournal { written: Some(Mutex::new(written)), ..self })
    }

    /// Whether a line could not be written.
    pub fn has_failed(&self) -> bool {
        let lock = |written: &Mutex<Written>| {
            written.lock().unwrap_or_else(PoisonError::into_inner).has_failed
        };
        self.written.as_ref().is_some_and(lock)
    }
}

/// What a line says, whoever says it.
fn said(line: &Line) -> String {
    let mut line = line.clone();
    match &mut line {
        Line::Lemma { by, holds, .. } | Line::Clause { by, holds, .. } => {
            by.clear();
            // It is said again only when it is known to hold for good.
            if let Holds::Level(level) = holds {
                *level = 0;
            }
        }
        Line::Head { file, .. } => file.clear(),
        Line::Bound { by, .. } | Line::Answer { by, .. } => by.clear(),
        Line::Tried { .. } => {}
    }
    line.to_string()
}

impl Wire for FileJournal {
    fn tell(&self, line: &Line) {
        let Some(written) = &self.written else { return };
        let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
        if written.known.insert(said(line)) && writeln!(written.file, "{line}").is_err() {
            written.has_failed = true;
        }
    }

    fn heard(&self, from: usize) -> Vec<Line> {
        self.read[from.min(self.read.len())..].to_vec()
    }
}
