//! What would have avoided a run: sets of flips against trying all of them, and roots of observations.

use crate::with_ctx;
use alphorn_check::accept::{Checkable, accept};
use alphorn_check::circuit::{AskedSets, check_avoided, check_root};
use alphorn_front::evidence::{print_violation, read_violation};
use alphorn_hw::explain::{Sets, avoidance, roots, smallest};
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::evidence::circuit::{Bit, LratStep, Property, Trace};
use alphorn_problem::evidence::flips::{Avoidance, Flip, Glitch, Observation, Others, Side};
use alphorn_problem::{Circuit, Verdict, Violation};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, bits, circuit, counter, or};
use alphorn_testkit::circuit::oracle::{is_violation, pairs, violation};
use alphorn_testkit::circuit::random::circuit_with;

fn trace(start: &str, inputs: &[&str]) -> Trace {
    let inputs = inputs.iter().map(|row| bits(row)).collect();
    Trace { property: Property::Bad(0), start: bits(start), inputs }
}

fn refusal(circuit: &Circuit, trace: &Trace, flips: &[Flip]) -> String {
    check_avoided(circuit, trace, flips).expect_err("it is refused").to_string()
}

#[test]
fn flips_are_accepted_if_the_run_with_them_is_no_violation() {
    // It counts to 2 in two steps.
    let circuit = counter(2, 3, 2, 0);
    let run = trace("00", &["1", "1", "0"]);
    let flip = |step, var| Flip { step, var };
    for flips in [[flip(0, 1)], [flip(1, 1)], [flip(2, 3)]] {
        check_avoided(&circuit, &run, &flips).expect("it avoids the violation");
    }
    assert_eq!(refusal(&circuit, &run, &[flip(2, 1)]), "step 2: the property is violated");
    assert_eq!(refusal(&circuit, &run, &[]), "step 2: the property is violated");
    assert!(refusal(&circuit, &run, &[flip(3, 1)]).contains("no such input, latch or step"));
    assert!(refusal(&circuit, &run, &[flip(0, 4)]).contains("no such input, latch or step"));
    assert!(refusal(&circuit, &run, &[flip(0, 0)]).contains("no such input, latch or step"));
    assert!(refusal(&circuit, &run, &[flip(1, 1), flip(0, 1)]).contains("not in order"));
    assert!(refusal(&circuit, &run, &[flip(1, 1), flip(1, 1)]).contains("not in order"));
    let other = trace("00", &["1", "0", "0"]);
    assert!(refusal(&circuit, &other, &[flip(0, 1)]).contains("the property is false"));
}

#[test]
fn a_constraint_that_fails_does_not_avoid_anything() {
    let mut circuit = counter(2, 3, 2, 0);
    circuit.constraints.push(circuit.input(0));
    let run = trace("00", &["1", "1", "1"]);
    let flips = [Flip { step: 0, var: 1 }];
    assert_eq!(refusal(&circuit, &run, &flips), "step 0: a constraint does not hold");
}

#[test]
fn two_flips_are_needed_where_two_ways_lead_to_the_violation() {
    // Bad if one of two inputs is 1, and both are.
    let mut circuit = circuit(2, 0);
    let bad = or(&mut circuit, Lit::new(1, false), Lit::new(2, false));
    circuit.bads = vec![bad];
    let run = trace("", &["11"]);
    let (sets, own) = found(&Violation::of(circuit, run), 100);
    assert_eq!((sets.size, sets.sets.len(), sets.is_all), (Some(2), 1, true));
    assert_eq!(own.others.expect("others are refuted").most, Some(2));
}

/// What is found, and accepted with what it shows; and read back from its text.
fn found(violation: &Violation, most: usize) -> (Sets, Avoidance) {
    let sets = with_ctx(u64::MAX, |ctx| smallest(violation, most, ctx)).expect("the search ends");
    let own = with_ctx(u64::MAX, |ctx| avoidance(violation, sets.clone(), ctx));
    let own = own.expect("the others are refuted");
    let verdict = judged(violation, own.clone()).expect("the evidence is accepted");
    let text = print_violation(violation, &verdict);
    let (read, diagnostics) = read_violation(text.as_bytes(), violation);
    assert!(diagnostics.is_clean(), "{text}");
    let (again, Verdict::Safe(other) | Verdict::Unsafe(other)) = read.expect("it is read");
    assert_eq!((&again, &other), (violation, &own), "{text}");
    (sets, own)
}

