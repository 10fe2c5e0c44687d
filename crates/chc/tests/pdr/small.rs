//! Systems small enough to read, and what the engine says about them.

use crate::run;
use alphorn_engine::Event;
use alphorn_testkit::horn::texts::even_counter;
use alphorn_testkit::read::horn as read;

/// Runs the engine on the text and compares the line.
#[track_caller]
fn check(text: &str, ticks: u64, expected: &str) {
    let horn = read(text);
    let (line, used, events) = run("pdr", &horn, ticks);
    assert_eq!(line, expected);
    let again = run("pdr", &horn, ticks);
    assert_eq!((line, used, events), again, "two runs are the same run");
}

const PLENTY: u64 = 2_000_000;

#[test]
fn a_counter_without_a_bound() {
    check(&even_counter("(< x 0)"), PLENTY, "safe");
    check(&even_counter("(= x 12)"), PLENTY, "unsafe, 8 steps");
}

#[test]
fn what_stays_the_same_along_a_loop() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int Int) Bool)
             (assert (p 0 0 0))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z)
               (p (+ x 1) y (+ z 1)))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z)
               (p x (+ y 1) (- z 1)))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) {query}) false)))"
        )
    };
    check(&text("(and (= x y) (distinct z 0))"), PLENTY, "safe");
    check(&text("(and (= x y) (> x 1) (= z 0))"), PLENTY, "unsafe, 6 steps");
}

/// Needs that what the lemmas tend to is conjectured: i stays behind n as far as j behind m, while
/// there is something left for j.
#[test]
fn two_loops_side_by_side() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int Int Int Int Int) Bool)
             (assert (forall ((n Int) (m Int)) (=> (= n m (ite (< n 1) 1 n)) (p n 1 0 m 1 2))))
             (assert (forall ((n Int) (i Int) (s Int) (m Int) (j Int) (t Int))
               (=> (and (p n i s m j t) (<= i n) (< j m))
                   (p n (+ i 1) (+ s 2) m (+ j 1) (+ t 2)))))
             (assert (forall ((n Int) (i Int) (s Int) (m Int) (j Int) (t Int))
               (=> (and (p n i s m j t) (<= i n) (>= j m)) (p n (+ i 1) (+ s 2) m j t))))
             (assert (forall ((n Int) (i Int) (s Int) (m Int) (j Int) (t Int))
               (=> (and (p n i s m j t) (> i n) (< j m)) (p n i s m (+ j 1) (+ t 2)))))
             (assert (forall ((n Int) (i Int) (s Int) (m Int) (j Int) (t Int))
               (=> (and (p n i s m j t) (> i n) (>= j m) {query}) false)))"
        )
    };
    check(&text("(distinct s t)"), PLENTY, "safe");
    check(&text("(= s t)"), PLENTY, "unsafe, 3 steps");
}

#[test]
fn several_atoms_in_a_body() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun plus (Int Int) Bool) (declare-fun twice (Int Int) Bool)
             (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (plus x y))))
             (assert (forall ((x Int) (y Int) (z Int))
               (=> (and (plus x y) (plus y z)) (twice x z))))
             (assert (forall ((x Int) (y Int) (z Int))
               (=> (and (twice x y) (twice y z) {query}) false)))"
        )
    };
    check(&text("(distinct z (+ x 4))"), PLENTY, "safe");
    check(&text("(= x 7)"), PLENTY, "unsafe, 7 steps");
}

#[test]
fn recursion() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun f (Int Int) Bool)
             (assert (forall ((n Int) (r Int)) (=> (and (> n 100) (= r (- n 10))) (f n r))))
             (assert (forall ((n Int) (r Int) (s Int))
               (=> (and (<= n 100) (f (+ n 11) s) (f s r)) (f n r))))
             (assert (forall ((n Int) (r Int)) (=> (and (f n r) {query}) false)))"
        )
    };
    check(&text("(<= n 101) (distinct r 91)"), PLENTY, "safe");
    check(&text("(= n 99) (= r 91)"), PLENTY, "unsafe, 6 steps");
}

#[test]
fn disjunctions_several_queries_and_truth_values() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Bool Real) Bool) (declare-fun q (Real) Bool)
             (assert (p false 1.0))
             (assert (forall ((x Real)) (=> (= x 5.0) (q x))))
             (assert (forall ((b Bool) (x Real) (y Real))
               (=> (or (and (p b x) (= y (/ x 2.0))) (and b (q y))) (p (not b) y))))
             (assert (forall ((x Real)) (=> (and (q x) (< x 5.0)) false)))
             (assert (forall ((b Bool) (x Real)) (=> (and (p b x) {query}) false)))"
        )
    };
    check(&text("(<= x 0.0)"), PLENTY, "safe");
    check(&text("b (> x 1.0)"), PLENTY, "unsafe, 4 steps");
}

#[test]
fn queries_without_predicates() {
    let text =
        |query: &str| format!("(set-logic HORN) (assert (forall ((x Int)) (=> {query} false)))");
    check(&text("(and (< x 3) (> x 3))"), PLENTY, "safe");
    check(&text("(= (* 3 x) 12)"), PLENTY, "unsafe, 1 steps");
}

#[test]
fn nothing_is_said_about_other_sorts() {
    let text = "(set-logic HORN) (declare-sort U 0) (declare-fun p (U) Bool)
                (assert (forall ((x U)) (=> (p x) false)))";
    check(text, PLENTY, "unsupported: terms of sort U are not treated");
}

#[test]
fn the_budget_ends_the_search() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
                (assert (p 1 1))
                (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x y) x))))
                (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 1000000)) false)))";
    let (line, used, events) = run("pdr", &read(text), 3_000);
    assert_eq!(line, "out of ticks");
    assert!(used <= 3_000);
    assert!(events.contains(&Event::Bound { depth: 1 }));
}
