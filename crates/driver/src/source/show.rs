//! The source as people see it: with invariants where they hold, or with the values of a run beside the
//! lines that it passes.

use super::annotate::{Annotation, Kind, annotations};
use super::lines::Lines;
use super::story::{Story, story};
use super::{about, lanes, proof_of, run_of};
use crate::evidence::AnyEvidence;
use crate::open::Opened;
use alphorn_front::c::print::Style;
use alphorn_program::c::evidence::ProgramProof;
use alphorn_program::c::property::Task;
use alphorn_report::html::{Lanes, SourceKind, SourceLine};
use alphorn_report::printable;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many lines of a run are shown unless all are wanted.
const MAX_SHOWN: usize = 60;
const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

/// The source with what the evidence says about it; nothing if it is not about a program.
pub fn show(opened: &Opened, evidence: &AnyEvidence, is_all: bool, colour: bool) -> Option<String> {
    let source = &opened.bytes[..];
    let paint = Paint { colour };
    let mut text = printed(&source_lines(opened, evidence), &paint);
    about(evidence)?;
    if let Some((task, run)) = run_of(evidence) {
        let story = story(&task, run, source);
        text.push('\n');
        text.push_str(&steps(source, &story, is_all));
        let (line, column) = Lines::of(source).place(run.violation.span.start);
        let property = run.violation.property.name();
        let words = format!("  line {line}, column {column}: {property} is violated");
        let _ = writeln!(text, "{}", paint.with(RED, &words));
    }
    Some(text)
}

struct Paint {
    colour: bool,
}

impl Paint {
    /// A line of the file, or of ours, in a colour.
    fn with(&self, colour: &str, text: &str) -> String {
        let text = printable::line(text);
        if self.colour && !colour.is_empty() {
            format!("{colour}{text}{PLAIN}")
        } else {
            text.into_owned()
        }
    }
}

/// The source of a program with what the evidence says about it, by lines; nothing if it is not about one.
pub fn source_lines(opened: &Opened, evidence: &AnyEvidence) -> Vec<SourceLine> {
    let source = &opened.bytes[..];
    if let Some((task, proof)) = proof_of(evidence) {
        return annotated(source, &formulas(&task, proof, source));
    }
    let Some((task, run)) = run_of(evidence) else { return Vec::new() };
    let story = story(&task, run, source);
    passed(&task, source, &story, run.violation.span.start)
}

/// The run of a program with threads, by threads; nothing if the evidence is none.
pub fn run_lanes(opened: &Opened, evidence: &AnyEvidence) -> Option<Lanes> {
    let (task, run) = run_of(evidence)?;
    lanes::lanes(&opened.bytes, &story(&task, run, &opened.bytes))
}

/// Invariants in C, and contracts in ACSL, which has words for results and old values.
fn formulas(task: &Task, proof: &ProgramProof, source: &[u8]) -> Vec<Annotation> {
    let is_contract = |note: &Annotation| matches!(note.kind, Kind::Requires | Kind::Ensures);
    let mut all = annotations(task, proof, source, Style::C);
    all.retain(|note| !is_contract(note));
    let contracts = annotations(task, proof, source, Style::Acsl);
    all.extend(contracts.into_iter().filter(is_contract));
    all
}

/// The source with a line for each formula above what it belongs to.
fn annotated(source: &[u8], notes: &[Annotation]) -> Vec<SourceLine> {
    let lines = Lines::of(source);
    let mut by_line: BTreeMap<usize, Vec<&Annotation>> = BTreeMap::new();
    for note in notes {
        by_line.entry(lines.line(note.span.start)).or_default().push(note);
    }
    let mut out = Vec::new();
    for line in 1..=lines.count() {
        let text = lines.text(line);
        if line == lines.count() && text.is_empty() {
            break;
        }
        let indent: String = text.chars().take_while(|c| c.is_whitespace()).collect();
        for note in by_line.get(&line).into_iter().flatten() {
            for formula in &note.formulas {
                out.push(SourceLine {
                    kind: SourceKind::Formula,
                    number: None,
                    text: format!("{indent}// {}: {formula}", note.kind.word()),
                    beside: String::new(),
                });
            }
        }
        let (kind, number) = (SourceKind::Plain, Some(line));
        out.push(SourceLine { kind, number, text, beside: String::new() });
    }
    out
}

