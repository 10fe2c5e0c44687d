//! A derivation on a page: its steps in order with their clauses, and a drawing.
//!
//! A step stands after those it follows from, as in the file of evidence, and says by number which they
//! are. Where a loop goes round many times its rounds are folded, and the first and the last stay. In
//! the drawing the query is at the top, and every step one row below the lowest step that uses it.

use super::layered::{self, Line, Sizes};
use super::{ClauseText, escape};
use alphorn_front::evidence::TreeLine;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Longer derivations are shown up to here; the file of evidence has all of them.
const MAX_ROWS: usize = 2000;
/// Larger derivations are not drawn.
const MAX_DRAWN: usize = 150;
/// Wider rows are not drawn: nobody could read them.
const WIDEST: usize = 12;
/// The most characters of a fact in the drawing.
const LABEL: usize = 24;
/// The most clauses in a round of a loop that is noticed.
const LONGEST_ROUND: usize = 6;
/// How often a round must come to be folded, and how many steps that must be in all.
const LEAST_ROUNDS: usize = 4;
const LEAST_STEPS: usize = 16;
/// The most characters of a clause beside a step.
const LONGEST_CLAUSE: usize = 600;
/// The sizes of the drawing.
const SIZES: Sizes = Sizes { node: (190.0, 26.0), gap: 18.0, step: 58.0 };

/// A step of a derivation.
#[derive(Clone, Debug)]
pub struct Step {
    /// The step in words.
    pub line: TreeLine,
    /// The clause, by position.
    pub clause: u32,
    /// The arguments of what it concludes, by name: `n = 3`.
    pub arguments: Vec<String>,
}

/// Part of a list of steps: the rounds of a loop but the first and the last, or other steps.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    first: usize,
    end: usize,
    /// How many steps a round has; 0 if this is no loop.
    round: usize,
}

/// Cuts the steps into parts, in order.
fn parts(steps: &[Step]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut at, mut open) = (0, 0);
    while at < steps.len() {
        let Some((round, end)) = (1..=LONGEST_ROUND).find_map(|round| {
            let end = repeats(steps, at, round);
            (end - at >= LEAST_STEPS.max(round * LEAST_ROUNDS)).then_some((round, end))
        }) else {
            at += 1;
            continue;
        };
        // Whole rounds, without the first and the last.
        let end = at + (end - at) / round * round;
        parts.push(Part { first: open, end: at + round, round: 0 });
        parts.push(Part { first: at + round, end: end - round, round });
        (open, at) = (end - round, end);
    }
    parts.push(Part { first: open, end: steps.len(), round: 0 });
    parts.retain(|part| part.first < part.end);
    parts
}

/// Where the steps from `at` on stop to repeat their first `round` clauses, each following from the one
/// before.
fn repeats(steps: &[Step], at: usize, round: usize) -> usize {
    let goes_on = |&step: &usize| {
        let follows = step == at || steps[step].line.premises.contains(&(step - 1));
        let is_plain = steps[step].line.rounds.is_none();
        is_plain
            && follows
            && (step < at + round || steps[step].clause == steps[step - round].clause)
    };
    (at..steps.len()).take_while(goes_on).last().map_or(at, |last| last + 1)
}

/// The steps as a list. `prefix` goes before the names of places in the page.
pub(super) fn list(steps: &[Step], clauses: &BTreeMap<u32, &ClauseText>, prefix: &str) -> String {
    let mut out = String::from("<div class=\"steps\">");
    let mut writer = Writer { steps, clauses, prefix, last: None, left: MAX_ROWS };
    for part in parts(steps) {
        if part.round == 0 {
            writer.rows(&mut out, part.first, part.end);
            continue;
        }
        let rounds = (part.end - part.first) / part.round;
        let of = match part.round {
            1 => "the step before".to_owned(),
            round => format!("the {round} steps before"),
        };
        let _ = write!(
            out,
            "<details class=\"rounds\"><summary>steps {} to {}: {of}, {rounds} more times\
             <span class=\"faint\">{}</span></summary>",
            part.first + 1,
            part.end,
            escape(&change(&steps[part.first..part.end], part.round))
        );
        writer.rows(&mut out, part.first, part.end);
        out.push_str("</details>");
    }
    out.push_str("</div>");
    out
}

