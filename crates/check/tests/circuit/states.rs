//! Lists of states: accepted exactly if they are inductive invariants.

use std::collections::BTreeSet;

use alphorn_check::Refusal;
use alphorn_check::circuit::check_certificate;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Lrat};

use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter};
use alphorn_testkit::circuit::oracle::{is_inductive, pairs, reachable, ties_inputs, violation};
use alphorn_testkit::circuit::random::{Size, circuit_of};

fn check(circuit: &Circuit, states: impl IntoIterator<Item = usize>) -> Result<(), Refusal> {
    let row = |state| (0..circuit.latches.len()).map(|bit| state >> bit & 1 == 1).collect();
    let latches = (0..circuit.latches.len() as u32).collect();
    let invariant = Invariant::States { latches, states: states.into_iter().map(row).collect() };
    check_certificate(circuit, &Certificate { property: 0, invariant, obligations: Vec::new() })
}

#[track_caller]
fn refuse(circuit: &Circuit, states: impl IntoIterator<Item = usize>, why: &str) {
    let refusal = check(circuit, states).expect_err("refused");
    assert!(refusal.to_string().contains(why), "{refusal}");
}

#[test]
fn reachable_states_of_a_counter() {
    let counter = counter(3, 4, 6, 0);
    assert_eq!(check(&counter, 0..=4), Ok(()));
    assert_eq!(check(&counter, [4, 3, 2, 1, 0, 0]), Ok(()));
    refuse(&counter, 1..=4, "the first state 000 is missing");
    refuse(&counter, 0..=3, "state 110: it leads to 001");
    refuse(&counter, 0..=5, "state 101: it leads to 011");
    refuse(&counter, 0..=7, "state 011: the property is violated in it");
    refuse(&counter, [], "the first state");
}

#[test]
fn shape_must_fit() {
    let counter = counter(3, 4, 6, 0);
    let certificate = |property, state: Vec<bool>, obligations| {
        let invariant = Invariant::States { latches: vec![0, 1, 2], states: vec![state] };
        check_certificate(&counter, &Certificate { property, invariant, obligations })
    };
    let refusals = [
        (certificate(0, vec![false; 2], Vec::new()), "2 values for 3 latches"),
        (certificate(0, vec![false; 4], Vec::new()), "4 values for 3 latches"),
        (certificate(1, vec![false; 3], Vec::new()), "no safety property 1"),
        (certificate(0, vec![false; 3], vec![Lrat::default()]), "1 proofs for 0 obligations"),
    ];
    for (refusal, why) in refusals {
        assert!(refusal.expect_err("refused").to_string().contains(why));
    }
    let mut malformed = counter.clone();
    malformed.latches[0].reset = !malformed.latch(0);
    refuse(&malformed, [], "depends on itself");
}

#[test]
fn constraints_cut_runs_short() {
    let mut counter = counter(3, 7, 6, 0);
    refuse(&counter, 0..=6, "violated");
    counter.constraints.push(!counter.input(0));
    assert_eq!(check(&counter, [0]), Ok(()));
    refuse(&counter, [0, 6], "violated");
    // Where nothing is allowed, no state is needed.
    counter.constraints.push(Lit::FALSE);
    assert_eq!(check(&counter, []), Ok(()));
    assert_eq!(check(&counter, [6]), Ok(()));
}

/// `inputs` inputs and `free` uninitialised latches; bad where all are 1.
fn conjunction(inputs: u32, free: usize) -> Circuit {
    let mut circuit = circuit(inputs, free);
    let mut all = Lit::TRUE;
    for var in 1..=inputs + free as u32 {
        all = and(&mut circuit, all, Lit::new(var, false));
    }
    (0..free).for_each(|index| circuit.latches[index].reset = circuit.latch(index));
    circuit.bads.push(all);
    circuit
}

#[test]
fn one_pattern_of_many_words_is_found() {
    for (inputs, free) in [(5, 1), (6, 1), (7, 2), (9, 3)] {
        let mut circuit = conjunction(inputs, free);
        refuse(&circuit, 0..1 << free, "violated");
        refuse(&circuit, 0..(1 << free) - 1, "the first state");
        circuit.constraints.push(!circuit.input(inputs as usize - 1));
        assert_eq!(check(&circuit, 0..1 << free), Ok(()));
    }
    let mut circuit = conjunction(1, 8);
    circuit.constraints.push(!circuit.input(0));
    assert_eq!(check(&circuit, 0..256), Ok(()));
    for missing in [0, 63, 64, 100, 255] {
        refuse(&circuit, (0..256).filter(|state| *state != missing), "is missing");
    }
}

#[test]
fn too_many_patterns_are_refused_beforehand() {
    refuse(&conjunction(40, 1), 0..2, "too large");
    refuse(&conjunction(200, 1), 0..2, "too large");
    refuse(&conjunction(1, 80), [], "too large");
    // Inputs that nothing depends on are not enumerated.
    let mut idle = circuit(200, 1);
    idle.bads.push(idle.latch(0));
    assert_eq!(check(&idle, [0]), Ok(()));
}

