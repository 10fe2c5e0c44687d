//! Traces of small derivations, to the letter.

use super::*;
use crate::smtlib;
use alphorn_problem::horn::ClauseId;

fn horn(text: &str) -> Horn {
    smtlib::read(text.as_bytes()).0.expect("the script is read").horn
}

fn step(clause: u32, values: &[i64], premises: &[usize]) -> Step {
    let values = values.iter().map(|&value| Value::Int(value.into())).collect();
    Step::new(ClauseId(clause), values, premises.to_vec())
}

fn lines_of(text: &str, steps: Vec<Step>) -> Vec<TraceLine> {
    trace_lines(&horn(text), &Derivation::of(steps), text.as_bytes())
}

const COUNT: &str = "(set-logic HORN)\n(declare-fun count (Int Int) Bool)\n\
    (assert (forall ((m Int)) (=> (= m 7) (count 0 m))))\n\
    (assert (forall ((n Int) (m Int)) (=> (count n m) (count (+ n 1) m))))\n\
    (assert (forall ((n Int) (m Int)) (=> (and (count n m) (= n m)) false)))\n";

#[test]
fn a_clause_applied_again_and_again_is_one_line() {
    let mut steps = vec![step(0, &[7], &[])];
    steps.extend((0..7).map(|n| step(1, &[n, 7], &[n as usize])));
    steps.push(step(2, &[7, 7], &[7]));
    let lines = lines_of(COUNT, steps);
    let expected = "    0  count  n = 0, m = 7      by clause 0 (line 3)\n  \
        1–7  count  n = 1 … 7, m = 7  by clause 1 (line 4), 7 times\n    \
        8  false                    by clause 2 (line 5)\n";
    assert_eq!(print_trace(&lines, false), expected);
}

#[test]
fn clauses_that_take_turns_have_a_line_each() {
    let text = "(set-logic HORN)\n(declare-fun ping (Int) Bool)(declare-fun pong (Int) Bool)\n\
        (assert (ping 0))\n\
        (assert (forall ((n Int)) (=> (ping n) (pong (+ n 1)))))\n\
        (assert (forall ((n Int)) (=> (pong n) (ping (+ n 1)))))\n\
        (assert (forall ((n Int)) (=> (and (ping n) (> n 7)) false)))\n";
    let mut steps = vec![step(0, &[], &[])];
    steps.extend((0..8).map(|n| step(1 + (n % 2) as u32, &[n], &[n as usize])));
    steps.push(step(3, &[8], &[8]));
    let lines = lines_of(text, steps);
    let expected = "         0  ping  n = 0      by clause 0 (line 3)\n  \
        1, 3 … 7  pong  n = 1 … 7  by clause 1 (line 4), 4 times\n  \
        2, 4 … 8  ping  n = 2 … 8  by clause 2 (line 5), 4 times\n         \
        9  false            by clause 3 (line 6)\n";
    assert_eq!(print_trace(&lines, false), expected);
}

#[test]
fn rounds_of_a_fact_and_what_uses_it_are_put_together() {
    let text = "(set-logic HORN)\n(declare-fun sum (Int) Bool)(declare-fun one (Int) Bool)\n\
        (assert (sum 0))\n\
        (assert (forall ((k Int)) (one k)))\n\
        (assert (forall ((n Int) (k Int)) (=> (and (sum n) (one k)) (sum (+ n k)))))\n\
        (assert (forall ((n Int)) (=> (and (sum n) (> n 3)) false)))\n";
    let mut steps = vec![step(0, &[], &[])];
    for round in 0..4 {
        let before = 2 * round as usize;
        steps.push(step(1, &[1], &[]));
        steps.push(step(2, &[round, 1], &[before, before + 1]));
    }
    steps.push(step(3, &[4], &[8]));
    let lines = lines_of(text, steps);
    let shown = print_trace(&lines, false);
    assert_eq!(shown.lines().count(), 4, "{shown}");
    assert!(shown.contains("2, 4 … 8  sum  n = 1 … 4"), "{shown}");
    assert!(shown.contains("4 times, from 0 and 1 and so on"), "{shown}");
    let mut covered: Vec<usize> =
        (lines.iter()).flat_map(|line| (line.first..=line.last).step_by(line.stride)).collect();
    covered.sort_unstable();
    assert_eq!(covered, (0..10).collect::<Vec<_>>());
}

#[test]
fn every_step_is_on_one_line_and_trees_say_what_they_use() {
    let text =
        "(set-logic HORN)(declare-fun fib (Int Int) Bool)(assert (fib 0 1))(assert (fib 1 1))
        (assert (forall ((n Int) (a Int) (b Int))
          (=> (and (fib n a) (fib (+ n 1) b)) (fib (+ n 2) (+ a b)))))
        (assert (forall ((n Int) (a Int)) (=> (and (fib n a) (> a 2)) false)))";
    let steps = vec![
        step(0, &[], &[]),
        step(1, &[], &[]),
        step(2, &[0, 1, 1], &[0, 1]),
        step(2, &[1, 1, 2], &[1, 2]),
        step(3, &[3, 3], &[3]),
    ];
    let lines = lines_of(text, steps);
    let covered: Vec<usize> = lines.iter().flat_map(|line| line.first..=line.last).collect();
    assert_eq!(covered, [0, 1, 2, 3, 4]);
    let shown = print_trace(&lines, false);
    assert!(shown.contains("from 1 and 2"), "{shown}");
}

#[test]
fn a_long_trace_is_cut_in_the_middle_unless_all_is_wanted() {
    let line = |at: usize| TraceLine {
        first: at,
        last: at,
        stride: 1,
        predicate: Some("p".to_owned()),
        arguments: Vec::new(),
        clause: format!("clause {at}"),
        values: Vec::new(),
        premises: Vec::new(),
        rounds: None,
    };
    let lines: Vec<TraceLine> = (0..100).map(line).collect();
    assert_eq!(print_trace(&lines, true).lines().count(), 100);
    let cut = print_trace(&lines, false);
    assert_eq!(cut.lines().count(), 41);
    assert!(cut.contains("60 more lines (--trace=all)"), "{cut}");
}
