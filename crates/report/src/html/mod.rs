//! The page of a run: one file of HTML that needs nothing else.
//!
//! It says what was decided and why one may believe it: the clauses as the file has them with each
//! predicate's invariant beside them and the functions that it uses, or the derivation with the clause of
//! each step, or for circuits the invariant in words and the run as a drawing, or the graph of a flow with
//! its ranks or the way into a recurrence; what was checked and how
//! to check it again; what every engine did, with its bounds and lemmas over time; where nothing was
//! decided, what was found out; and how the page came about. Several properties are one page. Light or
//! dark is the reader's choice, and a telephone is wide enough.
//!
//! Invariant: every piece of text that comes from outside goes through `escape`, and no address of
//! anything outside the page is in it. The same data make the same page: the date is part of the data.

mod command;
mod derivation;
mod engines;
mod flow;
mod frames;
mod index;
mod lanes;
mod layered;
mod palette;
mod plot;
mod predicates;
mod source;
#[cfg(test)]
mod tests;
mod undecided;
mod unwinding;
mod waveform;

pub use command::shell;
pub use derivation::Step;
pub use index::index;

use crate::answer::{Answer, Outcome};
use crate::printable::is_active;
use crate::timeline::Timeline;
use crate::waveform::Waveform;
use alphorn_front::evidence::Told;
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");
/// Of more properties, those that are safe are folded.
const OPEN_PROPERTIES: usize = 3;

/// All that a page says about a file.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The file, as the user named it.
    pub file: String,
    /// How the page came about.
    pub run: RunFacts,
    /// What is said about each property.
    pub sections: Vec<Section>,
}

/// How a page came about.
#[derive(Clone, Debug, Default)]
pub struct RunFacts {
    /// The program's version.
    pub version: String,
    /// When it was, in words.
    pub date: String,
    /// The command, as a shell reads it.
    pub command: String,
    /// What else decided the course of the run: the seed, the limits; each with its name.
    pub settings: Vec<(String, String)>,
}

/// What a page says about a property.
#[derive(Clone, Debug)]
pub struct Section {
    /// What kind of problem it is about, with numbers: "3 predicates, 5 clauses".
    pub problem: String,
    /// The answer.
    pub answer: Answer,
    /// What the engines said.
    pub timeline: Timeline,
    /// The definitions of functions that the invariants use.
    pub functions: Vec<String>,
    /// The predicates of a Horn system; the last one is false.
    pub predicates: Vec<Predicate>,
    /// The steps of a derivation, each after those it follows from.
    pub derivation: Vec<Step>,
    /// The invariant of a circuit or a word-level system, a line per part.
    pub invariant: Vec<String>,
    /// The source of a program with what the evidence says about it.
    pub source: Vec<SourceLine>,
    /// The run of a program with threads.
    pub lanes: Option<Lanes>,
    /// The run that violates the property of a circuit or a word-level system.
    pub waveform: Option<Waveform>,
    /// What would have avoided the violation, a line each, the first of which says how many; none if that
    /// was not asked.
    pub explanation: Vec<String>,
    /// What is said about infinite runs.
    pub flow: Option<Told>,
    /// Files that were written beside the page: what they hold, and their names.
    pub files: Vec<(String, String)>,
    /// The command that checks the evidence again, as a shell reads it.
    pub check: Option<String>,
}

/// A run of a program with threads, by threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// What the threads are called.
    pub threads: Vec<String>,
    /// What they do, one after the other.
    pub rows: Vec<LaneRow>,
}

/// A statement that a thread passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneRow {
    /// The thread, by its position.
    pub thread: u32,
    /// The line in the file, from 1.
    pub line: usize,
    /// The statement, or the beginning of it.
    pub text: String,
    /// The variables that have other values afterwards, with these.
    pub values: String,
}

/// A line of a program's source, or about one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// What it is.
    pub kind: SourceKind,
    /// Its number, if it is a line of the file.
    pub number: Option<usize>,
    /// Its text.
    pub text: String,
    /// What stands beside it: the values that a run leaves there.
    pub beside: String,
}

/// What a line of a program's source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A line of the file.
    Plain,
    /// A line of the file that the run does not pass.
    NotPassed,
    /// The line of the violation.
    Violation,
    /// An invariant or a part of a contract.
    Formula,
}

