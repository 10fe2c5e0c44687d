//! Answers, events and diagnostics as JSON: one object per line.
//!
//! Every object has `schema` (a number that grows when a field changes its meaning) and `kind`.
//! The schema itself is `schema/output.schema.json` in the repository; a test compares.

use crate::answer::Answer;
use crate::carried::Carried;
use crate::diagnostic::Located;
use crate::summary::{Became, FileLine};
use alphorn_engine::{Event, Note, UnwoundInstance};
pub use serde_json::Value as Object;
use serde_json::{Value, json};

/// The version of the output's schema.
pub const SCHEMA: u64 = 1;

fn object(kind: &str, fields: Value) -> Value {
    let mut object = json!({ "schema": SCHEMA, "kind": kind });
    if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
        object.extend(fields);
    }
    object
}

/// An answer, and what is carried with it.
pub fn answer(answer: &Answer, carried: &Carried) -> Value {
    let mut fields = serde_json::to_value(answer).unwrap_or_default();
    let carried = serde_json::to_value(carried).unwrap_or_default();
    if let (Value::Object(fields), Value::Object(carried)) = (&mut fields, carried) {
        fields.extend(carried);
    }
    object("answer", fields)
}

/// An event.
pub fn note(note: &Note) -> Value {
    let (name, fields) = match &note.event {
        Event::Bound { depth } => ("bound", json!({ "depth": depth })),
        Event::Explored { seen, waiting } => {
            ("explored", json!({ "seen": seen, "waiting": waiting }))
        }
        Event::Simulated { steps } => ("simulated", json!({ "steps": steps })),
        Event::Lemmas { count } => ("lemmas", json!({ "count": count })),
        Event::Frames { sizes, infinite } => {
            ("frames", json!({ "sizes": sizes, "infinite": infinite }))
        }
        Event::Proved { predicate, formula } => {
            ("proved", json!({ "predicate": predicate, "formula": formula }))
        }
        Event::Candidate { predicate, formula, clauses } => {
            ("candidate", json!({ "predicate": predicate, "formula": formula, "clauses": clauses }))
        }
        Event::Unwinding { instances, count } => {
            let instance = |it: &UnwoundInstance| {
                json!({
                    "predicate": it.predicate,
                    "formula": it.annotation,
                    "premises": it.premises,
                    "covered_by": it.covered_by,
                })
            };
            let instances: Vec<Value> = instances.iter().map(instance).collect();
            ("unwinding", json!({ "instances": instances, "count": count }))
        }
        Event::Remark(text) => ("remark", json!({ "text": text })),
    };
    let at = u64::try_from(note.at.as_millis()).unwrap_or(u64::MAX);
    let head = json!({ "engine": note.engine, "milliseconds": at, "event": name });
    let mut object = object("event", head);
    if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
        object.extend(fields);
    }
    object
}

/// A diagnostic.
pub fn diagnostic(located: &Located<'_>) -> Value {
    let d = located.diagnostic;
    object(
        "diagnostic",
        json!({
            "severity": located.severity_word(),
            "code": d.code.code(),
            "file": located.file,
            "line": located.place.map(|(line, _)| line),
            "column": located.place.map(|(_, column)| column),
            "message": d.message,
            "hint": d.hint,
        }),
    )
}

/// An error that belongs to no place in the input.
pub fn error(file: &str, message: &str) -> Value {
    object("error", json!({ "file": file, "message": message }))
}

/// What became of several files.
pub fn summary(files: &[FileLine]) -> Value {
    let count = |became: Became| files.iter().filter(|line| line.verdict == became).count();
    object(
        "summary",
        json!({
            "files": files,
            "safe": count(Became::Safe),
            "unsafe": count(Became::Unsafe),
            "unknown": count(Became::Unknown),
            "error": count(Became::Error),
        }),
    )
}

/// A reply to a command of a script.
pub fn reply(file: &str, text: &str) -> Value {
    object("reply", json!({ "file": file, "text": text }))
}

