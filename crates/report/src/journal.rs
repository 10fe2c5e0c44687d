//! Journals: what a run learned, one fact per line, for a later run or for another process.
//!
//! Each line is a JSON object that one of its members names: `alphorn` (what the lines are about), `lemma` (a
//! formula about a declared predicate), `clause` (over the names of latches), `bound` (a depth without a
//! violation), `tried` (how far an engine came) and `answer` (a verdict with its evidence). Predicates and
//! latches go by the names of the problem as read, so that the lines survive other transforms and small
//! changes of the problem. A line is a hint: whoever reads it must try it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the format.
pub const VERSION: u64 = 1;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// What the lines after it are about.
    Head {
        /// The version of the format.
        alphorn: u64,
        /// The hash of the file.
        problem: String,
        /// The name of the file.
        file: String,
        /// The version of the program that wrote them.
        version: String,
    },
    /// All facts of a predicate satisfy a formula.
    Lemma {
        /// The predicate.
        lemma: String,
        /// Names for its arguments.
        params: Vec<String>,
        /// The formula over these names, in SMT-LIB.
        formula: String,
        /// The engine that found it.
        by: String,
        /// How far it holds.
        holds: Holds,
    },
    /// All states satisfy a clause.
    Clause {
        /// The latches, those that are false with a minus sign before their names.
        clause: Vec<String>,
        /// The engine that found it.
        by: String,
        /// How far it holds.
        holds: Holds,
    },
    /// No violation is as short as that.
    Bound {
        /// The depth.
        bound: u64,
        /// The property.
        property: String,
        /// Who says so.
        by: String,
    },
    /// An engine ended without an answer.
    Tried {
        /// The engine.
        tried: String,
        /// The property.
        property: String,
        /// The ticks it spent.
        ticks: u64,
        /// How it ended.
        ended: String,
    },
    /// A verdict.
    Answer {
        /// `safe` or `unsafe`.
        answer: String,
        /// The property.
        property: String,
        /// The engine that found it.
        by: String,
        /// The evidence, as the text of its file.
        evidence: String,
    },
}

/// How far somebody says that a formula holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Holds {
    /// For runs or derivations up to this length.
    Level(u64),
    /// For all.
    Always,
}

impl From<Holds> for String {
    fn from(holds: Holds) -> String {
        match holds {
            Holds::Level(level) => format!("level {level}"),
            Holds::Always => "always".to_owned(),
        }
    }
}

impl TryFrom<String> for Holds {
    type Error = String;

    fn try_from(text: String) -> Result<Holds, String> {
        if text == "always" {
            return Ok(Holds::Always);
        }
        let level = text.strip_prefix("level ").and_then(|level| level.parse().ok());
        level.map(Holds::Level).ok_or_else(|| format!("'{text}' is neither always nor a level"))
    }
}

impl Line {
    /// What a lemma or a clause says, whoever found it, and how far it holds; nothing for other lines.
    pub fn learned(&self) -> Option<(String, Holds)> {
        match self {
            Line::Lemma { lemma, params, formula, holds, .. } => {
                Some((format!("{lemma} {} {formula}", params.join(" ")), *holds))
            }
            Line::Clause { clause, holds, .. } => {
                let mut literals = clause.clone();
                literals.sort_unstable();
                Some((literals.join(" "), *holds))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

/// The lines of a text, and the numbers, from 1 on, of those that are none. The last line may have been cut
/// off when its writer was killed, and is no mistake then.
pub fn read_lines(text: &str) -> (Vec<Line>, Vec<usize>) {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(read) => lines.push(read),
            Err(_) if !line.ends_with('\n') => {}
            Err(_) => wrong.push(number + 1),
        }
    }
    (lines, wrong)
}

/// Whether a text looks like a journal.
pub fn is_journal(text: &[u8]) -> bool {
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<Line> {
        let (by, property) = ("pdr".to_owned(), "horn".to_owned());
        vec![
            Line::Head {
                alphorn: VERSION,
                problem: "sha256:00".to_owned(),
                file: "a.smt2".to_owned(),
                version: "0.1.0".to_owned(),
            },
            Line::Lemma {
                lemma: "inv".to_owned(),
                params: vec!["x".to_owned()],
                formula: "(<= x 3)".to_owned(),
                by: by.clone(),
                holds: Holds::Always,
            },
            Line::Clause {
                clause: vec!["full".to_owned(), "-wr[2]".to_owned()],
                by: by.clone(),
                holds: Holds::Level(7),
            },
            Line::Bound { bound: 41, property: property.clone(), by: by.clone() },
            Line::Tried {
                tried: by.clone(),
                property: property.clone(),
                ticks: 7,
                ended: "time".to_owned(),
            },
            Line::Answer {
                answer: "safe".to_owned(),
                property,
                by,
                evidence: "(model)\n".to_owned(),
            },
        ]
    }

    #[test]
    fn what_is_written_is_read() {
        let text: String = lines().iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(text.lines().count(), 6);
        assert!(text.contains(r#""holds":"level 7""#), "{text}");
        assert_eq!(read_lines(&text), (lines(), Vec::new()));
    }

    #[test]
    fn a_wrong_line_is_named_and_one_that_was_cut_off_is_none() {
        let text = format!("{}\n{{\"lemma\":3}}\n\n{}", lines()[0], r#"{"bound":4,"pro"#);
        let (read, wrong) = read_lines(&text);
        assert_eq!(read.len(), 1);
        assert_eq!(wrong, [2]);
        let upside = r#"{"clause":["a"],"by":"ic3","holds":"sometimes"}"#;
        assert_eq!(read_lines(&format!("{upside}\n")).1, [1]);
    }
}
