//! Bounded search on systems that are not linear: small ones, and random ones against `pdr`; evidence
//! is always checked.

#![allow(clippy::unwrap_used)]

#[path = "../horn/generator.rs"]
mod generator;
#[path = "../horn/judge.rs"]
mod judge;

use alphorn_engine::Event;
use alphorn_problem::Horn;
use generator::{Generator, Kind};
use judge::run;

const BOTH: [&str; 2] = ["bmc-forward", "bmc-backward"];

#[track_caller]
fn read(text: &str) -> Horn {
    let (script, diagnostics) = alphorn_front::smtlib::read(text.as_bytes());
    assert!(diagnostics.is_clean(), "{diagnostics:?}");
    script.expect("a script without errors is a system").horn
}

/// The bounds that an engine says it has cleared.
fn bounds(events: &[Event]) -> Vec<u64> {
    let bound = |event: &Event| match event {
        Event::Bound { depth } => Some(*depth),
        _ => None,
    };
    events.iter().filter_map(bound).collect()
}

const SUMS: &str = "(set-logic HORN) (declare-fun sum (Int) Bool)
    (assert (sum 1))
    (assert (forall ((x Int) (y Int)) (=> (and (sum x) (sum y)) (sum (+ x y)))))
    (assert (forall ((x Int)) (=> (and (sum x) QUERY) false)))";

#[test]
fn facts_that_are_needed_twice_are_derived_once() {
    let horn = read(&SUMS.replace("QUERY", "(= x 16)"));
    let (line, _, events) = run("bmc-forward", &horn, 2_000_000);
    assert_eq!(line, "unsafe, 6 steps", "1, 2, 4, 8, 16 and the query");
    assert_eq!(bounds(&events), [0, 1, 2, 3, 4]);
}

#[test]
fn trees_grow_from_the_query() {
    let horn = read(&SUMS.replace("QUERY", "(= x 16)"));
    let (line, _, events) = run("bmc-backward", &horn, 2_000_000);
    assert_eq!((line.clone(), bounds(&events)), {
        let (line, _, events) = run("bmc", &horn, 2_000_000);
        (line, bounds(&events))
    });
    assert!(line.starts_with("unsafe"), "{line}");
    assert_eq!(bounds(&events), [0, 1, 2, 3, 4], "the lowest tree with 16 leaves is of height 5");
}

#[test]
fn where_nothing_is_derived_none_is_found() {
    let horn = read(&SUMS.replace("QUERY", "(< x 1)"));
    for engine in BOTH {
        let (line, _, events) = run(engine, &horn, 50_000);
        assert_eq!(line, "out of ticks", "{engine}");
        assert!(bounds(&events).len() > 2, "{engine}: {:?}", bounds(&events));
    }
}

#[test]
fn what_no_tree_can_reach_is_said() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (> x 0) (p x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (< x y) (< y x)) false)))";
    let (line, ..) = run("bmc-backward", &read(text), 50_000);
    assert!(line.starts_with("stuck: no derivation of any size exists"), "{line}");
}

#[test]
fn random_systems_against_pdr() {
    let mut generator = Generator::new(Kind::TREES, 5);
    let (mut unsafe_, mut open) = (0, 0);
    for number in 0..60 {
        let text = generator.system();
        let horn = read(&text);
        let (expected, ..) = run("pdr", &horn, 1_000_000);
        for engine in BOTH {
            let (line, ..) = run(engine, &horn, 15_000);
            assert_ne!(line, "safe", "{engine}");
            if line.starts_with("unsafe, ") {
                assert!(expected.starts_with("unsafe, "), "{engine}, {number}: {text}");
                unsafe_ += 1;
            } else if expected.starts_with("unsafe, ") {
                open += 1;
            }
        }
    }
    assert!(unsafe_ >= 30 && open <= 4, "{unsafe_} unsafe, {open} not found");
}
