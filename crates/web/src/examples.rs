//! The examples that the page offers: one table, from the files of the repository.

use serde_json::{Value, json};

/// An example.
pub struct Example {
    /// The name of its file, whose ending says the format.
    pub file: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What is asked about it: `safety` or `termination`.
    pub asked: &'static str,
    /// The answer, as people read it.
    pub expect: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! examples {
    ($($file:literal, $asked:literal, $expect:literal, $about:literal;)*) => {
        /// All examples, in the order of the page.
        pub const EXAMPLES: &[Example] = &[$(Example {
            file: $file,
            about: $about,
            asked: $asked,
            expect: $expect,
            text: include_str!(concat!("../../../examples/", $file)),
        }),*];
    };
}

examples! {
    "bounded_counter.smt2", "safety", "SAFE", "Horn clauses: a counter that starts again";
    "midpoint.smt2", "safety", "UNSAFE", "Horn clauses: the midpoint that overflows";
    "list_append.smt2", "safety", "SAFE", "Horn clauses: lists put together";
    "array_fill.smt2", "safety", "SAFE", "Horn clauses: an array that is filled";
    "counters.c", "safety", "SAFE", "C: two counters";
    "gcd.c", "termination", "TERMINATES", "C: the greatest common divisor ends";
    "toggle.aag", "safety", "UNSAFE", "Circuit: a latch that toggles";
    "lock.aag", "safety", "UNSAFE", "Circuit: a lock and its code";
    "traffic_light.btor2", "safety", "SAFE", "Words: a traffic light";
    "ram.btor2", "safety", "SAFE", "Words: a memory and a copy of a cell";
    "drift.t2", "termination", "NONTERMINATING", "Flow: a loop that need not end";
}

/// The table as data for the page.
pub fn value() -> Value {
    let one = |example: &Example| {
        let Example { file, about, asked, text, .. } = example;
        json!({ "file": file, "about": about, "asked": asked, "text": text })
    };
    EXAMPLES.iter().map(one).collect()
}
