//! IC3 on circuits with known answers and on random ones.

use crate::{decide, summary};
use alphorn_engine::Event;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use alphorn_testkit::read::circuit as read;

/// How many steps a counterexample has, or 0 if the property holds.
#[track_caller]
fn steps(circuit: &Circuit) -> usize {
    let (verdict, log, _) = decide("ic3", circuit, 10_000_000, 1);
    match verdict {
        Ok(alphorn_problem::Verdict::Safe(_)) => 0,
        Ok(alphorn_problem::Verdict::Unsafe(trace)) => trace.inputs.len(),
        Err(stop) => panic!("{stop:?} after {log:?}"),
    }
}

#[test]
fn counters_of_many_states() {
    assert_eq!(steps(&counter(3, 4, 6, 9)), 0);
    assert_eq!(steps(&counter(3, 7, 6, 9)), 7);
    assert_eq!(steps(&counter(12, 2047, 3000, 3)), 0);
    assert_eq!(steps(&counter(5, 31, 20, 3)), 21);
}

#[test]
fn bad_in_the_first_step() {
    // No latches; a latch that may start with anything; one that starts bad.
    assert_eq!(steps(&read("aag 3 2 0 0 1 1\n2\n4\n6\n6 4 2\n")), 1);
    assert_eq!(steps(&read("aag 1 0 1 0 0 1\n2 2 2\n2\n")), 1);
    assert_eq!(steps(&read("aag 1 0 1 0 0 1\n2 2 1\n2\n")), 1);
    assert_eq!(steps(&read("aag 1 0 1 0 0 1\n2 3\n2\n")), 2);
}

#[test]
fn constraints_count_in_every_step() {
    assert_eq!(steps(&read("aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\n")), 0);
    assert_eq!(steps(&read("aag 2 1 1 0 0 1 2\n2\n4 2\n5\n3\n2\n")), 0);
}

/// In the first step the latch equals the input, so bad needs a second step, or never comes; cubes of
/// states cannot tell the two apart.
#[test]
fn ties_between_first_state_and_first_inputs_are_reported() {
    let violated = read("aag 5 1 1 0 3 1\n2\n4 4 2\n10\n6 4 2\n8 5 3\n10 7 9\n");
    let safe = read("aag 3 1 1 0 1 1\n2\n4 0 2\n6\n6 4 3\n");
    for tied in [violated, safe] {
        let (verdict, _, _) = decide("ic3", &tied, 10_000, 1);
        assert!(summary(&verdict).contains("tied to the first inputs"), "{verdict:?}");
    }
}

/// One token in a ring: the invariant has quadratically many clauses, all of them needed.
#[test]
fn invariants_are_shrunk() {
    let size = 8;
    let mut ring = circuit(1, size);
    let turn = ring.input(0);
    for index in 0..size {
        let (here, before) = (ring.latch(index), ring.latch((index + size - 1) % size));
        let stays = and(&mut ring, here, !turn);
        let comes = and(&mut ring, before, turn);
        ring.latches[index].next = !and(&mut ring, !stays, !comes);
    }
    ring.latches[0].reset = Lit::TRUE;
    let two = (ring.latch(2), ring.latch(6));
    let bad = and(&mut ring, two.0, two.1);
    ring.bads.push(bad);
    let (verdict, log, _) = decide("ic3", &ring, 1_000_000, 1);
    let Ok(alphorn_problem::Verdict::Safe(certificate)) = verdict else { panic!("{verdict:?}") };
    let alphorn_problem::evidence::circuit::Invariant::Clauses(clauses) = certificate.invariant
    else {
        panic!("IC3 finds clauses")
    };
    // Pairs at distance 4 lead to pairs at distance 4.
    assert!(clauses.len() >= 4 && clauses.len() <= 28, "{clauses:?}");
    assert!(log.iter().any(|event| matches!(event, Event::Remark(_))), "{log:?}");
}

#[test]
fn ic3_agrees_with_brute_force() {
    let mut random = Rng::new(41);
    let (mut safe, mut unsafe_, mut stuck) = (0, 0, 0);
    for _ in 0..3000 {
        let circuit = random_circuit(&mut random);
        let (verdict, _, _) = decide("ic3", &circuit, 1_000_000, 1);
        let text = summary(&verdict);
        let expected = shortest_violation(&circuit);
        if text.contains("tied to the first inputs") {
            stuck += 1;
        } else if text.starts_with("unsafe") {
            assert!(expected.is_some(), "{circuit:?}");
            unsafe_ += 1;
        } else {
            assert!(text.starts_with("safe"), "{text}: {circuit:?}");
            assert_eq!(expected, None, "{circuit:?}");
            safe += 1;
        }
    }
    assert!(safe > 500 && unsafe_ > 500 && stuck < 150, "{safe} {unsafe_} {stuck}");
}

#[test]
fn the_run_is_deterministic() {
    let circuit = counter(12, 2047, 3000, 3);
    let (first, log, used) = decide("ic3", &circuit, u64::MAX, 1);
    let (again, same_log, same_used) = decide("ic3", &circuit, u64::MAX, 1);
    assert_eq!(format!("{first:?}"), format!("{again:?}"));
    assert_eq!((log, used), (same_log, same_used));
    let (short, _, _) = decide("ic3", &circuit, used - 1, 1);
    assert_eq!(summary(&short), "out of ticks");
}
