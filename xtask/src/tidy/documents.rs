//! Documents name files that exist.
//!
//! In a document at the root, a path in backticks that begins with a folder of the repository must
//! lead somewhere, unless it has a part left open (`<name>`, `*`) or git ignores it. A document
//! that speaks of what was moved or removed is worse than none. Links lead to files, too, and the documents of the
//! site are all in its table of contents.

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

/// The documents that become the site, and its table of contents.
const DOCS: &str = "docs/";
pub const SUMMARY: &str = "docs/SUMMARY.md";

/// Whether a link of a page of the site leads to what is no part of it.
fn leaves(page: &str, link: &str) -> bool {
    let inside = page.matches('/').count() - DOCS.matches('/').count();
    link.split('/').take_while(|part| *part == "..").count() > inside
}

/// Links and inclusions of documents lead to files, and every document of the site is in its table of contents.
pub fn check_links(root: &Path, file: &File, summary: &str, violations: &mut Vec<Violation>) {
    let is_page = file.path.starts_with(DOCS) && file.path.ends_with(".md");
    if !is_page && (!file.path.ends_with(".md") || file.path.contains('/')) {
        return;
    }
    let here = root.join(&file.path);
    let folder = here.parent().unwrap_or(root);
    for (text, line) in file.text.lines().zip(1..) {
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let included = text.split("{{#include ").skip(1).filter_map(|rest| rest.split('}').next());
        // Formulas have brackets and parentheses, too.
        let is_file = |path: &&str| path.contains('.') && !path.contains([' ', ':', ',']);
        for path in links.chain(included).filter(is_file) {
            if !folder.join(path).exists() {
                let sentence = format!("the link to {path} leads nowhere");
                violations.push(Violation::new(&file.path, line, sentence));
            } else if is_page && text.contains(&format!("]({path}")) && leaves(&file.path, path) {
                let sentence = format!("the link to {path} leads out of the site; say `{path}`");
                violations.push(Violation::new(&file.path, line, sentence));
            }
        }
    }
    let name = file.path.strip_prefix(DOCS).unwrap_or_default();
    if is_page && file.path != SUMMARY && !summary.contains(&format!("]({name})")) {
        let sentence = format!("the document is not in {SUMMARY}");
        violations.push(Violation::new(&file.path, 1, sentence));
    }
}