/// How the arguments change in a loop, from its first round to its last: `n = 2 … 99`.
fn change(steps: &[Step], round: usize) -> String {
    let (Some(first), Some(last)) = (steps.get(round - 1), steps.last()) else {
        return String::new();
    };
    let pairs = first.arguments.iter().zip(&last.arguments).filter(|(one, other)| one != other);
    let value = |text: &str| text.split_once(" = ").map_or(String::new(), |(_, v)| v.to_owned());
    let words: Vec<String> =
        pairs.map(|(one, other)| format!("{one} … {}", value(other))).take(6).collect();
    if words.is_empty() { String::new() } else { format!(" · {}", words.join(", ")) }
}

struct Writer<'a> {
    steps: &'a [Step],
    clauses: &'a BTreeMap<u32, &'a ClauseText>,
    prefix: &'a str,
    /// The clause whose text was shown last.
    last: Option<u32>,
    /// How many rows may still be shown.
    left: usize,
}

impl Writer<'_> {
    /// The rows of some steps; of too many the first and the last.
    fn rows(&mut self, out: &mut String, first: usize, end: usize) {
        let shown = (end - first).min(self.left.max(2));
        self.left = self.left.saturating_sub(shown);
        let (head, tail) = (first + shown.div_ceil(2), end - shown / 2);
        (first..head).for_each(|step| self.row(out, step));
        if head < tail {
            let _ = write!(
                out,
                "<p class=\"faint\">Steps {} to {tail} are in the file of evidence.</p>",
                head + 1
            );
        }
        (tail..end).for_each(|step| self.row(out, step));
    }

    fn row(&mut self, out: &mut String, step: usize) {
        let Step { line, clause, arguments } = &self.steps[step];
        let is_last = step + 1 == self.steps.len();
        let class = if is_last { "step query" } else { "step" };
        let prefix = self.prefix;
        let _ = write!(
            out,
            "<div class=\"{class}\" id=\"{prefix}s{number}\"><span class=\"faint\">{number}</span>\
             <div><code>{}</code>",
            escape(&line.fact),
            number = step + 1
        );
        let mut facts: Vec<String> = Vec::new();
        if line.changes.is_none() && !arguments.is_empty() {
            facts.push(arguments.join(", "));
        }
        match &line.changes {
            Some(changes) if changes.is_empty() => facts.push("nothing changes".to_owned()),
            Some(changes) => facts.push(format!("changes {}", changes.join(", "))),
            None => {}
        }
        if !line.values.is_empty() {
            facts.push(format!("with {}", line.values.join(", ")));
        }
        if !facts.is_empty() {
            let _ = write!(out, "<div class=\"faint\">{}</div>", escape(&facts.join("; ")));
        }
        out.push_str("</div><div>");
        let from: Vec<String> = (line.premises.iter())
            .map(|premise| format!("<a href=\"#{prefix}s{0}\">{0}</a>", premise + 1))
            .collect();
        if !from.is_empty() {
            let _ = write!(out, "from {} ", from.join(", "));
        }
        let _ = write!(out, "<span class=\"faint\">by {}</span>", escape(&line.applied()));
        if self.last != Some(*clause)
            && let Some(text) = self.clauses.get(clause)
        {
            let mut short: String = text.text.chars().take(LONGEST_CLAUSE).collect();
            if short.len() < text.text.len() {
                short.push('…');
            }
            let _ = write!(out, "<pre>{}</pre>", escape(&short));
            self.last = Some(*clause);
        }
        out.push_str("</div></div>");
    }
}

