//! The interpolating engines on circuits with known answers and on random ones.

use crate::{decide, summary};
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::counter;
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use alphorn_testkit::read::circuit as read;

/// The engines, and whether their counterexamples are shortest ones.
const ENGINES: &[(&str, bool)] = &[
    ("imc", true),
    ("avy", true),
    ("igr", false),
    ("imc-clauses", true),
    ("avy-clauses", true),
    ("kavy", true),
    ("avy-core", true),
    ("avy-anew", true),
    ("avy-proofs", true),
    ("avy-internal", true),
];

/// How many steps a counterexample has, or 0 if the property holds.
#[track_caller]
fn steps(engine: &str, circuit: &Circuit) -> usize {
    let (verdict, log, _) = decide(engine, circuit, 10_000_000, 1);
    match verdict {
        Ok(Verdict::Safe(_)) => 0,
        Ok(Verdict::Unsafe(trace)) => trace.inputs.len(),
        Err(stop) => panic!("{engine}: {stop:?} after {log:?}"),
    }
}

#[test]
fn counters_of_many_states() {
    for (engine, _) in ENGINES {
        assert_eq!(steps(engine, &counter(3, 4, 6, 9)), 0);
        assert_eq!(steps(engine, &counter(3, 7, 6, 9)), 7);
        assert_eq!(steps(engine, &counter(5, 31, 20, 3)), 21);
    }
}

#[test]
fn bad_in_the_first_steps() {
    for (engine, _) in ENGINES {
        assert_eq!(steps(engine, &read("aag 3 2 0 0 1 1\n2\n4\n6\n6 4 2\n")), 1);
        assert_eq!(steps(engine, &read("aag 1 0 1 0 0 1\n2 2 2\n2\n")), 1);
        assert_eq!(steps(engine, &read("aag 1 0 1 0 0 1\n2 2 1\n2\n")), 1);
        assert_eq!(steps(engine, &read("aag 1 0 1 0 0 1\n2 3\n2\n")), 2);
    }
}

#[test]
fn constraints_count_in_every_step() {
    for (engine, _) in ENGINES {
        assert_eq!(steps(engine, &read("aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\n")), 0);
        assert_eq!(steps(engine, &read("aag 2 1 1 0 0 1 2\n2\n4 2\n5\n3\n2\n")), 0);
    }
}

/// Compares an engine with brute force on random circuits.
fn agrees_with_brute_force(engine: &str, is_shortest: bool, seed: u64) {
    let mut random = Rng::new(seed);
    let (mut safe, mut unsafe_, mut stuck) = (0, 0, 0);
    for _ in 0..3000 {
        let circuit = random_circuit(&mut random);
        let (verdict, _, _) = decide(engine, &circuit, 10_000_000, 1);
        let expected = shortest_violation(&circuit);
        let text = summary(&verdict);
        if text.contains("tied to the first inputs") {
            stuck += 1;
        } else if let Ok(Verdict::Unsafe(trace)) = &verdict {
            let length = expected.unwrap_or_else(|| panic!("{engine}: safe is {circuit:?}"));
            assert!(!is_shortest || length == trace.inputs.len(), "{engine}: {text}: {circuit:?}");
            unsafe_ += 1;
        } else {
            assert!(text.starts_with("safe"), "{engine}: {text}: {circuit:?}");
            assert_eq!(expected, None, "{engine}: {circuit:?}");
            safe += 1;
        }
    }
    assert!(safe > 500 && unsafe_ > 500 && stuck < 150, "{engine}: {safe} {unsafe_} {stuck}");
}

#[test]
fn engines_agree_with_brute_force() {
    for ((engine, is_shortest), seed) in ENGINES.iter().zip(51..) {
        agrees_with_brute_force(engine, *is_shortest, seed);
    }
}

#[test]
fn runs_are_deterministic() {
    let circuit = counter(6, 40, 41, 3);
    for (engine, _) in ENGINES {
        let (first, log, used) = decide(engine, &circuit, u64::MAX, 1);
        let (again, same_log, same_used) = decide(engine, &circuit, u64::MAX, 1);
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
        assert_eq!((log, used), (same_log, same_used));
        let (short, _, _) = decide(engine, &circuit, used - 1, 1);
        assert_eq!(summary(&short), "out of ticks");
    }
}
