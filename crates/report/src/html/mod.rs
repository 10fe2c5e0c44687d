//! The page of a run: one file of HTML that needs nothing else.
//!
//! It says what was decided and why one may believe it: the clauses as the file has them with each
//! predicate's invariant beside them, or the derivation, or for circuits the invariant in words and the
//! run as a drawing; what was checked and by whom; what every
//! engine did, with its bounds and lemmas over time; and where nothing was decided, what was found
//! out. Light or dark is the reader's choice.
//!
//! Invariant: every piece of text that comes from outside goes through `escape`, and no address of
//! anything outside the page is in it.

mod derivation;
mod frames;
mod index;
mod plot;
#[cfg(test)]
mod tests;
mod unwinding;
mod waveform;

pub use index::index;

use crate::answer::{Answer, Formula, Outcome};
use crate::printable::is_active;
use crate::text::seconds;
use crate::timeline::{EngineLine, Series, Timeline};
use crate::waveform::Waveform;
use alphorn_front::evidence::TreeLine;
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");
/// The most characters of a clause that are shown.
const LONGEST_CLAUSE: usize = 20_000;
/// Clauses of more characters are folded.
const FOLDED: usize = 1200;

/// All that a page says about a file.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The file, as the user named it.
    pub file: String,
    /// What is said about each property.
    pub sections: Vec<Section>,
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
    /// The predicates of a Horn system; the last one is false.
    pub predicates: Vec<Predicate>,
    /// The steps of a derivation.
    pub derivation: Vec<TreeLine>,
    /// The invariant of a circuit or a word-level system, a line per part.
    pub invariant: Vec<String>,
    /// The run that violates the property of a circuit or a word-level system.
    pub waveform: Option<Waveform>,
    /// Files that were written beside the page: what they hold, and their names.
    pub files: Vec<(String, String)>,
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
    /// What it is called: `clause 3 (line 12)`.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Whether the derivation uses it.
    pub is_used: bool,
}

/// Text inside HTML, in elements and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_active(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// The page as HTML.
pub fn page(page: &Page) -> String {
    let file = escape(&page.file);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{file} – alphorn</title><style>\n{STYLE}</style></head><body>\n"
    );
    for section in &page.sections {
        header(&mut out, page, section);
        undecided(&mut out, &section.answer);
        derived(&mut out, section);
        run(&mut out, section);
        invariant(&mut out, section);
        // An invariant is the answer; clauses alone are there to be looked up.
        let is_safe = section.answer.verdict == Outcome::Safe;
        if is_safe {
            predicates(&mut out, section);
        }
        checked(&mut out, section);
        engines(&mut out, section);
        unwound(&mut out, section);
        if !is_safe {
            predicates(&mut out, section);
        }
    }
    if page.sections.is_empty() {
        let _ = write!(out, "<header><h1>{file}</h1>Nothing was decided.</header>");
    }
    out.push_str("</body></html>\n");
    out
}

fn header(out: &mut String, page: &Page, section: &Section) {
    let answer = &section.answer;
    let (class, word) = match answer.verdict {
        Outcome::Safe => ("safe", "SAFE"),
        Outcome::Unsafe => ("unsafe", "UNSAFE"),
        Outcome::Unknown => ("unknown", "UNKNOWN"),
    };
    let _ = write!(
        out,
        "<header><h1>{}</h1><p><span class=\"verdict {class}\">{word}</span> {}",
        escape(&page.file),
        escape(&answer.detail)
    );
    if answer.property != "horn" {
        let name = answer.name.as_deref().map_or(String::new(), |name| format!(" “{name}”"));
        let _ = write!(out, " · property {}{}", escape(&answer.property), escape(&name));
    }
    let mut facts =
        vec![section.problem.clone(), format!("{} in all", seconds(answer.milliseconds))];
    facts.extend(answer.engine.as_ref().map(|engine| format!("answered by {engine}")));
    facts.retain(|fact| !fact.is_empty());
    let _ = writeln!(out, "</p><div class=\"faint\">{}</div></header>", escape(&facts.join(" · ")));
}

