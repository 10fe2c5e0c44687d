//! Engines that use what others proved, told at an exchange.

use crate::accept;
use crate::summary;
use alphorn_engine::{Ctx, Engine, Exchange, Stop, Stopper};
use alphorn_hw::Kind;
use alphorn_hw::certify::conclude;
use alphorn_hw::engines::CIRCUIT_ENGINES;
use alphorn_problem::circuit::{And, Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::{Circuit, Finding, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use std::sync::Arc;

/// Runs an engine as number `who` at an exchange; the verdict's evidence has been checked.
fn decide_at(
    exchange: &Arc<Exchange>,
    who: usize,
    name: &str,
    circuit: &Circuit,
    ticks: u64,
) -> Result<Verdict<Circuit>, Stop> {
    let card = CIRCUIT_ENGINES.iter().find(|card| card.name == name).expect("a registered engine");
    let mut sink = |_| ();
    let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink).trading(who, Arc::clone(exchange));
    let finding = (card.build)().run(circuit, &mut ctx);
    let verdict = finding.and_then(|finding| conclude(circuit, finding, &mut ctx));
    accept(circuit, &verdict);
    verdict
}

/// How many steps an induction takes, and how many lemmas.
#[track_caller]
fn induction(verdict: Result<Verdict<Circuit>, Stop>) -> (usize, usize) {
    let Ok(Verdict::Safe(certificate)) = &verdict else { panic!("{}", summary(&verdict)) };
    let Invariant::KInductive { k, lemmas, .. } = &certificate.invariant else {
        panic!("{}", summary(&verdict))
    };
    (*k, lemmas.len())
}

/// Tells clauses over latches: the first `count` literals each of what is random.
fn tell_random(exchange: &Arc<Exchange>, circuit: &Circuit, random: &mut Rng, count: usize) {
    let mut sink = |_| ();
    let mut other = Ctx::new(1, Stopper::new(), 1, &mut sink).trading(7, Arc::clone(exchange));
    for _ in 0..count {
        // Literals of inputs and of nothing at all may be among them.
        let clause = (0..1 + random.below(3)).map(|_| match random.below(12) {
            0 => Lit(random.below(60) as u32),
            _ if circuit.latches.is_empty() => circuit.latch(0),
            _ => circuit.latch(random.below(circuit.latches.len())).xor(random.below(2) == 0),
        });
        other.publish::<Circuit>(clause.collect());
    }
}

/// A counter that goes from 20 back to 0 and must not show 22, and a register through which a latch
/// that stays 0 is shifted and whose last latch must be 0. Idle inputs and latches lie between them.
fn counter_and_register(length: usize) -> Circuit {
    let mut circuit = circuit(4, 9 + length);
    let small = counter(5, 20, 22, 3);
    // The gates of the counter come after all latches.
    let moved = |lit: Lit| {
        let shift = if lit.var() > small.inputs + 8 { 1 + length as u32 } else { 0 };
        Lit::new(lit.var() + shift, lit.is_negated())
    };
    let gate = |gate: &And| And { left: moved(gate.left), right: moved(gate.right) };
    circuit.ands = small.ands.iter().map(gate).collect();
    for (index, latch) in small.latches.iter().enumerate() {
        circuit.latches[index] = Latch { next: moved(latch.next), reset: moved(latch.reset) };
    }
    for index in 9..9 + length {
        circuit.latches[index].next = circuit.latch(index - 1);
    }
    let last = circuit.latch(8 + length);
    let neither = and(&mut circuit, !moved(small.bads[0]), !last);
    circuit.bads.push(!neither);
    circuit.validate().expect("it is well formed");
    circuit
}

#[test]
fn a_lemma_of_another_engine_shortens_an_induction() {
    let circuit = counter_and_register(16);
    let (alone, _) = induction(decide_at(&Arc::default(), 0, "kind", &circuit, 1_000_000));
    let exchange = Arc::new(Exchange::default());
    let proved = decide_at(&exchange, 0, "ic3", &circuit, 1_000_000);
    assert!(matches!(proved, Ok(Verdict::Safe(_))));
    let (told, lemmas) = induction(decide_at(&exchange, 1, "kind", &circuit, 1_000_000));
    assert!(told <= 3 && alone >= 16, "{told} steps instead of {alone}");
    assert!(lemmas > 0);
}

#[test]
fn levels_hold_what_other_properties_needed() {
    let circuit = counter_and_register(16);
    let exchange = Arc::new(Exchange::default());
    let proved = decide_at(&exchange, 0, "ic3", &circuit, 1_000_000);
    assert!(matches!(proved, Ok(Verdict::Safe(_))));
    let told = decide_at(&exchange, 1, "igr", &circuit, 2_000);
    assert!(matches!(told, Ok(Verdict::Safe(_))), "{}", summary(&told));
    let alone = decide_at(&Arc::default(), 1, "igr", &circuit, 2_000);
    assert_eq!(summary(&alone), "out of ticks");
}

#[test]
fn what_is_not_needed_is_no_lemma() {
    // Two latches that stay as they are are not 1 together; a third is told to stay 0.
    let mut circuit = circuit(1, 3);
    let [left, right, third] = [0, 1, 2].map(|index| circuit.latch(index));
    let bad = and(&mut circuit, left, right);
    circuit.bads.push(bad);
    let input = circuit.input(0);
    let forbidden = and(&mut circuit, input, third);
    circuit.constraints.push(!forbidden);
    let exchange = Arc::new(Exchange::default());
    let mut sink = |_| ();
    let mut other = Ctx::new(1, Stopper::new(), 1, &mut sink).trading(1, Arc::clone(&exchange));
    other.publish::<Circuit>(Box::new([!third]));
    // The engine itself leaves it out, before the proofs are made.
    let mut sink = |_| ();
    let mut ctx = Ctx::new(100_000, Stopper::new(), 1, &mut sink).trading(0, exchange);
    let finding = Kind.run(&circuit, &mut ctx);
    let Ok(Finding::Holds(claim)) = finding else { panic!("{finding:?}") };
    assert_eq!(claim.invariant, Invariant::induction(1, false));
}

#[test]
fn engines_that_are_told_things_agree_with_brute_force() {
    let mut random = Rng::new(33);
    let (mut safe, mut unsafe_, mut helped) = (0, 0, 0);
    for round in 0..1500 {
        let circuit = random_circuit(&mut random);
        let expected = shortest_violation(&circuit);
        let exchange = Arc::new(Exchange::default());
        if round % 2 == 0 {
            // What it tells is true, and what is random then need not be.
            let _ = decide_at(&exchange, 0, "ic3", &circuit, 2_000);
        }
        tell_random(&exchange, &circuit, &mut random, 8);
        let verdict = decide_at(&exchange, 1, "kind", &circuit, 1_000_000);
        let text = summary(&verdict);
        match expected {
            Some(length) => {
                assert_eq!(text, format!("unsafe, {length} steps"), "{circuit:?}");
                unsafe_ += 1;
            }
            None => {
                helped += usize::from(induction(verdict).1 > 0);
                safe += 1;
            }
        }
        let bounded = summary(&decide_at(&exchange, 2, "bmc", &circuit, 3_000));
        match expected {
            Some(_) => assert_eq!(bounded, text, "{circuit:?}"),
            None => assert!(!bounded.starts_with("unsafe"), "{bounded}: {circuit:?}"),
        }
    }
    assert!(safe > 200 && unsafe_ > 200 && helped > 20, "{safe} {unsafe_} {helped}");
}
