//! Documents name files that exist.
//!
//! In a document at the root, a path in backticks that begins with a folder of the repository must
//! lead somewhere, unless it has a part left open (`<name>`, `*`) or git ignores it. A document
//! that speaks of what was moved or removed is worse than none.

use super::{File, Violation};
use std::path::Path;

/// Checks the paths in a document.
pub fn check(root: &Path, ignored: &[String], file: &File, violations: &mut Vec<Violation>) {
    if !file.path.ends_with(".md") || file.path.contains('/') {
        return;
    }
    for (text, line) in file.text.lines().zip(1..) {
        for quoted in text.split('`').skip(1).step_by(2) {
            let Some((folder, _)) = quoted.split_once('/') else { continue };
            let is_open = quoted.contains(['<', '*', '{', ' ', '…']);
            let is_ours = !folder.is_empty() && root.join(folder).is_dir();
            let is_ignored = ignored.iter().any(|path| quoted.starts_with(path.as_str()));
            if is_ours && !is_open && !is_ignored && !root.join(quoted).exists() {
                let sentence = format!("`{quoted}` does not exist");
                violations.push(Violation::new(&file.path, line, sentence));
            }
        }
    }
}
