//! The rules a machine can keep, so that reviewers need not.
//!
//! Everything is read as text: no parser, no build, no other tool. That is enough because the
//! rules are about words (`rules`), files (`files`), lengths of functions (`functions`), paths (`documents`, `trust`), manifests
//! (`edges`) and names of modules (`cycles`), and it keeps the check fast and free of dependencies. What counts is every file that
//! `.gitignore` does not exclude, whether or not it has been committed.

mod bibliography;
mod code;
mod cycles;
mod documents;
mod edges;
mod files;
mod functions;
mod rules;
#[cfg(test)]
mod tests;
mod trust;

use std::fmt;
use std::io;
use std::path::Path;

/// A broken rule and where it is broken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The file, from the root, with slashes.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what to do instead.
    pub sentence: String,
}

impl Violation {
    fn new(path: &str, line: usize, sentence: impl Into<String>) -> Violation {
        Violation { path: path.to_owned(), line, sentence: sentence.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.sentence)
    }
}

/// A text file of the repository.
struct File {
    path: String,
    text: String,
}

impl File {
    /// The folder of a crate's library or binary, if the file is part of one: `engine` for
    /// `crates/engine/src/…`, `xtask` for `xtask/src/…`.
    fn crate_name(&self) -> Option<&str> {
        let path = self.path.strip_prefix("crates/").unwrap_or(&self.path);
        let (name, rest) = path.split_once('/')?;
        let is_crate = self.path.starts_with("crates/") || name == "xtask";
        (is_crate && rest.starts_with("src/") && rest.ends_with(".rs")).then_some(name)
    }
}

/// Everything that breaks a rule in the repository at `root`, in the order of paths and lines.
pub fn tidy(root: &Path) -> io::Result<Vec<Violation>> {
    let ignored = ignored(root)?;
    let mut files = Vec::new();
    walk(root, "", &ignored, &mut files)?;
    let mut violations = edges::check(&files);
    violations.extend(trust::check(&files));
    cycles::check(&files, &mut violations);
    bibliography::check(&files, &mut violations);
    let summary = files.iter().find(|file| file.path == documents::SUMMARY);
    let summary = summary.map_or("", |file| &file.text);
    for file in &files {
        files::check(file, &mut violations);
        functions::check(file, &mut violations);
        documents::check(root, &ignored, file, &mut violations);
        documents::check_links(root, file, summary, &mut violations);
        if file.crate_name().is_some() {
            rules::check(file, &mut violations);
        }
    }
    violations.sort();
    Ok(violations)
}

/// The modules that use each other in a circle, in words, a line for each cycle.
pub fn cycles(root: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    walk(root, "", &ignored(root)?, &mut files)?;
    Ok(cycles::report(&files))
}

/// Writes the list of trusted files anew; whether there is a place for it.
pub fn write_trust(root: &Path) -> io::Result<bool> {
    let mut files = Vec::new();
    walk(root, "", &ignored(root)?, &mut files)?;
    let Some(text) = trust::written(&files) else { return Ok(false) };
    std::fs::write(root.join(trust::DOCUMENT), text)?;
    Ok(true)
}

/// The paths that `.gitignore` excludes; only plain paths from the root are understood.
fn ignored(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = vec![".git".to_owned()];
    let list = root.join(".gitignore");
    if list.exists() {
        let text = std::fs::read_to_string(list)?;
        paths.extend(text.lines().filter_map(|line| Some(line.trim().strip_prefix('/')?.into())));
    }
    Ok(paths)
}

/// Collects the text files below `folder`, which is a path from `root` with a slash at its end.
fn walk(root: &Path, folder: &str, ignored: &[String], files: &mut Vec<File>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if ignored.contains(&path) || kind.is_symlink() {
            continue;
        }
        if kind.is_dir() {
            walk(root, &format!("{path}/"), ignored, files)?;
        } else if let Ok(text) = String::from_utf8(std::fs::read(entry.path())?) {
            files.push(File { path, text });
        }
    }
    Ok(())
}
