//! A derivation on a page: as a list that can be folded, and as a drawing.
//!
//! In the list a step's premises are inside it where there are several, and below it where there is
//! one: chains would otherwise run off the page. In the drawing the query is at the top and every
//! step one row below the lowest step that uses it.

use super::escape;
use alphorn_front::evidence::TreeLine;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Longer derivations are shown up to here; the file of evidence has all of them.
const MOST_ROWS: usize = 2000;
/// Larger derivations are not drawn.
const MOST_DRAWN: usize = 150;
/// Wider rows are not drawn: nobody could read them.
const WIDEST: usize = 12;
/// The most characters of a fact in the drawing.
const LABEL: usize = 26;

/// What is left to write of the list.
enum Task {
    /// A step; and whether it is the one premise of the step before it.
    Step(usize, bool),
    Text(&'static str),
}

/// The list.
pub(super) fn list(lines: &[TreeLine]) -> String {
    let Some(root) = lines.len().checked_sub(1) else { return String::new() };
    let mut out = String::from("<ul class=\"tree\">");
    let mut told = BTreeSet::new();
    let mut tasks = vec![Task::Text("</ul>"), Task::Step(root, false)];
    while let Some(task) = tasks.pop() {
        let (step, item) = match task {
            Task::Text(text) => {
                out.push_str(text);
                continue;
            }
            Task::Step(step, false) => (step, "<li>"),
            Task::Step(step, true) => (step, "<li class=\"from\">"),
        };
        if told.len() >= MOST_ROWS {
            continue;
        }
        let line = &lines[step];
        if !told.insert(step) {
            let fact = escape(&line.fact);
            let _ =
                write!(out, "<li><code>{fact}</code> <span class=\"faint\">see above</span></li>");
            continue;
        }
        match line.premises[..] {
            [] => {
                let _ = write!(out, "{item}{}</li>", words(line));
            }
            [only] => {
                let _ = write!(out, "{item}{}</li>", words(line));
                tasks.push(Task::Step(only, true));
            }
            _ => {
                let _ = write!(out, "{item}<details open><summary>{}</summary><ul>", words(line));
                tasks.push(Task::Text("</ul></details></li>"));
                let premises = line.premises.iter().rev();
                tasks.extend(premises.map(|&premise| Task::Step(premise, false)));
            }
        }
    }
    if told.len() < lines.len() && told.len() >= MOST_ROWS {
        let _ =
            write!(out, "<p class=\"faint\">{MOST_ROWS} of {} steps are shown.</p>", lines.len());
    }
    out
}

/// A step in words.
fn words(line: &TreeLine) -> String {
    let (fact, reason) = (escape(&line.fact), escape(&line.reason()));
    format!("<code>{fact}</code> <span class=\"faint\">{reason}</span>")
}

/// The drawing; nothing if it would be too large to be read.
pub(super) fn drawing(lines: &[TreeLine]) -> Option<String> {
    if lines.is_empty() || lines.len() > MOST_DRAWN {
        return None;
    }
    let rows = rows(lines);
    let widest = rows.iter().map(Vec::len).max().filter(|&widest| widest <= WIDEST)?;
    let (cell, step, height) = (210.0, 52.0, 26.0);
    let width = cell * widest as f64;
    let mut place = vec![(0.0, 0.0); lines.len()];
    for (row, members) in rows.iter().enumerate() {
        let left = (width - cell * members.len() as f64) / 2.0;
        for (column, &member) in members.iter().enumerate() {
            place[member] = (left + cell * (column as f64 + 0.5), 18.0 + step * row as f64);
        }
    }
    let total = step * rows.len() as f64;
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {total}\" width=\"{width}\" role=\"img\" \
         aria-label=\"the derivation as a graph\">"
    );
    for line in lines {
        let (x, y) = place[line.step];
        for &premise in &line.premises {
            let (u, v) = place[premise];
            let middle = (y + v) / 2.0;
            let (from, to) = (y + height / 2.0, v - height / 2.0);
            let _ = write!(
                out,
                "<path class=\"edge\" d=\"M{x:.0} {from:.0}C{x:.0} {middle:.0} {u:.0} {middle:.0} \
                 {u:.0} {to:.0}\"/>"
            );
        }
    }
    for line in lines {
        let (x, y) = place[line.step];
        let class = if line.step + 1 == lines.len() { "node root" } else { "node" };
        let label: String = match line.fact.chars().count() > LABEL {
            true => line.fact.chars().take(LABEL - 1).chain(['…']).collect(),
            false => line.fact.clone(),
        };
        let _ = write!(
            out,
            "<g><title>{}\n{}</title><rect class=\"{class}\" x=\"{:.0}\" y=\"{:.0}\" \
             width=\"{}\" height=\"{height}\" rx=\"5\"/>\
             <text class=\"mono\" x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text></g>",
            escape(&line.fact),
            escape(&line.clause),
            x - cell / 2.0 + 8.0,
            y - height / 2.0,
            cell - 16.0,
            y + 4.0,
            escape(&label)
        );
    }
    Some(out + "</svg>")
}

/// The steps by row: each below every step that uses it.
fn rows(lines: &[TreeLine]) -> Vec<Vec<usize>> {
    let mut depth = vec![0usize; lines.len()];
    // Premises come before the steps that use them.
    for line in lines.iter().rev() {
        for &premise in &line.premises {
            depth[premise] = depth[premise].max(depth[line.step] + 1);
        }
    }
    let mut rows = vec![Vec::new(); depth.iter().max().map_or(0, |deepest| deepest + 1)];
    for line in lines.iter().rev() {
        rows[depth[line.step]].push(line.step);
    }
    rows
}