/// The drawing; nothing if it would be too large to be read, or a chain, which the list shows as well.
pub(super) fn drawing(steps: &[Step]) -> Option<String> {
    let is_chain = steps.iter().all(|step| step.line.premises.len() <= 1);
    if is_chain || steps.len() > MAX_DRAWN {
        return None;
    }
    let lines: Vec<Line> = (steps.iter().enumerate())
        .flat_map(|(upper, step)| {
            let mut premises = step.line.premises.clone();
            premises.sort_unstable();
            premises.dedup();
            premises.into_iter().map(move |lower| Line { upper, lower })
        })
        .collect();
    let layout = layered::layout(&rows(steps), &lines, SIZES);
    if layout.widest > WIDEST {
        return None;
    }
    let (width, height) = (layout.width, layout.height);
    let mut out = format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\" \
         aria-label=\"the derivation as a graph\">"
    );
    let (wide, high) = SIZES.node;
    for points in &layout.lines {
        let _ = write!(out, "<path class=\"edge\" d=\"{}\"/>", layered::path(points, high / 2.0));
    }
    for (at, step) in steps.iter().enumerate() {
        let (x, y) = layout.nodes[at];
        let class = if at + 1 == steps.len() { "node root" } else { "node" };
        let fact = format!("{}: {}", at + 1, step.line.fact);
        let label: String = match fact.chars().count() > LABEL {
            true => fact.chars().take(LABEL - 1).chain(['…']).collect(),
            false => fact,
        };
        let _ = write!(
            out,
            "<g><title>{}\n{}</title><rect class=\"{class}\" x=\"{:.0}\" y=\"{:.0}\" \
             width=\"{wide}\" height=\"{high}\" rx=\"5\"/>\
             <text class=\"mono\" x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text></g>",
            escape(&step.line.fact),
            escape(&step.line.clause),
            x - wide / 2.0,
            y - high / 2.0,
            y + 4.0,
            escape(&label)
        );
    }
    Some(out + "</svg>")
}

/// The row of each step: below every step that uses it.
fn rows(steps: &[Step]) -> Vec<usize> {
    let mut rows = vec![0usize; steps.len()];
    // Premises come before the steps that use them.
    for (at, step) in steps.iter().enumerate().rev() {
        for &premise in &step.line.premises {
            rows[premise] = rows[premise].max(rows[at] + 1);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(clauses: &[u32]) -> Vec<Step> {
        let step = |(at, &clause): (usize, &u32)| Step {
            line: TreeLine {
                step: at,
                fact: format!("(P {at})"),
                clause: format!("clause {clause}"),
                values: Vec::new(),
                changes: None,
                premises: at.checked_sub(1).into_iter().collect(),
                rounds: None,
            },
            clause,
            arguments: vec![format!("n = {at}")],
        };
        clauses.iter().enumerate().map(step).collect()
    }

    #[test]
    fn rounds_of_a_loop_are_folded_between_its_first_and_last() {
        let mut clauses = vec![0];
        clauses.extend([1, 2].repeat(10));
        clauses.push(3);
        let part = |first, end, round| Part { first, end, round };
        let steps = chain(&clauses);
        assert_eq!(parts(&steps), [part(0, 3, 0), part(3, 19, 2), part(19, 22, 0)]);
        let text = list(&steps, &BTreeMap::new(), "");
        assert!(text.contains("steps 4 to 19: the 2 steps before, 8 more times"), "{text}");
        assert!(text.contains("n = 4 … 18"), "{text}");
        assert_eq!(text.matches("class=\"step").count(), 23, "all steps, and the list");
        let numbers: Vec<usize> = (1..=22)
            .map(|n| text.find(&format!("id=\"s{n}\"")))
            .map(|at| at.expect("there"))
            .collect();
        assert!(numbers.is_sorted(), "in forward order");
    }

    #[test]
    fn short_loops_stay() {
        let steps = chain(&[0, 1, 1, 1, 2]);
        assert_eq!(parts(&steps), [Part { first: 0, end: 5, round: 0 }]);
        assert!(drawing(&steps).is_none(), "a chain needs no drawing");
    }
}
