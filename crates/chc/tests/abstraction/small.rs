//! Systems small enough to read, and what the engines say about them.

use crate::run;
use alphorn_testkit::horn::texts::even_counter;
use alphorn_testkit::read::horn as read;

const PLENTY: u64 = 20_000_000;

/// Runs an engine on the text, twice, and compares the line.
#[track_caller]
fn check(engine: &str, text: &str, expected: &str) {
    let horn = read(text);
    let (line, used, events) = run(engine, &horn, PLENTY);
    let verdict = line.split(',').next().unwrap();
    assert_eq!(verdict, expected, "{engine}: {line}");
    assert_eq!((line, used, events), run(engine, &horn, PLENTY), "two runs are the same run");
}

#[track_caller]
fn check_both(text: &str, expected: &str) {
    check("ic3", text, expected);
    check("tpa", text, expected);
}

#[test]
fn a_counter() {
    check_both(&even_counter("(< x 0)"), "safe");
    check_both(&even_counter("(= x 12)"), "unsafe");
    check_both(&even_counter("(= x 0)"), "unsafe");
}

/// Needs predicates that are not in the text.
#[test]
fn two_counters_side_by_side() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int Int) Bool)
             (assert (p 0 0))
             (assert (forall ((x Int) (y Int) (i Int))
               (=> (and (p x y) (<= 1 i 2)) (p (+ x i) (+ y i)))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) {query}) false)))"
        )
    };
    check_both(&text("(< (+ y 1) x)"), "safe");
    check_both(&text("(> (+ x y) 9)"), "unsafe");
}

#[test]
fn truth_values_and_reals() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Bool Bool Real Real) Bool)
             (assert (forall ((x Real)) (=> (<= 0.0 x 1.0) (p true false x 0.0))))
             (assert (forall ((a Bool) (b Bool) (x Real) (t Real) (d Real))
               (=> (and (p a b x t) (>= d 0.0) (<= (+ t d) 10.0))
                   (p b a (ite a (/ x 2.0) (+ x d)) (+ t d)))))
             (assert (forall ((a Bool) (b Bool) (x Real) (t Real))
               (=> (and (p a b x t) {query}) false)))"
        )
    };
    check_both(&text("(= a b)"), "safe");
    check_both(&text("(< x 0.0)"), "safe");
    check("ic3", &text("(and b (> x 9.0))"), "safe");
    check_both(&text("(and a (> x 9.0))"), "unsafe");
    check("ic3", &text("(> t 10.0)"), "safe");
}

#[test]
fn several_predicates() {
    let text = |query: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
             (assert (p 0))
             (assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (p x) (>= x 5)) (q x 0))))
             (assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 0)) (q (- x 1) (+ y 1)))))
             (assert (forall ((x Int) (y Int)) (=> (and (q x y) {query}) false)))"
        )
    };
    check_both(&text("(> y 5)"), "safe");
    check_both(&text("(= y 5)"), "unsafe");
}

/// Far beyond what unrolling reaches step by step.
#[test]
fn a_deep_path() {
    let text = "(set-logic HORN) (declare-fun p (Int Bool) Bool)
                (assert (p 0 false))
                (assert (forall ((x Int) (b Bool)) (=> (p x b) (p (+ x 1) (not b)))))
                (assert (forall ((x Int) (b Bool)) (=> (and (p x b) (>= x 1000)) false)))";
    check("tpa", text, "unsafe");
}

#[test]
fn what_is_not_treated() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool)
                (assert (p 0))
                (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
                (assert (forall ((x Int)) (=> (and (p x) (> x 3)) false)))";
    check_both(text, "unsupported: the clauses are not linear");
}
