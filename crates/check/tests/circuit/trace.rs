//! Traces: accepted where they are violations, refused where they are not.

use alphorn_check::circuit::check_trace;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};

use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, bits, circuit, counter, or};
use alphorn_testkit::circuit::oracle::{is_violation, pairs, violation};
use alphorn_testkit::circuit::random::{Size, circuit_of, lit};

fn trace(property: Property, start: &str, inputs: &[&str]) -> Trace {
    Trace { property, start: bits(start), inputs: inputs.iter().map(|row| bits(row)).collect() }
}

#[track_caller]
fn accept(circuit: &Circuit, property: Property, start: &str, inputs: &[&str]) {
    assert_eq!(check_trace(circuit, &trace(property, start, inputs)), Ok(()));
}

/// Requires a refusal whose text contains `why`.
#[track_caller]
fn refuse(circuit: &Circuit, property: Property, start: &str, inputs: &[&str], why: &str) {
    let refusal = check_trace(circuit, &trace(property, start, inputs)).expect_err("refused");
    assert!(refusal.to_string().contains(why), "{refusal}");
}

const BAD: Property = Property::Bad(0);
const JUSTICE: Property = Property::Justice(0);

#[test]
fn violation_shows_in_the_last_step() {
    let circuit = counter(2, 3, 2, 0);
    accept(&circuit, BAD, "00", &["1", "1", "0"]);
    accept(&circuit, BAD, "00", &["0", "1", "1", "0", "1"]);
    refuse(&circuit, BAD, "00", &["1", "1"], "step 1: the property is false");
    refuse(&circuit, BAD, "00", &["1", "1", "1", "1"], "step 3: the property is false");
    refuse(&circuit, BAD, "00", &["1", "0", "0"], "the property is false");
}

#[test]
fn shape_must_fit() {
    let circuit = counter(2, 3, 2, 0);
    refuse(&circuit, BAD, "00", &[], "at least one step");
    refuse(&circuit, BAD, "0", &["1", "1", "0"], "1 values for 2 latches");
    refuse(&circuit, BAD, "000", &["1", "1", "0"], "3 values for 2 latches");
    refuse(&circuit, BAD, "00", &["1", "", "0"], "step 1: 0 values for 1 inputs");
    refuse(&circuit, BAD, "00", &["1", "1", "00"], "step 2: 2 values for 1 inputs");
    refuse(&circuit, Property::Bad(1), "00", &["1", "1", "0"], "no safety property 1");
    refuse(&circuit, JUSTICE, "00", &["1", "1", "0"], "no justice property 0");
    let mut malformed = circuit.clone();
    malformed.bads[0] = Lit(1000);
    refuse(&malformed, BAD, "00", &["1", "1", "0"], "circuit");
}

#[test]
fn outputs_are_properties_where_there_are_no_others() {
    let mut circuit = counter(2, 3, 2, 0);
    circuit.outputs = std::mem::take(&mut circuit.bads);
    accept(&circuit, BAD, "00", &["1", "1", "0"]);
    circuit.bads = vec![Lit::FALSE];
    refuse(&circuit, BAD, "00", &["1", "1", "0"], "the property is false");
}

#[test]
fn start_must_agree_with_resets() {
    let mut circuit = counter(2, 3, 2, 0);
    refuse(&circuit, BAD, "01", &["0"], "latch 1 of the start: One, but reset gives Zero");
    refuse(&circuit, BAD, "0x", &["1", "1", "0"], "latch 1 of the start");
    circuit.latches[1].reset = Lit::TRUE;
    accept(&circuit, BAD, "01", &["0"]);
    circuit.latches[1].reset = circuit.latch(1);
    accept(&circuit, BAD, "01", &["0"]);
    accept(&circuit, BAD, "00", &["1", "1", "0"]);
    refuse(&circuit, BAD, "0x", &["0"], "the property depends on an x");
}

#[test]
fn reset_functions_see_the_first_inputs_and_each_other() {
    let mut circuit = counter(2, 3, 2, 0);
    // Latch 0 starts with the negation of latch 1, which starts with the input.
    circuit.latches[1].reset = circuit.input(0);
    let opposite = !circuit.latch(1);
    circuit.latches[0].reset = and(&mut circuit, Lit::TRUE, opposite);
    accept(&circuit, BAD, "01", &["1"]);
    accept(&circuit, BAD, "10", &["0", "1", "0"]);
    refuse(&circuit, BAD, "01", &["0"], "latch 0 of the start");
    refuse(&circuit, BAD, "11", &["1"], "latch 0 of the start");
    refuse(&circuit, BAD, "00", &["0", "1"], "latch 0 of the start");
    refuse(&circuit, BAD, "0x", &["x"], "reset reads an x");
}

