//! A document of the editor: its text, what the reader says of it, and what is known of its properties.

use super::place::Places;
use alphorn_driver::marks::{Mark, Marks};
use alphorn_driver::open::{Opened, open_asking};
use alphorn_driver::problem::Span;
use alphorn_driver::program::Wishes;
use alphorn_driver::report::Outcome;
use alphorn_driver::report::answer::Answer;
use alphorn_driver::{Diagnostic, Severity, Stopper};
use serde_json::{Value, json};
use std::path::Path;

/// What an editor shows as text behind a line.
const MAX_INLAY: usize = 120;
/// The longest text that is read at every change.
pub const MAX_TYPED: usize = 8 << 20;

/// An answer about a property, with its places.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub answer: Answer,
    pub marks: Marks,
}

/// A document.
pub struct Document {
    pub path: String,
    pub version: i64,
    pub text: String,
    /// The text as a problem, since the last change that was read.
    pub opened: Option<Opened>,
    /// The answers about this text.
    pub verdicts: Vec<Verdict>,
    /// The run that decides it, if one does, and its number.
    pub run: Option<(u64, Stopper)>,
    /// Whether the text has changed since it was read.
    pub is_stale: bool,
}

impl Document {
    /// A document that was opened.
    pub fn new(uri: &str, version: i64, text: String) -> Document {
        let (opened, verdicts, run) = (None, Vec::new(), None);
        Document { path: path(uri), version, text, opened, verdicts, run, is_stale: true }
    }

    /// Takes another text.
    pub fn change(&mut self, version: i64, text: String) {
        self.stop();
        (self.version, self.text, self.is_stale) = (version, text, true);
        self.verdicts.clear();
    }

    /// Ends the run that decides it.
    pub fn stop(&mut self) {
        if let Some((_, stopper)) = self.run.take() {
            stopper.stop(alphorn_driver::Limit::Interrupted);
        }
    }

    /// Reads the text.
    pub fn read(&mut self) {
        let bytes = self.text.clone().into_bytes();
        self.opened = Some(open_asking(&self.path, bytes, None, &Wishes::default()));
        self.is_stale = false;
    }

    /// Everything there is to mark.
    pub fn diagnostics(&self, uri: &str, in_bytes: bool) -> Value {
        let places = Places::of(self.text.as_bytes(), in_bytes);
        let mut all: Vec<Value> = Vec::new();
        if let Some(opened) = &self.opened {
            all.extend(opened.diagnostics.list.iter().map(|one| noticed(&places, one)));
        }
        all.extend(self.verdicts.iter().map(|verdict| decided(&places, uri, verdict)));
        json!({ "uri": uri, "version": self.version, "diagnostics": all })
    }

    /// What is known at a position.
    pub fn hover(&self, position: &Value, in_bytes: bool) -> Option<Value> {
        let places = Places::of(self.text.as_bytes(), in_bytes);
        let at = places.offset(position)?;
        let word = self.word(at);
        let line = places.line(at);
        let is_here = |mark: &&Mark| match &mark.name {
            Some(name) => name == word,
            None => places.line(mark.span.start as usize) == line,
        };
        let marks = || self.verdicts.iter().flat_map(|verdict| &verdict.marks.holds);
        let steps = || self.verdicts.iter().flat_map(|verdict| &verdict.marks.steps);
        let found: Vec<&str> = marks()
            .chain(steps())
            .filter(is_here)
            .map(|mark| mark.text.as_str())
            .take(20)
            .collect();
        if found.is_empty() {
            return None;
        }
        let text = format!("```\n{}\n```", found.join("\n"));
        Some(json!({ "contents": { "kind": "markdown", "value": text } }))
    }

