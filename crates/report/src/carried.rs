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
    /// What is not here though it exists, and how to get it.
    pub left_out: Vec<String>,
}