#[test]
fn constraints_hold_in_every_step() {
    let mut circuit = counter(2, 3, 2, 0);
    circuit.constraints.push(circuit.input(0));
    accept(&circuit, BAD, "00", &["1", "1", "1"]);
    refuse(&circuit, BAD, "00", &["1", "1", "0"], "step 2: constraint 0 is false");
    refuse(&circuit, BAD, "00", &["1", "0", "1", "1"], "step 1: constraint 0 is false");
    refuse(&circuit, BAD, "00", &["1", "1", "x"], "step 2: constraint 0 depends on an x");
}

#[test]
fn an_x_must_not_matter() {
    let mut circuit = circuit(2, 1);
    let bad = or(&mut circuit, Lit(2), Lit(6));
    circuit.bads.push(bad);
    accept(&circuit, BAD, "0", &["1x"]);
    refuse(&circuit, BAD, "0", &["x0"], "depends on an x");
    // Kleene's logic does not see that one of the two is true.
    let mut excluded = circuit.clone();
    excluded.bads[0] = or(&mut excluded, Lit(2), Lit(3));
    accept(&excluded, BAD, "0", &["00"]);
    refuse(&excluded, BAD, "0", &["x0"], "depends on an x");
}

/// An input `go`, a latch that remembers it; justice wants the latch, fairness its negation.
fn blinker() -> Circuit {
    let mut circuit = circuit(1, 1);
    circuit.latches[0].next = circuit.input(0);
    circuit.justice.push(vec![circuit.latch(0)]);
    circuit.fairness.push(!circuit.latch(0));
    circuit
}

#[test]
fn lassos_return_and_everything_happens_in_the_loop() {
    let circuit = blinker();
    accept(&circuit, JUSTICE, "0", &["1", "0"]);
    accept(&circuit, JUSTICE, "0", &["0", "0", "1", "1", "0"]);
    refuse(&circuit, JUSTICE, "0", &["1"], "the state differs");
    refuse(&circuit, JUSTICE, "0", &["0", "0"], "justice literal");
    refuse(&circuit, JUSTICE, "0", &["1", "1"], "fairness literal");
    refuse(&circuit, JUSTICE, "1", &["0", "1"], "latch 0 of the start");
    refuse(&circuit, JUSTICE, "0", &["1", "x"], "no loop can be seen");
    refuse(&circuit, JUSTICE, "0", &["x", "0"], "is not seen to be true");
    refuse(&circuit, JUSTICE, "0", &[], "at least one step");
    // With x in the stem alone, the loop is determined.
    accept(&circuit, JUSTICE, "0", &["x", "0", "1", "0"]);
    let mut constrained = circuit.clone();
    constrained.constraints.push(!circuit.input(0));
    refuse(&constrained, JUSTICE, "0", &["1", "0"], "constraint 0 is false");
}

#[test]
fn a_stem_need_not_be_repeated() {
    let mut circuit = blinker();
    circuit.fairness.clear();
    // The state 1 is first seen in step 1, and the loop is from there to the end.
    accept(&circuit, JUSTICE, "0", &["1", "1"]);
    circuit.justice[0] = vec![!circuit.latch(0)];
    refuse(&circuit, JUSTICE, "0", &["1", "1"], "justice literal");
    circuit.justice[0].clear();
    accept(&circuit, JUSTICE, "0", &["1", "1"]);
}

fn row(number: usize, width: usize) -> Vec<Bit> {
    (0..width).map(|bit| if number >> bit & 1 == 1 { Bit::One } else { Bit::Zero }).collect()
}

fn flip(bit: &mut Bit) {
    *bit = if *bit == Bit::Zero { Bit::One } else { Bit::Zero };
}