/// What is known without an answer.
fn undecided(out: &mut String, answer: &Answer) {
    if answer.verdict != Outcome::Unknown {
        return;
    }
    out.push_str("<section><h2>What was found out</h2>");
    if let Some(bound) = answer.bound {
        let _ = write!(out, "<p>There is no counterexample up to depth {bound}.</p>");
    }
    if let Some(partial) = &answer.partial {
        formulas(out, "Holds for good", &partial.proved);
        formulas(out, "Held so far, but is not kept", &partial.candidates);
        if !partial.patterns.is_empty() {
            out.push_str("<h3>Grows without an end in sight</h3>");
            for pattern in &partial.patterns {
                let _ = write!(out, "<pre class=\"clause\">{}</pre>", escape(pattern));
            }
        }
    }
    if !answer.hints.is_empty() {
        out.push_str("<h3>To try</h3><ul>");
        for hint in &answer.hints {
            let _ = write!(out, "<li>{}</li>", escape(hint));
        }
        out.push_str("</ul>");
    }
    out.push_str("</section>\n");
}

fn formulas(out: &mut String, title: &str, formulas: &[Formula]) {
    if formulas.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<h3>{title}</h3><table><tr><th>predicate<th>formula<th>fails at<th>engine</tr>"
    );
    for formula in formulas {
        let numbers: Vec<String> = formula.clauses.iter().map(u64::to_string).collect();
        let clause = match numbers.len() {
            0 => String::new(),
            1 => format!("clause {}", numbers[0]),
            _ => format!("clauses {}", numbers.join(", ")),
        };
        let _ = write!(
            out,
            "<tr><td><code>{}</code><td><code>{}</code><td>{clause}<td>{}</tr>",
            escape(&formula.predicate),
            escape(&formula.formula),
            escape(&formula.engine)
        );
    }
    out.push_str("</table>");
}

fn derived(out: &mut String, section: &Section) {
    if section.derivation.is_empty() {
        return;
    }
    let steps = section.derivation.len();
    let _ = write!(out, "<section><h2>Derivation of false in {steps} steps</h2>");
    out.push_str(&derivation::list(&section.derivation));
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
    let _ = writeln!(
        out,
        "<section><h2>The violation, in steps 0 to {last}</h2>{}\
         <p class=\"faint\">Grey: does not matter. Words are hexadecimal.</p></section>",
        waveform::waveform(wave)
    );
}

