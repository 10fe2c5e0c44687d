//! Queries that are run on values.

use super::*;
use crate::sld::tests::run_within;

/// Appending, reversing and comparing lists, and a query about lists `l` and `m`.
fn lists(element: &str, vars: &str, query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-datatypes ((C 0) (L 0)) (((a) (b)) ((nil) (cons (hd {element}) (tl L)))))
        (declare-fun app (L L L) Bool)
        (assert (forall ((y L)) (app nil y y)))
        (assert (forall ((e {element}) (x L) (y L) (r L)) (=> (app x y r) (app (cons e x) y (cons e r)))))
        (declare-fun rev (L L) Bool)
        (assert (rev nil nil))
        (assert (forall ((e {element}) (x L) (q L) (r L))
          (=> (and (rev x q) (app q (cons e nil) r)) (rev (cons e x) r))))
        (declare-fun len (L Int) Bool)
        (assert (len nil 0))
        (assert (forall ((e {element}) (x L) (n Int)) (=> (len x n) (len (cons e x) (+ n 1)))))
        (assert (forall ((l L) (m L) {vars}) (=> {query} false)))
        (check-sat)"
    )
}

fn run(text: &str) -> Result<Finding<Horn>, Stop> {
    run_within(&CARD, 3_000_000, text)
}

fn is_unsafe(text: &str) -> bool {
    matches!(run(text), Ok(Finding::Fails(_)))
}

#[test]
fn a_list_that_is_not_its_reverse_is_found() {
    let vars = "(n Int)";
    let query = |length| format!("(and (rev l m) (not (= l m)) (len l n) (= n {length}))");
    assert!(is_unsafe(&lists("C", vars, &query(2))));
    assert!(is_unsafe(&lists("C", vars, &query(5))));
    assert!(!is_unsafe(&lists("C", vars, &query(1))));
}

#[test]
fn elements_that_are_integers_are_enumerated_too() {
    let vars = "(e Int) (r L)";
    let query =
        |least| format!("(and (app l m r) (rev r (cons e nil)) (< {least} e) (not (= l nil)))");
    assert!(is_unsafe(&lists("Int", vars, &query(3))));
}

#[test]
fn several_lists_are_enumerated_together() {
    let vars = "(q L) (r L) (n Int)";
    let query = "(and (app l m q) (app m l r) (not (= q r)) (len q n) (> n 5))";
    assert!(is_unsafe(&lists("C", vars, query)));
    let query = "(and (app l m q) (app l m r) (not (= q r)))";
    assert!(!is_unsafe(&lists("C", vars, query)));
}

#[test]
fn a_query_of_finitely_many_inputs_ends() {
    let text = |query| {
        format!(
            "(set-logic HORN)
        (declare-datatypes ((C 0)) (((a) (b) (c))))
        (declare-fun next (C C) Bool)
        (assert (next a b))
        (assert (next b c))
        (assert (next c a))
        (assert (forall ((x C) (y C) (z C)) (=> (and (next x y) (next y z) {query}) false)))
        (check-sat)"
        )
    };
    assert!(is_unsafe(&text("(= z b)")));
    assert!(matches!(run(&text("(= z x)")), Err(Stop::Stuck(_))));
}

#[test]
fn calls_without_end_are_left() {
    let text = |query| {
        format!(
            "(set-logic HORN)
        (declare-datatypes ((N 0)) (((z) (s (p N)))))
        (declare-fun up (N N) Bool)
        (assert (forall ((n N) (m N)) (=> (up (s n) m) (up n m))))
        (declare-fun double (N N) Bool)
        (assert (double z z))
        (assert (forall ((n N) (m N)) (=> (double n m) (double (s n) (s (s m))))))
        (assert (forall ((n N) (m N)) (=> {query} false)))
        (check-sat)"
        )
    };
    assert!(is_unsafe(&text("(and (double n m) (= m (s (s (s (s z))))))")));
    assert!(!is_unsafe(&text("(and (up n m) (double n m))")));
}
