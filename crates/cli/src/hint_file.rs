//! The file of `--hints`.

use alphorn_driver::hints::read_hints;
use alphorn_driver::problem::lemma::HornLemma;
use alphorn_driver::{AnyProblem, Diagnostic, Opened};

/// Why there are no hints.
pub enum NoHints {
    /// They are not for this problem, or there is no such file.
    Request(String),
    /// The file is wrong: its name, its text, and what is wrong with it.
    Wrong(Box<(String, Vec<u8>, Vec<Diagnostic>)>),
}

/// The hints of a file about an opened problem.
pub fn read_hint_file(opened: &Opened, file: &str) -> Result<Vec<HornLemma>, NoHints> {
    let Some(AnyProblem::Horn(horn)) = &opened.problem else {
        let why = "--hints is not for this problem: it is about the predicates of Horn clauses";
        return Err(NoHints::Request(why.to_owned()));
    };
    let unreadable = |error| NoHints::Request(format!("--hints: {file} cannot be read: {error}"));
    let bytes = std::fs::read(file).map_err(unreadable)?;
    read_hints(horn, &bytes)
        .map_err(|complaints| NoHints::Wrong(Box::new((file.to_owned(), bytes, complaints))))
}
