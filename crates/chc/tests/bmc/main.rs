//! Bounded search on systems that are not linear: small ones, and random ones against `pdr`; evidence
//! is always checked.

#![allow(clippy::unwrap_used)]

use alphorn_chc::engines::{HORN_ENGINES, HORN_VARIANTS};
use alphorn_engine::Event;
use alphorn_horn::conclude;
use alphorn_problem::Horn;
use alphorn_testkit::horn::judge;
use alphorn_testkit::horn::numbers::{Generator, Kind};
use alphorn_testkit::read::horn as read;

const BOTH: [&str; 2] = ["bmc-forward", "bmc-backward"];

/// Runs the engine called `name` for at most `ticks`; what it says in a line, the ticks used, the events.
#[track_caller]
fn run(name: &str, horn: &Horn, ticks: u64) -> (String, u64, Vec<Event>) {
    judge::run(judge::card(&[HORN_ENGINES, HORN_VARIANTS], name), horn, ticks, conclude)
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
    let cleared = bounds(&events);
    assert!(
        cleared.iter().all(|&depth| depth < 5),
        "the lowest tree with 16 leaves is of height 5"
    );
    assert!(cleared.iter().enumerate().all(|(at, &depth)| at as u64 == depth), "{cleared:?}");
}

/// Procedures of which each calls the next one twice, to a last one that fails if it is called with 0.
fn calls(depth: usize) -> Horn {
    let mut text = String::from("(set-logic HORN)\n");
    for at in 0..=depth {
        text += &format!("(declare-fun p{at} (Int Int Bool) Bool)\n");
    }
    text += &format!(
        "(assert (forall ((s Int)) (=> (<= s 0) (p{depth} s s true))))
         (assert (forall ((s Int)) (p{depth} s s false)))\n"
    );
    for at in 0..depth {
        let next = at + 1;
        text += &format!(
            "(assert (forall ((s Int) (t Int)) (=> (p{next} s t true) (p{at} s t true))))
             (assert (forall ((s Int) (t Int) (u Int) (e Bool))
               (=> (and (p{next} s t false) (p{next} t u e)) (p{at} s u e))))\n"
        );
    }
    read(&(text + "(assert (forall ((t Int)) (=> (p0 0 t true) false)))"))
}

#[test]
fn an_assertion_deep_in_calls_is_found_without_opening_the_calls_beside_it() {
    let (line, ..) = run("bmc-backward", &calls(25), 2_000_000);
    assert!(line.starts_with("unsafe, "), "{line}");
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
fn what_no_tree_can_reach_has_a_model() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (> x 0) (p x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (< x y) (< y x)) false)))";
    assert_eq!(run("bmc-backward", &read(text), 50_000).0, "safe");
}

/// A call is refuted by what its callee returns at most; the callee is recursive, and only its last round
/// matters.
#[test]
fn a_tree_with_arbitrary_leaves_that_has_no_derivation_is_a_proof() {
    let text = "(set-logic HORN) (declare-fun f (Int Int) Bool) (declare-fun g (Int Int) Bool)
        (assert (forall ((x Int)) (f x 1)))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (f (- x 1) y) (f (- x 2) z)) (f x (ite (< (+ y z) 1) 1 (+ y z))))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (f x y) (f y z)) (g x z))))
        (assert (forall ((x Int) (y Int)) (=> (and (g x y) (< y 1)) false)))";
    for engine in ["bmc", "bmc-backward"] {
        assert_eq!(run(engine, &read(text), 200_000).0, "safe", "{engine}");
    }
}

#[test]
fn systems_without_recursion_are_decided() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (declare-fun r (Int) Bool)
             (assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 3)) (p x))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q (+ x y)))))
             (assert (forall ((x Int) (y Int)) (=> (and (q x) (q y)) (r (+ x y)))))
             (assert (forall ((x Int)) (=> (and (r x) (> x {query})) false)))"
        )
    };
    for engine in ["bmc", "bmc-forward", "bmc-backward"] {
        let (line, ..) = run(engine, &read(&text("11")), 500_000);
        assert!(line.starts_with("unsafe, "), "{engine}: {line}");
    }
    for engine in ["bmc", "bmc-backward"] {
        assert_eq!(run(engine, &read(&text("12")), 500_000).0, "safe", "{engine}");
    }
}

/// Linear systems are unrolled as paths, from either end.
#[test]
fn loops_that_end_are_exhausted() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 0 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 5)) (p (+ x 1) (+ y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 5)) (q y))))
        (assert (forall ((x Int)) (=> (and (q x) (not (= x 10))) false)))";
    for engine in ["bmc", "bmc-forward"] {
        assert_eq!(run(engine, &read(text), 2_000_000).0, "safe", "{engine}");
    }
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
            if line == "safe" {
                assert!(!expected.starts_with("unsafe"), "{engine}, {number}: {text}");
            }
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
