//! What a run is told beforehand and leaves behind: the files of `--hints`, `--journal` and `--resume`.

use alphorn_driver::hints::read_hints;
use alphorn_driver::journal::FileJournal;
use alphorn_driver::journal::file::{ReadJournal, read_journal};
use alphorn_driver::problem::lemma::HornLemma;
use alphorn_driver::report::journal::is_journal;
use alphorn_driver::{AnyProblem, Diagnostic, Opened};
use std::path::Path;
use std::sync::Arc;

/// Why there are no hints.
pub enum NoHints {
    /// They are not for this problem, or there is no such file.
    Request(String),
    /// The file is wrong: its name, its text, and what is wrong with it.
    Wrong(Box<(String, Vec<u8>, Vec<Diagnostic>)>),
}

/// The files that are named on the command line.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// `--hints`.
    pub hints: Option<String>,
    /// `--journal`.
    pub journal: Option<String>,
    /// `--resume`.
    pub resume: Option<String>,
}

/// What the files say about an opened problem.
#[derive(Default)]
pub struct Told {
    /// Hints about predicates.
    pub hints: Vec<HornLemma>,
    /// Journals, to be read and written.
    pub journals: Vec<Arc<FileJournal>>,
    /// What the user should know about them.
    pub remarks: Vec<String>,
}

/// Reads the files, and opens those that are to be written.
pub fn read_files(opened: &Opened, files: &Files) -> Result<Told, NoHints> {
    let mut told = Told::default();
    if let Some(file) = &files.hints {
        let bytes = std::fs::read(file).map_err(|error| {
            NoHints::Request(format!("--hints: {file} cannot be read: {error}"))
        })?;
        match is_journal(&bytes) {
            true => {
                let lines = journal(opened, file, false, &mut told)?;
                told.journals.push(Arc::new(FileJournal::of(lines)));
            }
            false => told.hints = hints(opened, file, bytes)?,
        }
    }
    let written = files.journal.as_ref().or(files.resume.as_ref());
    let lines = match &files.resume {
        Some(file) if Path::new(file).exists() => journal(opened, file, true, &mut told)?,
        _ => Vec::new(),
    };
    if let Some(file) = written {
        let journal = FileJournal::of(lines).writing(Path::new(file), opened);
        let journal = journal.map_err(|error| {
            NoHints::Request(format!("the journal {file} cannot be written: {error}"))
        })?;
        told.journals.push(Arc::new(journal));
    }
    Ok(told)
}

/// The lines of a journal.
fn journal(
    opened: &Opened,
    file: &str,
    with_answers: bool,
    told: &mut Told,
) -> Result<Vec<alphorn_driver::journal::Line>, NoHints> {
    let read = read_journal(Path::new(file), opened, with_answers);
    let ReadJournal { lines, remarks } = read
        .map_err(|error| NoHints::Request(format!("the journal {file} cannot be read: {error}")))?;
    told.remarks.extend(remarks.into_iter().map(|remark| format!("{file}: {remark}")));
    Ok(lines)
}

/// The hints of a text about the predicates of an opened problem.
fn hints(opened: &Opened, file: &str, bytes: Vec<u8>) -> Result<Vec<HornLemma>, NoHints> {
    let Some(AnyProblem::Horn(horn)) = &opened.problem else {
        let why = "--hints is not for this problem: it is about the predicates of Horn clauses, \
                   unless it is a journal";
        return Err(NoHints::Request(why.to_owned()));
    };
    read_hints(horn, &bytes)
        .map_err(|complaints| NoHints::Wrong(Box::new((file.to_owned(), bytes, complaints))))
}