/// An engine of the registry.
pub fn engine(name: &str, works_on: &str, proves: bool, refutes: bool, about: &str) -> Value {
    object(
        "engine",
        json!({
            "name": name,
            "works_on": works_on,
            "proves": proves,
            "refutes": refutes,
            "about": about,
        }),
    )
}

/// A transform of the registry.
pub fn transform(name: &str, works_on: &str, is_default: bool, about: &str) -> Value {
    object(
        "transform",
        json!({ "name": name, "works_on": works_on, "default": is_default, "about": about }),
    )
}

/// A number that can be set.
pub fn setting(name: &str, value: u64, about: &str) -> Value {
    object("setting", json!({ "name": name, "value": value, "about": about }))
}

/// A valid valuation of parameters.
pub fn point(file: &str, costs: &[(&str, u64)], raised: &[String], is_optimal: bool) -> Value {
    let costs: serde_json::Map<String, Value> =
        costs.iter().map(|(name, cost)| ((*name).to_owned(), json!(cost))).collect();
    let fields =
        json!({ "file": file, "costs": costs, "raised": raised, "is_optimal": is_optimal });
    object("point", fields)
}

/// What would have avoided a violation, or was at fault.
pub fn explanation(file: &str, fields: Value) -> Value {
    let mut object = object("explanation", json!({ "file": file }));
    if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
        object.extend(fields);
    }
    object
}

/// What became of the search for a front.
pub fn front(
    file: &str,
    verdict: &str,
    detail: &str,
    checked: Option<&str>,
    assumed: Option<&str>,
    milliseconds: u64,
) -> Value {
    let fields = json!({
        "file": file,
        "verdict": verdict,
        "detail": detail,
        "checked": checked,
        "assumption": assumed,
        "milliseconds": milliseconds,
    });
    object("front", fields)
}

/// What became of the search for a template: orders and settings of each match, by their names.
pub fn matched(
    file: &str,
    verdict: &str,
    detail: &str,
    matches: &[Vec<(String, String)>],
    checked: Option<&str>,
    milliseconds: u64,
) -> Value {
    let of = |found: &Vec<(String, String)>| -> Value {
        found.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
    };
    let fields = json!({
        "file": file,
        "verdict": verdict,
        "detail": detail,
        "matches": matches.iter().map(of).collect::<Vec<Value>>(),
        "checked": checked,
        "milliseconds": milliseconds,
    });
    object("match", fields)
}

/// What a search through states counted.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The states.
    pub states: u64,
    /// The steps between them.
    pub steps: u64,
    /// The largest distance from a first state.
    pub depth: u64,
    /// The bytes of a state.
    pub bytes: u64,
    /// Whether these are all.
    pub is_complete: bool,
}

/// What a search through states came to: its counts unless a limit ended it, and for each property its label, its name and
/// the steps to its violation.
pub fn explored(
    file: &str,
    counts: Result<Counts, &str>,
    properties: &[(String, Option<&str>, Option<usize>)],
    milliseconds: u64,
) -> Value {
    let of = |(label, name, steps): &(String, Option<&str>, Option<usize>)| {
        let verdict = if steps.is_some() { "unsafe" } else { "unknown" };
        json!({ "property": label, "name": name, "verdict": verdict, "steps": steps })
    };
    let known = counts.as_ref().ok();
    let fields = json!({
        "file": file,
        "states": known.map(|known| known.states),
        "steps": known.map(|known| known.steps),
        "depth": known.map(|known| known.depth),
        "bytes": known.map(|known| known.bytes),
        "is_complete": known.is_some_and(|known| known.is_complete),
        "detail": counts.as_ref().err(),
        "properties": properties.iter().map(of).collect::<Vec<Value>>(),
        "milliseconds": milliseconds,
    });
    object("explored", fields)
}

/// What became of a piece of evidence; whether it is accepted is null where that was not found out.
pub fn certified(file: &str, accepted: Option<bool>, detail: &str) -> Value {
    object("certified", json!({ "file": file, "accepted": accepted, "detail": detail }))
}