/// The functions that a run enters, with what it does not pass marked and the values that it leaves.
fn passed(task: &Task, source: &[u8], story: &Story, violation: u32) -> Vec<SourceLine> {
    let lines = Lines::of(source);
    let at = lines.line(violation);
    let entered = story.entered.iter().chain([&task.entry]);
    let mut spans: Vec<(usize, usize)> = entered
        .filter_map(|&function| {
            let function = task.unit.function(function);
            let body = function.body.as_ref()?;
            Some((lines.line(function.span.start), lines.line(body.span.end.saturating_sub(1))))
        })
        .collect();
    spans.sort_unstable();
    spans.dedup();
    let mut values: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for line in &story.lines {
        let all: Vec<String> =
            line.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if !all.is_empty() {
            values.entry(line.line).or_default().push(all.join(", "));
        }
    }
    let mut out = Vec::new();
    let mut last_line = 0;
    for (first, last) in spans {
        if last_line > 0 && first > last_line + 1 {
            let (kind, text) = (SourceKind::NotPassed, "…".to_owned());
            out.push(SourceLine { kind, number: None, text, beside: String::new() });
        }
        for line in first.max(last_line + 1)..=last {
            let text = lines.text(line);
            let is_brace = text.trim().chars().all(|c| matches!(c, '{' | '}' | ';'));
            let is_else = text.trim().trim_start_matches('}').trim().starts_with("else");
            let is_passed = story.passed.contains(&line) || line == first || is_brace || is_else;
            let kind = match (line == at, is_passed) {
                (true, _) => SourceKind::Violation,
                (_, true) => SourceKind::Plain,
                _ => SourceKind::NotPassed,
            };
            let beside = values.get(&line).map_or(String::new(), |values| beside(values));
            out.push(SourceLine { kind, number: Some(line), text, beside });
        }
        last_line = last.max(last_line);
    }
    out
}

/// Lines for a terminal.
fn printed(lines: &[SourceLine], paint: &Paint) -> String {
    let last = lines.iter().filter_map(|line| line.number).max().unwrap_or(0);
    let width = last.to_string().len();
    let mut out = String::new();
    for line in lines {
        let number = line.number.map_or(String::new(), |number| number.to_string());
        let (mark, side, colour) = match line.kind {
            SourceKind::Plain => (" ", "│", ""),
            // Where there is no grey, a mark says it.
            SourceKind::NotPassed => (" ", if paint.colour { "│" } else { "┆" }, DIM),
            SourceKind::Violation => ("✗", "│", BOLD),
            SourceKind::Formula => (" ", "│", GREEN),
        };
        let text = paint.with(colour, &line.text);
        let _ = write!(out, "{mark} {number:>width$} {side}");
        if !line.text.is_empty() {
            let _ = write!(out, " {text}");
        }
        if !line.beside.is_empty() {
            let _ = write!(out, "    {}", paint.with(GREEN, &format!("// {}", line.beside)));
        }
        out.push('\n');
    }
    out
}

/// The values that a line leaves, one visit after the other.
fn beside(values: &[String]) -> String {
    const MAX_VISITS: usize = 4;
    match values.len() {
        count if count <= MAX_VISITS => values.join("; "),
        count => {
            let first = values[..MAX_VISITS - 1].join("; ");
            format!("{first}; … {}  ({count} times)", values[count - 1])
        }
    }
}

/// The run, a line for each statement that changes something.
fn steps(source: &[u8], story: &Story, is_all: bool) -> String {
    let lines = Lines::of(source);
    let width = lines.count().to_string().len();
    let mut rows: Vec<String> = Vec::new();
    for (index, step) in story.lines.iter().enumerate() {
        if let Some((after, count)) = story.missing
            && index == after
        {
            rows.push(format!("  … {count} statements"));
        }
        if step.values.is_empty() && index + 1 < story.lines.len() {
            continue;
        }
        let values: Vec<String> =
            step.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let text = lines.text(step.line);
        let text = text.trim();
        let text: String = text.chars().take(48).collect();
        let mark = lanes::mark(story, step);
        let row = format!("  {mark}{:width$}  {:48}  {}", step.line, text, values.join(", "));
        rows.push(printable::line(row.trim_end()).into_owned());
    }
    let mut out = String::new();
    let count = rows.len();
    if is_all || count <= MAX_SHOWN {
        rows.iter().for_each(|row| out.push_str(&format!("{row}\n")));
    } else {
        let half = MAX_SHOWN / 2;
        rows[..half].iter().for_each(|row| out.push_str(&format!("{row}\n")));
        let _ = writeln!(out, "  … {} more lines (--show=all)", count - MAX_SHOWN);
        rows[count - half..].iter().for_each(|row| out.push_str(&format!("{row}\n")));
    }
    out
}

/// The source with annotations in ACSL; nothing if the evidence is no proof about a program.
pub fn acsl(opened: &Opened, evidence: &AnyEvidence) -> Option<String> {
    let (task, proof) = proof_of(evidence)?;
    let source = &opened.bytes[..];
    let notes = annotations(&task, proof, source, Style::Acsl);
    // Contracts stand above the line on which the function begins, invariants right before the loop.
    let mut edits: BTreeMap<usize, String> = BTreeMap::new();
    for note in &notes {
        let start = note.span.start as usize;
        let (at, word) = match note.kind {
            Kind::Loop => (start, "loop invariant"),
            Kind::Label => (start, "assert"),
            Kind::Requires | Kind::Ensures => {
                let before = source[..start].iter().rposition(|&byte| byte == b'\n');
                (before.map_or(0, |at| at + 1), note.kind.word())
            }
        };
        let text = edits.entry(at).or_default();
        for formula in &note.formulas {
            let _ = write!(text, " {word} {formula};");
        }
    }
    let mut out = String::new();
    let mut from = 0;
    for (at, text) in edits {
        out.push_str(&String::from_utf8_lossy(&source[from..at]));
        let _ = write!(out, "/*@{text} */ ");
        from = at;
    }
    out.push_str(&String::from_utf8_lossy(&source[from..]));
    Some(out)
}
