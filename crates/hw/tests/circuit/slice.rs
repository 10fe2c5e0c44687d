//! Slices: violations that a few bits of a wide word show, and proofs that need none of the others.

use crate::{decide, summary};
use alphorn_problem::circuit::Lit;
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::circuit::build::{and, circuit};

/// The bits of a word, beside what steers it.
const WIDTH: usize = 24;

/// A word that goes from stage to stage while the last input says so, beside one further latch; the bits of the last
/// stage.
fn pipeline(stages: usize) -> (Circuit, Vec<Lit>) {
    let mut pipeline = circuit(WIDTH as u32 + 1, stages * WIDTH + 1);
    let go = pipeline.input(WIDTH);
    for index in 0..stages * WIDTH {
        let before = match index.checked_sub(WIDTH) {
            None => pipeline.input(index),
            Some(before) => pipeline.latch(before),
        };
        let next = and(&mut pipeline, before, go);
        pipeline.latches[index].next = next;
    }
    let last = (0..WIDTH).map(|bit| pipeline.latch((stages - 1) * WIDTH + bit)).collect();
    (pipeline, last)
}

/// Whether one of the literals is true.
fn any(circuit: &mut Circuit, lits: &[Lit]) -> Lit {
    !lits.iter().fold(Lit::TRUE, |none, lit| and(circuit, none, !*lit))
}

#[test]
fn one_bit_of_a_word_shows_a_violation() {
    let (mut circuit, last) = pipeline(4);
    let bad = any(&mut circuit, &last);
    circuit.bads.push(bad);
    for name in ["sliced-ic3", "sliced-avy", "sliced-sim"] {
        let (verdict, log, _) = decide(name, &circuit, 100_000, 1);
        // Random runs need not be shortest.
        let said = summary(&verdict);
        assert!(said.starts_with("unsafe"), "{name}: {said} {log:?}");
    }
}

#[test]
fn what_one_bit_does_not_show_more_bits_show() {
    let (mut circuit, last) = pipeline(3);
    let pairs: Vec<Lit> =
        (0..WIDTH - 1).map(|bit| and(&mut circuit, last[bit], last[bit + 1])).collect();
    let bad = any(&mut circuit, &pairs);
    circuit.bads.push(bad);
    for name in ["sliced-ic3", "sliced-avy"] {
        let (verdict, log, _) = decide(name, &circuit, 100_000, 1);
        assert_eq!(summary(&verdict), "unsafe, 4 steps", "{name}: {log:?}");
    }
    let (verdict, _, _) = decide("sliced-sim", &circuit, 10_000, 1);
    assert!(verdict.is_err(), "a slice that is not widened has no violation: {verdict:?}");
}

#[test]
fn a_proof_that_needs_nothing_that_is_shut_is_one_of_the_whole() {
    let (mut circuit, last) = pipeline(3);
    // A latch that stays 0 keeps the word from doing harm.
    let guard = circuit.latches.len() - 1;
    let (latch, go) = (circuit.latch(guard), circuit.input(WIDTH));
    circuit.latches[guard].next = and(&mut circuit, latch, go);
    let some = any(&mut circuit, &last);
    let bad = and(&mut circuit, some, latch);
    circuit.bads.push(bad);
    for name in ["sliced-ic3", "sliced-avy"] {
        let (verdict, log, _) = decide(name, &circuit, 100_000, 1);
        assert!(matches!(verdict, Ok(Verdict::Safe(_))), "{name}: {verdict:?} {log:?}");
    }
}

#[test]
fn a_circuit_without_wide_words_has_no_slice() {
    let mut narrow = circuit(3, 1);
    narrow.latches[0].next = narrow.input(0);
    narrow.bads.push(narrow.latch(0));
    for name in ["sliced-ic3", "sliced-sim"] {
        let (verdict, _, _) = decide(name, &narrow, 100_000, 1);
        assert_eq!(summary(&verdict), "stuck: no inputs are alike");
    }
}
