//! Folders of their own for tests that run programs on files.

use std::path::{Path, PathBuf};

/// An empty folder for the test of this name, in this process.
pub fn empty(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("alphorn-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    folder
}

/// Writes a file.
pub fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file can be written");
}