/// The verdict that evidence is, if it is accepted for as much as it says.
fn judged(violation: &Violation, own: Avoidance) -> Result<Verdict<Violation>, String> {
    let is_empty = own.sets.is_empty();
    let verdict = if is_empty { Verdict::Safe(own) } else { Verdict::Unsafe(own) };
    let asked = Violation::claimed(&verdict);
    let checked = accept(violation, asked, verdict).map_err(|refusal| refusal.to_string())?;
    Ok(checked.verdict().clone())
}

#[test]
fn evidence_that_says_too_much_is_refused() {
    // It counts to 2 in two steps: three flips avoid that.
    let circuit = counter(2, 3, 2, 0);
    let violation = Violation::of(circuit, trace("00", &["1", "1", "0"]));
    let (_, own) = found(&violation, 100);
    assert!(own.sets.len() > 2 && own.size == 1);
    let refused = |change: &dyn Fn(&mut Avoidance)| {
        let mut other = own.clone();
        change(&mut other);
        judged(&violation, other).expect_err("it is refused")
    };
    // A set that is left out is not refuted, one that does not avoid anything is seen by simulation.
    assert!(refused(&|own| drop(own.sets.pop())).contains("other sets"));
    let wrong = vec![Flip { step: 2, var: 1 }];
    assert!(refused(&|own| own.sets.push(wrong.clone())).contains("the property is violated"));
    assert!(refused(&|own| own.sets.push(own.sets[0].clone())).contains("two change the same"));
    let large = vec![Flip { step: 2, var: 2 }, Flip { step: 2, var: 3 }];
    assert!(refused(&|own| own.sets.push(large.clone())).contains("words, not 1"));
    assert!(refused(&|own| own.size = 2).contains("words, not 2"));
    let empty = |own: &mut Avoidance| own.sets.clear();
    assert!(refused(&empty).contains("other sets"));
    let bound =
        |own: &mut Avoidance, most| own.others.as_mut().expect("there is a proof").most = most;
    assert!(refused(&|own| bound(own, Some(2))).contains("other sets"));
    assert!(refused(&|own| bound(own, None)).contains("other sets"));
    assert!(refused(&|own| bound(own, Some(2_000))).contains("not counted"));
    assert!(refused(&|own| bound(own, Some(1 << 40))).contains("other sets"));
    let proof = |own: &mut Avoidance| -> Vec<LratStep> {
        std::mem::take(&mut own.others.as_mut().expect("there is a proof").proof.steps)
    };
    assert!(refused(&|own| drop(proof(own))).contains("other sets"));
    // What does not say that there are no others does not answer whether there are.
    let some = Avoidance { others: None, ..own.clone() };
    assert!(judged(&violation, some.clone()).is_ok());
    let all = accept(&violation, AskedSets::All, Verdict::Unsafe(some));
    assert!(all.expect_err("it is refused").to_string().contains("not show as much"));
    // What may not be flipped must not be.
    let inputs = Violation { latches: false, ..violation.clone() };
    assert!(judged(&inputs, own.clone()).expect_err("refused").contains("may not be flipped"));
    // A run that is no violation has nothing to avoid.
    let mut other = violation.clone();
    other.trace.inputs[0][0] = Bit::Zero;
    assert!(judged(&other, own.clone()).expect_err("refused").contains("the property"));
    let nothing = Avoidance { size: 0, sets: Vec::new(), others: None };
    assert!(judged(&violation, nothing).expect_err("refused").contains("not what it shows"));
}

#[test]
fn few_sets_of_many_come_with_a_refutation_of_smaller_ones() {
    let circuit = counter(2, 3, 2, 0);
    let violation = Violation::of(circuit, trace("00", &["1", "1", "0"]));
    let (sets, own) = found(&violation, 1);
    assert!(!sets.is_all);
    assert_eq!(AskedSets::claimed(&own), AskedSets::Smallest);
    let Some(Others { most, .. }) = own.others else { panic!("there is a proof") };
    assert_eq!(most, Some(0));
}

#[test]
fn a_word_counts_once_whatever_it_becomes() {
    // Bad if two inputs are both 1 or both 0: as one word, it takes one change, in which one bit or the other flips.
    let mut circuit = circuit(2, 0);
    let [a, b] = [1, 2].map(|var| Lit::new(var, false));
    let both = and(&mut circuit, a, b);
    let neither = and(&mut circuit, !a, !b);
    let bad = or(&mut circuit, both, neither);
    circuit.bads = vec![bad];
    let mut violation = Violation::of(circuit, trace("", &["11"]));
    assert_eq!(found(&violation, 100).0.sets.len(), 2);
    violation.words = vec![0, 0];
    let (sets, own) = found(&violation, 100);
    assert_eq!((sets.size, sets.sets.len(), own.sets[0].len()), (Some(1), 1, 1));
    let twice = Avoidance {
        sets: vec![vec![Flip { step: 0, var: 1 }], vec![Flip { step: 0, var: 2 }]],
        ..own
    };
    assert!(judged(&violation, twice).expect_err("refused").contains("two change the same"));
}

