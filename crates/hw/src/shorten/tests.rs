//! Runs of small circuits, and random ones: what comes out is a violation and no longer than before.

use super::*;
use alphorn_check::circuit::check_trace;
use alphorn_engine::Stopper;
use alphorn_problem::circuit::{And, Latch, Lit};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::bits;
use alphorn_testkit::circuit::random::{Size, circuit_of};

fn shortened(circuit: &Circuit, trace: Trace) -> Trace {
    check_trace(circuit, &trace).expect("the run given is a violation");
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    let result = shorten(circuit, trace, &mut ctx).expect("there is time");
    check_trace(circuit, &result).expect("the run returned is a violation");
    result
}

/// Two inputs, one latch that remembers whether the first input was ever on; bad when it was and the
/// first input is off.
fn memory() -> Circuit {
    let (a, latch) = (Lit(2), Lit(6));
    Circuit {
        inputs: 2,
        latches: vec![Latch { next: Lit(9), reset: Lit::FALSE }],
        ands: vec![And { left: !latch, right: !a }, And { left: latch, right: !a }],
        bads: vec![Lit(10)],
        ..Circuit::default()
    }
}

fn trace(start: &str, inputs: &[&str]) -> Trace {
    let inputs = inputs.iter().map(|row| bits(row)).collect();
    Trace { property: Property::Bad(0), start: bits(start), inputs }
}

#[test]
fn detours_go_and_what_does_not_matter_is_open() {
    let long = trace("0", &["01", "00", "11", "10", "11", "01", "00"]);
    assert_eq!(shortened(&memory(), long), trace("0", &["1x", "0x"]));
}

#[test]
fn latches_that_start_with_anything_are_open_if_unread() {
    let mut circuit = memory();
    circuit.latches.push(Latch { next: Lit(8), reset: Lit(8) });
    for and in &mut circuit.ands {
        // The gates move by one variable.
        let moved = |lit: Lit| if lit.var() >= 4 { Lit(lit.0 + 2) } else { lit };
        (and.left, and.right) = (moved(and.left), moved(and.right));
    }
    circuit.latches[0].next = Lit(11);
    circuit.bads = vec![Lit(12)];
    let found = shortened(&circuit, trace("01", &["10", "00"]));
    assert_eq!(found, trace("0x", &["1x", "0x"]));
}

#[test]
fn a_first_state_tied_to_the_first_inputs_stays() {
    // The latch starts with the input and keeps its value; bad when it is on.
    let circuit = Circuit {
        inputs: 1,
        latches: vec![Latch { next: Lit(4), reset: Lit(2) }],
        bads: vec![Lit(4)],
        ..Circuit::default()
    };
    assert_eq!(shortened(&circuit, trace("1", &["1", "0"])), trace("1", &["1"]));
}

#[test]
fn lassos_stay() {
    let lasso = Trace { property: Property::Justice(0), ..trace("0", &["10"]) };
    let mut sink = |_| {};
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
    assert_eq!(shorten(&memory(), lasso.clone(), &mut ctx).ok(), Some(lasso));
}

#[test]
fn random_runs_stay_violations() {
    let mut rng = Rng::new(7);
    let (mut tried, mut opened, mut shorter) = (0, 0, 0);
    while tried < 400 {
        let circuit = circuit_of(&mut rng, Size { inputs: 4, latches: 5, gates: 27 });
        let steps = 1 + rng.below(30);
        let mut bit = || if rng.one_in(2) { Bit::Zero } else { Bit::One };
        let inputs: Vec<Vec<Bit>> =
            (0..steps).map(|_| (0..circuit.inputs).map(|_| bit()).collect()).collect();
        let state: Vec<bool> = circuit.latches.iter().map(|_| bit() == Bit::One).collect();
        let values: Vec<Vec<bool>> =
            inputs.iter().map(|row| row.iter().map(|bit| *bit == Bit::One).collect()).collect();
        let full = crate::model::completed(&circuit, &state, &values);
        // Any prefix that is a violation will do.
        let violation = (1..=steps).rev().find_map(|length| {
            let mut prefix = full.clone();
            prefix.inputs.truncate(length);
            check_trace(&circuit, &prefix).is_ok().then_some(prefix)
        });
        let Some(violation) = violation else { continue };
        let before = violation.inputs.len();
        let after = shortened(&circuit, violation);
        assert!(after.inputs.len() <= before);
        tried += 1;
        shorter += usize::from(after.inputs.len() < before);
        opened += after.inputs.iter().flatten().filter(|bit| **bit == Bit::X).count();
    }
    assert!(shorter > 50 && opened > 400, "{shorter} shorter, {opened} opened");
}
