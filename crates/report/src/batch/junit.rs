//! Answers as a file that build servers read: JUnit's XML.
//!
//! A violated property is a failure, one that is not decided is skipped, and a file without an answer is an
//! error.

use super::Row;
use crate::html::entity;
use std::fmt::Write;

/// Rows as one test suite.
pub fn junit(rows: &[Row<'_>]) -> String {
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"alphorn\" tests=\"{}\" failures=\"{}\" \
         errors=\"{}\" skipped=\"{}\" time=\"{seconds:.3}\">\n",
        rows.len(),
        count("unsafe"),
        count("error"),
        count("unknown"),
    );
    for Row { file, property, verdict, seconds, detail, .. } in rows.iter().cloned() {
        let name = if property.is_empty() { "read" } else { property };
        let _ = write!(
            text,
            "  <testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\"",
            escaped(file),
            escaped(name)
        );
        let element = match verdict {
            "safe" => None,
            "unsafe" => Some("failure"),
            "unknown" => Some("skipped"),
            _ => Some("error"),
        };
        let _ = match element {
            None => writeln!(text, "/>"),
            Some(element) => {
                let detail = escaped(detail);
                writeln!(text, "><{element} message=\"{detail}\"/></testcase>")
            }
        };
    }
    text.push_str("</testsuite>\n");
    text
}

/// Text inside an attribute; control characters, which XML cannot have, become spaces.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match entity(c) {
            Some(entity) => out.push_str(entity),
            None => out.push(if c.is_control() { ' ' } else { c }),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn violations_are_failures_and_what_is_open_is_skipped() {
        let records = super::super::tests::records();
        let rows: Vec<_> = records.iter().flat_map(super::super::Record::rows).collect();
        let text = super::junit(&rows);
        assert!(text.contains("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""), "{text}");
        assert!(text.contains("a &quot;word&quot;, wrong &amp; &lt;short&gt;"), "{text}");
        assert_eq!(text.matches("<testcase").count(), 4);
    }
}