/// Checks rows of values for some latches.
fn check_some(circuit: &Circuit, latches: &[u32], states: &[&[bool]]) -> Result<(), Refusal> {
    let states = states.iter().map(|row| row.to_vec()).collect();
    let invariant = Invariant::States { latches: latches.to_vec(), states };
    check_certificate(circuit, &Certificate { property: 0, invariant, obligations: Vec::new() })
}

#[track_caller]
fn refuse_some(circuit: &Circuit, latches: &[u32], states: &[&[bool]], why: &str) {
    let refusal = check_some(circuit, latches, states).expect_err("refused");
    assert!(refusal.to_string().contains(why), "{refusal}");
}

#[test]
fn latches_may_be_left_out() {
    // Latch 1 holds, latch 0 follows the input, latch 2 follows latch 0; it is bad if 1 is set.
    let mut circuit = circuit(1, 3);
    circuit.latches[0].next = circuit.input(0);
    circuit.latches[2].next = circuit.latch(0);
    circuit.bads.push(circuit.latch(1));
    assert_eq!(check_some(&circuit, &[1], &[&[false]]), Ok(()));
    assert_eq!(check_some(&circuit, &[1, 2], &[&[false, false], &[false, true]]), Ok(()));
    refuse_some(&circuit, &[1, 2], &[&[false, false]], "state 00: it leads to 01");
    refuse_some(&circuit, &[0, 2], &[], "the first state 00 is missing");
    let all = [&[false][..], &[true]];
    refuse_some(&circuit, &[0], &all, "the property is violated");
    refuse_some(&circuit, &[], &[&[]], "the property is violated");
    refuse_some(&circuit, &[1, 1], &[&[false, false]], "ascending");
    refuse_some(&circuit, &[2, 1], &[&[false, false]], "ascending");
    refuse_some(&circuit, &[3], &[&[false]], "no latch 3");
    refuse_some(&circuit, &[1], &[&[false, false]], "2 values for 1 latches");
}

#[test]
fn resets_are_followed_through_latches_left_out() {
    // Latch 1 starts like latch 0, which starts like the input; nothing changes.
    let mut circuit = circuit(1, 2);
    circuit.latches[0].reset = circuit.input(0);
    circuit.latches[1].reset = circuit.latch(0);
    circuit.bads.push(Lit::FALSE);
    refuse_some(&circuit, &[1], &[&[false]], "the first state 1 is missing");
    assert_eq!(check_some(&circuit, &[1], &[&[false], &[true]]), Ok(()));
    circuit.constraints.push(!circuit.latch(0));
    assert_eq!(check_some(&circuit, &[1], &[&[false], &[true]]), Ok(()));
    // The constraint holds of latch 0, which the list leaves open: it excludes the first state.
    assert_eq!(check_some(&circuit, &[1], &[&[false]]), Ok(()));
}

#[test]
fn random_circuits_seen_in_part() {
    let mut random = Rng::new(7);
    let mut accepted = 0;
    for _ in 0..1500 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let pairs = pairs(&circuit);
        let count = circuit.latches.len();
        let latches: Vec<u32> = (0..count as u32).filter(|_| !random.one_in(3)).collect();
        let project = |state: usize| -> Vec<bool> {
            latches.iter().map(|latch| state >> latch & 1 == 1).collect()
        };
        let rows: BTreeSet<Vec<bool>> = reachable(&pairs).into_iter().map(project).collect();
        let wide = (0..1 << count).filter(|state| rows.contains(&project(*state))).collect();
        let rows: Vec<&[bool]> = rows.iter().map(Vec::as_slice).collect();
        let verdict = check_some(&circuit, &latches, &rows).is_ok();
        assert_eq!(verdict, is_inductive(&pairs, &wide), "{circuit:?} {latches:?}");
        accepted += usize::from(verdict);
    }
    assert!(accepted > 300, "{accepted} accepted");
}

#[test]
fn random_circuits() {
    let mut random = Rng::new(6);
    let (mut safe, mut lucky) = (0, 0);
    for _ in 0..1500 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let pairs = pairs(&circuit);
        let is_safe = violation(&pairs).is_none();
        let reachable = reachable(&pairs);
        let accepted = check(&circuit, reachable.iter().copied()).is_ok();
        // A first state that goes with some inputs alone may look bad under others.
        assert_eq!(accepted, is_safe && (accepted || !ties_inputs(&pairs)), "{circuit:?}");
        safe += usize::from(accepted);
        for _ in 0..20 {
            // Most random sets are not inductive; near the reachable states more of them are.
            let mut states: BTreeSet<usize> = reachable.clone();
            for _ in 0..random.below(4) {
                let state = random.below(1 << circuit.latches.len());
                if !states.remove(&state) {
                    states.insert(state);
                }
            }
            let inductive = is_inductive(&pairs, &states);
            let accepted = check(&circuit, states.iter().copied()).is_ok();
            assert_eq!(accepted, inductive, "{circuit:?} {states:?}");
            assert!(!accepted || is_safe);
            lucky += usize::from(accepted && states != reachable);
        }
    }
    assert!(safe > 300 && lucky > 300, "{safe} safe, {lucky} other invariants");
}
