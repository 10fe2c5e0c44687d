//! Questions to IC3: under assumptions, with frozen inputs, with clauses to start from.

use alphorn_engine::{Ctx, Exchange, Stop, Stopper};
use alphorn_hw::{Generalization, Ic3, Outcome, Question, Settings};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::evidence::circuit::Bit;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, counter};
use alphorn_testkit::circuit::oracle::shortest_violation;
use alphorn_testkit::circuit::random::random_circuit;
use std::sync::Arc;

/// The answer, and how many ticks it took.
fn solve(question: &Question<'_>, generalization: Generalization) -> (Result<Outcome, Stop>, u64) {
    let mut sink = |_| ();
    let mut ctx = Ctx::new(10_000_000, Stopper::new(), 1, &mut sink);
    let settings = Settings { generalization, ..Settings::default() };
    let outcome = Ic3.solve(&Question { settings, ..question.clone() }, &mut ctx);
    (outcome, ctx.ticks_used())
}

/// The values of all variables.
fn settle(circuit: &Circuit, state: usize, inputs: usize) -> Vec<bool> {
    let mut values = vec![false];
    values.extend((0..circuit.inputs).map(|bit| inputs >> bit & 1 == 1));
    values.extend((0..circuit.latches.len()).map(|bit| state >> bit & 1 == 1));
    for gate in &circuit.ands {
        values.push(value(gate.left, &values) && value(gate.right, &values));
    }
    values
}

fn value(lit: Lit, values: &[bool]) -> bool {
    values[lit.var() as usize] ^ lit.is_negated()
}

/// Whether clauses over latches and frozen inputs hold at the start, are kept, and exclude bad.
fn is_invariant(question: &Question<'_>, clauses: &[Vec<Lit>]) -> bool {
    let circuit = question.circuit;
    let holds = |values: &[bool]| clauses.iter().all(|c| c.iter().any(|l| value(*l, values)));
    let frozen = |inputs: usize| question.frozen.iter().fold(0, |all, bit| all | inputs & 1 << bit);
    let (states, inputs) = (0..1usize << circuit.latches.len(), 0..1usize << circuit.inputs);
    states.clone().all(|state| {
        inputs.clone().all(|here| {
            let values = settle(circuit, state, here);
            let reset = circuit.latches.iter().enumerate();
            let starts = reset.clone().all(|(index, latch)| {
                value(latch.reset, &values) == value(circuit.latch(index), &values)
            });
            let mut all = circuit.constraints.iter().chain(&question.assumptions);
            if !all.all(|lit| value(*lit, &values)) {
                return true;
            }
            if !holds(&values) {
                return !starts;
            }
            let next = reset.fold(0, |next, (index, latch)| {
                next | usize::from(value(latch.next, &values)) << index
            });
            !value(circuit.bads[0], &values) && holds(&settle(circuit, next, frozen(here)))
        })
    })
}

/// Whether the run is one of the circuit, keeps what is frozen, and ends badly.
fn is_violation(question: &Question<'_>, outcome: &Outcome) -> bool {
    let Outcome::Unsafe(trace) = outcome else { return false };
    let circuit = question.circuit;
    let number = |bits: &[Bit]| {
        let bit = |(index, bit): (usize, &Bit)| usize::from(*bit == Bit::One) << index;
        bits.iter().enumerate().map(bit).sum::<usize>()
    };
    let mut state = number(&trace.start);
    let mut is_bad = false;
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let values = settle(circuit, state, number(inputs));
        let latches = circuit.latches.iter().enumerate();
        let fits = step > 0
            || latches.clone().all(|(index, latch)| {
                value(latch.reset, &values) == value(circuit.latch(index), &values)
            });
        let keeps = question.frozen.iter().all(|index| inputs[*index] == trace.inputs[0][*index]);
        let mut all = circuit.constraints.iter().chain(&question.assumptions);
        if !fits || !keeps || !all.all(|lit| value(*lit, &values)) {
            return false;
        }
        is_bad = value(circuit.bads[0], &values);
        state = latches.fold(0, |next, (index, latch)| {
            next | usize::from(value(latch.next, &values)) << index
        });
    }
    is_bad
}

/// Whether there is a violation, by brute force for each value of the frozen inputs.
fn is_violated(question: &Question<'_>) -> bool {
    let frozen = &question.frozen;
    (0..1usize << frozen.len()).any(|pattern| {
        let mut circuit = question.circuit.clone();
        circuit.constraints.extend(&question.assumptions);
        for (bit, index) in frozen.iter().enumerate() {
            let fixed = circuit.input(*index).xor(pattern >> bit & 1 == 0);
            circuit.constraints.push(fixed);
        }
        shortest_violation(&circuit).is_some()
    })
}

