//! Going through all states: what is counted does not depend on the number of threads, and is what the authors of the
//! models counted.

use alphorn_driver::Words;
use alphorn_driver::explore::{Bounds, Explored, explore};
use alphorn_driver::open::{AnyProblem, open_expanded};
use std::sync::Arc;

/// Peterson's algorithm for several processes, as in the Murphi distribution.
const PETERSON: &str = include_str!("peterson.m");

fn model(text: &str) -> Arc<Words> {
    let opened = open_expanded("model.m", text.as_bytes().to_vec(), None);
    assert!(opened.diagnostics.is_clean(), "{:?}", opened.diagnostics.list);
    let Some(AnyProblem::Words(words)) = opened.problem else { panic!("a system over words") };
    words
}

fn all(words: &Words, threads: usize) -> Explored {
    explore(words, Bounds { threads, max_states: 1_000_000 }).expect("a system of words")
}

#[test]
fn peterson_has_as_many_states_and_steps_as_murphi_counts() {
    // Murphi 2.73S without symmetry: 882 states, 2646 rules fired.
    let words = model(PETERSON);
    for threads in [1, 2, 5] {
        let found = all(&words, threads);
        assert_eq!((found.states, found.steps, found.depth), (882, 2646, 25), "{threads} threads");
        assert!(found.is_complete && found.violations.is_empty());
    }
}

#[test]
fn a_violation_is_a_shortest_run_whatever_the_number_of_threads() {
    let words = model(&PETERSON.replace("turn[localj[i]] != i", "turn[localj[i]] = i"));
    let lengths = [1, 2, 3].map(|threads| {
        let found = all(&words, threads);
        let run = found.violations.iter().find(|(property, _)| *property == 0);
        run.expect("two processes are critical").1.inputs.len()
    });
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
}

#[test]
fn a_bound_on_states_is_kept_and_said() {
    let found = explore(&model(PETERSON), Bounds { threads: 2, max_states: 100 }).unwrap();
    assert!(!found.is_complete && found.states > 100 && found.states < 882);
}