    /// What holds, behind the lines where it does.
    pub fn inlays(&self, in_bytes: bool) -> Value {
        let places = Places::of(self.text.as_bytes(), in_bytes);
        let marks = self.verdicts.iter().flat_map(|verdict| &verdict.marks.holds);
        let marks = marks.filter(|mark| mark.span != Span::NONE);
        let inlay = |mark: &Mark| {
            let end = places.line_end(places.line(mark.span.start as usize));
            let said = mark.text.lines().next().unwrap_or_default();
            let mut label: String = said.chars().take(MAX_INLAY).collect();
            if label.len() < mark.text.len() {
                label.push('…');
            }
            json!({
                "position": places.position(end),
                "label": format!("⊢ {label}"),
                "paddingLeft": true,
                "tooltip": mark.text,
            })
        };
        marks.map(inlay).collect()
    }

    /// The word around an offset.
    fn word(&self, at: usize) -> &str {
        let is_end = |c: char| c.is_whitespace() || "()|;\"".contains(c);
        let at = (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let (before, after) = self.text.split_at(at.unwrap_or(0));
        let start = before
            .rfind(is_end)
            .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
        let end = before.len() + after.find(is_end).unwrap_or(after.len());
        &self.text[start..end]
    }
}

/// What a reader noticed.
fn noticed(places: &Places<'_>, one: &Diagnostic) -> Value {
    let severity = match one.severity {
        Severity::Error => 1,
        Severity::Unsupported => 2,
        Severity::Warning => 2,
    };
    let hint = one.hint.as_ref().map_or(String::new(), |hint| format!("\n{hint}"));
    json!({
        "range": places.range(one.span),
        "severity": severity,
        "code": one.code.code(),
        "source": "alphorn",
        "message": format!("{}{hint}", one.message),
    })
}

/// What was decided: a violation where it is, with the way there.
fn decided(places: &Places<'_>, uri: &str, verdict: &Verdict) -> Value {
    let Verdict { answer, marks } = verdict;
    let property = answer.name.as_deref().unwrap_or(&answer.property);
    let word = answer.question.human(answer.verdict);
    let by = answer.engine.as_ref().map_or(String::new(), |engine| format!(", by {engine}"));
    let mut message = format!("{word} ({property}) {}{by}", answer.detail);
    answer.why.iter().chain(&answer.warnings).for_each(|why| message += &format!("\n{why}"));
    let (severity, span) = match answer.verdict {
        Outcome::Unsafe => (1, marks.violation.unwrap_or(marks.property)),
        Outcome::Unknown => (2, marks.property),
        Outcome::Safe => (3, marks.property),
    };
    let step = |mark: &Mark| {
        let location = json!({ "uri": uri, "range": places.range(mark.span) });
        json!({ "location": location, "message": mark.text })
    };
    json!({
        "range": places.range(span),
        "severity": severity,
        "code": word,
        "source": "alphorn",
        "message": message,
        "relatedInformation": marks.steps.iter().map(step).collect::<Vec<Value>>(),
    })
}

/// The path that an address of a file stands for.
fn path(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else {
        return Path::new(uri).file_name().map_or(uri.to_owned(), |n| n.to_string_lossy().into());
    };
    let mut bytes = Vec::new();
    let mut rest = rest.bytes();
    while let Some(byte) = rest.next() {
        let coded = (byte == b'%').then(|| {
            let hex: String = rest.clone().take(2).map(char::from).collect();
            u8::from_str_radix(&hex, 16).ok()
        });
        match coded.flatten() {
            Some(coded) => {
                bytes.push(coded);
                rest.nth(1);
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Document, path};

    #[test]
    fn addresses_are_paths() {
        assert_eq!(path("file:///a%20b/c.smt2"), "/a b/c.smt2");
        assert_eq!(path("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(path("file:///50%"), "/50%");
    }

    #[test]
    fn words_end_at_brackets() {
        let document = Document::new("file:///a.smt2", 1, "(inv |a b| x)".to_owned());
        assert_eq!(document.word(2), "inv");
        assert_eq!(document.word(4), "inv");
        assert_eq!(document.word(12), "x");
        assert_eq!(document.word(99), "");
    }
}