/// Whether flips avoid a violation, by simulating the flipped run as a plain program does.
fn avoids(circuit: &Circuit, run: &Trace, flips: &[Flip]) -> bool {
    let one = |bit: &Bit| *bit == Bit::One;
    let mut values = vec![false; circuit.max_var() as usize + 1];
    let first = 1 + circuit.inputs as usize;
    let read = |values: &[bool], lit: Lit| values[lit.var() as usize] ^ lit.is_negated();
    for (step, row) in run.inputs.iter().enumerate() {
        let next: Vec<bool> = circuit.latches.iter().map(|l| read(&values, l.next)).collect();
        for (index, bit) in row.iter().enumerate() {
            values[1 + index] = one(bit);
        }
        for (index, after) in next.into_iter().enumerate() {
            values[first + index] = if step == 0 { one(&run.start[index]) } else { after };
        }
        for flip in flips.iter().filter(|flip| flip.step == step) {
            values[flip.var as usize] ^= true;
        }
        for (index, gate) in circuit.ands.iter().enumerate() {
            let value = read(&values, gate.left) && read(&values, gate.right);
            values[circuit.gate(index).var() as usize] = value;
        }
        let counts = circuit.constraints.iter().all(|lit| read(&values, *lit));
        if !counts || read(&values, circuit.safety()[0]) {
            return false;
        }
    }
    true
}

#[test]
fn the_smallest_sets_are_those_of_trying_all_flips() {
    let mut rng = Rng::new(5);
    let mut sizes = [0usize; 4];
    for round in 0..2_500 {
        let gates = 4 + rng.below(8);
        let circuit = circuit_with(&mut rng, 1 + round % 2, 3, gates);
        // Resets that read inputs are in other tests.
        let is_plain = |index: usize| {
            circuit.latches[index].reset.var() == 0 || circuit.is_uninitialised(index)
        };
        if circuit.safety().is_empty() || !(0..3).all(is_plain) {
            continue;
        }
        let Some(run) = violation(&pairs(&circuit)) else { continue };
        let bits = |value: usize, count: usize| -> Vec<Bit> {
            let bit = |at: usize| if value >> at & 1 == 1 { Bit::One } else { Bit::Zero };
            (0..count).map(bit).collect()
        };
        let inputs = run.iter().map(|pair| bits(pair.input, circuit.inputs as usize)).collect();
        let start = bits(run[0].state, 3);
        let run = Trace { property: Property::Bad(0), start, inputs };
        assert!(is_violation(&circuit, &run));
        let signals = circuit.inputs + 3;
        let flips: Vec<Flip> = (0..run.inputs.len())
            .flat_map(|step| (1..=signals).map(move |var| Flip { step, var }))
            .collect();
        let (sets, own) = found(&Violation::of(circuit.clone(), run.clone()), 100);
        assert_eq!(AskedSets::claimed(&own), AskedSets::All);
        let singles: Vec<Vec<Flip>> =
            flips.iter().map(|f| vec![*f]).filter(|s| avoids(&circuit, &run, s)).collect();
        let pairs = flips
            .iter()
            .enumerate()
            .flat_map(|(at, one)| flips[at + 1..].iter().map(move |other| vec![*one, *other]));
        let tried = match singles.is_empty() {
            false => singles,
            true => pairs.filter(|pair| avoids(&circuit, &run, pair)).collect(),
        };
        match (tried.first(), sets.size) {
            (Some(first), size) => {
                assert_eq!(size, Some(first.len()), "{circuit:?} {run:?}");
                assert_eq!(sets.sets, tried, "{circuit:?} {run:?}");
            }
            (None, size) => assert!(size.is_none_or(|size| size > 2)),
        }
        sizes[sets.size.unwrap_or(0).min(3)] += 1;
    }
    assert!(sizes[1] > 300 && sizes[2] > 20, "{sizes:?}");
}

/// A latch that is read by a buffer and an inverter, whose conjunction is watched.
fn reconvergent() -> Circuit {
    let mut circuit = circuit(0, 1);
    let own = circuit.latch(0);
    circuit.latches[0] = Latch { next: own, reset: Lit::FALSE };
    let out = and(&mut circuit, own, !own);
    circuit.outputs = vec![out];
    circuit
}

