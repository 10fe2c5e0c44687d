//! Engines with other settings, guided simulation, leaps, and clauses that travel forward.

use crate::{decide, summary};
use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_hw::select::select_circuit;
use alphorn_hw::transform::{CIRCUIT_TRANSFORMS, carry_forward, simplify_circuit};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;

#[test]
fn verdicts_are_those_of_brute_force() {
    let names = [
        "imc-sequence",
        "avy-strides",
        "avy-internal",
        "igr-plain",
        "igr-equalities",
        "igr-rewind",
        "ic3-internal",
        "ic3-ctp",
    ];
    let mut random = Rng::new(7);
    let (mut graphs, mut tied) = (0, 0);
    for _ in 0..150 {
        let circuit = random_circuit(&mut random);
        let expected = shortest_violation(&circuit).is_some();
        for name in names {
            let (verdict, _, _) = decide(name, &circuit, 100_000, 1);
            match &verdict {
                Ok(Verdict::Unsafe(_)) => assert!(expected, "{name}: {circuit:?}"),
                Ok(Verdict::Safe(certificate)) => {
                    assert!(!expected, "{name}: {circuit:?}");
                    let is_graph = matches!(certificate.invariant, Invariant::Aig(_));
                    graphs += u32::from(name == "ic3-internal" && is_graph);
                }
                Err(_) => {
                    assert!(summary(&verdict).contains("tied"), "{name}: {verdict:?} {circuit:?}");
                    tied += 1;
                }
            }
        }
    }
    assert!(graphs > 0, "some clause speaks about a gate");
    assert!(tied < 30, "{tied}");
}

/// A lock: each stage opens if the three inputs are 1, and otherwise all stages close.
fn lock(stages: usize) -> Circuit {
    let mut lock = circuit(3, stages);
    let inputs: Vec<Lit> = (0..3).map(|index| lock.input(index)).collect();
    let pair = and(&mut lock, inputs[0], inputs[1]);
    let mut open = and(&mut lock, pair, inputs[2]);
    for stage in 0..stages {
        lock.latches[stage].next = open;
        let latch = lock.latch(stage);
        open = and(&mut lock, open, latch);
    }
    lock.bads = vec![lock.latch(stages - 1)];
    lock
}

#[test]
fn guided_runs_open_a_lock() {
    // By chance alone one run in 8 to the 20 opens it.
    let (verdict, _, _) = decide("sim", &lock(20), u64::MAX, 1);
    assert!(summary(&verdict).starts_with("unsafe"), "{verdict:?}");
}

#[test]
fn leaps_find_what_there_is() {
    for (bits, bad) in [(3, 6), (5, 20)] {
        let (verdict, _, _) = decide("leap", &counter(bits, (1 << bits) - 1, bad, 3), 1_000_000, 1);
        assert_eq!(summary(&verdict), format!("unsafe, {} steps", bad + 1));
    }
    let mut random = Rng::new(11);
    for _ in 0..100 {
        let circuit = random_circuit(&mut random);
        let expected = shortest_violation(&circuit);
        let (verdict, _, _) = decide("leap", &circuit, 2_000, 1);
        assert_eq!(matches!(verdict, Ok(Verdict::Unsafe(_))), expected.is_some(), "{circuit:?}");
    }
}

#[test]
fn avy_shows_its_frames() {
    let (_, log, _) = decide("avy", &counter(3, 4, 6, 9), 100_000, 1);
    let sizes = |event: &Event| match event {
        Event::Frames { sizes, .. } => Some(sizes.len()),
        _ => None,
    };
    assert_eq!(log.iter().find_map(sizes), Some(1), "{log:?}");
}

#[test]
fn clauses_travel_forward() {
    // The first latch is constant, the second and third are what is left.
    let mut large = circuit(1, 3);
    large.latches[1].next = large.input(0);
    large.latches[2].next = large.latch(1);
    let (second, third) = (large.latch(1), large.latch(2));
    let bad = and(&mut large, second, third);
    large.bads = vec![bad];
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let chosen: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(|t| t.is_default).collect();
    let (selected, unselect) = select_circuit(&large, 0);
    let (small, back) = simplify_circuit(&selected, &chosen, &mut ctx).expect("there is time");
    let back = unselect.after(back);
    assert_eq!(small.latches.len(), 2);
    let known = [vec![!large.latch(2), large.latch(1)], vec![large.latch(0), large.latch(1)]];
    let hints = carry_forward(&known, &small, &back, &mut ctx);
    assert_eq!(hints, [vec![!small.latch(1), small.latch(0)]]);
}
