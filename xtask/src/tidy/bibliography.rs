//! Keys of papers resolve.
//!
//! A key is a word of letters, from a capital on or after a `v`, and two digits, in brackets: `[Bra11]`. Wherever
//! one stands in a source or a document, `docs/bibliography.md` has a line that begins with it, and one only.

use super::{File, Violation};
use std::collections::BTreeMap;

const BIBLIOGRAPHY: &str = "docs/bibliography.md";

/// Checks the keys in all files.
pub fn check(files: &[File], violations: &mut Vec<Violation>) {
    let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
    let listed = files.iter().filter(|file| file.path == BIBLIOGRAPHY);
    for (text, line) in listed.flat_map(|file| file.text.lines().zip(1..)) {
        let key = text.strip_prefix("- [").and_then(|rest| rest.split_once(']'));
        if let Some((key, _)) = key
            && entries.insert(key, line).is_some()
        {
            let sentence = format!("[{key}] has two entries");
            violations.push(Violation::new(BIBLIOGRAPHY, line, sentence));
        }
    }
    let is_text = |file: &&File| file.path.ends_with(".rs") || file.path.ends_with(".md");
    for file in files.iter().filter(is_text) {
        for (text, line) in file.text.lines().zip(1..) {
            for key in keys(text).filter(|key| !entries.contains_key(key)) {
                let sentence = format!("[{key}] is not in {BIBLIOGRAPHY}");
                violations.push(Violation::new(&file.path, line, sentence));
            }
        }
    }
}

/// The keys in a line.
fn keys(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    inside.map(|(inside, _)| inside).filter(|word| is_key(word))
}

fn is_key(word: &str) -> bool {
    let Some((letters, year)) = word.split_at_checked(word.len().saturating_sub(2)) else {
        return false;
    };
    let name = letters.strip_prefix('v').unwrap_or(letters);
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphabetic() || c == '+')
        && year.len() == 2
        && year.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_types_and_places() {
        let found = |text: &'static str| keys(text).collect::<Vec<&str>>();
        assert_eq!(
            found("ic3 [Bra11], lists [u32] and [CHH+17] or x[i] [vE00]"),
            ["Bra11", "CHH+17", "vE00"]
        );
        assert!(found("fn f(words: &[i64], at: [Lit; 2]) -> [F; 64]").is_empty());
    }
}
