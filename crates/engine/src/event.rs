//! Events: everything an engine says besides its verdict.
//!
//! One table. Reports turn events into progress lines and JSON; nothing in an engine knows how
//! they look. An event is a fact about the run that a user may want to see or a program may want
//! to store; it is cheap to make and may be dropped.

use std::time::Duration;

/// Facts about a run that an engine tells while it works; they may be dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// No counterexample is shorter than or as long as `depth` steps.
    Bound {
        /// The length excluded.
        depth: u64,
    },
    /// Distinct states (or facts) seen so far, and how many wait to be expanded.
    Explored {
        /// Seen.
        seen: u64,
        /// Waiting.
        waiting: u64,
    },
    /// Random runs tried so far.
    Simulated {
        /// Steps in all runs together.
        steps: u64,
    },
    /// Lemmas held so far, of whatever strength.
    Lemmas {
        /// How many.
        count: u64,
    },
    /// The sizes of the frames of a run that has some.
    Frames {
        /// The lemmas at each level, level 1 first.
        sizes: Vec<u32>,
        /// The lemmas that hold at all levels.
        infinite: u32,
    },
    /// A formula that all facts of a predicate satisfy, for good.
    Proved {
        /// The predicate.
        predicate: String,
        /// The formula over its parameters.
        formula: String,
    },
    /// A formula that has held so far, and the clauses at which it is not kept.
    Candidate {
        /// The predicate.
        predicate: String,
        /// The formula over its parameters.
        formula: String,
        /// The clause that the engine found, by its position; in a report, those of the problem as
        /// read that it was made of.
        clauses: Vec<u64>,
    },
    /// An unwinding at the end of a search: its first instances, each after those it is derived from.
    Unwinding {
        /// The instances.
        instances: Vec<UnwoundInstance>,
        /// How many there are in all.
        count: u64,
    },
    /// A remark for the curious (`-vv`).
    Remark(String),
}

/// An instance of a predicate in an unwinding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwoundInstance {
    /// The name of the predicate whose facts it stands for.
    pub predicate: String,
    /// What is known of the instance's facts.
    pub annotation: String,
    /// The instances that its facts are derived from, by position.
    pub premises: Vec<usize>,
    /// The instance that covers it, by position.
    pub covered_by: Option<usize>,
}

/// An event with where and when it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The engine's name.
    pub engine: &'static str,
    /// How long after the beginning of the run it happened.
    pub at: Duration,
    /// What happened.
    pub event: Event,
}