/// Traces that differ from `trace` in one place.
fn mutants(trace: &Trace) -> Vec<Trace> {
    let mut mutants = Vec::new();
    let mut mutate = |change: &dyn Fn(&mut Trace)| {
        let mut mutant = trace.clone();
        change(&mut mutant);
        mutants.push(mutant);
    };
    (0..trace.start.len()).for_each(|latch| mutate(&|t| flip(&mut t.start[latch])));
    for step in 0..trace.inputs.len() {
        for input in 0..trace.inputs[step].len() {
            mutate(&|t| flip(&mut t.inputs[step][input]));
        }
        mutate(&|t| t.inputs.truncate(step));
        mutate(&|t| drop(t.inputs.remove(step)));
        mutate(&|t| t.inputs.insert(step, t.inputs[step].clone()));
        mutate(&|t| t.inputs[step].push(Bit::Zero));
    }
    mutate(&|t| t.start.push(Bit::Zero));
    mutate(&|t| t.start.truncate(t.start.len().saturating_sub(1)));
    mutate(&|t| t.property = Property::Bad(1));
    mutate(&|t| t.property = Property::Justice(0));
    mutants
}

/// All ways to fill in the `X` of `trace`.
fn fillings(trace: &Trace) -> Vec<Trace> {
    let mut bits = trace.start.iter().chain(trace.inputs.iter().flatten());
    let Some(position) = bits.position(|bit| *bit == Bit::X) else { return vec![trace.clone()] };
    let fill = |value: Bit| {
        let mut filled = trace.clone();
        let mut bits = filled.start.iter_mut().chain(filled.inputs.iter_mut().flatten());
        *bits.nth(position).expect("the position is there") = value;
        fillings(&filled)
    };
    [fill(Bit::Zero), fill(Bit::One)].concat()
}

/// Requires that mutants of `trace` are accepted exactly if they are violations, and traces with
/// `X` only if all their fillings are.
fn check_around(circuit: &Circuit, trace: &Trace, random: &mut Rng) {
    for mutant in mutants(trace) {
        let accepted = check_trace(circuit, &mutant).is_ok();
        assert_eq!(accepted, is_violation(circuit, &mutant), "{circuit:?} {mutant:?}");
    }
    for _ in 0..4 {
        let mut vague = trace.clone();
        for _ in 0..5 {
            let places = vague.start.len() + vague.inputs.len() * circuit.inputs as usize;
            let place = random.below(places.max(1));
            let mut all = vague.start.iter_mut().chain(vague.inputs.iter_mut().flatten());
            if let Some(bit) = all.nth(place) {
                *bit = Bit::X;
            }
        }
        if check_trace(circuit, &vague).is_ok() {
            assert!(fillings(&vague).iter().all(|t| is_violation(circuit, t)), "{vague:?}");
        }
    }
}

#[test]
fn random_violations_and_their_mutants() {
    let mut random = Rng::new(4);
    let mut violated = 0;
    for _ in 0..1500 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let Some(run) = violation(&pairs(&circuit)) else { continue };
        violated += 1;
        let trace = Trace {
            property: BAD,
            start: row(run[0].state, circuit.latches.len()),
            inputs: run.iter().map(|p| row(p.input, circuit.inputs as usize)).collect(),
        };
        assert_eq!(check_trace(&circuit, &trace), Ok(()), "{circuit:?}");
        check_around(&circuit, &trace, &mut random);
    }
    assert!(violated > 300, "{violated} circuits are unsafe");
}

#[test]
fn random_lassos() {
    let mut random = Rng::new(5);
    let mut accepted = 0;
    for _ in 0..3000 {
        let mut circuit = circuit_of(&mut random, Size::SMALL);
        let max = circuit.max_var();
        circuit.justice.push((0..random.below(3)).map(|_| lit(&mut random, max)).collect());
        if random.one_in(3) {
            circuit.fairness.push(lit(&mut random, max));
        }
        let pairs = pairs(&circuit);
        let first: Vec<_> = pairs.iter().filter(|p| p.is_reset && p.is_allowed).collect();
        if first.is_empty() {
            continue;
        }
        let first = first[random.below(first.len())];
        let width = circuit.inputs as usize;
        let mut inputs = vec![row(first.input, width)];
        for _ in 0..random.below(6) {
            inputs.push(row(random.below(1 << width), width));
        }
        let start = row(first.state, circuit.latches.len());
        let trace = Trace { property: JUSTICE, start, inputs };
        let right = is_violation(&circuit, &trace);
        assert_eq!(check_trace(&circuit, &trace).is_ok(), right, "{circuit:?} {trace:?}");
        if right {
            accepted += 1;
            check_around(&circuit, &trace, &mut random);
        }
    }
    assert!(accepted > 300, "{accepted} lassos are violations");
}
