//! Rules about files: their names, their lengths, how they begin, and what none may mention.

use super::code::{has_word, split};
use super::{File, Violation};

/// The most lines a Rust file may have. Half of it is what a file should aim at.
pub const MAX_LINES: usize = 800;

/// Names that say nothing about what is inside.
const NAMES: &[&str] = &["utils", "util", "common", "misc", "helpers", "types"];

/// Marks of unfinished work.
const MARKS: &[&str] = &["TODO", "FIXME", "XXX"];

/// Folders in which machines keep what belongs to one user or one job.
const FOLDERS: &[&str] = &["root", "work", "home", "Users"];

/// Applies the rules to any text file.
pub fn check(file: &File, violations: &mut Vec<Violation>) {
    let mut report = |line: usize, sentence: String| {
        violations.push(Violation::new(&file.path, line, sentence));
    };
    for (text, line) in file.text.lines().zip(1..) {
        if let Some(folder) = machine_folder(text) {
            report(line, format!("/{folder}/… is a path of one machine; write a relative one"));
        }
    }
    let Some(stem) = file.path.strip_suffix(".rs") else { return };
    let parts: Vec<&str> = stem.split('/').collect();
    if let Some(name) = NAMES.iter().find(|name| parts.contains(name)) {
        report(1, format!("the name `{name}` does not say what is inside"));
    }
    if !file.text.starts_with("//!") {
        report(1, "the file does not begin with `//!` and the idea it holds".to_owned());
    }
    let length = file.text.lines().count();
    if length > MAX_LINES {
        report(MAX_LINES + 1, format!("the file has {length} lines; the limit is {MAX_LINES}"));
    }
    let split = split(&file.text);
    for (text, line) in split.code.iter().zip(1..) {
        if text.trim_start().starts_with("#[path") {
            let sentence =
                "a module stands where its name says; what tests share is in crates/testkit";
            report(line, sentence.to_owned());
        }
    }
    for (text, line) in split.comments.iter().zip(1..) {
        if let Some(mark) = MARKS.iter().find(|mark| has_word(text, mark)) {
            report(line, format!("`{mark}`: do it, or open an issue and leave the code clean"));
        }
    }
}

/// The folder of a machine that an absolute path in `line` begins with.
fn machine_folder(line: &str) -> Option<&'static str> {
    let begins = |at: usize| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !"._-~}*)".contains(c))
    };
    FOLDERS
        .iter()
        .copied()
        .find(|folder| line.match_indices(&format!("/{folder}/")).any(|(at, _)| begins(at)))
}
