//! A flow on a page: its graph, with ranks or the way into a recurrence on it, and what is said in tables.
//!
//! Transitions that a level of ranks removes have that level's colour; those that lie on no cycle after it are
//! faint. Of a run that goes on for ever, the way into the sets is red and what follows has the colour of
//! loops. Lines up are lines to earlier rows; what a transition does stands below the drawing, by its number.

use super::layered::{self, Line, Sizes};
use super::{Section, escape, palette};
use alphorn_front::evidence::{Told, ToldChoice, ToldLabel, ToldLevel, ToldState, Why};
use std::fmt::Write;

/// More locations are not drawn: nobody could read them.
const MAX_LOCATIONS: usize = 60;
/// More transitions are not drawn either.
const MAX_TRANSITIONS: usize = 120;
/// The most characters of a line in a box.
const LABEL: usize = 20;
/// The most characters of a transition's relation that are shown.
const LONGEST_RELATION: usize = 4_000;
/// The most states of a path that are shown.
const MAX_STATES: usize = 200;
/// Between lines that join the same boxes.
const APART: f64 = 14.0;

/// How a transition is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// Like any other.
    Plain,
    /// It says nothing here.
    Faint,
    /// Removed by a level of ranks.
    Removed(usize),
    /// On the way into a recurrence.
    Path,
    /// Taken for ever.
    Forever,
}

impl Mark {
    /// The classes of the line and of its head.
    fn classes(self) -> (String, String) {
        let both = |line: &str, head: &str| (line.to_owned(), head.to_owned());
        match self {
            Mark::Plain => both("edge", "ink"),
            Mark::Faint => both("edge covered", "ink covered"),
            Mark::Removed(level) => {
                let class = palette::class(level);
                (format!("series {class}"), format!("fill c{}", level % palette::LIGHT.len()))
            }
            Mark::Path => both("way", "way-head"),
            Mark::Forever => both("loop-line", "loop-head"),
        }
    }
}

/// All about the infinite runs of a flow.
pub(super) fn flow(out: &mut String, section: &Section) {
    let Some(told) = &section.flow else { return };
    let title = match &told.why {
        Why::Levels { .. } | Why::Union { .. } => "Why every run ends",
        Why::Recurrence { .. } => "How a run goes on for ever",
        Why::Labels { first: None, .. } => "Why the formula holds",
        Why::Labels { first: Some(_), .. } => "Why the formula fails",
    };
    let _ = write!(out, "<section><h2>{title}</h2>");
    let marks = marks(told);
    if let Some(drawing) = drawing(told, &marks) {
        let _ = write!(out, "<div class=\"scroll\">{drawing}</div>");
    }
    match &told.why {
        Why::Levels { invariants, levels } => {
            for (position, level) in levels.iter().enumerate() {
                rank(out, told, position, level);
            }
            sets(out, told, "Always", invariants);
        }
        Why::Union { invariants, cuts, functions } => {
            let cuts: Vec<String> = cuts.iter().map(|&cut| told.location(cut)).collect();
            let _ = write!(
                out,
                "<p>Each time that a run is back at <code>{}</code>, one of these was not negative and \
                 is less:</p><pre>",
                escape(&cuts.join(", "))
            );
            for (function, least) in functions {
                let _ = writeln!(out, "{}  (by {})", escape(function), escape(least));
            }
            out.push_str("</pre>");
            sets(out, told, "Always", invariants);
        }
        Why::Recurrence { path, sets: all, choices } => {
            states(out, told, path);
            sets(out, told, "For ever in", all);
            taken(out, told, choices);
        }
        Why::Labels { first, labels } => {
            states(out, told, first.as_slice());
            for (position, label) in labels.iter().enumerate().rev() {
                of_formula(out, told, position, label);
            }
        }
    }
    relations(out, told, &marks);
    out.push_str("</section>\n");
}

/// How each transition is drawn.
fn marks(told: &Told) -> Vec<Mark> {
    let mut marks = vec![Mark::Plain; told.transitions.len()];
    match &told.why {
        Why::Levels { levels, .. } => {
            marks.fill(Mark::Faint);
            for (position, level) in levels.iter().enumerate() {
                level
                    .removed
                    .iter()
                    .for_each(|edge| marks[edge.transition] = Mark::Removed(position));
            }
        }
        Why::Recurrence { path, choices, .. } => {
            marks.fill(Mark::Faint);
            path.iter().filter_map(|state| state.by).for_each(|by| marks[by] = Mark::Path);
            choices.iter().for_each(|choice| marks[choice.transition] = Mark::Forever);
        }
        Why::Union { .. } | Why::Labels { .. } => {}
    }
    marks
}

