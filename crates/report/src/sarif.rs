//! Answers as SARIF 2.1.0, which code hosts and editors show beside the lines.
//!
//! A violated property is a failure at its place, one that holds has passed, and what is not decided is open.

use crate::answer::Outcome;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What was found about a property of a file.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file.
    pub file: String,
    /// The property.
    pub property: String,
    /// The verdict.
    pub verdict: Outcome,
    /// What there is to say about it.
    pub message: String,
    /// Line and column of the violation, from 1.
    pub place: Option<(u32, u32)>,
    /// How long it took.
    pub milliseconds: u64,
}

/// All that was found, as one run of this program.
pub fn sarif(found: &[Found], version: &str) -> String {
    let names: BTreeSet<&str> = found.iter().map(|one| one.property.as_str()).collect();
    let rules: Vec<Value> = names
        .iter()
        .map(|name| json!({ "id": name, "shortDescription": { "text": format!("the property {name}") } }))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "alphorn", "version": version, "rules": rules } },
            "results": found.iter().map(result).collect::<Vec<Value>>(),
        }],
    });
    format!("{log:#}\n")
}

fn result(found: &Found) -> Value {
    let (kind, level) = match found.verdict {
        Outcome::Safe => ("pass", "none"),
        Outcome::Unsafe => ("fail", "error"),
        Outcome::Unknown => ("open", "none"),
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(&found.file) } });
    if let (Value::Object(place), Some((line, column))) = (&mut place, found.place) {
        place.insert("region".to_owned(), json!({ "startLine": line, "startColumn": column }));
    }
    json!({
        "ruleId": found.property,
        "kind": kind,
        "level": level,
        "message": { "text": found.message },
        "locations": [{ "physicalLocation": place }],
    })
}

/// A path as a reference: what is not plain is written by its bytes.
fn uri(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                text.push(char::from(byte));
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violations_are_failures_at_their_places() {
        let found = |verdict, place| Found {
            file: "a b.c".to_owned(),
            property: "unreach-call".to_owned(),
            verdict,
            message: "so".to_owned(),
            place,
            milliseconds: 3,
        };
        let all = [found(Outcome::Unsafe, Some((7, 5))), found(Outcome::Unknown, None)];
        let log: Value = serde_json::from_str(&sarif(&all, "1")).expect("it is JSON");
        let results = &log["runs"][0]["results"];
        assert_eq!(results[0]["level"], "error");
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.c");
        assert_eq!(place["region"]["startLine"], 7);
        assert_eq!((&results[1]["kind"], &results[1]["level"]), (&"open".into(), &"none".into()));
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(1));
    }
}
