//! Bounded model checking and induction, on circuits with known answers and on random ones.

use crate::{decide, summary};
use alphorn_engine::Event;
use alphorn_problem::Circuit;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter, shows};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use alphorn_testkit::read::circuit as read;

#[track_caller]
fn check(name: &str, circuit: &Circuit, expected: &str) {
    let (verdict, log, _) = decide(name, circuit, 100_000, 1);
    assert_eq!(summary(&verdict), expected, "after {log:?}");
}

#[test]
fn counterexamples_are_shortest() {
    for name in ["bmc", "kind"] {
        check(name, &counter(3, 7, 6, 9), "unsafe, 7 steps");
        check(name, &counter(5, 31, 29, 0), "unsafe, 30 steps");
    }
}

#[test]
fn inductions_of_different_kinds() {
    let simple = "safe, KInductive { k: 2, simple_path: true, lemmas: [] }";
    check("kind", &counter(3, 4, 6, 9), simple);
    // The latch keeps its value, which is inductive.
    check(
        "kind",
        &read("aag 1 0 1 0 0 1\n2 2\n2\n"),
        "safe, KInductive { k: 1, simple_path: false, lemmas: [] }",
    );
    // Nothing is ever bad.
    let mut never = circuit(1, 1);
    never.bads.push(alphorn_problem::circuit::Lit::FALSE);
    check("kind", &never, "safe, KInductive { k: 0, simple_path: false, lemmas: [] }");
    check("bmc", &never, "out of ticks");
    // The first state is tied to the first inputs, which no invariant over states can say.
    let tied = read("aag 3 1 1 0 1 1\n2\n4 0 2\n6\n6 4 3\n");
    check("kind", &tied, "safe, KInductive { k: 1, simple_path: false, lemmas: [] }");
}

#[test]
fn runs_that_end() {
    let no_runs = read("aag 2 1 1 0 0 1 2\n2\n4 2\n5\n3\n2\n");
    let at_once = "safe, KInductive { k: 0, simple_path: false, lemmas: [] }";
    check("bmc", &no_runs, at_once);
    check("kind", &no_runs, at_once);
    // The counter must count, and must not where it shows 3, so that runs end there.
    let mut ends = counter(3, 7, 6, 0);
    let (input, third) = (ends.input(0), shows(&mut ends, 3, 3));
    let forbidden = and(&mut ends, input, third);
    ends.constraints.extend([input, !forbidden]);
    check("bmc", &ends, "safe, KInductive { k: 3, simple_path: false, lemmas: [] }");
    // What they show before is reached.
    ends.bads[0] = shows(&mut ends, 3, 2);
    check("bmc", &ends, "unsafe, 3 steps");
}

#[test]
fn depths_are_reported() {
    let (_, log, _) = decide("bmc", &counter(3, 7, 2, 0), 1000, 1);
    assert_eq!(log, [Event::Bound { depth: 0 }, Event::Bound { depth: 1 }]);
}

#[test]
fn bounded_engines_agree_with_brute_force() {
    let mut random = Rng::new(21);
    let (mut safe, mut unsafe_, mut ended) = (0, 0, 0);
    for _ in 0..1000 {
        let circuit = random_circuit(&mut random);
        let expected = shortest_violation(&circuit);
        let (verdict, _, _) = decide("kind", &circuit, 1_000_000, 1);
        let text = summary(&verdict);
        let (verdict, _, _) = decide("bmc", &circuit, 5_000, 1);
        let bounded = summary(&verdict);
        match expected {
            Some(length) => {
                assert_eq!(text, format!("unsafe, {length} steps"), "{circuit:?}");
                assert_eq!(bounded, text, "{circuit:?}");
                unsafe_ += 1;
            }
            None => {
                assert!(text.starts_with("safe"), "{text}: {circuit:?}");
                assert!(!bounded.starts_with("unsafe"), "{bounded}: {circuit:?}");
                ended += usize::from(bounded.starts_with("safe"));
                assert!(!bounded.starts_with("stuck"), "{bounded}: {circuit:?}");
                safe += 1;
            }
        }
    }
    assert!(safe > 150 && unsafe_ > 150 && ended > 50, "{safe} {unsafe_} {ended}");
}
