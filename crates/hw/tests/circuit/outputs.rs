//! `ic3-outputs`: clauses about outputs, and nothing else.

use crate::decide;
use alphorn_engine::Stop;
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::obligation::blast::aig::Aig;
use alphorn_problem::obligation::blast::word::{self, Word};
use alphorn_problem::{Circuit, Verdict};

/// Two counters of eight bits that an input moves, and what of them is bad and watched.
fn counters(choose: impl Fn(&mut Aig, &Word, &Word) -> (Lit, Vec<Lit>)) -> Circuit {
    let mut aig = Aig::new(17);
    let word = |from: u32| -> Word { (from..from + 8).map(|var| Lit::new(var, false)).collect() };
    let (x, y, up) = (word(2), word(10), Lit::new(1, false));
    let zero = word::constant(8, 0);
    let nexts = [&x, &y].map(|word| word::add(&mut aig, word, &zero, up).0);
    let (bad, outputs) = choose(&mut aig, &x, &y);
    let latch = |next: Lit| Latch { next, reset: Lit::FALSE };
    let latches = nexts.concat().into_iter().map(latch).collect();
    let circuit = Circuit {
        inputs: 1,
        latches,
        bads: vec![bad],
        outputs,
        ands: aig.into_ands(),
        ..Circuit::default()
    };
    circuit.validate().expect("well formed");
    circuit
}

#[test]
fn one_output_is_the_invariant() {
    let circuit = counters(|aig, x, y| {
        let same = word::equal(aig, x, y);
        (!same, vec![same])
    });
    let (verdict, _, _) = decide("ic3-outputs", &circuit, 100_000, 0);
    let Ok(Verdict::Safe(certificate)) = verdict else { panic!("{verdict:?}") };
    assert!(matches!(certificate.invariant, Invariant::Aig(_)), "{:?}", certificate.invariant);
}

#[test]
fn outputs_that_say_too_little_give_no_answer() {
    let circuit = counters(|aig, x, y| (!word::equal(aig, x, y), vec![x[0]]));
    let (verdict, _, _) = decide("ic3-outputs", &circuit, 100_000, 0);
    let Err(Stop::Stuck(reason)) = verdict else { panic!("{verdict:?}") };
    assert!(reason.contains("do not tell enough states apart"), "{reason}");
}

#[test]
fn a_run_that_the_outputs_tell_is_found() {
    let circuit = counters(|aig, x, _| {
        let five = word::equal(aig, x, &word::constant(8, 5));
        (five, x.clone())
    });
    let (verdict, _, _) = decide("ic3-outputs", &circuit, 100_000, 0);
    let Ok(Verdict::Unsafe(trace)) = verdict else { panic!("{verdict:?}") };
    assert!(trace.inputs.len() >= 6);
}
