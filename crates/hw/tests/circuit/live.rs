//! Justice properties: circuits with known answers, random ones against a search for fair cycles, and
//! certificates that were changed.

use crate::decide;
use alphorn_check::circuit::check_certificate;
use alphorn_engine::Stop;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Property};
use alphorn_problem::monitor::Monitor;
use alphorn_problem::{Circuit, Verdict};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, xor};
use alphorn_testkit::circuit::justice::{has_fair_cycle, random_justice};

const ENGINES: [&str; 5] = ["lasso", "l2s", "klive", "klive-anew", "rlive"];

/// Whether the property is violated, if the engine decides it.
#[track_caller]
fn is_violated(name: &str, circuit: &Circuit) -> Option<bool> {
    // A bounded search does not end where the property holds.
    let ticks = if name == "lasso" { 1_000 } else { 200_000 };
    let (verdict, log, _) = decide(name, circuit, ticks, 1);
    match verdict {
        Ok(Verdict::Safe(certificate)) => {
            assert_eq!(certificate.holds(), Property::Justice(0));
            Some(false)
        }
        Ok(Verdict::Unsafe(trace)) => {
            assert_eq!(trace.property, Property::Justice(0));
            Some(true)
        }
        Err(Stop::Stuck(reason)) if reason.contains("tied to the first inputs") => None,
        Err(Stop::Budget(_)) if name == "lasso" => None,
        Err(stop) => panic!("{name}: {stop:?} after {log:?}, {circuit:?}"),
    }
}

/// A latch that is set by an input once and for all, watched beside that input.
fn once() -> Circuit {
    let mut once = circuit(1, 1);
    let (input, latch) = (once.input(0), once.latch(0));
    once.latches[0].next = !and(&mut once, !latch, !input);
    let rises = and(&mut once, input, !latch);
    once.justice.push(vec![rises]);
    once
}

#[test]
fn what_happens_once_does_not_happen_again_and_again() {
    for name in &ENGINES[1..] {
        assert_eq!(is_violated(name, &once()), Some(false), "{name}");
        let mut again = once();
        again.justice[0] = vec![again.input(0)];
        assert_eq!(is_violated(name, &again), Some(true), "{name}");
        // Both must happen, though not at once; fairness adds a third.
        let (input, latch) = (again.input(0), again.latch(0));
        again.justice[0] = vec![!input, latch];
        assert_eq!(is_violated(name, &again), Some(true), "{name}");
        again.fairness = vec![!latch];
        assert_eq!(is_violated(name, &again), Some(false), "{name}");
    }
    assert_eq!(is_violated("lasso", &once()), None);
}

#[test]
fn latches_that_do_not_matter_repeat_as_well() {
    // A counter of five bits beside an input that may always be true: the loop takes 32 steps.
    let mut beside = circuit(1, 5);
    let mut carry = Lit::TRUE;
    for bit in 0..5 {
        let latch = beside.latch(bit);
        beside.latches[bit].next = xor(&mut beside, latch, carry);
        carry = and(&mut beside, carry, latch);
    }
    beside.justice.push(vec![beside.input(0)]);
    for name in ENGINES {
        assert_eq!(is_violated(name, &beside), Some(true), "{name}");
    }
}

#[test]
fn an_empty_justice_property_asks_for_an_infinite_run() {
    let mut any = circuit(1, 1);
    any.justice.push(Vec::new());
    // The latch starts with 0 and must stay so, but takes the value of the input, which must be 1.
    let mut none = any.clone();
    none.latches[0].next = none.input(0);
    none.constraints = vec![!none.latch(0), none.input(0)];
    for name in &ENGINES[1..] {
        assert_eq!(is_violated(name, &any), Some(true), "{name}");
        assert_eq!(is_violated(name, &none), Some(false), "{name}");
    }
}

#[test]
fn engines_agree_with_a_search_for_fair_cycles() {
    let mut random = Rng::new(31);
    let (mut violated, mut holds, mut open) = (0, 0, 0);
    for _ in 0..400 {
        let circuit = random_justice(&mut random);
        let expected = has_fair_cycle(&circuit);
        for name in ENGINES {
            match is_violated(name, &circuit) {
                Some(found) => assert_eq!(found, expected, "{name}: {circuit:?}"),
                None => open += 1,
            }
        }
        if expected { violated += 1 } else { holds += 1 }
    }
    assert!(violated > 100 && holds > 100 && open < holds + 100, "{violated} {holds} {open}");
}

/// The certificate that an engine gives.
fn certificate(name: &str, circuit: &Circuit) -> Certificate {
    match decide(name, circuit, 200_000, 1).0 {
        Ok(Verdict::Safe(certificate)) => certificate,
        other => panic!("{other:?}"),
    }
}

#[test]
fn changed_certificates_are_refused() {
    let circuit = once();
    for name in &ENGINES[1..] {
        let good = certificate(name, &circuit);
        let refused = |changed: &Certificate, how: &str| {
            assert!(check_certificate(&circuit, changed).is_err(), "{name}: {how}");
        };
        let Invariant::Justice { monitor, invariant } = good.invariant.clone() else {
            panic!("{name}: {good:?}")
        };
        // What it proves is no safety property, and no other justice property.
        refused(&Certificate { invariant: *invariant.clone(), ..good.clone() }, "no monitor");
        refused(&Certificate { property: 1, ..good.clone() }, "another property");
        let other = |monitor: Monitor| Certificate {
            invariant: Invariant::Justice { monitor, invariant: invariant.clone() },
            ..good.clone()
        };
        match monitor {
            Monitor::Count { most } => {
                refused(&other(Monitor::Loop), "a loop");
                refused(&other(Monitor::Count { most: u32::MAX }), "a count beyond all bounds");
                if most > 0 {
                    refused(&other(Monitor::Count { most: 0 }), "a smaller count");
                }
            }
            Monitor::Loop => refused(&other(Monitor::Count { most: 1 }), "a count"),
        }
        let nested = Box::new(good.invariant.clone());
        let invariant = Invariant::Justice { monitor, invariant: nested };
        refused(&Certificate { invariant, ..good.clone() }, "a monitor of a monitor");
        for index in 0..good.obligations.len() {
            let mut changed = good.clone();
            changed.obligations[index].steps.pop();
            refused(&changed, "a proof cut short");
        }
        // It proves nothing about a circuit in which the property fails.
        let mut again = circuit.clone();
        again.latches[0].next = Lit::FALSE;
        assert!(check_certificate(&again, &good).is_err(), "{name}: another circuit");
    }
}
