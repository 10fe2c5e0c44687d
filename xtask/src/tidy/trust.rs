//! Compares the list of trusted files in the checker's TRUST.md with what the checker reaches.
//!
//! Everything in `crates/check/src` is trusted, and so is every file of `term`, `problem` and `program` that a
//! trusted file names by a path (`alphorn_term::eval::bound`, `crate::op`, `super::aig`), or that adds
//! methods to a type of a trusted file, because a call does not name the file. That is more than what
//! runs, and never less; re-exports of a crate's root count as named. Lengths may be a little off, so
//! that not every change is one of the list: `cargo run -p xtask -- trust` writes it anew.

use super::code::split;
use super::{File, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// The document with the list.
pub const DOCUMENT: &str = "crates/check/TRUST.md";
const HEADER: &str = "| part | lines | files |";
/// The crates that the checker is made of.
const CRATES: &[&str] = &["check", "problem", "program", "term"];
/// How far, in hundredths, a length may be off.
const TOLERANCE: usize = 10;

/// A part of the list: a folder with its trusted files.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    lines: usize,
    files: Vec<String>,
}

/// Reports every difference between the list and what is reached.
pub fn check(files: &[File]) -> Vec<Violation> {
    let Some(document) = files.iter().find(|file| file.path == DOCUMENT) else { return Vec::new() };
    let Some(at) = document.text.lines().position(|line| line == HEADER) else {
        let sentence = format!("there is no list of trusted files under `{HEADER}`");
        return vec![Violation::new(DOCUMENT, 1, sentence)];
    };
    let mut violations = Vec::new();
    let mut found = parts(files);
    let rows = document.text.lines().zip(1..).skip(at + 2);
    for (row, line) in rows.take_while(|(row, _)| row.starts_with('|')) {
        let mut report = |sentence: String| {
            let hint = "write the list anew by `cargo run -p xtask -- trust`";
            violations.push(Violation::new(DOCUMENT, line, format!("{sentence}; {hint}")));
        };
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        let [_, folder, lines, listed, _] = &cells[..] else {
            report("a row has three cells".to_owned());
            continue;
        };
        let Some(part) = found.remove(folder) else {
            report(format!("nothing in {folder} is reached"));
            continue;
        };
        let listed: Vec<String> = listed.split(", ").map(str::to_owned).collect();
        if listed != part.files {
            report(format!("the trusted files of {folder} are {}", part.files.join(", ")));
        }
        let lines = lines.parse::<usize>().unwrap_or(0);
        if lines.abs_diff(part.lines) * 100 > part.lines * TOLERANCE {
            report(format!("{folder} has {} lines, not {lines}", part.lines));
        }
    }
    for folder in found.keys() {
        let sentence = format!("{folder} is trusted and not listed; `cargo run -p xtask -- trust`");
        violations.push(Violation::new(DOCUMENT, at + 1, sentence));
    }
    violations
}

/// The document with the list written anew; none if it has no place for one.
pub fn written(files: &[File]) -> Option<String> {
    let document = files.iter().find(|file| file.path == DOCUMENT)?;
    let lines: Vec<&str> = document.text.lines().collect();
    let start = lines.iter().position(|line| *line == HEADER)?;
    let length = lines[start..].iter().take_while(|line| line.starts_with('|')).count();
    let mut table = vec![HEADER.to_owned(), "|---|---|---|".to_owned()];
    for (folder, part) in parts(files) {
        let names: Vec<String> = part.files.iter().map(|name| format!("`{name}`")).collect();
        table.push(format!("| `{folder}` | {} | {} |", part.lines, names.join(", ")));
    }
    let before = lines[..start].iter().map(|line| (*line).to_owned());
    let after = lines[start + length..].iter().map(|line| (*line).to_owned());
    let all: Vec<String> = before.chain(table).chain(after).collect();
    Some(all.join("\n") + "\n")
}

/// The trusted files by folder.
fn parts(files: &[File]) -> BTreeMap<String, Part> {
    let mut parts: BTreeMap<String, Part> = BTreeMap::new();
    for (path, file) in reached(files) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let part = parts.entry(folder.to_owned());
        let part = part.or_insert(Part { lines: 0, files: Vec::new() });
        part.lines += file.text.lines().count();
        part.files.push(name.to_owned());
    }
    parts
}

/// The trusted files by path.
fn reached(files: &[File]) -> BTreeMap<String, &File> {
    let sources: BTreeMap<&str, &File> = (files.iter())
        .filter(|file| file.crate_name().is_some_and(|name| CRATES.contains(&name)))
        .filter(|file| !file.path.ends_with("/tests.rs") && !file.path.contains("/tests/"))
        .map(|file| (file.path.as_str(), file))
        .collect();
    let modules: BTreeMap<&str, Module> =
        sources.iter().map(|(path, file)| (*path, Module::of(file, &sources))).collect();
    let is_root = |path: &&str| path.starts_with("crates/check/src/");
    let mut reached: BTreeSet<&str> = sources.keys().copied().filter(is_root).collect();
    loop {
        let before = reached.len();
        let types: BTreeSet<(&str, &str)> = (reached.iter())
            .flat_map(|path| modules[path].types.iter().map(|name| (crate_of(path), name.as_str())))
            .collect();
        let mut next: BTreeSet<&str> = reached.clone();
        for path in &reached {
            next.extend(
                modules[path]
                    .named
                    .iter()
                    .map(String::as_str)
                    .filter_map(|named| sources.get_key_value(named).map(|(path, _)| *path)),
            );
        }
        for (path, module) in &modules {
            let own = crate_of(path);
            if module.extends.iter().any(|name| types.contains(&(own, name.as_str()))) {
                next.insert(path);
            }
        }
        reached = next;
        if reached.len() == before {
            break;
        }
    }
    reached.into_iter().map(|path| (path.to_owned(), sources[path])).collect()
}

