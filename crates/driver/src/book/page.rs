//! The page of an engine: its idea, papers, an example, options, what was measured, and where it runs by itself.
//!
//! The idea is told once, at the head of the file that has it; papers come from the bibliography by the keys in it.

use super::measured::{MEASURED, Measured, Table};
use super::origin::{Origin, page_of};
use super::{folder_of, weights};
use crate::registry::{EngineLine, settings};
use std::fmt::Write;

/// What pages are made of, beside the tables of the code.
pub struct Sources<'a> {
    /// The root of the repository.
    pub root: &'a std::path::Path,
    pub bibliography: &'a str,
    pub table: &'a Table,
    pub engines: &'a [EngineLine],
}

impl Sources<'_> {
    fn line(&self, kind: &str, engine: &str) -> &EngineLine {
        let is_it = |line: &&EngineLine| line.works_on == kind && line.name == engine;
        self.engines.iter().find(is_it).expect("origins are of engines")
    }

    /// The page of an engine.
    pub fn page(&self, origin: &Origin) -> String {
        let Origin { kind, engine, source, presets, by, .. } = *origin;
        let line = self.line(kind, engine);
        let head = self.head(source);
        let mut text = format!("# {engine}\n\n{}. {}\n", capital(line.about), found(line));
        if let Some((kind, by)) = by {
            let page = page_of(kind, by).expect("what decides has a page");
            let file = format!("../{}/{}.md", folder_of(kind), page.engine);
            let _ = writeln!(text, "It is a view; what it shows is decided by [`{by}`]({file}).");
        }
        let _ = write!(text, "\n## Idea\n\n{head}\n\nThis is the head of `crates/{source}`.\n");
        text.push_str(&self.papers(&[line.about, &head]));
        text.push_str(&self.example(kind, engine));
        text.push_str(&options(origin));
        text.push_str(&self.measured(kind, engine));
        text.push_str(&plans(kind, engine));
        if !presets.is_empty() {
            text.push_str("\n## Presets\n\nThe same engine with other choices, for comparison; ");
            text.push_str("they run where they are named.\n");
        }
        for preset in presets {
            let line = self.line(kind, preset);
            let _ = write!(text, "\n### {preset}\n\n{}. {}\n", capital(line.about), found(line));
            text.push_str(&self.papers(&[line.about]).replace("\n## Papers\n", ""));
            text.push_str(&self.example(kind, preset).replace("\n## Example\n", ""));
            text.push_str(&self.measured(kind, preset).replace("\n## Measured\n", ""));
        }
        text
    }

    /// The head of a file.
    fn head(&self, source: &str) -> String {
        let path = self.root.join("crates").join(source);
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
        let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        lines.join("\n").trim().to_owned()
    }

    /// The entries of the bibliography that texts have the keys of.
    fn papers(&self, texts: &[&str]) -> String {
        let is_named = |key: &str| {
            let keys = texts.iter().flat_map(|text| text.split('[').skip(1));
            keys.filter_map(|rest| rest.split(']').next())
                .any(|list| list.split(", ").any(|one| one == key))
        };
        let mut text = String::new();
        for entry in self.bibliography.lines() {
            let key = entry.strip_prefix("- [").and_then(|rest| rest.split(']').next());
            if key.is_some_and(is_named) {
                let _ = writeln!(text, "{entry}");
            }
        }
        if text.is_empty() { text } else { format!("\n## Papers\n\n{text}") }
    }

    fn example(&self, kind: &str, engine: &str) -> String {
        let row = self.table.example(kind, engine);
        let Some(row) = row else {
            return "\n## Example\n\nNo small problem of the repository is decided by it alone.\n"
                .to_owned();
        };
        let answer = match (kind, row.verdict.as_str()) {
            ("flow", "safe") => "TERMINATES",
            ("flow", _) => "RUNS FOREVER",
            ("game", "safe") => "REALIZABLE",
            ("game", _) => "UNREALIZABLE",
            ("temporal", "safe") => "HOLDS",
            ("temporal", _) => "FAILS",
            (_, "safe") => "SAFE",
            _ => "UNSAFE",
        };
        format!("\n## Example\n\n    $ alphorn {}\n    {answer}\n", row.words)
    }

    fn measured(&self, kind: &str, engine: &str) -> String {
        let mut text = String::new();
        let groups = self.table.groups(kind, engine);
        if !groups.is_empty() {
            let total: usize = groups.iter().map(|(_, count, _)| count).sum();
            let groups = groups.iter().map(|(group, count, of)| format!("{group} {count} of {of}"));
            let groups: Vec<String> = groups.collect();
            let _ = writeln!(
                text,
                "- Of the small problems of the repository it decides {total} alone with 20,000 ticks: {} \
                 (`bench/engines.py`).",
                groups.join(", ")
            );
        }
        let rows = MEASURED.iter().filter(|row| row.kind == kind && row.engine == engine);
        for Measured { on, decided, note, .. } in rows {
            let _ = writeln!(text, "- On {on}: {decided} (`bench/notes/{note}`).");
        }
        if text.is_empty() { text } else { format!("\n## Measured\n\n{text}") }
    }
}

/// What an engine can find.
fn found(line: &EngineLine) -> &'static str {
    match (line.proves, line.refutes) {
        (true, true) => "It finds proofs and violations.",
        (true, false) => "It finds proofs.",
        (false, _) => "It finds violations.",
    }
}

/// The sentence of a card as one that stands alone.
fn capital(about: &str) -> String {
    let mut letters = about.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The settings of an engine.
fn options(origin: &Origin) -> String {
    let mut text = format!(
        "\n## Options\n\n`--engine {}` runs it alone, `--time`, `--ticks` and `--memory` limit it.",
        origin.engine
    );
    let is_own = |name: &str| origin.settings.iter().any(|own| name.split('.').next() == Some(own));
    let own: Vec<_> = settings().filter(|setting| is_own(setting.name)).collect();
    if own.is_empty() {
        text.push('\n');
        return text;
    }
    text.push_str(" Numbers for experiments, by `--set NAME=VALUE`:\n\n| name | usual | is |\n|---|--:|---|\n");
    for setting in own {
        let _ = writeln!(text, "| `{}` | {} | {} |", setting.name, setting.usual, setting.about);
    }
    text
}

/// The plans that have an engine.
fn plans(kind: &str, engine: &str) -> String {
    let rows = weights(kind, engine);
    if rows.is_empty() {
        return "\n## Plans\n\nIt runs where it is named, and in no plan.\n".to_owned();
    }
    let mut text =
        "\n## Plans\n\nIt runs by itself, with so many shares of the time, on\n\n".to_owned();
    for row in rows {
        let _ = writeln!(text, "- {row}");
    }
    text
}
