//! Certificates made from invariants are accepted; made from anything else there are none.

use alphorn_check::circuit::check_certificate;
use alphorn_engine::{Ctx, Stop, Stopper};
use alphorn_hw::certify::{certify, prove_circuit, shrink};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Certificate, CircuitClaim, Invariant, LratStep};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;

fn with_ctx<R>(f: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    f(&mut Ctx::new(u64::MAX, Stopper::new(), 1, &mut |_| {}))
}

fn certified(circuit: &Circuit, invariant: Invariant) -> Result<Certificate, Stop> {
    with_ctx(|ctx| certify(circuit, 0, invariant, ctx))
}

/// A ring of three latches with one token; bad if the first two have one.
fn ring() -> (Circuit, Vec<Vec<Lit>>) {
    let mut ring = circuit(0, 3);
    let latch: Vec<Lit> = (0..3).map(|index| ring.latch(index)).collect();
    for index in 0..3 {
        ring.latches[index].next = latch[(index + 2) % 3];
    }
    ring.latches[0].reset = Lit::TRUE;
    let two = and(&mut ring, latch[0], latch[1]);
    ring.bads.push(two);
    let pairs = [[0, 1], [1, 2], [2, 0]].map(|pair| pair.map(|index| !latch[index]).to_vec());
    (ring, pairs.to_vec())
}

#[test]
fn an_inductive_clause_set_is_certified() {
    let (ring, clauses) = ring();
    let certificate = certified(&ring, Invariant::Clauses(clauses.clone())).expect("it holds");
    check_certificate(&ring, &certificate).expect("the certificate is accepted");
    for missing in 0..3 {
        let mut fewer = clauses.clone();
        fewer.remove(missing);
        assert!(matches!(certified(&ring, Invariant::Clauses(fewer)), Err(Stop::Stuck(_))));
    }
    let wrong = vec![vec![!ring.latch(0)]];
    assert!(matches!(certified(&ring, Invariant::Clauses(wrong)), Err(Stop::Stuck(_))));
}

#[test]
fn mutated_certificates_are_refused() {
    let (ring, clauses) = ring();
    let good = certified(&ring, Invariant::Clauses(clauses)).expect("it holds");
    let mut refused = 0;
    for proof in 0..good.obligations.len() {
        for step in 0..good.obligations[proof].steps.len() {
            let mut bad = good.clone();
            match &mut bad.obligations[proof].steps[step] {
                LratStep::Delete(_) => continue,
                LratStep::Add { hints, .. } => hints.pop(),
            };
            assert!(check_certificate(&ring, &bad).is_err(), "proof {proof}, step {step}");
            refused += 1;
        }
        let mut bad = good.clone();
        bad.obligations[proof].steps.pop();
        assert!(check_certificate(&ring, &bad).is_err(), "proof {proof}");
    }
    assert!(refused > 3, "{refused} mutations");
    let mut bad = good.clone();
    let Invariant::Clauses(clauses) = &mut bad.invariant else { panic!("clauses stay clauses") };
    clauses[1].pop();
    assert!(check_certificate(&ring, &bad).is_err());
}

#[test]
fn what_is_not_needed_is_dropped() {
    let (mut ring, mut clauses) = ring();
    // A latch that is always 0, and says nothing about the ring.
    ring.latches.push(alphorn_problem::circuit::Latch { next: Lit::FALSE, reset: Lit::FALSE });
    let shift = |lit: &mut Lit| {
        if lit.var() > 3 {
            *lit = Lit::new(lit.var() + 1, lit.is_negated());
        }
    };
    ring.bads.iter_mut().for_each(shift);
    ring.validate().expect("the gate moved on");
    clauses.insert(1, vec![!ring.latch(3)]);
    let kept = with_ctx(|ctx| shrink(&ring, 0, clauses.clone(), ctx)).expect("it is inductive");
    clauses.remove(1);
    assert_eq!(kept, clauses);
    let certificate = certified(&ring, Invariant::Clauses(kept)).expect("it holds");
    check_certificate(&ring, &certificate).expect("the certificate is accepted");
    // Not inductive: nothing to shrink.
    let wrong = clauses[..1].to_vec();
    assert!(matches!(with_ctx(|ctx| shrink(&ring, 0, wrong, ctx)), Err(Stop::Stuck(_))));
}

#[test]
fn inductions_are_certified() {
    // 5 leads to 6, but nothing leads to 5, which may idle for as long as it likes.
    let safe = counter(3, 4, 6, 0);
    let induction = |k, simple_path| certified(&safe, Invariant::induction(k, simple_path));
    let certificate = induction(2, true).expect("there is no way to 5");
    check_certificate(&safe, &certificate).expect("the certificate is accepted");
    for (k, simple_path) in [(1, true), (2, false), (5, false)] {
        assert!(matches!(induction(k, simple_path), Err(Stop::Stuck(_))), "{k}");
    }
    let invariant = Invariant::induction(9, false);
    assert!(matches!(certified(&counter(3, 7, 6, 0), invariant), Err(Stop::Stuck(_))));
}

/// What says less than other lemmas do is not needed beside them.
#[test]
fn lemmas_that_are_not_needed_are_dropped() {
    let (ring, lemmas) = ring();
    for k in 0..3 {
        let mut more = lemmas.clone();
        more.insert(1, vec![!ring.latch(0), !ring.latch(1), !ring.latch(2)]);
        let invariant = Invariant::KInductive { k, simple_path: false, lemmas: more };
        let claim = CircuitClaim::of(invariant);
        let certificate = with_ctx(|ctx| prove_circuit(&ring, claim, ctx)).expect("it holds");
        check_certificate(&ring, &certificate).expect("the certificate is accepted");
        let Invariant::KInductive { lemmas: kept, .. } = certificate.invariant else {
            panic!("an induction stays one")
        };
        assert!(kept.len() <= lemmas.len(), "{k}: {kept:?}");
    }
}

/// Contradictions among the first clauses, constants, constraints, resets of all kinds.
#[test]
fn inductions_of_random_circuits() {
    let mut random = Rng::new(31);
    let (mut held, mut failed) = (0, 0);
    for _ in 0..600 {
        let circuit = random_circuit(&mut random);
        let (k, simple_path) = (random.below(4), random.below(2) == 1);
        match certified(&circuit, Invariant::induction(k, simple_path)) {
            Ok(certificate) => {
                check_certificate(&circuit, &certificate).expect("the certificate is accepted");
                assert_eq!(shortest_violation(&circuit), None);
                held += 1;
            }
            Err(_) => failed += 1,
        }
    }
    assert!(held > 150 && failed > 150, "{held} {failed}");
}