fn crate_of(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}

/// What a file says about others.
struct Module {
    /// The files it names.
    named: BTreeSet<String>,
    /// The types it defines.
    types: Vec<String>,
    /// The types it adds methods to.
    extends: Vec<String>,
}

impl Module {
    fn of(file: &File, sources: &BTreeMap<&str, &File>) -> Module {
        let code = split(&file.text).code.join("\n");
        // Tests at the end of a file are not part of what is trusted.
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let words = words(code);
        let mut module = Module { named: BTreeSet::new(), types: Vec::new(), extends: Vec::new() };
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1).map_or("", String::as_str);
            match word.as_str() {
                "struct" | "enum" | "trait" | "type" => module.types.push(next.to_owned()),
                "mod" => {
                    // A macro has no path, and is everywhere below where it stands.
                    let child = format!("{}/{next}.rs", folder_of(&file.path));
                    let is_macro = |file: &&File| file.text.contains("macro_rules!");
                    if sources.get(child.as_str()).copied().is_some_and(|file| is_macro(&file)) {
                        module.named.insert(child);
                    }
                }
                "impl" => module.extends.extend(implemented(&words[at + 1..])),
                "use" if at > 0 && words[at - 1] == "pub" && next != "crate" => {
                    // What a root hands on, by the paths of its own modules.
                    paths(
                        &file.path,
                        &folder_of(&file.path),
                        &words[at + 1..],
                        sources,
                        &mut module,
                    );
                }
                root if next == "::" => {
                    let preceded = at > 0 && words[at - 1] == "::";
                    if let Some(folder) = base(&file.path, root).filter(|_| !preceded) {
                        paths(&file.path, &folder, &words[at + 2..], sources, &mut module);
                    }
                }
                _ => {}
            }
        }
        module
    }
}

/// The names between `impl` and its body.
fn implemented(words: &[String]) -> Vec<String> {
    let head = words.iter().take_while(|word| *word != "{" && *word != "where");
    head.filter(|word| word.starts_with(char::is_uppercase)).cloned().collect()
}

/// The folder that paths beginning with `root` are in; none for other words.
fn base(path: &str, root: &str) -> Option<String> {
    let own = folder_of(path);
    match root {
        "alphorn_term" | "alphorn_problem" | "alphorn_check" => {
            Some(format!("crates/{}/src", &root["alphorn_".len()..]))
        }
        "crate" => Some(format!("crates/{}/src", crate_of(path))),
        "self" => Some(own),
        "super" => own.rsplit_once('/').map(|(above, _)| above.to_owned()),
        _ => None,
    }
}

/// The folder of a file's submodules.
fn folder_of(path: &str) -> String {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let stem = stem.strip_suffix("/mod").or_else(|| stem.strip_suffix("/lib")).unwrap_or(stem);
    stem.to_owned()
}

/// Adds the files that a tree of paths names, from `folder` on.
fn paths(
    own: &str,
    folder: &str,
    words: &[String],
    sources: &BTreeMap<&str, &File>,
    module: &mut Module,
) {
    let mut add = |folder: &str| {
        for file in [format!("{folder}.rs"), format!("{folder}/mod.rs"), format!("{folder}/lib.rs")]
        {
            if sources.contains_key(file.as_str()) && file != own {
                module.named.insert(file);
            }
        }
    };
    add(folder);
    let mut stack = vec![folder.to_owned()];
    let mut here = folder.to_owned();
    for word in words {
        match word.as_str() {
            "::" => {}
            "{" => stack.push(here.clone()),
            "}" => {
                stack.pop();
                if stack.len() <= 1 {
                    return;
                }
            }
            "," => match stack.last() {
                Some(outer) if stack.len() > 1 => here = outer.clone(),
                _ => return,
            },
            "super" => here = here.rsplit_once('/').map_or(String::new(), |(up, _)| up.to_owned()),
            "self" | "*" => {}
            name if name.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                here = format!("{here}/{name}");
                add(&here);
            }
            _ => return,
        }
    }
}

/// Code as words, path separators and other signs.
fn words(code: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            let mut word = String::from(c);
            while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                word.push(c);
            }
            words.push(word);
        } else if c == ':' && chars.next_if_eq(&':').is_some() {
            words.push("::".to_owned());
        } else if !c.is_whitespace() {
            words.push(c.to_string());
        }
    }
    words
}