/// A predicate with the clauses that conclude it.
#[derive(Clone, Debug, Default)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// Its definition in the model, if there is one.
    pub definition: Option<String>,
    /// The clauses.
    pub clauses: Vec<ClauseText>,
}

/// A clause as the file has it.
#[derive(Clone, Debug, Default)]
pub struct ClauseText {
    /// Its position.
    pub id: u32,
    /// What it is called: `clause 3 (line 12)`.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Whether the derivation uses it.
    pub is_used: bool,
}

impl Section {
    fn clauses(&self) -> BTreeMap<u32, &ClauseText> {
        let all = self.predicates.iter().flat_map(|predicate| &predicate.clauses);
        all.map(|clause| (clause.id, clause)).collect()
    }
}

/// How a character is written that would end an attribute or begin an element, in HTML and in XML.
pub(crate) fn entity(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        _ => None,
    }
}

/// Text inside HTML, in elements and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match entity(c) {
            Some(entity) => out.push_str(entity),
            None if is_active(c) && c != '\n' && c != '\t' => out.extend(c.escape_default()),
            None => out.push(c),
        }
    }
    out
}

/// A duration for people, never a bare zero.
fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0 => "under 1 ms".to_owned(),
        1..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{:.2} s", milliseconds as f64 / 1000.0),
        _ => format!("{} min {} s", milliseconds / 60_000, milliseconds / 1000 % 60),
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The page as HTML.
pub fn page(page: &Page) -> String {
    let file = escape(&page.file);
    let colours = palette::style();
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{file} – alphorn</title><style>\n{STYLE}{colours}</style></head><body>\n"
    );
    match &page.sections[..] {
        [] => {
            let _ = write!(out, "<header><h1>{file}</h1>Nothing was decided.</header>");
        }
        [section] => {
            let _ = write!(out, "<header><h1>{file}</h1>");
            let _ = write!(out, "<p>{} ", answered(&section.answer));
            verdict(&mut out, section);
            out.push_str("</header>\n");
            body(&mut out, section, "");
        }
        sections => {
            overview(&mut out, &file, sections);
            for (at, section) in sections.iter().enumerate() {
                property(&mut out, section, at, sections.len());
            }
        }
    }
    about(&mut out, page);
    out.push_str("</body></html>\n");
    out
}

/// The word of an answer, by what was asked.
fn answered(answer: &Answer) -> String {
    worded(answer.verdict, answer.question.human(answer.verdict))
}

/// The word of a verdict.
fn pill(outcome: Outcome) -> String {
    worded(outcome, outcome.human())
}

fn worded(outcome: Outcome, word: &str) -> String {
    let class = match outcome {
        Outcome::Safe => "safe",
        Outcome::Unsafe => "unsafe",
        Outcome::Unknown => "unknown",
    };
    format!("<span class=\"verdict {class}\">{word}</span>")
}

/// A property as people call it, escaped.
fn property_name(answer: &Answer) -> String {
    let name = answer.name.as_deref().map_or(String::new(), |name| format!(" “{name}”"));
    escape(&format!("{}{name}", answer.property))
}

/// What was decided beyond the word for it, and the facts about it; ends the paragraph it is in.
fn verdict(out: &mut String, section: &Section) {
    let answer = &section.answer;
    out.push_str(&escape(&answer.detail));
    if answer.property != "horn" {
        let _ = write!(out, " · property {}", property_name(answer));
    }
    let mut facts = vec![section.problem.clone(), duration(answer.milliseconds)];
    facts.extend(answer.engine.as_ref().map(|engine| format!("answered by {engine}")));
    facts.retain(|fact| !fact.is_empty());
    let _ = write!(out, "</p><div class=\"faint\">{}</div>", escape(&facts.join(" · ")));
}

