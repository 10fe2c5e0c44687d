//! An answer about one property, as plain data: what every form of output is made from.

use serde::Serialize;

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Nothing bad can happen.
    Safe,
    /// Something bad can happen.
    Unsafe,
    /// Not decided.
    Unknown,
}

impl Outcome {
    /// The word for a Horn user: `sat` is safe.
    pub fn horn(self) -> &'static str {
        match self {
            Outcome::Safe => "sat",
            Outcome::Unsafe => "unsat",
            Outcome::Unknown => "unknown",
        }
    }

    /// The word for a hardware user: `sat` is unsafe.
    pub fn hwmcc(self) -> &'static str {
        match self {
            Outcome::Safe => "unsat",
            Outcome::Unsafe => "sat",
            Outcome::Unknown => "unknown",
        }
    }

    /// The word for those who verify programs, with the property that is violated.
    pub fn svcomp(self, violated: Option<&str>) -> String {
        match (self, violated) {
            (Outcome::Safe, _) => "true".to_owned(),
            (Outcome::Unsafe, Some(property)) => format!("false({property})"),
            (Outcome::Unsafe, None) => "false".to_owned(),
            (Outcome::Unknown, _) => "unknown".to_owned(),
        }
    }

    /// The word of the termination competition.
    pub fn termcomp(self) -> &'static str {
        match self {
            Outcome::Safe => "YES",
            Outcome::Unsafe => "NO",
            Outcome::Unknown => "MAYBE",
        }
    }

    /// The word for everybody else.
    pub fn human(self) -> &'static str {
        match self {
            Outcome::Safe => "SAFE",
            Outcome::Unsafe => "UNSAFE",
            Outcome::Unknown => "UNKNOWN",
        }
    }
}

/// What was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Whether something bad can happen.
    #[default]
    Safety,
    /// Whether every run ends.
    Termination,
    /// Whether a temporal formula holds.
    Temporal,
    /// Whether a controller can keep errors from showing.
    Synthesis,
}

impl Question {
    /// The word for an answer to it.
    pub fn human(self, outcome: Outcome) -> &'static str {
        match (self, outcome) {
            (Question::Termination, Outcome::Safe) => "TERMINATES",
            (Question::Termination, Outcome::Unsafe) => "RUNS FOREVER",
            (Question::Temporal, Outcome::Safe) => "HOLDS",
            (Question::Temporal, Outcome::Unsafe) => "FAILS",
            (Question::Synthesis, Outcome::Safe) => "REALIZABLE",
            (Question::Synthesis, Outcome::Unsafe) => "UNREALIZABLE",
            (Question::Safety, _) | (_, Outcome::Unknown) => outcome.human(),
        }
    }

    fn is_safety(&self) -> bool {
        *self == Question::Safety
    }
}

/// What was checked to believe an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// What was checked, in words: `12 of 12 clauses`, `a run of 9 steps`.
    pub what: String,
    /// How long it took.
    pub milliseconds: u64,
}

/// A phase of a run and how long it took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Phase {
    /// Its name: `read`, `transform`, `run`, and within it `prove`, `check`.
    pub name: &'static str,
    /// How long it took.
    pub milliseconds: u64,
}

/// What one engine did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttemptLine {
    /// The engine.
    pub engine: String,
    /// How it ended, in words.
    pub ended: String,
    /// How long it ran.
    pub milliseconds: u64,
    /// The ticks it spent.
    pub ticks: u64,
    /// The greatest depth without a counterexample that it said.
    pub bound: Option<u64>,
    /// The lemmas it had.
    pub lemmas: Option<u64>,
}

/// A formula about a predicate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Formula {
    /// The engine that said it.
    pub engine: String,
    /// The predicate.
    pub predicate: String,
    /// The formula.
    pub formula: String,
    /// The clauses as read that together do not keep it, if it is a candidate and they are known.
    pub clauses: Vec<u64>,
}

/// What a run without an answer found out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Partial {
    /// Formulas that hold for good.
    pub proved: Vec<Formula>,
    /// Formulas that have held so far, the latest first.
    pub candidates: Vec<Formula>,
    /// Lemmas that look alike and do not end, in words.
    pub patterns: Vec<String>,
}

/// An answer about one property of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The file, as the user named it.
    pub file: String,
    /// The property: `bad 0`, `output 0`, `horn`.
    pub property: String,
    /// The property's name in the file.
    pub name: Option<String>,
    /// What was asked, if it is not whether something bad can happen.
    #[serde(skip_serializing_if = "Question::is_safety")]
    pub question: Question,
    /// The verdict.
    pub verdict: Outcome,
    /// One phrase about it: "after 9 steps", "with a model of 2 predicates", "out of time".
    pub detail: String,
    /// The engine that answered.
    pub engine: Option<String>,
    /// What was checked; always there for a verdict.
    pub checked: Option<Checked>,
    /// The file the evidence was written to.
    pub evidence: Option<String>,
    /// The greatest depth without a counterexample.
    pub bound: Option<u64>,
    /// Wall-clock time of the whole job so far.
    pub milliseconds: u64,
    /// Where the time went.
    pub phases: Vec<Phase>,
    /// What the engines did.
    pub attempts: Vec<AttemptLine>,
    /// What was found out, where there is no verdict.
    pub partial: Option<Partial>,
    /// What the user should know about the verdict: that it is vacuous.
    pub warnings: Vec<String>,
    /// The property of a program that is violated, where several are asked about together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violated: Option<String>,
    /// What the answer takes for granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// Which engine came furthest without a verdict, what stopped it, and the like; a sentence each.
    pub why: Vec<String>,
    /// What the user could try next.
    pub hints: Vec<String>,
}

impl Answer {
    /// The answer when nothing could be said about a file in time.
    pub fn unknown(file: &str, detail: &str) -> Answer {
        Answer {
            file: file.to_owned(),
            property: "all".to_owned(),
            name: None,
            question: Question::Safety,
            verdict: Outcome::Unknown,
            detail: detail.to_owned(),
            engine: None,
            checked: None,
            evidence: None,
            bound: None,
            milliseconds: 0,
            phases: Vec::new(),
            attempts: Vec::new(),
            partial: None,
            warnings: Vec::new(),
            violated: None,
            assumptions: Vec::new(),
            why: Vec::new(),
            hints: Vec::new(),
        }
    }
}