#[test]
fn a_fault_that_cancels_itself_is_a_root_only_with_a_glitch() {
    let circuit = reconvergent();
    for (start, side) in [(false, Side::Left), (true, Side::Right)] {
        let observation = Observation {
            start: vec![start],
            inputs: vec![Vec::new()],
            watched: circuit.outputs[0],
            at: 0,
            source: 0,
        };
        let plain = with_ctx(u64::MAX, |ctx| roots(&circuit, &observation, false, ctx));
        assert_eq!(plain.expect("it ends"), []);
        let found = with_ctx(u64::MAX, |ctx| roots(&circuit, &observation, true, ctx));
        let found = found.expect("it ends");
        let gate = circuit.outputs[0].var();
        assert_eq!(found[0].glitches, [Glitch { step: 0, gate, side }]);
        let glitches = &found[0].glitches;
        let root = check_root(&circuit, &observation, 0, glitches).expect("it is a root");
        assert_eq!((root.latch(), root.glitches()), (0, &glitches[..]));
        assert!(check_root(&circuit, &observation, 0, &[]).is_err(), "it cancels itself");
        let other = if side == Side::Left { Side::Right } else { Side::Left };
        let wrong = [Glitch { side: other, ..glitches[0] }];
        assert!(check_root(&circuit, &observation, 0, &wrong).is_err());
        let nowhere = [Glitch { step: 1, ..glitches[0] }];
        let text =
            check_root(&circuit, &observation, 0, &nowhere).expect_err("refused").to_string();
        assert_eq!(text, "glitches: one is at no gate or step of the run");
    }
}

#[test]
fn observations_that_do_not_fit_are_refused() {
    let circuit = reconvergent();
    let fine = Observation {
        start: vec![false],
        inputs: vec![Vec::new(); 2],
        watched: circuit.latch(0),
        at: 1,
        source: 0,
    };
    assert!(check_root(&circuit, &fine, 0, &[]).is_ok());
    let refuses = |observation: &Observation, latch: usize| {
        check_root(&circuit, observation, latch, &[]).expect_err("refused").to_string()
    };
    assert!(refuses(&fine, 1).contains("does not fit"));
    assert!(
        refuses(&Observation { start: Vec::new(), ..fine.clone() }, 0).contains("does not fit")
    );
    let row = Observation { inputs: vec![vec![true]; 2], ..fine.clone() };
    assert!(refuses(&row, 0).contains("does not fit"));
    assert!(refuses(&Observation { at: 2, ..fine.clone() }, 0).contains("steps"));
    assert!(refuses(&Observation { at: 0, source: 1, ..fine }, 0).contains("steps"));
}

#[test]
fn latches_and_flops_of_two_phases_are_followed() {
    // l is transparent while the clock is 1, f takes c when the clock rises; both are watched by one output.
    let mut circuit = circuit(3, 3);
    let [clock, d, c] = [1, 2, 3].map(|var| Lit::new(var, false));
    let [l, f, before] = [0, 1, 2].map(|index| circuit.latch(index));
    let open = and(&mut circuit, clock, d);
    let keeps = and(&mut circuit, !clock, l);
    circuit.latches[0].next = or(&mut circuit, open, keeps);
    let rises = and(&mut circuit, clock, !before);
    let takes = and(&mut circuit, rises, c);
    let stays = and(&mut circuit, !rises, f);
    circuit.latches[1].next = or(&mut circuit, takes, stays);
    circuit.latches[2].next = clock;
    let out = or(&mut circuit, l, f);
    circuit.outputs = vec![out];
    let row = |text: &str| -> Vec<bool> { text.bytes().map(|byte| byte == b'1').collect() };
    let observation = |rows: [&str; 3]| Observation {
        start: vec![false; 3],
        inputs: rows.iter().map(|text| row(text)).collect(),
        watched: circuit.outputs[0],
        at: 2,
        source: 0,
    };
    let found = |observation: &Observation| -> Vec<usize> {
        let found = with_ctx(u64::MAX, |ctx| roots(&circuit, observation, false, ctx));
        found.expect("it ends").iter().map(|root| root.latch).collect()
    };
    // The clock stays low: both keep what they have.
    assert_eq!(found(&observation(["000", "000", "000"])), [0, 1]);
    // The latch is open in the first step and loses the fault, as does the flop, whose clock rises.
    assert_eq!(found(&observation(["100", "100", "000"])), []);
    // With a rising clock and c = 1, a wrong memory of the clock keeps the flop from taking it.
    assert_eq!(found(&observation(["101", "000", "000"])), [2]);
}