/// Parts of an invariant beyond this many are folded.
const OPEN_PARTS: usize = 40;
/// The most parts of an invariant that are shown.
const MOST_PARTS: usize = 5000;

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
        let shown = &rest[..rest.len().min(MOST_PARTS)];
        let _ = write!(
            out,
            "<details><summary class=\"faint\">… and {} more</summary><pre{class}>{}</pre>",
            rest.len(),
            escape(&shown.join("\n"))
        );
        if shown.len() < rest.len() {
            out.push_str("<p class=\"faint\">The rest is in the certificate.</p>");
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

fn predicates(out: &mut String, section: &Section) {
    if section.predicates.is_empty() {
        return;
    }
    let title = match section.answer.verdict {
        Outcome::Safe => "Clauses, and the invariant of each predicate",
        _ => "Clauses, by the predicate that they conclude",
    };
    let _ = write!(out, "<section><h2>{title}</h2>");
    for predicate in &section.predicates {
        let is_pair = section.answer.verdict == Outcome::Safe;
        let _ = write!(
            out,
            "<div class=\"{}\"><div><h3><code>{}</code></h3>",
            if is_pair { "pair" } else { "pair single" },
            escape(&predicate.name)
        );
        predicate.clauses.iter().for_each(|text| clause(out, text));
        if predicate.clauses.is_empty() {
            out.push_str("<div class=\"faint\">no clause concludes it</div>");
        }
        out.push_str("</div><div class=\"invariant\">");
        match &predicate.definition {
            Some(text) => {
                let _ = write!(out, "<h3>invariant</h3><pre>{}</pre>", escape(text));
            }
            None if section.answer.verdict == Outcome::Safe => {
                out.push_str("<h3>can never be</h3>");
            }
            None => {}
        }
        out.push_str("</div></div>");
    }
    out.push_str("</section>\n");
}

fn clause(out: &mut String, clause: &ClauseText) {
    let used = if clause.is_used { " used" } else { "" };
    let mut text: String = clause.text.chars().take(LONGEST_CLAUSE).collect();
    if text.len() < clause.text.len() {
        text.push('…');
    }
    let (title, text) = (escape(&clause.title), escape(&text));
    let lines = clause.text.lines().count();
    let _ = match clause.text.len() > FOLDED && lines > 1 {
        true => write!(
            out,
            "<details class=\"clause{used}\"><summary class=\"faint\">{title}, {lines} lines\
             </summary><pre>{text}</pre></details>"
        ),
        false => write!(
            out,
            "<div class=\"clause{used}\"><div class=\"faint\">{title}</div><pre>{text}</pre></div>"
        ),
    };
}

fn checked(out: &mut String, section: &Section) {
    let Some(checked) = &section.answer.checked else { return };
    let _ = write!(
        out,
        "<section><h2>Why to believe it</h2><p>Checked against the file as read: {}, by \
         <code>alphorn-check</code>, which knows no engine and searches for nothing; {}.</p>",
        escape(&checked.what),
        seconds(checked.milliseconds)
    );
    for (what, name) in &section.files {
        let name = escape(name);
        let _ = write!(out, "<p>{}: <a href=\"{name}\"><code>{name}</code></a></p>", escape(what));
    }
    if !section.files.is_empty() {
        out.push_str(
            "<p class=\"faint\">To check it again: <code>alphorn check FILE EVIDENCE</code>.</p>",
        );
    }
    out.push_str("</section>\n");
}

fn engines(out: &mut String, section: &Section) {
    let answer = &section.answer;
    out.push_str("<section><h2>Where the time went</h2>");
    let most = answer.attempts.iter().map(|attempt| attempt.milliseconds);
    let most = most.chain(answer.phases.iter().map(|p| p.milliseconds)).max().unwrap_or(0).max(1);
    let bar = |milliseconds: u64| format!("{:.1}", 100.0 * milliseconds as f64 / most as f64);
    out.push_str("<table><tr><th>phase<th class=\"number\">time<th></tr>");
    for phase in &answer.phases {
        let _ = write!(
            out,
            "<tr><td>{}<td class=\"number\">{}<td class=\"bar\"><span style=\"width:{}%\"></span></tr>",
            escape(phase.name),
            seconds(phase.milliseconds),
            bar(phase.milliseconds)
        );
    }
    out.push_str("</table>");
    if !answer.attempts.is_empty() {
        out.push_str(
            "<h3>Engines</h3><table><tr><th>engine<th>how it ended<th class=\"number\">depth\
             <th class=\"number\">lemmas<th class=\"number\">ticks<th class=\"number\">time<th></tr>",
        );
        for attempt in &answer.attempts {
            let number =
                |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
            let _ = write!(
                out,
                "<tr><td class=\"name\">{}<td>{}<td class=\"number\">{}<td class=\"number\">{}\
                 <td class=\"number\">{}<td class=\"number\">{}\
                 <td class=\"bar\"><span style=\"width:{}%\"></span></tr>",
                escape(&attempt.engine),
                escape(&attempt.ended),
                number(attempt.bound),
                number(attempt.lemmas),
                attempt.ticks,
                seconds(attempt.milliseconds),
                bar(attempt.milliseconds)
            );
        }
        out.push_str("</table>");
    }
    plots(out, section);
    out.push_str("</section>\n");
}

fn plots(out: &mut String, section: &Section) {
    let engines = &section.timeline.engines;
    let end = section.answer.attempts.iter().map(|attempt| attempt.milliseconds).max().unwrap_or(0);
    let series = |of: fn(&EngineLine) -> &Series| -> Vec<(usize, &str, &Series)> {
        let line = |(at, line)| -> (usize, &str, &Series) {
            let line: &EngineLine = line;
            (at, line.engine.as_str(), of(line))
        };
        engines.iter().enumerate().map(line).collect()
    };
    let all = [
        ("Depth without a counterexample", series(|line| &line.bound)),
        ("Lemmas", series(|line| &line.lemmas)),
        ("States or facts seen", series(|line| &line.seen)),
    ];
    let figure =
        |title: &str, drawing: String| format!("<figure><h3>{title}</h3>{drawing}</figure>");
    let mut drawn: Vec<String> = (all.iter())
        .filter_map(|(title, lines)| Some(figure(title, plot::plot(title, lines, end)?)))
        .collect();
    for (position, line) in engines.iter().enumerate() {
        let title = format!("Lemmas per level at the end: {}", escape(&line.engine));
        drawn.extend(frames::frames(position, line).map(|drawing| figure(&title, drawing)));
    }
    if !drawn.is_empty() {
        let _ = write!(out, "<div class=\"plots\">{}</div>", drawn.concat());
    }
}
