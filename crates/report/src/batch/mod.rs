//! Many problems: a record for each, and what is made of all of them.
//!
//! A record is what one run said of one file. Tables, files for build servers and plots are made of records alone,
//! so that it does not matter where and when the runs took place.

mod junit;
mod plot;

pub use junit::junit;
pub use plot::{cactus, scatter};

use crate::answer::Outcome;
use crate::sarif::Found;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// What a run said of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of the output's schema.
    pub schema: u64,
    /// Always `batch`.
    pub kind: String,
    /// The file, as it stands in the list.
    pub file: String,
    /// What its bytes hash to.
    pub sha256: String,
    /// The options of the run.
    pub options: Vec<String>,
    /// How the run ended; none if something else ended it.
    pub exit: Option<i32>,
    /// How long it took.
    pub milliseconds: u64,
    /// The answers, as `--json` prints them.
    pub answers: Vec<Value>,
    /// What was said besides, if there is no answer.
    pub said: String,
}

/// An answer in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a str,
    /// The property.
    pub property: &'a str,
    /// `safe`, `unsafe`, `unknown`, or `error`.
    pub verdict: &'a str,
    /// The engine that decided it.
    pub engine: &'a str,
    /// How long the run took, in seconds.
    pub seconds: f64,
    /// Why there is no answer, or what the answer says.
    pub detail: &'a str,
}

impl<'a> Row<'a> {
    /// What was found about a property.
    pub fn of(found: &'a Found) -> Row<'a> {
        Row {
            file: &found.file,
            property: &found.property,
            verdict: match found.verdict {
                Outcome::Safe => "safe",
                Outcome::Unsafe => "unsafe",
                Outcome::Unknown => "unknown",
            },
            engine: "",
            seconds: found.milliseconds as f64 / 1000.0,
            detail: &found.message,
        }
    }

    /// Whether there is a verdict.
    pub fn is_decided(&self) -> bool {
        matches!(self.verdict, "safe" | "unsafe")
    }
}

impl Record {
    /// A row for each answer, or one for the run if there is none.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let seconds = |answer: &Value| {
            let own = answer.get("milliseconds").and_then(Value::as_u64);
            own.unwrap_or(self.milliseconds) as f64 / 1000.0
        };
        if self.answers.is_empty() {
            let seconds = self.milliseconds as f64 / 1000.0;
            let (file, detail) = (self.file.as_str(), self.said.as_str());
            return vec![Row { file, property: "", verdict: "error", engine: "", seconds, detail }];
        }
        let mut rows = Vec::with_capacity(self.answers.len());
        for answer in &self.answers {
            rows.push(Row {
                file: &self.file,
                property: text(answer, "property").unwrap_or(""),
                verdict: text(answer, "verdict").unwrap_or("error"),
                engine: text(answer, "engine").unwrap_or(""),
                seconds: seconds(answer),
                detail: text(answer, "detail").unwrap_or(""),
            });
        }
        rows
    }
}

fn text<'a>(answer: &'a Value, name: &str) -> Option<&'a str> {
    answer.get(name).and_then(Value::as_str)
}

/// How many answers of each kind there are, and how long they took; then what is not decided.
pub fn summary(records: &[Record]) -> String {
    let rows: Vec<Row<'_>> = records.iter().flat_map(Record::rows).collect();
    let mut text = format!("{} files, {} properties\n", records.len(), rows.len());
    for verdict in ["safe", "unsafe", "unknown", "error"] {
        let own: Vec<&Row<'_>> = rows.iter().filter(|row| row.verdict == verdict).collect();
        if own.is_empty() {
            continue;
        }
        let sum: f64 = own.iter().map(|row| row.seconds).sum();
        let slowest = own.iter().map(|row| row.seconds).fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "  {verdict:<8} {:>6}  {sum:>9.2} s in all, {slowest:.2} s the slowest",
            own.len()
        );
    }
    for row in rows.iter().filter(|row| !row.is_decided()) {
        let property = if row.property.is_empty() { "" } else { " " };
        let place = format!("{}{property}{}", row.file, row.property);
        let _ = writeln!(text, "  {:<8} {place}: {}", row.verdict, row.detail);
    }
    text
}

/// A record as text, and what comes of such a text.
pub fn write(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// The record that a text is.
pub fn read(text: &str) -> Result<Record, String> {
    let record: Record = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match record.kind.as_str() {
        "batch" => Ok(record),
        other => Err(format!("this is no record of a batch but of kind '{other}'")),
    }
}

/// The answers among lines that `--json` printed.
pub fn answers(lines: &str) -> Vec<Value> {
    let all = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    all.filter(|object| text(object, "kind") == Some("answer")).collect()
}

/// The rows with commas between their fields.
pub fn csv(records: &[Record]) -> String {
    let quoted = |field: &str| match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    };
    let mut text = "file,property,verdict,engine,seconds,detail\n".to_owned();
    for row in records.iter().flat_map(Record::rows) {
        let Row { file, property, verdict, engine, seconds, detail } = row;
        let fields = [file, property, verdict, engine, &format!("{seconds:.3}"), detail];
        let line: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
        text.push_str(&line.join(","));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    pub(super) fn records() -> Vec<Record> {
        let record = |file: &str, answers: Vec<Value>, exit| Record {
            schema: 1,
            kind: "batch".to_owned(),
            file: file.to_owned(),
            sha256: "00".to_owned(),
            options: Vec::new(),
            exit: Some(exit),
            milliseconds: 1500,
            answers,
            said: if exit == 4 { "a \"word\", wrong & <short>".to_owned() } else { String::new() },
        };
        let answer = |verdict: &str, milliseconds: u64| json!({ "property": "bad 0", "verdict": verdict, "engine": "pdr", "detail": "so", "milliseconds": milliseconds });
        vec![
            record("a.smt2", vec![answer("safe", 200)], 0),
            record("b.aig", vec![answer("unsafe", 40), answer("unknown", 1400)], 1),
            record("c.smt2", Vec::new(), 4),
        ]
    }

    #[test]
    fn every_answer_and_every_file_without_one_is_a_row() {
        let records = records();
        let rows: Vec<Row<'_>> = records.iter().flat_map(Record::rows).collect();
        let verdicts: Vec<&str> = rows.iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, ["safe", "unsafe", "unknown", "error"]);
        assert_eq!(rows[3].detail, "a \"word\", wrong & <short>");
    }

    #[test]
    fn the_summary_counts_and_names_what_is_not_decided() {
        let text = summary(&records());
        assert!(text.starts_with("3 files, 4 properties\n"), "{text}");
        assert!(text.contains("  unknown  b.aig bad 0: so\n"), "{text}");
        assert!(text.contains("  error    c.smt2: a \"word\""), "{text}");
    }

    #[test]
    fn commas_and_quotes_are_quoted() {
        let text = csv(&records());
        assert_eq!(text.lines().count(), 5);
        assert!(
            text.contains("c.smt2,,error,,1.500,\"a \"\"word\"\", wrong & <short>\"\n"),
            "{text}"
        );
    }
}