/// The head of a page about several properties: a line for each.
fn overview(out: &mut String, file: &str, sections: &[Section]) {
    let count = |outcome| sections.iter().filter(|s| s.answer.verdict == outcome).count();
    let words: Vec<String> = [Outcome::Safe, Outcome::Unsafe, Outcome::Unknown]
        .into_iter()
        .filter(|&outcome| count(outcome) > 0)
        .map(|outcome| format!("{} {}", count(outcome), pill(outcome)))
        .collect();
    let is_script = sections.iter().all(|s| s.answer.property.starts_with("check-sat"));
    let noun = if is_script { "questions" } else { "properties" };
    let _ = write!(
        out,
        "<header><h1>{file}</h1><p class=\"count\">{} {noun}: {}</p><div class=\"scroll\"><table \
         class=\"overview\"><tr><th>property<th>verdict<th>how<th>engine<th class=\"number\">after</tr>",
        sections.len(),
        words.join(", ")
    );
    for (at, section) in sections.iter().enumerate() {
        let answer = &section.answer;
        let _ = write!(
            out,
            "<tr><td><a href=\"#p{at}\">{}</a><td>{}<td>{}<td>{}<td class=\"number\">{}</tr>",
            property_name(answer),
            answered(answer),
            escape(&answer.detail),
            escape(answer.engine.as_deref().unwrap_or("")),
            duration(answer.milliseconds)
        );
    }
    out.push_str("</table></div></header>\n");
}

/// One of several properties.
fn property(out: &mut String, section: &Section, at: usize, count: usize) {
    let is_open = count <= OPEN_PROPERTIES || section.answer.verdict != Outcome::Safe;
    let _ = write!(
        out,
        "<details class=\"property\"{}><summary>{} {}</summary><header id=\"p{at}\"><p>",
        if is_open { " open" } else { "" },
        answered(&section.answer),
        property_name(&section.answer)
    );
    verdict(out, section);
    out.push_str("</header>\n");
    body(out, section, &format!("p{at}-"));
    out.push_str("</details>\n");
}

/// All about a property below its verdict; `prefix` goes before the names of places in the page.
fn body(out: &mut String, section: &Section, prefix: &str) {
    undecided::undecided(out, section, prefix);
    explanation(out, section);
    derived(out, section, prefix);
    run(out, section);
    flow::flow(out, section);
    lanes::lanes(out, section);
    source::source(out, section);
    invariant(out, section);
    // An invariant is the answer; clauses alone are there to be looked up.
    let is_safe = section.answer.verdict == Outcome::Safe;
    if is_safe {
        predicates::predicates(out, section, prefix);
    }
    checked(out, section);
    engines::engines(out, section);
    unwound(out, section);
    if !is_safe {
        predicates::predicates(out, section, prefix);
    }
}

fn explanation(out: &mut String, section: &Section) {
    let [title, lines @ ..] = &section.explanation[..] else { return };
    let _ = write!(out, "<section><h2>What would have avoided it</h2><p>{}</p><ul>", escape(title));
    for line in lines {
        let _ = write!(out, "<li>{}</li>", escape(line));
    }
    out.push_str("</ul></section>\n");
}

fn derived(out: &mut String, section: &Section, prefix: &str) {
    if section.derivation.is_empty() {
        return;
    }
    let steps = counted(section.derivation.len(), "step");
    let _ = write!(out, "<section><h2>Derivation of false in {steps}</h2>");
    out.push_str(&derivation::list(&section.derivation, &section.clauses(), prefix));
    if let Some(drawing) = derivation::drawing(&section.derivation) {
        let _ = write!(
            out,
            "<details open><summary class=\"faint\">as a graph</summary>\
             <div class=\"scroll\">{drawing}</div></details>"
        );
    }
    out.push_str("</section>\n");
}

fn run(out: &mut String, section: &Section) {
    let Some(wave) = &section.waveform else { return };
    let last = wave.steps().saturating_sub(1);
    let steps = match last {
        0 => "in step 0".to_owned(),
        _ => format!("in steps 0 to {last}"),
    };
    let _ = write!(out, "<section><h2>The violation, {steps}</h2>");
    if let Some(start) = wave.loop_start {
        let words = match start == last {
            true => format!("step {start} repeats for ever"),
            false => format!("steps {start} to {last} repeat for ever"),
        };
        let _ = write!(
            out,
            "<p><span class=\"loop-mark\">loop</span> After step {last} comes step {start} again: {words}.</p>"
        );
    }
    out.push_str(&waveform::waveform(wave));
    let has_open = wave.signals.iter().any(|signal| signal.bits.contains('x'));
    let has_words = wave.signals.iter().any(|signal| signal.width > 1);
    let notes = [(has_open, "Grey: does not matter."), (has_words, "Words are hexadecimal.")];
    let notes: Vec<&str> = notes.into_iter().filter(|(is, _)| *is).map(|(_, text)| text).collect();
    if !notes.is_empty() {
        let _ = write!(out, "<p class=\"faint\">{}</p>", notes.join(" "));
    }
    out.push_str("</section>\n");
}

