//! What is known where nothing was decided: how far the engines came, what stopped them, what holds for
//! good, what does not, and what to try.

use super::{Section, escape};
use crate::answer::{Formula, Outcome};
use std::fmt::Write;

/// What is known without an answer; `prefix` goes before the names of places in the page.
pub(super) fn undecided(out: &mut String, section: &Section, prefix: &str) {
    let answer = &section.answer;
    if answer.verdict != Outcome::Unknown {
        return;
    }
    out.push_str("<section><h2>What was found out</h2>");
    if let Some(bound) = answer.bound {
        let _ = write!(out, "<p>There is no counterexample up to depth {bound}.</p>");
    }
    for why in &answer.why {
        let _ = write!(out, "<p>{}</p>", escape(why));
    }
    if !answer.hints.is_empty() {
        out.push_str("<h3>To try</h3><ul>");
        for hint in &answer.hints {
            let _ = write!(out, "<li>{}</li>", escape(hint));
        }
        out.push_str("</ul>");
    }
    if let Some(partial) = &answer.partial {
        formulas(out, section, prefix, "Holds for good", &partial.proved);
        formulas(out, section, prefix, "Held so far, but is not kept", &partial.candidates);
        if !partial.patterns.is_empty() {
            out.push_str("<h3>Grows without an end in sight</h3>");
            for pattern in &partial.patterns {
                let _ = write!(out, "<pre class=\"clause\">{}</pre>", escape(pattern));
            }
        }
    }
    out.push_str("</section>\n");
}

fn formulas(out: &mut String, section: &Section, prefix: &str, title: &str, formulas: &[Formula]) {
    if formulas.is_empty() {
        return;
    }
    // What holds for good fails nowhere.
    let fails = formulas.iter().any(|formula| !formula.clauses.is_empty());
    let _ = write!(
        out,
        "<h3>{title}</h3><div class=\"scroll\"><table><tr><th>predicate<th>formula{}<th>engine</tr>",
        if fails { "<th>fails at" } else { "" }
    );
    let clauses = section.clauses();
    for formula in formulas {
        let _ = write!(
            out,
            "<tr><td><code>{}</code><td><code>{}</code>",
            escape(&formula.predicate),
            escape(&formula.formula)
        );
        if fails {
            let place = |&id: &u64| match u32::try_from(id).ok().and_then(|id| clauses.get(&id)) {
                Some(clause) => {
                    format!("<a href=\"#{prefix}c{id}\">{}</a>", escape(&clause.title))
                }
                None => format!("clause {id}"),
            };
            let places: Vec<String> = formula.clauses.iter().map(place).collect();
            let _ = write!(out, "<td>{}", places.join(", "));
        }
        let _ = write!(out, "<td>{}</tr>", escape(&formula.engine));
    }
    out.push_str("</table></div>");
}
