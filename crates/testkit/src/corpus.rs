//! The files of the corpus and of the examples, and what their comments say about them.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").components().collect()
}

/// The files below a folder of the repository, at any depth, in order, as paths from the root.
///
/// # Panics
///
/// If the folder is not there or has no files: a test that looks at nothing must not pass.
#[track_caller]
pub fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(root().join(&folder));
        for entry in entries.unwrap_or_else(|error| panic!("{folder}: {error}")).flatten() {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    assert!(!found.is_empty(), "there are no files in {folder}");
    found.sort();
    found
}

/// The files below a folder outside of the repository, at any depth, in order; none if it is not there.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// What a comment of a text says under a key: `; key: value`, whatever comments begin with.
pub fn header(text: &str, key: &str) -> Option<String> {
    let value = |line: &str| {
        let line = line.trim_start_matches([';', '%', '/', '#', '-', 'c', ' ']);
        Some(line.strip_prefix(key)?.strip_prefix(':')?.trim().to_owned())
    };
    text.lines().find_map(value)
}

#[cfg(test)]
mod tests {
    use super::{files, header};

    #[test]
    fn headers_stand_in_comments_of_any_format() {
        let text = "; expect: safe\nc engines: ic3 bmc\n   ticks: 5\n% a: b\n// d: e\n";
        assert_eq!(header(text, "expect").as_deref(), Some("safe"));
        assert_eq!(header(text, "engines").as_deref(), Some("ic3 bmc"));
        assert_eq!(header(text, "ticks").as_deref(), Some("5"));
        assert_eq!(header(text, "tick"), None);
        assert_eq!(header(text, "a").as_deref(), Some("b"));
        assert_eq!(header(text, "d").as_deref(), Some("e"));
    }

    #[test]
    fn files_are_found_at_any_depth_and_in_order() {
        let files = files("crates/testkit/src");
        assert!(files.is_sorted());
        assert!(files.contains(&"crates/testkit/src/corpus.rs".to_owned()));
        assert!(files.contains(&"crates/testkit/src/shrink/mod.rs".to_owned()));
    }
}