/// Parts of an invariant beyond this many are folded.
const OPEN_PARTS: usize = 40;
/// The most parts of an invariant that are shown.
const MAX_PARTS: usize = 5000;

fn invariant(out: &mut String, section: &Section) {
    let parts = &section.invariant;
    if parts.is_empty() {
        return;
    }
    out.push_str("<section><h2>The invariant</h2><p>In every reachable state:</p>");
    let (open, rest) = parts.split_at(parts.len().min(OPEN_PARTS));
    // Short lines stand in columns.
    let longest = parts.iter().map(|part| part.chars().count()).max().unwrap_or(0);
    let class = if longest <= 40 { " class=\"short\"" } else { "" };
    let _ = write!(out, "<pre{class}>{}</pre>", escape(&open.join("\n")));
    if !rest.is_empty() {
        let shown = &rest[..rest.len().min(MAX_PARTS)];
        let _ = write!(
            out,
            "<details><summary class=\"faint\">… and {} more</summary><pre{class}>{}</pre>",
            rest.len(),
            escape(&shown.join("\n"))
        );
        if shown.len() < rest.len() {
            out.push_str("<p class=\"faint\">The rest is in the file of evidence.</p>");
        }
        out.push_str("</details>");
    }
    out.push_str("</section>\n");
}

/// What engines unwound the clauses into.
fn unwound(out: &mut String, section: &Section) {
    for line in &section.timeline.engines {
        let (instances, count) = &line.unwinding;
        let Some(drawing) = unwinding::drawing(instances) else { continue };
        let _ = writeln!(
            out,
            "<section><h2>The unwinding of {}</h2><details{}><summary class=\"faint\">{}</summary>\
             <div class=\"scroll\">{drawing}</div></details></section>",
            escape(&line.engine),
            if section.answer.engine.as_deref() == Some(&line.engine) { " open" } else { "" },
            unwinding::words(instances, *count),
        );
    }
}

fn checked(out: &mut String, section: &Section) {
    let Some(checked) = &section.answer.checked else { return };
    let _ = write!(
        out,
        "<section><h2>Why to believe it</h2><p>Checked against the file as read: {}, by \
         <code>alphorn-check</code>, which knows no engine and searches for nothing; {}.</p>",
        escape(&checked.what),
        duration(checked.milliseconds)
    );
    let assumed = &section.answer.assumptions;
    if !assumed.is_empty() {
        let _ = write!(out, "<p>Taken for granted: {}.</p>", escape(&assumed.join("; ")));
    }
    if let Some(check) = &section.check {
        let _ =
            write!(out, "<p>To check it again:</p><pre class=\"command\">{}</pre>", escape(check));
    }
    if !section.files.is_empty() {
        out.push_str("<ul class=\"files\">");
        for (what, name) in &section.files {
            let name = escape(name);
            let _ = write!(
                out,
                "<li>{}: <a href=\"{name}\"><code>{name}</code></a></li>",
                escape(what)
            );
        }
        out.push_str("</ul>");
    }
    out.push_str("</section>\n");
}

/// How the page came about.
fn about(out: &mut String, page: &Page) {
    let RunFacts { version, date, command, settings } = &page.run;
    if command.is_empty() && version.is_empty() {
        return;
    }
    out.push_str("<section><h2>This run</h2>");
    if !command.is_empty() {
        let _ = write!(out, "<pre class=\"command\">{}</pre>", escape(command));
    }
    out.push_str("<dl>");
    let facts = [("version", version), ("date", date)];
    let facts = facts.into_iter().map(|(name, value)| (name, value.as_str()));
    let settings = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in facts.chain(settings).filter(|(_, value)| !value.is_empty()) {
        let _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value));
    }
    out.push_str("</dl></section>\n");
}
