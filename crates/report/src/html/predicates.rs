//! The clauses of a Horn system by the predicate they conclude, with the invariants beside them.

use super::{ClauseText, Section, escape};
use crate::answer::Outcome;
use std::fmt::Write;

/// The most characters of a clause that are shown.
const LONGEST_CLAUSE: usize = 20_000;
/// Clauses of more characters are folded.
const FOLDED: usize = 1200;

/// The predicates; `prefix` goes before the names of places in the page.
pub(super) fn predicates(out: &mut String, section: &Section, prefix: &str) {
    if section.predicates.is_empty() {
        return;
    }
    let is_safe = section.answer.verdict == Outcome::Safe;
    // A derivation shows its clauses itself.
    let (title, open) = match section.answer.verdict {
        Outcome::Safe => ("Clauses, and the invariant of each predicate", " open"),
        Outcome::Unsafe => ("All clauses, by the predicate that they conclude", ""),
        Outcome::Unknown => ("Clauses, by the predicate that they conclude", " open"),
    };
    let _ = write!(out, "<section><details{open}><summary><h2>{title}</h2></summary>");
    functions(out, section);
    for predicate in &section.predicates {
        let _ = write!(
            out,
            "<div class=\"{}\"><div><h3><code>{}</code></h3>",
            if is_safe { "pair" } else { "pair single" },
            escape(&predicate.name)
        );
        predicate.clauses.iter().for_each(|text| clause(out, text, prefix));
        if predicate.clauses.is_empty() {
            out.push_str("<div class=\"faint\">no clause concludes it</div>");
        }
        out.push_str("</div><div class=\"invariant\">");
        match &predicate.definition {
            Some(text) => {
                let _ = write!(out, "<h3>invariant</h3><pre>{}</pre>", escape(text));
            }
            None if is_safe => out.push_str("<h3>can never be</h3>"),
            None => {}
        }
        out.push_str("</div></div>");
    }
    out.push_str("</details></section>\n");
}

/// The functions that the invariants use.
fn functions(out: &mut String, section: &Section) {
    if section.functions.is_empty() {
        return;
    }
    out.push_str("<div class=\"pair single\"><div><h3>The invariants use these functions</h3>");
    for function in &section.functions {
        let _ = write!(out, "<pre>{}</pre>", escape(function));
    }
    out.push_str("</div></div>");
}

fn clause(out: &mut String, clause: &ClauseText, prefix: &str) {
    let used = if clause.is_used { " used" } else { "" };
    let mut text: String = clause.text.chars().take(LONGEST_CLAUSE).collect();
    if text.len() < clause.text.len() {
        text.push('…');
    }
    let (title, text, id) = (escape(&clause.title), escape(&text), clause.id);
    let lines = clause.text.lines().count();
    let _ = match clause.text.len() > FOLDED && lines > 1 {
        true => write!(
            out,
            "<details class=\"clause{used}\" id=\"{prefix}c{id}\"><summary class=\"faint\">{title}, {lines} \
             lines</summary><pre>{text}</pre></details>"
        ),
        false => write!(
            out,
            "<div class=\"clause{used}\" id=\"{prefix}c{id}\"><div class=\"faint\">{title}</div>\
             <pre>{text}</pre></div>"
        ),
    };
}
