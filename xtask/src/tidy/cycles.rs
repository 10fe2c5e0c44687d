//! Modules of a crate that use each other in a circle.
//!
//! A module here is a file or a folder directly below a crate's `src`: what happens inside a folder is its own
//! business. Module A uses B where a file of A says `crate::B`, or `super::B` with as many `super`s as lead to
//! the root, or names something that the root takes from B (`use B::Item` in `lib.rs`). Tests do not count.
//! Modules that reach each other are one cycle: whoever wants to understand one of them must read them all.
//!
//! A cycle may have [`MAX_CYCLE`] modules. Crates that have larger ones are in a table, whose numbers only go
//! down.

use super::code::split;
use super::rules::{is_test, product_lines};
use super::{File, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// The most modules in one cycle.
const MAX_CYCLE: usize = 3;

/// Crates with larger cycles, and how many modules those may have for now.
const LARGER: &[(&str, usize)] = &[];

/// Modules with what they use.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The cycles of every crate, the largest first.
pub fn cycles(files: &[File]) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut crates: BTreeMap<String, Vec<&File>> = BTreeMap::new();
    for file in files {
        if let Some(name) = file.crate_name().filter(|_| !is_test(&file.path)) {
            crates.entry(name.to_owned()).or_default().push(file);
        }
    }
    crates.into_iter().map(|(name, files)| (name, components(&uses(&files)))).collect()
}

/// Reports cycles that are larger than the table allows.
pub fn check(files: &[File], violations: &mut Vec<Violation>) {
    for (name, cycles) in cycles(files) {
        let limit = limit(&name);
        if let Some(cycle) = cycles.first().filter(|cycle| cycle.len() > limit) {
            let root = if name == "xtask" { "xtask/src" } else { &format!("crates/{name}/src") };
            let sentence = format!(
                "{} modules use each other in a circle, and {limit} may: {}",
                cycle.len(),
                cycle.join(", ")
            );
            violations.push(Violation::new(root, 1, sentence));
        }
    }
}

/// The cycles of all crates in words, a line each.
pub fn report(files: &[File]) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, cycles) in cycles(files) {
        let largest = cycles.first().map_or(1, Vec::len).max(MAX_CYCLE);
        if largest < limit(&name) {
            lines.push(format!("{name}: the limit of {} can become {largest}", limit(&name)));
        }
        for cycle in cycles {
            lines.push(format!("{name}: {} modules: {}", cycle.len(), cycle.join(", ")));
        }
    }
    lines
}

fn limit(name: &str) -> usize {
    LARGER.iter().find(|(of, _)| *of == name).map_or(MAX_CYCLE, |(_, limit)| *limit)
}

/// The modules on the way from a crate's root to a file; none for the root itself.
fn modules(path: &str) -> Vec<&str> {
    let inner = path.split_once("src/").map_or(path, |(_, inner)| inner);
    let inner = inner.strip_suffix(".rs").unwrap_or(inner);
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    let is_root = ["lib", "main"].contains(&inner) || inner.starts_with("bin/");
    if is_root { Vec::new() } else { inner.split('/').collect() }
}

/// What the modules of a crate use.
fn uses(files: &[&File]) -> Uses {
    let mut uses = Uses::new();
    let mut taken = BTreeMap::new();
    for file in files {
        match modules(&file.path).first() {
            Some(module) => _ = uses.entry((*module).to_owned()).or_default(),
            None => taken.extend(taken_by_root(&code(file))),
        }
    }
    for file in files {
        let path = modules(&file.path);
        let Some(own) = path.first() else { continue };
        for name in named_at_root(&code(file), path.len()) {
            let module = if uses.contains_key(&name) { Some(&name) } else { taken.get(&name) };
            if let Some(module) =
                module.filter(|module| module != own && uses.contains_key(*module))
            {
                let module = module.clone();
                uses.entry((*own).to_owned()).or_default().insert(module);
            }
        }
    }
    uses
}

/// The code of a file without its tests, in one line.
fn code(file: &File) -> String {
    product_lines(split(&file.text).code).into_iter().map(|(_, line)| line + " ").collect()
}

/// Which module an item comes from that the root takes over.
fn taken_by_root(code: &str) -> BTreeMap<String, String> {
    let mut taken = BTreeMap::new();
    for statement in code.split(';') {
        let Some((_, path)) = statement.rsplit_once("use ") else { continue };
        let path = path.trim().trim_start_matches("crate::").trim_start_matches("self::");
        let Some((module, items)) = path.split_once("::") else { continue };
        for item in items.split(|c: char| !c.is_alphanumeric() && c != '_') {
            taken.insert(item.to_owned(), module.trim().to_owned());
        }
    }
    taken
}

/// The first names of paths that start at the root, in a file so many modules below it.
fn named_at_root(code: &str, depth: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let supers = "super::".repeat(depth);
    for start in ["crate::", &supers] {
        for (at, _) in code.match_indices(start) {
            // More or fewer steps up lead elsewhere, and longer words are other words.
            let before = &code[..at];
            let is_word =
                before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
            if !is_word && !before.ends_with("super::") {
                names.extend(heads(&code[at + start.len()..]));
            }
        }
    }
    names.remove("super");
    names
}

/// The first names of what a path goes on with: one, or those of a group in braces.
fn heads(rest: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = rest.trim_start().strip_prefix('{') else { return vec![word(rest)] };
    let mut depth = 0;
    let mut names = vec![word(group)];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(word(&group[at + 1..])),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The sets of modules that reach each other, the largest first.
fn components(uses: &Uses) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|module| (module, reached(uses, module))).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (module, all) in &reach {
        let is_known = found.iter().flatten().any(|known| known == *module);
        if all.contains(module) && !is_known {
            let inside = all.iter().filter(|other| reach[**other].contains(module));
            found.push(inside.map(|other| (*other).clone()).collect());
        }
    }
    found.sort_by_key(|cycle| std::cmp::Reverse(cycle.len()));
    found
}

/// The modules that a module uses, directly or not.
fn reached<'a>(uses: &'a Uses, module: &str) -> BTreeSet<&'a String> {
    let mut all = BTreeSet::new();
    let mut next: Vec<&String> = uses[module].iter().collect();
    while let Some(module) = next.pop() {
        if all.insert(module) {
            next.extend(&uses[module]);
        }
    }
    all
}