#[test]
fn random_questions_agree_with_brute_force() {
    let mut random = Rng::new(97);
    let (mut safe, mut unsafe_, mut stuck) = (0, 0, 0);
    for round in 0..1500 {
        let circuit = random_circuit(&mut random);
        let mut question = Question::new(&circuit);
        let lit = |random: &mut Rng| Lit(random.below(2 * circuit.max_var() as usize + 2) as u32);
        for _ in 0..random.below(2) {
            question.assumptions.push(lit(&mut random));
        }
        question.frozen = (0..circuit.inputs as usize).filter(|_| random.below(2) == 0).collect();
        for _ in 0..random.below(8) {
            let clause = (0..1 + random.below(2)).map(|_| lit(&mut random)).collect();
            question.known.push(clause);
        }
        let generalization =
            [Generalization::Plain, Generalization::Blocking, Generalization::Dynamic][round % 3];
        let expected = is_violated(&question);
        match solve(&question, generalization).0 {
            Ok(Outcome::Safe(clauses)) => {
                assert!(!expected && is_invariant(&question, &clauses), "{question:?}");
                safe += 1;
            }
            Ok(outcome) => {
                assert!(expected && is_violation(&question, &outcome), "{question:?} {outcome:?}");
                unsafe_ += 1;
            }
            Err(Stop::Stuck(why)) => {
                assert!(why.contains("tied to the first inputs"), "{why}");
                stuck += 1;
            }
            Err(stop) => panic!("{stop:?}: {question:?}"),
        }
    }
    assert!(safe > 300 && unsafe_ > 300 && stuck < 150, "{safe} {unsafe_} {stuck}");
}

#[test]
fn an_assumption_makes_a_counter_safe() {
    let circuit = counter(6, 63, 40, 0);
    let mut question = Question::new(&circuit);
    assert!(matches!(solve(&question, Generalization::Blocking).0, Ok(Outcome::Unsafe(_))));
    // The counter never comes to 32 if its highest bit is taken to be 0.
    question.assumptions.push(!circuit.latch(5));
    assert!(matches!(solve(&question, Generalization::Blocking).0, Ok(Outcome::Safe(_))));
}

#[test]
fn frozen_inputs_are_part_of_the_invariant() {
    // The latch remembers that the input was ever 1; bad if it was and is 0.
    let circuit = alphorn_testkit::read::circuit("aag 4 1 1 0 2 1\n2\n4 7\n8\n6 5 3\n8 4 3\n");
    let mut question = Question::new(&circuit);
    assert!(matches!(solve(&question, Generalization::Blocking).0, Ok(Outcome::Unsafe(_))));
    question.frozen.push(0);
    let Ok(Outcome::Safe(clauses)) = solve(&question, Generalization::Blocking).0 else {
        panic!("a frozen input does not fall")
    };
    assert!(clauses.iter().flatten().any(|lit| lit.var() == 1), "{clauses:?}");
}

#[test]
fn an_invariant_to_start_from_saves_the_work() {
    let circuit = counter(12, 2047, 3000, 3);
    let mut question = Question::new(&circuit);
    let (first, ticks) = solve(&question, Generalization::Blocking);
    let Ok(Outcome::Safe(invariant)) = first else { panic!("{first:?}") };
    question.known = invariant;
    let (again, fewer) = solve(&question, Generalization::Blocking);
    assert!(matches!(again, Ok(Outcome::Safe(_))), "{again:?}");
    assert!(2 * fewer < ticks, "{fewer} of {ticks}");
}

/// Runs IC3 at an exchange; returns its outcome and the ticks it took.
fn solve_at(exchange: &Arc<Exchange>, who: usize, circuit: &Circuit) -> (Outcome, u64) {
    let mut sink = |_| ();
    let mut ctx =
        Ctx::new(10_000_000, Stopper::new(), 1, &mut sink).trading(who, Arc::clone(exchange));
    let outcome = Ic3.solve(&Question::new(circuit), &mut ctx);
    (outcome.expect("there is budget"), ctx.ticks_used())
}

#[test]
fn what_holds_for_good_is_told() {
    let mut circuit = counter(9, 300, 400, 3);
    // A latch that stays 0, which the property needs besides.
    let stays = circuit.latch(9);
    circuit.latches[9] = Latch { next: stays, reset: Lit::FALSE };
    let bad = circuit.bads[0];
    circuit.bads[0] = !and(&mut circuit, !bad, !stays);
    let exchange = Arc::new(Exchange::default());
    let mut sink = |_| ();
    let mut other = Ctx::new(1, Stopper::new(), 1, &mut sink).trading(1, Arc::clone(&exchange));
    solve_at(&exchange, 0, &circuit);
    let told = other.news::<Circuit>();
    assert!(!told.is_empty());
    for count in 0..=300usize {
        let values = settle(&circuit, count, 0);
        assert!(
            told.iter().all(|clause| clause.iter().any(|lit| value(*lit, &values))),
            "{told:?}"
        );
    }
}

#[test]
fn what_others_tell_is_used() {
    let circuit = counter(9, 300, 400, 3);
    let (first, alone) = solve_at(&Arc::new(Exchange::default()), 0, &circuit);
    let Outcome::Safe(invariant) = first else { panic!("{first:?}") };
    let exchange = Arc::new(Exchange::default());
    let mut sink = |_| ();
    let mut other = Ctx::new(1, Stopper::new(), 1, &mut sink).trading(1, Arc::clone(&exchange));
    // Two that do not hold among those that do.
    for latch in [0, 3] {
        other.publish::<Circuit>(Box::new([!circuit.latch(latch)]));
    }
    for clause in invariant {
        other.publish::<Circuit>(clause.into_boxed_slice());
    }
    let (outcome, helped) = solve_at(&exchange, 0, &circuit);
    assert!(matches!(outcome, Outcome::Safe(_)));
    assert!(helped < alone, "{helped} of {alone}");
}
