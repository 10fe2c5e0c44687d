//! Random systems over words, arrays and datatypes: engines agree, and no evidence is refused.

use crate::run;
use alphorn_testkit::horn::theories::{Systems, Theory};
use alphorn_testkit::read::horn as read;

/// Asks each engine about systems of a theory; how many of them are safe and unsafe.
fn verdicts(theory: Theory, seeds: std::ops::Range<u64>, engines: &[&str]) -> (u32, u32) {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in seeds {
        let text = Systems::text(theory, seed);
        let horn = read(&text);
        let lines: Vec<String> =
            engines.iter().map(|engine| run(engine, &horn, 20_000).0).collect();
        let is_safe = lines.iter().any(|line| line == "safe");
        let is_unsafe = lines.iter().any(|line| line.starts_with("unsafe"));
        assert!(!is_safe || !is_unsafe, "seed {seed}: {lines:?} about\n{text}");
        safe += u32::from(is_safe);
        unsafe_ += u32::from(is_unsafe);
    }
    (safe, unsafe_)
}

#[test]
fn about_words() {
    let (safe, unsafe_) = verdicts(Theory::Words, 0..40, &["pdr", "bmc", "duality", "forward"]);
    assert!(safe >= 10 && unsafe_ >= 10, "{safe} safe and {unsafe_} unsafe");
}

#[test]
fn about_arrays() {
    let (safe, unsafe_) = verdicts(Theory::Arrays, 0..40, &["pdr", "bmc", "cells", "forward"]);
    assert!(safe >= 5 && unsafe_ >= 10, "{safe} safe and {unsafe_} unsafe");
}

#[test]
fn about_datatypes() {
    let engines = ["folds", "automata", "induction", "bmc", "forward"];
    let (safe, unsafe_) = verdicts(Theory::Data, 0..60, &engines);
    assert!(safe >= 10 && unsafe_ >= 10, "{safe} safe and {unsafe_} unsafe");
}
