//! What a program gets with an answer: the evidence, the model, the derivation, the run, as data.
//!
//! A part that is large is left out, which is said; so an answer stays a line that can be read.

use serde::Serialize;

/// The most bytes of a part that is not asked for by name.
pub const MAX_BYTES: usize = 1 << 20;

/// A step of a derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TreeStep {
    /// Its position.
    pub step: usize,
    /// What it concludes.
    pub fact: String,
    /// The clause: its number, its name, its line.
    pub clause: String,
    /// Values of variables that no fact shows: `n = 1`.
    pub values: Vec<String>,
    /// The steps that it uses.
    pub premises: Vec<usize>,
    /// How many rounds of its clauses it stands for, if it stands for many.
    pub rounds: Option<String>,
}

/// A signal of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SignalValues {
    /// What it is: `property`, `constraint`, `input`, `state`, `output`.
    pub role: &'static str,
    /// Its name.
    pub name: String,
    /// How many bits it has.
    pub width: u32,
    /// Its value in each step, from the highest bit down; an `x` does not matter.
    pub values: Vec<String>,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// How many steps it has.
    pub steps: usize,
    /// The step that follows the last one, if the run repeats for ever from there.
    pub loop_start: Option<usize>,
    /// The signals.
    pub signals: Vec<SignalValues>,
}

/// A formula at a place of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceFormula {
    /// What it is: `invariant`, `requires`, `ensures`.
    pub kind: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function.
    pub function: Option<String>,
    /// What holds there.
    pub formula: String,
}

/// A statement that a run of a program passes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceStep {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function.
    pub function: String,
    /// How deep in calls it is.
    pub depth: usize,
    /// The thread, by the order of creation; the first is not said.
    #[serde(skip_serializing_if = "is_first")]
    pub thread: u32,
    /// The variables that have other values afterwards, with these.
    pub values: Vec<(String, String)>,
}

/// Whether a thread is the first.
fn is_first(thread: &u32) -> bool {
    *thread == 0
}

/// What is carried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Carried {
    /// The evidence as `alphorn check` reads it.
    pub evidence_text: Option<String>,
    /// The model's definitions, or the invariant's parts.
    pub model: Option<Vec<String>>,
    /// The derivation from Horn clauses.
    pub tree: Option<Vec<TreeStep>>,
    /// The run of a circuit or a transition system.
    pub trace: Option<Run>,
    /// The invariants and contracts of a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Vec<SourceFormula>>,
    /// The run of a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<SourceStep>>,
    /// What is said about infinite runs (`runs::value`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<serde_json::Value>,
    /// What is not here though it exists, and how to get it.
    pub left_out: Vec<String>,
}