/// The row of each location: below all that lead to it but by a way back.
fn rows(told: &Told) -> Vec<usize> {
    let count = told.locations.len();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    for step in &told.transitions {
        after[step.from].push(step.to);
    }
    // Locations as they are left, deepest first; lines to one that is not left yet lead back.
    let (mut entered, mut left) = (vec![false; count], vec![false; count]);
    let mut order = Vec::with_capacity(count);
    let mut downward: Vec<(usize, usize)> = Vec::new();
    for root in told.starts.iter().copied().chain(0..count) {
        if std::mem::replace(&mut entered[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.pop() {
            let Some(&to) = after[at].get(next) else {
                left[at] = true;
                order.push(at);
                continue;
            };
            stack.push((at, next + 1));
            if !entered[to] {
                entered[to] = true;
                downward.push((at, to));
                stack.push((to, 0));
            } else if left[to] {
                downward.push((at, to));
            }
        }
    }
    let mut rows = vec![0; count];
    for &at in order.iter().rev() {
        for &(_, to) in downward.iter().filter(|(from, _)| *from == at) {
            rows[to] = rows[to].max(rows[at] + 1);
        }
    }
    rows
}

fn short(text: &str) -> String {
    match text.chars().count() > LABEL {
        true => text.chars().take(LABEL - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// What stands in a location's box below its name: its rank on the first level.
fn beside(told: &Told, at: usize) -> Option<String> {
    match &told.why {
        Why::Levels { levels, .. } => {
            let parts: Vec<&str> =
                levels.iter().map(|level| level.functions[0][at].as_str()).collect();
            match parts.is_empty() {
                true => None,
                false => Some(parts.join(" · ")),
            }
        }
        Why::Recurrence { sets, .. } => sets[at].clone(),
        Why::Union { .. } | Why::Labels { .. } => None,
    }
}

/// The graph; nothing if it would be too large to be read.
fn drawing(told: &Told, marks: &[Mark]) -> Option<String> {
    let count = told.locations.len();
    if count == 0 || count > MAX_LOCATIONS || told.transitions.len() > MAX_TRANSITIONS {
        return None;
    }
    let has_text = (0..count).any(|at| beside(told, at).is_some());
    let loops =
        (0..count).map(|at| told.transitions.iter().filter(|t| t.from == at && t.to == at).count());
    let loops = loops.max().unwrap_or(0);
    let height = if has_text { 40.0 } else { 26.0 };
    let gap = 24.0 + 2.0 * (loops as f64) * 20.0;
    let sizes = Sizes { node: (150.0, height), gap, step: height + 44.0 };
    let rows = rows(told);
    // All lines but those from a location to itself, by transition.
    let mut lines: Vec<(usize, Line)> = Vec::new();
    for (at, step) in told.transitions.iter().enumerate() {
        match rows[step.from].cmp(&rows[step.to]) {
            std::cmp::Ordering::Less => lines.push((at, Line { upper: step.from, lower: step.to })),
            std::cmp::Ordering::Greater => {
                lines.push((at, Line { upper: step.to, lower: step.from }));
            }
            std::cmp::Ordering::Equal => {}
        }
    }
    let plain: Vec<Line> = lines.iter().map(|(_, line)| *line).collect();
    let layout = layered::layout(&rows, &plain, sizes);
    let (width, whole) = (layout.width, layout.height + 4.0);
    let mut out = format!(
        "<svg viewBox=\"0 0 {width:.0} {whole:.0}\" width=\"{width:.0}\" role=\"img\" \
         aria-label=\"the flow as a graph\">"
    );
    for (position, (transition, line)) in lines.iter().enumerate() {
        let alike = |(other, (_, one)): &(usize, &(usize, Line))| {
            (one.upper, one.lower) == (line.upper, line.lower) && *other < position
        };
        let before = lines.iter().enumerate().filter(alike).count();
        let all = plain.iter().filter(|one| *one == line).count();
        let off = (before as f64 - (all as f64 - 1.0) / 2.0) * APART;
        let mut points = layout.lines[position].clone();
        points.iter_mut().for_each(|point| point.0 += off);
        let is_down = told.transitions[*transition].from == line.upper;
        edge(&mut out, *transition, marks[*transition], &points, height / 2.0, is_down);
    }
    for (at, &(x, y)) in layout.nodes.iter().enumerate() {
        let own = told.transitions.iter().enumerate().filter(|(_, t)| t.from == at && t.to == at);
        for (turn, (transition, _)) in own.enumerate() {
            round(&mut out, transition, marks[transition], (x + sizes.node.0 / 2.0, y), turn);
        }
        node(&mut out, told, at, (x, y), sizes.node);
    }
    Some(out + "</svg>")
}

/// A line between two locations, its head at the lower end or at the upper one, and its number.
fn edge(
    out: &mut String,
    transition: usize,
    mark: Mark,
    points: &[(f64, f64)],
    half: f64,
    is_down: bool,
) {
    let (line, head) = mark.classes();
    let _ = write!(out, "<path class=\"{line}\" d=\"{}\"/>", layered::path(points, half));
    let (Some(&(x, y)), Some(&(u, v))) = (points.first(), points.last()) else { return };
    let (tip, back, end) =
        if is_down { (v - half, v - half - 7.0, u) } else { (y + half, y + half + 7.0, x) };
    let _ = write!(
        out,
        "<path class=\"{head}\" d=\"M{end:.0} {tip:.0}L{:.0} {back:.0}H{:.0}Z\"/>",
        end - 4.0,
        end + 4.0
    );
    // The number stands where the line begins.
    let (at, above) = if is_down { (x, y + half + 14.0) } else { (u, v - half - 7.0) };
    number(out, transition, (at + 3.0, above));
}

/// A line from a location to itself.
fn round(out: &mut String, transition: usize, mark: Mark, (x, y): (f64, f64), turn: usize) {
    let (line, head) = mark.classes();
    let wide = 26.0 + 20.0 * turn as f64;
    let high = 7.0 + 3.0 * turn as f64;
    let (top, low) = (y - high, y + high);
    let _ = write!(
        out,
        "<path class=\"{line}\" d=\"M{x:.0} {top:.0}C{:.0} {:.0} {:.0} {:.0} {x:.0} {low:.0}\"/>\
         <path class=\"{head}\" d=\"M{x:.0} {low:.0}l7 -5v8Z\"/>",
        x + wide,
        top - 8.0,
        x + wide,
        low + 8.0
    );
    number(out, transition, (x + wide * 0.76, y + 4.0));
}

fn number(out: &mut String, transition: usize, (x, y): (f64, f64)) {
    let _ = write!(out, "<text class=\"soft\" x=\"{x:.0}\" y=\"{y:.0}\">{transition}</text>");
}

fn node(out: &mut String, told: &Told, at: usize, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let is_forever = matches!(&told.why, Why::Recurrence { sets, .. } if sets[at].is_some());
    let class = match (is_forever, told.starts.contains(&at)) {
        (true, _) => "node loop",
        (false, true) => "node begin",
        (false, false) => "node",
    };
    let (name, below) = (&told.locations[at], beside(told, at));
    let whole = below.as_ref().map_or(String::new(), |text| format!(": {text}"));
    let _ = write!(
        out,
        "<g><title>{}{}</title><rect class=\"{class}\" x=\"{:.0}\" y=\"{:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" rx=\"5\"/>",
        escape(name),
        escape(&whole),
        x - width / 2.0,
        y - height / 2.0
    );
    let mut line = |text: &str, class: &str, at: f64| {
        let _ = write!(
            out,
            "<text class=\"{class}\" x=\"{x:.0}\" y=\"{at:.0}\" text-anchor=\"middle\">{}</text>",
            escape(&short(text))
        );
    };
    match below {
        Some(text) => {
            line(name, "mono", y - 4.0);
            line(&text, "mono soft", y + 12.0);
        }
        None => line(name, "mono", y + 4.0),
    }
    out.push_str("</g>");
}

/// A level: the numbers at the locations, and where they decrease.
fn rank(out: &mut String, told: &Told, position: usize, level: &ToldLevel) {
    let colour = position % palette::LIGHT.len();
    let removed = told.steps(&level.removed).join(", ");
    let _ = write!(
        out,
        "<h3><span class=\"swatch c{colour}\"></span>Rank {}</h3>\
         <p>On cycles that are left it never grows; it is not negative before, and less by {} after, {}.</p>",
        position + 1,
        escape(&level.least),
        escape(&removed)
    );
    for (depth, function) in level.functions.iter().enumerate() {
        if depth > 0 {
            out.push_str("<p class=\"faint\">nested: it may grow by what stands above</p>");
        }
        let numbers: Vec<Option<String>> = function.iter().cloned().map(Some).collect();
        places(out, told, &numbers);
    }
}

fn sets(out: &mut String, told: &Told, title: &str, sets: &[Option<String>]) {
    if sets.iter().any(Option::is_some) {
        let _ = write!(out, "<h3>{title}</h3>");
        places(out, told, sets);
    }
}

/// A text for each location.
fn places(out: &mut String, told: &Told, texts: &[Option<String>]) {
    out.push_str("<table class=\"places\">");
    for (at, text) in texts.iter().enumerate() {
        let Some(text) = text else { continue };
        let (name, text) = (escape(&told.location(at)), escape(text));
        let _ = write!(out, "<tr><td><code>{name}</code><td><code>{text}</code></tr>");
    }
    out.push_str("</table>");
}

/// The way into the sets.
fn states(out: &mut String, told: &Told, states: &[ToldState]) {
    if states.is_empty() {
        return;
    }
    out.push_str(
        "<h3>The run</h3><div class=\"scroll\"><table class=\"states\"><tr><th class=\"number\">step<th>at",
    );
    for variable in &told.variables {
        let _ = write!(out, "<th class=\"number\"><code>{}</code>", escape(variable));
    }
    out.push_str("</tr>");
    for (step, state) in states.iter().enumerate().take(MAX_STATES) {
        let name = escape(&told.location(state.at));
        let _ = write!(out, "<tr><td class=\"number\">{step}<td><code>{name}</code>");
        for value in &state.values {
            let _ = write!(out, "<td class=\"number\">{}", escape(value));
        }
        out.push_str("</tr>");
    }
    out.push_str("</table></div>");
    if states.len() > MAX_STATES {
        out.push_str("<p class=\"faint\">The rest is in the file of evidence.</p>");
    }
}

/// How to go on.
fn taken(out: &mut String, told: &Told, choices: &[ToldChoice]) {
    if choices.is_empty() {
        return;
    }
    out.push_str("<h3>Going on</h3><table class=\"places\">");
    for choice in choices {
        let changes: Vec<String> =
            choice.changes.iter().map(|(var, value)| format!("{var} := {value}")).collect();
        let changes =
            if changes.is_empty() { "nothing changes".into() } else { changes.join(", ") };
        let _ = write!(
            out,
            "<tr><td>if <code>{}</code><td>{}: <code>{}</code></tr>",
            escape(&choice.when),
            escape(&told.transitions[choice.transition].name),
            escape(&changes)
        );
    }
    out.push_str("</table>");
}

/// The label of a subformula.
fn of_formula(out: &mut String, told: &Told, position: usize, label: &ToldLabel) {
    let formula = escape(&label.formula);
    if label.is_said {
        let _ = write!(out, "<p><code>[{position}] {formula}</code></p>");
        return;
    }
    let _ = write!(out, "<details open><summary><code>[{position}] {formula}</code></summary>");
    match label.sets.iter().any(Option::is_some) {
        true => places(out, told, &label.sets),
        false => out.push_str("<p class=\"faint\">in no state</p>"),
    }
    taken(out, told, &label.choices);
    sets(out, told, "No step from", &label.stopped);
    for (at, level) in label.levels.iter().enumerate() {
        rank(out, told, at, level);
    }
    out.push_str("</details>");
}

/// What the transitions do.
fn relations(out: &mut String, told: &Told, marks: &[Mark]) {
    out.push_str("<details><summary class=\"faint\">transitions by number</summary>");
    for (at, (step, mark)) in told.transitions.iter().zip(marks).enumerate() {
        let swatch = match mark {
            Mark::Removed(level) => {
                format!("<span class=\"swatch c{}\"></span>", level % palette::LIGHT.len())
            }
            _ => String::new(),
        };
        let mut text: String = step.relation.chars().take(LONGEST_RELATION).collect();
        if text.len() < step.relation.len() {
            text.push('…');
        }
        let (from, to) = (told.location(step.from), told.location(step.to));
        let _ = write!(
            out,
            "<div class=\"clause\"><div class=\"faint\">{swatch}{at}: {} to {}</div><pre>{}</pre></div>",
            escape(&from),
            escape(&to),
            escape(&text)
        );
    }
    out.push_str("</details>");
}
