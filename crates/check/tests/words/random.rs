//! Small random systems, solved by brute force: the reachable states prove exactly the safe ones,
//! and a shortest run into a bad state is accepted.

use super::word;
use alphorn_check::words::{check_certificate, check_trace};
use alphorn_problem::Words;
use alphorn_problem::evidence::words::WordCertificate;
use alphorn_term::{TermId, Value};
use alphorn_testkit::Rng;
use alphorn_testkit::shrink::for_all;
use alphorn_testkit::words::oracle::{Explored, Row, explore, is_violation, rows, value};
use alphorn_testkit::words::random::two_bit_system;
use std::collections::BTreeSet;

fn certificate(vars: &[usize], states: impl Iterator<Item = Row>) -> WordCertificate {
    Explored::certificate(vars.to_vec(), states.collect())
}

#[test]
fn reachable_states_prove_exactly_the_safe_systems() {
    let (mut safe, mut wrong) = (0, 0);
    for_all(0..300, two_bit_system, |words| {
        let explored = explore(words, 64).expect("the system is small");
        let all: Vec<usize> = (0..words.states.len()).collect();
        let result = check_certificate(words, &certificate(&all, explored.reached.keys().cloned()));
        assert_eq!(result.is_ok(), explored.bad.is_none(), "{result:?}");
        if explored.bad.is_some() {
            wrong += 1;
            let trace = explored.trace(words).expect("a bad state is reached");
            assert_eq!(check_trace(words, &trace), Ok(()));
            return;
        }
        safe += 1;
        // The reachable states are the least invariant: nothing can be left out of them.
        for missing in explored.reached.keys().take(5) {
            let fewer = explored.reached.keys().filter(|row| *row != missing).cloned();
            assert!(check_certificate(words, &certificate(&all, fewer)).is_err());
        }
        check_projections(words, &explored);
    });
    assert!(safe > 50 && wrong > 50, "{safe} safe, {wrong} unsafe");
}

/// An accepted list about one state must hold all reachable values, and only safe states.
fn check_projections(words: &Words, explored: &Explored) {
    let projected: BTreeSet<Row> =
        explored.reached.keys().map(|row| vec![row[0].clone()]).collect();
    let accepted = check_certificate(words, &certificate(&[0], projected.iter().cloned())).is_ok();
    let all = |vars: &[TermId]| rows(words, vars, 64).expect("the system is small");
    let inside = |row: &Row| projected.contains(&row[..1]);
    let is_inductive = all(&words.state_vars()).iter().filter(|row| inside(row)).all(|row| {
        all(&words.inputs).iter().all(|input| {
            let holds = |term| value(words, term, row, input) == Value::Bool(true);
            if !words.constraints.iter().all(|c| holds(c.term)) {
                return true;
            }
            let closed = match words.states[0].next {
                Some(next) => projected.contains(&vec![value(words, next, row, input)]),
                None => projected.len() == 4,
            };
            closed && !holds(words.bads[0].term)
        })
    });
    assert_eq!(accepted, is_inductive);
}

#[test]
fn damaged_traces_are_refused_where_they_are_no_runs() {
    let mut rng = Rng::new(31);
    let mut refused = 0;
    for round in 0..200 {
        let words = two_bit_system(&mut rng);
        let explored = explore(&words, 64).expect("the system is small");
        if explored.bad.is_none() {
            continue;
        }
        let trace = explored.trace(&words).expect("a bad state is reached");
        for _ in 0..10 {
            let mut damaged = trace.clone();
            let step = rng.below(damaged.inputs.len());
            match rng.below(5) {
                0 => damaged.inputs[step][0] = word(2, rng.below(4) as u64),
                1 => {
                    let place = rng.below(words.states.len());
                    damaged.states[step][place] = Some(word(2, rng.below(4) as u64));
                }
                2 => {
                    damaged.inputs.remove(step);
                    damaged.states.remove(step);
                }
                3 => {
                    let place = rng.below(words.states.len());
                    damaged.states[step][place] = None;
                }
                _ => {
                    damaged.inputs.push(vec![word(2, rng.below(4) as u64)]);
                    damaged.states.push(damaged.states[step].clone());
                }
            }
            let accepted = check_trace(&words, &damaged).is_ok();
            assert_eq!(accepted, is_violation(&words, &damaged), "round {round}");
            refused += usize::from(!accepted);
        }
    }
    assert!(refused > 300, "{refused}");
}
