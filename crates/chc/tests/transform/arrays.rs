//! Arrays that become numbers, arrays that are dropped, and counters of their cells.

use crate::{accepted, cards, carried, finding, read, transformed};
use alphorn_problem::Horn;
use alphorn_term::Sort;

/// How many arguments of predicates are arrays.
fn arrays(horn: &Horn) -> usize {
    let is_array = |&&sort: &&_| matches!(horn.terms.sort_of(sort), Sort::Array(..));
    horn.pred_ids().map(|pred| horn.pred_args(pred).iter().filter(is_array).count()).sum()
}

/// Applies transforms to a text with a query put in, compares the counts of arguments and of arrays
/// among them afterwards, and has the evidence judged: first for a safe query, then for an unsafe one.
#[track_caller]
fn check(names: &[&str], text: &str, counts: [usize; 2], safe: &str, unsafe_: &str) {
    for (query, expected) in [(safe, "safe"), (unsafe_, "unsafe")] {
        let horn = read(&text.replace("ARRAY", "(Array Int Int)").replace("QUERY", query));
        let (changed, back) = transformed(&horn, &cards(names));
        let arguments = changed.pred_ids().map(|pred| changed.pred_args(pred).len());
        assert_eq!([arguments.sum(), arrays(&changed)], counts, "arguments, arrays");
        let verdict = carried(&horn, &back, finding(&changed)).unwrap();
        assert_eq!(accepted(&horn, &verdict), Ok(expected));
    }
}

#[test]
fn literal_indices() {
    let text = "(set-logic HORN) (declare-fun p (ARRAY Int) Bool)
        (assert (forall ((a ARRAY) (x Int)) (=> (and (= (select a 3) 0) (= (select a 7) 0)) (p a x))))
        (assert (forall ((a ARRAY) (x Int))
          (=> (and (p a x) (< (select a 3) 5))
              (p (store (ite (> x 0) a (store a 7 2)) 3 (+ (select a 3) 1)) x))))
        (assert (forall ((a ARRAY) (x Int)) (=> (and (p a x) QUERY) false)))";
    check(
        &["fixed-cells"],
        text,
        [3, 0],
        "(> (select a 3) 5)",
        "(= (select a 3) 4) (= (select a 7) 2)",
    );
}

/// The index for all others tells constant arrays apart, and what two facts need to be the same is.
#[test]
fn constant_arrays_and_shared_arrays() {
    let text = "(set-logic HORN) (declare-fun p (ARRAY) Bool) (declare-fun q (ARRAY) Bool)
        (assert (forall ((x Int)) (=> (and (<= 1 x) (<= x 2)) (p ((as const ARRAY) x)))))
        (assert (forall ((a ARRAY) (b ARRAY)) (=> (and (p a) (= b (store a 0 9))) (q b))))
        (assert (forall ((a ARRAY)) (=> (and (p a)) (p (store a 0 9)))))
        (assert (forall ((a ARRAY)) (=> (and (p a) (q a) QUERY) false)))";
    check(&["fixed-cells"], text, [6, 0], "(= (select a 1) 3)", "(= (select a 1) 2)");
}

#[test]
fn distances_from_a_number_that_is_handed_on() {
    let text =
        "(set-logic HORN) (declare-fun p (Int Int ARRAY Int) Bool) (declare-fun q (ARRAY Int) Bool)
        (assert (forall ((a ARRAY) (b Int) (o Int)) (p o 0 (store a (+ b 4) 0) b)))
        (assert (forall ((a ARRAY) (b Int) (x Int) (o Int))
          (=> (and (p o x a b) (< x 3))
              (p o (+ x 1) (store a (+ b 4) (+ (select a b) (select a (+ b 4)))) b))))
        (assert (forall ((a ARRAY) (b Int) (x Int) (o Int)) (=> (p o x a b) (q a b))))
        (assert (forall ((a ARRAY) (b Int))
          (=> (and (q a b) (= (select a b) 1) QUERY) false)))";
    let (safe, unsafe_) = ("(> (select a (+ b 4)) 3)", "(= (select a (+ b 4)) 3)");
    check(&["fixed-cells"], text, [8, 0], safe, unsafe_);
}

