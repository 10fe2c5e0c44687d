//! Compares the crate table of ARCHITECTURE.md with the manifests.
//!
//! The table has the columns *crate*, *is* and *uses*; crates and edges marked `(planned)` are
//! not expected to exist. Every other row must say exactly what the crate's `[dependencies]` say
//! about crates of this workspace, and may only use crates of rows above it. Dependencies of tests
//! may go anywhere: they are not part of what anyone links. What tests share is a crate outside the table,
//! and nothing but tests may depend on it. What judges evidence for auditors reaches no crate that searches, by whatever way.

use super::{File, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// The document with the table.
const DOCUMENT: &str = "ARCHITECTURE.md";
/// What marks a crate or an edge that does not exist.
const PLANNED: &str = "(planned)";
/// The crate that only tests may depend on; it has no row.
const TESTKIT: &str = "testkit";
/// What the names of packages begin with.
const PREFIX: &str = "alphorn-";

/// The crate of the checker that stands alone.
const AUDIT: &str = "audit";
/// The crates that search for answers.
const SEARCHING: &[&str] =
    &["sat", "smt", "script", "horn", "chc", "flow", "hw", "cross", "driver"];

struct Row {
    line: usize,
    planned: bool,
    uses: Vec<String>,
}

/// Reports every difference between the table and the manifests.
pub fn check(files: &[File]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let document = files.iter().find(|file| file.path == DOCUMENT);
    let rows = document.map_or_else(BTreeMap::new, |file| table(file, &mut violations));
    if rows.is_empty() {
        let sentence = "there is no table with the columns crate, is, uses";
        violations.push(Violation::new(DOCUMENT, 1, sentence));
        return violations;
    }
    for (name, row) in &rows {
        let manifest = format!("crates/{name}/Cargo.toml");
        match files.iter().find(|file| file.path == manifest) {
            Some(file) if !row.planned => compare(name, row, file, &mut violations),
            None if row.planned => {}
            Some(_) => {
                let sentence = format!("`{name}` exists; it is not {PLANNED} any more");
                violations.push(Violation::new(DOCUMENT, row.line, sentence));
            }
            None => {
                let sentence = format!("there is no crate `{name}`; mark it {PLANNED}");
                violations.push(Violation::new(DOCUMENT, row.line, sentence));
            }
        }
    }
    reach_no_solver(&rows, &mut violations);
    for file in files {
        let name = file.path.strip_prefix("crates/").and_then(|p| p.strip_suffix("/Cargo.toml"));
        if let Some(name) = name.filter(|name| *name != TESTKIT && !rows.contains_key(*name)) {
            let sentence = format!("`{name}` is not in the crate table of {DOCUMENT}");
            violations.push(Violation::new(&file.path, 1, sentence));
        }
    }
    violations
}

/// Reports each crate that searches and is reached from the checker that stands alone. Rows say what manifests say.
fn reach_no_solver(rows: &BTreeMap<String, Row>, violations: &mut Vec<Violation>) {
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut next = vec![AUDIT];
    while let Some(name) = next.pop() {
        if reached.insert(name) {
            next.extend(rows.get(name).iter().flat_map(|row| row.uses.iter().map(String::as_str)));
        }
    }
    let line = rows.get(AUDIT).map_or(1, |row| row.line);
    for name in SEARCHING.iter().filter(|name| reached.contains(*name)) {
        let sentence = format!("`{AUDIT}` reaches `{name}`, which searches");
        violations.push(Violation::new(DOCUMENT, line, sentence));
    }
}

/// The rows of the table by crate.
fn table(file: &File, violations: &mut Vec<Violation>) -> BTreeMap<String, Row> {
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim().trim_matches('|');
        inner.split('|').map(|cell| cell.replace('`', "").trim().to_owned()).collect()
    };
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let lines = file.text.lines().zip(1..);
    let body = lines.skip_while(|(line, _)| cells(line) != ["crate", "is", "uses"]).skip(2);
    for (text, line) in body.take_while(|(line, _)| line.starts_with('|')) {
        let row = cells(text);
        let [name, _, uses] = &row[..] else {
            violations.push(Violation::new(DOCUMENT, line, "a row of the table has three cells"));
            continue;
        };
        let planned = name.contains(PLANNED);
        let uses = uses.split(',').map(str::trim).filter(|name| !["", "–"].contains(name));
        let mut existing = Vec::new();
        for name in uses {
            let plain = name.replace(PLANNED, "").trim().to_owned();
            if !rows.contains_key(&plain) {
                let sentence = format!("`{plain}` has no row above this one");
                violations.push(Violation::new(DOCUMENT, line, sentence));
            }
            if !name.contains(PLANNED) {
                existing.push(plain);
            }
        }
        let name = name.replace(PLANNED, "").trim().to_owned();
        rows.insert(name, Row { line, planned, uses: existing });
    }
    rows
}

/// Compares one row with one manifest.
fn compare(name: &str, row: &Row, manifest: &File, violations: &mut Vec<Violation>) {
    let found = dependencies(&manifest.text);
    for (used, line) in &found {
        if used == TESTKIT {
            let sentence = "only tests may use `testkit`: make it a dev-dependency";
            violations.push(Violation::new(&manifest.path, *line, sentence));
        } else if !row.uses.contains(used) {
            let sentence = format!("{DOCUMENT} does not let `{name}` use `{used}`");
            violations.push(Violation::new(&manifest.path, *line, sentence));
        }
    }
    for used in &row.uses {
        if !found.contains_key(used) {
            let sentence = format!("`{name}` does not use `{used}`; its manifest says otherwise");
            violations.push(Violation::new(DOCUMENT, row.line, sentence));
        }
    }
    if !manifest.text.contains("[lints]\nworkspace = true") {
        let sentence = "the crate does not take over the workspace's lints";
        violations.push(Violation::new(&manifest.path, 1, sentence));
    }
}

/// The crates of this workspace that a manifest depends on outside of tests, with their lines.
fn dependencies(manifest: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let mut counts = false;
    for (text, line) in manifest.lines().zip(1..) {
        if text.starts_with('[') {
            counts = text.contains("dependencies") && !text.contains("dev-dependencies");
        }
        if counts && !text.trim_start().starts_with('#') {
            for (at, _) in text.match_indices(PREFIX) {
                let rest = &text[at + PREFIX.len()..];
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-');
                found.insert(rest[..end.unwrap_or(rest.len())].to_owned(), line);
            }
        }
    }
    found
}