/// Where an index moves, where a base is changed, where a difference of arrays is asked for, and
/// where an array has arrays inside, arrays stay.
#[test]
fn other_arrays_stay() {
    let moving = "(set-logic HORN) (declare-fun p (ARRAY Int) Bool)
        (assert (forall ((a ARRAY)) (p a 0)))
        (assert (forall ((a ARRAY) (x Int)) (=> (p a x) (p (store a x 1) (+ x 1)))))
        (assert (forall ((a ARRAY) (x Int)) (=> (and (p a x) (= (select a x) 7)) false)))";
    let differing = "(set-logic HORN) (declare-fun p (ARRAY ARRAY) Bool)
        (assert (forall ((a ARRAY)) (p a (store a 1 1))))
        (assert (forall ((a ARRAY) (b ARRAY)) (=> (and (p a b) (not (= a b))) false)))";
    let nested = "(set-logic HORN) (declare-fun p ((Array Int ARRAY)) Bool)
        (assert (forall ((a (Array Int ARRAY))) (=> (= (select (select a 0) 0) 1) (p a))))
        (assert (forall ((a (Array Int ARRAY)))
          (=> (and (p a) (= (select (select a 0) 0) 2)) false)))";
    for (text, count) in [(moving, 1), (differing, 2), (nested, 1)] {
        let horn = read(&text.replace("ARRAY", "(Array Int Int)"));
        let (changed, _) = transformed(&horn, &cards(&["fixed-cells"]));
        assert_eq!(arrays(&changed), count);
    }
}

#[test]
fn arrays_over_words_and_truth_values() {
    let text = "(set-logic HORN)
        (declare-fun p (Int (Array (_ BitVec 8) Bool) (Array Bool Real)) Bool)
        (assert (forall ((a (Array (_ BitVec 8) Bool)) (r (Array Bool Real)))
          (=> (and (not (select a #x01)) (= (select r true) 0.0)) (p 0 a r))))
        (assert (forall ((a (Array (_ BitVec 8) Bool)) (r (Array Bool Real)) (x Int))
          (=> (and (p x a r) (not (select a #x01)))
              (p (+ x 1) (store a #x01 (> (select r true) 1.5))
                 (store r true (+ (select r true) 1.0))))))
        (assert (forall ((a (Array (_ BitVec 8) Bool)) (r (Array Bool Real)) (x Int))
          (=> (and (p x a r) QUERY) false)))";
    check(&["fixed-cells"], text, [3, 0], "(> (select r true) 3.0)", "(> (select r true) 2.5)");
}

/// `slicing` drops arrays that are written and handed on, and never read.
#[test]
fn arrays_that_are_only_written() {
    let text = "(set-logic HORN) (declare-fun p (ARRAY Int ARRAY) Bool)
        (assert (forall ((a ARRAY) (b ARRAY)) (p a 0 b)))
        (assert (forall ((a ARRAY) (b ARRAY) (x Int))
          (=> (and (p a x b) (< x 4)) (p (store b x (select a x)) (+ x 1) (store a (+ x 1) 0)))))
        (assert (forall ((a ARRAY) (b ARRAY) (x Int)) (=> (and (p a x b) QUERY) false)))";
    check(&["slicing"], text, [1, 0], "(> x 4)", "(= x 3)");
}

/// A counter that goes up by four and down by six from three is odd, and its double is twice that.
#[test]
fn congruences_of_counters() {
    let text = "(set-logic HORN) (declare-fun p (Int Int) Bool) (declare-fun q (Int) Bool)
        (assert (p 3 0))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (ite (> y 0) (+ x 4) (- x 6)) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y)) (q (+ (* 2 x) 1)))))
        (assert (forall ((x Int)) (=> (and (q x) QUERY) false)))";
    check(&["congruences"], text, [3, 0], "(not (= (mod x 4) 3))", "(= x 19)");
    let (changed, _) = transformed(&read(&text.replace("QUERY", "true")), &cards(&["congruences"]));
    let body = changed.clauses[3].body;
    assert!(changed.terms.show(body).contains("(= (mod x 4) 3)"), "{}", changed.terms.show(body));
}
